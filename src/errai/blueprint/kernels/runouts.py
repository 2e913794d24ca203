"""A control variate for the values of sampled boards: what hands would win if both players checked down.

One sampled turn and river say little of a flop decision: most of the value is which cards came. A showdown without
further bets depends on them as much, and its mean over other run-outs is cheap to have. So at the leaves of every
round before the last, with A run-outs of that board and B run-outs of the sampled next board,

    value  +=  stake * (mean over A of D  -  mean over B of D)          D = weaker - stronger reach of the opponent

whose mean is zero: the value stays unbiased, and its variance falls. Where contexts of the last round are walked with
probability q only, the values that they return and the second term are weighted by 1 / q, or by 0; then the first
term stands in for what was not walked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.strength import rank_hands
from errai.engine.kernels.arrays import Ints
from errai.engine.kernels.terminal import card_sums, showdown
from errai.kernels.lanes import W, load, splat, store
from errai.kernels.options import INNER, KERNEL


class Runouts(NamedTuple):
    """Complete boards that begin like the sampled board of each level. R in all, H hands on the last board."""

    first: Ints  # [L + 1] first run-out of each level; the last level has the sampled boards themselves
    hand: Ints  # [R, H] in order of strength
    card: NDArray[np.uint8]  # [R, H, 2]
    ties: NDArray[np.int32]  # [R, H]
    tie_count: Ints  # [R]
    share: NDArray[np.float32]  # [H, 2] ones
    size: NDArray[np.int32]  # [H] ones
    reach: NDArray[np.float32]  # [widest H, lanes]
    gain: NDArray[np.float32]  # likewise
    importance: NDArray[np.float32]  # [2, lanes] ones; for the round before the last, 1 / q or 0
    keys: Ints  # [N]
    strength: NDArray[np.int32]  # [N]


@njit(**INNER)
def deal_runout(runouts, number, cards, deal):
    """Fill one run-out: the hands that a complete board allows, in order of strength."""
    hole = deal.hole
    hand, ties = runouts.hand[number], runouts.ties[number]
    board = cards.astype(np.uint8)
    n, tied = rank_hands(
        hole, board, deal.suits, deal.ranks, deal.ranking, runouts.strength, runouts.keys, hand, ties
    )
    for i in range(n):
        for j in range(hole.shape[1]):
            runouts.card[number, i, j] = hole[hand[i], j]
    runouts.tie_count[number] = tied


@njit(**KERNEL)
def _take(reach, hand, place, tile_at, stride, tile):
    for i in range(hand.size):
        store(tile, i * W, load(reach, place[hand[i]] * stride + tile_at))


@njit(**KERNEL)
def _give(out, hand, place, weight, importance, tile_at, stride, gain):
    factor = splat(gain.dtype.type(weight)) * load(importance, tile_at)
    for i in range(hand.size):
        at = place[hand[i]] * stride + tile_at
        store(gain, at, load(gain, at) + load(out, i * W) * factor)


@njit(**INNER)
def add_control_variate(betting, boards, level, player, place, runouts, end, reach, leaf, workspace):
    """Add what checking down wins, on average less on the sampled boards, to the leaves [H, leaves * K].

    `reach` is the opponent's on this level, [sequences, H * K]; place[hand] is the place of a hand on its board;
    `end` is the number of the last board, for the level before it.
    """
    H = boards.first_hand[level + 1] - boards.first_hand[level]
    K = betting.contexts[level]
    n = H * K
    lanes = betting.leaves[level] * K
    stride = (lanes + W - 1) // W * W
    own, gain = runouts.reach, runouts.gain
    for i in range(H):
        for index in range(betting.leaves[level]):
            source = betting.leaf_sequence[level, 1 - player, index] * n + i * K
            target = i * stride + index * K
            for j in range(K):
                own[target + j] = reach[source + j]
    gain[: H * stride] = 0
    factor = 1.0
    for above in range(level + 1, betting.contexts.size):
        factor *= betting.chance[above]
    for side in range(2):
        first, last = runouts.first[level + side], runouts.first[level + side + 1]
        before_last = level == betting.contexts.size - 2
        if side == 1 and before_last:
            first, last = first + end, first + end + 1
        weight = factor / (last - first) * (1.0 - 2.0 * side)
        importance = runouts.importance[side if before_last else 0]
        for number in range(first, last):
            hand, card = runouts.hand[number], runouts.card[number]
            ties = runouts.ties[number, : runouts.tie_count[number]]
            for tile_at in range(0, stride, W):
                _take(own, hand, place, tile_at, stride, workspace.tile)
                card_sums(workspace.tile, hand.size, card, runouts.share, runouts.size, workspace.sums)
                showdown(
                    workspace.tile,
                    hand.size,
                    card,
                    runouts.share,
                    runouts.size,
                    ties,
                    workspace.sums,
                    workspace.out,
                )
                _give(workspace.out, hand, place, weight, importance, tile_at, stride, gain)
    stake = betting.first_context[level + 1]
    for i in range(H):
        for j in range(lanes):
            leaf[i * lanes + j] += gain[i * stride + j] * leaf.dtype.type(betting.stake[stake + j])
