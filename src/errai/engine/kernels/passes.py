"""Whole passes over the public tree: reach goes down, values come up, one board of a level at a time.

The boards of one level are tasks, which threads take one after the other from a counter; each is walked with
all that lies below it. The trunk above them is walked before (down) and after (up). Every task writes its own
values and the trunk adds them up in the order of the boards, so the result does not depend on the number of
threads. In a small game the root is the only task, there is no trunk, and all iterations are one call.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from errai.engine.kernels.arrays import Ints
from errai.engine.kernels.between import collect, ends, hand_back, pull, push
from errai.engine.kernels.matching import clear, copy
from errai.engine.kernels.nodes import ascend, descend
from errai.kernels.options import KERNEL

TRUNK_DOWN, TASKS, TRUNK_UP = 0, 1, 2  # phases of a pass
SEEDS = 7919  # between the seeds of two iterations


class Trunk(NamedTuple):
    """Room for every board above the tasks, and for what the tasks return."""

    first_task: int  # board
    tasks: int
    reach: NDArray[np.floating]
    value: NDArray[np.floating]
    leaf: NDArray[np.floating]
    first_reach: Ints  # [boards of the trunk + 1]
    first_value: Ints
    first_leaf: Ints
    task_value: NDArray[np.floating]  # [H, K] of every task
    first_task_value: Ints  # [tasks + 1]


@intrinsic
def _take(typing_context, counter):
    """The counter's value, and one more for the next thread."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.atomic_rmw("add", array.data, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), generate


@njit(**KERNEL)
def run(
    betting, boards, phases, players, mode, root_reach, counter, store, schedule, first, workspace, trunk
):
    """Passes for `players`, one after the other, in every iteration of schedule [iterations, 2, RATES].

    phases = (from, to) selects a part of a single pass, for threads; `first` is the first iteration's number.
    """
    regret, prediction, average, regret_scale, average_scale = store
    last_level = boards.last_level
    for iteration in range(schedule.shape[0]):
        seed = (first + iteration) * SEEDS
        for player in players:
            rates = schedule[iteration, player]
            for phase in range(phases[0], phases[1]):
                done = np.int64(0)
                if phase == TASKS and phases[1] - phases[0] > 1:
                    counter[0] = 0
                while True:
                    # The next board to walk from.
                    if phase == TASKS:
                        task = _take(counter)
                        if task >= trunk.tasks:
                            break
                        top = trunk.first_task + task
                    else:
                        if done == trunk.first_task:
                            break
                        top = done if phase == TRUNK_DOWN else trunk.first_task - 1 - done
                        done += 1
                    board, k, down = top, np.int64(0), phase != TRUNK_UP
                    while True:
                        level = boards.level[board]
                        parent = np.int64(boards.parent[board])
                        last = level == last_level
                        H = boards.first_hand[board + 1] - boards.first_hand[board]
                        contexts = betting.contexts[level]
                        K = min(betting.chunk[level], contexts - k)
                        leaves = betting.leaves[level] * H * contexts
                        if board < trunk.first_task:
                            reach = trunk.reach[trunk.first_reach[board] :]
                            value = trunk.value[trunk.first_value[board] :]
                            leaf = trunk.leaf[trunk.first_leaf[board] :]
                        else:
                            reach = workspace.reach[workspace.first_reach[level] :]
                            value = workspace.value[workspace.first_value[level] :]
                            leaf = workspace.leaf[workspace.first_leaf[level] :]
                        if down:
                            if parent < 0:
                                copy(reach[: H * K], root_reach[1 - player])
                            elif parent < trunk.first_task:
                                above = trunk.reach[trunk.first_reach[parent] :]
                                pull(betting, boards, board, player, k, K, above, reach)
                            else:
                                above = workspace.reach[workspace.first_reach[level - 1] :]
                                pull(betting, boards, board, player, k, K, above, reach)
                            descend(
                                betting, boards, board, player, k, K, reach, regret, prediction,
                                average, average_scale, rates, seed, workspace.scratch,
                            )  # fmt: skip
                            ends(betting, boards, board, player, k, K, reach, value, workspace)
                            if not last:
                                clear(leaf[:leaves])
                                if phase == TRUNK_DOWN:
                                    break
                                board = np.int64(boards.first_child[board])
                                continue
                        down = False
                        if not last:
                            if phase == TRUNK_UP:
                                child = np.int64(boards.first_child[board])
                                width = betting.contexts[level + 1]
                                for _ in range(boards.children[board]):
                                    if child < trunk.first_task:
                                        below = trunk.value[trunk.first_value[child] :]
                                    else:
                                        low = trunk.first_task_value[child - trunk.first_task]
                                        below = trunk.task_value[low:]
                                    push(betting, boards, child, np.int64(0), width, below, leaf)
                                    child += 1
                            collect(betting, boards, board, player, leaf, value)
                        ascend(
                            betting, boards, board, player, k, K, mode, value, regret, prediction,
                            regret_scale, rates, seed, workspace.scratch,
                        )  # fmt: skip
                        if board != top:
                            push(
                                betting, boards, board, k, K, value,
                                workspace.leaf[workspace.first_leaf[level - 1] :],
                            )  # fmt: skip
                        elif phase == TASKS:
                            low = trunk.first_task_value[board - trunk.first_task] + k
                            hand_back(value, H, K, contexts, trunk.task_value[low:])
                        # What comes next: more contexts, the next board, or back to the parent.
                        if k + K < contexts:
                            k += K
                            down = True
                        elif board == top:
                            break
                        else:
                            k = np.int64(0)
                            if board + 1 < boards.first_child[parent] + boards.children[parent]:
                                board += 1
                                down = True
                            else:
                                board = parent
