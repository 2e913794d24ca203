"""Work on one subgame: reach comes in, a lease is taken from the store, values go out.

Threads of this process and workers of a cluster do the same, with the same kernels on the same codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import BEST, RATES, UPDATE, VALUE, Weights, Workspace
from errai.engine.kernels.passes import TASKS, Passes, Trunk, run
from errai.engine.layout import Layout
from errai.engine.walker import new_workspace
from errai.scale.division import Division, Subgame
from errai.scale.stores import SubgameStore, Values

SALT = 1_000_003  # between the seeds of two subgames
WANTED = ((0, VALUE), (0, BEST), (1, BEST))  # passes of an evaluation: player and mode
ONE_PASS = np.ones((1, 2, RATES))
Numbers = NDArray[np.floating]


@dataclass(frozen=True)
class Order:
    """One pass over all subgames that updates a player."""

    player: int
    number: int  # of the pass, from 1
    iteration: int  # from 1
    rates: NDArray[np.float64]  # [2, RATES]

    @property
    def passes(self) -> Passes:
        """For the kernels; phases and salt are to be filled in."""
        return Passes(TASKS, TASKS, np.array([self.player]), UPDATE, self.rates[None], self.iteration)


def evaluating(phase: int, player: int, mode: int) -> Passes:
    """A pass that changes nothing."""
    return Passes(phase, phase, np.array([player]), mode, ONE_PASS, 0)


class SubgameWorker:
    """Runs passes over subgames, from any number of threads."""

    def __init__(self, division: Division, store: SubgameStore) -> None:
        self.division, self.store = division, store
        self._rooms = local()

    def update(self, subgame: Subgame, order: Order, reach: Numbers) -> Values:
        """The values of a pass; `reach` is the opponent's, flat, [H, K] of all roots."""
        layout = self.division.layout(subgame)
        with self.store.lease(subgame, layout, order.player, order.number) as lease:
            if lease.done is not None:
                return lease.done
            passes = order.passes._replace(salt=SALT * (subgame.number + 1))
            values = self._run(layout, order.player, reach, passes, lease.weights, np.dtype(np.float32))
            lease.keep(values)
        return values

    def evaluate(self, subgame: Subgame, reach: list[Numbers], average: bool) -> list[Numbers]:
        """The values of all passes of an evaluation, in double precision."""
        layout = self.division.layout(subgame)
        weights = Weights(self.store.reading(subgame, layout, average))
        return [
            self._run(layout, player, given, evaluating(TASKS, player, mode), weights, np.dtype(np.float64))
            for (player, mode), given in zip(WANTED, reach, strict=True)
        ]

    def _run(
        self,
        layout: Layout,
        player: int,
        given: Numbers,
        passes: Passes,
        weights: Weights,
        dtype: np.dtype[Any],
    ) -> Numbers:
        reach = np.zeros((2, layout.root_numbers), dtype)
        reach[1 - player] = given
        part = _no_trunk(layout, dtype)
        counter, workspace = np.zeros(1, np.int64), self._workspace(layout, dtype)
        run(layout.betting, layout.boards, reach, passes, weights, counter, workspace, part)
        return part.task_value

    def _workspace(self, layout: Layout, dtype: np.dtype[Any]) -> Workspace:
        """Of this thread, for subgames with so many contexts."""
        held: dict[tuple[str, int], Workspace] = self._rooms.__dict__.setdefault("held", {})
        key = (dtype.name, layout.shape.contexts[0])
        if key not in held:
            deck, hole = self.division.spot.deck.size, self.division.spot.game.hole_cards
            most = np.array([_hands(deck - int(cards), hole) for cards in layout.shape.tree.public], np.int64)
            held[key] = new_workspace(layout.betting, deck, most, dtype)
        return held[key]


def _hands(cards: int, hole_cards: int) -> int:
    return cards if hole_cards == 1 else cards * (cards - 1) // 2


def _no_trunk(layout: Layout, dtype: np.dtype[Any]) -> Trunk:
    """The roots of a subgame are its tasks."""
    nothing, none = np.zeros(0, dtype), np.zeros(1, np.int64)
    return Trunk(
        first_task=0,
        tasks=layout.roots,
        reach=nothing,
        value=nothing,
        leaf=nothing,
        first_reach=none,
        first_value=none,
        first_leaf=none,
        task_value=np.zeros(layout.root_numbers, dtype),
        first_task_value=layout.boards.first_hand[: layout.roots + 1] * layout.shape.contexts[0],
    )
