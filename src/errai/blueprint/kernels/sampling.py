"""CFR on sampled boards: all hands of both players on one run of boards, strategies kept by bucket.

One sample is a flop, a turn and a river drawn at random. The hands' rows are taken from their buckets, the engine's
kernels carry reach down and values up, and the regrets of the hands are added to their buckets. Below the first
round the lines (the ways in which it ends) are games of their own with 1, 9 and 81 contexts. A line is walked in some
samples only, with probability q, and what it returns to the first round is weighted by 1 / q; so are the chunks of
contexts of the last round.

Lines share nothing but the first round. That is played as it was at the beginning of a batch of samples: so threads
walk whole lines, each through all samples of the batch in turn, and what is learned is the same however many there
are. Against the CFR-BR opponent the two seats share nothing either.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.blueprint.kernels.arrays import SampleWeights, Stores
from errai.blueprint.kernels.buckets import cards_of, deal_boards
from errai.blueprint.kernels.opponent import both_enter, both_leave, last_round, last_two_rounds
from errai.blueprint.kernels.random import draw_cards, first_state, line_state, random_number
from errai.blueprint.kernels.runouts import deal_runout
from errai.blueprint.kernels.steps import chunk_on, enter
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


@njit(**INNER)
def _weights(schedule, number):
    t = (number + 1) / 1000.0
    return SampleWeights(_power(t, schedule.regret_power), _power(t, schedule.average_power), schedule.floor)


@njit(**INNER)
def _enter_first_round(thread, player, played, mine, theirs):
    """The reach of the opponent at the end of the first round and, if it is another, that of the player."""
    chunk = chunk_on(thread, 0, 0)
    if played.opponent_regret.size == 0:
        enter(thread, chunk, 0, player, played.regret, None, 0.0, mine)
    else:
        enter(thread, chunk, 0, player, played.opponent_regret, None, 0.0, mine)
        enter(thread, chunk, 0, 1 - player, played.regret, None, 0.0, theirs)


@njit(**INNER)
def _walk(thread, player, line, visits, stores, weights, mine, theirs):
    """One line on the boards of a sample, from the second round on."""
    betting, deal = thread.betting, thread.deal
    last = deal.public.size - 1
    several = thread.boards.level.size - last > 1  # boards of the last round
    trunk = last - 1 if several else last  # the levels before the end
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
        both_leave(thread, level, player, line, probability, stores, stores, weights, mine, theirs)


@njit(**INNER)
def _is_walked(thread, visits, schedule, number, line, player):
    """Whether a line is walked in a sample for a seat; the random numbers of that walk begin here."""
    random = thread.sample.random
    random[0] = line_state(np.uint64(schedule.seed), np.uint64(number), line, player)
    return random_number(random) < visits.line[line]


@njit(**KERNEL)
def walk_lines(thread, mine, theirs, stores, batch, visits, schedule, counter):
    """Tasks of a batch, taken from the shared counter: a line in all samples, for one seat or for both in turn.

    mine        workspace of the player whose strategy is trained; theirs, of the CFR-BR opponent, if there is one
    """
    random, lines = thread.sample.random, thread.betting.leaves[0]
    task = take(counter)
    while task < len(batch.task):
        line, first_seat, end_seat = batch.task[task]
        for number in range(batch.first, batch.last):
            dealt = False
            for player in range(first_seat, end_seat):
                returned = batch.leaf[number - batch.first, player, :, line]
                returned[:] = returned.dtype.type(0)
                if not _is_walked(thread, visits, schedule, number, line, player):
                    continue
                if not dealt:
                    state = random[0]
                    _deal(thread.deal, thread.boards, thread.sample, number, schedule.seed)
                    random[0], dealt = state, True
                _enter_first_round(thread, player, batch.played, mine, theirs)
                _walk(thread, player, line, visits, stores, _weights(schedule, number), mine, theirs)
                for hand in range(returned.shape[1]):
                    returned[0, hand] = mine.leaf[hand * lines + line]
                    returned[1, hand] = theirs.leaf[hand * lines + line]
        task = take(counter)


@njit(**KERNEL)
def learn_first_round(thread, mine, theirs, stores, batch, schedule):
    """What the lines of a batch have returned becomes regrets of the first round, sample by sample."""
    _deal(thread.deal, thread.boards, thread.sample, batch.first, schedule.seed)
    lines, played = thread.betting.leaves[0], batch.played
    playing = Stores(played.regret, played.opponent_regret, stores.average)
    for number in range(batch.first, batch.last):
        weights = _weights(schedule, number)
        for player in range(2):
            both_enter(thread, 0, player, 0, playing, weights, mine, theirs)
            returned = batch.leaf[number - batch.first, player]
            for line in range(lines):
                for hand in range(returned.shape[2]):
                    mine.leaf[hand * lines + line] = returned[0, line, hand]
                    theirs.leaf[hand * lines + line] = returned[1, line, hand]
            both_leave(thread, 0, player, 0, 1.0, stores, played, weights, mine, theirs)
