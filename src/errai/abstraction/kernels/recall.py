"""What a hand was before: buckets of ordered boards, for perfect recall.

A board (3, 1, 1) in the order dealt knows the board (3, 1) that it came from and the unordered board (5,) whose cell
the hand has now. Legend: B ordered boards, N hands, P buckets of the round before, V cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.board_lookup import BoardLookup, locate


class Recalled(NamedTuple):
    """What is known of a hand in a round and in the one before."""

    known: int  # public cards of the round before
    level: int  # deals so far
    dealt: BoardLookup  # of boards in the order dealt
    sets: BoardLookup  # of unordered boards
    hand_moves: NDArray[np.int32]  # [G, N] where each permutation of the suits takes a hand
    parent: NDArray[np.int32]  # [boards before, N] the bucket of the round before
    cells: NDArray[np.unsignedinteger]  # [unordered boards, N]
    live: NDArray[np.bool_]  # [unordered boards, N] where the board leaves the hand possible


@njit(cache=True, nogil=True, error_model="numpy")
def _find(cards, of, up, now):
    """(board before, its move, unordered board, its move); up and now are scratch."""
    for i in range(of.known):
        up[i] = cards[i]
    for i in range(cards.size):
        now[i] = cards[i]
    before, before_move = np.int64(0), np.int64(0)
    if of.level > 1:
        before, before_move = locate(up[: of.known], of.level - 1, of.dealt)
    board, move = np.int64(0), np.int64(0)
    if cards.size:
        board, move = locate(now, 1, of.sets)
    return before, before_move, board, move


@njit(cache=True, nogil=True, error_model="numpy")
def count_joint(cards, weight, of, joint):
    """joint[p, v] += deals in which a hand of bucket p gets cell v, over ordered boards [B] of a weight [B]."""
    up = np.empty(max(of.known, 1), np.int64)
    now = np.empty(cards.shape[1], np.int64)
    for b in range(cards.shape[0]):
        before, before_move, board, move = _find(cards[b], of, up, now)
        old, new = of.hand_moves[before_move], of.hand_moves[move]
        for h in range(len(new)):
            if of.live[board, new[h]]:
                joint[of.parent[before, old[h]], of.cells[board, new[h]]] += weight[b]


@njit(cache=True, nogil=True, error_model="numpy")
def fill_buckets(cards, of, refine, out):
    """out[b, h] = refine[bucket before, cell], or the cell itself where `refine` is empty; 0 where blocked."""
    up = np.empty(max(of.known, 1), np.int64)
    now = np.empty(cards.shape[1], np.int64)
    for b in range(cards.shape[0]):
        before, before_move, board, move = _find(cards[b], of, up, now)
        old, new = of.hand_moves[before_move], of.hand_moves[move]
        for h in range(len(new)):
            out[b, h] = 0
            if of.live[board, new[h]]:
                cell = of.cells[board, new[h]]
                out[b, h] = cell if refine.size == 0 else refine[of.parent[before, old[h]], cell]
