"""The 13 x 13 grid of hands, as plain data.

Aces top left, pairs on the diagonal, suited hands above it, offsuit below. A cell says how often the hand raises and
calls in percent; what is left folds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from errai.cards.notation import GRID
from errai.formatting import ORDER, cell_figures, percentages

__all__ = ["ORDER", "GridCell", "bar", "figures", "grid_cells", "legend", "percentages"]


class GridCell(NamedTuple):
    """One hand of the grid."""

    hand: str
    text: str  # "62/38", or nothing for a hand that is not in the range
    shares: Mapping[str, float] | None  # action letter -> how often


def grid_cells(
    shares: Mapping[str, Mapping[str, float]], hidden: Collection[str] = ()
) -> list[list[GridCell]]:
    """The rows of the grid, from hand class -> action letter -> share; other hands are not in the range."""
    return [[_cell(hand, None if hand in hidden else shares.get(hand)) for hand in row] for row in GRID]


def _cell(hand: str, shares: Mapping[str, float] | None) -> GridCell:
    return GridCell(hand, "" if shares is None else figures(shares), shares)


def figures(shares: Mapping[str, float]) -> str:
    """ "raise/call" in percent, or only the one action that there is; never more than five characters."""
    return "/".join(map(str, cell_figures(shares)))


def legend(names: Mapping[str, str]) -> str:
    """What the two numbers of a cell are, in the words of this decision."""
    shown = [names[letter] for letter in ORDER if letter in names and letter != "f"]
    rest = f"; the rest is {names['f']}" if "f" in names else ""
    return f"{' / '.join(shown)} in percent{rest}"


def bar(shares: Mapping[str, float], width: int) -> str:
    """One action letter for each of so many characters, as near to the shares as they can be."""
    letters = [letter for letter in ORDER if letter in shares]
    shown, reached = "", 0.0
    for letter in letters:
        reached += shares[letter]
        shown += letter * (round(reached * width) - len(shown))
    return shown.ljust(width, letters[-1])
