"""The decision nodes of one board whose strategy is kept by bucket.

They do what errai.engine.kernels.nodes does for a board with a store of its own: split the opponent's reach, or join
my values and add my regrets. Weights may be regrets (float32) or probabilities (uint8).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.blueprint.kernels.rows import add_regrets, add_rows, floor_rows, take_rows
from errai.engine.kernels.matching import add, copy, largest, mix2, mix3, split2, split3
from errai.kernels.options import INNER

BLOCK = 2048  # numbers of a node worked on at a time


class NodeScratch(NamedTuple):
    """What the nodes of a board are worked on in."""

    mean: NDArray[np.float32]  # [H * K + W]
    rows: NDArray[np.float32]  # [3 actions, BLOCK + 2 * W] or a row of contexts more


class Update(NamedTuple):
    """Regrets that the nodes of a player add to, and those by which it plays: the same but in the first round."""

    regret: NDArray[np.float32]
    played: NDArray[np.float32]
    weight: float
    floor: float  # -inf where there is none


@njit(**INNER)
def descend(betting, chunk, player, rows, weights, reach, average, weight, scratch):
    """Split the opponent's reach at the opponent's nodes, [sequences, H * K]; that of sequence 0 is given.

    With an `average`, `weight` times the opponent's reach is added to it.
    """
    level, H, K = chunk.level, chunk.H, chunk.K
    bucket, base, stride = rows
    taken = scratch.rows
    n = H * K
    step = max(BLOCK // K, 1)
    for node in range(betting.first_node[level], betting.first_node[level + 1]):
        if betting.player[node] == player:
            continue
        actions = betting.actions[node]
        source, target = betting.own[node] * n, betting.sequence[node] * n
        first = base + betting.row[node] * K
        for low in range(0, H, step):
            high = min(low + step, H)
            c, m = low * K, (high - low) * K
            r = reach[source + c : source + c + m]
            o0 = reach[target + c : target + c + m]
            if actions == 1:
                copy(o0, r)
                continue
            for a in range(actions):
                take_rows(weights, first + a * K, stride, bucket, low, high, K, taken[a])
            o1 = reach[target + n + c : target + n + c + m]
            if actions == 2:
                split2(taken[0, :m], taken[1, :m], r, o0, o1)
            else:
                o2 = reach[target + 2 * n + c : target + 2 * n + c + m]
                split3(taken[0, :m], taken[1, :m], taken[2, :m], r, o0, o1, o2)
        if average is not None:
            for a in range(actions):
                add_rows(average, first + a * K, stride, bucket, K, weight, reach[target + a * n :])


@njit(**INNER)
def ascend(betting, chunk, player, best, rows, weights, value, update, scratch):
    """Join my values at my nodes, last node first, [sequences, H * K]; that of sequence 0 is the result.

    Where I respond `best` the largest value counts. The regrets of an `update`, if there is one, are added bucket by
    bucket.
    """
    level, H, K = chunk.level, chunk.H, chunk.K
    bucket, base, stride = rows
    mean, taken = scratch.mean, scratch.rows
    n = H * K
    step = max(BLOCK // K, 1)
    for node in range(betting.first_node[level + 1] - 1, betting.first_node[level] - 1, -1):
        if betting.player[node] != player:
            continue
        actions = betting.actions[node]
        target, source = betting.own[node] * n, betting.sequence[node] * n
        first = base + betting.row[node] * K
        out = value[target : target + n]
        if actions == 1:
            copy(mean[:n], value[source : source + n])
        elif best:
            copy(mean[:n], value[source : source + n])
            for a in range(1, actions):
                largest(value[source + a * n : source + (a + 1) * n], mean[:n])
        else:
            for low in range(0, H, step):
                high = min(low + step, H)
                c, m = low * K, (high - low) * K
                for a in range(actions):
                    take_rows(weights, first + a * K, stride, bucket, low, high, K, taken[a])
                v0 = value[source + c : source + c + m]
                v1 = value[source + n + c : source + n + c + m]
                if actions == 2:
                    mix2(taken[0, :m], taken[1, :m], v0, v1, mean[c : c + m])
                else:
                    v2 = value[source + 2 * n + c : source + 2 * n + c + m]
                    mix3(taken[0, :m], taken[1, :m], taken[2, :m], v0, v1, v2, mean[c : c + m])
        if update is not None:
            regret, weight = update.regret, update.weight
            for a in range(actions):
                v = value[source + a * n :]
                add_regrets(regret, first + a * K, stride, bucket, K, weight, v, mean)
            if update.floor > -np.inf:
                floor_rows(regret, first, actions * K, stride, bucket, update.floor)
        if betting.assign[node] == 1:
            copy(out, mean[:n])
        else:
            add(out, mean[:n])
