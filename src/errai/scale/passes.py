"""Passes over a divided game: down the trunk, through every subgame, up the trunk.

Every subgame returns values of its own and the trunk adds them in the order of the boards, so the result does not
depend on how many threads or workers there are, nor on where the numbers are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from errai.engine.kernels.arrays import Weights
from errai.engine.kernels.passes import TRUNK_DOWN, TRUNK_UP, Passes, Trunk, run
from errai.engine.walker import most_hands, new_trunk, new_workspace, root_reach
from errai.scale.crew import Crew
from errai.scale.division import Division, Subgame
from errai.scale.kernels.border import enter, leave
from errai.scale.worker import WANTED, Numbers, Order, evaluating

Done = Callable[[Subgame], None]


class TrunkWalker:
    """The trunk of a division, in one floating type: gives reach to subgames and takes their values."""

    def __init__(self, division: Division, dtype: Any = np.float32) -> None:
        self._division = division
        self._above = division.trunk
        self._dtype = np.dtype(dtype)
        self._root_reach = root_reach(self._above, self._dtype)
        deck = division.spot.deck.size
        self._workspace = new_workspace(self._above.betting, deck, most_hands(self._above), self._dtype)

    def new_trunk(self) -> Trunk:
        """Reach and values of the trunk, and room for what the subgames return."""
        return new_trunk(self._above, self._division.level, self._dtype)

    def run(self, passes: Passes, phase: int, weights: Weights, trunk: Trunk) -> None:
        """A phase of a pass over the trunk alone."""
        now = passes._replace(first_phase=phase, last_phase=phase)
        counter = np.zeros(1, np.int64)
        run(
            self._above.betting, self._above.boards, self._root_reach, now, weights, counter, self._workspace, trunk
        )  # fmt: skip

    def enter(self, subgame: Subgame, player: int, trunk: Trunk) -> Numbers:
        """The reach of the player's opponent at the roots of a subgame."""
        first, last = self._above.boards.first_hand[[subgame.first, subgame.last]]
        reach = np.zeros(int(last - first) * subgame.K, self._dtype)
        enter(self._above.betting, self._above.boards, subgame.place, player, trunk, reach)
        return reach

    def leave(self, subgame: Subgame, values: Numbers, trunk: Trunk) -> None:
        """The values of a subgame go to their places."""
        leave(self._above.betting, self._above.boards, subgame.place, values, trunk)

    def at_root(self, trunk: Trunk) -> Numbers:
        """[H] by hand class."""
        return trunk.value[: int(self._above.boards.first_hand[1])].copy()


def update(walker: TrunkWalker, crew: Crew, order: Order, weights: Weights, trunk: Trunk, done: Done) -> None:
    """A pass that updates a player, in the trunk and in all subgames. `done` is told of every subgame.

    If it does not come to its end, the trunk is what it was: on the way down its average has changed already.
    """
    before = None if weights.average is None else weights.average.copy()
    try:
        walker.run(order.passes, TRUNK_DOWN, weights, trunk)
        for subgame, values in crew.update(order, lambda subgame: walker.enter(subgame, order.player, trunk)):
            walker.leave(subgame, values, trunk)
            done(subgame)
    except BaseException:
        if weights.average is not None:
            weights.average[:] = before
        raise
    walker.run(order.passes, TRUNK_UP, weights, trunk)


def evaluate(walker: TrunkWalker, crew: Crew, weights: Weights, average: bool, done: Done) -> list[Numbers]:
    """Values [H] of the root's hand classes: of seat 0, and of both best responses. Every subgame is read once."""
    trunks = [walker.new_trunk() for _ in WANTED]
    for (player, mode), trunk in zip(WANTED, trunks, strict=True):
        walker.run(evaluating(TRUNK_DOWN, player, mode), TRUNK_DOWN, weights, trunk)

    def reach(subgame: Subgame) -> list[Numbers]:
        return [
            walker.enter(subgame, player, trunk) for (player, _), trunk in zip(WANTED, trunks, strict=True)
        ]

    for subgame, values in crew.evaluate(average, reach):
        for found, trunk in zip(values, trunks, strict=True):
            walker.leave(subgame, found, trunk)
        done(subgame)
    for (player, mode), trunk in zip(WANTED, trunks, strict=True):
        walker.run(evaluating(TRUNK_UP, player, mode), TRUNK_UP, weights, trunk)
    return [walker.at_root(trunk) for trunk in trunks]
