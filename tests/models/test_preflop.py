"""Preflop hold'em after Selby: all 169 classes, a roll-out of the board, solved by CFR and by linear programming."""

import numpy as np
import pytest

from errai.games.catalogue import load_game
from errai.jamfold.equities import HANDS
from errai.models.preflop import preflop_model
from errai.models.solver import solve_model
from errai.models.tree import model_tree
from errai.sequence import solve

VALUE = 0.21897683601  # chips that the big blind of 10 wins, by linear programming


@pytest.fixture(scope="module")
def solver():
    return solve_model(preflop_model(load_game("holdem")), target=0.1)


def test_its_information_sets_are_those_of_the_first_round():
    assert preflop_model(load_game("holdem")).information_sets == 8 * 169


def test_chances_and_shares_are_those_of_the_deals():
    model = preflop_model(load_game("holdem"))
    aces, kings, trash = (HANDS.index(name) for name in ("AA", "KK", "72o"))
    assert model.rounds[0].weight[aces, aces] == pytest.approx(6 / 1_624_350)
    assert (1 + model.share[aces, kings]) / 2 == pytest.approx(0.81946050)
    assert (1 + model.share[aces, trash]) / 2 == pytest.approx(0.881996, abs=1e-6)
    np.testing.assert_array_equal(model.share, -model.share.T)


def test_cfr_encloses_the_value_that_the_linear_program_finds(solver):
    low, high = solver.evaluation.bounds
    assert low <= VALUE <= high
    assert high - low < 0.002


def test_aces_never_fold_and_seven_deuce_never_raises(solver):
    opening = solver.model.rounds[0].template.nodes[0]
    fold, call, raise_ = solver.strategy(0)[opening.row : opening.row + 3, :, 0]
    assert fold[HANDS.index("AA")] < 1e-3
    assert raise_[HANDS.index("72o")] < 1e-3
    assert fold[HANDS.index("72o")] > 0.99
    assert raise_[HANDS.index("KK")] > 0.95
    assert call.sum() > 0


@pytest.mark.slow
def test_the_linear_program_finds_it():
    solution = solve(model_tree(preflop_model(load_game("holdem"))), "lp")
    assert solution.value[0] == pytest.approx(VALUE, abs=1e-9)
