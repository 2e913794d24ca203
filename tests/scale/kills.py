"""kill -9 of a solver on a disk, again and again, at random moments.

    python -m tests.scale.kills --times 50

What was killed is resumed from its folder until it ends, and then has the bits of a solver that was left alone.
Solvers are children of this process, so that nothing is loaded or compiled twice.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from errai.engine.checkpoint import has_checkpoint
from errai.files.writing import surviving
from errai.scale.checkpoint import CHUNKS, Where, load
from tests.hostile.row import Row
from tests.scale.games import FINE, bits, cut, divided, solved, spot_of


@dataclass(frozen=True)
class Case:
    """A game, and how it is divided and solved."""

    name: str = "three rounds"
    numbers: int | None = FINE
    iterations: int = 12
    threads: int = 2
    method: str = "sdcfr+"


RHODE_ISLAND = Case("rhode-island", None, 10)


def work(case: Case, folder: Path) -> None:
    """Begin, or resume what is there, and go on to the end."""
    if has_checkpoint(folder):
        with cut(case.numbers):
            solver = load(folder, Where(scratch=folder))
    else:
        shutil.rmtree(folder / CHUNKS, ignore_errors=True)  # of a run that was killed in its first pass
        solver = divided(
            spot_of(case.name), folder, case.numbers,
            iterations=case.iterations, threads=case.threads, method=case.method,
        )  # fmt: skip
    finished = solver.run()
    solver.close()
    assert finished


def found(case: Case, folder: Path) -> dict[str, bytes]:
    """The bits of a finished solver, and what it measured."""
    with cut(case.numbers):
        solver = load(folder, Where(scratch=folder))
    assert solver.iteration == case.iterations
    measured = [(point.iteration, point.exploitability_mbb) for point in solver.history]
    held = bits(solver, folder) | {"history": repr(measured).encode()}
    solver.close()
    return held


def passes(folder: Path) -> int:
    """How many passes are committed."""
    path = surviving(folder / "checkpoint") / "checkpoint.json"
    return int(json.loads(path.read_text())["division"]["passes"]) if path.exists() else 0


def child(case: Case, folder: Path, delay: float | None) -> int:
    """Work in a child of this process, which is killed after a delay; its exit code."""
    process = multiprocessing.get_context("fork").Process(target=_worked, args=(case, folder))
    process.start()
    process.join(delay)
    if process.is_alive():
        process.kill()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def _worked(case: Case, folder: Path) -> None:
    try:
        work(case, folder)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def killed(case: Case, times: int, seed: int) -> Row:
    """Kill a solver so often, at moments that are spread over its whole life, and compare what comes out."""
    generator = random.Random(seed)
    outcome: Counter[str] = Counter()
    failures: list[str] = []
    what = f"{case.name} on a disk: killed at random moments and resumed"
    with tempfile.TemporaryDirectory(prefix="errai-scale-") as name:
        whole = Path(name, "whole")
        solved(spot_of(case.name), None, case.numbers, iterations=1, threads=case.threads, method=case.method)
        work(case, Path(name, "warm"))  # kernels are there when a child begins
        began = time.monotonic()
        if (code := child(case, whole, None)) != 0:
            return Row(what, 0, {}, [f"the undisturbed run ended with {code}"])
        lasted = time.monotonic() - began
        known = found(case, whole)
        left, attempt = times, 0
        while left and not failures:
            attempt += 1
            folder, before = Path(name, f"killed-{attempt}"), 0
            while True:
                delay = generator.uniform(0, 0.5 * lasted) if left else None
                code = child(case, folder, delay)
                if code == 0:
                    break
                if code != -signal.SIGKILL:
                    failures.append(f"{what}: after {times - left} kills it ended with {code}")
                    break
                left -= 1
                now = passes(folder)
                outcome["killed" if now > before else "killed before a pass was committed"] += 1
                if now < before:
                    failures.append(f"{what}: {before} passes before a kill and {now} after it")
                before = now
            if not failures and found(case, folder) != known:
                failures.append(f"{what}: other bits than undisturbed")
            outcome["finished with the same bits"] += not failures
            shutil.rmtree(folder, ignore_errors=True)
    return Row(what, times - left, dict(outcome), failures)


def told(row: Row) -> int:
    """Print how it ended; the exit code."""
    print(f"{row.what}: {row.times} kills")
    for outcome, count in row.outcome.items():
        print(f"  {count:6} {outcome}")
    for failure in row.failures:
        print(f"  FAILED {failure}")
    return 1 if row.failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=["three rounds", "rhode-island"], default="three rounds")
    given = parser.parse_args()
    row = killed(RHODE_ISLAND if given.game == "rhode-island" else Case(), given.times, given.seed)
    return told(row)


if __name__ == "__main__":
    sys.exit(main())
