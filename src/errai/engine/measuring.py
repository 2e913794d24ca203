"""When to look for a best response on the way to a target.

A best response costs as much as two or three iterations, so it should be made rarely, and one should be made just
when the target is reached. The exploitability of CFR falls about as a power of the iterations: a straight line if
both are drawn by their logarithms. The line through the last two measurements says when the target will be reached,
and the next measurement is made there, or after twice as many iterations if it is further off.

Only measurements that were due count. One that was made because a run was stopped changes nothing, so a run that is
stopped and resumed ends where it would have ended. Logarithms are counted in factors of 1.01: whole numbers, the
same on every computer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

FIRST = 10  # iterations before the first measurement
UNAIMED = 1.5  # times as many iterations at the next measurement, without a target
FACTOR = 1.01
TWICE = 70  # factors: as far as a line is trusted
NEAREST = 1.02  # times as many iterations at the next measurement, at least
USUAL_SLOPE = 1.5
FLATTEST, STEEPEST = 1.25, 2.5  # slopes that are believed: to measure too early costs less than too late

Measured = tuple[int, float]  # iteration, exploitability


def next_measurement(history: Sequence[Measured], target: float | None) -> int:
    """The iteration of the next best response, given all that were made; target and history in the same unit."""
    due, at = [], FIRST
    for measured in history:
        if measured[0] >= at:
            due.append(measured)
            at = _after(due, target)
    return at


def _after(due: Sequence[Measured], target: float | None) -> int:
    now, exploitability = due[-1]
    soonest = max(now + 2, math.ceil(now * NEAREST))
    if target is None or not exploitability > target > 0:
        return max(soonest, math.ceil(now * UNAIMED))
    slope = USUAL_SLOPE
    if len(due) > 1:
        before, earlier = due[-2]
        slope = min(max(_factors(earlier / exploitability) / _factors(now / before), FLATTEST), STEEPEST)
    at = float(now)
    for _ in range(min(math.ceil(_factors(exploitability / target) / slope), TWICE)):
        at *= FACTOR
    return max(soonest, math.ceil(at))


def _factors(ratio: float) -> int:
    """How many factors of 1.01 make a ratio, rounded up; 0 for ratios below 1."""
    count, product = 0, 1.0
    while product < ratio < math.inf:
        product *= FACTOR
        count += 1
    return count
