"""Pictures of a solution: how far from unexploitable it was, iteration by iteration, and a grid of hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from errai.cards.notation import GRID
from errai.engine.progress import Measurement
from errai.errors import ErraiError
from errai.files.writing import replacing_file
from errai.formatting import cell_figures, percent_texts, title_lines

FORMATS = (".png", ".svg", ".pdf")
_LINE, _MARK, _INK, _GRID = "#1f5aa6", "#c2571a", "#333333", "#d9d9d9"


def draw_convergence(
    path: Path, title: str, history: Sequence[Measurement], target: float | None = None, unit: str = "mbb/g"
) -> None:
    """Exploitability against iterations, both on a logarithmic scale, to a .png, .svg or .pdf file."""
    check_picture(path)
    shown = [measured for measured in history if measured.iteration > 0 and measured.exploitability_mbb > 0]
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
        [measured.iteration for measured in shown],
        [measured.exploitability_mbb for measured in shown],
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
    _plain(axes)
    with replacing_file(path) as new:
        figure.savefig(new)


# Raise, bet or jam red, call or check green, fold blue, a hand that is not in the range dark.
RAISE, CALL, FOLD = "#b3352b", "#2e7d4f", "#2f6fae"
_ACTIONS = {"r": RAISE, "c": CALL, "f": FOLD}
_OUT_OF_RANGE, _DIM = "#2b2b2b", "#8a8a8a"
_WON, _LOST, _NEITHER = "#a9cdb6", "#a9c3dc", "#ececec"  # calls' green and folds' blue, paler; grey
_NEARLY_ALL = 0.975  # a hand that gets here more often fills its cell
_BAR = 0.75  # the height of the bar above a grid, with its margins, in cells


class Cell(NamedTuple):
    """One hand of a grid: its number, and how it is filled from the left."""

    text: str
    fill: tuple[tuple[str, float], ...]  # colour, share
    dim: bool = False  # a hand that is not in the range
    height: float = 1.0  # how much of the cell is filled: how often the hand gets here


class Part(NamedTuple):
    """One action of the bar above a grid."""

    name: str
    share: float
    colour: str


class Grid(NamedTuple):
    """The 169 hands of one player."""

    title: str
    cells: Mapping[str, Cell]
    keys: Mapping[str, str]  # what a colour means -> the colour
    notes: Sequence[str] = ()
    overall: Sequence[Part] = ()  # a bar of all hands together


def draw_grids(path: Path, title: str, grids: Sequence[Grid]) -> None:
    """Grids of hands side by side, to a .png, .svg or .pdf file."""
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    count, gap = len(grids), 0.02
    top = 13 + (_BAR if any(grid.overall for grid in grids) else 0.0)
    figure = Figure(figsize=(7.2 * count, 7.2 * top / 13), dpi=120)
    FigureCanvasAgg(figure)
    headed = any(grid.title for grid in grids)
    lines = "\n".join(title_lines(title, 68 * count))
    figure.text(
        0, 1.045 if headed else 1.01, lines, ha="left", va="bottom", fontsize=13, color=_INK, weight="bold"
    )
    for place, grid in enumerate(grids):
        axes = figure.add_axes((place / count, 0, 1 / count - gap, 1))
        _draw_cells(axes, grid.cells)
        _draw_bar(axes, grid.overall)
        axes.set_ylim(0, top)
        axes.set_title(grid.title, loc="left", fontsize=11, color=_INK)
        keys = [Patch(color=colour, label=label) for label, colour in grid.keys.items()]
        axes.legend(
            handles=keys, loc="upper left", bbox_to_anchor=(0, 0), ncols=len(keys), frameon=False, fontsize=9,
            borderaxespad=0.2, borderpad=0.2, labelcolor=_INK, handlelength=1, handleheight=1, columnspacing=1.2,
        )  # fmt: skip
        axes.text(0, -0.6, "\n".join(grid.notes), ha="left", va="top", fontsize=9, color=_INK)
    with replacing_file(path) as new:
        figure.savefig(new, bbox_inches="tight", pad_inches=0.15)


def _draw_cells(axes: Any, cells: Mapping[str, Cell]) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    size = 0.94
    filled = []
    for row, names in enumerate(GRID):
        for column, name in enumerate(names):
            cell = cells[name]
            left, bottom = column + (1 - size) / 2, 12 - row + (1 - size) / 2
            if cell.height < 1:
                filled.append(Rectangle((left, bottom), size, size, color=_OUT_OF_RANGE, linewidth=0))
            for colour, share in cell.fill:
                if share > 0:
                    width, height = size * share, size * cell.height
                    filled.append(Rectangle((left, bottom), width, height, color=colour, linewidth=0))
                    left += width
            middle, base = column + 0.5, 12 - row
            axes.text(
                middle, base + 0.66, name, ha="center", va="center", fontsize=9,
                color=_DIM if cell.dim else "white", weight="normal" if cell.dim else "bold",
            )  # fmt: skip
            axes.text(middle, base + 0.28, cell.text, ha="center", va="center", color="white", fontsize=7.5)
    axes.add_collection(PatchCollection(filled, match_original=True))
    axes.set_xlim(0, 13)
    axes.set_aspect("equal")
    axes.axis("off")


def _draw_bar(axes: Any, overall: Sequence[Part]) -> None:
    """All hands together, above the grid; the name of an action where there is room for it."""
    from matplotlib.patches import Rectangle

    edge = 0.03  # as the cells have
    left, width, bottom, height = edge, 13 - 2 * edge, 13 + 0.12, _BAR - 0.24
    percents = percent_texts([part.share for part in overall])
    for part, percent in zip(overall, percents, strict=True):
        axes.add_patch(Rectangle((left, bottom), width * part.share, height, color=part.colour, linewidth=0))
        label = f"{part.name} {percent}"
        if width * part.share > 0.17 * len(label):
            axes.text(
                left + width * part.share / 2, bottom + 0.46 * height, label, ha="center", va="center",
                fontsize=9, color="white", weight="bold",
            )  # fmt: skip
        left += width * part.share


def draw_grid(
    path: Path,
    title: str,
    cells: Mapping[str, Mapping[str, float]],
    names: Mapping[str, str],
    *,
    place: str = "",
    reach: Mapping[str, float] | None = None,
    overall: Mapping[str, float] | None = None,
    notes: Sequence[str] = (),
) -> None:
    """The 169 hands, each cell filled as its actions are mixed, to a .png, .svg or .pdf file.

    `cells` is hand -> action letter -> share for the hands in the range, `names` what the actions are called, `place`
    a second line of the title. With `reach`, hand -> how often it gets here, a cell is filled no higher than that;
    `overall`, action letter -> share, is a bar of all hands together.
    """
    letters = [letter for letter in _ACTIONS if letter in names]
    shown = {}
    for hand in (hand for row in GRID for hand in row):
        shares = cells.get(hand)
        if shares is None:
            shown[hand] = Cell("", ((_OUT_OF_RANGE, 1.0),), dim=True)
        else:
            parts = tuple((_ACTIONS[letter], shares.get(letter, 0.0)) for letter in letters)
            height = 1.0 if reach is None else reach.get(hand, 1.0)
            height = height if height < _NEARLY_ALL else 1.0
            shown[hand] = Cell("/".join(map(str, cell_figures(shares))), parts, height=height)
    often = dict.fromkeys(letters, "")
    if overall:
        texts = percent_texts([overall.get(letter, 0.0) for letter in letters])
        often = {letter: f" {percent}" for letter, percent in zip(letters, texts, strict=True)}
    keys = {names[letter] + often[letter]: _ACTIONS[letter] for letter in letters}
    if any(cell.dim or cell.height < 1 for cell in shown.values()):
        rare = reach is not None and min(reach.values()) < _NEARLY_ALL
        keys["does not get here" if rare else "not in the range"] = _OUT_OF_RANGE
    bar = [Part(names[letter], share, _ACTIONS[letter]) for letter, share in (overall or {}).items()]
    figures = " / ".join(names[letter] for letter in letters if letter != "f" or len(letters) == 1)
    heading = f"{place}; {figures} in percent" if place else ""
    draw_grids(path, title, [Grid(heading, shown, keys, notes, bar)])


def check_picture(path: Path) -> None:
    """Refuse a file name that no picture can have."""
    if path.suffix.lower() not in FORMATS:
        raise ErraiError(f"{path} is no picture file; its name must end in {', '.join(FORMATS)}")


def _ticks(interval: Sequence[float]) -> tuple[float, ...]:
    """Ticks within a decade: only powers of ten when the numbers span many of them."""
    low, high = interval
    return (1.0,) if high > 300 * low else (1.0, 2.0, 5.0)


def _plain(axes: Any) -> None:
    """Quiet ticks, and lines on two sides only."""
    axes.tick_params(colors=_INK, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_GRID)


class Curve(NamedTuple):
    """Winnings over hands."""

    hands: Sequence[int]
    won: Sequence[float]  # in big blinds


def draw_winnings(path: Path, title: str, curve: Curve, spread: float) -> None:
    """Big blinds won over hands, with the band in which 95% of matches between equals end, 1.96 `spread` sqrt(n)."""
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(7.2, 4.5), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    band = [1.96 * spread * hands**0.5 for hands in curve.hands]
    axes.fill_between(
        curve.hands,
        [-edge for edge in band],
        band,
        color=_GRID,
        alpha=0.6,
        linewidth=0,
        label="luck alone, 95%",
    )
    axes.axhline(0, color=_INK, linewidth=0.8)
    axes.plot(curve.hands, curve.won, color=_LINE, linewidth=1.6)
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    axes.set_xlabel("hands", color=_INK)
    axes.set_ylabel("big blinds won", color=_INK)
    axes.legend(loc="upper left", frameon=False, fontsize=9)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:,.10g}"))
    axes.grid(color=_GRID, linewidth=0.7)
    axes.set_xlim(0, max(curve.hands))
    _plain(axes)
    with replacing_file(path) as new:
        figure.savefig(new)


def draw_cross_table(
    path: Path,
    title: str,
    names: Sequence[str],
    cells: Sequence[Sequence[str]],
    signs: Sequence[Sequence[int]],
) -> None:
    """A table of players against players; `signs` is 1 for a win, -1 for a loss, 0 where neither is certain."""
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch, Rectangle

    n, shades = len(names), {1: _WON, 0: _NEITHER, -1: _LOST}
    figure = Figure(figsize=(max(5.2, 1.4 + 1.35 * n), 1.5 + 0.62 * n), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            if not text:
                continue
            colour = shades[signs[row][column]]
            axes.add_patch(Rectangle((column - 0.48, row - 0.47), 0.96, 0.94, color=colour, linewidth=0))
            axes.text(column, row, text, ha="center", va="center", fontsize=9, color=_INK)
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_ylim(n - 0.5, -0.5)
    axes.set_xticks(range(n), names, fontsize=9)
    axes.set_yticks(range(n), names, fontsize=9)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, colors=_INK)
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    words = {_WON: "wins", _LOST: "loses", _NEITHER: "the 95% interval holds zero"}
    keys = [Patch(color=colour, label=word) for colour, word in words.items()]
    figure.legend(handles=keys, loc="outside lower left", ncols=3, frameon=False, fontsize=9, labelcolor=_INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    with replacing_file(path) as new:
        figure.savefig(new)


class TierMark(NamedTuple):
    """What a tier of players won, in mbb/g."""

    players: int
    rank: float  # in the hands that it was chosen by
    test: float
    interval: float  # half of the 95% interval of `test`


def draw_tiers(path: Path, title: str, tiers: Sequence[TierMark]) -> None:
    """What tiers of players won, the weakest first: in Test with its interval, and in Rank, luck included."""
    check_picture(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(7.2, 4.5), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    places = range(len(tiers))
    axes.axhline(0, color=_INK, linewidth=0.8, zorder=1)
    axes.scatter(
        [place - 0.12 for place in places], [tier.rank for tier in tiers], s=36, facecolors="white",
        edgecolors=_MARK, linewidths=1.4, zorder=3, label="in Rank, with the luck that they were chosen by",
    )  # fmt: skip
    axes.errorbar(
        places, [tier.test for tier in tiers], yerr=[tier.interval for tier in tiers], fmt="o", color=_LINE,
        markersize=5, capsize=4, elinewidth=1.6, zorder=4, label="in Test, with 95% intervals",
    )  # fmt: skip
    axes.set_xticks(
        places,
        [
            f"tier {number}\n{tier.players:,} player{'' if tier.players == 1 else 's'}"
            for number, tier in enumerate(tiers, 1)
        ],
    )
    axes.set_xlim(-0.5, len(tiers) - 0.5)
    axes.set_title(title, loc="left", fontsize=11, color=_INK)
    axes.set_ylabel("mbb/g won", color=_INK)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:+,.10g}" if number else "0"))
    axes.legend(loc="upper left", frameon=False, fontsize=9)
    axes.grid(axis="y", color=_GRID, linewidth=0.7)
    _plain(axes)
    with replacing_file(path) as new:
        figure.savefig(new)
