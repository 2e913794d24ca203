"""The 13 x 13 grid of hands in the terminal, in whatever width there is.

Wide, a cell is five characters and two lines: the hand, and how often it raises and calls in percent. From 51 columns
on it is three characters, with a line for each number. Below that the hands are a list.

    AKs   AKo           AKs AKo           AKs 62/38 AKo 0/100
    62/38 0/100         62  0
                        38  100

Colours only repeat the numbers: raise or bet red, call or check green, fold blue, a hand that is not in the range or
hardly ever gets here dark.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from errai.views.grid import ORDER, GridCell, bar, grid_cells

if TYPE_CHECKING:
    from rich.text import Text

CELL, GAP = 5, 1
_NARROW = 3  # the longest name, and 100
_LABEL = 16
# All of the 256-colour palette, so that every terminal shows the same.
COLOURS = {"r": "white on #af0000", "c": "white on #008700", "f": "white on #005faf"}
OUT_OF_RANGE = "grey46 on grey11"
_FADED = "grey62 on grey11"


class TextCell(NamedTuple):
    """One hand of a grid."""

    hand: str
    figures: tuple[str, ...]  # nothing for a hand that is not in the range
    styles: str | Mapping[str, float]  # one style, or action letter -> share of the cell

    def style(self, place: int, width: int) -> str:
        """The style of one character."""
        if isinstance(self.styles, str):
            return self.styles
        return COLOURS[bar(self.styles, width)[place]]


def grid(
    shares: Mapping[str, Mapping[str, float]],
    hidden: Collection[str] = (),
    faded: Collection[str] = (),
    width: int | None = None,
) -> Text:
    """The grid of hand class -> action letter -> share. Hands that are not there are not in the range.

    Hidden hands look like those; faded ones have their numbers, but no colour. The width is that of the terminal.
    """

    def shown(cell: GridCell) -> TextCell:
        if cell.shares is None:
            return TextCell(cell.hand, (), OUT_OF_RANGE)
        style = _FADED if cell.hand in faded else cell.shares
        return TextCell(cell.hand, tuple(cell.text.split("/")), style)

    return draw_cells([[shown(cell) for cell in row] for row in grid_cells(shares, hidden)], width)


def draw_cells(rows: Sequence[Sequence[TextCell]], width: int | None = None) -> Text:
    """The rows of a grid, as wide as they may be: cells side by side with a gap between them, or a list."""
    from rich.text import Text

    width = _terminal_width() if width is None else width
    columns = len(rows[0])
    longest = max((len(figure) for row in rows for cell in row for figure in cell.figures), default=0)
    narrow = max(_NARROW, longest)
    text = Text()
    if width >= columns * (CELL + GAP) - GAP:
        for row in rows:
            for line in (0, 1):
                _append_line(
                    text, row, [(cell.hand, "/".join(cell.figures))[line] for cell in row], CELL, not line
                )
    elif width >= columns * (narrow + GAP) - GAP:
        height = max(len(cell.figures) for row in rows for cell in row)
        for row in rows:
            _append_line(text, row, [cell.hand for cell in row], narrow, True)
            for line in range(height):
                figures = [cell.figures[line] if line < len(cell.figures) else "" for cell in row]
                _append_line(text, row, figures, narrow, False)
    else:
        _append_list(text, [cell for row in rows for cell in row if cell.figures], width)
    return text


def _append_line(
    text: Text, row: Sequence[TextCell], contents: Sequence[str], width: int, bold: bool
) -> None:
    for column, (cell, content) in enumerate(zip(row, contents, strict=True)):
        text.append(" " * GAP if column else "")
        for place, character in enumerate(content.ljust(width)):
            text.append(character, style=cell.style(place, width) + (" bold" if bold else ""))
    text.append("\n")


def _append_list(text: Text, cells: Sequence[TextCell], width: int) -> None:
    """As many hands in a line as fit."""
    item = _NARROW + GAP + CELL
    count = max(1, (width + GAP) // (item + GAP))
    for number, cell in enumerate(cells):
        text.append(" " * GAP if number % count else "")
        text.append(f"{cell.hand:<{_NARROW + GAP}}", style="bold")
        for place, character in enumerate("/".join(cell.figures).ljust(CELL)):
            text.append(character, style=cell.style(place, CELL))
        if number % count == count - 1 or number == len(cells) - 1:
            text.append("\n")


def overall_line(
    names: Mapping[str, str], shares: Mapping[str, float], label: str = "overall", width: int | None = None
) -> Text:
    """overall   raise 35.6%   call 58.0%   fold 6.4%, from action letter -> name and -> share.

    It has several lines where the terminal is too narrow for one.
    """
    from rich.text import Text

    width = _terminal_width() if width is None else width
    line, used = Text(f"{label:<{_LABEL}}"), _LABEL
    for number, (letter, part) in enumerate(overall_parts(names, shares)):
        if number and used + len(part) + 3 > width:
            line.append("\n" + " " * _LABEL)
            used = _LABEL
        elif number:
            line.append(" ")
            used += 1
        line.append(f" {part} ", style=COLOURS[letter])
        used += len(part) + 2
    return line


def _terminal_width() -> int:
    from errai.cli.output import console

    return console().width


def overall_parts(names: Mapping[str, str], shares: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Action letter, "raise 35.6%"; the percentages add up to 100."""
    from errai.formatting import percent_texts

    letters = [letter for letter in ORDER if letter in shares]
    for letter, percent in zip(letters, percent_texts([shares[letter] for letter in letters]), strict=True):
        yield letter, f"{names[letter]} {percent}"
