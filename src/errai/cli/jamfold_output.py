"""What `errai jamfold` prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errai.cli.grid import COLOURS, OUT_OF_RANGE, TextCell, draw_cells, grid, overall_line
from errai.cli.output import console, print_rows
from errai.views.jamfold import asked_rows, chart_rows, file_rows, hand_grids, hand_rows, together

if TYPE_CHECKING:
    from rich.text import Text

    from errai.jamfold.chart import Chart
    from errai.jamfold.prove import Proof
    from errai.jamfold.single import HandSolution
    from errai.sequence import Solution

SHORT = "#1c1c1c"


def show_hand(
    solution: HandSolution,
    seconds: float,
    fractions: Solution | None,
    proof: Proof | None,
    files: list[Path],
    asked: str | None = None,
) -> None:
    """A hand, within 80 columns: the grids of all hands, or the few that were asked for."""
    from errai.jamfold.single import described
    from errai.sequence.certificate import NAME

    print(described(solution.hand, solution.unit) + "\n")
    rows = [*hand_rows(solution, seconds, fractions, proof), *file_rows(files)]
    if fractions is not None and not any(file.name == NAME for file in files):
        rows.append(("certificate", "not saved; add --out DIR, then errai verify DIR checks it"))
    print_rows(rows)
    if asked is not None:
        print()
        print_rows(asked_rows(solution, asked))
        return
    shown = console()
    for title, shares in hand_grids(solution):
        shown.print(f"\n{title}\n")
        shown.print(grid(shares))
        names = {"r": "jam", "c": "call", "f": "fold"}
        shown.print(overall_line(names, together(shares)))


def show_chart(solved: Chart, seconds: float, files: list[Path]) -> None:
    """Both grids of a chart with their footnotes."""
    from errai.jamfold.chart import ACTIONS

    shown = console()
    for action in ACTIONS:
        shown.print(solved.heading(action) + "\n")
        shown.print(_chart_grid(solved, action))
        if notes := solved.footnotes(action):
            shown.print("\n".join(notes) + "\n")
    print_rows([*chart_rows(solved, seconds), *file_rows(files)])


def _chart_grid(solved: Chart, action: str) -> Text:
    """The largest stacks, in colours that go from dark to that of the action."""
    from errai.cards.notation import GRID
    from errai.jamfold.chart import blend

    full = COLOURS[{"jam": "r", "call": "c"}[action]].rpartition(" ")[2]
    colours = blend(SHORT, full, len(solved.bands()) + 1)

    def cell(name: str) -> TextCell:
        band, largest = solved.band(action, name), solved.largest(action, name)
        style = OUT_OF_RANGE if band is None else f"white on {colours[band]}"
        return TextCell(name, (largest,) if largest else (), style)

    return draw_cells([[cell(name) for name in row] for row in GRID])
