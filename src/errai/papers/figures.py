"""Figures of papers, in the look of the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from errai.files.writing import replacing_file

LINE, MARK, INK, GRID = "#1f5aa6", "#c2571a", "#333333", "#d9d9d9"


class Panel(NamedTuple):
    """One line of points with intervals."""

    title: str
    x: Sequence[float]
    y: Sequence[float]
    interval: Sequence[float] | None = None  # half widths


def draw_panels(
    path: Path,
    title: str,
    panels: Sequence[Panel],
    x_label: str,
    y_label: str,
    columns: int = 3,
    top: float | None = None,
) -> None:
    """Panels side by side, each with a scale of its own, or all from 0 to `top`."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(max(6.4, 3.1 * columns), 0.6 + 2.4 * rows), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, squeeze=False)
    for number, axes in enumerate(grid.reshape(-1)):
        if number >= len(panels):
            axes.set_visible(False)
            continue
        panel = panels[number]
        axes.errorbar(
            panel.x, panel.y, yerr=panel.interval, color=LINE, ecolor=MARK, linewidth=1.6, marker="o",
            markersize=3, capsize=2, elinewidth=1,
        )  # fmt: skip
        axes.axhline(0, color=INK, linewidth=0.8)
        if top is not None:
            axes.set_ylim(0, 1.03 * top)
        axes.set_title(panel.title, loc="left", fontsize=10, color=INK)
        axes.grid(color=GRID, linewidth=0.6)
        axes.tick_params(colors=INK, labelsize=8)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        if number % columns == 0:
            axes.set_ylabel(y_label, fontsize=9, color=INK)
        if number + columns >= len(panels):
            axes.set_xlabel(x_label, fontsize=9, color=INK)
    figure.suptitle(title, fontsize=11, x=0.01, ha="left", color=INK)
    with replacing_file(path) as new:
        figure.savefig(new)
