"""What everybody at the table knows of a hand: a public state with the ranges of both players.

Of a player whose strategy is known, the hand that was held is one of many that would have come here as well: the
range is the probability with which each hand would have. A player who is not known has a range of one hand, the one
that was held.

What kernels hand on to others are variables, not constants: for each constant Numba would compile them once more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from errai.blueprint.kernels.buckets import Buckets, look_up
from errai.cards.strength import rank_hands
from errai.engine.kernels.arrays import Ints
from errai.kernels.options import INNER
from errai.play.kernels.ranges import beaten, disjoint, scaled

NODE, FOLD, LEAF = 0, 1, 2
MOST_ACTIONS = 3
UNKNOWN, BY_HAND, RULE = 0, 1, 2


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
    size: int
    suits: int
    ranks: int
    ranking: int
    two_cards: float  # 1 where a hand has two cards, 0 where it has one


class Plays(NamedTuple):
    """What a seat plays: the weight of a row at first + (context * buckets + bucket) * rows + row, round by round.

    Weights are small or wide; the array that is not theirs is empty. A rule has one row for all hands and contexts.
    """

    small: np.ndarray  # uint8
    wide: np.ndarray  # float32
    first: Ints  # [L]
    rows: Ints  # [L]
    buckets: Ints  # [L]
    kind: int  # UNKNOWN, BY_HAND or RULE
    source: int  # whose buckets it plays by: 0 or 1


class Guess(NamedTuple):
    """The value at first + ((state * contexts + context) * 2 + seat) * bins + bin.

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
    met: np.ndarray  # [N] float64: what a hand meets of the opponent's range
    won: np.ndarray  # [N] the same, of weaker hands less stronger ones
    part: np.ndarray  # [N]
    value: np.ndarray  # [N]
    shares: np.ndarray  # [3, N]
    sums: np.ndarray  # [2, deck + 1]
    live: Ints  # [N] hands that the board allows
    bucket: Ints  # [2, N] by source
    place: Ints  # [2, N] the same, hand after hand of those that are live
    before: Ints  # [N]
    bins: Ints  # [L, N]
    buckets: Ints  # [L, N] those that the guess goes by
    strength: np.ndarray  # [N] int32
    keys: Ints  # [N]
    order: Ints  # [N]
    ties: np.ndarray  # [N] int32


class Game(NamedTuple):
    """All that stays the same from hand to hand."""

    betting: Betting
    deck: Deck
    buckets: tuple[Buckets, Buckets]
    sources: int  # 1 if both are the same
    plays: tuple[Plays, Plays]  # by seat
    guess: Guess


@njit(**INNER)
def stake_of(betting, round_, context):
    """Chips that each has put in before a round."""
    return betting.stake[betting.first_stake[round_] + context]


@njit(**INNER)
def leaf_of(betting, round_, context):
    """(leaf, context) with which a round was left, of a hand that came to a context of a later one."""
    K = betting.contexts[round_]
    return context % betting.contexts[round_ + 1] // K, context % K


@njit(**INNER)
def ending_of(betting, round_, end, fold, ending, context):
    """(0 for a leaf or 1 for a fold, its number, context) of a round, of a hand that ended in round `end`."""
    if round_ < end:
        leaf, before = leaf_of(betting, round_, context)
        return 0, leaf, before
    return np.int64(fold), ending, context


@njit(**INNER)
def start(game, hands, work):
    """Both ranges before anybody acts; returns how many hands are live."""
    deck = game.deck
    N = deck.hole.shape[0]
    for h in range(N):
        work.live[h] = h
    for seat in range(2):
        known = game.plays[seat].kind != UNKNOWN
        for h in range(N):
            work.ranges[seat, h] = 1.0 if known or h == hands[seat] else 0.0
            work.bucket[seat, h] = 0
    return N


@njit(**INNER)
def deal(game, round_, board, n, work):
    """The cards of a round come: the hands that they allow, their buckets and bins; returns how many are live."""
    betting, pairs, live = game.betting, game.deck.pairs, work.live
    low = betting.public[round_ - 1] if round_ else 0
    high = betting.public[round_]
    kept = 0
    for i in range(n):
        h = live[i]
        free = work.ranges[0, h] != 0.0 or work.ranges[1, h] != 0.0
        for j in range(low, high):
            free &= pairs[h, 0] != board[j] and pairs[h, 1] != board[j]
        live[kept] = h
        kept += free
        if not free:
            work.ranges[0, h] = 0.0
            work.ranges[1, h] = 0.0
    known, scratch = np.empty(16, np.int64), np.empty(16, np.int64)
    for j in range(high):
        known[j] = board[j]
    for source in range(game.sources):
        for i in range(kept):
            work.before[i] = work.bucket[source, live[i]]
        found = work.place[source, :kept]
        look_up(game.buckets[source], round_, known[:high], live[:kept], work.before, scratch, found)
        for i in range(kept):
            work.bucket[source, live[i]] = found[i]
    first = game.guess.first_bin[round_]
    for i in range(kept):
        h = live[i]
        work.buckets[round_, h] = work.bucket[game.guess.source, h]
        work.bins[round_, h] = game.guess.bin_of[first + work.buckets[round_, h]]
    return kept


@njit(**INNER)
def split(game, seat, round_, context, node, live, work):
    """shares[a, h] = the probability of an action of a known player with each live hand."""
    plays, betting = game.plays[seat], game.betting
    actions = betting.actions[round_, node]
    first = plays.first[round_] + betting.row[round_, node]
    rows = plays.rows[round_]
    if plays.kind == BY_HAND:
        first += context * plays.buckets[round_] * rows
    else:
        rows = 0
    small = plays.small.size > 0
    for i in range(live.size):
        h = live[i]
        place = first + work.bucket[plays.source, h] * rows
        total = 0.0
        for a in range(actions):
            w = np.float64(plays.small[place + a]) if small else max(np.float64(plays.wide[place + a]), 0.0)
            work.shares[a, h] = w
            total += w
        for a in range(actions):
            work.shares[a, h] = work.shares[a, h] / total if total > 0.0 else 1.0 / actions


@njit(**INNER)
def take(own, shares, action, live):
    """A range after an action."""
    for i in range(live.size):
        h = live[i]
        own[h] *= shares[action, h]


@njit(**INNER)
def rank(game, board, work):
    """Put the hands in order of strength, once all cards are out; returns how many ties there are."""
    deck = game.deck
    _, ties = rank_hands(
        deck.hole,
        board,
        deck.suits,
        deck.ranks,
        deck.ranking,
        work.strength,
        work.keys,
        work.order,
        work.ties,
    )
    return ties


@njit(**INNER)
def won_at_end(game, seat, round_, fold, ending, context, live, ties, work):
    """value[h] = what a seat's hand wins against the other's range where the hand is over; met[h] what it meets."""
    betting, deck, other = game.betting, game.deck, work.ranges[1 - seat]
    stake = stake_of(betting, round_, context)
    disjoint(other, live, deck.pairs, deck.two_cards, work.sums[0], work.met)
    if fold:
        amount = stake + betting.fold[round_, ending]
        if betting.loser[round_, ending] == seat:
            amount = -amount
        scaled(amount, work.met, live, work.value)
    else:
        beaten(other, work.order, work.ties[:ties], deck.pairs, work.sums[0], work.won)
        scaled(stake + betting.leaf[round_, ending], work.won, live, work.value)
