"""The loop that every solver runs: iterations of a rule until a limit is reached.

It stops at a number of iterations, after a time, or when a true best response proves that the strategy is within the
target. What an iteration is and how a strategy is evaluated is up to the solver.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.engine.measuring import next_measurement
from errai.engine.progress import Measurement, SolverProgress
from errai.engine.settings import Settings
from errai.errors import StoppedError
from errai.runs.monitor import PREPARING
from errai.runs.run import Run

STEP = 0.2  # seconds between two reports
LONG = 10.0  # seconds; before a best response that takes longer a checkpoint is saved


class Work(Protocol):
    """What a solver does while it runs."""

    def iterate(self, rates: NDArray[np.float64], first: int) -> None:
        """CFR iterations with rates [iterations, 2, RATES]; `first` is the number of the first, from 1."""

    def evaluate(self) -> Evaluation:
        """A true best response to the strategy so far."""


@dataclass
class Loop(ABC):
    """A solver on its way to an equilibrium. Can be stopped, saved and resumed."""

    settings: Settings
    at_once = 100_000  # iterations in one call, at most

    iteration: int = field(default=0, kw_only=True)
    seconds: float = field(default=0.0, kw_only=True)
    history: list[Measurement] = field(default_factory=list, kw_only=True)
    evaluation: Evaluation | None = field(default=None, kw_only=True)

    @contextmanager
    @abstractmethod
    def working(self) -> Iterator[Work]:
        """Threads and workspaces for the time of a run; kernels are compiled here."""

    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """The arrays that the iterations change, by name: what a checkpoint holds."""

    @property
    def unit(self) -> str:
        """What exploitability is counted in."""
        return "mbb/g"

    @property
    def converged(self) -> bool:
        """Whether the target is reached, as a best response has shown."""
        target = self.settings.stop_at
        return (
            target is not None
            and self.evaluation is not None
            and self.evaluation.exploitability_mbb <= target
        )

    @property
    def done(self) -> bool:
        """Whether a limit is reached."""
        limit = self.settings.seconds
        out_of_time = limit is not None and self.seconds >= limit
        return self.iteration >= self.settings.planned or out_of_time or self.converged

    def run(self, run: Run | None = None) -> bool:
        """Iterate until a limit is reached; False when the monitor of the run stopped it before.

        Checkpoints are saved between two iterations, when the store is whole. Nothing of the solution or of the
        iterations at which it is measured depends on them.
        """
        run = run or Run()
        settings = self.settings
        limit = settings.planned
        self._report(run, PREPARING)
        with self.working() as work:
            began, before = time.perf_counter(), self.seconds
            pace = 1
            measuring = 0.0  # seconds that a best response takes
            measure_at = self._measure_at()
            finished = True
            self._report(run)
            while not self.done:
                if self.iteration >= measure_at:
                    try:
                        measuring = self._measure(work)
                    except StoppedError:
                        finished = False
                        break
                    measure_at = self._measure_at()
                    self._report(run)
                    continue
                if run.should_stop():
                    finished = False
                    break
                count = min(pace, limit - self.iteration, measure_at - self.iteration)
                step = time.perf_counter()
                try:
                    work.iterate(settings.rule.rates(self.iteration + 1, count, limit), self.iteration + 1)
                except StoppedError:
                    finished = False
                    break
                self.iteration += count
                spent = time.perf_counter() - step
                self.seconds = before + time.perf_counter() - began
                pace = max(1, min(int(count * STEP / max(spent, 1e-9)), 4 * pace, self.at_once))
                measuring = max(measuring, 2 * spent / count)
                self._report(run)
                run.checkpoint()
            if self._measures_at_end(finished):
                if measuring > LONG:
                    run.checkpoint(now=True)
                try:
                    self._measure(work)
                except StoppedError:
                    finished = False
            self.seconds = before + time.perf_counter() - began
            self._report(run)
        return finished

    def _measures_at_end(self, finished: bool) -> bool:
        """Whether a best response is wanted when a run ends: to know what is saved, unless it is known."""
        return not self.history or self.history[-1].iteration != self.iteration

    def _measure_at(self) -> int:
        """The next iteration to measure at. Where a run was stopped, and so measured, does not change the others."""
        measured = [(point.iteration, point.exploitability_mbb) for point in self.history]
        return next_measurement(measured, self.settings.stop_at)

    def _measure(self, work: Work) -> float:
        """Returns the seconds that it took."""
        began = time.perf_counter()
        self.evaluation = work.evaluate()
        mbb, value = self.evaluation.exploitability_mbb, self.evaluation.value[0]
        self.history.append(Measurement(self.iteration, self.seconds, mbb, value))
        return time.perf_counter() - began

    def _report(self, run: Run, doing: str = "") -> None:
        settings = self.settings
        run.report(
            SolverProgress(
                doing,
                iteration=self.iteration,
                seconds=self.seconds,
                iterations=settings.iterations,
                target=settings.stop_at,
                most_seconds=settings.seconds,
                history=tuple(self.history),
                unit=self.unit,
            )
        )
