"""A strategy profile of a game or spot: what each player does with every hand, everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation, Evaluator
from errai.engine.layout import Layout
from errai.engine.store import Numbers
from errai.errors import ErraiError
from errai.games.lookup import Board, board_by_round, board_cards, hand_cards
from errai.games.spot import Spot
from errai.strategy.lookup import classes_of, find_board, find_node, hand_of, rows_at


@dataclass(frozen=True)
class Decision:
    """One decision for all hands: N hands in the order of `errai.cards.notation.hands`."""

    player: int
    actions: str  # of "fcr"
    probabilities: NDArray[np.float64]  # [N, actions], nan for hands that cannot be held here


class Profile(Protocol):
    """What both players do: an exact solution or a strategy on buckets."""

    @property
    def spot(self) -> Spot: ...

    def decision(self, betting: str = "", board: Board = ()) -> Decision: ...


def probabilities_of(
    profile: Profile, hand: Sequence[int] | str, betting: str = "", board: Board = ()
) -> dict[str, float]:
    """Action -> probability for one hand."""
    spot = profile.spot
    decision = profile.decision(betting, board)
    cards = hand_cards(spot.game, spot.deck, hand, (*spot.cards, *board_cards(spot.deck, board)))
    if not spot.held[hand_of(cards)]:
        raise ErraiError(f"the hand {spot.deck.format_cards(cards)} is in neither player's range")
    row = decision.probabilities[hand_of(cards)]
    return dict(zip(decision.actions, map(float, row), strict=True))


@dataclass(frozen=True)
class Strategy:
    """Both players' strategies. `weights` lie as the layout says; probabilities are proportional to them."""

    layout: Layout
    weights: Numbers

    @property
    def spot(self) -> Spot:
        return self.layout.spot

    def decision(self, betting: str = "", board: Board = ()) -> Decision:
        """All hands at the decision after `betting`; `board` is what was dealt since the root, by round.

        `betting` and `board` count from the root of the solution: of a whole game, or of a spot.
        """
        level, context, node = find_node(self.layout, betting)
        dealt = self._rounds(board, level)
        place = find_board(self.layout, dealt)
        first, stride = rows_at(self.layout, place.board, context, node)
        classes = classes_of(self.layout, place)
        live = classes >= 0
        at = first[None, :] + np.maximum(classes, 0)[:, None] * stride
        weights = np.maximum(np.asarray(self.weights[at], dtype=np.float64), 0)
        total = weights.sum(axis=1, keepdims=True)
        even = np.full_like(weights, 1 / len(node.actions))
        shares = np.divide(weights, total, out=even, where=total > 0)
        shares[~live] = np.nan
        return Decision(node.player, node.actions, shares)

    def probabilities(
        self, hand: Sequence[int] | str, betting: str = "", board: Board = ()
    ) -> dict[str, float]:
        """Action -> probability for one hand."""
        return probabilities_of(self, hand, betting, board)

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Value and best responses of this strategy."""
        evaluator = Evaluator(self.layout, threads)
        try:
            return evaluator.evaluate(self.weights)
        finally:
            evaluator.close()

    def _rounds(self, board: Board, level: int) -> tuple[tuple[int, ...], ...]:
        """What was dealt at each level below the root, down to `level`."""
        counts = [int(count) for count in self.layout.shape.tree.public[: level + 1]]
        sizes = [after - before for before, after in pairwise(counts)]
        return board_by_round(self.spot.deck, sizes, board, self.spot.cards)
