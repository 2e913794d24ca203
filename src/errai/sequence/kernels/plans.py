"""Kernels on realisation plans. Information sets come parents first; the sequences of a set lie side by side."""

from __future__ import annotations

from numba import njit

from errai.engine.kernels.arrays import AVERAGING, FLOOR, FORESIGHT, NEGATIVE, POSITIVE, SHARPNESS, WEIGHT
from errai.kernels.options import KERNEL


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

    `gain` [S] begins as the payoff of each sequence against the other's plan, and gain[0] ends as the value.
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
def _update(sets, gain, rates, foresight, regret, prediction, behaviour):
    """Regrets of one player from the gains of his sequences, and his next strategy (see errai.engine.rules)."""
    first, actions, parent = sets
    positive, negative, weight = rates[POSITIVE], rates[NEGATIVE], rates[WEIGHT]
    floor, sharpness = rates[FLOOR], rates[SHARPNESS]
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
                old = old * foresight + new
            old = max(old, 0.0)
            behaviour[action] = old
            total += old
        if sharpness != 1.0:
            matched, total = total, 0.0
            for action in range(begin, end):
                behaviour[action] *= matched + (sharpness - 1.0) * behaviour[action]
                total += behaviour[action]
        if total > 0.0:
            for action in range(begin, end):
                behaviour[action] /= total
        else:
            for action in range(begin, end):
                behaviour[action] = 1.0 / actions[which]


@njit(**KERNEL)
def _step(sets, payoff, sign, rates, foresight, regret, prediction, behaviour, plan, other, gain):
    """One update of one player against the other's plan."""
    multiply(payoff, other, sign, gain)
    _update(sets, gain, rates, foresight, regret, prediction, behaviour)
    plan_of(sets, behaviour, plan)


@njit(**KERNEL)
def _gather(average, plan, discount):
    for sequence in range(len(plan)):
        average[sequence] = average[sequence] * discount + plan[sequence]


@njit(**KERNEL)
def iterate(sets, payoffs, rates, following, first, regret, prediction, behaviour, plan, average, gain):
    """CFR iterations with rates [iterations, 2, RATES]; `first` is the number of the first, from 1.

    Everything comes in pairs, of seat 0 and seat 1; payoffs are those of seat 0, by each player's own sequences. The
    update of seat 1 that ends an iteration is done at the start of the next (see errai.engine.rules). A strategy is
    made with the foresight of the iteration that it is played in, for seat 0 the next one: `following` has the last.
    """
    for row in range(len(rates)):
        if first + row > 1:
            foreseen = None if prediction is None else prediction[1]
            _step(
                sets[1], payoffs[1], -1.0, rates[row, 1], rates[row, 1, FORESIGHT], regret[1], foreseen,
                behaviour[1], plan[1], plan[0], gain[1],
            )  # fmt: skip
        _gather(average[0], plan[0], rates[row, 1, AVERAGING])
        _gather(average[1], plan[1], rates[row, 0, AVERAGING])
        foreseen = None if prediction is None else prediction[0]
        foresight = rates[row + 1, 0, FORESIGHT] if row + 1 < len(rates) else following[0, FORESIGHT]
        _step(
            sets[0], payoffs[0], 1.0, rates[row, 0], foresight, regret[0], foreseen,
            behaviour[0], plan[0], plan[1], gain[0],
        )  # fmt: skip
