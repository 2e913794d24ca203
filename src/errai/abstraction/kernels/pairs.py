"""How two hands that share no card are spread over labels, on one board.

    pairs[a, b]   ordered pairs of disjoint hands with the labels a and b
                = n[a] n[b] - sum_c n_c[a] n_c[b] + [a = b] n[a]           n_c: hands that hold the card c
    ahead[a, b]   of these the pairs that the first hand wins, less those that it loses

The first is a sum over cards instead of one over pairs of hands, the second one sweep over hands by strength.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import KERNEL


@njit(**KERNEL)
def add_pairs(label, cards, deck, weight, total):
    """total[a, b] += weight times the pairs of labels a, b; a hand with a label below zero is not possible.

    `cards` [N, 2]; a hand of one card has a second one that nobody else holds, from `deck` on.
    """
    L = total.shape[0]
    all_hands = np.zeros(L, np.int64)
    by_card = np.zeros((deck + 1, L), np.int64)
    for h in range(label.size):
        if label[h] < 0:
            continue
        all_hands[label[h]] += 1
        for i in range(2):
            if cards[h, i] < deck:
                by_card[cards[h, i], label[h]] += 1
    for a in range(L):
        if all_hands[a] == 0:
            continue
        row = np.zeros(L, np.int64)
        for b in range(L):
            row[b] = all_hands[a] * all_hands[b]
        for c in range(deck):
            held = by_card[c, a]
            if held:
                for b in range(L):
                    row[b] -= held * by_card[c, b]
        row[a] += all_hands[a] if cards[0, 1] < deck else np.int64(0)
        for b in range(L):
            total[a, b] += weight * row[b]


@njit(**KERNEL)
def add_ahead(label, strength, order, cards, deck, weight, total):
    """total[a, b] += weight times the pairs that the first hand wins, less those that it loses.

    `order` [n] are the possible hands by strength, ascending.
    """
    L = total.shape[0]
    below = np.zeros((deck + 2, L), np.int64)  # by card, and of all hands in the last row
    low = 0
    won = np.zeros((L, L), np.int64)
    while low < order.size:
        high = low
        while high < order.size and strength[order[high]] == strength[order[low]]:
            high += 1
        for i in range(low, high):
            h = order[i]
            first, second = cards[h, 0], cards[h, 1]
            row = won[label[h]]
            for b in range(L):
                row[b] += below[deck + 1, b] - below[first, b] - below[second, b]
        for i in range(low, high):
            h = order[i]
            below[deck + 1, label[h]] += 1
            for j in range(2):
                if cards[h, j] < deck:
                    below[cards[h, j], label[h]] += 1
        low = high
    for a in range(L):
        for b in range(L):
            total[a, b] += weight * (won[a, b] - won[b, a])
