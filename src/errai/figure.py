"""The picture of a solution: how far from unexploitable it was, iteration by iteration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from errai.engine.solver import Point
from errai.errors import ErraiError
from errai.writing import replacing_file

FORMATS = (".png", ".svg", ".pdf")
_LINE, _MARK, _INK, _GRID = "#1f5aa6", "#c2571a", "#333333", "#d9d9d9"


def draw_convergence(path: Path, title: str, history: Sequence[Point], target: float | None = None) -> None:
    """Exploitability against iterations, both on a logarithmic scale, to a .png, .svg or .pdf file."""
    if path.suffix.lower() not in FORMATS:
        raise ErraiError(f"{path} is no picture file; its name must end in {', '.join(FORMATS)}")
    shown = [point for point in history if point.iteration > 0 and point.exploitability_mbb > 0]
    if not shown:
        raise ErraiError("there is nothing to draw: the solution has not been measured yet; run an iteration")
    # Imported here: half a second, and most programs draw nothing.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    figure = Figure(figsize=(7.2, 4.5), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.loglog(
        [point.iteration for point in shown],
        [point.exploitability_mbb for point in shown],
        color=_LINE, linewidth=1.8, marker="o", markersize=3.5, zorder=3,
    )  # fmt: skip
    if target is not None:
        axes.axhline(target, color=_MARK, linewidth=1.2, linestyle=(0, (5, 3)), zorder=2)
        axes.annotate(
            f"target {target:g} mbb/g", (0, target), xycoords=("axes fraction", "data"),
            xytext=(6, 4), textcoords="offset points", ha="left", va="bottom", color=_MARK, fontsize=9,
        )  # fmt: skip
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    axes.set_xlabel("iterations", color=_INK)
    axes.set_ylabel("exploitability in mbb/g", color=_INK)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(base=10, subs=_ticks(axis.get_data_interval())))
        axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:,.10g}"))
        axis.set_minor_locator(NullLocator())
    axes.grid(which="major", color=_GRID, linewidth=0.7)
    axes.tick_params(colors=_INK, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_GRID)
    with replacing_file(path) as new:
        figure.savefig(new)


def _ticks(interval: Sequence[float]) -> tuple[float, ...]:
    """Ticks within a decade: only powers of ten when the numbers span many of them."""
    low, high = interval
    return (1.0,) if high > 300 * low else (1.0, 2.0, 5.0)
