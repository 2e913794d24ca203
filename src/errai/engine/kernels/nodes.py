"""The decision nodes of one board: split the opponent's reach, or join my values and update my regrets.

The arrays of a node lie in `actions` rows of H * K numbers, with K the contexts of one chunk. They are worked
on in segments. A 16-bit store keeps one scale for each segment of a node, shared by its actions, so that a
strategy can be read without it. What a store does not have is None, an argument of its own: Numba leaves out what
depends on it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.arrays import (
    AVERAGING,
    BEST,
    FLOOR,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    SHARPNESS,
    UPDATE,
    WEIGHT,
)
from errai.engine.kernels.matching import (
    SEGMENT,
    accumulate,
    add,
    copy,
    decode,
    encode,
    largest,
    magnitude,
    mix2,
    mix3,
    predict,
    regret_step,
    remember,
    sharp_mix2,
    sharp_mix3,
    sharp_split2,
    sharp_split3,
    split2,
    split3,
)
from errai.kernels.options import INNER


@njit(**INNER)
def keep(numbers, actions, m, codes, at, step, seed, turn, grid):
    """The first m numbers of each action as codes, at `at + action * step`; returns their common scale.

    It is `grid.unit` or more. Numbers that stay below half a unit are mostly kept as zeros, which take no space when
    the codes are compressed.
    """
    most = np.float32(0)
    for a in range(actions):
        most = max(most, magnitude(numbers[a, :m]))
    scale = max(most / np.float32(grid.largest), np.float32(grid.unit))
    for a in range(actions):
        x = at + a * step
        encode(numbers[a, :m], scale, seed + x, turn, codes[x : x + m])
    return scale


@njit(**INNER)
def descend(betting, boards, chunk, now, reach, regret, prediction, average, average_scale, grid, scratch):
    """Split the opponent's reach at the opponent's nodes of a chunk, and add it to the opponent's average.

    reach is compact, [sequences, H * K]; that of sequence 0 is given.
    """
    player, rates, seed, turn = now.player, now.rates, now.seed, now.turn
    number = reach.dtype.type
    discount, averaging = number(rates[PREDICTION]), number(rates[AVERAGING])
    sharpness = number(rates[SHARPNESS])
    sharp = sharpness != number(1)
    board, level, H, k, K = chunk
    n = H * K
    first = boards.offset[board] + betting.rows[level] * H * k
    pieces = (n + SEGMENT - 1) // SEGMENT
    nodes = betting.first_node[level + 1] - betting.first_node[level]
    block = boards.block[board] + nodes * pieces * (k // K)
    for node in range(betting.first_node[level], betting.first_node[level + 1]):
        if betting.player[node] == player:
            continue
        actions = betting.actions[node]
        source, target = betting.own[node] * n, betting.sequence[node] * n
        at = first + betting.row[node] * n
        piece = block + (node - betting.first_node[level]) * pieces
        for c in range(0, n, SEGMENT):
            m = min(SEGMENT, n - c)
            q = at + c
            r = reach[source + c : source + c + m]
            o0 = reach[target + c : target + c + m]
            o1 = reach[target + n + c : target + n + c + m]
            o2 = reach[target + 2 * n + c : target + 2 * n + c + m]
            if actions == 1:
                copy(o0, r)
            elif prediction is None:
                w0, w1 = regret[q : q + m], regret[q + n : q + n + m]
                w2 = regret[q + 2 * n : q + 2 * n + m]
                if sharp:
                    if actions == 2:
                        sharp_split2(w0, w1, sharpness, r, o0, o1)
                    else:
                        sharp_split3(w0, w1, w2, sharpness, r, o0, o1, o2)
                elif actions == 2:
                    split2(w0, w1, r, o0, o1)
                else:
                    split3(w0, w1, w2, r, o0, o1, o2)
            else:
                for a in range(actions):
                    x = q + a * n
                    predict(regret[x : x + m], prediction[x : x + m], discount, scratch[a, :m])
                if actions == 2:
                    split2(scratch[0, :m], scratch[1, :m], r, o0, o1)
                else:
                    split3(scratch[0, :m], scratch[1, :m], scratch[2, :m], r, o0, o1, o2)
            if average is not None:
                if average_scale is None:
                    for a in range(actions):
                        x, y = q + a * n, target + a * n + c
                        accumulate(average[x : x + m], averaging, reach[y : y + m])
                else:
                    for a in range(actions):
                        x, y = q + a * n, target + a * n + c
                        decode(average[x : x + m], average_scale[piece], scratch[a, :m])
                        accumulate(scratch[a, :m], averaging, reach[y : y + m])
                    average_scale[piece] = keep(scratch, actions, m, average, q, n, seed, turn, grid)
            piece += 1


@njit(**INNER)
def nobody_comes(reach):
    """Whether no hand of the opponent gets here."""
    for i in range(reach.size):
        if reach[i] != 0:
            return np.bool_(False)
    return np.bool_(True)


@njit(**INNER)
def fade(betting, boards, chunk, player, averaging, average_scale):
    """What `descend` does to the opponent's 16-bit average where no hand of the opponent gets to a chunk."""
    if average_scale is None:
        return
    board, level, H, k, K = chunk
    pieces = (H * K + SEGMENT - 1) // SEGMENT
    first, last = betting.first_node[level], betting.first_node[level + 1]
    block = boards.block[board] + (last - first) * pieces * (k // K)
    for node in range(first, last):
        if betting.player[node] != player:
            for piece in range(block + (node - first) * pieces, block + (node - first + 1) * pieces):
                average_scale[piece] *= averaging


@njit(**INNER)
def ascend(betting, boards, chunk, now, value, regret, prediction, regret_scale, grid, scratch):
    """Join my values at my nodes of a chunk, last node first; in UPDATE mode my regrets change.

    value is compact, [sequences, H * K]; that of sequence 0 is the result.
    """
    player, mode, rates, seed, turn = now.player, now.mode, now.rates, now.seed, now.turn
    number = value.dtype.type
    positive, negative = number(rates[POSITIVE]), number(rates[NEGATIVE])
    weight, floor = number(rates[WEIGHT]), number(rates[FLOOR])
    sharpness = number(rates[SHARPNESS])
    sharp = sharpness != number(1)
    board, level, H, k, K = chunk
    n = H * K
    first = boards.offset[board] + betting.rows[level] * H * k
    pieces = (n + SEGMENT - 1) // SEGMENT
    nodes = betting.first_node[level + 1] - betting.first_node[level]
    block = boards.block[board] + nodes * pieces * (k // K)
    for node in range(betting.first_node[level + 1] - 1, betting.first_node[level] - 1, -1):
        if betting.player[node] != player:
            continue
        actions = betting.actions[node]
        assign = betting.assign[node] == 1
        target, source = betting.own[node] * n, betting.sequence[node] * n
        at = first + betting.row[node] * n
        piece = block + (node - betting.first_node[level]) * pieces
        for c in range(0, n, SEGMENT):
            m = min(SEGMENT, n - c)
            q = at + c
            v0 = value[source + c : source + c + m]
            v1 = value[source + n + c : source + n + c + m]
            v2 = value[source + 2 * n + c : source + 2 * n + c + m]
            out = value[target + c : target + c + m]
            mean = scratch[3, :m]
            if actions == 1:
                copy(mean, v0)
            elif mode == BEST:
                copy(mean, v0)
                largest(v1, mean)
                if actions == 3:
                    largest(v2, mean)
            else:
                if prediction is not None:
                    for a in range(actions):
                        x = q + a * n
                        predict(regret[x : x + m], prediction[x : x + m], positive, scratch[a, :m])
                    if actions == 2:
                        mix2(scratch[0, :m], scratch[1, :m], v0, v1, mean)
                    else:
                        mix3(scratch[0, :m], scratch[1, :m], scratch[2, :m], v0, v1, v2, mean)
                else:
                    w0, w1 = regret[q : q + m], regret[q + n : q + n + m]
                    w2 = regret[q + 2 * n : q + 2 * n + m]
                    if sharp:
                        if actions == 2:
                            sharp_mix2(w0, w1, sharpness, v0, v1, mean)
                        else:
                            sharp_mix3(w0, w1, w2, sharpness, v0, v1, v2, mean)
                    elif actions == 2:
                        mix2(w0, w1, v0, v1, mean)
                    else:
                        mix3(w0, w1, w2, v0, v1, v2, mean)
                if mode == UPDATE:
                    if regret_scale is None:
                        for a in range(actions):
                            x, y = q + a * n, source + a * n + c
                            v = value[y : y + m]
                            regret_step(regret[x : x + m], v, mean, positive, negative, weight, floor)
                            if prediction is not None:
                                remember(prediction[x : x + m], v, mean, weight)
                    else:
                        for a in range(actions):
                            x, y = q + a * n, source + a * n + c
                            held = scratch[a, :m]
                            decode(regret[x : x + m], regret_scale[piece], held)
                            regret_step(held, value[y : y + m], mean, positive, negative, weight, floor)
                        regret_scale[piece] = keep(scratch, actions, m, regret, q, n, seed, turn, grid)
            if assign:
                copy(out, mean)
            else:
                add(out, mean)
            piece += 1
