"""Sums of what hands won, by the states that they came through."""

from __future__ import annotations

from numba import njit

from errai.kernels.options import KERNEL
from errai.play.kernels.aivat import leaf_of


@njit(**KERNEL)
def add_hands(betting, first, bins, bin_of_hand, round_of, fold, ending, context_of, chips, total, count):
    """Add the chips that each seat won at every node and leaf on the way; bin_of_hand [rounds, n, seats].

    Places in `total` and `count` are those of errai.play.kernels.aivat.Guess.
    """
    for i in range(round_of.size):
        end = round_of[i]
        for round_ in range(end + 1):
            kind, number, context = 0, 0, 0
            if round_ < end:
                number, context = leaf_of(betting, round_, context_of[i])
            else:
                kind, number, context = int(fold[i]), ending[i], context_of[i]
            steps = betting.length[round_, kind, number]
            for step in range(steps + 1 - kind):  # the leaf is a state of its own
                if step < steps:
                    state = betting.node_at[round_, kind, number, step]
                else:
                    state = betting.nodes[round_] + number
                for seat in range(2):
                    at = ((state * betting.contexts[round_] + context) * 2 + seat) * bins
                    at += first[round_] + bin_of_hand[round_, i, seat]
                    total[at] += chips[i] if seat == 0 else -chips[i]
                    count[at] += 1
