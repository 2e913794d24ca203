"""CFR on sampled boards: all hands of both players on one run of boards, strategies kept by bucket.

One sample is a flop, a turn and a river drawn at random. The hands' rows are taken from their buckets, the engine's
kernels carry reach down and values up, and the regrets of the hands are added to their buckets. Below the first
round the lines (the ways in which it ends) are games of their own with 1, 9 and 81 contexts; `visit` is the
probability that a line is walked in a sample, and what it returns to the first round is divided by it; `chunk_visit`
is the same for the chunks of contexts of the last round.

With a rival the opponent is not the other half of the same strategy: he plays a best response on the last board, to
the very cards, and learns with regrets of his own before (CFR-BR with a trunk).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.blueprint.kernels.buckets import Buckets, Ints, deal_boards
from errai.blueprint.kernels.nodes import ascend, descend, descend_best
from errai.blueprint.kernels.runouts import Runouts, deal_runout, less_luck
from errai.engine.kernels.between import collect, ends, pull, push
from errai.engine.kernels.matching import clear
from errai.engine.kernels.options import INNER, KERNEL
from errai.engine.kernels.passes import _take


class Deal(NamedTuple):
    """What boards and hands are made of, and where the rows of a bucket lie."""

    hole: NDArray[np.uint8]  # [N, hole cards]
    public: Ints  # [L]
    suits: int
    ranks: int
    ranking: int
    buckets: Buckets
    counts: Ints  # [L] buckets
    first: Ints  # [L] where a round begins in a store
    line_stake: NDArray[np.float64]  # [P] chips that each player has put in when a line begins
    stake: NDArray[np.float64]  # [contexts of all levels] counted from the beginning of the line


class Room(NamedTuple):
    """What one thread works in, beside the workspaces of the engine."""

    hands: Ints  # [sum of H]
    bucket: Ints
    place: Ints  # [L, N]
    work: Ints  # [3, N]
    cards: Ints  # [most public cards]
    mean: NDArray[np.float32]
    parts: NDArray[np.float32]  # [3, PART and room]
    mask: NDArray[np.float32]  # [L, lanes]
    random: NDArray[np.uint64]  # [1] the state of the random numbers
    runouts: Runouts


@njit(**INNER)
def _random(state):
    """A number in [0, 1): splitmix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53


@njit(**INNER)
def _scrambled(seed, sample):
    """Where the random numbers of a sample begin: the same boards whatever thread walks them."""
    z = (seed + np.uint64(1)) * np.uint64(0xD1342543DE82EF95) + sample * np.uint64(0xAEF17502108EF2D9)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return z ^ (z >> np.uint64(29))


@njit(**INNER)
def _draw_more(state, deck, known, cards):
    """Cards from `known` on, different from all before."""
    for i in range(known, cards.size):
        while True:
            card = np.int64(_random(state) * deck)
            free = True
            for j in range(i):
                if cards[j] == card:
                    free = False
            if free:
                cards[i] = card
                break


@njit(**INNER)
def _deal_runouts(deal, room, deck, cards):
    """Run-outs of the sampled board of every level but the first; the last level has the board itself."""
    last = deal.public.size - 1
    all_cards = room.cards[8 : 8 + cards.size]
    for level in range(1, last + 1):
        known = deal.public[level]
        for number in range(room.runouts.first[level], room.runouts.first[level + 1]):
            for i in range(known):
                all_cards[i] = cards[i]
            _draw_more(room.random, deck, known, all_cards)
            deal_runout(room.runouts, number, all_cards, deal.hole, deal.suits, deal.ranks, deal.ranking)


@njit(**INNER)
def _base(deal, betting, level, line, k, K):
    """Where the rows of a line and of the chunk of contexts from k on begin."""
    return deal.first[level] + (line * betting.contexts[level] + k) * deal.counts[level] * betting.rows[level]


@njit(**INNER)
def _push(betting, boards, level, k, K, weight, value, leaf):
    """Root values of the contexts k..k+K, times a weight, are added to the leaves of the board above."""
    factor = value.dtype.type(weight)
    if factor != 1:
        H = boards.first_hand[level + 1] - boards.first_hand[level]
        for i in range(H * K):
            value[i] *= factor
    push(betting, boards, level, k, K, value, leaf)


@njit(**INNER)
def _give_back(boards, line, lines, weight, value, leaf):
    """Values at the root of a line become values of a leaf of the first round."""
    first = boards.first_hand[1]
    H = boards.first_hand[2] - first
    factor = leaf.dtype.type(weight)
    for i in range(H):
        leaf[boards.up[first + i] * lines + line] += factor * value[i]


@njit(**INNER)
def _down(
    betting, boards, level, player, line, k, K, deal, room, weights, average, weight, above, reach, value, ws
):
    """Reach from the board above, split at the opponent's nodes; values of the folds (and showdowns)."""
    if level == 0:
        reach[: boards.first_hand[1]] = reach.dtype.type(1)
    elif level == 1:
        pull(betting, boards, level, player, line, K, above, reach)
    else:
        pull(betting, boards, level, player, k, K, above, reach)
    H = boards.first_hand[level + 1] - boards.first_hand[level]
    bucket = room.bucket[boards.first_hand[level] : boards.first_hand[level + 1]]
    at = _base(deal, betting, level, line if level else 0, k, K)
    descend(
        betting,
        level,
        player,
        H,
        K,
        bucket,
        weights,
        at,
        reach,
        average,
        weight,
        room.mask[level],
        room.parts,
    )
    ends(betting, boards, level, player, k, K, reach, value, ws)


@njit(**INNER)
def _up(betting, boards, level, player, line, k, K, deal, room, weights, regret, weight, floor, value):
    """Join values; without regrets to add to, those of a best response."""
    H = boards.first_hand[level + 1] - boards.first_hand[level]
    bucket = room.bucket[boards.first_hand[level] : boards.first_hand[level + 1]]
    at = _base(deal, betting, level, line if level else 0, k, K)
    ascend(
        betting, level, player, regret is None, H, K, bucket, weights, at, value, regret, weight, floor,
        room.mask[level], room.mean, room.parts,
    )  # fmt: skip


@njit(**KERNEL)
def train(
    betting,
    boards,
    deal,
    room,
    mine,
    theirs,
    regret,
    rival,
    average,
    visit,
    chunk_visit,
    powers,
    floor,
    seed,
    counter,
    last_sample,
):
    """Samples from the shared counter until `last_sample`.

    powers      (of the regrets, of the average): sample t weighs (t / 1000) ** power
    seed        of the boards
    mine        workspace of the player whose strategy is trained; theirs, of the rival, if there is one
    """
    L = deal.public.size
    last = L - 1
    lines = betting.leaves[0]
    deck = np.float64(deal.suits * deal.ranks)
    m_reach, m_value, m_leaf = mine.reach, mine.value, mine.leaf
    t_reach, t_value, t_leaf = theirs.reach, theirs.value, theirs.leaf
    first_reach, first_value, first_leaf = mine.first_reach, mine.first_value, mine.first_leaf
    while True:
        sample = _take(counter)
        if sample >= last_sample:
            break
        t = (sample + 1) / 1000.0
        weight, averaging = t ** powers[0], t ** powers[1]
        room.random[0] = _scrambled(np.uint64(seed), np.uint64(sample))
        cards = room.cards[: deal.public[last]]
        _draw_more(room.random, deck, 0, cards)
        deal_boards(
            cards, deal.public, deal.hole, deal.suits, deal.ranks, deal.ranking, deal.buckets, boards,
            room.hands, room.bucket, room.place, room.work,
        )  # fmt: skip
        smooth = room.runouts.first[last] > 0
        if smooth:
            _deal_runouts(deal, room, deck, cards)
        for player in range(2):
            other = 1 - player
            low = first_leaf[0]
            clear(m_leaf[low : first_leaf[1]])
            if rival is None:
                _down(
                    betting, boards, 0, player, 0, 0, 1, deal, room, regret, average, averaging, m_reach,
                    m_reach[first_reach[0] :], m_value[first_value[0] :], mine,
                )  # fmt: skip
            else:
                clear(t_leaf[low : first_leaf[1]])
                _down(
                    betting, boards, 0, player, 0, 0, 1, deal, room, rival, None, averaging, m_reach,
                    m_reach[first_reach[0] :], m_value[first_value[0] :], mine,
                )  # fmt: skip
                _down(
                    betting, boards, 0, other, 0, 0, 1, deal, room, regret, average, averaging, t_reach,
                    t_reach[first_reach[0] :], t_value[first_value[0] :], theirs,
                )  # fmt: skip
            for line in range(lines):
                if _random(room.random) >= visit[line]:
                    continue
                for i in range(deal.stake.size):
                    betting.stake[i] = deal.stake[i] + (deal.line_stake[line] if i else 0.0)
                for level in range(1, last):
                    K = betting.contexts[level]
                    clear(m_leaf[first_leaf[level] : first_leaf[level + 1]])
                    up = first_reach[level - 1]
                    if rival is None:
                        _down(
                            betting, boards, level, player, line, 0, K, deal, room, regret, average,
                            averaging, m_reach[up:], m_reach[first_reach[level] :],
                            m_value[first_value[level] :], mine,
                        )  # fmt: skip
                    else:
                        clear(t_leaf[first_leaf[level] : first_leaf[level + 1]])
                        _down(
                            betting, boards, level, player, line, 0, K, deal, room, rival, None,
                            averaging, m_reach[up:], m_reach[first_reach[level] :],
                            m_value[first_value[level] :], mine,
                        )  # fmt: skip
                        _down(
                            betting, boards, level, other, line, 0, K, deal, room, regret, average,
                            averaging, t_reach[up:], t_reach[first_reach[level] :],
                            t_value[first_value[level] :], theirs,
                        )  # fmt: skip
                contexts, chunk = betting.contexts[last], betting.chunk[last]
                for k in range(0, contexts, chunk):
                    often = chunk_visit[k // chunk]
                    walked = _random(room.random) < often
                    room.runouts.walked[1, k : k + chunk] = 1.0 / often if walked else 0.0
                    if not walked:
                        continue
                    K = chunk
                    up = first_reach[last - 1]
                    reach, value = m_reach[first_reach[last] :], m_value[first_value[last] :]
                    if rival is None:
                        _down(
                            betting, boards, last, player, line, k, K, deal, room, regret, average,
                            averaging, m_reach[up:], reach, value, mine,
                        )  # fmt: skip
                    else:
                        other_value = t_value[first_value[last] :]
                        _down(
                            betting, boards, last, other, line, k, K, deal, room, regret, average,
                            averaging, t_reach[up:], t_reach[first_reach[last] :], other_value, theirs,
                        )  # fmt: skip
                        _up(
                            betting, boards, last, other, line, k, K, deal, room, regret, None, weight,
                            floor, other_value,
                        )  # fmt: skip
                        if last > 1:
                            _push(
                                betting,
                                boards,
                                last,
                                k,
                                K,
                                1.0 / often,
                                other_value,
                                t_leaf[first_leaf[last - 1] :],
                            )
                        if last == 1:
                            pull(betting, boards, last, player, line, K, m_reach[up:], reach)
                        else:
                            pull(betting, boards, last, player, k, K, m_reach[up:], reach)
                        n = (boards.first_hand[last + 1] - boards.first_hand[last]) * K
                        descend_best(betting, last, player, n, other_value, reach)
                        ends(betting, boards, last, player, k, K, reach, value, mine)
                    _up(
                        betting, boards, last, player, line, k, K, deal, room, regret, regret, weight,
                        floor, value,
                    )  # fmt: skip
                    if last > 1:
                        _push(betting, boards, last, k, K, 1.0 / often, value, m_leaf[first_leaf[last - 1] :])
                for level in range(last - 1, 0, -1):
                    K = betting.contexts[level]
                    value = m_value[first_value[level] :]
                    if smooth:
                        less_luck(
                            betting, boards, level, player, room.place[level], room.runouts,
                            m_reach[first_reach[level] :], m_leaf[first_leaf[level] :], mine,
                        )  # fmt: skip
                    collect(betting, boards, level, player, m_leaf[first_leaf[level] :], value)
                    _up(
                        betting, boards, level, player, line, 0, K, deal, room, regret, regret, weight,
                        floor, value,
                    )  # fmt: skip
                    if level > 1:
                        push(betting, boards, level, 0, K, value, m_leaf[first_leaf[level - 1] :])
                    if rival is not None:
                        value = t_value[first_value[level] :]
                        if smooth:
                            less_luck(
                                betting, boards, level, other, room.place[level], room.runouts,
                                t_reach[first_reach[level] :], t_leaf[first_leaf[level] :], theirs,
                            )  # fmt: skip
                        collect(betting, boards, level, other, t_leaf[first_leaf[level] :], value)
                        _up(
                            betting, boards, level, other, line, 0, K, deal, room, rival, rival, weight,
                            floor, value,
                        )  # fmt: skip
                        if level > 1:
                            push(betting, boards, level, 0, K, value, t_leaf[first_leaf[level - 1] :])
                back = betting.chance[1] / visit[line]
                _give_back(boards, line, lines, back, m_value[first_value[1] :], m_leaf[low:])
                if rival is not None:
                    _give_back(boards, line, lines, back, t_value[first_value[1] :], t_leaf[low:])
            for i in range(deal.stake.size):
                betting.stake[i] = deal.stake[i]
            value = m_value[first_value[0] :]
            collect(betting, boards, 0, player, m_leaf[low:], value)
            _up(betting, boards, 0, player, 0, 0, 1, deal, room, regret, regret, weight, floor, value)
            if rival is not None:
                value = t_value[first_value[0] :]
                collect(betting, boards, 0, other, t_leaf[low:], value)
                _up(betting, boards, 0, other, 0, 0, 1, deal, room, rival, rival, weight, floor, value)
