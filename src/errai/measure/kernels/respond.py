"""The best response to a strategy on buckets, in the real game: all boards below one flop, hand by hand.

The public tree below a board is walked as in errai.engine.kernels.passes, one board of a level at a time; the
strategy of the opponent comes from the rows of his hands' buckets.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.blueprint.kernels.buckets import look_up
from errai.blueprint.kernels.nodes import ascend, descend
from errai.engine.kernels.between import collect, ends, pull, push
from errai.engine.kernels.matching import clear, copy
from errai.kernels.options import KERNEL


@njit(**KERNEL)
def find_buckets(buckets, boards, cards, public, hand, root_before, out):
    """out[class] = bucket of every hand class of every board; the levels of the boards are rounds from 1 on.

    `root_before` has the first round's buckets of the root's hands.
    """
    scratch = np.empty(16, np.int64)
    before = np.empty(hand.size, np.int64)
    given = np.empty(16, np.int64)
    for board in range(boards.level.size):
        level = boards.level[board]
        low, high = boards.first_hand[board], boards.first_hand[board + 1]
        parent = boards.parent[board]
        for i in range(low, high):
            before[i - low] = root_before[i] if parent < 0 else out[boards.first_hand[parent] + boards.up[i]]
        for i in range(public[level]):
            given[i] = cards[board, i]
        look_up(buckets, level + 1, given[: public[level]], hand[low:high], before, scratch, out[low:high])


@njit(**KERNEL)
def respond(
    betting,
    boards,
    first,
    counts,
    bucket,
    weights,
    line,
    player,
    best_from,
    root_reach,
    ws,
    mean,
    parts,
    mask,
    result,
):
    """result[H] = the player's values at the root of a line against the opponent's reach there, root_reach [H].

    best_from   the level from which on he responds best; before it he plays the strategy, too
    first       where each round begins in the weights, from the second round on; counts, its buckets
    """
    last_level = boards.last_level
    board, k, down = np.int64(0), np.int64(0), True
    while True:
        level = boards.level[board]
        parent = np.int64(boards.parent[board])
        last = level == last_level
        low = boards.first_hand[board]
        H = boards.first_hand[board + 1] - low
        own = bucket[low : low + H]
        contexts = betting.contexts[level]
        K = min(betting.chunk[level], contexts - k)
        base = first[level] + (line * contexts + k) * counts[level] * betting.rows[level]
        reach = ws.reach[ws.first_reach[level] :]
        value = ws.value[ws.first_value[level] :]
        leaf = ws.leaf[ws.first_leaf[level] :]
        if down:
            if parent < 0:
                copy(reach[:H], root_reach)
            else:
                above = ws.reach[ws.first_reach[level - 1] :]
                pull(betting, boards, board, player, k, K, above, reach)
            descend(betting, level, player, H, K, own, weights, base, reach, None, 0.0, mask[level], parts)
            ends(betting, boards, board, player, k, K, reach, value, ws)
            if not last:
                clear(leaf[: betting.leaves[level] * H * contexts])
                board = np.int64(boards.first_child[board])
                continue
        down = False
        if not last:
            collect(betting, boards, board, player, leaf, value)
        ascend(
            betting,
            level,
            player,
            level >= best_from,
            H,
            K,
            own,
            weights,
            base,
            value,
            None,
            0.0,
            -np.inf,
            mask[level],
            mean,
            parts,
        )
        if parent < 0:
            copy(result, value[:H])
            break
        push(betting, boards, board, k, K, value, ws.leaf[ws.first_leaf[level - 1] :])
        if k + K < contexts:
            k += K
            down = True
        else:
            k = np.int64(0)
            if board + 1 < boards.first_child[parent] + boards.children[parent]:
                board += 1
                down = True
            else:
                board = parent
