"""Progress on standard error, and how it guesses the time that is left."""

import io

import pytest

from errai.cli.progress import ProgressLine, describe, iterations_to, remaining
from errai.engine.loop import Point, Report


def _report(iteration, *, history=(), iterations=None, target=None, pace=0.5):
    latest = history[-1] if history else None
    return Report(iteration, iteration * pace, iterations, target, latest, tuple(history))


def _falling(power, until):
    """Measurements of an exploitability of 1000 / t^power."""
    return [Point(t, t * 0.5, 1000 / t**power, 0.0) for t in range(10, until + 1, 10)]


@pytest.mark.parametrize("power", [0.5, 1, 1.2])
def test_a_power_law_is_continued_to_the_target(power):
    assert iterations_to(_falling(power, 100), 1.0) == pytest.approx(1000 ** (1 / power))


def test_nothing_is_left_when_the_target_is_reached():
    assert iterations_to(_falling(2, 100), 1.0) == 100


def test_no_guess_without_a_falling_trend():
    flat = [Point(t, t, 5.0, 0.0) for t in (10, 15, 20, 25)]
    assert iterations_to(flat, 1.0) is None
    assert iterations_to(flat[:2], 1.0) is None
    assert iterations_to([], 1.0) is None


def test_the_first_limit_decides_what_is_left():
    falling = _falling(1, 100)  # reaches 1 mbb/g at iteration 1000
    assert remaining(_report(100, history=falling, target=1.0), None) == pytest.approx(450)
    assert remaining(_report(100, history=falling, target=1.0, iterations=300), None) == pytest.approx(100)
    assert remaining(_report(100, history=falling, target=1.0, iterations=300), 80.0) == pytest.approx(30)
    assert remaining(_report(0, target=1.0), None) is None
    assert remaining(_report(400, iterations=300), None) == 0


def test_a_report_in_words():
    text = describe(_report(100, history=_falling(1, 100), target=1.0, iterations=1200), 450.0)
    assert text == "iteration 100 of 1,200   10.00 mbb/g (target 1)   50.0 s   about 7:30 left"


def test_elsewhere_than_on_a_terminal_there_are_a_few_plain_lines():
    stream = io.StringIO()
    with ProgressLine(None, lambda: False, stream) as line:
        for iteration in range(1, 101):
            measured = _falling(1, iteration)
            line(_report(iteration, history=measured, iterations=100, pace=0.05))
    lines = stream.getvalue().splitlines()
    assert [text.split()[1] for text in lines] == ["10", "50", "90"]
    assert "\x1b" not in stream.getvalue()
