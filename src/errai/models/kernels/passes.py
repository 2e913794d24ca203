"""One pass of a player over a game on joint buckets: reach of the opponent down, values up.

    across    value[h] += amount * sum_g weight[h, g] reach[g]              a fold
              value[h] += stake  * sum_g weight[h, g] share[h, g] reach[g]  the end of the last round
    between   the values of a leaf are the sums of those of the histories that follow

Legend: L rounds, H histories of the player, G of the opponent, K contexts, innermost.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.engine.kernels.arrays import AVERAGING, FLOOR, NEGATIVE, POSITIVE, SHARPNESS, WEIGHT
from errai.kernels.options import INNER, KERNEL

UPDATE, BEST, VALUE = 0, 1, 2  # what a pass does
FOLD, LAST = 0, 1  # kinds of endings; leaves that go on are in `leaf`

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Tables(NamedTuple):
    """A model for kernels. Endings are in order of kind and of the opponent's sequence, for each player."""

    first_node: Ints  # [L + 1]
    player: Ints  # [nodes]
    actions: Ints  # [nodes]
    sequence: Ints  # [nodes] the actor's after the first action
    own: Ints  # [nodes] the actor's that leads here
    first_number: Ints  # [nodes + 1] of the [A, H, K] of a node in regrets and averages
    sequences: Ints  # [L, 2]
    contexts: Ints  # [L]
    histories: Ints  # [L, 2]
    first_stake: Ints  # [L]
    stake: Floats
    first_end: Ints  # [L + 1]
    end_kind: Ints  # [2, endings]
    end_sequence: Ints  # [2, endings, 2] by the player of the pass: mine, the opponent's
    end_sign: Floats  # [2, endings] of a fold
    end_amount: Floats  # [2, endings]
    leaves: Ints  # [L] that go on
    leaf_sequence: Ints  # [L, 2, leaves]
    first_pair: Ints  # [L] in `weight`
    weight: Floats  # [2, pairs] by the player of the pass, [H, G]
    share: Floats  # [2, H * G] weight times share of the last round, with the player's sign
    first_parent: Ints  # [L, 2]
    parent: Ints


@njit(**INNER)
def _place(tables, player, level):
    """Where the numbers [sequences, H, K] of a round begin."""
    at = np.int64(0)
    for before in range(level):
        at += tables.sequences[before, player] * tables.histories[before, player] * tables.contexts[before]
    return at


@njit(**INNER)
def _strategy(numbers, actions, size, i, sharpness, out):
    """What is played at one place of a node, from its regrets or its average."""
    total = 0.0
    for a in range(actions):
        out[a] = max(numbers[a * size + i], 0.0)
        total += out[a]
    if total <= 0.0:
        for a in range(actions):
            out[a] = 1.0 / actions
        return
    sharpened = 0.0
    for a in range(actions):
        out[a] /= total
        out[a] *= 1.0 + (sharpness - 1.0) * out[a]
        sharpened += out[a]
    for a in range(actions):
        out[a] /= sharpened


@njit(**INNER)
def _descend(tables, player, played, average, averaging, sharpness, reach):
    """Reach of the opponent, by sequence, history and context; its average is gathered on the way."""
    other = 1 - player
    out = np.zeros(3)
    rounds = tables.contexts.size
    for level in range(rounds):
        K, G = tables.contexts[level], tables.histories[level, other]
        size, at = G * K, _place(tables, other, level)
        if level == 0:
            reach[:size] = 1.0
        for node in range(tables.first_node[level], tables.first_node[level + 1]):
            if tables.player[node] != other:
                continue
            first, actions = tables.first_number[node], tables.actions[node]
            numbers = played[first : first + actions * size]
            before = reach[at + tables.own[node] * size : at + (tables.own[node] + 1) * size]
            start = at + tables.sequence[node] * size
            for i in range(size):
                _strategy(numbers, actions, size, i, sharpness, out)
                for a in range(actions):
                    after = before[i] * out[a]
                    reach[start + a * size + i] = after
                    if averaging >= 0.0:
                        place = first + a * size + i
                        average[place] = average[place] * averaging + after
        if level + 1 == rounds:
            break
        below, wide = _place(tables, other, level + 1), K * tables.leaves[level]
        parent = tables.parent[tables.first_parent[level + 1, other] :]
        for leaf in range(tables.leaves[level]):
            source = at + tables.leaf_sequence[level, other, leaf] * size
            for h in range(tables.histories[level + 1, other]):
                for k in range(K):
                    reach[below + h * wide + leaf * K + k] = reach[source + parent[h] * K + k]


@njit(**INNER)
def _weigh(weight, given, K, row):
    """row[k] = sum_g weight[g] given[g, k], g ascending; four at a time, so that a row is read and written less."""
    row[:] = 0.0
    G = weight.size
    fours = G - G % 4
    for g in range(0, fours, 4):
        a, b, c, d = weight[g], weight[g + 1], weight[g + 2], weight[g + 3]
        if a == 0.0 and b == 0.0 and c == 0.0 and d == 0.0:
            continue
        first, second = given[g * K : (g + 1) * K], given[(g + 1) * K : (g + 2) * K]
        third, fourth = given[(g + 2) * K : (g + 3) * K], given[(g + 3) * K : (g + 4) * K]
        for k in range(K):
            row[k] = (((row[k] + a * first[k]) + b * second[k]) + c * third[k]) + d * fourth[k]
    for g in range(fours, G):
        last = given[g * K : (g + 1) * K]
        for k in range(K):
            row[k] += weight[g] * last[k]


@njit(**INNER)
def _across(tables, player, level, reach, value, mixed):
    """The endings of a round: the opponent's reach becomes values of the player's sequences."""
    other = 1 - player
    K, H, G = tables.contexts[level], tables.histories[level, player], tables.histories[level, other]
    mine, theirs = _place(tables, player, level), _place(tables, other, level)
    stake = tables.stake[tables.first_stake[level] : tables.first_stake[level] + K]
    known_kind = known_sequence = np.int64(-1)
    for e in range(tables.first_end[level], tables.first_end[level + 1]):
        kind, sequence = tables.end_kind[player, e], tables.end_sequence[player, e, 1]
        if kind != known_kind or sequence != known_sequence:
            known_kind, known_sequence = kind, sequence
            if kind == FOLD:
                pairs = tables.weight[player, tables.first_pair[level] : tables.first_pair[level] + H * G]
            else:
                pairs = tables.share[player, : H * G]
            given = reach[theirs + sequence * G * K : theirs + (sequence + 1) * G * K]
            for h in range(H):
                _weigh(pairs[h * G : (h + 1) * G], given, K, mixed[h * K : (h + 1) * K])
        sign, amount = tables.end_sign[player, e], tables.end_amount[player, e]
        start = mine + tables.end_sequence[player, e, 0] * H * K
        for h in range(H):
            row, into = mixed[h * K : (h + 1) * K], value[start + h * K : start + (h + 1) * K]
            for k in range(K):
                into[k] += sign * (amount + stake[k]) * row[k]


@njit(**INNER)
def _ascend(tables, player, mode, regret, rates, level, value):
    """The player's decisions of a round, from the last to the first."""
    K, H = tables.contexts[level], tables.histories[level, player]
    size, at = H * K, _place(tables, player, level)
    out = np.zeros(3)
    for node in range(tables.first_node[level + 1] - 1, tables.first_node[level] - 1, -1):
        if tables.player[node] != player:
            continue
        first, actions = tables.first_number[node], tables.actions[node]
        numbers = regret[first : first + actions * size]
        start, into = at + tables.sequence[node] * size, at + tables.own[node] * size
        for i in range(size):
            if mode == BEST:
                best = value[start + i]
                for a in range(1, actions):
                    best = max(best, value[start + a * size + i])
                value[into + i] += best
                continue
            _strategy(numbers, actions, size, i, rates[SHARPNESS], out)
            mean = 0.0
            for a in range(actions):
                mean += out[a] * value[start + a * size + i]
            if mode == UPDATE:
                for a in range(actions):
                    before = numbers[a * size + i]
                    before *= rates[POSITIVE] if before > 0.0 else rates[NEGATIVE]
                    gained = rates[WEIGHT] * (value[start + a * size + i] - mean)
                    numbers[a * size + i] = max(before + gained, rates[FLOOR])
            value[into + i] += mean


@njit(**KERNEL)
def run_pass(tables, player, mode, regret, average, rates, reach, value, mixed):
    """A pass of a player. Returns what the player wins, [K] by context, in chips.

    In an update the regrets of the player change, and the average of the opponent; a best response and a value
    leave both as they are and take `regret` for the weights that are played.
    """
    _descend(
        tables,
        player,
        regret,
        average,
        rates[AVERAGING] if mode == UPDATE else -1.0,
        rates[SHARPNESS],
        reach,
    )
    value[:] = 0.0
    rounds = tables.contexts.size
    for level in range(rounds - 1, -1, -1):
        K, H, at = tables.contexts[level], tables.histories[level, player], _place(tables, player, level)
        _across(tables, player, level, reach, value, mixed)
        if level + 1 < rounds:
            below, wide = _place(tables, player, level + 1), K * tables.leaves[level]
            parent = tables.parent[tables.first_parent[level + 1, player] :]
            for leaf in range(tables.leaves[level]):
                start = at + tables.leaf_sequence[level, player, leaf] * H * K
                for h in range(tables.histories[level + 1, player]):
                    for k in range(K):
                        value[start + parent[h] * K + k] += value[below + h * wide + leaf * K + k]
        _ascend(tables, player, mode, regret, rates, level, value)
    K, H = tables.contexts[0], tables.histories[0, player]
    won = np.zeros(K)
    for h in range(H):
        for k in range(K):
            won[k] += value[h * K + k]
    return won


@njit(**KERNEL)
def iterate(tables, regret, average, rates, reach, value, mixed):
    """Iterations of CFR, [iterations, 2, RATES]: seat 1 and then seat 0, as in errai.engine.rules."""
    for t in range(rates.shape[0]):
        for player in (1, 0):
            run_pass(tables, player, UPDATE, regret, average, rates[t, player], reach, value, mixed)
