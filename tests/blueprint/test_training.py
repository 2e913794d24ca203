"""Training on a bucket for every hand goes where the engine goes, and the same way every time."""

import numpy as np
import pytest

from errai.blueprint.rules import TRAINING_RULES
from errai.blueprint.training import Plan, new_training
from errai.errors import ErraiError
from errai.measure.quality import Quality, default_quality
from errai.measure.response import Response
from errai.runs.run import Run
from tests.blueprint.games import GAME, VALUE, exact_layout, few_layout, trained
from tests.monitors import Recorder, StopAfter, StopWhen


def evaluation(training):
    response = Response(training.layout, training.average)
    boards = range(len(response.boards.cards))
    value = sum(response.on_board(board, best_from=training.layout.rounds) for board in boards)
    return response.evaluation(sum(response.on_board(board) for board in boards), value)


@pytest.mark.parametrize(
    ("method", "samples", "mbb"),
    [
        ("linear", 30_000, 500),
        ("linear-br", 10_000, 300),
        ("cfr+-br", 10_000, 260),
        pytest.param("cfr-br", 10_000, 240, marks=pytest.mark.slow),
        pytest.param("linear-br2", 8_000, 300, marks=pytest.mark.slow),
    ],
)
def test_it_converges_to_the_equilibrium_of_the_engine(method, samples, mbb):
    start = evaluation(new_training(GAME, exact_layout().abstraction, Plan(method, samples=1)))
    assert start.exploitability_mbb > 1500
    end = evaluation(trained(exact_layout(), method, samples))
    assert end.exploitability_mbb < mbb
    assert end.value[0] == pytest.approx(VALUE, abs=0.6)
    assert end.bounds[0] < VALUE < end.bounds[1]


@pytest.mark.parametrize("method", TRAINING_RULES)
def test_every_method_is_better_than_none_on_few_buckets(method):
    untrained = new_training(GAME, few_layout().abstraction, Plan(method, samples=1))
    before, after = (
        evaluation(one).exploitability_mbb for one in (untrained, trained(few_layout(), method, 500))
    )
    assert after < 0.75 * before


@pytest.mark.parametrize(("method", "floored"), [("cfr-br", False), ("cfr+-br", True), ("linear-br2", False)])
def test_regrets_are_floored_by_some_methods_and_those_of_the_opponent_by_all(method, floored):
    training = trained(few_layout(), method, 100)
    assert (training.regret.min() >= 0) == floored
    assert training.opponent_regret.min() >= 0 < training.opponent_regret.max()


@pytest.mark.parametrize("method", ["linear", "cfr+-br", "linear-br2"])
def test_what_is_learned_depends_on_the_seed_and_not_on_the_number_of_threads(method):
    one, two, many = (trained(few_layout(), method, 150, seed=5, threads=threads) for threads in (1, 2, 9))
    for other in (two, many):
        np.testing.assert_array_equal(one.regret, other.regret)
        np.testing.assert_array_equal(one.average, other.average)
    assert (one.regret != trained(few_layout(), method, 150, seed=6).regret).any()


def test_a_run_that_is_stopped_and_goes_on_learns_the_same():
    whole = trained(few_layout(), "cfr+-br", 200, threads=2)
    stopped = new_training(GAME, few_layout().abstraction, Plan("cfr+-br", samples=200, seed=1))
    for stop in (1, 33, 120):
        assert stopped.run(Run(monitor=StopWhen(lambda stop=stop: stopped.samples >= stop))) is False
    assert stopped.run()
    np.testing.assert_array_equal(whole.regret, stopped.regret)
    np.testing.assert_array_equal(whole.average, stopped.average)


def test_a_monitor_stops_it_and_time_ends_it():
    training = new_training(GAME, few_layout().abstraction, Plan("linear", samples=1000))
    assert training.run(Run(monitor=StopWhen(lambda: training.samples >= 50))) is False
    assert 50 <= training.samples < 1000
    short = new_training(GAME, few_layout().abstraction, Plan("linear", seconds=0.05))
    assert short.run() is True
    assert short.seconds >= 0.05


def test_what_is_reported_and_measured(monkeypatch, tmp_path):
    monkeypatch.setattr("errai.blueprint.training.FIRST_MEASUREMENT", 1e-6)
    monkeypatch.setattr("errai.runs.schedule.SHARE", 0.0)
    saved = []
    training = new_training(GAME, few_layout().abstraction, Plan("linear", samples=60))
    quality = default_quality(training.layout)
    assert quality.names(few_layout().abstraction.deck) == "2c2d 3c3d"
    recorder = Recorder()
    run = Run(tmp_path, recorder, checkpoint_every=0.0)
    run.checkpoint_with(lambda: saved.append(training.samples))
    training.run(run, quality)
    assert {progress.doing for progress in recorder.reports} == {"preparing kernels", "measuring", ""}
    assert len(training.measurements) >= 2
    assert recorder.reports[-1].samples == saved[-1] == 60
    assert all(measured.exploitability_mbb > 0 for measured in training.measurements)
    assert quality.measure(training.layout, training.probabilities(), 1, StopAfter(0)) is None


def test_the_quality_on_all_boards_is_the_exploitability():
    training = trained(few_layout(), "linear", 200)
    response = Response(training.layout, training.probabilities())
    numbers = range(len(response.boards.cards))
    total = sum(response.on_board(board) for board in numbers)
    every = Quality(tuple(tuple(int(card) for card in cards) for cards in response.boards.cards))
    wanted = response.evaluation(total).exploitability_mbb
    assert every.measure(training.layout, training.probabilities(), 1) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"method": "magic", "samples": 1}, "unknown way to train 'magic': choose cfr, linear"),
        ({"method": "linear"}, "training needs an end"),
        ({"method": "linear", "samples": 0}, "samples must be above 0"),
        ({"method": "linear", "seconds": float("nan")}, "seconds must be above 0"),
        ({"method": "linear", "samples": 1, "threads": 0}, "threads must be 1 or more"),
        ({"method": "linear", "samples": 1, "seed": -1}, "seed must be 0 or more"),
        ({"method": "linear", "samples": 1, "strategy": "best"}, "unknown strategy 'best'"),
    ],
)
def test_a_wrong_plan_is_refused(plan, message):
    with pytest.raises(ErraiError, match=message):
        Plan(**plan)


def test_what_does_not_fit_is_announced_and_refused(monkeypatch):
    monkeypatch.setattr("errai.blueprint.training.available_memory", lambda: 1 << 20)
    recorder = Recorder()
    with pytest.raises(ErraiError, match=r"buckets 25/640/3780/18900 need 67.5 MB of memory"):
        new_training(GAME, exact_layout().abstraction, Plan("linear-br", samples=1), recorder)
    assert recorder.lines[0].startswith(
        "memory: 67.6 MB (regrets and average 60.2 MB, the strategy to save 7.3 MB"
    )
