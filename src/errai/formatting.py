"""Times and figures as people read them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from textwrap import wrap

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


ORDER = "rcf"  # letters of actions, aggressive first


def percentages(shares: Sequence[float], places: int = 0) -> list[int]:
    """Shares of a whole in units of the last of so many decimal places of a percent: they add up to 100 percent.

    All are rounded down, and those with the largest remainders get what is missing. Every view rounds here, so that
    no two of them differ.
    """
    whole = 100 * 10**places
    exact = [whole * share for share in shares]
    units = [math.floor(share) for share in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: units[i] - exact[i])
    for i in by_remainder[: max(0, whole - sum(units))]:
        units[i] += 1
    return units


def percent_texts(shares: Sequence[float], places: int = 1) -> list[str]:
    """["66.7%", "33.3%"], which add up to 100%."""
    return [f"{units / 10**places:.{places}f}%" for units in percentages(shares, places)]


def cell_figures(shares: Mapping[str, float]) -> list[int]:
    """What a cell of a grid of hands says, from action letter -> share: raises and calls in percent.

    What is left folds. Where there is nothing but folding, that is said.
    """
    letters = [letter for letter in ORDER if letter in shares]
    shown = dict(zip(letters, percentages([shares[letter] for letter in letters]), strict=True))
    return [shown[letter] for letter in letters if letter != "f" or len(letters) == 1]


def title_lines(title: str, width: int) -> list[str]:
    """A title in lines, broken where a round ends ("; ") if that will do."""
    lines: list[str] = []
    for part in title.replace("; ", ";\n").splitlines():
        if lines and len(lines[-1]) + 1 + len(part) <= width:
            lines[-1] += f" {part}"
        else:
            lines += wrap(part, width)
    return lines
