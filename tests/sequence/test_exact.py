"""Rational linear algebra and exact optima: the float basis, its repair, and values known to the last digit."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.sequence import extensive_game, sequence_form
from errai.sequence.exact import Tableau, exact_optimum, to_floats
from errai.sequence.program import optimum, program
from errai.sequence.rational import Factors, SingularError
from tests.sequence import trees

some = settings(max_examples=60, deadline=None, derandomize=True)
KUHN, LEDUC = fmpq(-1, 18), fmpq(-1454920850547486749701863871533, 16995463438839962469905132501930)


def random_columns(size: int, seed: int) -> list[dict[int, fmpq]]:
    dice = random.Random(seed)
    return [
        {
            row: fmpq(dice.randint(-5, 5) or 1, dice.randint(1, 4))
            for row in dice.sample(range(size), min(size, 3))
        }
        for _ in range(size)
    ]


def dense(columns: list[dict[int, fmpq]]) -> fmpq_mat:
    size = len(columns)
    return fmpq_mat(size, size, [columns[j].get(i, fmpq(0)) for i in range(size) for j in range(size)])


@some
@given(st.integers(1, 12), st.integers(0, 10_000))
def test_sparse_factors_solve_as_dense_matrices_do(size, seed):
    columns = random_columns(size, seed)
    matrix = dense(columns)
    assume(matrix.det() != 0)
    factors = Factors(columns)
    right = {row: fmpq(row + 1, 3) for row in range(0, size, 2)}
    vector = fmpq_mat(size, 1, [right.get(row, fmpq(0)) for row in range(size)])
    assert factors.solve(right) == list(matrix.solve(vector).entries())
    assert factors.solve_transposed(right) == list(matrix.transpose().solve(vector).entries())


@some
@given(st.integers(2, 12), st.integers(0, 10_000))
def test_a_singular_matrix_says_how_to_complete_it(size, seed):
    columns = random_columns(size, seed)
    columns[-1] = dict(columns[0])
    with pytest.raises(SingularError) as fault:
        Factors(columns)
    for column, row in zip(fault.value.columns, fault.value.rows, strict=True):
        columns[column] = {row: fmpq(1)}
    assert dense(columns).det() != 0
    Factors(columns)


@pytest.mark.parametrize(("name", "value"), [("kuhn", KUHN), ("leduc", LEDUC)])
def test_the_exact_values_of_kuhn_and_leduc(name, value):
    form = sequence_form(extensive_game(name))
    found = exact_optimum(form, optimum(program(form)))
    assert found.value == value
    for plan, (matrix, right) in zip(found.plans, map(form.constraints, (0, 1)), strict=True):
        assert min(plan) >= 0
        rows = [fmpq(0)] * matrix.shape[0]
        for row, column, entry in zip(
            matrix.rows().tolist(), matrix.column.tolist(), matrix.data, strict=True
        ):
            rows[row] += int(entry) * plan[column]
        assert rows == [int(number) for number in right]


def test_leduc_to_twelve_digits():
    assert float(to_floats([LEDUC])[0]) == pytest.approx(-0.085606424078, abs=5e-13)


def disturbed(found, changes: int, seed: int):
    """An optimum with some variables of its basis exchanged for others."""
    dice = np.random.default_rng(seed)
    columns = len(found.basic[0])
    basic = np.concatenate(found.basic)
    out = dice.choice(np.flatnonzero(basic), changes, replace=False)
    into = dice.choice(np.flatnonzero(~basic), changes, replace=False)
    basic[out], basic[into] = False, True
    return replace(found, basic=(basic[:columns], basic[columns:]))


@pytest.mark.parametrize("seed", range(40))
def test_a_disturbed_basis_of_kuhn_is_repaired_by_pivots(seed):
    form = sequence_form(extensive_game("kuhn"))
    assert exact_optimum(form, disturbed(optimum(program(form)), 1 + seed % 4, seed)).value == KUHN


def off_by_pivots(form, found, pivots: int, seed: int):
    """An optimum whose basis is some pivots away, each of which lets in a variable that should have stayed out."""
    dice = random.Random(seed)
    linear = program(form, exact=True)
    tableau = Tableau(linear, [int(variable) for variable in np.flatnonzero(np.concatenate(found.basic))])
    for _ in range(pivots):
        outside = sorted(set(range(linear.plans)) - set(tableau.basis))
        tableau._primal_pivot(dice.choice(outside), 1)
    basic = np.zeros(sum(linear.matrix.shape), bool)
    basic[tableau.basis] = True
    columns = linear.matrix.shape[1]
    return replace(found, basic=(basic[:columns], basic[columns:]))


@pytest.mark.parametrize("seed", range(3))
def test_a_basis_of_leduc_that_is_slightly_off_is_repaired_by_pivots(seed):
    form = sequence_form(extensive_game("leduc"))
    found = exact_optimum(form, off_by_pivots(form, optimum(program(form)), 3, seed))
    assert found.value == LEDUC
    assert found.pivots > 0


def test_without_any_basis_the_exact_pivots_find_the_optimum_alone():
    form = sequence_form(extensive_game("kuhn"))
    none = replace(optimum(program(form)), basic=(np.zeros(0, bool), np.zeros(0, bool)))
    found = exact_optimum(form, none)
    assert found.value == KUHN
    assert found.pivots > 10


@some
@given(trees.random_games(), st.integers(0, 100))
def test_random_games_from_any_basis_have_the_value_that_highs_says(game, seed):
    form = sequence_form(game)
    found = optimum(program(form))
    exact = exact_optimum(form, found)
    x, y = found.plans
    assert float(to_floats([exact.value])[0]) == pytest.approx(float(x @ form.payoff.dense() @ y), abs=1e-9)
    changes = min(3, int((~np.concatenate(found.basic)).sum()), int(np.concatenate(found.basic).sum()))
    assert exact_optimum(form, disturbed(found, changes, seed)).value == exact.value


def test_to_floats_survives_numbers_beyond_floats():
    assert to_floats([fmpq(10**400 + 1, 10**400)])[0] == pytest.approx(1.0)
    assert Fraction(1, 3) == pytest.approx(to_floats([fmpq(1, 3)])[0])
