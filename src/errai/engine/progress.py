"""How far a solver has come, and when it will be done.

The time that is left is that of the iterations that are left, or what the trend needs to reach the target.
Exploitability falls about like a power of the iterations, a straight line in logarithms, which is fitted to the
latest measurements.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from errai.formatting import duration, figure, time_left
from errai.runs.monitor import Progress

TREND = 3.0  # the trend is that of the last two thirds of the iterations


@dataclass(frozen=True)
class Measurement:
    """A best response to the strategy on the way."""

    iteration: int
    seconds: float
    exploitability_mbb: float
    value: float  # of seat 0, chips


@dataclass(frozen=True, kw_only=True)
class SolverProgress(Progress):
    """Iterations, and how exploitable the strategy was when that was last measured."""

    iteration: int
    seconds: float
    iterations: int | None = None  # planned
    target: float | None = None
    most_seconds: float | None = None
    history: tuple[Measurement, ...] = ()
    unit: str = "mbb/g"

    @property
    def latest(self) -> Measurement | None:
        return self.history[-1] if self.history else None

    @property
    def mark(self) -> object:
        return len(self.history)

    @property
    def event(self) -> str:
        return "measured" if self.history else ""

    @property
    def left(self) -> float | None:
        """Seconds until the first of the limits is met, as far as can be told: not before an iteration was done."""
        if not self.iteration or not self.seconds:
            return None
        left = [] if self.most_seconds is None else [self.most_seconds - self.seconds]
        pace = self.seconds / self.iteration
        ends = [] if self.iterations is None else [float(self.iterations)]
        if self.target is not None:
            reached = iterations_to(self.history, self.target)
            ends += [] if reached is None else [reached]
        left += [(end - self.iteration) * pace for end in ends]
        return max(min(left), 0.0) if left else None

    def line(self, waited: float) -> str:
        """iteration 120 of 500   3.21 mbb/g (target 1)   12.1 s   about 21 s left"""
        planned = f" of {self.iterations:,}" if self.iterations is not None else ""
        parts = [f"iteration {self.iteration:,}{planned}"]
        if self.latest is not None:
            target = f" (target {self.target:g})" if self.target is not None else ""
            parts.append(f"{figure(self.latest.exploitability_mbb)} {self.unit}{target}")
        parts += [duration(self.seconds + waited), *time_left(self.left, waited)]
        return "   ".join([*parts, self.doing] if self.doing else parts)


def iterations_to(history: Sequence[Measurement], target: float) -> float | None:
    """After how many iterations the trend reaches the target; None where there is no falling trend."""
    if not history or history[-1].exploitability_mbb <= target:
        return float(history[-1].iteration) if history else None
    recent = [
        (math.log(measured.iteration), math.log(measured.exploitability_mbb))
        for measured in history
        if measured.iteration * TREND >= history[-1].iteration > 0 and measured.exploitability_mbb > 0
    ]
    if len(recent) < 3:
        return None
    n = len(recent)
    x0, y0 = sum(x for x, _ in recent) / n, sum(y for _, y in recent) / n
    spread = sum((x - x0) ** 2 for x, _ in recent)
    slope = sum((x - x0) * (y - y0) for x, y in recent) / spread if spread else 0.0
    if slope > -0.05:
        return None
    x, y = recent[-1]
    exponent = x + (math.log(target) - y) / slope
    return math.exp(exponent) if exponent < 50 else None
