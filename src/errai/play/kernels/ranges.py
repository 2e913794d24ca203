"""Two ranges of hands against each other, on one board.

    W[h] = sum of the opponent's weights over hands that share no card with h
         = total - of its first card - of its second card + of the hand itself

A range is [N] weights in the order of errai.cards.notation.hands. Hands of one card have a second one, `deck`, which
nobody holds.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import INNER


@njit(**INNER)
def card_sums(weights, pairs, sums):
    """sums[c] = weight of the hands with card c; returns that of all hands."""
    sums[:] = 0.0
    total = 0.0
    for h in range(weights.size):
        w = weights[h]
        if w != 0.0:
            total += w
            sums[pairs[h, 0]] += w
            sums[pairs[h, 1]] += w
    sums[sums.size - 1] = 0.0
    return total


@njit(**INNER)
def disjoint(weights, pairs, hole_cards, total, sums, h):
    """W[h] of a range whose sums are known."""
    found = total - sums[pairs[h, 0]]
    if hole_cards == 2:
        found += weights[h] - sums[pairs[h, 1]]
    return found


@njit(**INNER)
def block(weights, pairs, card):
    """Take the hands with a card out of a range."""
    for h in range(weights.size):
        if pairs[h, 0] == card or pairs[h, 1] == card:
            weights[h] = 0.0


@njit(**INNER)
def pair_weight(own, other, pairs, hole_cards, sums):
    """The weight of all pairs of disjoint hands."""
    total = card_sums(other, pairs, sums)
    found = 0.0
    for h in range(own.size):
        if own[h] != 0.0:
            found += own[h] * disjoint(other, pairs, hole_cards, total, sums, h)
    return found


@njit(**INNER)
def worth(own, other, pairs, hole_cards, sums, values, bins):
    """The sum over pairs of disjoint hands of both weights and of what the own hand is worth, values[bins[h]]."""
    total = card_sums(other, pairs, sums)
    found = 0.0
    for h in range(own.size):
        if own[h] != 0.0:
            found += own[h] * values[bins[h]] * disjoint(other, pairs, hole_cards, total, sums, h)
    return found


@njit(**INNER)
def showdown(own, other, pairs, hole_cards, order, ties, count, tie_count, sums):
    """The sum over pairs of disjoint hands of both weights, 1 where the own hand wins and -1 where it loses.

    `order` are the hands that the board allows, the weakest first, and `ties` where those of equal strength end.
    """
    found = 0.0
    for direction in range(2):
        sums[:] = 0.0
        total = 0.0
        for step in range(tie_count):
            tie = step if direction == 0 else tie_count - 1 - step
            low, high = ties[tie - 1] if tie else 0, ties[tie]
            for i in range(low, high):
                h = order[i]
                if own[h] != 0.0:
                    met = total - sums[pairs[h, 0]]
                    if hole_cards == 2:
                        met -= sums[pairs[h, 1]]
                    found += own[h] * met if direction == 0 else -own[h] * met
            for i in range(low, high):
                w = other[order[i]]
                if w != 0.0:
                    total += w
                    sums[pairs[order[i], 0]] += w
                    sums[pairs[order[i], 1]] += w
    return found


@njit(**INNER)
def share_of(weights, place, action, actions):
    """The probability of an action from the weights of a decision, of which those of actions lie side by side."""
    total = 0.0
    for a in range(actions):
        w = np.float64(weights[place + a])
        if w > 0.0:
            total += w
    if total <= 0.0:
        return 1.0 / actions
    return max(np.float64(weights[place + action]), 0.0) / total
