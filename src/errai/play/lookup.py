"""Agents that look up what they do, for many hands at once.

What a strategy plays is held as weights, round by round,

    [K, buckets, A]     K  contexts
                        A  actions of all decisions of the round's template

with the weights of one hand in one context side by side. A strategy on buckets is held as it was saved, in 255ths;
an exact solution with every canonical hand as a bucket of its own. Contexts are read when a hand first comes to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction, lossless
from errai.abstraction.features import hands_of
from errai.abstraction.saved import boards_of
from errai.blueprint.layout import bucket_arrays
from errai.cards.counting import canonical_deals
from errai.cards.notation import hand_count
from errai.engine.memory import RESERVE, available_memory
from errai.games.definition import GameDefinition
from errai.games.template import Node
from errai.play.batch import Dealt, Ints, Shares
from errai.play.kernels.hands import buckets_of
from errai.strategy.kinds.buckets import BucketStrategy
from errai.strategy.kinds.rule import RuleStrategy
from errai.strategy.limit import LimitStrategy
from errai.strategy.strategy import Strategy

Fill = Callable[[int, NDArray[Any], list[int]], list[int]]  # round, table, contexts wanted -> contexts filled


class RuleAgent:
    """A rule, which needs no cards."""

    def __init__(self, name: str, strategy: RuleStrategy) -> None:
        self.name, self.strategy = name, strategy

    def seat(self, dealt: Dealt) -> RuleAgent:
        return self

    def shares(self, round_: int, node: Node, hands: Ints, contexts: Ints) -> Shares:
        taken = self.strategy.taken(node)
        row = np.array([float(action in taken) / len(taken) for action in node.actions])
        return np.broadcast_to(row, (len(hands), len(row)))


class LookupAgent:
    """A strategy by the buckets of its hands."""

    def __init__(
        self, name: str, strategy: LimitStrategy, abstraction: Abstraction, fill: Fill, dtype: Any
    ) -> None:
        self.name, self.game, self.strategy = name, strategy.game, strategy
        self.arrays = bucket_arrays(abstraction, hand_count(self.game.deck_size, self.game.hole_cards))
        self._fill, self._public = fill, strategy.game.board_sizes
        self.shapes = table_shapes(strategy, abstraction.counts)
        ends = np.cumsum([0, *(K * count * A for K, count, A in self.shapes)])
        # Memory is taken page by page as contexts are read.
        self.flat = np.zeros(ends[-1], dtype)
        self.first: Ints = ends[:-1]
        parts = np.split(self.flat, ends[1:-1])
        self._tables = [part.reshape(shape) for part, shape in zip(parts, self.shapes, strict=True)]
        self._known = [np.zeros(shape[0], np.bool_) for shape in self.shapes]

    def seat(self, dealt: Dealt) -> _AtTable:
        return _AtTable(self, dealt)

    def buckets(self, dealt: Dealt, hands: Ints, round_: int, before: Ints) -> Ints:
        """[n, seats] on the boards of a round, from those a round before."""
        out = np.empty((len(hands), 2), np.int64)
        boards, held = dealt.boards[hands], dealt.hands[hands]
        buckets_of(self.arrays, round_, self._public[round_], boards, held, before, out)
        return out

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets of each round."""
        return tuple(count for _, count, _ in self.shapes)

    def read(self, round_: int, contexts: Ints) -> None:
        """Have the weights of these contexts in memory."""
        known = self._known[round_]
        if not known[contexts].all():
            new = np.unique(contexts[~known[contexts]]).tolist()
            known[self._fill(round_, self._tables[round_], new)] = True

    def weights(self, round_: int, contexts: Ints, buckets: Ints, node: Node) -> NDArray[Any]:
        """[n, actions] at one decision."""
        self.read(round_, contexts)
        found: NDArray[Any] = self._tables[round_][contexts, buckets, node.row : node.row + len(node.actions)]
        return found


class _AtTable:
    """A lookup agent with the buckets of a batch, which are found round by round."""

    def __init__(self, agent: LookupAgent, dealt: Dealt) -> None:
        self._agent, self._dealt = agent, dealt
        self._buckets = np.zeros((len(dealt.deal), 2), np.int64)
        self._round = np.full(len(dealt.deal), -1)

    def shares(self, round_: int, node: Node, hands: Ints, contexts: Ints) -> Shares:
        new = hands[self._round[hands] < round_]
        while len(new):  # one round after the other, since buckets may refine those of the round before
            for now in np.unique(self._round[new]).tolist():
                these = new[self._round[new] == now]
                self._buckets[these] = self._agent.buckets(self._dealt, these, now + 1, self._buckets[these])
                self._round[these] = now + 1
            new = new[self._round[new] < round_]
        weights = self._agent.weights(round_, contexts, self._buckets[hands, node.player], node)
        return normalised(weights)


def normalised(weights: NDArray[Any]) -> Shares:
    """[n, actions] probabilities proportional to the positive part of weights; all alike where there is none."""
    positive = np.maximum(weights.astype(np.float64), 0)
    total = positive.sum(axis=1, keepdims=True)
    even = np.full_like(positive, 1 / positive.shape[1])
    return np.divide(positive, total, out=even, where=total > 0)


def table_shapes(strategy: LimitStrategy, counts: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """[K, buckets, A] of every round."""
    tree = strategy.tree
    return [
        (K, count, template.rows)
        for K, count, template in zip(tree.contexts, counts, tree.templates, strict=True)
    ]


def tables_of(strategies: Sequence[Strategy]) -> int:
    """What the tables of some strategies take in memory, those of each once."""
    different = {id(strategy): strategy for strategy in strategies}.values()
    return sum(table_bytes(strategy) for strategy in different if can_be_looked_up(strategy))


def can_be_looked_up(strategy: Strategy) -> TypeGuard[LimitStrategy]:
    """Whether many hands can ask a strategy at once: one of a whole limit game, whose buckets have their tables."""
    if not isinstance(strategy, LimitStrategy) or strategy.beginning() != ("", ""):
        return False
    if not strategy.symmetric and strategy.game.suits > 1:  # hands that suits make alike are played apart
        return False
    return not isinstance(strategy, BucketStrategy) or strategy.abstraction.has_tables


def table_bytes(strategy: LimitStrategy) -> int:
    """What the tables of a strategy take in memory, all contexts read."""
    if isinstance(strategy, RuleStrategy):
        return 0
    on_buckets = isinstance(strategy, BucketStrategy)
    counts = strategy.counts if isinstance(strategy, BucketStrategy) else canonical_hands(strategy.game)
    numbers = sum(K * count * A for K, count, A in table_shapes(strategy, counts))
    return numbers * np.dtype(np.uint8 if on_buckets else np.float32).itemsize


def bucket_bytes(strategy: BucketStrategy) -> int:
    """What the tables of its buckets take in memory: two bytes, or four, for every hand on every board."""
    of, abstraction = hands_of(strategy.game), strategy.abstraction
    return sum(
        boards_of(of, round_.boards.dealt) * len(of.cards) * (2 if round_.count <= 1 << 16 else 4)
        for round_ in abstraction.rounds
    )


def canonical_hands(game: GameDefinition) -> tuple[int, ...]:
    """Hands up to renaming of suits, by round."""
    rounds = range(1, game.rounds + 1)
    return tuple(
        canonical_deals(game.ranks, game.suits, (game.hole_cards, *(n for n in game.board_cards[:r] if n)))
        for r in rounds
    )


def lookup_agent(name: str, strategy: Strategy) -> RuleAgent | LookupAgent | None:
    """A strategy for many hands at once; None if it cannot be looked up, or not be held in memory."""
    if not can_be_looked_up(strategy):
        return None
    if isinstance(strategy, RuleStrategy):
        return RuleAgent(name, strategy)
    if table_bytes(strategy) > RESERVE * available_memory():
        return None
    if isinstance(strategy, BucketStrategy):
        return LookupAgent(name, strategy, strategy.abstraction, from_blocks(strategy), np.uint8)
    abstraction = lossless(strategy.game)
    return LookupAgent(name, strategy, abstraction, _from_boards(strategy, abstraction), np.float32)


def from_blocks(strategy: BucketStrategy) -> Fill:
    def fill(round_: int, table: NDArray[Any], contexts: list[int]) -> list[int]:
        for context in contexts:
            table[context] = strategy.context_rows(round_, context).T
        return contexts

    return fill


def _from_boards(strategy: LimitStrategy, abstraction: Abstraction) -> Fill:
    def fill(round_: int, table: NDArray[Any], contexts: list[int]) -> list[int]:
        buckets, everything = abstraction.rounds[round_], list(range(len(table)))
        nodes, ends = strategy.tree.templates[round_].nodes, strategy.game.board_sizes[: round_ + 1]
        for number, cards in enumerate(buckets.boards.cards.tolist()):
            board = tuple(tuple(cards[low:high]) for low, high in pairwise((0, *ends)))
            here = strategy.on_board(board)
            live = np.flatnonzero(here.live)
            weights = here.weights(nodes, everything)[:, live]  # [A, live, K]
            table[:, buckets.cells[number, live]] = weights.transpose(2, 1, 0)
        return everything

    return fill
