"""What is known of a hand in a round and in the one before, for kernels that follow hands from board to board."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import Hands, unordered
from errai.abstraction.kernels.recall import Recalled
from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.games.definition import GameDefinition


def dealt_by(game: GameDefinition, round_: int) -> tuple[int, ...]:
    """Public cards of every deal up to a round."""
    return tuple(n for n in game.board_cards[: round_ + 1] if n)


def recalled(
    game: GameDefinition, of: Hands, round_: int, parent: NDArray[np.int32], cells: NDArray[Any]
) -> tuple[CanonicalBoards, Recalled]:
    """The boards of a round in the order dealt, and what is known of hands on them and on those before.

    `parent` [B, N] are buckets of the round before on its boards in the order dealt, `cells` those of this round.
    """
    public, new = game.board_sizes[round_], game.board_cards[round_]
    ordered = canonical_boards(of.deck, of.hole_cards, dealt_by(game, round_))
    plain = unordered(of, public)
    live = of.live(plain.cards)
    # A round without new cards has the boards of the round before.
    known, level = public - new, len(dealt_by(game, round_)) + (new == 0)
    return ordered, Recalled(
        known, level, ordered.lookup, plain.lookup, plain.hand_moves, parent, cells, live
    )
