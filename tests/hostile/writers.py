"""Two writers and two readers in one folder, all the time.

The writers solve different games by different methods into the same folder with --overwrite: one at a time, the other
is refused in one line before it has solved anything. Readers load, check and measure what is there, or query it: it
is the one solution or the other, every time, and never a mixture.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import multiprocessing.synchronize
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import errai
from errai.cli.main import run as command
from errai.sequence import solve
from tests.hostile.row import Row
from tests.hostile.solutions import content_of

SECONDS = 60.0
IN_USE = " is in use by "


def run(scale: float, seed: int) -> list[Row]:
    """All four at once, for a minute at full scale."""
    with tempfile.TemporaryDirectory(prefix="errai-writers-") as name:
        out = Path(name, "out")
        writers = {"solve leduc": _engine, "solve kuhn --method exact": _exact}
        for write in (*writers.values(), _engine):
            write(out)
        solutions = {}
        for who, write in writers.items():
            write(Path(name, "alone"))
            solutions[who] = _figures(Path(name, "alone"))
        readers = {"load, check, evaluate": _loaded, "query, strategy check": _queried}
        end = time.monotonic() + max(2.0, SECONDS * scale)
        context = multiprocessing.get_context("fork")
        told = context.Queue()
        children = [
            context.Process(target=_work, args=(who, call, out, end, told))
            for who, call in (*writers.items(), *readers.items())
        ]
        for child in children:
            child.start()
        reports: dict[str, Counter[str]] = dict(told.get() for _ in children)
        for child in children:
            child.join()
    known = {json.dumps(figures): f"the solution of {who}" for who, figures in solutions.items()}
    return [
        *(_written(who, reports[who]) for who in writers),
        *(_read(who, reports[who], known) for who in readers),
    ]


def _work(who: str, call: Callable[[Path], Any], out: Path, end: float, told: Any) -> None:
    found: Counter[str] = Counter()
    while time.monotonic() < end:
        try:
            found[json.dumps(call(out))] += 1
        except errai.ErraiError as error:
            found[f"error: {error}"] += 1
        except BaseException as error:
            found[f"{type(error).__name__}: {error}"] += 1
        time.sleep(0.005)  # whoever has had the folder lets the others have a try
    told.put((who, found))


def _engine(out: Path) -> None:
    errai.solve("leduc", iterations=12, threads=1, out=out, overwrite=True)


def _exact(out: Path) -> None:
    solve("kuhn", "exact", out=out, overwrite=True)


def _figures(out: Path) -> Any:
    content = content_of(out)
    return [content["kind"], content["about"]["game"], content["about"]["best_response"]]


def _loaded(out: Path) -> Any:
    opened = errai.load(out)
    opened.check()
    evaluation = opened.evaluate()
    assert opened.saved is not None
    about = opened.saved.content["about"]
    near = all(
        abs(one - other) < 1e-9
        for one, other in zip(evaluation.best_response, about["best_response"], strict=True)
    )
    return [
        opened.kind,
        opened.title if near else f"{opened.title}, but not as it was saved",
        about["best_response"],
    ]


def _queried(out: Path) -> Any:
    checked = _printed("strategy", "check", out, "--json")
    assert checked["sound"]
    query = _printed("query", out, "--json")
    hand = len(query["hands"])
    content = _printed("strategy", "info", out, "--json")
    assert hand in (3, 6)
    return [content["kind"], content["about"]["game"], content["about"]["best_response"]]


def _printed(*words: object) -> dict[str, Any]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = command([str(word) for word in words])
    if code:
        raise errai.ErraiError(f"{words[0]} ended with {code}: {err.getvalue().strip()}")
    return dict(json.loads(out.getvalue()))


def _written(who: str, found: Counter[str]) -> Row:
    outcome: Counter[str] = Counter()
    failures = []
    for words, times in found.items():
        if words == "null":
            outcome["solved and saved"] += times
        elif words.startswith("error: ") and IN_USE in words and "\n" not in words:
            outcome["refused: in use by the other"] += times
        else:
            failures.append(f"{who}: {words} ({times} times)")
    if not outcome["solved and saved"]:
        failures.append(f"{who}: it was never its turn")
    return Row(f"{who} --overwrite, while others write and read", found.total(), dict(outcome), failures)


def _read(who: str, found: Counter[str], known: dict[str, str]) -> Row:
    outcome: Counter[str] = Counter()
    failures = []
    for figures, times in found.items():
        if figures in known:
            outcome[known[figures]] += times
        else:
            failures.append(f"{who}: {figures} ({times} times)")
    return Row(f"{who}, while two others write", found.total(), dict(outcome), failures)
