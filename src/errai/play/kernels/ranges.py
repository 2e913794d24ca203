"""A range of hands against single hands, on one board.

    W[h] = sum of the range's weights over hands that share no card with h
         = total - of its first card - of its second card + of the hand itself

A range is [N] weights in the order of errai.cards.notation.hands; `live` are the hands that count. Hands of one card
have a second one, `deck`, which nobody holds, and the last term falls away.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import INNER


@njit(**INNER)
def card_sums(weights, live, pairs, sums):
    """sums[c] = weight of the hands with card c; returns that of all hands.

    Hands with the same second card follow each other: its sum is kept at hand until the next comes.
    """
    for card in range(sums.size):
        sums[card] = 0.0
    total, run = 0.0, 0.0
    second = sums.size - 1
    for i in range(live.size):
        h = live[i]
        w = weights[h]
        if pairs[h, 1] != second:
            sums[second] += run
            total += run
            run = 0.0
            second = np.int64(pairs[h, 1])
        run += w
        sums[pairs[h, 0]] += w
    sums[second] += run
    sums[sums.size - 1] = 0.0
    return total + run


@njit(**INNER)
def disjoint(weights, live, pairs, two_cards, sums, into):
    """into[h] = W[h] for all live hands."""
    total = card_sums(weights, live, pairs, sums)
    for i in range(live.size):
        h = live[i]
        into[h] = total - sums[pairs[h, 0]] - sums[pairs[h, 1]] + two_cards * weights[h]


@njit(**INNER)
def beaten(weights, order, ties, pairs, sums, into):
    """into[h] = the same over hands that h beats, less that over hands that beat h.

    `order` are the hands that the board allows, the weakest first, and `ties` where those of equal strength end.
    """
    for direction in range(2):
        sums[:] = 0.0
        total = 0.0
        for step in range(ties.size):
            tie = step if direction == 0 else ties.size - 1 - step
            low, high = ties[tie - 1] if tie else 0, ties[tie]
            for i in range(low, high):
                h = order[i]
                met = total - sums[pairs[h, 0]] - sums[pairs[h, 1]]
                into[h] = met if direction == 0 else into[h] - met
            for i in range(low, high):
                h = order[i]
                w = weights[h]
                if w != 0.0:
                    total += w
                    sums[pairs[h, 0]] += w
                    sums[pairs[h, 1]] += w
            sums[sums.size - 1] = 0.0


@njit(**INNER)
def scaled(amount, of, live, into):
    """into = amount x of, over the live hands."""
    for i in range(live.size):
        h = live[i]
        into[h] = amount * of[h]


@njit(**INNER)
def product(first, second, live):
    """The sum of first x second over the live hands."""
    total = 0.0
    for i in range(live.size):
        h = live[i]
        total += first[h] * second[h]
    return total
