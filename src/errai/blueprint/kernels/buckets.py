"""The buckets of the hands of a board, and a sampled run of boards as the engine's kernels take it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.board_lookup import BoardLookup, locate
from errai.cards.strength import rank_hands
from errai.engine.kernels.arrays import Ints
from errai.kernels.options import INNER, KERNEL


class Buckets(NamedTuple):
    """All rounds of an abstraction in flat arrays. L rounds, N hands, G permutations of the suits.

    Whatever the game, they are of the same types, so that kernels are compiled once for all.
    """

    cells: NDArray[np.uint16]  # [boards, N] round after round: the lower 16 bits
    high: NDArray[np.uint16]  # the upper ones; empty where no cell has any
    first_cell: Ints  # [L]
    lookup: BoardLookup  # those of all rounds, joined
    first_deal: Ints  # [L] where the deals of a round's lookup begin
    deals: Ints  # [L] how many deals lead to a board of the round
    hand_moves: NDArray[np.int32]  # [G, N]
    refine: NDArray[np.int32]  # [buckets of the round before, cells] round after round
    first_refine: Ints  # [L] -1 with imperfect recall
    cell_count: Ints  # [L] columns of refine


@njit(**INNER)
def look_up(buckets, level, cards, hand, before, scratch, out):
    """out[i] = bucket of hand[i] on the board of these cards; `before` has those of the round before."""
    for i in range(cards.size):
        scratch[i] = cards[i]
    joined, at = buckets.lookup, buckets.first_deal[level]
    lookup = BoardLookup(
        joined.moves, joined.compose, joined.ways, joined.dealt[at:], joined.levels, joined.first_set[at:],
        joined.child, joined.move,
    )  # fmt: skip
    board, move = locate(scratch, buckets.deals[level], lookup)
    N = buckets.hand_moves.shape[1]
    first = buckets.first_cell[level] + board * N
    moves = buckets.hand_moves[move]
    refine = buckets.first_refine[level]
    for i in range(hand.size):
        place = first + moves[hand[i]]
        cell = np.int64(buckets.cells[place])
        if buckets.high.size:
            cell += np.int64(buckets.high[place]) << 16
        if refine >= 0:
            cell = np.int64(buckets.refine[refine + before[i] * buckets.cell_count[level] + cell])
        out[i] = cell


@njit(**INNER)
def _allowed(hole, cards, out):
    """out[:n] = the hands that share no card with these; returns n."""
    n = 0
    for h in range(hole.shape[0]):
        free = True
        for i in range(cards.size):
            for j in range(hole.shape[1]):
                if hole[h, j] == cards[i]:
                    free = False
        if free:
            out[n] = h
            n += 1
    return n


@njit(**INNER)
def cards_of(board, boards, public, cards, out):
    """out[:n] = the cards of a board, from those of a sample: every last board has its own after the common ones."""
    level = boards.level[board]
    common = public[min(level, public.size - 2)]
    for i in range(common):
        out[i] = cards[i]
    new = public[level] - common
    start = common + (board - boards.first_last) * new
    for i in range(new):
        out[common + i] = cards[start + i]
    return out[: public[level]]


@njit(**KERNEL)
def deal_boards(cards, deal, boards, workspace):
    """Fill a run of boards, one a round and several of the last, each with all hands that it allows.

    Those of the last are in order of strength. `cards` are the public cards in the order dealt: those before the last
    round, then for every last board its own.
    """
    hole, public = deal.hole, deal.public
    hands, bucket, place, work = workspace.hands, workspace.bucket, workspace.place, workspace.work
    last = public.size - 1
    given, scratch = np.empty(16, np.int64), np.empty(16, np.int64)
    for board in range(boards.level.size):
        level, parent = boards.level[board], boards.parent[board]
        first = boards.first_hand[board]
        known = cards_of(board, boards, public, cards, given)
        place[board, :] = -1
        if level == last:
            tie = board - boards.first_last
            start = boards.first_tie[tie]
            n, ties = rank_hands(
                hole, known.astype(np.uint8), deal.suits, deal.ranks, deal.ranking, work[0], work[2], hands[first:],
                boards.ties[start:],
            )  # fmt: skip
            boards.first_tie[tie + 1] = start + ties
        else:
            n = _allowed(hole, known, hands[first:])
        before = work[1]
        for i in range(n):
            h = hands[first + i]
            place[board, h] = i
            for j in range(hole.shape[1]):
                boards.card[first + i, j] = hole[h, j]
            if parent >= 0:
                boards.up[first + i] = place[parent, h]
                before[i] = bucket[boards.first_hand[parent] + place[parent, h]]
        own = bucket[first : first + n]
        look_up(deal.buckets, level, known, hands[first : first + n], before, scratch, own)
