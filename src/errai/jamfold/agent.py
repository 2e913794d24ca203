"""How to play a jam/fold strategy at a table, a little better than it is proven to be (end of section 2 of the
paper).

Before the flop the strategy jams or folds. Where it would fold and checking is free, the agent checks instead.
After the flop it moves in with a hand that gains by it against every hand that the opponent can hold, even one
who sees the agent's cards:

    the least, over the opponent's hands, of  equity x (pot + 2 x stack) - stack  is more than folding, which is 0

with `stack` the effective stack behind and the equity counted over all boards that can follow. Otherwise it checks
if that is free, and folds if not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import FULL_DECK, hand_class_of, hand_index, hands
from errai.errors import ErraiError
from errai.jamfold.kernels.runouts import equities_against_all
from errai.jamfold.matrix_game import Floats

JAM, CHECK, FOLD = "jam", "check", "fold"


def preflop(jam: Floats, cards: Sequence[int], free: bool, draw: float) -> str:
    """What to do before the flop: `jam` [169] is the strategy of this stack and seat, `draw` a random number from
    0 to 1.

    `free` says whether checking costs nothing: in the big blind after the small blind has only called.
    """
    if draw < jam[hand_class_of()[hand_index(cards)]]:
        return JAM
    return CHECK if free else FOLD


def postflop(cards: Sequence[int], board: Sequence[int], pot: float, stack: float, free: bool) -> str:
    """What to do after the flop; `pot` holds what is in the middle, the opponent's bet included.

    `stack` is the effective stack behind, what it costs to call an opponent who is all in.
    """
    if least_gain(cards, board, pot, stack) > 0:
        return JAM
    return CHECK if free else FOLD


def least_gain(cards: Sequence[int], board: Sequence[int], pot: float, stack: float) -> float:
    """Chips that a jam wins on average, compared with folding, against the hand that is worst for it."""
    equity = equities_of(cards, board)
    return float(np.nanmin(equity) * (pot + 2 * stack) - stack)


def equities_of(cards: Sequence[int], board: Sequence[int]) -> NDArray[np.float64]:
    """[1326] share of the pot against each hand, over all ways to complete the board; nan where cards are taken."""
    known = [*cards, *board]
    if len(cards) != 2 or len(board) not in (3, 4, 5) or len(set(known)) != len(known):
        shown = FULL_DECK.format_cards(known)
        raise ErraiError(f"{shown} is not a hand of two cards with a board of three to five others")
    out = np.full(1326, np.nan)
    equities_against_all(hands(52, 2), np.array(cards, np.uint8), np.array(board, np.uint8), out)
    return out
