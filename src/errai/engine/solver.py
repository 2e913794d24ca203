"""The solver: iterations of one rule on one layout until enough is enough.

It stops at a number of iterations, after a time, or when a true best response proves that the strategy is
within the target. Progress is an object that is called; silent by default.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real

import numpy as np

from errai.engine.evaluation import Evaluation, Evaluator
from errai.engine.layout import Layout, counted_sizes, layout, shape
from errai.engine.memory import Choice, Memory, estimate, refuse_if_too_large
from errai.engine.rules import Rule, cfr_plus, rule_named
from errai.engine.store import Numbers, Store, check_precision, new_store
from errai.engine.walker import Walker, workspace_bytes
from errai.errors import ErraiError
from errai.games.spot import Spot

DEFAULT_METHODS = {"average": "dcfr", "current": "cfr+"}  # see docs/algorithms.md
DEFAULT_TARGET = 1.0  # mbb/g
MOST_ITERATIONS = 1_000_000
DENSE, SPARSE = 1.1, 1.5  # between two best responses, with and without a target
GLANCE = 0.2  # seconds between looks at the clock and at the wish to stop


@dataclass(frozen=True)
class Settings:
    """What to run and when to stop. Without any limit the target is 1 mbb/g."""

    method: str = ""  # the best one for the kind of strategy
    iterations: int | None = None
    target: float | None = None  # mbb/g
    seconds: float | None = None
    threads: int | None = None  # all cores
    precision: str = "float32"
    strategy: str = "average"  # or "current"
    isomorphism: bool = True
    delay: int = 0  # iterations that the average of CFR+ leaves out

    def __post_init__(self) -> None:
        if self.strategy not in DEFAULT_METHODS:
            raise ErraiError(f"unknown strategy '{self.strategy}': choose {' or '.join(DEFAULT_METHODS)}")
        if not self.method:
            object.__setattr__(self, "method", DEFAULT_METHODS[self.strategy])
        rule = self.rule
        check_precision(self.precision, rule.foresight)
        for name, kind in (
            ("iterations", Integral),
            ("threads", Integral),
            ("target", Real),
            ("seconds", Real),
        ):
            given = getattr(self, name)
            if given is None:
                continue
            wanted = "a whole number" if kind is Integral else "a number"
            if isinstance(given, bool) or not isinstance(given, kind):
                raise ErraiError(f"{name} must be {wanted}, not {given!r}")
            if not 0 < float(given) < math.inf:
                raise ErraiError(f"{name} must be {wanted} above 0, not {given}")
        if self.delay < 0 or (self.delay and rule.name != "cfr+"):
            raise ErraiError("delay is for cfr+ and must be 0 or more")
        if rule.planned and self.iterations is None:
            raise ErraiError(f"{rule.name} plans its schedule for a number of iterations: give one")

    @property
    def rule(self) -> Rule:
        return cfr_plus(self.delay) if self.method.lower() == "cfr+" else rule_named(self.method)

    @property
    def stop_at(self) -> float | None:
        """The target in mbb/g, if any."""
        limited = self.iterations is not None or self.seconds is not None
        return self.target if self.target is not None or limited else DEFAULT_TARGET


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
Announce = Callable[[Memory], None]


def silent(report: Report) -> None:
    """Says nothing."""


def unannounced(memory: Memory) -> None:
    """Says nothing."""


@dataclass
class Solver:
    """A store on its way to an equilibrium. Can be stopped, saved, and gone on with."""

    spot: Spot
    settings: Settings
    layout: Layout
    memory: Memory
    store: Store
    iteration: int = 0
    seconds: float = 0.0
    history: list[Point] = field(default_factory=list)
    evaluation: Evaluation | None = None

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
    def threads(self) -> int:
        return self.settings.threads or os.cpu_count() or 1

    def weights(self) -> Numbers:
        """Numbers in the layout that the chosen strategy is proportional to (where positive)."""
        if self.settings.strategy == "average":
            assert self.store.average is not None
            return self.store.average
        if self.store.prediction is None:
            return self.store.regret
        return self._foreseen(self.store.prediction)

    def _foreseen(self, prediction: Numbers) -> Numbers:
        """Regret plus prediction. Seat 1's last update belongs to the iteration before (see rules)."""
        discount = [self.settings.rule.positive(self.iteration + 1 - seat, self._planned) for seat in (0, 1)]
        betting, boards, regret = self.layout.betting, self.layout.boards, self.store.regret
        weights = np.empty_like(regret)
        for level, template in enumerate(self.layout.shape.templates):
            if not template.rows:
                continue
            by_row = np.array(
                [discount[node.player] for node in template.nodes for _ in node.actions], regret.dtype
            )
            for board in np.flatnonzero(boards.level == level):
                part = slice(int(boards.offset[board]), int(boards.offset[board + 1]))
                shaped = (-1, template.rows, int(self.layout.shape.classes[board] * betting.chunk[level]))
                foreseen = regret[part].reshape(shaped) * by_row[:, None] + prediction[part].reshape(shaped)
                weights[part] = foreseen.reshape(-1)
        return weights

    def run(self, progress: Progress = silent, wish_to_stop: Callable[[], bool] = lambda: False) -> bool:
        """Iterate until a limit is reached; returns False when stopped by wish before that."""
        rule, settings = self.settings.rule, self.settings
        dtype = np.float64 if settings.precision == "float64" else np.float32
        walker, evaluator = Walker(self.layout, self.threads, dtype), Evaluator(self.layout, self.threads)
        kernels = self.store.for_kernels()
        limit = settings.iterations or MOST_ITERATIONS
        self._report(progress, compiling=True)
        walker.warm_up(kernels)
        evaluator.warm_up(kernels[2] if settings.strategy == "average" else kernels[0])
        began, before = time.perf_counter(), self.seconds
        pace = 1
        ratio = DENSE if settings.stop_at is not None else SPARSE
        next_look = _next_look(self.history[-1].iteration if self.history else 0, ratio)
        finished = True
        try:
            self._report(progress)
            while self.iteration < limit and not self._out_of_time() and not self.converged:
                if wish_to_stop():
                    finished = False
                    break
                count = min(pace, limit - self.iteration, max(next_look - self.iteration, 1))
                step = time.perf_counter()
                rates = rule.rates(self.iteration + 1, count, self._planned)
                walker.iterations(kernels, rates, self.iteration + 1)
                self.iteration += count
                spent = time.perf_counter() - step
                self.seconds = before + time.perf_counter() - began
                pace = max(1, min(int(count * GLANCE / max(spent, 1e-9)), 4 * pace, 100_000))
                if self.iteration >= next_look:
                    self._measure(evaluator)
                    next_look = _next_look(self.iteration, ratio)
                self._report(progress)
            if not self.history or self.history[-1].iteration != self.iteration:
                self._measure(evaluator)
            self.seconds = before + time.perf_counter() - began
            self._report(progress)
        finally:
            walker.close()
            evaluator.close()
        return finished

    @property
    def _planned(self) -> int:
        return self.settings.iterations or MOST_ITERATIONS

    def _out_of_time(self) -> bool:
        return self.settings.seconds is not None and self.seconds >= self.settings.seconds

    def _measure(self, evaluator: Evaluator) -> None:
        self.evaluation = evaluator.evaluate(self.weights())
        point = Point(
            self.iteration, self.seconds, self.evaluation.exploitability_mbb, self.evaluation.value[0]
        )
        self.history.append(point)

    def _report(self, progress: Progress, compiling: bool = False) -> None:
        latest = self.history[-1] if self.history else None
        settings = self.settings
        progress(
            Report(
                self.iteration,
                self.seconds,
                settings.iterations,
                settings.stop_at,
                latest,
                tuple(self.history),
                compiling,
            )
        )


def _next_look(iteration: int, ratio: float) -> int:
    """When to look for a best response, which costs about two iterations: after 10, then ever more rarely."""
    return max(iteration + 5, math.ceil(iteration * ratio), 10)


def prepare(spot: Spot, settings: Settings, announce: Announce = unannounced) -> Solver:
    """Everything a solver needs, after making sure that it fits. `announce` is told the estimate first."""
    choice = Choice(settings.precision, settings.strategy == "average", settings.rule.foresight)
    name = spot.game.name
    if not spot.cards:
        # Without a board there may be too many boards even to count them one by one.
        refuse_if_too_large(name, *counted_sizes(spot), 0, choice)
    known = shape(spot, settings.isomorphism)
    sizes = (known.numbers, known.hand_classes, len(known.classes))
    refuse_if_too_large(name, *sizes, 0, choice)
    built = layout(spot, known)
    workspaces = workspace_bytes(built, settings.threads or os.cpu_count() or 1)
    announce(refuse_if_too_large(name, *sizes, workspaces, choice))
    store = new_store(
        choice.precision,
        int(built.boards.offset[-1]),
        int(built.boards.block[-1]),
        choice.average,
        choice.foresight,
    )
    return Solver(spot, settings, built, estimate(*sizes, workspaces, choice), store)
