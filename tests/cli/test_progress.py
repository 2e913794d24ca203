"""Progress on standard error, and how it guesses the time that is left."""

import io

import pytest

from errai.blueprint.training import Plan, TrainingProgress
from errai.cli.progress import COMPILING, Terminal, say_when_compiling
from errai.engine.progress import Measurement, SolverProgress, iterations_to
from errai.kernels import compiling
from errai.runs.monitor import PREPARING, Progress


def _progress(iteration, *, pace=0.5, history=(), **limits):
    return SolverProgress(iteration=iteration, seconds=iteration * pace, history=tuple(history), **limits)


def _falling(power, until):
    """Measurements of an exploitability of 1000 / t^power."""
    return [Measurement(t, t * 0.5, 1000 / t**power, 0.0) for t in range(10, until + 1, 10)]


@pytest.mark.parametrize("power", [0.5, 1, 1.2])
def test_a_power_law_is_continued_to_the_target(power):
    assert iterations_to(_falling(power, 100), 1.0) == pytest.approx(1000 ** (1 / power))


def test_nothing_is_left_when_the_target_is_reached():
    assert iterations_to(_falling(2, 100), 1.0) == 100


def test_no_guess_without_a_falling_trend():
    flat = [Measurement(t, t, 5.0, 0.0) for t in (10, 15, 20, 25)]
    assert iterations_to(flat, 1.0) is None
    assert iterations_to(flat[:2], 1.0) is None
    assert iterations_to([], 1.0) is None


def test_the_first_limit_decides_what_is_left():
    falling = _falling(1, 100)  # reaches 1 mbb/g at iteration 1000
    assert _progress(100, history=falling, target=1.0).left == pytest.approx(450)
    assert _progress(100, history=falling, target=1.0, iterations=300).left == pytest.approx(100)
    limits = {"target": 1.0, "iterations": 300, "most_seconds": 80.0}
    assert _progress(100, history=falling, **limits).left == pytest.approx(30)
    assert _progress(0, target=1.0).left is None
    assert _progress(400, iterations=300).left == 0


def test_no_time_is_left_before_work_was_measured():
    preparing = _progress(0, most_seconds=40.0, iterations=300)
    assert preparing.left is None
    assert "left" not in str(preparing)
    assert _progress(1, most_seconds=40.0).left == pytest.approx(39.5)
    plan = Plan(method="cfr+", seconds=40.0, threads=1)
    assert TrainingProgress(samples=0, seconds=0.0, plan=plan).left is None
    assert TrainingProgress(samples=10, seconds=5.0, plan=plan, pace=2.0).left == pytest.approx(35)


def test_compiling_is_said_above_whatever_else_is_shown():
    stream = io.StringIO()
    with Terminal(stream=stream):
        compiling.tell()
    assert stream.getvalue().startswith("preparing kernels: the first time they are compiled")
    with Terminal(quiet=True, stream=stream) as terminal:
        terminal.report(Progress(PREPARING))
        compiling.tell()
    assert stream.getvalue().count("\n") == 1


def test_commands_that_show_no_progress_say_it_too(monkeypatch):
    monkeypatch.setattr(compiling, "tell", compiling.nobody)
    stream = io.StringIO()
    say_when_compiling(stream)
    compiling.tell()
    assert stream.getvalue() == f"{COMPILING}\n"


def test_progress_in_words():
    progress = _progress(100, history=_falling(1, 100), target=1.0, iterations=1200)
    assert str(progress) == "iteration 100 of 1,200   10.00 mbb/g (target 1)   50.0 s   about 7:30 left"
    # Between two reports the clock goes on.
    assert progress.after(60.0).endswith("   1:50   about 6:30 left")


def test_elsewhere_than_on_a_terminal_there_are_a_few_plain_lines(monkeypatch):
    clock = iter(range(100, 400))
    monkeypatch.setattr("errai.cli.progress.time.perf_counter", lambda: 0.05 * next(clock))
    stream = io.StringIO()
    with Terminal(stream=stream) as terminal:
        for iteration in range(1, 101):
            terminal.report(_progress(iteration, history=_falling(1, iteration), iterations=100))
    lines = stream.getvalue().splitlines()
    assert [text.split()[1] for text in lines] == ["10", "50", "90"]
    assert "\x1b" not in stream.getvalue()


def test_a_quiet_terminal_says_only_what_went_wrong():
    stream = io.StringIO()
    with Terminal(quiet=True, stream=stream) as terminal:
        terminal.report(_progress(10, history=_falling(1, 10)))
        terminal.say("memory: 1 kB")
        terminal.warn("no checkpoint was saved: no room")
    assert stream.getvalue() == "errai: warning: no checkpoint was saved: no room\n"
