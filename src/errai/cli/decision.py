"""How a decision of all hands is printed, and the first decision of a solved spot with what its hands are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.equity import Equity
from errai.engine.evaluation import Evaluator
from errai.strategy.kinds.exact import ExactStrategy
from errai.strategy.lookup import classes_of, find_board
from errai.strategy.query import query, weighted_mean
from errai.views.decision import GridView, combos_of, grid_view

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def show_grid(
    view: GridView, everything: bool = False, overall: Mapping[str, Mapping[str, float]] | None = None
) -> None:
    """A decision as a grid, with its heading and how often everything is done.

    `overall`, label -> action letter -> share, are lines for several strategies in the place of one.
    """
    from errai.cli.grid import grid, overall_line
    from errai.cli.output import console
    from errai.views.grid import legend

    shown = console()
    print_headings(view.title, view.place)
    shown.print(legend(view.names) + "\n")
    hidden = view.hidden(everything)
    shown.print(grid(view.shares, hidden, view.rare - hidden, shown.width), end="")
    shown.print()
    for label, shares in (overall or {"overall": view.overall}).items():
        if shares:
            shown.print(overall_line(view.names, shares, label))
    for note in view.notes(everything, " (--all)"):
        shown.print(note)


def print_headings(title: str, place: str) -> None:
    """What has happened, and who is to act."""
    from errai.cli.output import console
    from errai.formatting import title_lines

    shown = console()
    for line in title_lines(title, shown.width):
        shown.print(line)
    for line in title_lines(place, shown.width):
        shown.print(line)


def draw_view(path: Path, view: GridView, everything: bool = False, note: str = "") -> None:
    """The same as a picture."""
    from errai.figure import draw_grid

    hidden = view.hidden(everything)
    cells = {name: shares for name, shares in view.shares.items() if name not in hidden}
    notes = [*([note] if note else []), *view.notes(everything)]
    draw_grid(
        path,
        view.title,
        cells,
        view.names,
        place=view.place,
        reach=view.reach,
        overall=view.overall,
        notes=notes,
    )


@dataclass(frozen=True)
class HandClass:
    """One cell of the grid."""

    combos: float  # weight in the range
    equity: float
    ev: float  # net chips over the hand


@dataclass(frozen=True)
class FirstDecision:
    """What the player does at the root of the spot."""

    player: int
    grid: GridView
    hands: dict[str, HandClass]  # in the order of the grid, those in the range
    weights: NDArray[np.float64]  # [N] how often each hand is held

    def to_json(self) -> dict[str, Any]:
        return {
            "player": ("oop", "ip")[self.player],
            "actions": list(self.grid.names.values()),
            "frequencies": self.named(self.grid.overall),
            "hands": {
                name: {
                    "combos": cell.combos,
                    "frequencies": self.named(self.grid.shares[name]),
                    "equity": cell.equity,
                    "ev": cell.ev,
                }
                for name, cell in self.hands.items()
            },
        }

    def named(self, shares: dict[str, float]) -> dict[str, float]:
        """Name of the action -> share."""
        return {name: shares[letter] for letter, name in self.grid.names.items()}


def first_decision(strategy: ExactStrategy, equity: Equity, threads: int = 1) -> FirstDecision:
    """The decision at the root, from the strategy and the equities of its spot."""
    found = query(strategy)
    seat = found.decision.player
    held = strategy.spot.ranges[seat]
    chips = _hand_values(strategy, seat, threads)
    cells = {}
    for name, combos in combos_of(held):
        dealt = found.weights[combos]
        cells[name] = HandClass(
            combos=float(held[combos].sum()),
            equity=_mean(equity.hands[seat][combos], dealt),
            ev=_mean(chips[combos], dealt),
        )
    return FirstDecision(seat, grid_view(found), cells, found.weights)


def _hand_values(strategy: ExactStrategy, seat: int, threads: int) -> NDArray[np.float64]:
    """[N] net chips that every hand of the seat wins when both play the strategy."""
    evaluator = Evaluator(strategy.layout, threads)
    try:
        by_class = evaluator.hand_values(seat, strategy.weights)
    finally:
        evaluator.close()
    classes = classes_of(strategy.layout, find_board(strategy.layout, ()))
    return np.where(classes >= 0, by_class[np.maximum(classes, 0)], np.nan)


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """nan for hands that are never dealt because the other's range blocks them."""
    return weighted_mean(np.nan_to_num(values)[:, None], weights)[0] if weights.any() else float("nan")
