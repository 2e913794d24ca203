"""The loop that every solver runs: iterations of a rule until enough is enough.

It stops at a number of iterations, after a time, or when a true best response proves that the strategy is
within the target. Progress is an object that is called; silent by default. What an iteration is and how a strategy
is evaluated is up to the solver.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.engine.measuring import next_measurement
from errai.engine.settings import Settings

GLANCE = 0.2  # seconds between looks at the clock and at the wish to stop


@dataclass(frozen=True)
class Point:
    """One measurement on the way."""

    iteration: int
    seconds: float
    exploitability_mbb: float
    value: float  # of seat 0, chips


@dataclass(frozen=True)
class Report:
    """What a progress object is told."""

    iteration: int
    seconds: float
    iterations: int | None  # planned
    target: float | None
    latest: Point | None
    history: tuple[Point, ...]
    compiling: bool = False  # kernels, which takes half a minute the first time; not counted in the seconds


Progress = Callable[[Report], None]
Wish = Callable[[], bool]


def silent(report: object) -> None:
    """Says nothing."""


def never() -> bool:
    """No wish to stop."""
    return False


class Work(Protocol):
    """What a solver does while it runs."""

    def iterate(self, rates: NDArray[np.float64], first: int) -> None:
        """CFR iterations with rates [iterations, 2, RATES]; `first` is the number of the first, from 1."""

    def evaluate(self) -> Evaluation:
        """A true best response to the strategy so far."""


@dataclass
class Loop(ABC):
    """A solver on its way to an equilibrium. Can be stopped, saved, and gone on with."""

    settings: Settings
    iteration: int = field(default=0, kw_only=True)
    seconds: float = field(default=0.0, kw_only=True)
    history: list[Point] = field(default_factory=list, kw_only=True)
    evaluation: Evaluation | None = field(default=None, kw_only=True)

    @contextmanager
    @abstractmethod
    def working(self) -> Iterator[Work]:
        """Threads and workspaces for the time of a run; kernels are compiled here."""

    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """The arrays that the iterations change, by name: what a checkpoint holds."""

    @property
    def converged(self) -> bool:
        """Whether the target is reached, as a best response has shown."""
        target = self.settings.stop_at
        return (
            target is not None
            and self.evaluation is not None
            and self.evaluation.exploitability_mbb <= target
        )

    def run(self, progress: Progress = silent, wish_to_stop: Wish = never) -> bool:
        """Iterate until a limit is reached; returns False when stopped by wish before that."""
        settings = self.settings
        limit = settings.planned
        self._report(progress, compiling=True)
        with self.working() as work:
            began, before = time.perf_counter(), self.seconds
            pace = 1
            next_look = self._next_look()
            finished = True
            self._report(progress)
            while self.iteration < limit and not self._out_of_time() and not self.converged:
                if wish_to_stop():
                    finished = False
                    break
                count = min(pace, limit - self.iteration, max(next_look - self.iteration, 1))
                step = time.perf_counter()
                work.iterate(settings.rule.rates(self.iteration + 1, count, limit), self.iteration + 1)
                self.iteration += count
                spent = time.perf_counter() - step
                self.seconds = before + time.perf_counter() - began
                pace = max(1, min(int(count * GLANCE / max(spent, 1e-9)), 4 * pace, 100_000))
                if self.iteration >= next_look:
                    self._measure(work)
                    next_look = self._next_look()
                self._report(progress)
            if not self.history or self.history[-1].iteration != self.iteration:
                self._measure(work)
            self.seconds = before + time.perf_counter() - began
            self._report(progress)
        return finished

    def _next_look(self) -> int:
        measured = [(point.iteration, point.exploitability_mbb) for point in self.history]
        return next_measurement(measured, self.settings.stop_at)

    def _out_of_time(self) -> bool:
        return self.settings.seconds is not None and self.seconds >= self.settings.seconds

    def _measure(self, work: Work) -> None:
        self.evaluation = work.evaluate()
        mbb, value = self.evaluation.exploitability_mbb, self.evaluation.value[0]
        self.history.append(Point(self.iteration, self.seconds, mbb, value))

    def _report(self, progress: Progress, compiling: bool = False) -> None:
        latest = self.history[-1] if self.history else None
        settings, history = self.settings, tuple(self.history)
        progress(
            Report(
                self.iteration,
                self.seconds,
                settings.iterations,
                settings.stop_at,
                latest,
                history,
                compiling,
            )
        )
