"""Suits can be renamed: the symmetry that makes poker smaller.

A permutation of the suits maps cards to cards and hands to hands and changes nothing else in the game. The
permutations that leave everything public as it is (the board, the ranges) form a group; hands that the group
maps onto each other must be played alike. A group is a bit mask over the list of all permutations.

Where no flush can be held, the suits of every rank can be renamed on their own, as in Leduc, whose 2^3 such
renamings leave nothing but ranks. They are used when the list fits into a mask.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import Deck, hands


class SuitPermutations(NamedTuple):
    """What each permutation of the suits does. G permutations (the first changes nothing), N hands."""

    cards: NDArray[np.uint8]  # [G, deck]
    hands: NDArray[np.int32]  # [G, N]


MOST_PERMUTATIONS = 62  # bits of a mask


@lru_cache
def suit_permutations(deck: Deck, hole_cards: int, suits_matter: bool = True) -> SuitPermutations:
    """All permutations of the deck's suits, acting on cards and on hands."""
    renamings = list(permutations(range(deck.suits)))
    if not suits_matter and factorial(deck.suits) ** deck.ranks <= MOST_PERMUTATIONS:
        by_rank = list(product(renamings, repeat=deck.ranks))
    else:
        by_rank = [(renaming,) * deck.ranks for renaming in renamings]
    # [G, ranks, suits] -> [G, deck], as a card is rank * suits + suit
    suit = np.array(by_rank, dtype=np.int64)
    cards = (np.arange(deck.ranks)[None, :, None] * deck.suits + suit).reshape(len(by_rank), deck.size)
    hand_classes = hands(deck.size, hole_cards).astype(np.int64)
    moved = cards[:, hand_classes]  # [G, N, hole]
    if hole_cards == 1:
        images = moved[:, :, 0]
    else:
        low, high = moved.min(axis=2), moved.max(axis=2)
        images = high * (high - 1) // 2 + low
    return SuitPermutations(cards.astype(np.uint8), images.astype(np.int32))


def whole_group(moves: SuitPermutations) -> int:
    """The group of all permutations, as a mask."""
    return (1 << len(moves.cards)) - 1


TRIVIAL_GROUP = 1  # only the permutation that changes nothing


def symmetries(
    moves: SuitPermutations,
    board: tuple[tuple[int, ...], ...] = (),
    weights: tuple[NDArray[np.floating], ...] = (),
) -> int:
    """The permutations that keep each round's public cards (as a set) and every range, as a mask."""
    mask = 0
    for index in range(len(moves.cards)):
        keeps_board = all({int(moves.cards[index][card]) for card in dealt} == set(dealt) for dealt in board)
        keeps_ranges = all(np.array_equal(weight[moves.hands[index]], weight) for weight in weights)
        if keeps_board and keeps_ranges:
            mask |= 1 << index
    return mask
