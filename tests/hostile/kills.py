"""kill -9 at any moment: of a save, between any two of its steps; of long runs, at random moments, again and again.

What was killed is resumed until it ends, and then has the same bits as what was left alone; what was done before a
kill counts. Runs are children of this process, so that nothing is loaded or compiled twice.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import errai
from errai.abstraction.making import FOLDER as MAKING
from errai.engine.checkpoint import has_checkpoint
from errai.files.writing import surviving
from errai.runs import schedule
from errai.runs.run import Run
from tests.blueprint.games import TEXT
from tests.hostile.row import Row
from tests.hostile.solutions import Save, content_of, pairs

KILLS = 20
PRESET = "lossless/lossless/ehs2:40:kmeans/ehs2:40"
HOLDEM_PRESET = "lossless/ehs:6:perfect/emd:200/ochs:200"
STEPS = ("replace", "rename", "unlink", "rmdir", "mkdir", "fsync")  # of a save, of module os


def run(scale: float, seed: int) -> list[Row]:
    """All of it; hold'em at full scale only."""
    rows = [killed_save(kind, *both, every=max(1, round(0.5 / scale))) for kind, both in pairs().items()]
    generator = random.Random(seed)
    kills = max(2, round(KILLS * scale))
    with tempfile.TemporaryDirectory(prefix="errai-kills-") as name:
        place = Place(Path(name))
        runs = small_runs(place)
        if scale >= 1.0:
            runs += large_runs(place)
        rows += [killed_run(which, place, kills, generator) for which in runs]
    return rows


# A save


def killed_save(kind: str, first: Save, second: Save, every: int = 1) -> Row:
    """Replace a solution by another; look at the folder before `every` so many steps, as if it had ended there."""
    outcome: Counter[str] = Counter()
    failures = []
    with tempfile.TemporaryDirectory(prefix="errai-kills-") as name:
        folder, states = Path(name, "out"), Path(name, "states")
        first(folder)
        before = content_of(folder)
        states.mkdir()
        with photographed(folder, states):
            second(folder)
        after = content_of(folder)
        photographs = sorted(states.iterdir())[::-every]
        for state in photographs:
            for settled in (False, True):
                if settled:
                    with Run(state, resume=True):  # whoever comes next to write
                        pass
                try:
                    found = content_of(state)
                except errai.ErraiError as error:
                    failures.append(f"{kind}: step {state.name}: {error}")
                    continue
                if found not in (before, after):
                    failures.append(f"{kind}: step {state.name}: neither the old nor the new")
                outcome["the old" if found == before else "the new"] += 1
            hidden = [path.name for path in state.iterdir() if path.name.startswith(".")]
            if hidden:
                failures.append(f"{kind}: step {state.name}: {', '.join(hidden)} left behind")
    what = f"{kind}: a solution that replaces another, killed between any two steps"
    return Row(what, len(photographs), dict(outcome), failures)


@contextmanager
def photographed(folder: Path, states: Path) -> Iterator[None]:
    """A copy of the folder before every step that the operating system is asked for, and one at the end."""

    def photograph() -> None:
        shutil.copytree(folder, states / f"{len(list(states.iterdir())):03d}")

    def before(step: Callable[..., Any]) -> Callable[..., Any]:
        def taken(*arguments: Any, **options: Any) -> Any:
            with mock.patch.multiple(os, **plain):
                photograph()
            return step(*arguments, **options)

        return taken

    plain = {name: getattr(os, name) for name in STEPS}
    with mock.patch.multiple(os, **{name: before(step) for name, step in plain.items()}):
        yield
    photograph()


# A run


@dataclass(frozen=True)
class Place:
    """Where what the runs need was made."""

    folder: Path

    @property
    def game(self) -> Path:
        path = self.folder / "ten.game"
        if not path.exists():
            path.write_text(TEXT)
        return path

    @property
    def buckets(self) -> Path:
        path = self.folder / "buckets"
        if not path.exists():
            errai.abstract("lossless/lossless/ehs2:40/ehs2:40", path, game=self.game, threads=1)
        return path

    @property
    def blueprint(self) -> Path:
        path = self.folder / "blueprint"
        if not path.exists():
            errai.train(self.game, self.buckets, path, samples=120, threads=1)
        return path


@dataclass(frozen=True)
class LongRun:
    """A run that can be begun and resumed: with a call that does the one or the other, as users do."""

    name: str
    call: Callable[[Path], object]
    result: Callable[[Path], object]  # of a finished one, to be compared
    done: Callable[[Path], float]  # how much of it is saved; never less than before


def small_runs(place: Place) -> list[LongRun]:
    """Seconds each, with a checkpoint at every opportunity."""
    every = {"checkpoint_every": 0.0}

    def solve(out: Path) -> object:
        if has_checkpoint(out):
            return errai.resume(out, **every)
        return errai.solve("leduc", iterations=4000, threads=1, out=out, **every)

    def train(out: Path) -> object:
        if has_checkpoint(out):
            return errai.resume_training(out, **every)
        return errai.train(place.game, place.buckets, out, samples=600, threads=1, **every)

    def abstract(out: Path) -> object:
        return errai.abstract(PRESET, out, game=place.game, threads=1, **every)

    def exploit(out: Path) -> object:
        found = errai.exploit(place.blueprint, threads=1, work=out, **every)
        (out / "figure").write_text(repr(found.evaluation))
        return found

    return [
        LongRun(
            "solve", solve, lambda out: arrays(out, "strategy.npy"), lambda out: reached(out, "iteration")
        ),
        LongRun("train", train, lambda out: contents(out, "*.blocks"), lambda out: reached(out, "samples")),
        LongRun("abstract", abstract, lambda out: contents(out, "*.npy"), made),
        LongRun("exploit", exploit, lambda out: contents(out, "figure"), walked),
    ]


def large_runs(place: Place) -> list[LongRun]:
    """Hold'em: minutes each, with a checkpoint every few seconds."""
    every = {"checkpoint_every": 3.0}

    def abstract(out: Path) -> object:
        return errai.abstract(HOLDEM_PRESET, out, threads=2, **every)

    def exploit(out: Path) -> object:
        found = errai.exploit("uniform", flops=2, threads=2, work=out, **every)
        (out / "figure").write_text(repr((found.evaluation, found.interval_mbb, found.lower_mbb)))
        return found

    return [
        LongRun("abstract, hold'em", abstract, lambda out: contents(out, "*.npy"), made),
        LongRun("exploit, two flops of hold'em", exploit, lambda out: contents(out, "figure"), walked),
    ]


def killed_run(which: LongRun, place: Place, kills: int, generator: random.Random) -> Row:
    """Kill a run so often, resume it each time, and compare what comes out in the end."""
    whole = place.folder / "whole"
    with mock.patch.object(schedule, "SHARE", 0.0):
        began = time.monotonic()
        ended = _child(which.call, whole, None)  # which is undisturbed
        lasted = time.monotonic() - began
    outcome: Counter[str] = Counter()
    failures = [] if ended == 0 else [f"{which.name}: the undisturbed run ended with {ended}"]
    left, attempt = kills, 0
    while left and not failures:
        attempt += 1
        out, before = place.folder / f"killed-{attempt}", 0.0
        while True:
            delay = generator.uniform(0, 0.25 * lasted) if left else None
            with mock.patch.object(schedule, "SHARE", 0.0):
                code = _child(which.call, out, delay)
            if code == 0:
                break
            if code != -signal.SIGKILL:
                failures.append(f"{which.name}: resumed after {kills - left} kills, it ended with {code}")
                break
            left -= 1
            now = which.done(out)
            outcome["killed" if now > before else "killed before anything new was saved"] += 1
            if now < before:
                failures.append(
                    f"{which.name}: {before:g} was done before a kill and {now:g} is there after it"
                )
            before = now
        if not failures and which.result(out) != which.result(whole):
            failures.append(f"{which.name}: the result is not that of an undisturbed run")
        outcome["finished with the same bits"] += not failures
        shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(whole, ignore_errors=True)
    return Row(f"{which.name}: killed at random moments and resumed", kills - left, dict(outcome), failures)


def _child(call: Callable[[Path], object], out: Path, delay: float | None) -> int:
    """Run in a child of this process, which is killed after a delay; its exit code."""
    child = multiprocessing.get_context("fork").Process(target=_called, args=(call, out))
    child.start()
    child.join(delay)
    if child.is_alive():
        child.kill()
    child.join()
    assert child.exitcode is not None
    return child.exitcode


def _called(call: Callable[[Path], object], out: Path) -> None:
    try:
        call(out)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def arrays(out: Path, pattern: str) -> dict[str, list[Any]]:
    """The numbers of .npy files."""
    return {path.name: np.load(path).tolist() for path in sorted(out.glob(pattern))}


def contents(out: Path, pattern: str) -> dict[str, bytes]:
    """The bytes of files."""
    found = {path.name: path.read_bytes() for path in sorted(out.glob(pattern))}
    assert found
    return found


def reached(out: Path, what: str) -> float:
    """How far a checkpoint has come."""
    path = surviving(out / "checkpoint") / "checkpoint.json"
    return float(json.loads(path.read_text())[what]) if path.exists() else 0.0


def made(out: Path) -> float:
    """Parts of an abstraction that are done, and what there is of the next: a number that grows."""
    path = out / "abstraction.json"
    if not path.exists():
        return 0.0
    parts = json.loads(path.read_text())["parts"]
    rows = 0
    for making in (out / MAKING).glob("[!.]*.json"):  # what was half written has another name
        content = json.loads(making.read_text())
        rows += content["stretches"][-1][0] / content["shape"][0]
    states = len(list((out / MAKING).glob("*.*/state.json")))
    return len(parts) + (rows + states) / 100


def walked(out: Path) -> float:
    """Lines of boards that are known."""
    path = out / "response.json"
    if not path.exists():
        return 0.0
    return float(sum(lines for _, _, lines in json.loads(path.read_text())["boards"].values()))
