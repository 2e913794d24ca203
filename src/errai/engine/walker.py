"""Runs passes of the kernels over a layout, on one thread or several.

Small games are walked from the root, many iterations in one call. Otherwise the first level with enough
boards is shared among threads (see errai.engine.kernels.passes). Which way is taken depends on the game
alone, so that a result does not depend on the number of threads.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import RATES, SCRATCH, UPDATE, VALUE, Betting, Weights, Workspace
from errai.engine.kernels.matching import SEGMENT
from errai.engine.kernels.passes import TASKS, TRUNK_DOWN, TRUNK_UP, Passes, Trunk, run
from errai.engine.layout import Layout
from errai.kernels.lanes import W

SMALL = 100_000  # numbers of a store: below this, threads cost more than they gain
ENOUGH_TASKS = 16


class Walker:
    """Workspaces and threads for one layout and one floating type."""

    def __init__(self, layout: Layout, threads: int = 1, dtype: Any = np.float32) -> None:
        self.layout = layout
        self.dtype = np.dtype(dtype)
        self.task_level = _task_level(layout)
        self.threads = useful_threads(layout, threads)
        H, deck = most_hands(layout), layout.spot.deck.size
        self._workspaces = [new_workspace(layout.betting, deck, H, self.dtype) for _ in range(self.threads)]
        self._trunk = new_trunk(layout, self.task_level, self.dtype)
        self._root_reach = root_reach(layout, self.dtype)
        self._pool = ThreadPoolExecutor(self.threads, "errai") if self.threads > 1 else None

    def iterations(self, weights: Weights, rates: NDArray[np.float64], first: int) -> None:
        """CFR iterations with rates [iterations, 2, RATES]; `first` is the number of the first, from 1."""
        if self._pool is None:
            self._run(Passes(TRUNK_DOWN, TRUNK_UP, np.array([1, 0]), UPDATE, rates, first), weights)
            return
        for offset in range(len(rates)):
            for player in (1, 0):
                self._share(player, UPDATE, weights, rates[offset : offset + 1], first + offset)

    def start_with(self, player: int, reach: NDArray[np.floating]) -> None:
        """[H] how often each hand class of a player comes to the root in passes from now on."""
        self._root_reach[player] = reach

    def update(
        self, player: int, weights: Weights, rates: NDArray[np.float64], iteration: int
    ) -> NDArray[np.floating]:
        """The player's half of a CFR iteration with rates [2, RATES]; returns the player's values, see `values`."""
        return self._pass(player, UPDATE, weights, rates[None], iteration)

    def warm_up(self, weights: Weights) -> None:
        """Compile the kernels, or load them, for this kind of weights; changes nothing."""
        self._run(Passes(TASKS, TASKS, np.array([0]), VALUE, np.ones((0, 2, RATES)), 0), weights)

    def values(self, player: int, mode: int, weights: Weights) -> NDArray[np.floating]:
        """The player's values at the root, [H] by hand class, from a pass that changes nothing."""
        return self._pass(player, mode, weights, np.ones((1, 2, RATES)), 0)

    def _pass(
        self, player: int, mode: int, weights: Weights, rates: NDArray[np.float64], iteration: int
    ) -> NDArray[np.floating]:
        """One pass, and the values at the root that it ends with."""
        if self._pool is None:
            self._run(Passes(TRUNK_DOWN, TRUNK_UP, np.array([player]), mode, rates, iteration), weights)
        else:
            self._share(player, mode, weights, rates, iteration)
        H = int(self.layout.boards.first_hand[1])
        return (self._trunk.value if self.task_level else self._trunk.task_value)[:H]

    def _share(
        self, player: int, mode: int, weights: Weights, rates: NDArray[np.float64], first: int
    ) -> None:
        """One pass on all threads."""
        assert self._pool is not None
        passes = Passes(TRUNK_DOWN, TRUNK_DOWN, np.array([player]), mode, rates, first)
        self._run(passes, weights)
        counter = np.zeros(1, np.int64)
        tasks = passes._replace(first_phase=TASKS, last_phase=TASKS)
        jobs = [
            self._pool.submit(self._run, tasks, weights, counter, workspace) for workspace in self._workspaces
        ]
        for job in jobs:
            job.result()
        self._run(passes._replace(first_phase=TRUNK_UP, last_phase=TRUNK_UP), weights)

    def _run(
        self,
        passes: Passes,
        weights: Weights,
        counter: NDArray[np.int64] | None = None,
        workspace: Workspace | None = None,
    ) -> None:
        run(
            self.layout.betting,
            self.layout.boards,
            self._root_reach,
            passes,
            weights,
            np.zeros(1, np.int64) if counter is None else counter,
            workspace or self._workspaces[0],
            self._trunk,
        )

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def _task_level(layout: Layout) -> int:
    """The level whose boards are tasks; 0 when the game is walked from the root."""
    if layout.levels == 1 or layout.boards.offset[-1] < SMALL:
        return 0
    boards = np.diff(layout.shape.tree.levels)
    enough = [level for level in range(1, layout.levels) if boards[level] >= ENOUGH_TASKS]
    return enough[0] if enough else layout.levels - 1


def most_hands(layout: Layout) -> NDArray[np.int64]:
    """The most hand classes of a board of each level."""
    bounds = layout.shape.tree.levels
    return np.array([int(layout.shape.classes[a:b].max()) for a, b in pairwise(bounds)], np.int64)


def _numbers(betting: Betting, H: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of reach (and of value, for either player) and of leaves that a board of each level needs at most."""
    leaves = betting.leaves * H * betting.contexts
    leaves[-1] = 0
    return betting.sequences.max(axis=1) * H * betting.chunk, leaves


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def useful_threads(layout: Layout, threads: int) -> int:
    """Not more than there are boards to share, nor many more than there are cores."""
    level = _task_level(layout)
    tasks = int(np.diff(layout.shape.tree.levels)[level])
    return max(1, min(threads, tasks, 4 * (os.cpu_count() or 1)))


def workspace_bytes(layout: Layout, threads: int) -> int:
    """What a solver (four bytes a number) and an evaluator (eight) take with so many threads."""
    return useful_threads(layout, threads) * 12 * workspace_numbers(layout.betting, most_hands(layout))


def workspace_numbers(betting: Betting, H: NDArray[np.int64]) -> int:
    """How many numbers of reach, values and leaves a workspace holds; H has the most hands of each level."""
    sequences, leaves = _numbers(betting, H)
    return int(2 * sequences.sum() + leaves.sum())


def new_workspace(betting: Betting, deck: int, H: NDArray[np.int64], dtype: Any = np.float32) -> Workspace:
    """For one board of every level; H has the most hands of each."""
    sequences, leaves = _numbers(betting, H)
    starts, first_leaf = _starts(sequences), _starts(leaves)
    most = int(H.max())
    return Workspace(
        reach=np.zeros(starts[-1] + W, dtype),
        value=np.zeros(starts[-1] + W, dtype),
        leaf=np.zeros(first_leaf[-1], dtype),
        first_reach=starts,
        first_value=starts,
        first_leaf=first_leaf,
        sum_value=np.zeros(most * int(betting.chunk.max()) + W, dtype),
        bases=np.zeros(W, np.int64),
        tile=np.zeros((most + 1) * W, dtype),
        out=np.zeros((most + 1) * W, dtype),
        sums=np.zeros((deck + 2) * W, dtype),
        amount=np.zeros(2 * W, dtype),
        scratch=np.zeros((SCRATCH, SEGMENT), dtype),
    )


def new_trunk(layout: Layout, task_level: int, dtype: np.dtype[Any]) -> Trunk:
    betting, tree, H = layout.betting, layout.shape.tree, layout.shape.classes
    first_task = int(tree.levels[task_level])
    tasks = int(tree.levels[task_level + 1]) - first_task
    level = layout.boards.level[:first_task]
    width = H[:first_task] * betting.contexts[level]
    sequences = betting.sequences.max(axis=1)[level]
    reach = value = _starts(sequences * width)
    leaf = _starts(betting.leaves[level] * width)
    task = _starts(H[first_task : first_task + tasks] * betting.contexts[task_level])
    return Trunk(
        first_task=first_task,
        tasks=tasks,
        reach=np.zeros(reach[-1] + W, dtype),
        value=np.zeros(value[-1] + W, dtype),
        leaf=np.zeros(leaf[-1], dtype),
        first_reach=reach,
        first_value=value,
        first_leaf=leaf,
        task_value=np.zeros(task[-1], dtype),
        first_task_value=task,
    )


def root_reach(layout: Layout, dtype: np.dtype[Any]) -> NDArray[np.floating]:
    """[2, H] range of each seat by hand class of the root."""
    classes = layout.hand_classes.hand[: layout.hand_classes.first[1]]
    return np.stack([weights[classes] for weights in layout.spot.ranges]).astype(dtype)
