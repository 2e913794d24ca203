"""Pictures of a solution: how far from unexploitable it was, iteration by iteration, and a grid of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from errai.cards.notation import GRID
from errai.engine.loop import Point
from errai.errors import ErraiError
from errai.writing import replacing_file

FORMATS = (".png", ".svg", ".pdf")
_LINE, _MARK, _INK, _GRID = "#1f5aa6", "#c2571a", "#333333", "#d9d9d9"


def draw_convergence(
    path: Path, title: str, history: Sequence[Point], target: float | None = None, unit: str = "mbb/g"
) -> None:
    """Exploitability against iterations, both on a logarithmic scale, to a .png, .svg or .pdf file."""
    check_picture(path)
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
            f"target {target:g} {unit}", (0, target), xycoords=("axes fraction", "data"),
            xytext=(6, 4), textcoords="offset points", ha="left", va="bottom", color=_MARK, fontsize=9,
        )  # fmt: skip
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    axes.set_xlabel("iterations", color=_INK)
    axes.set_ylabel(f"exploitability in {unit}", color=_INK)
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


# Raise or bet red, call or check green, fold blue, a hand that is not in the range dark.
_ACTIONS = {"r": "#b3352b", "c": "#2e7d4f", "f": "#2f6fae"}
_OUT_OF_RANGE, _DIM = "#2b2b2b", "#8a8a8a"


def draw_grid(
    path: Path, title: str, cells: Mapping[str, Mapping[str, float]], names: Mapping[str, str]
) -> None:
    """The 169 hands, each cell filled as its actions are mixed, to a .png, .svg or .pdf file.

    `cells` is hand -> action letter -> share for the hands in the range, `names` what the actions are called.
    """
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.patches import Patch, Rectangle

    letters = [letter for letter in _ACTIONS if letter in names]
    margins = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
    figure = Figure(figsize=(7.6, 8.2), dpi=140, layout=margins)
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for row, hands in enumerate(GRID):
        for column, hand in enumerate(hands):
            shares = cells.get(hand)
            left, bottom = column + 0.03, 12 - row + 0.03
            axes.add_patch(Rectangle((left, bottom), 0.94, 0.94, color=_OUT_OF_RANGE, linewidth=0))
            if shares is not None:
                start = left
                for letter in letters:
                    width = 0.94 * shares.get(letter, 0.0)
                    axes.add_patch(
                        Rectangle((start, bottom), width, 0.94, color=_ACTIONS[letter], linewidth=0)
                    )
                    start += width
                numbers = "/".join(f"{100 * shares.get(letter, 0.0):.0f}" for letter in letters)
                axes.text(
                    column + 0.5, 12 - row + 0.28, numbers,
                    ha="center", va="center", color="white", fontsize=6.5,
                )  # fmt: skip
            axes.text(
                column + 0.5, 12 - row + 0.66, hand, ha="center", va="center", fontsize=9,
                color=_DIM if shares is None else "white", weight="normal" if shares is None else "bold",
            )  # fmt: skip
    axes.set_xlim(0, 13)
    axes.set_ylim(0, 13)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    keys = [Patch(color=_ACTIONS[letter], label=names[letter]) for letter in letters]
    if len(cells) < len(GRID) ** 2:
        keys.append(Patch(color=_OUT_OF_RANGE, label="not in the range"))
    axes.legend(
        handles=keys, loc="upper left", bbox_to_anchor=(0, 0), ncols=len(keys), frameon=False, fontsize=9,
        labelcolor=_INK, handlelength=1, handleheight=1,
    )  # fmt: skip
    with replacing_file(path) as new:
        figure.savefig(new)


def check_picture(path: Path) -> None:
    """Refuse a file name that no picture can have."""
    if path.suffix.lower() not in FORMATS:
        raise ErraiError(f"{path} is no picture file; its name must end in {', '.join(FORMATS)}")


def _ticks(interval: Sequence[float]) -> tuple[float, ...]:
    """Ticks within a decade: only powers of ten when the numbers span many of them."""
    low, high = interval
    return (1.0,) if high > 300 * low else (1.0, 2.0, 5.0)
