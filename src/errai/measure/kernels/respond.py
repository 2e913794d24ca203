"""The best response to a strategy on buckets, in the unabstracted game: all boards below one flop, hand by hand.

The public tree is walked in the order of errai.engine.kernels.walk; the opponent's strategy comes from the rows of
its hands' buckets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.blueprint.kernels.buckets import look_up
from errai.blueprint.kernels.nodes import ascend, descend
from errai.blueprint.kernels.rows import rows_of
from errai.engine.kernels.arrays import Ints
from errai.engine.kernels.between import collect, ends, pull, push
from errai.engine.kernels.matching import clear, copy
from errai.engine.kernels.walk import ENTER, OVER, chunk_at, next_move, walk_tree
from errai.kernels.options import KERNEL


class BucketStrategy(NamedTuple):
    """A strategy on buckets, on the boards below one flop. Levels are rounds from the second on."""

    weights: NDArray[np.float32] | NDArray[np.uint8]
    first: Ints  # [L] where a round begins in the weights
    counts: Ints  # [L] buckets
    bucket: Ints  # [classes of all boards]


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
def respond(betting, boards, strategy, line, player, best_from, root_reach, workspace, scratch, result):
    """result[H] = the player's values at the root of a line against the opponent's reach there, root_reach [H].

    best_from   the level from which on the player responds best; before it, too, the strategy is played
    """
    tree, weights = walk_tree(betting, boards), strategy.weights
    board, k, move = np.int64(0), np.int64(0), ENTER
    while move != OVER:
        chunk = chunk_at(tree, board, k)
        level, H, hand = chunk.level, chunk.H, tree.first_hand[board]
        reach = workspace.reach[workspace.first_reach[level] :]
        value = workspace.value[workspace.first_value[level] :]
        leaf = workspace.leaf[workspace.first_leaf[level] :]
        rows = rows_of(
            betting,
            chunk,
            line,
            strategy.first,
            strategy.counts,
            strategy.bucket[hand : hand + H],
        )
        if move == ENTER:
            if level == 0:
                copy(reach[:H], root_reach)
            else:
                above = workspace.reach[workspace.first_reach[level - 1] :]
                pull(betting, boards, chunk, player, above, reach)
            descend(betting, chunk, player, rows, weights, reach, None, 0.0, scratch)
            ends(betting, boards, chunk, player, reach, value, workspace)
            if level < boards.last_level:
                clear(leaf[: betting.leaves[level] * H * chunk.K])
        else:
            if level < boards.last_level:
                collect(betting, chunk, player, leaf, value)
            ascend(betting, chunk, player, level >= best_from, rows, weights, value, None, scratch)
            if level == 0:
                copy(result, value[:H])
            else:
                push(betting, boards, chunk, value, workspace.leaf[workspace.first_leaf[level - 1] :])
        board, k, move = next_move(tree, np.int64(0), board, k, move)
