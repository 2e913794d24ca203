"""What `errai jamfold` prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errai.cli.grid import CELL, COLOURS, GAP, grid
from errai.cli.output import console, print_rows
from errai.views.jamfold import chart_rows, file_rows, hand_grids, hand_rows

if TYPE_CHECKING:
    from rich.text import Text

    from errai.jamfold.chart import Chart
    from errai.jamfold.prove import Proof
    from errai.jamfold.single import HandSolution
    from errai.sequence import Solution

SHORT, NEVER = "#1c1c1c", "grey46 on grey11"


def show_hand(
    solution: HandSolution,
    seconds: float,
    fractions: Solution | None,
    proof: Proof | None,
    files: list[Path],
) -> None:
    """A hand, within 80 columns."""
    from errai.jamfold.single import described
    from errai.sequence.certificate import NAME

    print(described(solution.hand, solution.unit) + "\n")
    rows = [*hand_rows(solution, seconds, fractions, proof), *file_rows(files)]
    if fractions is not None and not any(file.name == NAME for file in files):
        rows.append(("certificate", "not saved; add --out DIR, then errai verify DIR checks it"))
    print_rows(rows)
    shown = console()
    for title, shares in hand_grids(solution):
        shown.print(f"\n{title}\n")
        shown.print(grid(shares), end="")


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
    from rich.text import Text

    from errai.cards.notation import GRID
    from errai.jamfold.chart import blend

    full = COLOURS[{"jam": "r", "call": "c"}[action]].rpartition(" ")[2]
    colours = blend(SHORT, full, len(solved.bands()) + 1)
    text = Text()
    for names in GRID:
        for line in (0, 1):
            for column, name in enumerate(names):
                band = solved.band(action, name)
                style = NEVER if band is None else f"white on {colours[band]}"
                text.append(" " * GAP if column else "")
                content = solved.largest(action, name) if line else name
                text.append(content.ljust(CELL), style=style if line else f"{style} bold")
            text.append("\n")
    return text
