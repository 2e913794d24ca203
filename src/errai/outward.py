"""Bounds that stay true when they are rounded: a lower bound goes down, an upper bound up.

    below(Fraction(1, 3)) <= 1/3 <= above(Fraction(1, 3))       the nearest floats
    outward(-0.04537, -0.04536, 3) == ("-0.046", "-0.045")      as text, with so many places

Whatever prints or saves a bound does it by these functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from errai.formatting import places_of


def below(number: Fraction) -> float:
    """The largest float that is not above a number."""
    nearest = float(number)
    return nearest if Fraction(nearest) <= number else math.nextafter(nearest, -math.inf)


def above(number: Fraction) -> float:
    """The smallest float that is not below a number."""
    return -below(-number)


def rounded_down(number: float | Fraction, places: int) -> str:
    """A lower bound with so many places after the point."""
    return _written(number, places, math.floor)


def rounded_up(number: float | Fraction, places: int) -> str:
    """An upper bound with so many places after the point."""
    return _written(number, places, math.ceil)


def outward(low: float | Fraction, high: float | Fraction, places: int) -> tuple[str, str]:
    """Both bounds as text; never the lower one above the upper one."""
    return rounded_down(min(low, high), places), rounded_up(max(low, high), places)


def outward_figures(low: float, high: float) -> tuple[str, str]:
    """Both bounds with four digits that matter, as errai.formatting.figure shows a number."""
    largest = max(abs(low), abs(high))
    return outward(low, high, min(places_of(largest), 12) if largest else 0)


def percent(share: float) -> Fraction:
    """A share in percent, not rounded."""
    return 100 * Fraction(share)


def _written(number: float | Fraction, places: int, rounding: Callable[[Fraction], int]) -> str:
    if isinstance(number, float) and not math.isfinite(number):
        return f"{number:g}"
    whole = rounding(Fraction(number) * 10**places)
    digits = f"{abs(whole):0{places + 1}}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if whole < 0 else text
