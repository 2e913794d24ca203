"""How often each class of hands beats each other one, board by board.

Legend: C classes of hands (169), padded to whole vectors.

On one board the hands are met in order of strength. `below[b]` counts the hands of class b met so far,
`with_card[c, b]` those of them that hold card c. A hand of class a with the cards c and d beats

    below[b] - with_card[c, b] - with_card[d, b]

hands of each class b: all the weaker ones that share no card with it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.cards.strength import ACPC, NO_STRENGTH, end_of_ties, strengths_into

PADDED = 176  # classes, a multiple of 16
BOARD = 5
_RANK_BITS = 13
_SUIT_MASK = (1 << _RANK_BITS) - 1


@njit(cache=True, nogil=True)
def river_boards():
    """([B, 5] cards, [B] how many boards each stands for): one board of each class of suit-isomorphic ones.

    The cards of a suit are a set of ranks; a board is the one of its class whose four sets are in falling order.
    """
    boards = np.empty((134_459, BOARD), np.uint8)
    stands_for = np.empty(134_459, np.int32)
    count = 0
    cards = np.empty(BOARD, np.uint8)
    sets = np.empty(4, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                        sets[:] = 0
                        for card in cards:
                            sets[card % 4] |= 1 << (card // 4)
                        if sets[0] < sets[1] or sets[1] < sets[2] or sets[2] < sets[3]:
                            continue
                        orbit, run = 24, 1
                        for suit in range(1, 4):
                            run = run + 1 if sets[suit] == sets[suit - 1] else 1
                            orbit //= run
                        boards[count] = cards
                        stands_for[count] = orbit
                        count += 1
    return boards[:count], stands_for[:count]


@njit(cache=True, nogil=True)
def count_wins(boards, stands_for, hands, class_of, wins):
    """Adds to wins[a, b] the deals in which a hand of class a beats one of class b, over some boards."""
    strength = np.empty(len(hands), np.int32)
    below = np.empty(PADDED, np.int16)
    with_card = np.empty((52, PADDED), np.int16)
    for board in range(len(boards)):
        strengths_into(hands, boards[board], 4, 13, ACPC, strength)
        order = np.argsort(strength)
        below[:] = 0
        with_card[:] = 0
        weight = np.int32(stands_for[board])
        place = 0
        while strength[order[place]] == NO_STRENGTH:
            place += 1
        while place < len(order):
            end = end_of_ties(strength, order, place, len(order))
            for met in range(place, end):
                hand = order[met]
                row, one, two = wins[class_of[hand]], with_card[hands[hand, 0]], with_card[hands[hand, 1]]
                for other in range(PADDED):
                    row[other] += weight * np.int32(below[other] - one[other] - two[other])
            for met in range(place, end):
                hand = order[met]
                below[class_of[hand]] += 1
                with_card[hands[hand, 0], class_of[hand]] += 1
                with_card[hands[hand, 1], class_of[hand]] += 1
            place = end
