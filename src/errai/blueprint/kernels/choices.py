"""A best response at the nodes of one board: chosen, written down, and followed.

A choice is a byte for every node, hand and context: which action is best. `choose` finds it from the values of a
player's sequences; `follow` splits the reach of an opponent who has chosen; `pick` joins other values by the same
choices.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.matching import add, copy
from errai.kernels.options import INNER, KERNEL


@njit(**KERNEL)
def _best2(v0, v1, out, choice):
    for i in range(out.size):
        second = v1[i] > v0[i]
        choice[i] = np.uint8(second)
        out[i] = v1[i] if second else v0[i]


@njit(**KERNEL)
def _best3(v0, v1, v2, out, choice):
    for i in range(out.size):
        second = v1[i] > v0[i]
        best = v1[i] if second else v0[i]
        third = v2[i] > best
        choice[i] = np.uint8(2) if third else np.uint8(second)
        out[i] = v2[i] if third else best


@njit(**KERNEL)
def _picked(choice, v, out):
    """out = v[choice], v [actions, n]"""
    zero = out.dtype.type(0)
    for i in range(out.size):
        out[i] = v[i] if choice[i] == 0 else zero
    for a in range(1, v.size // out.size):
        of = v[a * out.size :]
        for i in range(out.size):
            out[i] = of[i] if choice[i] == a else out[i]


@njit(**KERNEL)
def _gone(choice, reach, action, out):
    zero = out.dtype.type(0)
    for i in range(out.size):
        out[i] = reach[i] if choice[i] == action else zero


@njit(**INNER)
def _joined(betting, level, player, n, value, mean, choice, chosen):
    """Values at the player's nodes, last node first, by the best action or by those that were chosen before."""
    first = betting.first_node[level]
    for node in range(betting.first_node[level + 1] - 1, first - 1, -1):
        if betting.player[node] != player:
            continue
        actions = betting.actions[node]
        source = betting.sequence[node] * n
        own = choice[(node - first) * n : (node - first + 1) * n]
        if actions == 1:
            copy(mean[:n], value[source : source + n])
        elif chosen:
            _picked(own, value[source : source + actions * n], mean[:n])
        elif actions == 2:
            _best2(value[source : source + n], value[source + n : source + 2 * n], mean[:n], own)
        else:
            _best3(
                value[source : source + n],
                value[source + n : source + 2 * n],
                value[source + 2 * n : source + 3 * n],
                mean[:n],
                own,
            )
        target = betting.own[node] * n
        if betting.assign[node] == 1:
            copy(value[target : target + n], mean[:n])
        else:
            add(value[target : target + n], mean[:n])


@njit(**INNER)
def choose(betting, level, player, n, value, mean, choice):
    """Write down the best actions of a player with the values [sequences, n]; value[:n] is what they are worth."""
    _joined(betting, level, player, n, value, mean, choice, False)


@njit(**INNER)
def pick(betting, level, player, n, value, mean, choice):
    """value[:n] is what these choices are worth."""
    _joined(betting, level, player, n, value, mean, choice, True)


@njit(**INNER)
def follow(betting, level, player, n, choice, reach):
    """Split the reach of the player's opponent, [sequences, n], by the opponent's choices."""
    first = betting.first_node[level]
    for node in range(first, betting.first_node[level + 1]):
        if betting.player[node] == player:
            continue
        source, target = betting.own[node] * n, betting.sequence[node] * n
        r = reach[source : source + n]
        if betting.actions[node] == 1:
            copy(reach[target : target + n], r)
            continue
        own = choice[(node - first) * n : (node - first + 1) * n]
        for a in range(betting.actions[node]):
            _gone(own, r, a, reach[target + a * n : target + (a + 1) * n])
