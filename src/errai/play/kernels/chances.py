"""Strengths of the last round, added up over the cards that may come last."""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import KERNEL


@njit(**KERNEL)
def add_last_cards(rows, moves, table, hand_moves, first, second):
    """first[b, h] = sum over s of x, second[b, h] = sum of x^2; x = table[rows[b, s], hand_moves[moves[b, s], h]].

    rows, moves     [B, S] the complete board that each last card makes, and the permutation that takes hands there
    table           [boards, N] strengths, 0 where a board blocks the hand
    first, second   [B, N]
    """
    first[:] = 0
    second[:] = 0
    for b in range(rows.shape[0]):
        ones, squares = first[b], second[b]
        for s in range(rows.shape[1]):
            row, move = table[rows[b, s]], hand_moves[moves[b, s]]
            for h in range(ones.size):
                value = np.int64(row[move[h]])
                ones[h] += np.uint32(value)
                squares[h] += value * value
