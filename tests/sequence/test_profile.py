"""Best responses and values of profiles against brute force."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.errors import ErraiError
from errai.sequence import extensive_game, profile_of_table, sequence_form, uniform
from errai.sequence.profile import profile_of_plans
from tests.sequence import trees

some = settings(max_examples=60, deadline=None, derandomize=True)


@some
@given(trees.random_games(40), st.integers(0, 1000))
def test_best_responses_win_what_the_best_pure_strategy_wins(game, seed):
    for seat in (0, 1):
        assume(np.prod([float(game.set_actions[which]) for which in trees.own_sets(game, seat)]) <= 300)
    tables = trees.random_tables(game, seed)
    profile = profile_of_table(sequence_form(game), trees.named(game, tables))
    evaluation = profile.evaluate()
    best = [float(trees.best_response_value(game, seat, tables[1 - seat])) for seat in (0, 1)]
    assert evaluation.best_response == pytest.approx(best, abs=1e-12)
    assert evaluation.value[0] == pytest.approx(float(trees.value(game, tables)), abs=1e-12)
    for seat, choice in enumerate(profile.best_responses()):
        pure = {
            which: [Fraction(int(action == chosen)) for action in range(int(game.set_actions[which]))]
            for which, chosen in zip(trees.own_sets(game, seat), choice, strict=True)
        }
        pair = (pure, tables[1]) if seat == 0 else (tables[0], pure)
        assert (1 - 2 * seat) * float(trees.value(game, pair)) == pytest.approx(best[seat], abs=1e-12)


@some
@given(trees.random_games(), st.integers(0, 1000))
def test_plans_and_probabilities_are_the_same_thing_where_a_player_comes(game, seed):
    form = sequence_form(game)
    profile = profile_of_table(form, trees.named(game, trees.random_tables(game, seed)))
    again = profile_of_plans(form, profile.plans)
    for one, other in zip(profile.plans, again.plans, strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    for behaviour in again.behaviour:
        assert not np.signbit(behaviour).any()


@pytest.mark.parametrize(("name", "nash_conv"), [("kuhn", 11 / 12), ("leduc", 4.747222222222222)])
def test_the_uniform_strategies_of_kuhn_and_leduc(name, nash_conv):
    evaluation = uniform(sequence_form(extensive_game(name))).evaluate()
    assert evaluation.nash_conv == pytest.approx(nash_conv, abs=1e-12)


def test_probabilities_by_name():
    profile = uniform(sequence_form(trees.matching_pennies()))
    assert profile.probabilities(0, "row") == {"row 0": 0.5, "row 1": 0.5}
    with pytest.raises(ErraiError, match="columns has no information set 'row'"):
        profile.probabilities(1, "row")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({}, "lacks the information set 'row'"),
        ({"row": {"row 0": 1}}, "has the actions row 0, row 1, and the strategy row 0"),
        ({"row": {"row 0": 0.4, "row 1": 0.4}}, "do not add up to 1"),
        ({"row": {"row 0": 1.5, "row 1": -0.5}}, "do not add up to 1"),
    ],
)
def test_a_table_that_is_no_strategy_is_refused(rows, words):
    form = sequence_form(trees.matching_pennies())
    with pytest.raises(ErraiError) as error:
        profile_of_table(form, (rows, {"column": {"column 0": 1, "column 1": 0}}))
    assert words in str(error.value)
