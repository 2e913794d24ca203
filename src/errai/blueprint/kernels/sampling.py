"""CFR on sampled boards: all hands of both players on one run of boards, strategies kept by bucket.

One sample is a flop, a turn and a river drawn at random. The hands' rows are taken from their buckets, the engine's
kernels carry reach down and values up, and the regrets of the hands are added to their buckets. Below the first
round the lines (the ways in which it ends) are games of their own with 1, 9 and 81 contexts; `visit` is the
probability that a line is walked in a sample, and what it returns to the first round is divided by it; `chunk_visit`
is the same for the chunks of contexts of the last round.

With a rival the opponent is not the other half of the same strategy: he plays a best response at the end, to the very
cards, and learns with regrets of his own before (CFR-BR with a trunk). The end is the last round, or the last two. On
the last board his best response is exact. In the round before it he does not know what card comes: so several last
boards are drawn, and on each he follows the choices that were best on all the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.blueprint.kernels.buckets import Buckets, Ints, cards_of, deal_boards
from errai.blueprint.kernels.choices import choose, follow, pick
from errai.blueprint.kernels.nodes import ascend, descend
from errai.blueprint.kernels.runouts import Runouts, deal_runout, less_luck
from errai.engine.kernels.between import collect, ends, pull, push
from errai.engine.kernels.matching import add, clear, copy
from errai.engine.kernels.passes import _take
from errai.kernels.options import INLINED, INNER, KERNEL


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
    place: Ints  # [B, N]
    work: Ints  # [3, N]
    cards: Ints  # [2, public cards of a sample] those of the sample, and scratch
    mean: NDArray[np.float32]
    parts: NDArray[np.float32]  # [3, BLOCK and room]
    mask: NDArray[np.float32]  # [L, lanes]
    random: NDArray[np.uint64]  # [1] the state of the random numbers
    runouts: Runouts
    choice: NDArray[np.uint8]  # [last boards, chunks, nodes * H * K] of the rival on the last boards
    choice_before: NDArray[np.uint8]  # [nodes * H * K] in the round before
    leaf: NDArray[np.float32]  # [last boards + 1, H * leaves * K] his values before each; their sum


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
def _deal_runouts(deal, room, boards, deck, cards):
    """Run-outs of the sampled board of every level but the first; the last level has the boards themselves."""
    last = deal.public.size - 1
    all_cards = room.cards[1, : deal.public[last]]
    for level in range(1, last + 1):
        for number in range(room.runouts.first[level], room.runouts.first[level + 1]):
            if level == last:
                cards_of(last + number - room.runouts.first[level], boards, deal.public, cards, all_cards)
            else:
                cards_of(level, boards, deal.public, cards, all_cards)
                _draw_more(room.random, deck, deal.public[level], all_cards)
            deal_runout(room.runouts, number, all_cards, deal.hole, deal.suits, deal.ranks, deal.ranking)


@njit(**INNER)
def _base(deal, betting, level, line, k):
    """Where the rows of a line and of the chunk of contexts from k on begin."""
    return deal.first[level] + (line * betting.contexts[level] + k) * deal.counts[level] * betting.rows[level]


@njit(**INNER)
def _pull(betting, boards, board, player, line, k, K, ws):
    """The opponent's reach at the leaves above becomes his reach at the root of this board's contexts."""
    level = boards.level[board]
    if level == 0:
        ws.reach[: boards.first_hand[1]] = ws.reach.dtype.type(1)
    else:
        above, reach = ws.reach[ws.first_reach[level - 1] :], ws.reach[ws.first_reach[level] :]
        pull(betting, boards, board, player, line if level == 1 else k, K, above, reach)


@njit(**INNER)
def _down(betting, boards, board, player, line, k, K, deal, room, weights, average, weight, ws):
    """Reach from the board above, split at the opponent's nodes; values of the folds (and showdowns)."""
    level = boards.level[board]
    _pull(betting, boards, board, player, line, k, K, ws)
    reach, value = ws.reach[ws.first_reach[level] :], ws.value[ws.first_value[level] :]
    H = boards.first_hand[board + 1] - boards.first_hand[board]
    bucket = room.bucket[boards.first_hand[board] : boards.first_hand[board + 1]]
    at = _base(deal, betting, level, line if level else 0, k)
    descend(
        betting, level, player, H, K, bucket, weights, at, reach, average, weight, room.mask[level], room.parts
    )  # fmt: skip
    ends(betting, boards, board, player, k, K, reach, value, ws)
    clear(ws.leaf[ws.first_leaf[level] : ws.first_leaf[level + 1]])


@njit(**INNER)
def _down_chosen(betting, boards, board, player, line, k, K, choice, ws):
    """The same against an opponent who has chosen."""
    level = boards.level[board]
    _pull(betting, boards, board, player, line, k, K, ws)
    reach, value = ws.reach[ws.first_reach[level] :], ws.value[ws.first_value[level] :]
    n = (boards.first_hand[board + 1] - boards.first_hand[board]) * K
    follow(betting, level, player, n, choice, reach)
    ends(betting, boards, board, player, k, K, reach, value, ws)
    clear(ws.leaf[ws.first_leaf[level] : ws.first_leaf[level + 1]])


@njit(**INNER)
def _give(betting, boards, board, line, k, K, factor, ws):
    """A board's root values, times a factor, go to the leaves of the board above."""
    level = boards.level[board]
    value = ws.value[ws.first_value[level] :]
    above = ws.leaf[ws.first_leaf[level - 1] :]
    if factor != 1.0:
        number = value.dtype.type(factor)
        for i in range((boards.first_hand[board + 1] - boards.first_hand[board]) * K):
            value[i] *= number
    if level == 1:
        _to_first_round(betting, boards, board, line, value, above)
    else:
        push(betting, boards, board, k, K, value, above)


@njit(**INNER)
def _to_first_round(betting, boards, board, line, value, leaf):
    """Values at the root of a line become values of a leaf of the first round."""
    lines = betting.leaves[0]
    first = boards.first_hand[board]
    chance = leaf.dtype.type(betting.chance[1])
    for i in range(boards.first_hand[board + 1] - first):
        leaf[boards.up[first + i] * lines + line] += chance * value[i]


@njit(**INNER)
def _up(betting, boards, board, player, line, k, K, end, deal, room, regret, weight, floor, often, ws):
    """Join the values of a board, with regrets to add to, and give them to the board above.

    A board that is walked with probability `often` gives it the more. `end` is the number of the last board.
    """
    level, last = boards.level[board], deal.public.size - 1
    value = ws.value[ws.first_value[level] :]
    if level < last:
        leaf = ws.leaf[ws.first_leaf[level] :]
        if level > 0 and room.runouts.first[last] > 0:
            reach = ws.reach[ws.first_reach[level] :]
            less_luck(betting, boards, level, player, room.place[level], room.runouts, end, reach, leaf, ws)
        collect(betting, boards, board, player, leaf, value)
    H = boards.first_hand[board + 1] - boards.first_hand[board]
    bucket = room.bucket[boards.first_hand[board] : boards.first_hand[board + 1]]
    at = _base(deal, betting, level, line if level else 0, k)
    ascend(
        betting, level, player, False, H, K, bucket, regret, at, value, regret, weight, floor,
        room.mask[level], room.mean, room.parts,
    )  # fmt: skip
    if level > 0:
        _give(betting, boards, board, line, k, K, 1.0 / often, ws)


@njit(**INLINED)
def _both_down(
    betting, boards, level, player, line, K, deal, room, regret, rival, average, weight, mine, theirs
):
    """Down a board before the end: the player meets the strategy itself, or a rival, who in turn meets it."""
    if rival.size == 0:
        _down(betting, boards, level, player, line, 0, K, deal, room, regret, average, weight, mine)
    else:
        _down(betting, boards, level, player, line, 0, K, deal, room, rival, None, weight, mine)
        _down(betting, boards, level, 1 - player, line, 0, K, deal, room, regret, average, weight, theirs)


@njit(**INLINED)
def _both_up(
    betting, boards, level, player, line, K, deal, room, regret, rival, weight, floor, often, mine, theirs
):
    """Up a board before the end: the regrets of the player and, if there is one, of his rival.

    The rival's never fall below zero: he is quick to go where the player has become weak.
    """
    _up(betting, boards, level, player, line, 0, K, 0, deal, room, regret, weight, floor, often, mine)
    if rival.size > 0:
        other = 1 - player
        _up(betting, boards, level, other, line, 0, K, 0, deal, room, rival, weight, 0.0, often, theirs)


@njit(**INLINED)
def _best_on(betting, boards, board, player, line, k, K, deal, room, regret, average, weight, choice, theirs):
    """The rival's best response on a last board to the player's strategy: his choices, and his values at the root."""
    level, other = boards.level[board], 1 - player
    _down(betting, boards, board, other, line, k, K, deal, room, regret, average, weight, theirs)
    n = (boards.first_hand[board + 1] - boards.first_hand[board]) * K
    choose(betting, level, other, n, theirs.value[theirs.first_value[level] :], room.mean, choice)


@njit(**INNER)
def _walks(room, k, K, often):
    """Whether the chunk from k on is walked this time, as happens with probability `often`; the run-outs are told."""
    walked = _random(room.random) < often
    room.runouts.walked[1, k : k + K] = 1.0 / often if walked else 0.0
    return walked


@njit(**INLINED)
def _last_round(
    betting, boards, player, line, visit, chunk_visit, deal, room, regret, rival, average, averaging, weight,
    floor, mine, theirs,
):  # fmt: skip
    """The last board, chunk by chunk, some of them only now and then."""
    board = boards.first_last
    level = boards.level[board]
    K = betting.chunk[level]
    for k in range(0, betting.contexts[level], K):
        often = chunk_visit[k // K]
        if not _walks(room, k, K, often):
            continue
        if level == 1:
            often *= visit
        if rival.size == 0:
            _down(betting, boards, board, player, line, k, K, deal, room, regret, average, averaging, mine)
        else:
            choice = room.choice[0, 0]
            _best_on(
                betting, boards, board, player, line, k, K, deal, room, regret, average, averaging, choice,
                theirs,
            )  # fmt: skip
            _give(betting, boards, board, line, k, K, 1.0 / often, theirs)
            _down_chosen(betting, boards, board, player, line, k, K, choice, mine)
        _up(betting, boards, board, player, line, k, K, 0, deal, room, regret, weight, floor, often, mine)


@njit(**INLINED)
def _last_two_rounds(
    betting, boards, player, line, visit, chunk_visit, deal, room, regret, average, averaging, weight, floor,
    mine, theirs,
):  # fmt: skip
    """The board before the last and all last boards, against a rival who responds best on both."""
    last = deal.public.size - 1
    turn, other, count = last - 1, 1 - player, boards.level.size - last
    chunk, contexts = betting.chunk[last], betting.contexts[turn]
    H = boards.first_hand[turn + 1] - boards.first_hand[turn]
    n, size = H * contexts, H * contexts * betting.leaves[turn]
    reach, value = theirs.reach[theirs.first_reach[turn] :], theirs.value[theirs.first_value[turn] :]
    leaf = theirs.leaf[theirs.first_leaf[turn] : theirs.first_leaf[turn] + size]
    total = room.leaf[count, :size]
    place, choice = room.place[turn], room.choice_before
    lucky = room.runouts.first[last] > 0

    # What the rival wins on each last board, where he responds best.
    _down(betting, boards, turn, other, line, 0, contexts, deal, room, regret, average, averaging, theirs)
    clear(total)
    room.runouts.walked[1, :] = 1.0
    for end in range(count):
        clear(leaf)
        for k in range(0, betting.contexts[last], chunk):
            _best_on(
                betting, boards, last + end, player, line, k, chunk, deal, room, regret, average, averaging,
                room.choice[end, k // chunk], theirs,
            )  # fmt: skip
            _give(betting, boards, last + end, line, k, chunk, 1.0, theirs)
        if lucky:
            less_luck(betting, boards, turn, other, place, room.runouts, end, reach, leaf, theirs)
        copy(room.leaf[end, :size], leaf)
        add(total, leaf)

    factor = 1.0 / (count * (visit if turn == 1 else 1.0))
    for end in range(count):
        # On this one he follows what is best on the others,
        known = room.leaf[end, :size]
        share = leaf.dtype.type(1.0 / (count - 1))
        for i in range(size):
            leaf[i] = (total[i] - known[i]) * share
        ends(betting, boards, turn, other, 0, contexts, reach, value, theirs)
        collect(betting, boards, turn, other, leaf, value)
        choose(betting, turn, other, n, value, room.mean, choice)
        ends(betting, boards, turn, other, 0, contexts, reach, value, theirs)
        collect(betting, boards, turn, other, known, value)
        pick(betting, turn, other, n, value, room.mean, choice)
        _give(betting, boards, turn, line, 0, contexts, factor, theirs)
        # and the player meets him there.
        _down_chosen(betting, boards, turn, player, line, 0, contexts, choice, mine)
        for k in range(0, betting.contexts[last], chunk):
            often = chunk_visit[k // chunk]
            if not _walks(room, k, chunk, often):
                continue
            _down_chosen(
                betting, boards, last + end, player, line, k, chunk, room.choice[end, k // chunk], mine
            )  # fmt: skip
            _up(
                betting, boards, last + end, player, line, k, chunk, end, deal, room, regret, weight, floor,
                often, mine,
            )  # fmt: skip
        _up(
            betting, boards, turn, player, line, 0, contexts, end, deal, room, regret, weight, floor,
            1.0 / factor, mine,
        )  # fmt: skip


@njit(**KERNEL)
def train(
    betting, boards, deal, room, mine, theirs, regret, rival, average, visit, chunk_visit, powers, floor, seed,
    counter, last_sample,
):  # fmt: skip
    """Samples from the shared counter until `last_sample`.

    powers      (of the regrets, of the average): sample t weighs (t / 1000) ** power
    seed        of the boards
    mine        workspace of the player whose strategy is trained; theirs, of the rival, if there is one
    rival       his regrets before the end; empty where the strategy meets itself
    """
    last = deal.public.size - 1
    deck = np.float64(deal.suits * deal.ranks)
    count = boards.level.size - last
    trunk = last - 1 if count > 1 else last  # the levels before the end
    new = deal.public[last] - deal.public[last - 1]
    while True:
        sample = _take(counter)
        if sample >= last_sample:
            break
        t = (sample + 1) / 1000.0
        # Whole powers are products, which are the same everywhere; those of the C library are not.
        weight, averaging = t ** int(powers[0]), t ** int(powers[1])
        room.random[0] = _scrambled(np.uint64(seed), np.uint64(sample))
        cards = room.cards[0, : deal.public[last - 1] + count * new]
        _draw_more(room.random, deck, 0, cards)
        boards.first_tie[0] = 0
        deal_boards(
            cards, deal.public, deal.hole, deal.suits, deal.ranks, deal.ranking, deal.buckets, boards,
            room.hands, room.bucket, room.place, room.work,
        )  # fmt: skip
        if room.runouts.first[last] > 0:
            _deal_runouts(deal, room, boards, deck, cards)
        for player in range(2):
            _both_down(
                betting, boards, 0, player, 0, 1, deal, room, regret, rival, average, averaging, mine, theirs
            )
            for line in range(betting.leaves[0]):
                if _random(room.random) >= visit[line]:
                    continue
                for i in range(1, deal.stake.size):
                    betting.stake[i] = deal.stake[i] + deal.line_stake[line]
                for level in range(1, trunk):
                    K = betting.contexts[level]
                    _both_down(
                        betting, boards, level, player, line, K, deal, room, regret, rival, average, averaging,
                        mine, theirs,
                    )  # fmt: skip
                if trunk == last:
                    _last_round(
                        betting, boards, player, line, visit[line], chunk_visit, deal, room, regret, rival, average,
                        averaging, weight, floor, mine, theirs,
                    )  # fmt: skip
                else:
                    _last_two_rounds(
                        betting, boards, player, line, visit[line], chunk_visit, deal, room, regret, average,
                        averaging, weight, floor, mine, theirs,
                    )  # fmt: skip
                for level in range(trunk - 1, 0, -1):
                    K = betting.contexts[level]
                    often = visit[line] if level == 1 else 1.0
                    _both_up(
                        betting, boards, level, player, line, K, deal, room, regret, rival, weight, floor, often,
                        mine, theirs,
                    )  # fmt: skip
            _both_up(
                betting, boards, 0, player, 0, 1, deal, room, regret, rival, weight, floor, 1.0, mine, theirs
            )
