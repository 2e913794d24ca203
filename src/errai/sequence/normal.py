"""The normal form: a matrix with a row for each pure strategy of seat 0 and a column for each of seat 1.

This is how games were solved before the sequence form, and it ends early: the number of pure strategies is
exponential in the size of the tree. They are counted here in reduced form, where a strategy says nothing about
what itself makes impossible: 27 and 64 in Kuhn poker.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.runs.monitor import SILENT, Monitor
from errai.sequence.form import SequenceForm, Sets, SparseMatrix
from errai.sequence.profile import Profile, profile_of_plans
from errai.sequence.program import optimum, program

MOST_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class NormalForm:
    """Pure strategies as plans of zeros and ones, and what seat 0 wins with each pair of them."""

    pure: tuple[NDArray[np.float64], NDArray[np.float64]]  # [rows, S], [columns, T]
    payoff: NDArray[np.float64]  # [rows, columns]


def pure_strategies(sets: Sets, sequences: int) -> float:
    """How many reduced pure strategies a player has: a product over information sets, a sum over actions.

    A float, because the true number may have thousands of digits: what is too large is infinite.
    """
    first, actions, parent = (array.tolist() for array in sets)
    count = [1.0] * sequences
    for which in reversed(range(len(first))):
        count[parent[which]] *= sum(count[first[which] : first[which] + actions[which]])
    return count[0]


def normal_form(form: SequenceForm) -> NormalForm:
    """The matrix of a game that is tiny enough."""
    rows, columns = (pure_strategies(form.sets[seat], form.sequences[seat]) for seat in (0, 1))
    if rows * columns > MOST_CELLS:
        raise ErraiError(
            f"{form.game.title or 'this game'} has {_shown(rows)} x {_shown(columns)} pure strategies; "
            f'normal-form is for up to {MOST_CELLS:,} pairs, method="lp" would do'
        )
    pure = tuple(_pure_plans(form.sets[seat], form.sequences[seat]) for seat in (0, 1))
    matrix = form.payoff
    against = np.zeros((form.sequences[0], int(columns)))
    np.add.at(against, matrix.rows(), matrix.data[:, None] * pure[1].T[matrix.column])
    payoff = np.zeros((int(rows), int(columns)))
    for sequence in range(
        form.sequences[0]
    ):  # rather than a matrix product, whose order of additions is not known
        payoff[pure[0][:, sequence] > 0] += against[sequence]
    return NormalForm((pure[0], pure[1]), payoff)


def solve_normal_form(form: SequenceForm, monitor: Monitor = SILENT) -> tuple[Profile, int]:
    """Optimal strategies by the linear program of the matrix, and how many simplex iterations they took."""
    normal = normal_form(form)
    # A matrix game is a sequence form in which each player has one information set and moves once.
    rows, columns = normal.payoff.shape
    row, column = normal.payoff.nonzero()
    start = np.zeros(rows + 2, np.int64)
    np.cumsum(np.bincount(row + 1, minlength=rows + 1), out=start[1:])
    entries = normal.payoff[row, column]
    matrix = SparseMatrix(start, (column + 1).astype(np.int32), entries, (rows + 1, columns + 1))
    once = [Sets(*(np.array([number], np.int32) for number in (1, count, 0))) for count in (rows, columns)]
    found = optimum(program(SequenceForm(form.game, (once[0], once[1]), matrix, None, 1)), monitor)
    chosen = [np.maximum(found.plans[seat][1:], 0.0)[:, None] for seat in (0, 1)]
    plans = [(chosen[seat] * normal.pure[seat]).sum(axis=0) for seat in (0, 1)]
    return profile_of_plans(form, (plans[0], plans[1])), found.iterations


def _pure_plans(sets: Sets, sequences: int) -> NDArray[np.float64]:
    """[strategies, sequences] the plan of each reduced pure strategy."""
    first, actions, parent = (array.tolist() for array in sets)
    below: list[NDArray[np.bool_]] = [np.zeros((1, sequences), np.bool_) for _ in range(sequences)]
    for which in reversed(range(len(first))):
        choices = []
        for action in range(first[which], first[which] + actions[which]):
            chosen = below[action].copy()
            chosen[:, action] = True
            choices.append(chosen)
        options, so_far = np.concatenate(choices), below[parent[which]]
        below[parent[which]] = (so_far[:, None, :] | options[None, :, :]).reshape(-1, sequences)
    plans = below[0].astype(np.float64)
    plans[:, 0] = 1.0
    return plans


def _shown(count: float) -> str:
    if count < 1e9:
        return f"{count:,.0f}"
    return f"{count:.1e}" if isfinite(count) else "more than 1e308"
