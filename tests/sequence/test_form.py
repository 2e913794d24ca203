"""The matrices of the sequence form against walks of the tree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.errors import ErraiError
from errai.sequence import GameBuilder, extensive_game, profile_of_table, sequence_form, uniform
from tests.sequence import trees

some = settings(max_examples=100, deadline=None, derandomize=True)


@some
@given(trees.random_games(), st.integers(0, 1000))
def test_the_payoff_of_two_plans_is_that_of_the_walk(game, seed):
    form = sequence_form(game)
    tables = trees.random_tables(game, seed)
    x, y = profile_of_table(form, trees.named(game, tables)).plans
    assert x @ form.payoff.dense() @ y == pytest.approx(float(trees.value(game, tables)), abs=1e-12)


@some
@given(trees.random_games(), st.integers(0, 1000))
def test_integers_over_the_denominator_are_the_payoffs_exactly(game, seed):
    form = sequence_form(game)
    exact = form.exact_payoff
    for number, rounded in zip(exact.data.tolist(), form.payoff.data, strict=True):
        assert float(Fraction(number, form.denominator)) == rounded


@some
@given(trees.random_games(), st.integers(0, 1000))
def test_plans_solve_their_equations(game, seed):
    form = sequence_form(game)
    plans = profile_of_table(form, trees.named(game, trees.random_tables(game, seed))).plans
    for seat in (0, 1):
        matrix, right = form.constraints(seat)
        assert matrix.dense() @ plans[seat] == pytest.approx(right, abs=1e-12)


@some
@given(trees.random_games())
def test_the_transposed_matrix_is_the_matrix_by_columns(game):
    one, other = sequence_form(game).payoffs
    assert np.array_equal(other.dense(), one.dense().T)


def test_the_sizes_of_leduc():
    form = sequence_form(extensive_game("leduc"))
    assert form.sequences == (1093, 1093)
    assert [len(sets.first) for sets in form.sets] == [468, 468]
    # 5,520 ends; those of 600 end in a tie
    assert form.entries == 4920
    assert form.denominator == 120


def test_branches_that_chance_never_takes_leave_no_entry():
    build = GameBuilder("never")
    dead, alive = build.chance(0, {"never": 0, "always": 1})
    build.end(dead, 100)
    for end, payoff in zip(build.decision(alive, 0, "only", ("a", "b")), (1, 2), strict=True):
        build.end(end, payoff)
    form = sequence_form(build.build())
    assert form.entries == 2
    assert form.payoff.dense().max() == 2


def test_numbers_beyond_64_bits_stay_exact():
    huge = Fraction(10**30 + 1, 3)
    form = sequence_form(trees.matrix_game([[huge, 1], [0, -huge]]))
    assert form.exact_payoff.data.dtype == object
    assert Fraction(int(form.exact_payoff.data[0]), form.denominator) == huge


def test_a_game_without_fractions_has_no_exact_payoffs():
    form = sequence_form(trees.matrix_game([[2**0.5, 0], [0, 1]]))
    assert form.payoff.dense().max() == 2**0.5
    with pytest.raises(ErraiError, match=r'not known as fractions; method="lp" or method="cfr\+"'):
        _ = form.exact_payoff


def test_a_game_of_one_end():
    build = GameBuilder("over")
    build.end(0, 3)
    form = sequence_form(build.build())
    assert form.sequences == (1, 1)
    assert uniform(form).evaluate().value == (3.0, -3.0)
    assert np.array_equal(form.payoff.dense(), [[3.0]])
