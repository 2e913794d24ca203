"""The figures of the paper: what a tournament's states are worth, and how two hands are played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from errai.cards.notation import GRID
from errai.figure import check_picture
from errai.files.writing import replacing_file
from errai.jamfold.matrix_game import Floats

SMALL, BIG, INK, LINES, FADED = "#b3352b", "#1f5aa6", "#333333", "#d9d9d9", "#c9c9c9"


def draw_advantage(path: Path, stacks: Sequence[int], small: Floats, big: Floats) -> None:
    """Figure 1: guaranteed winning probability minus the share of the chips, by stack, for both seats."""
    share = np.asarray(stacks) / stacks[-1]
    figure, axes = _axes("Guaranteed winning probability minus share of the chips", stacks)
    axes.axhline(0.0, color=INK, linewidth=0.8)
    axes.plot(
        stacks, 100 * (small - share), color=SMALL, linewidth=1.8, label="about to post the small blind"
    )
    axes.plot(stacks, 100 * (big - share), color=BIG, linewidth=1.8, label="about to post the big blind")
    axes.set_ylabel("percentage points", color=INK)
    axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    _save(figure, path)


def draw_bounds(path: Path, stacks: Sequence[int], lower: Floats, upper: Floats) -> None:
    """Figure 2: where the optimal winning probability of the small blind must lie."""
    figure, axes = _axes("Optimal winning probability of the player about to post the small blind", stacks)
    axes.fill_between(stacks, 100 * lower, 100 * upper, color=SMALL, linewidth=0.6, edgecolor=SMALL)
    axes.set_ylabel("per cent, between the two bounds", color=INK)
    axes.set_ylim(0, 100)
    _save(figure, path)


def draw_gap(path: Path, stacks: Sequence[int], gap: Floats) -> None:
    """Figure 3: what is left to gain, by stack."""
    figure, axes = _axes("Gap between the bounds, the small blind's stack", stacks)
    axes.plot(stacks, 100 * gap, color=INK, linewidth=1.8)
    axes.set_ylabel("percentage points", color=INK)
    axes.set_ylim(0, None)
    _save(figure, path)


def draw_strategies(path: Path, title: str, small: Floats, big: Floats) -> None:
    """Figures 6 and 8: which hands are jammed from the small and from the big blind; black is jam, white fold."""
    check_picture(path)
    figure = _figure((10.4, 5.6))
    for place, (name, jam) in enumerate((("small blind", small), ("big blind", big)), start=1):
        axes = figure.add_subplot(1, 2, place)
        axes.imshow(jam.reshape(13, 13), cmap="Greys", vmin=0.0, vmax=1.15)
        for row, hands in enumerate(GRID):
            for column, hand in enumerate(hands):
                share = jam[13 * row + column]
                mixed = 1e-6 < share < 1 - 1e-6
                axes.text(
                    column, row, f"{hand}\n{100 * share:.0f}%" if mixed else hand, ha="center", va="center",
                    fontsize=6.5 if mixed else 8, color="white" if share > 0.5 else INK,
                )  # fmt: skip
        axes.set_xticks(np.arange(-0.5, 13), minor=True)
        axes.set_yticks(np.arange(-0.5, 13), minor=True)
        axes.grid(which="minor", color=FADED, linewidth=0.7)
        axes.tick_params(which="both", length=0, labelbottom=False, labelleft=False)
        axes.set_title(f"{name}: {100 * float(jam @ _combos()) / 1326:.1f}% of hands", fontsize=10, color=INK)
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, color=INK)
    _save(figure, path)


def _combos() -> Floats:
    """[169] how many hands each class has."""
    cells = [hand for row in GRID for hand in row]
    return np.array([6.0 if len(hand) == 2 else 4.0 if hand[2] == "s" else 12.0 for hand in cells])


def _figure(size: tuple[float, float]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _axes(title: str, stacks: Sequence[int]) -> tuple[Any, Any]:
    figure = _figure((7.2, 4.3))
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize=11, color=INK)
    axes.set_xlabel("stack in chips", color=INK)
    axes.set_xlim(stacks[0], stacks[-1])
    axes.grid(color=LINES, linewidth=0.7)
    axes.tick_params(colors=INK, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINES)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    check_picture(path)
    with replacing_file(path) as new:
        figure.savefig(new)
