"""A hand against all others over all boards that can follow."""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.cards.strength import ACPC, NO_STRENGTH, strengths_into


@njit(cache=True, nogil=True)
def equities_against_all(hands, cards, board, out):
    """Fills out[N] with the share of the pot that `cards` win against each hand that shares no card with them."""
    taken = np.zeros(52, np.bool_)
    for card in cards:
        taken[card] = True
    for card in board:
        taken[card] = True
    mine = 0
    for n in range(len(hands)):
        if hands[n, 0] == min(cards[0], cards[1]) and hands[n, 1] == max(cards[0], cards[1]):
            mine = n
    N, known = len(hands), len(board)
    won, met = np.zeros(N), np.zeros(N)
    strength = np.empty(N, np.int32)
    full = np.empty(5, np.uint8)
    full[:known] = board
    last = 52 if known < 5 else 1
    for first in range(last):
        if known < 5 and taken[first]:
            continue
        inner = first if known == 3 else 1
        for second in range(inner):
            if known == 3 and taken[second]:
                continue
            if known == 3:
                full[3], full[4] = first, second
            elif known == 4:
                full[4] = first
            strengths_into(hands, full, 4, 13, ACPC, strength)
            own = strength[mine]
            for n in range(N):
                other = strength[n]
                if other == NO_STRENGTH or taken[hands[n, 0]] or taken[hands[n, 1]]:
                    continue
                met[n] += 1.0
                if own > other:
                    won[n] += 1.0
                elif own == other:
                    won[n] += 0.5
    for n in range(N):
        if met[n] > 0:
            out[n] = won[n] / met[n]
