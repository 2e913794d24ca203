"""The buckets of the hands of a board, and a sampled run of boards as the engine's kernels take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.places import Places, locate
from errai.cards.strength import rank_hands
from errai.engine.kernels.options import INNER, KERNEL

Ints = NDArray[np.int64]


class Buckets(NamedTuple):
    """All rounds of an abstraction in flat arrays. L rounds, N hands, G permutations of the suits."""

    cells: NDArray[np.unsignedinteger]  # [boards, N] round after round
    first_cell: Ints  # [L]
    places: tuple[Places, ...]  # [L]
    deals: Ints  # [L] how many deals lead to a board of the round
    hand_moves: NDArray[np.int32]  # [G, N]
    refine: NDArray[np.int32]  # [buckets of the round before, cells] round after round
    first_refine: Ints  # [L] -1 with imperfect recall
    cell_count: Ints  # [L] columns of refine


@njit(**INNER)
def look_up(buckets, level, cards, count, hand, before, scratch, out):
    """out[i] = bucket of hand[i] on the board of the first `count` cards; `before` has those of the round before."""
    for i in range(count):
        scratch[i] = cards[i]
    board, move = locate(scratch, buckets.deals[level], buckets.places[level])
    N = buckets.hand_moves.shape[1]
    first = buckets.first_cell[level] + board * N
    moves = buckets.hand_moves[move]
    cells = buckets.cells[first : first + N]
    refine = buckets.first_refine[level]
    for i in range(hand.size):
        cell = np.int64(cells[moves[hand[i]]])
        if refine >= 0:
            cell = np.int64(buckets.refine[refine + before[i] * buckets.cell_count[level] + cell])
        out[i] = cell


@njit(**INNER)
def _allowed(hole, cards, count, out):
    """out[:n] = the hands that share no card with the first `count` cards; returns n."""
    n = 0
    for h in range(hole.shape[0]):
        free = True
        for i in range(count):
            for j in range(hole.shape[1]):
                if hole[h, j] == cards[i]:
                    free = False
        if free:
            out[n] = h
            n += 1
    return n


@njit(**KERNEL)
def deal_boards(cards, public, hole, suits, ranks, ranking, buckets, boards, hands, bucket, place, work):
    """Fill a run of boards, one a round, each with all hands that it allows, those of the last in order of strength.

    cards       the public cards of the last board, in the order dealt
    public      [L] how many of them lie on the board of each round
    hands       [sum of H] hand of each place;  bucket likewise
    place, work scratch [L, N] and [3, N]
    """
    L = public.size
    last = L - 1
    for level in range(L):
        first = boards.first_hand[level]
        place[level, :] = -1
        if level == last:
            board = cards[: public[last]].astype(np.uint8)
            n, ties = rank_hands(
                hole, board, suits, ranks, ranking, work[0], work[2], hands[first:], boards.ties
            )
            boards.first_tie[1] = ties
        else:
            n = _allowed(hole, cards, public[level], hands[first:])
        for i in range(n):
            h = hands[first + i]
            place[level, h] = i
            for j in range(hole.shape[1]):
                boards.card[first + i, j] = hole[h, j]
            if level > 0:
                boards.up[first + i] = place[level - 1, h]
        before = work[1]
        if level > 0:
            above = boards.first_hand[level - 1]
            for i in range(n):
                before[i] = bucket[above + boards.up[first + i]]
        look_up(
            buckets, level, cards, public[level], hands[first : first + n], before, np.empty(16, np.int64),
            bucket[first : first + n],
        )  # fmt: skip
