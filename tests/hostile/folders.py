"""One small folder of every kind that Errai writes, and the commands that read it."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from errai.cli import main as cli
from tests.blueprint.games import TEXT

PENNIES = """EFG 2 R "pennies" { "Even" "Odd" }
p "" 1 1 "even" { "heads" "tails" } 0
p "" 2 1 "odd" { "heads" "tails" } 0
t "" 1 "a" { 3 -3 }
t "" 2 "b" { -1 1 }
p "" 2 1 "odd" { "heads" "tails" } 0
t "" 2
t "" 3 "c" { 1 -1 }
"""
PRESET = "lossless/emd:6/emd:6/ochs:6"
PERFECT = "ehs:3:perfect/ehs:3:perfect/ehs:3:perfect/ehs:3:perfect"
AGAIN = "again"  # what a command writes
TIMES = {"seconds", "core_hours"}


class Answer(NamedTuple):
    """What a command said: its exit code, its output without times, and what it complained of."""

    code: int
    out: Any
    err: str


@dataclass(frozen=True)
class Reader:
    """A command that reads a folder, and the files of it that it may read (others are not tried with it)."""

    words: tuple[str, ...]
    files: str = ""  # a regular expression; any file

    @property
    def name(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True)
class Kind:
    """How a folder is made, what reads it, and which of its files `strategy check` must find damaged."""

    name: str
    folders: tuple[str, ...]  # the first is the one whose files are damaged
    made_by: tuple[tuple[str, ...], ...]
    readers: tuple[Reader, ...]
    checked: str = "nothing"  # a regular expression


def _reads(folder: str, *queries: tuple[str, ...], exploit: bool = True) -> tuple[Reader, ...]:
    """What every strategy is read by."""
    words = [("strategy", "check", folder, "--json"), ("strategy", "info", folder, "--json")]
    words += [("strategy", "info", folder)]
    words += [("query", folder, *query, "--json") for query in queries]
    if exploit:
        words.append(("exploit", folder, "--quiet", "--json"))
    return tuple(Reader(each) for each in words)


def _table(folder: str, *where: str) -> Reader:
    return Reader(("strategy", "export", folder, f"{AGAIN}.csv", *where))


CHECKPOINT = "^checkpoint/"
TEN = ("--game", "ten.game")
KINDS = (
    Kind(
        "exact",
        ("exact",),
        (("solve", "leduc", "--iterations", "40", "--out", "exact"),),
        (
            *_reads("exact", (), ("--betting", "cc/", "--board", "3d")),
            _table("exact"),
            Reader(
                ("solve", "--resume", "exact", "--iterations", "60", "--out", AGAIN, "--quiet", "--json"),
                CHECKPOINT,
            ),
        ),
        r"^(strategy|checkpoint/.*)\.npy$",
    ),
    Kind(
        "spot",
        ("spot",),
        (
            ("endgame", "--board", "Ks7h2d5c9h", "--betting", "rc/rc/rc", "--oop", "AA,KK,76s", "--ip", "QQ,AKs,55",
             "--iterations", "20", "--out", "spot"),
        ),
        _reads("spot", ()),
        r"^(strategy|ranges)\.npy$",
    ),
    Kind(
        "subgames",
        ("subgames",),
        (("solve", "leduc", "--precision", "int16", "--iterations", "40", "--out", "subgames"),),
        (
            *_reads("subgames", (), ("--betting", "cc/", "--board", "3d")),
            _table("subgames"),
            Reader(
                ("solve", "--resume", "subgames", "--iterations", "60", "--out", AGAIN, "--quiet", "--json"),
                CHECKPOINT,
            ),
        ),
        r"^(trunk\.npy|chunks-.*|checkpoint/.*\.npy)$",
    ),
    Kind(
        "certified",
        ("certified",),
        (("solve", "kuhn", "--method", "exact", "--out", "certified"),),
        (*_reads("certified", ()), _table("certified"), Reader(("verify", "certified", "--json"))),
        r"^(strategy\.csv|certificate\.json)$",
    ),
    Kind(
        "linear program",
        ("plans",),
        (("solve", "kuhn", "--method", "lp", "--out", "plans"),),
        (*_reads("plans", ("--betting", "cr")), _table("plans")),
        r"^strategy\.csv$",
    ),
    Kind(
        "tree",
        ("efg",),
        (("solve", "pennies.efg", "--method", "exact", "--out", "efg"),),
        (*_reads("efg", ("--information-set", "odd")), _table("efg"), Reader(("verify", "efg", "--json"))),
        r"^(strategy\.csv|certificate\.json|game\.efg)$",
    ),
    Kind(
        "tree by CFR",
        ("cfr",),
        (("solve", "pennies.efg", "--method", "cfr+", "--iterations", "60", "--out", "cfr"),),
        (
            *_reads("cfr"),
            Reader(
                ("solve", "--resume", "cfr", "--iterations", "90", "--out", AGAIN, "--quiet", "--json"), CHECKPOINT
            ),
        ),
        r"^(strategy\.csv|game\.efg|checkpoint/.*\.npy)$",
    ),
    Kind(
        "jam or fold",
        ("jam",),
        (("jamfold", "--stack", "10", "--exact", "--out", "jam"),),
        (*_reads("jam", ()), _table("jam"), Reader(("verify", "jam", "--json"))),
        r"^(hand\.csv|certificate\.json)$",
    ),
    Kind(
        "chart",
        ("chart",),
        (("jamfold", "--chart", "--from", "2", "--to", "2.5", "--step", "0.1", "--out", "chart"),),
        _reads("chart", exploit=False),
        r"^chart\.csv$",
    ),
    Kind("rule", ("rule",), (), _reads("rule", ())),
    Kind(
        "tournament",
        ("tour",),
        (
            ("tournament", "--chips", "600", "--sb", "100", "--bb", "200", "--step", "100", "--exact", "--out",
             "tour"),
        ),
        (*_reads("tour", (), exploit=False), _table("tour"), Reader(("verify", "tour", "--json"))),
        r"^(strategies\.npy|proof\.json)$",
    ),
    Kind(
        "buckets",
        ("buckets", "trained"),
        (("abstract", PRESET, *TEN, "--out", "buckets"),),
        (
            *_reads("trained", (), ("--betting", "rc/", "--board", "2c3d")),
            Reader(("abstract", PRESET, *TEN, "--out", "buckets", "--json", "--quiet")),
            Reader(
                ("train", "ten.game", "--abstraction", "buckets", "--samples", "16", "--threads", "1", "--out",
                 AGAIN, "--quiet", "--json"),
            ),
        ),
        r"_(cells|boards|centres)\.npy$",
    ),
    Kind(
        "buckets that remember",
        ("perfect",),
        (("abstract", PERFECT, *TEN, "--out", "perfect"),),
        (
            Reader(("abstract", PERFECT, *TEN, "--out", "perfect", "--json", "--quiet")),
            Reader(
                ("train", "ten.game", "--abstraction", "perfect", "--samples", "16", "--threads", "1", "--out",
                 AGAIN, "--quiet", "--json"),
            ),
        ),
    ),
    Kind(
        "trained",
        ("trained", "buckets"),
        (
            ("train", "ten.game", "--abstraction", "buckets", "--samples", "48", "--threads", "1", "--out",
             "trained"),
            ("exploit", "trained", "--threads", "1"),
        ),
        (
            *_reads("trained", (), ("--betting", "rc/", "--board", "2c3d")),
            _table("trained", "--betting", "rc/", "--board", "2c3d"),
            Reader(("strategy", "pack", "trained", "--out", AGAIN, "--threads", "1", "--quiet"), r"^[^/]*$"),
            Reader(
                ("train", "--resume", "trained", "--samples", "64", "--threads", "1", "--out", AGAIN, "--quiet",
                 "--json"),
                CHECKPOINT,
            ),
        ),
        r"(\.blocks|^checkpoint/.*\.npy)$",
    ),
    Kind(
        "packed",
        ("packed",),
        (
            ("strategy", "pack", "trained", "--out", "packed", "--threads", "1"),
            ("exploit", "packed", "--threads", "1"),
        ),
        (
            *_reads("packed", (), ("--betting", "rc/", "--board", "2c3d"), ("--betting", "rc/c", "--board", "5c3d")),
            _table("packed", "--betting", "rc/", "--board", "2c3d"),
        ),
        r"^([^/]*\.blocks|[^/]*\.order\.npy|abstraction/.*\.(npy|blocks))$",
    ),
    Kind(
        "holdem",
        ("holdem",),
        (),
        _reads(
            "holdem",
            (),
            ("--betting", "rc/", "--board", "Ks7h2d"),
            ("--betting", "rc/rc/rc/", "--board", "Ks7h2d5c9h"),
            exploit=False,
        ),
        r"^([^/]*\.blocks|[^/]*\.order\.npy|abstraction/.*\.(npy|blocks))$",
    ),
)  # fmt: skip


def build(folder: Path) -> None:
    """Make all of them in a folder, which is also the current one."""
    from errai.games.catalogue import load_game
    from errai.strategy.kinds.rule import RuleStrategy
    from errai.strategy.shipped import folder_of

    RuleStrategy("always-call", load_game("kuhn")).save(folder / "rule")
    (folder / "ten.game").write_text(TEXT)
    (folder / "pennies.efg").write_text(PENNIES)
    shutil.copytree(folder_of("holdem"), folder / "holdem")
    for kind in sorted(KINDS, key=lambda kind: kind.name == "packed"):
        for words in kind.made_by:
            answer = ask((*words, *(() if words[0] == "verify" else ("--quiet",))))
            assert answer.code == 0, (words, answer)


def ask(words: tuple[str, ...]) -> Answer:
    """What a command says; what it wrote under AGAIN is looked at and removed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(words)
    printed: Any = out.getvalue()
    if "--json" in words and code == 0:
        printed = _without_times(json.loads(printed))
    else:
        printed = re.sub(r"[0-9.,:]+ ?(ms|s|min|h)\b", "TIME", printed)
    table = Path(f"{AGAIN}.csv")
    if table.is_file():
        printed = [printed, table.read_text()]
        table.unlink()
    shutil.rmtree(AGAIN, ignore_errors=True)
    return Answer(code, printed, err.getvalue())


def _without_times(content: Any) -> Any:
    if isinstance(content, dict):
        return {key: _without_times(value) for key, value in content.items() if key not in TIMES}
    if isinstance(content, list):
        return [_without_times(value) for value in content]
    return content


if __name__ == "__main__":
    build(Path.cwd())
