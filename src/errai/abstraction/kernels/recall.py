"""What a hand was before: buckets of ordered boards, for perfect recall.

A board (3, 1, 1) in the order dealt knows the board (3, 1) that it came from and the unordered board (5,) whose cell
the hand has now. Legend: B ordered boards, N hands, P buckets of the round before, V cells.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.cards.board_lookup import locate


@njit(cache=True, nogil=True, error_model="numpy")
def _find(cards, known, level, dealt, sets, up, now):
    """(board before, its move, unordered board, its move); up and now are scratch."""
    for i in range(known):
        up[i] = cards[i]
    for i in range(cards.size):
        now[i] = cards[i]
    before, before_move = np.int64(0), np.int64(0)
    if level > 1:
        before, before_move = locate(up[:known], level - 1, dealt)
    board, move = np.int64(0), np.int64(0)
    if cards.size:
        board, move = locate(now, 1, sets)
    return before, before_move, board, move


@njit(cache=True, nogil=True, error_model="numpy")
def count_joint(cards, weight, known, level, dealt, sets, hand_moves, parent, cells, live, joint):
    """joint[p, v] += deals in which a hand of bucket p gets cell v; live [unordered boards, N] is where it can."""
    N = hand_moves.shape[1]
    up = np.empty(max(known, 1), np.int64)
    now = np.empty(cards.shape[1], np.int64)
    for b in range(cards.shape[0]):
        before, before_move, board, move = _find(cards[b], known, level, dealt, sets, up, now)
        old, new = hand_moves[before_move], hand_moves[move]
        for h in range(N):
            if live[board, new[h]]:
                joint[parent[before, old[h]], cells[board, new[h]]] += weight[b]


@njit(cache=True, nogil=True, error_model="numpy")
def fill_buckets(cards, known, level, dealt, sets, hand_moves, parent, cells, live, refine, out):
    """out[b, h] = refine[bucket before, cell], or the cell itself where `refine` is empty; 0 where blocked."""
    N = hand_moves.shape[1]
    up = np.empty(max(known, 1), np.int64)
    now = np.empty(cards.shape[1], np.int64)
    for b in range(cards.shape[0]):
        before, before_move, board, move = _find(cards[b], known, level, dealt, sets, up, now)
        old, new = hand_moves[before_move], hand_moves[move]
        for h in range(N):
            out[b, h] = 0
            if live[board, new[h]]:
                cell = cells[board, new[h]]
                out[b, h] = cell if refine.size == 0 else refine[parent[before, old[h]], cell]
