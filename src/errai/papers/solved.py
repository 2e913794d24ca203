"""Models that are solved once: the strategies are kept in a file, what they took among the known figures."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from errai.engine.settings import Settings
from errai.errors import ErraiError, StoppedError
from errai.files.reading import load_array
from errai.files.writing import make_folder, replacing_file, write_array
from errai.models.model import Model
from errai.models.solver import ModelSolver
from errai.papers.redo import Known
from errai.runs.monitor import Monitor
from errai.runs.run import Run

METHOD = "sdcfr"


class Effort(NamedTuple):
    """What solving one model took."""

    iterations: int
    seconds: float
    mbb: float  # exploitability in the model
    value: float  # chips that seat 0 wins


@dataclass(frozen=True, eq=False)
class Solved:
    """Some models, solved side by side."""

    solvers: list[ModelSolver]
    efforts: list[Effort]
    seconds: float  # of all together


def solved_models(
    models: Sequence[Model],
    name: str,
    folder: Path,
    known: Known,
    target: float,
    threads: int,
    monitor: Monitor,
) -> Solved:
    """The models within `target` mbb/g, from the folder if they are there, else solved now and kept there."""
    settings = Settings(METHOD, target=target)
    solvers = [ModelSolver(settings, model) for model in models]
    mark = 0
    for solver in solvers:
        for array in (solver.tables.weight, solver.tables.share, solver.tables.stake):
            mark = zlib.crc32(array.tobytes(), mark)
    key = {"models": name, "target": target, "mark": mark}
    path = folder / f"{name}.npy"

    def solve() -> dict[str, Any]:
        began = perf_counter()
        _solve(solvers, name, threads, monitor)
        seconds = perf_counter() - began
        with replacing_file(make_folder(folder) / path.name) as new:
            checksum = write_array(new, np.concatenate([solver.average for solver in solvers]))
        return {"seconds": seconds, "efforts": [_effort(solver) for solver in solvers], "crc32": checksum}

    found = known.find(key, solve)
    if not any(solver.iteration for solver in solvers):
        size = (sum(solver.average.size for solver in solvers),)
        try:
            kept = load_array(path, np.dtype(np.float64), size, found["crc32"])
        except ErraiError:
            known.forget(key)
            found = known.find(key, solve)
        else:
            ends = np.cumsum([solver.average.size for solver in solvers])[:-1]
            for solver, average in zip(solvers, np.split(kept, ends), strict=True):
                solver.average[:] = average
    return Solved(solvers, [Effort(*effort) for effort in found["efforts"]], float(found["seconds"]))


def _solve(solvers: Sequence[ModelSolver], name: str, threads: int, monitor: Monitor) -> None:
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(solver.run, Run(None, _Stops(monitor))) for solver in solvers]
        for done, job in enumerate(as_completed(jobs), 1):
            if not job.result():
                raise StoppedError(f"stopped while models were solved ({name}); the same command resumes")
            monitor.step(f"{name}: {done} of {len(solvers)} models solved")


def _effort(solver: ModelSolver) -> Effort:
    assert solver.evaluation is not None
    found = solver.evaluation
    return Effort(solver.iteration, solver.seconds, found.exploitability_mbb, found.value[0])


class _Stops(Monitor):
    """Says nothing of one model among others, and stops with the whole."""

    def __init__(self, whole: Monitor) -> None:
        self._whole = whole

    def should_stop(self) -> bool:
        return self._whole.should_stop()
