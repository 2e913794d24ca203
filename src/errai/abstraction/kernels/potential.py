"""How much a hand may gain: opponents that are ahead now and behind at the end.

For one board and one run-out, in hands o that share no card with the hand h = (x, y),

    gain_h = #{o : now_o > now_h and end_o < end_h}

Hands are met in order of their strength at the end, and those met are counted by their rank now in a binary indexed
tree [ranks now, cards + 1], whose last column counts all hands: one sort and N log N steps a run-out.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.abstraction.kernels.strengths import run_outs, sort_live, sorting
from errai.cards.strength import NO_STRENGTH, end_of_ties, strengths_into


@njit(cache=True, nogil=True, error_model="numpy")
def add_gains(board, ends, weight, of, gained, dealt):
    """For one board: gained[h] += weight * gain_h over the ends (full boards) and dealt[h] += weight."""
    hands, pairs, deck, suits, ranks, ranking = of
    N = hands.shape[0]
    both = hands.shape[1] - 1
    strength = np.empty(N, np.int32)
    order = np.empty(N, np.int32)
    other = np.empty(N, np.int32)
    scratch = sorting(N)
    # The best hand now has rank 1, so that those ahead of a hand are a prefix of the tree.
    now = np.zeros(N, np.int32)
    strengths_into(hands, board, suits, ranks, ranking, strength)
    live = sort_live(strength, order, other, scratch)
    rank = 0
    before = np.int32(NO_STRENGTH)
    for i in range(live - 1, -1, -1):
        hand = order[i]
        if strength[hand] != before:
            before = strength[hand]
            rank += 1
        now[hand] = rank
    tree = np.empty((rank + 1, deck + 1), np.int16)
    for s in range(ends.shape[0]):
        strengths_into(hands, ends[s], suits, ranks, ranking, strength)
        live = sort_live(strength, order, other, scratch)
        tree[:] = 0
        start = 0
        while start < live:
            end = end_of_ties(strength, order, start, live)
            for i in range(start, end):
                hand = order[i]
                x, y = pairs[hand, 0], pairs[hand, 1]
                at = now[hand] - 1
                gain = 0
                while at > 0:
                    gain += tree[at, deck] - tree[at, x]
                    if both:
                        gain -= tree[at, y]
                    at &= at - 1
                gained[hand] += weight[s] * gain
                dealt[hand] += weight[s]
            for i in range(start, end):
                hand = order[i]
                at = now[hand]
                while at <= rank:
                    tree[at, deck] += 1
                    tree[at, pairs[hand, 0]] += 1
                    if both:
                        tree[at, pairs[hand, 1]] += 1
                    at += at & -at
            start = end


@njit(cache=True, nogil=True, error_model="numpy")
def add_all_gains(boards, of, run_out, gained, dealt):
    """The same for several boards and all their run-outs."""
    drawn = np.empty(of.deck, np.int64)
    ends = np.empty((run_out.sets, run_out.full), np.uint8)
    once = np.ones(run_out.sets, np.int64)
    for b in range(boards.shape[0]):
        run_outs(boards[b], of.deck, drawn, ends)
        add_gains(boards[b], ends, once, of, gained[b], dealt[b])
