"""What hands win when both players check to the end, summed over complete boards."""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.cards.strength import rank_hands
from errai.engine.kernels.terminal import card_sums, showdown
from errai.kernels.lanes import W, load, store
from errai.kernels.options import KERNEL


@njit(**KERNEL)
def check_down(boards, times, deal, share, hand_class, reach, lanes, found):
    """found[c * lanes + j] += times * (weaker - stronger reach of the opponent), over the hands of class c.

    boards      [B, public cards], times [B] how often each counts
    reach       [N * lanes] the opponent's, lane by lane; lanes is a multiple of W
    """
    hole = deal.hole
    N = hole.shape[0]
    strength, keys = np.empty(N, np.int32), np.empty(N, np.int64)
    order, ties = np.empty(N, np.int64), np.empty(N, np.int32)
    card = np.full((N, 2), deal.suits * deal.ranks, np.uint8)
    size = np.ones(N, np.int32)
    tile, out = np.empty(N * W, np.float32), np.empty(N * W, np.float32)
    sums = np.empty((deal.suits * deal.ranks + 2) * W, np.float32)
    for board in range(boards.shape[0]):
        n, tied = rank_hands(
            hole, boards[board], deal.suits, deal.ranks, deal.ranking, strength, keys, order, ties
        )
        for i in range(n):
            for j in range(hole.shape[1]):
                card[i, j] = hole[order[i], j]
        for lane in range(0, lanes, W):
            for i in range(n):
                store(tile, i * W, load(reach, order[i] * lanes + lane))
            card_sums(tile, n, card, share, size, sums)
            showdown(tile, n, card, share, size, ties[:tied], sums, out)
            for i in range(n):
                at = hand_class[order[i]] * lanes + lane
                for j in range(W):
                    found[at + j] += times[board] * out[i * W + j]
