"""The cards of many hands at once: who wins a showdown, and which buckets their players hold."""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.blueprint.kernels.buckets import look_up
from errai.cards.strength import evaluate
from errai.kernels.options import KERNEL


@njit(**KERNEL)
def showdowns(cards, hole_cards, suits, ranks, ranking, out):
    """out[i] = 1 when seat 0 has the better hand, -1 when seat 1 has, 0 for a tie; cards as they were dealt."""
    public = cards.shape[1] - 2 * hole_cards
    count = hole_cards + public
    held = np.empty(16, np.uint8)
    strength = np.zeros(2, np.int64)
    for i in range(cards.shape[0]):
        for seat in range(2):
            for j in range(hole_cards):
                held[j] = cards[i, seat * hole_cards + j]
            for j in range(public):
                held[hole_cards + j] = cards[i, 2 * hole_cards + j]
            strength[seat] = evaluate(held, count, suits, ranks, ranking)
        out[i] = (strength[0] > strength[1]) - (strength[0] < strength[1])


@njit(**KERNEL)
def hands_of(cards, hole_cards, out):
    """out[i, seat] = the number of a seat's hand, in the order of errai.cards.notation.hands."""
    for i in range(cards.shape[0]):
        for seat in range(2):
            first = np.int64(cards[i, seat * hole_cards])
            if hole_cards == 1:
                out[i, seat] = first
            else:
                second = np.int64(cards[i, seat * hole_cards + 1])
                low, high = min(first, second), max(first, second)
                out[i, seat] = high * (high - 1) // 2 + low


@njit(**KERNEL)
def buckets_of(buckets, round_, public, boards, hands, before, out):
    """out[i, seat] = bucket of both hands on the first `public` cards of boards[i]; `before` those a round before."""
    known, scratch = np.empty(16, np.int64), np.empty(16, np.int64)
    for i in range(boards.shape[0]):
        for j in range(public):
            known[j] = boards[i, j]
        look_up(buckets, round_, known[:public], hands[i], before[i], scratch, out[i])
