"""The solver of a divided game: the trunk in memory, the subgames wherever its crew has them.

An iteration is two passes, of seat 1 and then of seat 0 (see errai.engine.rules); pass 2t - 1 and pass 2t are
those of iteration t. When subgames are on a disk, the trunk is committed after each pass. A run that is killed in
the middle of a pass resumes it: subgames that had been through it give the values that they gave, the others do
their part, and the trunk comes out as if nothing had happened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation, evaluation_of
from errai.engine.kernels.arrays import Weights
from errai.engine.loop import Loop, Work
from errai.errors import ErraiError, StoppedError
from errai.games.spot import Spot, pair_weight
from errai.runs.run import Run
from errai.scale.codes import Grids
from errai.scale.crew import Crew
from errai.scale.division import Division, Subgame
from errai.scale.passes import TrunkWalker, evaluate, update
from errai.scale.worker import Order

PLAYERS = (1, 0)  # in the order of their passes


@dataclass
class DividedSolver(Loop):
    """A divided game on its way to an equilibrium."""

    spot: Spot
    division: Division
    grids: Grids
    crew: Crew
    regret: NDArray[np.float32]  # of the trunk
    average: NDArray[np.float32] | None
    durable: bool  # every pass is committed: it may be stopped in the middle of one
    passes: int = field(default=0, kw_only=True)  # that are done
    begun: bool = field(default=False, kw_only=True)  # some subgames have been through the next pass, too
    commit: Callable[[], None] = field(default=lambda: None, kw_only=True, repr=False)
    _run: Run = field(default_factory=Run, kw_only=True, repr=False)

    at_once = 1

    @property
    def threads(self) -> int:
        return self.settings.threads or os.cpu_count() or 1

    @property
    def with_average(self) -> bool:
        """Whether the average is what is saved, and not the current strategy."""
        return self.settings.strategy == "average"

    @property
    def played(self) -> NDArray[np.float32]:
        """The weights of the trunk that the chosen strategy is proportional to."""
        if not self.with_average:
            return self.regret
        assert self.average is not None
        return self.average

    def state(self) -> dict[str, NDArray[Any]]:
        arrays = {"trunk_regret": self.regret, "trunk_average": self.average}
        return {name: array for name, array in arrays.items() if array is not None}

    def run(self, run: Run | None = None) -> bool:
        self._run = run or Run()
        return super().run(self._run)

    @contextmanager
    def working(self) -> Iterator[Work]:
        yield _Passes(self, TrunkWalker(self.division), TrunkWalker(self.division, np.float64))

    def close(self) -> None:
        """End threads and workers; the solution stays where it is."""
        self.crew.close()

    def watch(self, doing: str) -> Callable[[Subgame], None]:
        """Reports progress in the middle of a pass, and stops there where nothing is lost by that."""
        count, total = 0, len(self.division.subgames)

        def done(subgame: Subgame) -> None:
            nonlocal count
            count += 1
            moved = self.crew.traffic()
            ratio = f", {moved.compression:.1f}:1" if moved.written else ""
            self._report(self._run, f"{doing}: subgame {count:,} of {total:,}{ratio}")
            if self.durable and count < total and self._run.should_stop():
                raise StoppedError("stopped")

        return done

    @property
    def midway(self) -> bool:
        """Whether the run was stopped in the middle of an iteration, which is to be finished before all else."""
        return self.begun or self.passes != 2 * self.iteration

    @property
    def done(self) -> bool:
        return super().done and not self.midway

    def _measure_at(self) -> int:
        at = super()._measure_at()
        return max(at, self.iteration + 1) if self.midway else at

    def _measures_at_end(self, finished: bool) -> bool:
        return super()._measures_at_end(finished) and (finished or not self.durable) and not self.midway

    def _measure(self, work: Work) -> float:
        spent = super()._measure(work)
        self.commit()
        return spent


@dataclass(frozen=True)
class _Passes:
    """Passes of a solver."""

    solver: DividedSolver
    walker: TrunkWalker
    measurer: TrunkWalker

    def iterate(self, rates: NDArray[np.float64], first: int) -> None:
        solver = self.solver
        trunk = self.walker.new_trunk()
        for offset, now in enumerate(rates):
            iteration = first + offset
            for place, player in enumerate(PLAYERS):
                number = 2 * iteration - 1 + place
                if number <= solver.passes:
                    continue
                order = Order(player, number, iteration, now)
                weights = Weights(solver.regret, None, solver.average)
                update(
                    self.walker, solver.crew, order, weights, trunk, solver.watch(f"pass {place + 1} of 2")
                )
                solver.passes, solver.begun = number, False
                solver.commit()

    def evaluate(self) -> Evaluation:
        solver = self.solver
        value, *best = evaluate(
            self.measurer,
            solver.crew,
            Weights(solver.played),
            solver.with_average,
            solver.watch("best response"),
        )
        return evaluation_of(solver.division.trunk, value, best, pair_weight(solver.spot))


def refuse_rule(solver_rule: Any, strategy: str) -> None:
    """Refuse what 16-bit codes in subgames do not offer."""
    if solver_rule.prediction:
        raise ErraiError(
            "methods with prediction need float32 or float64; int16 works with the others", "method"
        )
    if strategy == "current" and solver_rule.sharpness != 1:
        raise ErraiError(
            f'the current strategy of {solver_rule.name} is not kept; choose method="cfr+" or strategy="average"',
            "method",
        )
