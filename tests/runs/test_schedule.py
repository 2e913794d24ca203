"""A checkpoint after a minute, and never more than 2% of the time for saving."""

from itertools import pairwise

import pytest

from errai.runs.schedule import Schedule


class Clock:
    """Tells the time that it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def worked(schedule: Schedule, clock: Clock, seconds: int, save_takes: float) -> tuple[list[float], float]:
    """When checkpoints began in so many seconds of work, and what share of all time they took."""
    began, saves = clock.now, []

    def save() -> None:
        saves.append(clock.now - began)
        clock.now += save_takes

    for _ in range(seconds):
        clock.now += 1.0
        if schedule.due:
            schedule.save(save)
    return saves, len(saves) * save_takes / (clock.now - began)


def test_a_quick_save_is_due_every_minute():
    clock = Clock()
    saves, share = worked(Schedule(clock=clock), clock, 600, save_takes=0.01)
    assert len(saves) == 10
    assert saves[0] == 60
    assert max(later - earlier for earlier, later in pairwise(saves)) <= 61.01
    assert share < 0.001


@pytest.mark.parametrize("save_takes", [0.5, 2.0, 30.0])
def test_saving_takes_less_than_two_percent(save_takes):
    clock = Clock()
    saves, share = worked(Schedule(clock=clock), clock, 40_000, save_takes)
    assert saves[0] == 60  # the first one, whatever it takes
    assert share < 0.02
    assert saves[2] - saves[1] == pytest.approx(max(60, 50 * save_takes), abs=save_takes + 1)


def test_a_failed_save_is_tried_again_later():
    clock = Clock()
    schedule = Schedule(clock=clock)

    def fail() -> None:
        raise OSError("no space")

    clock.now += 60
    with pytest.raises(OSError, match="no space"):
        schedule.save(fail)
    assert not schedule.due
    clock.now += 60
    assert schedule.due


def test_without_an_interval_nothing_is_due():
    clock = Clock()
    schedule = Schedule(None, clock)
    clock.now += 1e6
    assert not schedule.due
