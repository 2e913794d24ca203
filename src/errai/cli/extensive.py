"""`errai solve` on extensive games: .efg files, games of OpenSpiel, and linear programs of Errai's own games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from errai.cli.ending import leave
from errai.cli.options import LINEAR
from errai.cli.output import print_json, print_rows
from errai.cli.progress import Terminal
from errai.cli.solving import Given
from errai.errors import ErraiError

if TYPE_CHECKING:
    from errai.sequence import Solution


def concerns(game: str | None, method: str | None, resume: Path | None) -> bool:
    """Whether a command line is about an extensive game."""
    if resume is not None:
        from errai.sequence.checkpoint import is_extensive_checkpoint

        return is_extensive_checkpoint(resume)
    if method is not None and method.lower() in LINEAR:
        return True
    return game is not None and (game.startswith("openspiel:") or game.lower().endswith(".efg"))


def solve_extensive(given: Given, game: str | None, most_nodes: int | None, json: bool) -> None:
    """Solve and print."""
    from errai.views.extensive import MOST_SHOWN, extensive_json, extensive_rows, strategy_lines

    for option, value in (
        ("--threads", given.threads),
        ("--precision", given.precision),
        ("--no-isomorphism", given.no_isomorphism or None),
    ):
        if value is not None:
            raise ErraiError(f"{option} is for CFR on Errai's own poker games; leave it out here")
    solution = _resume(given, game) if given.resume is not None else _start(given, game, most_nodes)
    if json:
        print_json(extensive_json(solution))
    else:
        rows = extensive_rows(solution)
        if solution.certificate is not None and solution.folder is None:
            rows.append(("certificate", "not saved; add --out DIR, then errai verify DIR checks it"))
        print_rows(rows)
        if solution.profile.form.game.information_sets <= MOST_SHOWN:
            print()
            for line in strategy_lines(solution):
                print(line)
    leave("solve", solution.finished, solution.saved, solution.folder)


def _start(given: Given, game: str | None, most_nodes: int | None) -> Solution:
    if game is None:
        raise ErraiError("give a game: a name, FILE.game, FILE.efg or openspiel:NAME")
    from errai.sequence import solve

    settings = {**given.limits(), **given.named("strategy")}
    if most_nodes is not None:
        if not game.startswith("openspiel:"):
            raise ErraiError("--most-nodes is for games of OpenSpiel; leave it out here")
        if most_nodes < 1:
            raise ErraiError(f"--most-nodes must be 1 or more, not {most_nodes}")
        settings["most_nodes"] = most_nodes
    with Terminal(given.quiet) as terminal:
        return solve(
            game,
            given.method or "",
            **settings,
            out=given.out,
            overwrite=given.overwrite,
            stopped_to=f"errai-{_short(game)}-checkpoint",
            monitor=terminal,
        )


def _resume(given: Given, game: str | None) -> Solution:
    from errai.sequence import resume

    given.refuse_with_resume(**{"the game": game})
    assert given.resume is not None
    with Terminal(given.quiet) as terminal:
        return resume(
            given.resume, **given.limits(), out=given.out, overwrite=given.overwrite, monitor=terminal
        )


def _short(game: str) -> str:
    """A name for a folder."""
    name = (
        Path(game).stem
        if game.lower().endswith(".efg")
        else game.removeprefix("openspiel:").partition("(")[0]
    )
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name) or "game"
