"""The figures of the paper: what a tournament's stacks are worth, and how two hands are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from errai.figure import CALL, FOLD, RAISE, Cell, Grid, Part, check_picture, draw_grids
from errai.files.writing import replacing_file
from errai.formatting import percent_texts
from errai.jamfold.equities import HANDS
from errai.jamfold.matrix_game import Floats
from errai.jamfold.single import percentage
from errai.outward import percent, rounded_up

INK, LINES, FADED = "#333333", "#d9d9d9", "#8a8a8a"
SMALL, BIG = RAISE, "#1f5aa6"
SEATS = ("in the small blind", "in the big blind")


def draw_advantage(path: Path, rules: str, stacks: Sequence[int], small: Floats, big: Floats) -> None:
    """Figure 1: guaranteed winning probability minus the share of the chips, by stack, for both seats."""
    share = np.asarray(stacks) / stacks[-1]
    figure, axes = _axes(
        "How much more than the share of the chips a jam/fold player is sure to win", rules, stacks
    )
    axes.axhline(0.0, color=FADED, linewidth=1.0, linestyle=(0, (5, 3)), label="the share of the chips")
    for seat, worth, colour in ((SEATS[0], small, SMALL), (SEATS[1], big, BIG)):
        axes.plot(stacks, 100 * (worth - share), color=colour, linewidth=1.8, label=seat)
    axes.set_ylabel("guaranteed to win, in percentage points more", color=INK)
    _save(figure, path)


def draw_bounds(path: Path, rules: str, stacks: Sequence[int], lower: Floats, upper: Floats) -> None:
    """Figure 2: where the optimal winning probability of the small blind must lie."""
    figure, axes = _axes(
        "How often the player about to post the small blind wins with optimal play", rules, stacks
    )
    axes.plot(
        [stacks[0], stacks[-1]], [0, 100], color=FADED, linewidth=1.0, linestyle=(0, (5, 3)), zorder=1,
        label="the share of the chips",
    )  # fmt: skip
    axes.fill_between(stacks, 100 * lower, 100 * upper, color=SMALL, linewidth=0.6, edgecolor=SMALL)
    axes.plot(
        [],
        [],
        color=SMALL,
        linewidth=4,
        label="proven: from what jam or fold guarantees to the most that anybody can",
    )
    axes.set_ylabel("wins the tournament, in percent", color=INK)
    axes.set_ylim(0, 100)
    _save(figure, path)


def draw_gap(path: Path, rules: str, stacks: Sequence[int], gap: Floats) -> None:
    """Figure 3: what is left to gain, by stack."""
    figure, axes = _axes(
        "The most that any strategy, postflop play included, adds to jam or fold", rules, stacks
    )
    axes.plot(stacks, 100 * gap, color=SMALL, linewidth=1.8, label=SEATS[0])
    worst = int(gap.argmax())
    axes.plot([stacks[worst]], [100 * gap[worst]], marker="o", markersize=4.5, color=SMALL)
    most = rounded_up(percent(float(gap[worst])), 2)
    axes.annotate(
        f"{most} points with {stacks[worst]:,} chips", (stacks[worst], 100 * gap[worst]),
        xytext=(0, 7), textcoords="offset points", ha="center", va="bottom", color=INK, fontsize=9,
    )  # fmt: skip
    axes.set_ylabel("wins more often by at most, in percentage points", color=INK)
    axes.set_ylim(0, 118 * gap[worst])
    _save(figure, path)


def draw_strategies(path: Path, title: str, small: Floats, big: Floats) -> None:
    """Figures 6 and 8: which hands are jammed from the small blind and from the big blind."""
    grids = []
    for where, jam in (
        ("The small blind, first to act", small),
        ("The big blind, whatever the small blind does", big),
    ):
        often = dict(zip(HANDS, jam.tolist(), strict=True))
        grids.append(jam_grid(f"{where}: jam in percent", often))
    draw_grids(path, title, grids)


def jam_grid(title: str, often: Mapping[str, float], action: str = "jam") -> Grid:
    """The grid of one player, who jams or folds, or who calls or folds."""
    colour = {"jam": RAISE, "call": CALL}[action]
    cells = {
        name: Cell(f"{100 * share:.0f}", ((colour, share), (FOLD, 1 - share)))
        for name, share in often.items()
    }
    played = percentage(often) / 100
    shares = {action: (played, colour), "fold": (1 - played, FOLD)}
    texts = percent_texts([share for share, _ in shares.values()])
    keys = {f"{name} {text}": shares[name][1] for name, text in zip(shares, texts, strict=True)}
    return Grid(title, cells, keys, overall=[Part(name, *of) for name, of in shares.items()])


def _axes(title: str, rules: str, stacks: Sequence[int]) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(7.2, 4.5), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, color=INK, weight="bold")
    axes.set_title(rules, loc="left", fontsize=9.5, color=INK)
    axes.set_xlabel(f"own stack, of {stacks[-1]:,} chips in all", color=INK)
    axes.set_xlim(stacks[0], stacks[-1])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda chips, _: f"{chips:,.10g}"))
    axes.grid(color=LINES, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, labelsize=9)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(LINES)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    check_picture(path)
    figure.legend(
        frameon=False, fontsize=9, labelcolor=INK, loc="outside lower left", ncols=3, columnspacing=1.5
    )
    with replacing_file(path) as new:
        figure.savefig(new)
