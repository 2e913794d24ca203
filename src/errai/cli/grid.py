"""The 13 x 13 grid of hands in the terminal.

A cell is five characters wide and two lines high: the hand, and how often it raises and calls in percent. Colours
only repeat the numbers: raise or bet red, call or check green, fold blue, a hand that is not in the range dark.

    AKs      AKo
    62/38    0/100
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from errai.views.grid import ORDER, GridCell, bar, grid_cells, legend

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["CELL", "COLOURS", "GAP", "ORDER", "grid", "legend"]

CELL, GAP = 5, 1
# All of the 256-colour palette, so that every terminal shows the same.
COLOURS = {"r": "white on #af0000", "c": "white on #008700", "f": "white on #005faf"}
OUT_OF_RANGE = "grey46 on grey11"


def grid(shares: Mapping[str, Mapping[str, float]]) -> Text:
    """The grid of hand class -> action letter -> share. Hands that are not there are not in the range."""
    from rich.text import Text

    text = Text()
    for row in grid_cells(shares):
        for line in (0, 1):
            for column, cell in enumerate(row):
                if column:
                    text.append(" " * GAP)
                _append_cell(text, cell, line)
            text.append("\n")
    return text


def _append_cell(text: Text, cell: GridCell, line: int) -> None:
    content = (cell.hand if line == 0 else cell.text).ljust(CELL)
    if cell.shares is None:
        text.append(content, style=OUT_OF_RANGE)
        return
    for character, letter in zip(content, bar(cell.shares, CELL), strict=True):
        text.append(character, style=COLOURS[letter] + (" bold" if line == 0 else ""))
