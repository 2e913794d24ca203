"""Sums of what hands won, by the states that they came through.

Of one hand that was played much can be learned: its betting and its board would have come about with every pair of
hands in the two ranges, each with its own result. Such a pair counts with its share of all of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import INNER, KERNEL
from errai.play.kernels.public_state import deal, ending_of, rank, split, start, take, won_at_end
from errai.play.kernels.ranges import product


@njit(**INNER)
def _add_chances(game, end, live, work, total, count):
    """Add the share that each hand wins against all others, by the buckets that it had on the way."""
    for i in range(live.size):
        h = live[i]
        share = 0.5 + 0.5 * work.won[h] / work.met[h]
        for round_ in range(end + 1):
            place = game.guess.first_bin[round_] + work.buckets[round_, h]
            total[place] += share
            count[place] += 1.0


@njit(**INNER)
def _add_chips(game, seat, end, fold, ending, context_of, live, work, total, count):
    """Add what each hand of a seat won at every node and leaf on the way, and its share of all that came here."""
    betting, guess, own = game.betting, game.guess, work.ranges[seat]
    weight = product(own, work.met, live)
    for round_ in range(end + 1):
        kind, number, context = ending_of(betting, round_, end, fold, ending, context_of)
        bins = work.bins[round_]
        steps = betting.length[round_, kind, number]
        for step in range(steps + 1 - kind):  # the leaf is a state of its own
            state = betting.nodes[round_] + number
            if step < steps:
                state = betting.node_at[round_, kind, number, step]
            at = ((state * betting.contexts[round_] + context) * 2 + seat) * guess.bins + guess.first[round_]
            for i in range(live.size):
                h = live[i]
                if own[h] != 0.0:
                    total[at + bins[h]] += own[h] * work.value[h] / weight
                    count[at + bins[h]] += own[h] * work.met[h] / weight


@njit(**KERNEL)
def learn(game, chances, boards, round_of, fold, ending, context_of, work, total, count):
    """Add to `total` what hands won, and to `count` how many there were.

    Of `chances`: as if everybody had called everything, by the buckets of all rounds, whose places are
    Guess.first_bin + bucket (errai.play.kernels.public_state). Otherwise chips, by state, seat and bin, whose places
    are those of Guess.value.
    """
    betting = game.betting
    last, nobody, zero = betting.contexts.size - 1, np.zeros(2, np.int64), np.int64(0)
    for i in range(round_of.size):
        n, ties, end = start(game, nobody, work), zero, round_of[i]
        if chances:
            end = last
        for round_ in range(end + 1):
            n = deal(game, round_, boards[i], n, work)
            if round_ == last:
                ties = rank(game, boards[i], work)
            if chances:
                continue
            kind, number, context = ending_of(betting, round_, end, fold[i], ending[i], context_of[i])
            for step in range(betting.length[round_, kind, number]):
                node = betting.node_at[round_, kind, number, step]
                action = betting.action_at[round_, kind, number, step]
                seat = betting.player[round_, node]
                split(game, seat, round_, context, node, work.live[:n], work)
                take(work.ranges[seat], work.shares, action, work.live[:n])
        live = work.live[:n]
        for seat in range(1 if chances else 2):
            won_at_end(game, seat, end, fold[i] and not chances, ending[i], context_of[i], live, ties, work)
            if chances:
                _add_chances(game, end, live, work, total, count)
            else:
                _add_chips(game, seat, end, fold[i], ending[i], context_of[i], live, work, total, count)
