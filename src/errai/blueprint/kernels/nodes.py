"""The decision nodes of one board whose strategy is kept by bucket.

They do what errai.engine.kernels.nodes does for a board with a store of its own: split the opponent's reach, or join
my values and add my regrets. The rows of a bucket lie at

    base + bucket * stride + row * K        stride = A * K

with `base` the start of the round, line and chunk. Weights may be regrets (float32) or probabilities (uint8).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.blueprint.kernels.rows import add_regrets, add_rows, floor_rows, take_rows
from errai.engine.kernels.matching import add, copy, largest, mix2, mix3, split2, split3
from errai.kernels.options import INNER

BLOCK = 2048  # numbers of a node worked on at a time


@njit(**INNER)
def descend(betting, level, player, H, K, bucket, weights, base, reach, average, weight, mask, scratch):
    """Split the opponent's reach at his nodes, [sequences, H * K]; that of sequence 0 is given.

    With an `average`, `weight` times his reach is added to it.
    """
    n = H * K
    stride = betting.rows[level] * K
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
                take_rows(weights, first + a * K, stride, bucket, low, high, K, scratch[a])
            o1 = reach[target + n + c : target + n + c + m]
            if actions == 2:
                split2(scratch[0, :m], scratch[1, :m], r, o0, o1)
            else:
                o2 = reach[target + 2 * n + c : target + 2 * n + c + m]
                split3(scratch[0, :m], scratch[1, :m], scratch[2, :m], r, o0, o1, o2)
        if average is not None:
            for a in range(actions):
                add_rows(
                    average, first + a * K, stride, bucket, 0, H, K, weight, reach[target + a * n :], mask
                )


@njit(**INNER)
def ascend(
    betting,
    level,
    player,
    best,
    H,
    K,
    bucket,
    weights,
    base,
    value,
    regret,
    weight,
    floor,
    mask,
    mean,
    scratch,
):
    """Join my values at my nodes, last node first, [sequences, H * K]; that of sequence 0 is the result.

    Where I respond `best` the largest value counts. `weight` times the regrets are added to `regret`, if it is
    there, bucket by bucket.
    """
    n = H * K
    stride = betting.rows[level] * K
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
                    take_rows(weights, first + a * K, stride, bucket, low, high, K, scratch[a])
                v0 = value[source + c : source + c + m]
                v1 = value[source + n + c : source + n + c + m]
                if actions == 2:
                    mix2(scratch[0, :m], scratch[1, :m], v0, v1, mean[c : c + m])
                else:
                    v2 = value[source + 2 * n + c : source + 2 * n + c + m]
                    mix3(scratch[0, :m], scratch[1, :m], scratch[2, :m], v0, v1, v2, mean[c : c + m])
        if regret is not None:
            for a in range(actions):
                v = value[source + a * n :]
                add_regrets(regret, first + a * K, stride, bucket, H, K, weight, v, mean, mask)
            if floor > -np.inf:
                floor_rows(regret, first, actions * K, stride, bucket, H, floor)
        if betting.assign[node] == 1:
            copy(out, mean[:n])
        else:
            add(out, mean[:n])
