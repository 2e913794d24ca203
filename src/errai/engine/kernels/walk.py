"""The order in which the boards below one are walked, chunk by chunk: reach goes down, values come up.

A chunk is entered on the way down and left on the way up. Between the two all boards below its board are walked; a
chunk of the last level is left as soon as it was entered:

    enter flop 1 | enter turn 1 | enter, leave river 1 | enter, leave river 2 .. leave turn 1 | enter turn 2 ..

Only last-level boards have more than one chunk, so one board of every level is held at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.engine.kernels.arrays import Chunk, Ints
from errai.kernels.options import INLINED

ENTER, LEAVE, OVER = 0, 1, 2  # moves of a walk


class WalkTree(NamedTuple):
    """The boards as a tree, and how many contexts each has: all that decides the order of a walk."""

    level: Ints  # [B]
    parent: NDArray[np.int32]  # [B]
    first_child: NDArray[np.int32]  # [B]
    children: NDArray[np.int32]  # [B]
    first_hand: Ints  # [B + 1]
    contexts: Ints  # [L]
    chunk: Ints  # [L]


@njit(**INLINED)
def walk_tree(betting, boards):
    """The tree of a layout, taken out of its tuples before a walk."""
    return WalkTree(
        boards.level, boards.parent, boards.first_child, boards.children, boards.first_hand,
        betting.contexts, betting.chunk,
    )  # fmt: skip


@njit(**INLINED)
def chunk_at(tree, board, k):
    """The contexts of a board from k on that are worked on at a time."""
    level = tree.level[board]
    return Chunk(board, level, tree.first_hand[board + 1] - tree.first_hand[board], k, tree.chunk[level])


@njit(**INLINED)
def next_move(tree, top, board, k, move):
    """(board, k, move) that follows in a walk of the board `top` and all boards below it."""
    level = tree.level[board]
    if move == ENTER:
        if level == tree.contexts.size - 1:
            return board, k, LEAVE
        return np.int64(tree.first_child[board]), np.int64(0), ENTER
    if k + tree.chunk[level] < tree.contexts[level]:
        return board, k + tree.chunk[level], ENTER
    if board == top:
        return board, k, OVER
    parent = np.int64(tree.parent[board])
    if board + 1 < tree.first_child[parent] + tree.children[parent]:
        return board + 1, np.int64(0), ENTER
    return parent, np.int64(0), LEAVE
