"""Games that end on the flop, where no card is left to come: Leduc, trained on buckets and measured."""

import numpy as np
import pytest

import errai
from errai.games.catalogue import load_game
from errai.measure.checkdown import checked_down, checked_down_on
from errai.measure.estimate import Sample
from errai.measure.response import Response
from errai.measure.simple import rule_layout
from errai.strategy.kinds.rule import RuleStrategy

OPENSPIEL_NASH_CONV = 4.747222222222222  # of the uniform strategy of Leduc, both best responses together


@pytest.fixture(scope="module")
def uniform():
    return Response(*rule_layout(RuleStrategy("uniform", load_game("leduc"))))


def test_a_uniform_strategy_is_as_exploitable_as_openspiel_says():
    found = errai.exploit("uniform", game="leduc", threads=1)
    assert sum(found.evaluation.best_response) == pytest.approx(OPENSPIEL_NASH_CONV, rel=1e-6)


def test_all_boards_are_the_sum_of_all_flops(uniform):
    by_flop = sum(checked_down_on(uniform, board) for board in range(len(uniform.boards.cards)))
    assert np.abs(by_flop).max() > 0.1
    np.testing.assert_allclose(checked_down(uniform), by_flop, rtol=1e-5, atol=1e-6)


def test_callers_win_what_they_check_down():
    callers = Response(*rule_layout(RuleStrategy("always-call", load_game("leduc"))))
    for board in range(len(callers.boards.cards)):
        walked = callers.on_board(board, best_from=callers.layout.rounds)
        np.testing.assert_allclose(checked_down_on(callers, board), walked, rtol=1e-4, atol=1e-5)


def test_a_sample_of_all_boards_is_exact(uniform):
    boards = range(len(uniform.boards.cards))
    sample = Sample(uniform, list(boards), {board: uniform.on_board(board) for board in boards})
    found = sample.evaluation(uniform.boards.weight.astype(np.float64))
    assert sum(found.best_response) == pytest.approx(OPENSPIEL_NASH_CONV, rel=1e-5)


def test_leduc_is_trained_and_measured(tmp_path):
    errai.abstract("lossless/lossless", tmp_path / "buckets", game="leduc", threads=1)
    trained = errai.train("leduc", tmp_path / "buckets", tmp_path / "out", samples=3000, threads=1)
    exact = errai.exploit(trained.strategy, threads=1).evaluation
    assert 0 < exact.exploitability_mbb < 60
    low, high = exact.bounds
    assert low < -0.085606 < high  # the value of Leduc, for the player who acts first
    sampled = errai.exploit(trained.strategy, flops=2, threads=1)
    assert not sampled.exact
    assert sampled.evaluation.exploitability_mbb == pytest.approx(exact.exploitability_mbb, abs=100)
