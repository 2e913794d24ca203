"""Between boards: what a board's endings are worth, and how reach and values pass from board to board.

    ends      folds, and showdowns on the last level
    pull      reach of the parent's leaves becomes reach of a child board's contexts
    push      a child's values become (weighted) values of its parent's leaves
    collect   values of the leaves go to my sequences
"""

from __future__ import annotations

from numba import njit

from errai.engine.kernels.lanes import W
from errai.engine.kernels.options import INNER
from errai.engine.kernels.terminal import card_sums, fold, gather, scatter, showdown


@njit(**INNER)
def ends(betting, boards, board, player, k, K, reach, value, workspace):  # type: ignore[no-untyped-def]
    """Values of the folds of a board, and of the showdowns on the last level."""
    level = boards.level[board]
    last = level == boards.last_level
    hand = boards.first_hand[board]
    H = boards.first_hand[board + 1] - hand
    card, share = boards.card[hand : hand + H], boards.share[hand : hand + H]
    size = boards.size[hand : hand + H]
    n = H * K
    tile, out, sums, amount = workspace.tile, workspace.out, workspace.sums, workspace.amount
    first = betting.first_slot[level, player]
    folds = betting.fold_slots[level, player]
    leaf = betting.leaf_slot[level, player] if last else betting.slots[level, player]
    slots = betting.slots[level, player] if last else folds
    stake = betting.first_context[level] + k
    lanes = slots * K
    for start in range(0, lanes, W):
        end = min(start + W, lanes)
        if end - start < W:
            tile[: H * W] = 0
        lane = start
        while lane < end:
            slot, context = lane // K, lane % K
            width = min(K - context, end - lane)
            base = betting.slot_sequence[first + slot] * n
            gather(reach, base, H, K, context, width, lane - start, tile)
            lane += width
        card_sums(tile, H, card, share, size, sums)
        if start < folds * K:
            fold(tile, H, card, sums, betting.two_cards, out)
            for lane in range(start, min(end, folds * K)):
                slot = first + lane // K
                chips = betting.stake[stake + lane % K] + betting.fold_amount[slot]
                amount[lane - start] = betting.fold_sign[slot] * chips
            lane = start
            while lane < min(end, folds * K):
                slot, context = lane // K, lane % K
                width = min(K - context, end - lane)
                base = betting.fold_value[first + slot] * n
                assign = betting.fold_assign[first + slot] == 1
                scatter(out, amount, base, H, K, context, width, lane - start, assign, value)
                lane += width
        if end > leaf * K:
            board_ties = board - boards.first_last
            ties = boards.ties[boards.first_tie[board_ties] : boards.first_tie[board_ties + 1]]
            showdown(tile, H, card, share, size, ties, sums, out)
            from_lane = max(start, leaf * K)
            for lane in range(from_lane, end):
                slot = first + lane // K
                amount[lane - start] = betting.stake[stake + lane % K] + betting.leaf_amount[slot]
            lane = from_lane
            while lane < end:
                slot, context = lane // K, lane % K
                width = min(K - context, end - lane)
                base = betting.leaf_value[first + slot] * n
                assign = betting.leaf_assign[first + slot] == 1
                scatter(out, amount, base, H, K, context, width, lane - start, assign, value)
                lane += width


@njit(**INNER)
def pull(betting, boards, child, player, k, K, parent_reach, reach):  # type: ignore[no-untyped-def]
    """Reach of the parent's leaves becomes the root reach of the child's contexts k..k+K."""
    parent = boards.parent[child]
    level = boards.level[parent]
    contexts = betting.contexts[level]
    parent_H = boards.first_hand[parent + 1] - boards.first_hand[parent]
    hand = boards.first_hand[child]
    H = boards.first_hand[child + 1] - hand
    for leaf in range(betting.leaves[level]):
        low, high = max(k, leaf * contexts), min(k + K, (leaf + 1) * contexts)
        if low >= high:
            continue
        base = betting.leaf_sequence[level, 1 - player, leaf] * parent_H * contexts + low - leaf * contexts
        for i in range(H):
            source = base + boards.up[hand + i] * contexts
            target = i * K + low - k
            for j in range(high - low):
                reach[target + j] = parent_reach[source + j]


@njit(fastmath=True, **INNER)
def push(betting, boards, child, k, K, value, leaf):  # type: ignore[no-untyped-def]
    """The child's root values, contexts k..k+K, are added to the leaves of its parent."""
    level = boards.level[child]
    lanes = betting.contexts[level]
    hand = boards.first_hand[child]
    H = boards.first_hand[child + 1] - hand
    chance = betting.chance[level]
    for i in range(H):
        weight = leaf.dtype.type(boards.up_weight[hand + i] * chance)
        target = boards.up[hand + i] * lanes + k
        for j in range(K):
            leaf[target + j] += weight * value[i * K + j]


@njit(**INNER)
def collect(betting, boards, board, player, leaf, value):  # type: ignore[no-untyped-def]
    """Values of the leaves [H, leaves * K] go to my sequences."""
    level = boards.level[board]
    K = betting.contexts[level]
    H = boards.first_hand[board + 1] - boards.first_hand[board]
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
