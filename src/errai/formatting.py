"""Times and figures as people read them."""

from __future__ import annotations

import math

_DIGITS = 4  # of a figure


def duration(seconds: float) -> str:
    """0.42 s, 12.3 s, 3:05, 1:02:03."""
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def figure(number: float) -> str:
    """Four digits that matter, more before the point when there are more."""
    if number == 0 or not math.isfinite(number):
        return f"{number:g}"
    places = places_of(number)
    return f"{number:,.{places}f}" if places <= 12 else f"{number:.1e}"


def places_of(number: float) -> int:
    """Places after the point of the four digits that matter."""
    return max(0, _DIGITS - 1 - math.floor(math.log10(abs(number))))


def time_left(seconds: float | None, waited: float = 0.0) -> list[str]:
    """["about 21 s left"], or nothing where it cannot be told; `waited` has passed since it was estimated."""
    left = 0.0 if seconds is None else max(seconds - waited, 0.0)
    if not left:
        return []
    return [f"about {math.ceil(left)} s left" if left < 60 else f"about {duration(left)} left"]
