"""Sums of what hands won, by the states that they came through.

Of one hand that was played much can be learned: its betting and its board would have come about with every pair of
hands in the two ranges, each with its own result. Such a pair counts with its share of all of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import KERNEL
from errai.play.kernels.public_state import deal, ending_of, rank, split, start, take, won_at_end
from errai.play.kernels.ranges import beaten, disjoint, product


@njit(**KERNEL)
def add_chances(game, boards, work, won, met):
    """Add the share won by each hand on these boards against all others, by the buckets that it has on the way.

    Places in `won` and `met` are first_bin of errai.play.kernels.public_state.Guess and the bucket.
    """
    deck, source = game.deck, game.guess.source
    rounds = game.betting.contexts.size
    nobody = np.zeros(2, np.int64)
    buckets = np.empty((rounds, deck.hole.shape[0]), np.int64)
    for i in range(boards.shape[0]):
        n = start(game, nobody, work)
        for round_ in range(rounds):
            n = deal(game, round_, boards[i], n, work)
            for h in range(buckets.shape[1]):
                buckets[round_, h] = work.bucket[source, h]
        live = work.live[:n]
        ties = rank(game, boards[i], work)
        disjoint(work.ranges[0], live, deck.pairs, deck.two_cards, work.sums[0], work.met)
        beaten(work.ranges[0], work.order, work.ties[:ties], deck.pairs, work.sums[0], work.won)
        for j in range(n):
            h = live[j]
            share = 0.5 + 0.5 * work.won[h] / work.met[h]
            for round_ in range(rounds):
                place = game.guess.first_bin[round_] + buckets[round_, h]
                won[place] += share
                met[place] += 1.0


@njit(**KERNEL)
def add_hands(game, boards, round_of, fold, ending, context_of, work, total, count):
    """Add the chips that each seat won at every node and leaf on the way, and how many hands were there.

    Places in `total` and `count` are those of errai.play.kernels.public_state.Guess.
    """
    betting, guess = game.betting, game.guess
    nobody = np.zeros(2, np.int64)
    for i in range(round_of.size):
        n, ties, end = start(game, nobody, work), 0, round_of[i]
        for round_ in range(end + 1):
            kind, number, context = ending_of(betting, round_, end, fold[i], ending[i], context_of[i])
            n = deal(game, round_, boards[i], n, work)
            if round_ == betting.contexts.size - 1:
                ties = rank(game, boards[i], work)
            for step in range(betting.length[round_, kind, number]):
                node = betting.node_at[round_, kind, number, step]
                action = betting.action_at[round_, kind, number, step]
                seat = betting.player[round_, node]
                split(game, seat, round_, context, node, work.live[:n], work)
                take(work.ranges[seat], work.shares, action, work.live[:n])
        live = work.live[:n]
        for seat in range(2):
            own = work.ranges[seat]
            won_at_end(game, seat, end, fold[i], ending[i], context_of[i], live, ties, work)
            weight = product(own, work.met, live)
            for round_ in range(end + 1):
                kind, number, context = ending_of(betting, round_, end, fold[i], ending[i], context_of[i])
                bins = work.bins[round_]
                steps = betting.length[round_, kind, number]
                for step in range(steps + 1 - kind):  # the leaf is a state of its own
                    state = betting.nodes[round_] + number
                    if step < steps:
                        state = betting.node_at[round_, kind, number, step]
                    at = ((state * betting.contexts[round_] + context) * 2 + seat) * guess.bins
                    at += guess.first[round_]
                    for j in range(n):
                        h = live[j]
                        if own[h] != 0.0:
                            total[at + bins[h]] += own[h] * work.value[h] / weight
                            count[at + bins[h]] += own[h] * work.met[h] / weight
