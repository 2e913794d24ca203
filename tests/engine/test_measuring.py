"""Best responses are made rarely, and when the target is reached."""

import math

import pytest

from errai.engine.measuring import FIRST, next_measurement


def run(curve, target, history=()):
    """The measurements of a run whose exploitability after t iterations is curve(t)."""
    history = list(history)
    while not history or history[-1][1] > target:
        at = next_measurement(history, target)
        history.append((at, curve(at)))
    return history


@pytest.mark.parametrize("slope", [0.8, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("target", [10, 1, 0.1])
def test_the_target_is_met_closely_with_few_measurements(slope, target):
    history = run(lambda t: 3000 / t**slope, target)
    needed = (3000 / target) ** (1 / slope)
    assert history[-1][0] <= max(1.04 * needed, needed + 4, FIRST)
    assert len(history) <= math.log2(max(needed / FIRST, 1)) + 6


def test_a_curve_that_jumps_is_still_followed():
    def curve(t):
        return 3000 / t**1.5 * (1 + 0.2 * (t % 7) / 6)

    history = run(curve, 1)
    assert len(history) <= 14
    assert history[-1][0] <= 1.15 * 3600 ** (2 / 3)


def test_measurements_never_stand_still_when_nothing_improves():
    history = [(10, 5.0)]
    for _ in range(5):
        at = next_measurement(history, 1)
        assert history[-1][0] < at <= 2.1 * history[-1][0]
        history.append((at, 5.0))


def test_a_measurement_where_a_run_was_stopped_does_not_change_the_others():
    def curve(t):
        return 3000 / t**1.4 * (1 + 0.1 * (t % 3))

    whole = run(curve, 1)
    for stopped in (3, 12, 47, 150):
        begun = [each for each in whole if each[0] < stopped]
        resumed = run(curve, 1, [*begun, (stopped, curve(stopped))])
        assert [each for each in resumed if each[0] != stopped] == [
            each for each in whole if each[0] != stopped
        ]


def test_with_another_target_a_run_goes_on_from_its_last_measurement():
    history = run(lambda t: 3000 / t**1.5, 10)
    assert history[-1][0] < next_measurement(history, 1) <= 2.1 * history[-1][0]


def test_without_a_target_measurements_are_ever_rarer():
    history, found = [], []
    for _ in range(6):
        found.append(next_measurement(history, None))
        history.append((found[-1], 1.0))
    assert found == [10, 15, 23, 35, 53, 80]


def test_an_exact_solution_does_not_break_the_line():
    assert next_measurement([(10, 1.0), (20, 0.0)], 1e-9) > 20
    assert next_measurement([(10, 0.0), (20, 1.0)], 0.5) > 20
