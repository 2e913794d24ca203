"""The solver: a loop of CFR iterations on the layout of one spot."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation, Evaluator
from errai.engine.layout import Layout, counted_sizes, layout, shape
from errai.engine.loop import Loop
from errai.engine.memory import Choice, Memory, refuse_if_too_large
from errai.engine.settings import Settings
from errai.engine.store import Numbers, Store, new_store
from errai.engine.walker import Walker, workspace_bytes
from errai.games.spot import Spot
from errai.runs.monitor import SILENT, Monitor


@dataclass
class Solver(Loop):
    """A store on its way to an equilibrium."""

    spot: Spot
    layout: Layout
    memory: Memory
    store: Store

    @property
    def threads(self) -> int:
        return self.settings.threads or os.cpu_count() or 1

    def weights(self) -> Numbers:
        """Numbers in the layout that the chosen strategy is proportional to (where positive)."""
        if self.settings.strategy == "average":
            assert self.store.average is not None
            return self.store.average
        if self.store.prediction is not None:
            return self._foreseen(self.store.prediction)
        sharpness = self.settings.rule.sharpness
        return self.store.regret if sharpness == 1 else self._sharpened(sharpness)

    def _foreseen(self, prediction: Numbers) -> Numbers:
        """Regret plus prediction. Seat 1's last update belongs to the iteration before (see rules)."""
        discount = [
            self.settings.rule.positive(self.iteration + 1 - seat, self.settings.planned) for seat in (0, 1)
        ]
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
                predicted = regret[part].reshape(shaped) * by_row[:, None] + prediction[part].reshape(shaped)
                weights[part] = predicted.reshape(-1)
        return weights

    def _sharpened(self, sharpness: float) -> Numbers:
        """What a sharpened rule plays in proportion to (see rules): w (sum w + (q - 1) w), w = max(R, 0)."""
        betting, boards, regret = self.layout.betting, self.layout.boards, self.store.regret
        kind = np.float64 if regret.dtype == np.float64 else np.float32
        weights: NDArray[np.floating] = np.maximum(regret, 0).astype(kind)
        for level, template in enumerate(self.layout.shape.templates):
            if not template.rows:
                continue
            for board in np.flatnonzero(boards.level == level):
                part = slice(int(boards.offset[board]), int(boards.offset[board + 1]))
                width = int(self.layout.shape.classes[board] * betting.chunk[level])
                rows: Numbers = weights[part].reshape(-1, template.rows, width)
                for node in template.nodes:
                    own = rows[:, node.row : node.row + len(node.actions)]
                    own *= own.sum(axis=1, keepdims=True) + (sharpness - 1) * own
        return weights

    def state(self) -> dict[str, NDArray[Any]]:
        return self.store.arrays()

    @contextmanager
    def working(self) -> Iterator[_Work]:
        dtype = np.float64 if self.settings.precision == "float64" else np.float32
        work = _Work(self, Walker(self.layout, self.threads, dtype), Evaluator(self.layout, self.threads))
        try:
            work.warm_up()
            yield work
        finally:
            work.walker.close()
            work.evaluator.close()


@dataclass(frozen=True)
class _Work:
    """Walkers on the solver's store."""

    solver: Solver
    walker: Walker
    evaluator: Evaluator

    def warm_up(self) -> None:
        weights = self.solver.store.for_kernels()
        self.walker.warm_up(weights)
        self.evaluator.warm_up(weights.regret if weights.average is None else weights.average)

    def iterate(self, rates: NDArray[np.float64], first: int) -> None:
        self.walker.iterations(self.solver.store.for_kernels(), rates, first)

    def evaluate(self) -> Evaluation:
        return self.evaluator.evaluate(self.solver.weights())


def prepare(spot: Spot, settings: Settings, monitor: Monitor = SILENT) -> Solver:
    """Everything a solver needs, after making sure that it fits. The monitor is told the estimate first."""
    choice = Choice(settings.precision, settings.strategy == "average", settings.rule.prediction)
    name = spot.game.name
    if not spot.cards:
        # Without a board there may be too many boards even to count them one by one.
        refuse_if_too_large(name, *counted_sizes(spot), 0, choice)
    known = shape(spot, settings.isomorphism)
    sizes = (known.numbers, known.hand_classes, len(known.classes))
    refuse_if_too_large(name, *sizes, 0, choice)
    built = layout(spot, known)
    workspaces = workspace_bytes(built, settings.threads or os.cpu_count() or 1)
    memory = refuse_if_too_large(name, *sizes, workspaces, choice)
    monitor.say(f"memory: {memory}")
    store = new_store(
        choice.precision,
        int(built.boards.offset[-1]),
        int(built.boards.block[-1]),
        choice.average,
        choice.prediction,
    )
    return Solver(settings, spot, built, memory, store)
