"""Across the border: reach of the trunk enters the boards of a subgame, their values come back to it.

The boards of a subgame are boards of the trunk's last level, with some of its contexts. What crosses is flat, board
after board [H, K], as the roots of the subgame's own layout take it.
"""

from __future__ import annotations

from numba import njit

from errai.engine.kernels.arrays import Chunk
from errai.engine.kernels.between import hand_back, pull
from errai.kernels.options import KERNEL


@njit(**KERNEL)
def enter(betting, boards, subgame, player, trunk, out):
    """Reach of the player's opponent at the roots of a subgame."""
    first, last, k, K = subgame
    at = 0
    for board in range(first, last):
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        chunk = Chunk(board, boards.level[board], H, k, K)
        parent = boards.parent[board]
        pull(betting, boards, chunk, player, trunk.reach[trunk.first_reach[parent] :], out[at:])
        at += H * K


@njit(**KERNEL)
def leave(betting, boards, subgame, value, trunk):
    """Values at the roots of a subgame go to their places among what the trunk's tasks return."""
    first, last, k, K = subgame
    contexts = betting.contexts[boards.level[first]]
    at = 0
    for board in range(first, last):
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        chunk = Chunk(board, boards.level[board], H, k, K)
        result = trunk.task_value[trunk.first_task_value[board - trunk.first_task] :]
        hand_back(chunk, contexts, value[at:], result)
        at += H * K
