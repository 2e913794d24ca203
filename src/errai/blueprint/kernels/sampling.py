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
def _base(deal, betting, level, line, k):
    """Where the rows of a line and of the chunk of contexts from k on begin."""
    return deal.first[level] + (line * betting.contexts[level] + k) * deal.counts[level] * betting.rows[level]


@njit(**INNER)
def _pull(betting, boards, level, player, line, k, K, ws):
    """The opponent's reach at the leaves above becomes his reach at the root of this board's contexts."""
    if level == 0:
        ws.reach[: boards.first_hand[1]] = ws.reach.dtype.type(1)
    else:
        above, reach = ws.reach[ws.first_reach[level - 1] :], ws.reach[ws.first_reach[level] :]
        pull(betting, boards, level, player, line if level == 1 else k, K, above, reach)


@njit(**INNER)
def _down(betting, boards, level, player, line, k, K, deal, room, weights, average, weight, ws):
    """Reach from the board above, split at the opponent's nodes; values of the folds (and showdowns)."""
    _pull(betting, boards, level, player, line, k, K, ws)
    reach, value = ws.reach[ws.first_reach[level] :], ws.value[ws.first_value[level] :]
    H = boards.first_hand[level + 1] - boards.first_hand[level]
    bucket = room.bucket[boards.first_hand[level] : boards.first_hand[level + 1]]
    at = _base(deal, betting, level, line if level else 0, k)
    descend(
        betting, level, player, H, K, bucket, weights, at, reach, average, weight, room.mask[level], room.parts
    )  # fmt: skip
    ends(betting, boards, level, player, k, K, reach, value, ws)
    clear(ws.leaf[ws.first_leaf[level] : ws.first_leaf[level + 1]])


@njit(**INNER)
def _answer(betting, boards, level, player, line, k, K, theirs, mine):
    """Against a rival whose best values are known: his reach goes where they do, and the hand ends."""
    _pull(betting, boards, level, player, line, k, K, mine)
    reach, value = mine.reach[mine.first_reach[level] :], mine.value[mine.first_value[level] :]
    n = (boards.first_hand[level + 1] - boards.first_hand[level]) * K
    descend_best(betting, level, player, n, theirs.value[theirs.first_value[level] :], reach)
    ends(betting, boards, level, player, k, K, reach, value, mine)


@njit(**INNER)
def _up(betting, boards, level, player, line, k, K, deal, room, weights, regret, weight, floor, often, ws):
    """Join the values of a board, with regrets to add to, or else those of a best response, for the board above.

    A board that is walked with probability `often` gives it the more.
    """
    last = deal.public.size - 1
    value = ws.value[ws.first_value[level] :]
    if level < last:
        leaf = ws.leaf[ws.first_leaf[level] :]
        if level > 0 and room.runouts.first[last] > 0:
            reach = ws.reach[ws.first_reach[level] :]
            less_luck(betting, boards, level, player, room.place[level], room.runouts, reach, leaf, ws)
        collect(betting, boards, level, player, leaf, value)
    H = boards.first_hand[level + 1] - boards.first_hand[level]
    bucket = room.bucket[boards.first_hand[level] : boards.first_hand[level + 1]]
    at = _base(deal, betting, level, line if level else 0, k)
    ascend(
        betting, level, player, regret is None, H, K, bucket, weights, at, value, regret, weight, floor,
        room.mask[level], room.mean, room.parts,
    )  # fmt: skip
    if level == 0:
        return
    above = ws.leaf[ws.first_leaf[level - 1] :]
    factor = value.dtype.type(1.0 / often)
    if factor != 1:
        for i in range(H * K):
            value[i] *= factor
    if level == 1:
        _to_first_round(betting, boards, line, value, above)
    else:
        push(betting, boards, level, k, K, value, above)


@njit(**INNER)
def _to_first_round(betting, boards, line, value, leaf):
    """Values at the root of a line become values of a leaf of the first round."""
    lines = betting.leaves[0]
    first = boards.first_hand[1]
    chance = leaf.dtype.type(betting.chance[1])
    for i in range(boards.first_hand[2] - first):
        leaf[boards.up[first + i] * lines + line] += chance * value[i]


@njit(**INNER)
def _both_down(
    betting, boards, level, player, line, K, deal, room, regret, rival, average, weight, mine, theirs
):
    """Down a board before the last: the player meets the strategy itself, or a rival, who in turn meets it."""
    if rival is None:
        _down(betting, boards, level, player, line, 0, K, deal, room, regret, average, weight, mine)
    else:
        _down(betting, boards, level, player, line, 0, K, deal, room, rival, None, weight, mine)
        _down(betting, boards, level, 1 - player, line, 0, K, deal, room, regret, average, weight, theirs)


@njit(**INNER)
def _both_up(
    betting, boards, level, player, line, K, deal, room, regret, rival, weight, floor, often, mine, theirs
):
    """Up a board before the last: the regrets of the player and, if there is one, of his rival."""
    _up(betting, boards, level, player, line, 0, K, deal, room, regret, regret, weight, floor, often, mine)
    if rival is not None:
        _up(
            betting,
            boards,
            level,
            1 - player,
            line,
            0,
            K,
            deal,
            room,
            rival,
            rival,
            weight,
            floor,
            often,
            theirs,
        )


@njit(**KERNEL)
def train(
    betting, boards, deal, room, mine, theirs, regret, rival, average, visit, chunk_visit, powers, floor, seed,
    counter, last_sample,
):  # fmt: skip
    """Samples from the shared counter until `last_sample`.

    powers      (of the regrets, of the average): sample t weighs (t / 1000) ** power
    seed        of the boards
    mine        workspace of the player whose strategy is trained; theirs, of the rival, if there is one
    """
    last = deal.public.size - 1
    deck = np.float64(deal.suits * deal.ranks)
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
        if room.runouts.first[last] > 0:
            _deal_runouts(deal, room, deck, cards)
        for player in range(2):
            other = 1 - player
            _both_down(
                betting, boards, 0, player, 0, 1, deal, room, regret, rival, average, averaging, mine, theirs
            )
            for line in range(betting.leaves[0]):
                if _random(room.random) >= visit[line]:
                    continue
                for i in range(1, deal.stake.size):
                    betting.stake[i] = deal.stake[i] + deal.line_stake[line]
                for level in range(1, last):
                    K = betting.contexts[level]
                    _both_down(
                        betting, boards, level, player, line, K, deal, room, regret, rival, average, averaging,
                        mine, theirs,
                    )  # fmt: skip
                K = betting.chunk[last]
                for k in range(0, betting.contexts[last], K):
                    often = chunk_visit[k // K]
                    walked = _random(room.random) < often
                    room.runouts.walked[1, k : k + K] = 1.0 / often if walked else 0.0
                    if not walked:
                        continue
                    if last == 1:
                        often *= visit[line]
                    if rival is None:
                        _down(
                            betting, boards, last, player, line, k, K, deal, room, regret, average, averaging, mine
                        )  # fmt: skip
                    else:
                        _down(
                            betting, boards, last, other, line, k, K, deal, room, regret, average, averaging, theirs
                        )  # fmt: skip
                        _up(
                            betting, boards, last, other, line, k, K, deal, room, regret, None, weight, floor,
                            often, theirs,
                        )  # fmt: skip
                        _answer(betting, boards, last, player, line, k, K, theirs, mine)
                    _up(
                        betting, boards, last, player, line, k, K, deal, room, regret, regret, weight, floor,
                        often, mine,
                    )  # fmt: skip
                for level in range(last - 1, 0, -1):
                    K = betting.contexts[level]
                    often = visit[line] if level == 1 else 1.0
                    _both_up(
                        betting, boards, level, player, line, K, deal, room, regret, rival, weight, floor, often,
                        mine, theirs,
                    )  # fmt: skip
            _both_up(
                betting, boards, 0, player, 0, 1, deal, room, regret, rival, weight, floor, 1.0, mine, theirs
            )
