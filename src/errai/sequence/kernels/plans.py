"""Kernels on realisation plans. Information sets come parents first; the sequences of a set lie side by side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.engine.kernels.arrays import AVERAGING, FLOOR, FORESIGHT, NEGATIVE, POSITIVE, WEIGHT
from errai.kernels.options import KERNEL


class Player(NamedTuple):
    """One seat's side of CFR on the sequence form, by its S sequences."""

    sets: Any  # (first sequence, number of actions, parent sequence) of each information set
    payoff: Any  # (start, column, data) of seat 0's payoffs: rows are the player's own sequences
    sign: float  # 1 for seat 0, -1 for seat 1
    regret: NDArray[np.float64]  # [S]
    prediction: NDArray[np.float64] | None  # [S] the last iteration's regrets, for rules with prediction
    behaviour: NDArray[np.float64]  # [S] probability of a sequence's last action
    plan: NDArray[np.float64]  # [S]
    average: NDArray[np.float64]  # [S] of plans
    gain: NDArray[np.float64]  # [S] scratch


@njit(**KERNEL)
def multiply(matrix, vector, sign, out):
    """out[r] = sign * sum of data[r, c] * vector[c]."""
    start, column, data = matrix
    for row in range(len(start) - 1):
        total = 0.0
        for entry in range(start[row], start[row + 1]):
            total += data[entry] * vector[column[entry]]
        out[row] = sign * total


@njit(**KERNEL)
def plan_of(sets, behaviour, plan):
    """plan[s a] = plan[s] * probability of a, from the root down."""
    plan[0] = 1.0
    first, actions, parent = sets
    for which in range(len(first)):
        reach, begin = plan[parent[which]], first[which]
        for action in range(begin, begin + actions[which]):
            plan[action] = reach * behaviour[action]


@njit(**KERNEL)
def behaviour_of(sets, plan, behaviour):
    """probability of a = plan[s a] / the sum over the actions; even where the player never comes."""
    behaviour[0] = 1.0
    first, actions, _parent = sets
    for which in range(len(first)):
        begin, end = first[which], first[which] + actions[which]
        total = 0.0
        for action in range(begin, end):
            behaviour[action] = plan[action] if plan[action] > 0.0 else 0.0  # never -0.0
            total += behaviour[action]
        for action in range(begin, end):
            behaviour[action] = behaviour[action] / total if total > 0.0 else 1.0 / actions[which]


@njit(**KERNEL)
def best_response(sets, gain, choice):
    """From the leaves up: the best action of each set is worth its own gain plus what is won below it.

    `gain` [S] begins as the payoff of each sequence against the opponent's plan, and gain[0] ends as the value.
    `choice` [sets] is filled with the actions, counted from 0.
    """
    first, actions, parent = sets
    for which in range(len(first) - 1, -1, -1):
        begin, best = first[which], 0
        for action in range(1, actions[which]):
            if gain[begin + action] > gain[begin + best]:
                best = action
        choice[which] = best
        gain[parent[which]] += gain[begin + best]


@njit(**KERNEL)
def _update(player, prediction, rates, discount):
    """Regrets of one player from the gains of its sequences, and its next strategy (see errai.engine.rules).

    `discount` is that of the regrets in the iteration that the strategy is for.
    """
    first, actions, parent = player.sets
    gain, regret, behaviour = player.gain, player.regret, player.behaviour
    positive, negative, weight = rates[POSITIVE], rates[NEGATIVE], rates[WEIGHT]
    floor = rates[FLOOR]
    for which in range(len(first) - 1, -1, -1):
        begin, end = first[which], first[which] + actions[which]
        expected = 0.0
        for action in range(begin, end):
            expected += behaviour[action] * gain[action]
        gain[parent[which]] += expected
        total = 0.0
        for action in range(begin, end):
            new = gain[action] - expected
            old = regret[action]
            old = old * (positive if old > 0.0 else negative) + weight * new
            old = max(old, floor)
            regret[action] = old
            if prediction is not None:
                prediction[action] = new
                old = old * discount + new
            old = max(old, 0.0)
            behaviour[action] = old
            total += old
        if total > 0.0:
            for action in range(begin, end):
                behaviour[action] /= total
        else:
            for action in range(begin, end):
                behaviour[action] = 1.0 / actions[which]


@njit(**KERNEL)
def _step(player, opponent, rates, discount):
    """One update of one player against the opponent's plan."""
    multiply(player.payoff, opponent.plan, player.sign, player.gain)
    _update(player, player.prediction, rates, discount)
    plan_of(player.sets, player.behaviour, player.plan)


@njit(**KERNEL)
def _gather(average, plan, discount):
    for sequence in range(len(plan)):
        average[sequence] = average[sequence] * discount + plan[sequence]


@njit(**KERNEL)
def iterate(first_player, second_player, rates, following, first):
    """CFR iterations with rates [iterations, 2, RATES]; `first` is the number of the first, from 1.

    The update of seat 1 that ends an iteration is done at the start of the next (see errai.engine.rules). A strategy
    is made with the discount of the iteration that it is played in, for seat 0 the next: `following` has the last.
    """
    for row in range(len(rates)):
        if first + row > 1:
            _step(second_player, first_player, rates[row, 1], rates[row, 1, FORESIGHT])
        _gather(first_player.average, first_player.plan, rates[row, 1, AVERAGING])
        _gather(second_player.average, second_player.plan, rates[row, 0, AVERAGING])
        discount = rates[row + 1, 0, FORESIGHT] if row + 1 < len(rates) else following[0, FORESIGHT]
        _step(first_player, second_player, rates[row, 0], discount)
