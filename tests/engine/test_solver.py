"""When a solver stops, what it has measured by then, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from errai.engine import memory, solver, walker
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.spot import whole_game
from errai.runs.run import Run
from tests.monitors import Recorder, StopWhen

KUHN, LEDUC = whole_game(load_game("kuhn")), whole_game(load_game("leduc"))


def prepared(spot=KUHN, **settings):
    return prepare(spot, Settings(**({"precision": "float64", "threads": 1} | settings)))


def test_a_number_of_iterations():
    run = prepared(iterations=37)
    assert run.run()
    assert run.iteration == 37
    assert run.history[-1].iteration == 37
    assert not run.converged  # there was no target


def test_a_target_is_proven_by_a_best_response():
    run = prepared(LEDUC, target=20.0)
    assert not run.converged
    assert run.run()
    assert run.converged
    assert run.evaluation.exploitability_mbb <= 20
    assert run.history[-2].exploitability_mbb > 20
    assert run.history[-1].exploitability_mbb == run.evaluation.exploitability_mbb


def test_without_any_limit_the_target_is_one_milli_big_blind():
    run = prepared()
    assert run.run()
    assert run.converged
    assert run.evaluation.exploitability_mbb <= 1


def test_iterations_end_a_run_that_misses_its_target():
    run = prepared(LEDUC, target=1e-6, iterations=15)
    assert run.run()
    assert run.iteration == 15
    assert not run.converged


def test_a_time_limit():
    run = prepared(LEDUC, seconds=1e-9)
    assert run.run()
    assert run.iteration == 1
    assert run.seconds > 0
    assert len(run.history) == 1


def test_a_run_that_is_stopped_can_be_resumed():
    whole = prepared(LEDUC, iterations=30)
    whole.run()
    run = prepared(LEDUC, iterations=30)
    answers = iter([False, False, True])
    assert not run.run(Run(monitor=StopWhen(lambda: next(answers))))
    assert 0 < run.iteration < 30
    assert run.history[-1].iteration == run.iteration
    assert run.run()
    assert run.iteration == 30
    assert (run.store.regret == whole.store.regret).all()
    assert (run.store.average == whole.store.average).all()


def test_a_finished_run_has_nothing_left_to_do():
    run = prepared(iterations=20)
    run.run()
    before = run.store.regret.copy()
    assert run.run()
    assert run.iteration == 20
    assert (run.store.regret == before).all()


def test_history_is_ever_sparser_and_tells_the_truth():
    run = prepared(LEDUC, iterations=300)
    run.run()
    iterations = [point.iteration for point in run.history]
    assert iterations[0] == 10
    assert iterations == sorted(set(iterations))
    assert len(iterations) < 15
    assert run.history[0].exploitability_mbb > 10 * run.history[-1].exploitability_mbb
    assert run.history[-1].value == run.evaluation.value[0]
    assert [point.seconds for point in run.history] == sorted(point.seconds for point in run.history)


def test_progress_is_told_from_the_first_iteration_to_the_last():
    recorder = Recorder()
    prepared(iterations=40, target=0.001).run(Run(monitor=recorder))
    reports = recorder.reports
    assert reports[0].iteration == 0
    assert reports[0].latest is None
    assert reports[-1].iteration == 40
    assert reports[-1].iterations == 40
    assert reports[-1].target == 0.001
    assert reports[-1].latest == reports[-1].history[-1]
    assert [report.iteration for report in reports] == sorted(report.iteration for report in reports)


def test_the_average_is_better_than_any_single_strategy():
    run = prepared(LEDUC, iterations=100, method="cfr")
    run.run()
    average = run.evaluation.exploitability
    run.settings = replace(run.settings, strategy="current")
    evaluator = solver.Evaluator(run.layout)
    assert evaluator.evaluate(run.weights()).exploitability > 2 * average


@pytest.mark.parametrize("precision", ["float32", "int16"])
def test_fewer_bits_reach_the_same_value(precision):
    exact, coarse = prepared(LEDUC, iterations=200), prepared(LEDUC, iterations=200, precision=precision)
    exact.run()
    coarse.run()
    close = {"float32": 1e-4, "int16": 2e-3}[precision]
    assert coarse.evaluation.value[0] == pytest.approx(exact.evaluation.value[0], abs=close)
    assert coarse.evaluation.exploitability < 1.5 * exact.evaluation.exploitability + close


def test_a_run_with_16_bits_is_the_same_again():
    runs = [prepared(LEDUC, iterations=50, precision="int16") for _ in range(2)]
    for run in runs:
        run.run()
    assert (runs[0].store.regret == runs[1].store.regret).all()
    assert (runs[0].store.average == runs[1].store.average).all()
    assert runs[0].store.regret.dtype == np.int16


def test_boards_shared_among_threads_make_no_difference_at_all(monkeypatch):
    """A large game is walked board by board; with these limits Leduc is too."""
    rooted = prepared(LEDUC, iterations=25)
    rooted.run()
    monkeypatch.setattr(walker, "SMALL", 0)
    monkeypatch.setattr(walker, "ENOUGH_TASKS", 2)
    shared = [prepared(LEDUC, iterations=25, threads=threads) for threads in (1, 2, 3)]
    for run in shared:
        run.run()
        assert (run.store.regret == shared[0].store.regret).all()
        assert (run.store.average == shared[0].store.average).all()
    assert shared[0].evaluation.exploitability == pytest.approx(rooted.evaluation.exploitability, rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"method": "fictitious"}, "unknown method 'fictitious'"),
        ({"precision": "int8"}, "unknown precision 'int8': choose one of float32, float64, int16"),
        ({"precision": "int16", "method": "pcfr+"}, "methods with prediction need float32 or float64"),
        ({"strategy": "best"}, "unknown strategy 'best': choose average or current"),
        ({"iterations": 0}, "iterations must be a whole number above 0, not 0"),
        ({"iterations": 2.5}, "iterations must be a whole number"),
        ({"target": -1.0}, "target must be a number above 0"),
        ({"seconds": float("nan")}, "seconds must be a number above 0"),
        ({"seconds": float("inf")}, "seconds must be a number above 0"),
        ({"threads": 0}, "threads must be a whole number above 0"),
        ({"method": "dcfr", "delay": 5}, r"delay is for cfr\+"),
        ({"method": "cfr+", "delay": -1}, "must be 0 or more"),
        ({"method": "hs-dcfr"}, "hs-dcfr plans its schedule for a number of iterations"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, complaint):
    with pytest.raises(ErraiError, match=complaint):
        Settings(**settings)


def test_a_game_that_does_not_fit_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 8 * 10**9)
    with pytest.raises(ErraiError, match=r"holdem needs \d+ TB of memory"):
        prepare(whole_game(load_game("holdem")), Settings(iterations=1))


def test_memory_is_announced():
    recorder = Recorder()
    run = prepare(LEDUC, Settings(iterations=1, precision="float64", threads=1), recorder)
    assert recorder.lines == [f"memory: {run.memory}"]
    assert run.memory.store >= run.store.regret.nbytes + run.store.average.nbytes
    assert run.memory.total >= run.memory.store
