"""What a solution is worth, as labels and texts."""

from __future__ import annotations

import math

from errai.formatting import duration, figure
from errai.outward import outward
from errai.summary import Summary

Rows = list[tuple[str, str]]


def solution_rows(result: Summary) -> Rows:
    """All of a solution: its game, value, quality, and what it took."""
    return [("game", result.game), *value_rows(result), *quality_rows(result), *work_rows(result)]


def value_rows(
    result: Summary, names: tuple[str, str] = ("seat 0", "seat 1"), unit: str = " chips per game"
) -> Rows:
    """The value with its proven bounds, and the best responses that prove them."""
    low, high = result.bounds
    places = _places(high - low)
    shown_low, shown_high = outward(low, high, places)
    first, second = result.best_response
    return [
        ("value", f"{_fixed(result.value[0], places)}{unit} for {names[0]}"),
        ("", f"proven between {shown_low} and {shown_high}"),
        (
            "best responses",
            f"{names[0]} wins {_fixed(first, places)}, {names[1]} wins {_fixed(second, places)}",
        ),
    ]


def quality_rows(result: Summary, pot: int | None = None) -> Rows:
    """How far from an equilibrium, and whether that was the target."""
    share = f" = {figure(100 * result.exploitability / pot)}% of the pot" if pot else ""
    if result.target is None:
        reached = "no target was set"
    elif result.converged:
        reached = f"yes, the target was {result.target:g} {result.unit}"
    else:
        reached = f"no, the target of {result.target:g} {result.unit} was not reached"
    chips = " chips" if result.unit == "mbb/g" else ""
    measured = f"{figure(result.exploitability)}{chips} = {figure(result.exploitability_mbb)} {result.unit}"
    return [("exploitability", measured + share), ("converged", reached)]


def work_rows(result: Summary) -> Rows:
    """What it took, and where it is."""
    rows = [
        ("information sets", f"{result.information_sets:,}"),
        ("iterations", f"{result.iterations:,} of {result.method} in {duration(result.seconds)}"),
    ]
    return rows if result.folder is None else [*rows, ("files", f"{result.folder}")]


def _places(width: float) -> int:
    """Decimal places that tell numbers apart that are so close."""
    return min(max(2, 2 - math.floor(math.log10(width))), 12) if width > 0 else 12


def _fixed(number: float, places: int) -> str:
    """So many decimals, and no sign before a zero."""
    text = f"{number:.{places}f}"
    return text if text.strip("-0.") else text.lstrip("-")
