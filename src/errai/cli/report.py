"""What a solution is worth, in lines for people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errai.cli.output import duration, figure

if TYPE_CHECKING:
    from errai.cli.running import Outcome
    from errai.result import Result

Rows = list[tuple[str, str]]


def value_rows(result: Result, names: tuple[str, str] = ("seat 0", "seat 1")) -> Rows:
    """The value with its proven bounds, and the best responses that prove them."""
    low, high = result.bounds
    places = _places(high - low)
    # Bounds stay proven when they are shortened outward.
    scale = 10.0**places
    shown_low, shown_high = math.floor(low * scale) / scale, math.ceil(high * scale) / scale
    first, second = result.best_response
    return [
        ("value", f"{result.value[0]:.{places}f} chips per game for {names[0]}"),
        ("", f"proven between {shown_low:.{places}f} and {shown_high:.{places}f}"),
        ("best responses", f"{names[0]} wins {first:.{places}f}, {names[1]} wins {second:.{places}f}"),
    ]


def quality_rows(result: Result, pot: int | None = None) -> Rows:
    """How far from an equilibrium, and whether that was the target."""
    share = f" = {figure(100 * result.exploitability / pot)}% of the pot" if pot else ""
    if result.target is None:
        reached = "no target was set"
    elif result.converged:
        reached = f"yes, the target was {result.target:g} mbb/g"
    else:
        reached = f"no, the target of {result.target:g} mbb/g was not reached"
    chips = f"{figure(result.exploitability)} chips = {figure(result.exploitability_mbb)} mbb/g"
    return [("exploitability", chips + share), ("converged", reached)]


def work_rows(outcome: Outcome) -> Rows:
    """What it took, and where it is."""
    result = outcome.result
    rows = [
        ("information sets", f"{result.information_sets:,}"),
        ("iterations", f"{result.iterations:,} of {result.method} in {duration(result.seconds)}"),
    ]
    return rows if outcome.folder is None else [*rows, ("files", f"{outcome.folder}")]


def _places(width: float) -> int:
    """Decimal places that tell numbers apart that are so close."""
    return min(max(2, 2 - math.floor(math.log10(width))), 12) if width > 0 else 12
