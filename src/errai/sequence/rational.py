"""A sparse square matrix of rationals, factored exactly.

The bases of sequence-form programs are almost triangular: with pivots chosen after Markowitz (1957), from the column
and row with the fewest entries left, next to nothing fills in, and a few thousand operations on fractions
factor the basis of a game with a thousand information sets.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flint import fmpq

Column = Mapping[int, fmpq]  # row -> number
ZERO = fmpq(0)


class SingularError(ArithmeticError):
    """The columns are not independent. Unit vectors of `rows` in the place of `columns` would make them so."""

    def __init__(self, columns: list[int], rows: list[int]) -> None:
        super().__init__(f"{len(columns)} columns depend on others")
        self.columns, self.rows = columns, rows


class _Step(NamedTuple):
    """One step of the elimination."""

    row: int
    column: int
    pivot: fmpq
    upper: list[tuple[int, fmpq]]  # the rest of the pivot row: (column, number)
    lower: list[tuple[int, fmpq]]  # rows that it was subtracted from: (row, factor)


class Factors:
    """B = L U for columns B, to solve B z = b and B'z = c."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.size = len(columns)
        rows: list[dict[int, fmpq]] = [{} for _ in columns]
        for place, column in enumerate(columns):
            for row, number in column.items():
                rows[row][place] = number
        self._steps = _eliminate(rows, [set(column) for column in columns])
        if len(self._steps) < self.size:
            found = {step.column for step in self._steps}, {step.row for step in self._steps}
            left = [[place for place in range(self.size) if place not in done] for done in found]
            raise SingularError(left[0], left[1])

    def solve(self, right: Column) -> list[fmpq]:
        """z with B z = b."""
        left = [ZERO] * self.size
        for row, number in right.items():
            left[row] = number
        for step in self._steps:
            if number := left[step.row]:
                for row, factor in step.lower:
                    left[row] -= factor * number
        solution = [ZERO] * self.size
        for step in reversed(self._steps):
            number = left[step.row]
            for column, entry in step.upper:
                if solution[column]:
                    number -= entry * solution[column]
            solution[step.column] = number / step.pivot
        return solution

    def solve_transposed(self, right: Column) -> list[fmpq]:
        """z with B'z = c."""
        left = [ZERO] * self.size
        for column, number in right.items():
            left[column] = number
        solution = [ZERO] * self.size
        for step in self._steps:
            if number := left[step.column]:
                number /= step.pivot
                solution[step.row] = number
                for column, entry in step.upper:
                    left[column] -= entry * number
        for step in reversed(self._steps):
            number = solution[step.row]
            for row, factor in step.lower:
                if solution[row]:
                    number -= factor * solution[row]
            solution[step.row] = number
        return solution


def _eliminate(rows: list[dict[int, fmpq]], columns: list[set[int]]) -> list[_Step]:
    """Gaussian elimination on rows; `columns` are the rows in which each column still has an entry.

    Columns that depend on others are left out.
    """
    steps: list[_Step] = []
    sizes = [(len(column), place) for place, column in enumerate(columns)]
    heapq.heapify(sizes)
    done = [False] * len(columns)
    for _ in columns:
        column = _smallest(sizes, columns, done)
        done[column] = True
        if not columns[column]:
            continue
        row = min(columns[column], key=lambda candidate: (len(rows[candidate]), candidate))
        pivots = rows[row]
        pivot = pivots.pop(column)
        upper = list(pivots.items())
        for other, _number in upper:
            columns[other].discard(row)
        lower = []
        for below in columns[column]:
            if below == row:
                continue
            target = rows[below]
            factor = target.pop(column) / pivot
            lower.append((below, factor))
            for other, number in upper:
                old = target.get(other)
                new = -factor * number if old is None else old - factor * number
                if new:
                    target[other] = new
                    if old is None:
                        columns[other].add(below)
                else:
                    del target[other]
                    columns[other].discard(below)
        columns[column] = set()
        for other, _number in upper:
            heapq.heappush(sizes, (len(columns[other]), other))
        steps.append(_Step(row, column, pivot, upper, lower))
    return steps


def _smallest(sizes: list[tuple[int, int]], columns: list[set[int]], done: list[bool]) -> int:
    """The column with the fewest entries; the heap also holds sizes that are no longer true."""
    while sizes:
        size, column = heapq.heappop(sizes)
        if not done[column] and size == len(columns[column]):
            return column
    raise AssertionError("every column has its true size on the heap")
