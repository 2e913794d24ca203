"""AIVAT for one hand after the other (Burch, Schmid, Moravcik and Bowling 2018), on ranges.

Of a player whose strategy is known, the hand that was held is one of many that would have come here as well. So a
hand is followed as a public state s with two ranges, and pairs of hands have the weight w = reach of both. A player
who is not known has a range of one hand, the one that was held. Let u(s) be any guess of what seat 0 wins from s on,
and

    V(s) = sum w u / sum w

The estimate is what seat 0 wins on average over the pairs where the hand ended, and at every deal and every decision
of a known player on the way

    + sum over what could have happened of its probability x V after it  -  V after what happened

whose mean is zero whatever u is: it takes out the luck that u knows of. Here u is half of what the hand of seat 0 and
half of what that of seat 1 is worth (errai.play.values); folds and showdowns are worth what they are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from errai.blueprint.kernels.buckets import Buckets, look_up
from errai.cards.strength import rank_hands
from errai.engine.kernels.arrays import Ints
from errai.kernels.options import INNER, KERNEL
from errai.play.kernels.ranges import block, pair_weight, share_of, showdown, worth

NODE, FOLD, LEAF = 0, 1, 2


class Betting(NamedTuple):
    """The templates of all rounds. L rounds; what there is less of in a round is filled up with zeros."""

    contexts: Ints  # [L]
    public: Ints  # [L] cards on the board
    nodes: Ints  # [L] decisions of the template
    player: Ints  # [L, nodes]
    row: Ints  # [L, nodes] first of its rows
    actions: Ints  # [L, nodes]
    kind: Ints  # [L, nodes, 3] what follows an action: NODE, FOLD or LEAF
    child: Ints  # [L, nodes, 3] its number
    loser: Ints  # [L, folds]
    fold: Ints  # [L, folds] chips lost in the round
    leaf: Ints  # [L, leaves] chips that each has put in during the round
    stake: Ints  # [contexts of all rounds] chips that each has put in before
    first_stake: Ints  # [L]
    length: Ints  # [L, 2, endings] decisions on the way to a leaf (0) or a fold (1)
    node_at: Ints  # [L, 2, endings, most]
    action_at: Ints  # [L, 2, endings, most]


class Deck(NamedTuple):
    """The hands of a game. N hands."""

    hole: np.ndarray  # [N, hole cards] uint8
    pairs: np.ndarray  # [N, 2] uint8; a hand of one card has a second one, `size`
    numbers: Ints  # [N] 0, 1, 2, ...
    size: int
    suits: int
    ranks: int
    ranking: int


class Plays(NamedTuple):
    """What a seat plays: the weight of a row at first + (context * buckets + bucket) * rows + row, round by round."""

    weights: np.ndarray
    first: Ints  # [L]
    rows: Ints  # [L]
    buckets: Ints  # [L]
    by_hand: bool  # otherwise one row for all contexts and buckets
    known: bool
    source: int  # whose buckets it plays by: 0 or 1


class Guess(NamedTuple):
    """u: the value at first + ((state * contexts + context) * 2 + seat) * bins + bin.

    States are the nodes of the round, then its leaves.
    """

    value: np.ndarray  # float32
    first: Ints  # [L]
    bins: int
    bin_of: np.ndarray  # uint8, bucket -> bin, round after round
    first_bin: Ints  # [L]
    source: int  # whose buckets it goes by


class Work(NamedTuple):
    """What one thread works in."""

    ranges: np.ndarray  # [2, N] float64
    after: np.ndarray  # [2, N] float64
    bucket: np.ndarray  # [2, N] int64, by source
    before: np.ndarray  # [2, N] int64
    trial: np.ndarray  # [N] int64
    bins: np.ndarray  # [N] uint8
    trial_bins: np.ndarray  # [N] uint8
    sums: np.ndarray  # [deck + 1] float64
    strength: np.ndarray  # [N] int32
    keys: np.ndarray  # [N] int64
    order: np.ndarray  # [N] int64
    ties: np.ndarray  # [N] int32


class Game(NamedTuple):
    """All that stays the same from hand to hand."""

    betting: Betting
    deck: Deck
    buckets: tuple[Buckets, Buckets]
    plays: tuple[Plays, Plays]  # by seat
    guess: Guess


@njit(**INNER)
def _stake(betting, round_, context):
    return betting.stake[betting.first_stake[round_] + context]


@njit(**INNER)
def _values(game, round_, state, context, seat):
    """[bins] what a hand of a seat is worth at a state."""
    guess = game.guess
    at = ((state * game.betting.contexts[round_] + context) * 2 + seat) * guess.bins
    start = guess.first[round_] + at
    return guess.value[start : start + guess.bins]


@njit(**INNER)
def _guessed(game, round_, state, context, first, second, bins, sums):
    """sum w u for two ranges, by seat, at a state."""
    deck = game.deck
    hole_cards = deck.hole.shape[1]
    mine = worth(first, second, deck.pairs, hole_cards, sums, _values(game, round_, state, context, 0), bins)
    other = worth(second, first, deck.pairs, hole_cards, sums, _values(game, round_, state, context, 1), bins)
    return 0.5 * (mine - other)


@njit(**INNER)
def _find_bins(game, round_, buckets, bins):
    start = game.guess.first_bin[round_]
    for h in range(buckets.size):
        bins[h] = game.guess.bin_of[start + buckets[h]]


@njit(**INNER)
def _enter(game, round_, board, work):
    """The buckets and bins of all hands on the board of a round."""
    known, scratch = np.empty(16, np.int64), np.empty(16, np.int64)
    public = game.betting.public[round_]
    for j in range(public):
        known[j] = board[j]
    numbers = game.deck.numbers
    for source in range(2):
        for h in range(numbers.size):
            work.before[source, h] = work.bucket[source, h]
    look_up(game.buckets[0], round_, known[:public], numbers, work.before[0], scratch, work.bucket[0])
    look_up(game.buckets[1], round_, known[:public], numbers, work.before[1], scratch, work.bucket[1])
    _find_bins(game, round_, work.bucket[game.guess.source], work.bins)


@njit(**INNER)
def _deal(game, round_, board, work):
    """Take the cards that a round deals out of both ranges."""
    low = game.betting.public[round_ - 1] if round_ else 0
    for j in range(low, game.betting.public[round_]):
        for seat in range(2):
            block(work.ranges[seat], game.deck.pairs, board[j])


@njit(**INNER)
def _split(plays, betting, own, round_, context, node, action, buckets, into):
    """into = a range after an action."""
    actions = betting.actions[round_, node]
    first = plays.first[round_] + betting.row[round_, node]
    if plays.by_hand:
        first += context * plays.buckets[round_] * plays.rows[round_]
    for h in range(own.size):
        w = own[h]
        if w != 0.0:
            place = first
            if plays.by_hand:
                place += buckets[h] * plays.rows[round_]
            w *= share_of(plays.weights, place, action, actions)
        into[h] = w


@njit(**INNER)
def _act(game, seat, round_, context, node, action, work, into):
    """into = the range of a seat after an action."""
    own = work.ranges[seat]
    if seat == 0:
        buckets = work.bucket[game.plays[0].source]
        _split(game.plays[0], game.betting, own, round_, context, node, action, buckets, into)
    else:
        buckets = work.bucket[game.plays[1].source]
        _split(game.plays[1], game.betting, own, round_, context, node, action, buckets, into)


@njit(**INNER)
def _child(game, round_, context, node, action, first, second, live, ties, work):
    """sum w u after an action, with the ranges after it."""
    betting = game.betting
    kind, child = betting.kind[round_, node, action], betting.child[round_, node, action]
    stake = _stake(betting, round_, context)
    if kind == FOLD:
        amount = stake + betting.fold[round_, child]
        sign = 1.0 if betting.loser[round_, child] == 1 else -1.0
        weight = pair_weight(first, second, game.deck.pairs, game.deck.hole.shape[1], work.sums)
        return sign * amount * weight
    if kind == LEAF and round_ == betting.contexts.size - 1:
        amount = stake + betting.leaf[round_, child]
        return amount * showdown(
            first, second, game.deck.pairs, game.deck.hole.shape[1], work.order, work.ties, live, ties,
            work.sums,
        )  # fmt: skip
    state = child if kind == NODE else betting.nodes[round_] + child
    return _guessed(game, round_, state, context, first, second, work.bins, work.sums)


@njit(**INNER)
def _decide(game, seat, round_, context, node, action, live, ties, work):
    """The correction of a decision of a known player, whose range becomes that after the action taken."""
    pairs, hole_cards = game.deck.pairs, game.deck.hole.shape[1]
    weight = pair_weight(work.ranges[0], work.ranges[1], pairs, hole_cards, work.sums)
    expected, happened = 0.0, 0.0
    for other in range(game.betting.actions[round_, node] + 1):
        # The action that was taken comes last, and its range stays.
        tried = action if other == game.betting.actions[round_, node] else other
        if tried == action and other != game.betting.actions[round_, node]:
            continue
        after = work.after[seat]
        _act(game, seat, round_, context, node, tried, work, after)
        first = after if seat == 0 else work.ranges[0]
        second = work.ranges[1] if seat == 0 else after
        found = _child(game, round_, context, node, tried, first, second, live, ties, work)
        expected += found
        if tried == action:
            happened = found / pair_weight(first, second, pairs, hole_cards, work.sums)
    work.ranges[seat, :] = work.after[seat]
    return expected / weight - happened


@njit(**INNER)
def _ways(left, new):
    found = 1.0
    for j in range(new):
        found = found * (left - j) / (j + 1)
    return found


@njit(**INNER)
def _expected_deal(game, round_, context, board, work):
    """The mean of V over all cards that a round can deal, given both ranges before it."""
    betting, deck = game.betting, game.deck
    low, high = betting.public[round_ - 1], betting.public[round_]
    new = high - low
    known, scratch, chosen = np.empty(16, np.int64), np.empty(16, np.int64), np.empty(16, np.int64)
    free, left = np.empty(deck.size, np.int64), 0
    for card in range(deck.size):
        taken = False
        for j in range(low):
            taken |= board[j] == card
        if not taken:
            free[left] = card
            left += 1
    for j in range(low):
        known[j] = board[j]
    for j in range(new):
        chosen[j] = j
    source = game.guess.source
    total = 0.0
    while True:
        for seat in range(2):
            work.after[seat, :] = work.ranges[seat]
        for j in range(new):
            known[low + j] = free[chosen[j]]
            for seat in range(2):
                block(work.after[seat], deck.pairs, free[chosen[j]])
        if source == 0:
            look_up(game.buckets[0], round_, known[:high], deck.numbers, work.bucket[0], scratch, work.trial)
        else:
            look_up(game.buckets[1], round_, known[:high], deck.numbers, work.bucket[1], scratch, work.trial)
        _find_bins(game, round_, work.trial, work.trial_bins)
        total += _guessed(game, round_, 0, context, work.after[0], work.after[1], work.trial_bins, work.sums)
        j = new - 1
        while j >= 0 and chosen[j] == left - new + j:
            j -= 1
        if j < 0:
            break
        chosen[j] += 1
        for later in range(j + 1, new):
            chosen[later] = chosen[later - 1] + 1
    hole_cards = deck.hole.shape[1]
    weight = pair_weight(work.ranges[0], work.ranges[1], deck.pairs, hole_cards, work.sums)
    return total / (weight * _ways(deck.size - low - 2 * hole_cards, new))


@njit(**INNER)
def _start(game, hands, work):
    """Both ranges before anybody acts, and the correction for the hands that were dealt to players not known."""
    work.bucket[:] = 0
    work.ranges[:] = 1.0
    _enter(game, 0, np.empty(0, np.uint8), work)
    if game.plays[0].known and game.plays[1].known:
        return 0.0
    deck = game.deck
    hole_cards = deck.hole.shape[1]
    any_hands = _guessed(game, 0, 0, 0, work.ranges[0], work.ranges[1], work.bins, work.sums)
    any_hands /= pair_weight(work.ranges[0], work.ranges[1], deck.pairs, hole_cards, work.sums)
    for seat in range(2):
        known = game.plays[0].known if seat == 0 else game.plays[1].known
        if not known:
            work.ranges[seat, :] = 0.0
            work.ranges[seat, hands[seat]] = 1.0
            for j in range(hole_cards):
                block(work.ranges[1 - seat], deck.pairs, deck.pairs[hands[seat], j])
    these = _guessed(game, 0, 0, 0, work.ranges[0], work.ranges[1], work.bins, work.sums)
    these /= pair_weight(work.ranges[0], work.ranges[1], deck.pairs, hole_cards, work.sums)
    return any_hands - these


@njit(**INNER)
def leaf_of(betting, round_, context):
    """(leaf, context) with which a round was left, of a hand that came to a context of a later one."""
    K = betting.contexts[round_]
    return context % betting.contexts[round_ + 1] // K, context % K


@njit(**INNER)
def _play_round(game, round_, kind, ending, context, live, ties, work):
    """The corrections of the decisions of a round, on the way to a leaf (0) or a fold (1)."""
    betting = game.betting
    found = 0.0
    for step in range(betting.length[round_, kind, ending]):
        node, action = (
            betting.node_at[round_, kind, ending, step],
            betting.action_at[round_, kind, ending, step],
        )
        seat = betting.player[round_, node]
        known = game.plays[0].known if seat == 0 else game.plays[1].known
        if known:
            found += _decide(game, seat, round_, context, node, action, live, ties, work)
    return found


@njit(**KERNEL)
def expected_first_deals(game, context, hands, work):
    """What V is on average after the first public cards, where the first round has ended in a context."""
    _start(game, hands, work)
    leaf, before = leaf_of(game.betting, 0, context)
    _play_round(game, 0, 0, leaf, before, 0, 0, work)
    return _expected_deal(game, 1, context, np.empty(0, np.uint8), work)


@njit(**KERNEL)
def aivat(game, boards, hands, round_of, fold, ending, context_of, first_deals, work, estimate, plain):
    """estimate[i] = AIVAT of a hand, plain[i] = without corrections: the mean over the hands of known players.

    `first_deals` are `expected_first_deals` of each hand.
    """
    betting, deck = game.betting, game.deck
    hole_cards, last = deck.hole.shape[1], betting.contexts.size - 1
    for i in range(round_of.size):
        found = _start(game, hands[i], work)
        live, ties = 0, 0
        end = round_of[i]
        for round_ in range(end + 1):
            if round_ < end:
                kind = 0
                number, context = leaf_of(betting, round_, context_of[i])
            else:
                kind, number, context = np.int64(fold[i]), ending[i], context_of[i]
            if round_ > 0:
                expected = first_deals[i]
                if round_ > 1:
                    expected = _expected_deal(game, round_, context, boards[i], work)
                _deal(game, round_, boards[i], work)
                _enter(game, round_, boards[i], work)
                happened = _guessed(
                    game, round_, 0, context, work.ranges[0], work.ranges[1], work.bins, work.sums
                )
                weight = pair_weight(work.ranges[0], work.ranges[1], deck.pairs, hole_cards, work.sums)
                found += expected - happened / weight
            if round_ == last:
                live, ties = rank_hands(
                    deck.hole, boards[i], deck.suits, deck.ranks, deck.ranking, work.strength, work.keys,
                    work.order, work.ties,
                )  # fmt: skip
            found += _play_round(game, round_, kind, number, context, live, ties, work)
        stake = _stake(betting, end, context_of[i])
        if fold[i]:
            won = float(stake + betting.fold[end, ending[i]])
            if betting.loser[end, ending[i]] == 0:
                won = -won
        else:
            weight = pair_weight(work.ranges[0], work.ranges[1], deck.pairs, hole_cards, work.sums)
            won = (stake + betting.leaf[end, ending[i]]) * showdown(
                work.ranges[0], work.ranges[1], deck.pairs, hole_cards, work.order, work.ties, live, ties,
                work.sums,
            ) / weight  # fmt: skip
        plain[i] = won
        estimate[i] = won + found
