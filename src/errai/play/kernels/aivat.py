"""AIVAT for one hand after the other (Burch, Schmid, Moravcik and Bowling 2018), on ranges.

A hand is followed as a public state s with two ranges (errai.play.kernels.public_state), and pairs of hands have the
weight w = reach of both. Let u(s) be any guess of what seat 0 wins from s on, and

    V(s) = sum w u / sum w

The estimate is what seat 0 wins on average over the pairs where the hand ended, and at every deal and every decision
of a known player on the way

    + sum over what could have happened of its probability x V after it  -  V after what happened

whose mean is zero whatever u is: it takes out the luck that u knows of. Here u is half of what the hand of seat 0 and
half of what that of seat 1 is worth (errai.play.values); folds and showdowns are worth what they are. With r the
range of one player, m what a hand meets of the other's, x what it wins against it,

    sum w = sum over hands of r m        sum w u = sum over hands of r x
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.blueprint.kernels.buckets import look_up
from errai.kernels.options import INNER, KERNEL
from errai.play.kernels.public_state import (
    FOLD,
    LEAF,
    UNKNOWN,
    deal,
    ending_of,
    leaf_of,
    rank,
    split,
    stake_of,
    start,
    take,
    won_at_end,
)
from errai.play.kernels.ranges import beaten, card_sums, disjoint, product, scaled


@njit(**INNER)
def _guess_at(game, round_, state, context, seat):
    """[bins] what a hand of a seat is worth at a state."""
    guess = game.guess
    at = ((state * game.betting.contexts[round_] + context) * 2 + seat) * guess.bins
    start = guess.first[round_] + at
    return guess.value[start : start + guess.bins]


@njit(**INNER)
def _guessed(game, seat, round_, state, context, live, work):
    """value[h] = what a seat's hand wins at a state against the other's range, by the guess; met[h] is known."""
    own = _guess_at(game, round_, state, context, seat)
    other = _guess_at(game, round_, state, context, 1 - seat)
    bins, weights = work.bins[round_], work.ranges[1 - seat]
    for i in range(live.size):
        h = live[i]
        work.part[h] = weights[h] * other[bins[h]]
    disjoint(work.part, live, game.deck.pairs, game.deck.two_cards, work.sums[0], work.value)
    for i in range(live.size):
        h = live[i]
        work.value[h] = 0.5 * (own[bins[h]] * work.met[h] - work.value[h])


@njit(**INNER)
def _decide(game, seat, round_, context, node, action, live, ties, work):
    """The correction of a decision of a known player, whose range becomes that after the action taken."""
    betting, deck = game.betting, game.deck
    own, other = work.ranges[seat], work.ranges[1 - seat]
    disjoint(other, live, deck.pairs, deck.two_cards, work.sums[0], work.met)
    split(game, seat, round_, context, node, live, work)
    last = round_ == betting.contexts.size - 1
    if last:
        beaten(other, work.order, work.ties[:ties], deck.pairs, work.sums[0], work.won)
    stake = stake_of(betting, round_, context)
    weight, expected, happened = 0.0, 0.0, 0.0
    for tried in range(betting.actions[round_, node]):
        kind, child = betting.kind[round_, node, tried], betting.child[round_, node, tried]
        if kind == FOLD:
            amount = stake + betting.fold[round_, child]
            scaled(-amount if betting.loser[round_, child] == seat else amount, work.met, live, work.value)
        elif kind == LEAF and last:
            scaled(stake + betting.leaf[round_, child], work.won, live, work.value)
        else:
            state = betting.nodes[round_] + child if kind == LEAF else child
            _guessed(game, seat, round_, state, context, live, work)
        found, reached = 0.0, 0.0
        for i in range(live.size):
            h = live[i]
            w = own[h] * work.shares[tried, h]
            found += w * work.value[h]
            reached += w * work.met[h]
        expected += found
        weight += reached
        if tried == action:
            happened = found / reached
    take(own, work.shares, action, live)
    found = expected / weight - happened
    return found if seat == 0 else -found


@njit(**INNER)
def _ways(left, new):
    found = 1.0
    for j in range(new):
        found = found * (left - j) / (j + 1)
    return found


@njit(**INNER)
def _held(weights, two_cards, low, high):
    """The weight of the hand of two cards, if hands have two."""
    if two_cards == 0.0:
        return 0.0
    return weights[max(low, high) * (max(low, high) - 1) // 2 + min(low, high)]


@njit(**INNER)
def _without(weights, total, sums, cards, two_cards, into):
    """The total and the sums of cards of a range that loses all hands with some cards."""
    for card in range(into.size):
        into[card] = sums[card]
    for j in range(cards.size):
        total -= sums[cards[j]]
        for k in range(j):
            total += _held(weights, two_cards, cards[j], cards[k])
    for card in range(into.size - 1):
        for j in range(cards.size):
            if cards[j] != card:
                into[card] -= _held(weights, two_cards, cards[j], card)
    return total


@njit(**INNER)
def _expected_deal(game, round_, context, board, live, work):
    """The mean of V over all cards that a round can deal, given both ranges before it."""
    betting, deck, guess = game.betting, game.deck, game.guess
    pairs, two_cards = deck.pairs, deck.two_cards
    low, high = betting.public[round_ - 1], betting.public[round_]
    new, zero = high - low, np.int64(0)
    known, scratch, chosen = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16, np.int64)
    free, left = np.empty(deck.size, np.int64), 0
    taken = np.zeros(deck.size + 1, np.bool_)
    for j in range(low):
        known[j] = board[j]
        taken[board[j]] = True
    for card in range(deck.size):
        if not taken[card]:
            free[left] = card
            left += 1
    for j in range(new):
        chosen[j] = j
    first, second = work.ranges[0], work.ranges[1]
    first_total = card_sums(first, live, pairs, work.sums[0])
    second_total = card_sums(second, live, pairs, work.sums[1])
    # The live hands side by side: their weights in both ranges, and their cards.
    weights, cards = np.empty((2, live.size)), np.empty((2, live.size), np.uint8)
    for i in range(live.size):
        h = live[i]
        work.before[i] = work.bucket[guess.source, h]
        for j in range(2):
            weights[j, i], cards[j, i] = work.ranges[j, h], pairs[h, j]
    cells, bin_of = work.place[0, : live.size], guess.bin_of[guess.first_bin[round_] :]
    value_0, value_1 = (
        _guess_at(game, round_, zero, context, zero),
        _guess_at(game, round_, zero, context, zero + 1),
    )
    sums = np.empty((2, deck.size + 1))
    found = 0.0
    while True:
        for j in range(new):
            known[low + j] = free[chosen[j]]
            taken[free[chosen[j]]] = True
        first_left = _without(first, first_total, work.sums[0], known[low:high], two_cards, sums[0])
        second_left = _without(second, second_total, work.sums[1], known[low:high], two_cards, sums[1])
        look_up(game.buckets[guess.source], round_, known[:high], live, work.before, scratch, cells)
        mine, theirs = 0.0, 0.0
        for i in range(live.size):
            a, b = cards[0, i], cards[1, i]
            if taken[a] or taken[b]:
                continue
            own, other, bin_ = weights[0, i], weights[1, i], bin_of[cells[i]]
            mine += own * value_0[bin_] * (second_left - sums[1, a] - sums[1, b] + two_cards * other)
            theirs += other * value_1[bin_] * (first_left - sums[0, a] - sums[0, b] + two_cards * own)
        found += mine - theirs
        for j in range(new):
            taken[free[chosen[j]]] = False
        j = new - 1
        while j >= 0 and chosen[j] == left - new + j:
            j -= 1
        if j < 0:
            break
        chosen[j] += 1
        for later in range(j + 1, new):
            chosen[later] = chosen[later - 1] + 1
    disjoint(second, live, pairs, two_cards, work.sums[1], work.met)
    weight = product(first, work.met, live) * _ways(deck.size - low - 2 * deck.hole.shape[1], new)
    return 0.5 * found / weight


@njit(**KERNEL)
def first_values(game, seat, round_, context, boards, weight, work, value, met, own):
    """What a seat's hands win at the beginning of a round against all that the other may hold, by the guess.

    For the first round, `boards` is the empty one. For the second they are one of each class under renaming of suits,
    with the number of boards that it stands for as its `weight`: of hands that suits make alike the mean is that of
    all boards. met[h] is the weight of the opponent's range before the boards, own[h] that of the hand.
    """
    deck, betting, zero = game.deck, game.betting, np.int64(0)
    n = start(game, np.zeros(2, np.int64), work)
    if game.plays[seat].kind == UNKNOWN:
        work.ranges[seat, :] = 1.0
    n = deal(game, zero, boards[0], n, work)
    if round_ > 0:
        leaf, before = leaf_of(betting, zero, context)
        for step in range(betting.length[0, 0, leaf]):
            node, action = betting.node_at[0, 0, leaf, step], betting.action_at[0, 0, leaf, step]
            actor = betting.player[0, node]
            if game.plays[actor].kind != UNKNOWN:
                split(game, actor, zero, before, node, work.live[:n], work)
                take(work.ranges[actor], work.shares, action, work.live[:n])
    ranges, buckets = work.ranges.copy(), work.bucket.copy()
    disjoint(ranges[1 - seat], work.live[:n], deck.pairs, deck.two_cards, work.sums[0], met)
    for h in range(n):
        own[h] = ranges[seat, h]
    for board in range(boards.shape[0]):
        kept = n
        if round_ > 0:
            for h in range(n):  # nobody has folded a hand before the first board
                work.live[h] = h
                for player in range(2):
                    work.ranges[player, h], work.bucket[player, h] = ranges[player, h], buckets[player, h]
            kept = deal(game, round_, boards[board], n, work)
        live = work.live[:kept]
        disjoint(work.ranges[1 - seat], live, deck.pairs, deck.two_cards, work.sums[0], work.met)
        _guessed(game, seat, round_, zero, context, live, work)
        for i in range(kept):
            value[live[i]] += weight[board] * work.value[live[i]]


@njit(**KERNEL)
def aivat(game, boards, hands, round_of, fold, ending, context_of, dealt, first_deals, work, estimate, plain):
    """estimate[i] = AIVAT of a hand, plain[i] = without corrections: the mean over the hands of known players.

    `dealt` are the corrections for the hands that were dealt to players not known, `first_deals` what V is on average
    after the first public cards.
    """
    betting, deck = game.betting, game.deck
    last, zero = betting.contexts.size - 1, np.int64(0)
    for i in range(round_of.size):
        n = start(game, hands[i], work)
        found, ties, end = dealt[i], zero, round_of[i]
        for round_ in range(end + 1):
            kind, number, context = ending_of(betting, round_, end, fold[i], ending[i], context_of[i])
            expected = first_deals[i]
            if round_ > 1:
                expected = _expected_deal(game, round_, context, boards[i], work.live[:n], work)
            n = deal(game, round_, boards[i], n, work)
            live = work.live[:n]
            if round_ > 0:
                disjoint(work.ranges[1], live, deck.pairs, deck.two_cards, work.sums[0], work.met)
                _guessed(game, zero, round_, zero, context, live, work)
                found += expected - product(work.ranges[0], work.value, live) / product(
                    work.ranges[0], work.met, live
                )
            if round_ == last:
                ties = rank(game, boards[i], work)
            for step in range(betting.length[round_, kind, number]):
                node = betting.node_at[round_, kind, number, step]
                action = betting.action_at[round_, kind, number, step]
                seat = betting.player[round_, node]
                if game.plays[seat].kind != UNKNOWN:
                    found += _decide(game, seat, round_, context, node, action, live, ties, work)
        live = work.live[:n]
        won_at_end(game, zero, end, fold[i], ending[i], context_of[i], live, ties, work)
        plain[i] = product(work.ranges[0], work.value, live) / product(work.ranges[0], work.met, live)
        estimate[i] = plain[i] + found
