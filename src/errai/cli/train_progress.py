"""Progress of a training on standard error: one live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TextIO

from errai.cli.output import duration, figure
from errai.cli.progress import PLAIN_INTERVAL, ProgressLine

if TYPE_CHECKING:
    from errai.blueprint.training import Status, TrainingMemory

SPARSE = 1.1  # a plain line when the time has grown by a tenth


def describe(status: Status, pace: float | None, boards: str) -> str:
    """12,300 samples   41.2/s   5:00 of 60:00   about 55:00 left   181.2 mbb/g on Ks7s2s 8h8d3s   measuring"""
    plan = status.plan
    parts = [f"{status.samples:,} samples"]
    if plan.samples is not None:
        parts[0] = f"{status.samples:,} of {plan.samples:,} samples"
    if pace is not None:
        parts.append(f"{figure(pace)}/s")
    planned = f" of {duration(plan.seconds)}" if plan.seconds is not None else ""
    parts.append(f"{duration(status.seconds)}{planned}")
    left = remaining(status, pace)
    if left:
        parts.append(f"about {duration(left)} left")
    if status.looks:
        parts.append(f"{figure(status.looks[-1].exploitability_mbb)} mbb/g on {boards}")
    return "   ".join([*parts, status.doing] if status.doing else parts)


def remaining(status: Status, pace: float | None) -> float | None:
    """Seconds until the first limit of the plan is met."""
    plan, left = status.plan, []
    if plan.seconds is not None:
        left.append(plan.seconds - status.seconds)
    if plan.samples is not None and pace:
        left.append((plan.samples - status.samples) / pace)
    return max(min(left), 0.0) if left else None


class TrainingLine:
    """Is told how a training goes. Enter it to show that."""

    def __init__(self, quiet: bool, stream: TextIO | None = None) -> None:
        self._line = None if quiet else ProgressLine(None, lambda: False, stream)
        self._boards = ""
        self._before: tuple[int, float] | None = None  # samples and seconds of the first status
        self._written: tuple[int, float, str] = (
            -1,
            0.0,
            "",
        )  # looks, clock and what is being done, of a plain line
        self._began = time.monotonic()

    def __enter__(self) -> TrainingLine:
        if self._line is not None:
            self._line.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._line is not None:
            self._line.__exit__(*error)

    def announce(self, memory: TrainingMemory) -> None:
        """What it takes, before it is taken."""
        if self._line is not None:
            self._line.say(f"memory: {memory}")

    def begin(self, boards: str) -> None:
        """On which boards the quality will be measured."""
        self._boards = boards

    def tell(self, words: str) -> None:
        """What is being done beside the training."""
        if self._line is not None:
            self._line.show(words)

    def __call__(self, status: Status) -> None:
        if self._line is None:
            return
        if self._before is None:
            self._before = status.samples, status.seconds
        samples, seconds = status.samples - self._before[0], status.seconds - self._before[1]
        words = describe(status, samples / seconds if seconds else None, self._boards)
        self._line.show(words)
        if self._line.live:
            return
        now = time.monotonic() - self._began
        looks, clock, doing = self._written
        grown = now - clock >= PLAIN_INTERVAL and now >= SPARSE * clock
        if grown or len(status.looks) > max(looks, 0) or (status.doing and status.doing != doing):
            self._written = len(status.looks), now, status.doing
            self._line.say(words)
