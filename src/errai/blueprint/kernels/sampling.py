"""CFR on sampled boards: all hands of both players on one run of boards, strategies kept by bucket.

One sample is a flop, a turn and a river drawn at random. The hands' rows are taken from their buckets, the engine's
kernels carry reach down and values up, and the regrets of the hands are added to their buckets. Below the first
round the lines (the ways in which it ends) are games of their own with 1, 9 and 81 contexts. A line is walked in some
samples only, with probability q, and what it returns to the first round is weighted by 1 / q; so are the chunks of
contexts of the last round.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.blueprint.kernels.arrays import SampleWeights
from errai.blueprint.kernels.buckets import cards_of, deal_boards
from errai.blueprint.kernels.opponent import both_enter, both_leave, last_round, last_two_rounds
from errai.blueprint.kernels.random import draw_cards, first_state, random_number
from errai.blueprint.kernels.runouts import deal_runout
from errai.engine.kernels.passes import take
from errai.kernels.options import INNER, KERNEL


@njit(**INNER)
def _power(t, exponent):
    """t ** exponent, a whole number, by multiplications: a library's power may round otherwise on another CPU."""
    power = 1.0
    for _ in range(exponent):
        power *= t
    return power


@njit(**INNER)
def _deal(deal, boards, workspace, number, seed):
    """Draw and fill the boards of a sample and their run-outs; those of the last level are its boards themselves."""
    last, deck = deal.public.size - 1, np.float64(deal.suits * deal.ranks)
    count, new = boards.level.size - last, deal.public[last] - deal.public[last - 1]
    workspace.random[0] = first_state(np.uint64(seed), np.uint64(number))
    cards = workspace.cards[0, : deal.public[last - 1] + count * new]
    draw_cards(workspace.random, deck, 0, cards)
    boards.first_tie[0] = 0
    deal_boards(cards, deal, boards, workspace)
    runouts, complete = workspace.runouts, workspace.cards[1, : deal.public[last]]
    for level in range(1, last + 1):
        for runout in range(runouts.first[level], runouts.first[level + 1]):
            if level == last:
                cards_of(last + runout - runouts.first[level], boards, deal.public, cards, complete)
            else:
                cards_of(level, boards, deal.public, cards, complete)
                draw_cards(workspace.random, deck, deal.public[level], complete)
            deal_runout(runouts, runout, complete, deal)


@njit(**KERNEL)
def train(thread, mine, theirs, stores, visits, schedule, counter, last_sample):
    """Samples from the shared counter until `last_sample`.

    mine        workspace of the player whose strategy is trained; theirs, of the CFR-BR opponent, if there is one
    """
    betting, boards, deal, sample = thread
    last = deal.public.size - 1
    several = boards.level.size - last > 1  # boards of the last round
    trunk = last - 1 if several else last  # the levels before the end
    number = take(counter)
    while number < last_sample:
        t = (number + 1) / 1000.0
        weights = SampleWeights(
            _power(t, schedule.regret_power), _power(t, schedule.average_power), schedule.floor
        )
        _deal(deal, boards, sample, number, schedule.seed)
        for player in range(2):
            both_enter(thread, 0, player, 0, stores, weights, mine, theirs)
            for line in range(betting.leaves[0]):
                if random_number(sample.random) >= visits.line[line]:
                    continue
                for i in range(1, deal.stake.size):
                    betting.stake[i] = deal.stake[i] + deal.line_stake[line]
                for level in range(1, trunk):
                    both_enter(thread, level, player, line, stores, weights, mine, theirs)
                if several:
                    last_two_rounds(thread, player, line, visits, stores, weights, mine, theirs)
                else:
                    last_round(thread, player, line, visits, stores, weights, mine, theirs)
                for level in range(trunk - 1, 0, -1):
                    probability = visits.line[line] if level == 1 else 1.0
                    both_leave(thread, level, player, line, probability, stores, weights, mine, theirs)
            both_leave(thread, 0, player, 0, 1.0, stores, weights, mine, theirs)
        number = take(counter)
