"""Between boards: what a board's endings are worth, and how reach and values pass from board to board.

ends      folds, and showdowns on the last level
pull      reach of the parent's leaves becomes reach of a child board's contexts
push      a child's values become (weighted) values of its parent's leaves
collect   values of the leaves go to my sequences
"""

from __future__ import annotations

from numba import njit

from errai.engine.kernels.matching import add
from errai.engine.kernels.terminal import (
    card_sums,
    fold,
    fold_one,
    gather,
    scatter,
    showdown,
    showdown_one,
    total_reach,
)
from errai.kernels.lanes import W
from errai.kernels.options import INNER


@njit(**INNER)
def ends(betting, boards, chunk, player, reach, value, workspace):
    """Values of the folds of a chunk, and of the showdowns on the last level.

    A tile holds W contexts of one slot (the last tile of a slot overlaps the one before), or, with few
    contexts, as many slots as fit.
    """
    board, level, H, k, K = chunk
    last = level == boards.last_level
    hand = boards.first_hand[board]
    card, share = boards.card[hand : hand + H], boards.share[hand : hand + H]
    size = boards.size[hand : hand + H]
    tile, out, sums, amount = workspace.tile, workspace.out, workspace.sums, workspace.amount
    bases, sum_value = workspace.bases, workspace.sum_value
    first = betting.first_slot[level, player]
    folds = first + betting.fold_slots[level, player]
    leaves = first + (betting.leaf_slot[level, player] if last else betting.slots[level, player])
    slots = first + betting.slots[level, player] if last else folds
    stake = betting.first_context[level] + k
    n = H * K
    together = max(W // K, 1)
    width = min(K, W)
    tiles = (K + W - 1) // W
    for slot in range(first, slots, together):
        count = min(together, slots - slot)
        for part in range(tiles):
            c = max(min(part * W, K - W), 0)
            for j in range(count):
                bases[j] = betting.slot_sequence[slot + j] * n + c
            gather(reach, bases, count, H, K, tile)
            if betting.two_cards:
                card_sums(tile, H, card, share, size, sums)
            else:
                total_reach(tile, H, size, sums)
            if slot < folds:
                if betting.two_cards:
                    fold(tile, H, card, sums, out)
                else:
                    fold_one(tile, H, sums, out)
                for j in range(min(count, folds - slot)):
                    for i in range(width):
                        chips = betting.stake[stake + c + i] + betting.fold_amount[slot + j]
                        amount[j * K + i] = betting.fold_sign[slot + j] * chips
                    base = betting.fold_value[slot + j] * n + c
                    scatter(out, amount, j * K, width, H, K, base, value)
            if slot + count > leaves:
                board_ties = board - boards.first_last
                ties = boards.ties[boards.first_tie[board_ties] : boards.first_tie[board_ties + 1]]
                if betting.two_cards:
                    showdown(tile, H, card, share, size, ties, sums, out)
                else:
                    showdown_one(tile, H, size, ties, sums, out)
                for j in range(max(leaves - slot, 0), count):
                    for i in range(width):
                        amount[j * K + i] = betting.stake[stake + c + i] + betting.leaf_amount[slot + j]
                    base = betting.leaf_value[slot + j] * n
                    if betting.leaf_assign[slot + j] == 1:
                        scatter(out, amount, j * K, width, H, K, base + c, value)
                    else:
                        scatter(out, amount, j * K, width, H, K, c, sum_value)
                        if part == tiles - 1:
                            add(value[base : base + n], sum_value[:n])


@njit(**INNER)
def pull(betting, boards, chunk, player, parent_reach, reach):
    """Reach of the parent's leaves becomes the root reach of a chunk."""
    child, level, H, k, K = chunk
    parent, level = boards.parent[child], level - 1
    contexts = betting.contexts[level]
    parent_H = boards.first_hand[parent + 1] - boards.first_hand[parent]
    hand = boards.first_hand[child]
    up = boards.up[hand : hand + H]
    for leaf in range(betting.leaves[level]):
        low, high = max(k, leaf * contexts), min(k + K, (leaf + 1) * contexts)
        if low >= high:
            continue
        base = betting.leaf_sequence[level, 1 - player, leaf] * parent_H * contexts + low - leaf * contexts
        for i in range(H):
            source = base + up[i] * contexts
            target = i * K + low - k
            for j in range(high - low):
                reach[target + j] = parent_reach[source + j]


@njit(**INNER)
def push(betting, boards, chunk, value, leaf):
    """A chunk's root values are added to the leaves of the parent."""
    child, level, H, k, K = chunk
    lanes = betting.contexts[level]
    hand = boards.first_hand[child]
    chance = betting.chance[level]
    up, up_weight = boards.up[hand : hand + H], boards.up_weight[hand : hand + H]
    for i in range(H):
        weight = leaf.dtype.type(up_weight[i] * chance)
        target = up[i] * lanes + k
        for j in range(K):
            leaf[target + j] += weight * value[i * K + j]


@njit(**INNER)
def collect(betting, chunk, player, leaf, value):
    """Values of the leaves [H, leaves * K] go to my sequences; the chunk has all contexts of its board."""
    level, H, K = chunk.level, chunk.H, chunk.K
    lanes = betting.leaves[level] * K
    first = betting.first_slot[level, player]
    for slot in range(first + betting.leaf_slot[level, player], first + betting.slots[level, player]):
        base = betting.leaf_value[slot] * H * K
        column = betting.leaf_index[slot] * K
        assign = betting.leaf_assign[slot] == 1
        for i in range(H):
            for j in range(K):
                x = leaf[i * lanes + column + j]
                value[base + i * K + j] = x if assign else value[base + i * K + j] + x


@njit(**INNER)
def hand_back(chunk, contexts, value, result):
    """A chunk's root values [H, K] go to their place in [H, contexts]."""
    H, k, K = chunk.H, chunk.k, chunk.K
    for i in range(H):
        for j in range(K):
            result[i * contexts + k + j] = value[i * K + j]


@njit(**INNER)
def take_over(chunk, contexts, given, reach):
    """The root reach of a chunk from that of its whole board, [H, contexts]: the way back of `hand_back`."""
    H, k, K = chunk.H, chunk.k, chunk.K
    for i in range(H):
        for j in range(K):
            reach[i * K + j] = given[i * contexts + k + j]
