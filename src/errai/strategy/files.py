"""Opening whatever was saved: the manifest says its kind, and the kind knows the rest (errai.strategy.kinds).

What is opened is of one piece, whoever writes to the folder meanwhile (errai.files.pending), and stays so.

Folders of earlier versions are read as if they were of this one: version 1 is an exact solution, version 2 a
strategy on buckets, and a table without a version is a solution of the sequence form, which needs its certificate.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from errai.errors import ErraiError
from errai.files.manifest import FORMAT, MANIFEST, VERSION, read_strategy_manifest
from errai.files.pending import steadily
from errai.files.reading import finite, inside, read_json, understood, whole
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.strategy.kinds import kind_of
from errai.strategy.kinds.rule import RULES, RuleStrategy
from errai.strategy.shipped import folder_of, shipped
from errai.strategy.strategy import Strategy

RULE_GAME = "holdem"  # what a rule plays unless it is told
_OLDER = {1: "exact", 2: "buckets"}


def open_strategy(strategy: Path | str, game: str | Path | GameDefinition | None = None) -> Strategy:
    """The strategy of a folder, of a name that comes with the package, or of a rule such as always-call.

    A rule plays any `game`, hold'em if none is given; the others know their own.
    """
    if str(strategy) in RULES and not Path(strategy).exists():
        rules = game if isinstance(game, GameDefinition) else load_game(game or RULE_GAME)
        return RuleStrategy(str(strategy), rules)
    if game is not None:
        raise ErraiError(f"game is for {', '.join(RULES)}; {strategy} knows its game", parameter="game")
    folder = folder_of(strategy)
    if not folder.exists():
        names = ", ".join((*shipped(), *RULES))
        raise ErraiError(
            f"{strategy} is not a saved strategy: there is no such folder; the strategies with a name are {names}"
        )
    return steadily(lambda: folder / MANIFEST, lambda: _open(folder))


def _open(folder: Path) -> Strategy:
    content = manifest_of(folder)
    opened: Strategy = kind_of(content["kind"]).open(folder, content)
    return opened


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest of a saved strategy of any kind, as one of the present version."""
    if _is_table(folder / MANIFEST):
        return {**_head(), **kind_of("sequence").from_table(folder)}
    content = read_strategy_manifest(folder, *_OLDER)
    with understood(folder / MANIFEST):
        if content["version"] in _OLDER:
            content = {**kind_of(_OLDER[content["version"]]).upgraded(content), **_head()}
        kind_of(content["kind"])
        for name, checksum in content["files"].items():
            inside(folder, name)
            whole(checksum)
        for figures in (content.get("about", {}), content.get("exploitability") or {}):
            _require_figures(figures)
    return content


def _require_figures(figures: dict[str, Any]) -> None:
    """Refuse, by a ValueError, what is said of a strategy in words where a number belongs, or the other way round."""
    known = {name: figure for name, figure in dict(figures).items() if figure is not None}
    for name in ("iterations", "flops", "of"):
        whole(known.get(name, 0))
    for name in ("seconds", "exploitability_mbb", "largest_gap"):
        finite(known.get(name, 0))
    low, high = known.get("interval", (0, 0))
    finite(low), finite(high)
    for name in ("method", "algorithm", "command", "strategy"):
        if type(known.get(name, "")) is not str:
            raise ValueError(f"{name} is no word")


def about(folder: Path) -> dict[str, Any]:
    """How the strategy of a folder was found and how exploitable it is, as it was saved."""
    with understood(folder / MANIFEST):
        return dict(manifest_of(folder)["about"])


def _head() -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION}


def _is_table(path: Path) -> bool:
    """Whether a file is the table that solutions of the sequence form once had in the place of the manifest."""
    try:
        content = read_json(path)
    except ErraiError:
        return False
    return "format" not in content and "strategies" in content
