"""Probabilities in 255ths add up to one, and are as near as the docstring promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.lookup import betting_tree
from errai.strategy.quantised import UNITS, quantised, quantised_round, with_last, without_last

WEIGHTS = st.integers(1, 4).flatmap(
    lambda actions: arrays(np.float64, (actions, 30), elements=st.floats(0, 1e6, allow_subnormal=False))
)


@given(WEIGHTS)
def test_bytes_add_up_and_every_error_is_within_the_bound(weights):
    found = quantised(weights)
    assert found.dtype == np.uint8
    assert (found.sum(axis=0, dtype=int) == UNITS).all()
    total = weights.sum(axis=0)
    exact = np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / len(weights))
    bound = (1 - 1 / len(weights)) / UNITS
    assert np.abs(found / UNITS - exact).max() <= bound + 1e-12
    assert bound < 1 / UNITS


def test_the_bound_is_reached_and_certainties_stay_certain():
    third = quantised(np.array([[1 / 3 + 10], [1 / 3 + 100], [UNITS - 110 - 2 / 3]]))
    assert third.ravel().tolist() in ([11, 100, 144], [10, 101, 144], [10, 100, 145])
    assert quantised(np.array([[0.0], [7.0]])).ravel().tolist() == [0, 255]
    assert quantised(np.array([[0.0], [0.0], [-1.0]])).ravel().tolist() == [85, 85, 85]


@given(WEIGHTS)
def test_the_last_action_has_what_the_others_leave(weights):
    found = quantised(weights)
    assert len(without_last(found)) == len(found) - 1
    np.testing.assert_array_equal(with_last(without_last(found)), found)


def test_bytes_that_do_not_add_up_are_refused():
    with pytest.raises(ErraiError, match="do not add up to 255"):
        without_last(np.array([[100], [100]], np.uint8))


def test_a_round_is_quantised_decision_by_decision():
    template = betting_tree(load_game("holdem")).templates[3]
    weights = np.random.default_rng(2).random((template.rows, 50)) ** 4
    rows = quantised_round(template, weights)
    for node in template.nodes:
        own = slice(node.row, node.row + len(node.actions))
        np.testing.assert_array_equal(rows[own], quantised(weights[own]))
