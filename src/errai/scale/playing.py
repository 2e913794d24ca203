"""Plays some subgames from a store, and says what that took of the CPU.

source = Given(division, subgames, reach)       entered by a reach that stays as it is
source = Played(division)                       entered from a trunk that plays along
bench = Bench(division, subgames, source)
bench.iterate(store, 1), bench.iterate(store, 2), bench.respond(store, 2)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import Weights
from errai.engine.kernels.passes import TRUNK_DOWN, TRUNK_UP
from errai.engine.rules import Rule, rule_named
from errai.games.lookup import BettingTree, bettings_of
from errai.scale.codes import DEFAULT_METHODS, grids_for
from errai.scale.division import Division, Subgame
from errai.scale.passes import TrunkWalker
from errai.scale.solver import PLAYERS
from errai.scale.stores import SubgameStore
from errai.scale.worker import WANTED, Numbers, Order, SubgameWorker

Reach = Callable[
    [str, tuple[int, ...], int], NDArray[np.float64]
]  # betting, public cards, player -> [N] by hand


class Source(Protocol):
    """How subgames are entered."""

    def down(self, order: Order) -> None: ...

    def reach(self, subgame: Subgame, player: int) -> Numbers:
        """Of the player's opponent, at the roots."""

    def take(self, subgame: Subgame, values: Numbers) -> None: ...

    def up(self, order: Order) -> None: ...


class Given:
    """By a reach that stays as it is."""

    def __init__(self, division: Division, subgames: tuple[Subgame, ...], reach: Reach) -> None:
        self._held = {
            (subgame, player): _at_roots(division, subgame, reach, 1 - player)
            for subgame in subgames
            for player in PLAYERS
        }

    def down(self, order: Order) -> None:
        """There is no trunk."""

    def reach(self, subgame: Subgame, player: int) -> Numbers:
        return self._held[subgame, player]

    def take(self, subgame: Subgame, values: Numbers) -> None:
        """Nobody asks for them."""

    def up(self, order: Order) -> None:
        """There is no trunk."""


class Played:
    """From a trunk that plays along."""

    def __init__(self, division: Division) -> None:
        self._walker = TrunkWalker(division)
        self._trunk = self._walker.new_trunk()
        numbers = division.trunk_numbers
        self._weights = Weights(np.zeros(numbers, np.float32), None, np.zeros(numbers, np.float32))

    def down(self, order: Order) -> None:
        self._walker.run(order.passes, TRUNK_DOWN, self._weights, self._trunk)

    def reach(self, subgame: Subgame, player: int) -> Numbers:
        return self._walker.enter(subgame, player, self._trunk)

    def take(self, subgame: Subgame, values: Numbers) -> None:
        self._walker.leave(subgame, values, self._trunk)

    def up(self, order: Order) -> None:
        self._walker.run(order.passes, TRUNK_UP, self._weights, self._trunk)


def order_of(player: int, iteration: int, rule: Rule) -> Order:
    """The pass of a player in an iteration."""
    rates = rule.rates(iteration, 1, iteration)[0]
    return Order(player, 2 * iteration - 1 + PLAYERS.index(player), iteration, rates)


class Bench:
    """Plays subgames on this thread, from any store, and says what it took."""

    def __init__(
        self, division: Division, subgames: tuple[Subgame, ...], source: Source, strategy: str = "average"
    ) -> None:
        """The `strategy` that is kept, average or current, by the rule that is best for it."""
        self.division, self.subgames, self._source = division, subgames, source
        self.rule = rule_named(DEFAULT_METHODS[strategy])
        self.average = strategy == "average"
        self.grids = grids_for(division.spot.game, division.numbers, self.average)
        self._aside = 0.0  # seconds of this thread that belong to the trunk

    @contextmanager
    def _above(self) -> Iterator[None]:
        start = time.thread_time()
        yield
        self._aside += time.thread_time() - start

    def iterate(self, store: SubgameStore, iteration: int) -> float:
        """CPU seconds of all threads, but for the trunk."""
        worker = SubgameWorker(self.division, store)
        start, self._aside = time.process_time(), 0.0
        for player in PLAYERS:
            order = order_of(player, iteration, self.rule)
            with self._above():
                self._source.down(order)
            for subgame in self.subgames:
                with self._above():
                    reach = self._source.reach(subgame, player)
                values = worker.update(subgame, order, reach)
                with self._above():
                    self._source.take(subgame, values)
            store.flush()
            with self._above():
                self._source.up(order)
        return time.process_time() - start - self._aside

    def respond(self, store: SubgameStore, iteration: int) -> float:
        """CPU seconds of a value and two best responses."""
        given: dict[int, dict[Subgame, Numbers]] = {}
        for player in PLAYERS:
            self._source.down(order_of(player, iteration, self.rule))
            given[player] = {subgame: self._source.reach(subgame, player) for subgame in self.subgames}
        worker = SubgameWorker(self.division, store)
        start = time.process_time()
        for subgame in self.subgames:
            worker.evaluate(subgame, [given[player][subgame] for player, _ in WANTED], self.average)
        return time.process_time() - start


def _at_roots(division: Division, subgame: Subgame, reach: Reach, player: int) -> Numbers:
    """A player's reach at the roots of a subgame, flat, [H, K] of all roots."""
    tree = BettingTree(division.spot.state, division.templates, division.contexts)
    bettings = bettings_of(tree)[division.level][subgame.k : subgame.k + subgame.K]
    layout, above = division.layout(subgame), division.trunk.shape.tree
    public = int(above.public[division.level])
    found = []
    for root in range(layout.roots):
        cards = tuple(int(card) for card in above.cards[subgame.first + root, :public])
        hands = slice(*layout.hand_classes.first[root : root + 2])
        columns = [reach(betting, cards, player)[layout.hand_classes.hand[hands]] for betting in bettings]
        found.append(np.stack(columns, axis=1).astype(np.float32).reshape(-1))
    return np.concatenate(found)
