"""The exact optimum of a game's linear program, in rationals.

HiGHS ends with a basis: which variables are not at a bound. A basis determines its solution by linear equations
with integer coefficients, so solving those in rationals turns a float answer into the exact one, if the basis
is truly optimal. Whether it is is checked exactly; a basis that is slightly off is repaired by pivots of the simplex
method in rationals (Dhiflaoui et al., "Certifying and repairing solutions to large LPs", 2003).

The variables are x and q (the columns of the program) and one slack for each row, s = row of the program:

    x >= 0,  q free,  slack of an equation fixed at its right side,  slack of an inequality >= 0
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from errai.errors import ErraiError, StoppedError
from errai.runs.monitor import SILENT, Monitor
from errai.sequence.form import SequenceForm
from errai.sequence.program import Optimum, Program, program
from errai.sequence.rational import ZERO, Column, Factors, SingularError

Numbers = list[fmpq]
ONE = fmpq(1)
PATIENCE = 100  # pivots without progress before the rule that cannot cycle


@dataclass(frozen=True, eq=False)
class ExactOptimum:
    """Optimal plans of both seats and the value of seat 0."""

    plans: tuple[Numbers, Numbers]
    value: fmpq
    pivots: int  # that it took to repair the basis of HiGHS


def exact_optimum(form: SequenceForm, found: Optimum, monitor: Monitor = SILENT) -> ExactOptimum:
    """The exact optimum, from what HiGHS found for the same game."""
    linear = program(form, exact=True)
    tableau = Tableau(linear, _basis(linear, found), monitor)
    tableau.repair()
    return tableau.optimum(form.denominator)


def _basis(linear: Program, found: Optimum) -> list[int]:
    """The basic variables, columns first; all slacks where HiGHS gave no basis."""
    rows, columns = linear.matrix.shape
    basic = np.concatenate(found.basic)
    if len(basic) != rows + columns or basic.sum() != rows:
        return list(range(columns, columns + rows))
    return [int(variable) for variable in np.flatnonzero(basic)]


@dataclass
class Tableau:
    """The program at one basis: [matrix | -1] (x, q, s) = 0, with everything that follows from the basis."""

    linear: Program
    basis: list[int]
    monitor: Monitor = SILENT
    pivots: int = 0
    factors: Factors = field(init=False)
    values: Numbers = field(init=False)  # of the basic variables
    _columns: list[Column] = field(init=False)
    _shifts: dict[int, fmpq] = field(init=False)  # changes of the costs while both sides are infeasible
    _stalled: int = 0  # pivots since the last that changed the objective

    def __post_init__(self) -> None:
        matrix = self.linear.matrix
        columns: list[dict[int, fmpq]] = [{} for _ in range(matrix.shape[1])]
        entries = zip(matrix.rows().tolist(), matrix.column.tolist(), matrix.data.tolist(), strict=True)
        for row, column, number in entries:
            columns[column][row] = fmpq(number)
        slacks: list[Column] = [{row: fmpq(-1)} for row in range(matrix.shape[0])]
        self._columns = [*columns, *slacks]
        self._shifts = {}
        self._factor()

    def repair(self) -> None:
        """Pivot until the basis is feasible and optimal; usually it already is."""
        self.monitor.step("exact: checking the basis")
        if self._infeasible():
            # Costs for which the basis would be optimal keep the dual simplex method going to feasibility.
            self._shifts = {variable: -cost for variable, cost in self._wrong_costs().items()}
            while wrong := self._infeasible():
                leaving = self._chosen(wrong)
                self._dual_pivot(self.basis.index(leaving), wrong[leaving])
            self._shifts = {}
        while wrong := self._wrong_costs():
            entering = self._chosen(wrong)
            self._primal_pivot(entering, 1 if wrong[entering] > 0 else -1)

    def optimum(self, denominator: int) -> ExactOptimum:
        """The plans and the value; the payoffs of the program were multiplied by the denominator."""
        at = dict(zip(self.basis, self.values, strict=True))
        own = [at.get(variable, ZERO) for variable in range(self.linear.plans)]
        other = [-number for number in self._prices()[self.linear.equations :]]
        return ExactOptimum((own, other), at[self.linear.objective] / denominator, self.pivots)

    def _factor(self) -> None:
        if self.monitor.should_stop():
            raise StoppedError("stopped before the exact solution was found; nothing was saved")
        first = self.linear.matrix.shape[1]  # of the slacks
        try:
            self.factors = Factors([self._columns[variable] for variable in self.basis])
        except SingularError as fault:
            # Rounding let HiGHS take dependent columns for a basis; slacks complete it.
            for place, row in zip(fault.columns, fault.rows, strict=True):
                self.basis[place] = first + row
            self.factors = Factors([self._columns[variable] for variable in self.basis])
        # Of the variables outside the basis only the slack of the first equation is not at zero: it is at 1.
        right = {} if first in self.basis else {0: ONE}
        self.values = self.factors.solve(right)

    def _is_fixed(self, variable: int) -> bool:
        columns = self.linear.matrix.shape[1]
        return columns <= variable < columns + self.linear.equations

    def _is_free(self, variable: int) -> bool:
        return self.linear.plans <= variable < self.linear.matrix.shape[1]

    def _excess(self, variable: int, value: fmpq) -> fmpq:
        """How far a value is above (+) or below (-) what its variable may be; 0 where it may."""
        if self._is_free(variable):
            return ZERO
        if self._is_fixed(variable):
            return value - (ONE if variable == self.linear.matrix.shape[1] else ZERO)
        return min(value, ZERO)

    def _infeasible(self) -> dict[int, fmpq]:
        """The basic variables out of their bounds, and how far."""
        return {
            variable: excess
            for variable, value in zip(self.basis, self.values, strict=True)
            if (excess := self._excess(variable, value))
        }

    def _chosen(self, wrong: dict[int, fmpq]) -> int:
        """The variable that is most wrong; after many pivots without progress the first, as Bland (1977) does.

        The first rule needs few pivots, the second cannot cycle.
        """
        if self._stalled > PATIENCE:
            return min(wrong)
        return max(wrong, key=lambda variable: (abs(wrong[variable]), -variable))

    def _cost(self, variable: int) -> fmpq:
        cost = ONE if variable == self.linear.objective else ZERO
        return cost + self._shifts.get(variable, ZERO)

    def _prices(self) -> Numbers:
        """The dual variables of the rows."""
        costs = {place: cost for place, variable in enumerate(self.basis) if (cost := self._cost(variable))}
        return self.factors.solve_transposed(costs)

    def _reduced_costs(self) -> dict[int, fmpq]:
        """What a unit of each variable outside the basis would gain, those fixed left out."""
        prices, inside = self._prices(), set(self.basis)
        return {
            variable: self._cost(variable) - _product(prices, column)
            for variable, column in enumerate(self._columns)
            if variable not in inside and not self._is_fixed(variable)
        }

    def _wrong_costs(self) -> dict[int, fmpq]:
        """Reduced costs that show the basis not to be optimal: positive, or not zero for a free variable."""
        return {
            variable: cost
            for variable, cost in self._reduced_costs().items()
            if (cost and self._is_free(variable)) or cost > 0
        }

    def _primal_pivot(self, entering: int, direction: int) -> None:
        """Let a variable grow (or, if it is free, fall) until the first basic variable meets its bound."""
        change = self.factors.solve(self._columns[entering])
        limits = []
        for place, (variable, value, rate) in enumerate(zip(self.basis, self.values, change, strict=True)):
            falls = rate * direction  # per unit of the entering variable
            if self._is_free(variable) or not falls:
                continue
            if self._is_fixed(variable):
                limits.append((ZERO, variable, place))
            elif falls > 0:
                limits.append((value / falls, variable, place))
        if not limits:
            raise ErraiError("the linear program has no bound, which no game allows; please report this game")
        step, _, place = min(limits)
        self._swap(place, entering, bool(step))

    def _dual_pivot(self, place: int, excess: fmpq) -> None:
        """Bring one basic variable to its bound, letting that one in whose reduced cost reaches zero first."""
        row = self.factors.solve_transposed({place: ONE})
        limits = []
        for variable, cost in self._reduced_costs().items():
            rate = _product(row, self._columns[variable])
            # A variable that grows from its bound moves the basic one by -rate, which must be the way back.
            if rate and (self._is_free(variable) or (rate > 0) == (excess > 0)):
                limits.append((abs(cost / rate), variable))
        if not limits:
            raise ErraiError(
                "the linear program has no solution, which no game allows; please report this game"
            )
        step, entering = min(limits)
        self._swap(place, entering, bool(step))

    def _swap(self, place: int, entering: int, progress: bool) -> None:
        self._stalled = 0 if progress else self._stalled + 1
        self.basis[place] = entering
        self.pivots += 1
        self.monitor.step(f"exact: pivot {self.pivots:,}")
        self._factor()


def _product(numbers: Numbers, column: Column) -> fmpq:
    total = ZERO
    for row, entry in column.items():
        if numbers[row]:
            total += numbers[row] * entry
    return total


def to_floats(numbers: Numbers) -> NDArray[np.float64]:
    """The nearest floats."""
    return np.array([int(number.p) / int(number.q) for number in numbers])
