"""Whole passes over the public tree: reach goes down, values come up, one board of a level at a time.

The boards of one level are tasks, which threads take one after the other from a counter; each is walked with
all that lies below it. The trunk above them is walked before (down) and after (up). Every task writes its own
values and the trunk adds them up in the order of the boards, so the result does not depend on the number of
threads. In a small game the root is the only task, there is no trunk, and all iterations are one call.

Contexts of a last-level board that no hand of the opponent gets to are skipped, where a store makes that possible:
every value there is 0, no regret changes, and the opponent's average only fades.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from errai.engine.kernels.arrays import AVERAGING, FINEST, UPDATE, Chunk, Grid, Ints, Pass
from errai.engine.kernels.between import collect, ends, hand_back, pull, push, take_over
from errai.engine.kernels.matching import clear
from errai.engine.kernels.nodes import ascend, descend, fade, nobody_comes
from errai.engine.kernels.walk import ENTER, LEAVE, OVER, chunk_at, next_move, walk_tree
from errai.kernels.options import INNER, KERNEL

TRUNK_DOWN, TASKS, TRUNK_UP = 0, 1, 2  # phases of a pass


class Passes(NamedTuple):
    """Which passes are run: for all `players`, one after the other, in every iteration of the schedule."""

    first_phase: int
    last_phase: int
    players: Ints
    mode: int
    schedule: NDArray[np.float64]  # [iterations, 2, RATES]
    first: int  # the number of the first iteration
    salt: int = 0  # the seed of rounding: subgames are rounded apart


class Trunk(NamedTuple):
    """The boards above the tasks, and what the tasks return."""

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
def take(typing_context, counter):
    """The counter's value, and one more for the next thread."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.atomic_rmw("add", array.data, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), generate


@njit(**INNER)
def _walk(betting, boards, phase, now, root_reach, weights, counter, workspace, trunk):
    """A phase of a pass: the boards of the trunk, down or up, or tasks, each with all that lies below it."""
    tree, last_level, player = walk_tree(betting, boards), boards.last_level, now.player
    average_grid = Grid(FINEST.unit, weights.average_grid.largest)
    regret_grid = Grid(FINEST.unit, weights.regret_grid.largest)
    first_task, tasks, done = trunk.first_task, trunk.tasks, np.int64(0)
    skips = now.mode != UPDATE or weights.regret_scale is not None
    nobody = False
    top = _next_top(phase, done, counter, first_task, tasks)
    while top >= 0:
        board, k, move = top, np.int64(0), LEAVE if phase == TRUNK_UP else ENTER
        while move != OVER:
            chunk = chunk_at(tree, board, k)
            level, parent = chunk.level, np.int64(tree.parent[board])
            if board < first_task:
                reach = trunk.reach[trunk.first_reach[board] :]
                value = trunk.value[trunk.first_value[board] :]
                leaf = trunk.leaf[trunk.first_leaf[board] :]
            else:
                reach = workspace.reach[workspace.first_reach[level] :]
                value = workspace.value[workspace.first_value[level] :]
                leaf = workspace.leaf[workspace.first_leaf[level] :]
            if move == ENTER:
                if parent < 0:
                    start = boards.first_hand[board] * tree.contexts[level]
                    take_over(chunk, tree.contexts[level], root_reach[1 - player][start:], reach)
                elif parent < first_task:
                    pull(betting, boards, chunk, player, trunk.reach[trunk.first_reach[parent] :], reach)
                else:
                    above = workspace.reach[workspace.first_reach[level - 1] :]
                    pull(betting, boards, chunk, player, above, reach)
                nobody = skips and level == last_level and nobody_comes(reach[: chunk.H * chunk.K])
                if nobody:
                    clear(value[: chunk.H * chunk.K])
                    if now.mode == UPDATE:
                        faded = np.float32(now.rates[AVERAGING])
                        fade(betting, boards, chunk, player, faded, weights.average_scale)
                else:
                    descend(
                        betting, boards, chunk, now, reach, weights.regret, weights.prediction, weights.average,
                        weights.average_scale, weights.average_grid if level == last_level else average_grid,
                        workspace.scratch,
                    )  # fmt: skip
                    ends(betting, boards, chunk, player, reach, value, workspace)
                if level < last_level:
                    clear(leaf[: betting.leaves[level] * chunk.H * chunk.K])
            else:
                if phase == TRUNK_UP:
                    _push_children(betting, boards, board, trunk)
                if level < last_level:
                    collect(betting, chunk, player, leaf, value)
                if not (nobody and level == last_level):
                    ascend(
                        betting, boards, chunk, now, value, weights.regret, weights.prediction,
                        weights.regret_scale, weights.regret_grid if level == last_level else regret_grid,
                        workspace.scratch,
                    )  # fmt: skip
                if board != top:
                    push(betting, boards, chunk, value, workspace.leaf[workspace.first_leaf[level - 1] :])
                elif phase == TASKS:
                    result = trunk.task_value[trunk.first_task_value[top - first_task] :]
                    hand_back(chunk, tree.contexts[level], value, result)
            if phase != TASKS:
                break
            board, k, move = next_move(tree, top, board, k, move)
        done += 1
        top = _next_top(phase, done, counter, first_task, tasks)


@njit(**INNER)
def _push_children(betting, boards, board, trunk):
    """The values of a trunk board's children, trunk boards or tasks, go to its leaves in their order."""
    level = boards.level[board] + 1
    leaf = trunk.leaf[trunk.first_leaf[board] :]
    first = np.int64(boards.first_child[board])
    for child in range(first, first + boards.children[board]):
        if child < trunk.first_task:
            value = trunk.value[trunk.first_value[child] :]
        else:
            value = trunk.task_value[trunk.first_task_value[child - trunk.first_task] :]
        H = boards.first_hand[child + 1] - boards.first_hand[child]
        push(betting, boards, Chunk(child, level, H, 0, betting.contexts[level]), value, leaf)


@njit(**KERNEL)
def run(betting, boards, root_reach, passes, weights, counter, workspace, trunk):
    """Passes for every player and iteration, one after the other; only some of their phases, for threads."""
    for iteration in range(passes.schedule.shape[0]):
        for player in passes.players:
            rates = passes.schedule[iteration, player]
            now = Pass(player, passes.mode, rates, passes.salt, passes.first + iteration)
            for phase in range(passes.first_phase, passes.last_phase + 1):
                if phase == TASKS and passes.first_phase < TASKS:
                    counter[0] = 0
                if phase == TASKS or trunk.first_task > 0:
                    _walk(betting, boards, phase, now, root_reach, weights, counter, workspace, trunk)


@njit(**INNER)
def _next_top(phase, done, counter, first_task, tasks):
    """The board to walk from after so many: down and up the trunk in order, the tasks from the shared counter."""
    if phase == TASKS:
        task = take(counter)
        return first_task + task if task < tasks else np.int64(-1)
    if done == first_task:
        return np.int64(-1)
    return done if phase == TRUNK_DOWN else first_task - 1 - done
