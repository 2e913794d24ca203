"""A push/fold chart: for every hand the stacks at which the small blind jams it and the big blind calls the jam.

Both have the same stack, in big blinds. Each stack of a grid is solved, and where two neighbours differ the stacks in
between are halved down to a hundredth of a big blind. A hand is played where its probability is at least 1/2.

Most hands are played up to some stack. A few are not: 63s is jammed with very short stacks, folded with longer ones,
and jammed again where the calling hands are so good that they rarely dominate it. Many hands have gaps of a few
tenths, in which they are mixed or folded. As in printed charts, numbers are in tenths, the grid gives the largest
stack of a hand, and gaps of at least a big blind are footnotes.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import GRID
from errai.errors import ErraiError
from errai.figure import CALL as CALLED
from errai.figure import RAISE, Cell, Grid, draw_grids
from errai.files.manifest import saving
from errai.files.writing import replacing_file, write_json
from errai.formatting import duration
from errai.jamfold.equities import CLASSES, HANDS
from errai.jamfold.hand import Hand
from errai.jamfold.linear_program import Solver
from errai.jamfold.matrix_game import CALL
from errai.jamfold.single import DEEPEST, chips_of, matrix_game_of, require_ante
from errai.sequence.builder import Given

KIND = "chart"  # of a saved strategy
CSV, PICTURE, RESULT = "chart.csv", "chart.png", "result.json"
ACTIONS = ("jam", "call")
PLAYERS = {"jam": "small blind", "call": "big blind"}
FINEST = Fraction(1, 100)  # of a big blind
MOST_STACKS = 10_000
FEW_STACKS = 500  # take a few seconds: nothing is estimated
SAMPLE = 5  # stacks that are solved for an estimate
BETWEEN = 2.0  # stacks that are solved for each of the grid
LINE = 77  # characters, the width of a grid

_ROUNDING = 1e-9
_WIDE = 1.0  # big blinds; narrower gaps are not worth a footnote
_BANDS = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_NEVER, _SHORT = "#2b2b2b", "#1f3b5c"

Interval = tuple[float, float]
Plays = NDArray[np.bool_]  # [338] whether each hand is jammed, then whether it is called


@dataclass(frozen=True)
class Chart:
    """Intervals are [from, to] in big blinds: the first and the last stack that was solved and is played."""

    low: float
    high: float
    step: float
    ante: float
    jam: dict[str, tuple[Interval, ...]]
    call: dict[str, tuple[Interval, ...]]
    solved: int  # stacks

    def intervals(self, action: str) -> dict[str, tuple[Interval, ...]]:
        """`jam` or `call`: hand -> intervals."""
        return {"jam": self.jam, "call": self.call}[action]

    def in_print(self, action: str, hand: str) -> tuple[Interval, ...]:
        """The intervals of a hand in tenths, without those between two tenths and without narrow gaps."""
        shown: list[Interval] = []
        before = 0.0
        for start, end in self.intervals(action)[hand]:
            first = start if start == self.low else ceil(10 * start - _ROUNDING) / 10
            last = end if end == self.high else floor(10 * end + _ROUNDING) / 10
            if first > last:
                continue
            if shown and start - before < _WIDE:
                first = shown.pop()[0]
            shown.append((first, last))
            before = end
        return tuple(shown)

    def largest(self, action: str, hand: str) -> str:
        """The largest stack as charts print it: `7.1`, `7.1*` with a footnote, `20+` at the end, `-` for never."""
        shown = self.in_print(action, hand)
        if not shown:
            return "-"
        end = shown[-1][1]
        return (f"{end:g}+" if end == self.high else f"{end:.1f}") + ("*" if len(shown) > 1 else "")

    def footnotes(self, action: str) -> list[str]:
        """A line for each hand with a gap, and the hands with narrow gaps."""
        lines = []
        narrow = []
        for hand, played in self.intervals(action).items():
            shown = self.in_print(action, hand)
            if len(played) > len(shown):
                narrow.append(hand)
            if len(shown) > 1:
                parts = [_range(interval, self.low) for interval in shown]
                lines.append(f"* {hand} {' and '.join(parts)}")
        if narrow:
            lines += wrap(f"narrower gaps, not shown: {', '.join(narrow)}", LINE)
        return lines

    def text(self) -> str:
        """Both grids with their footnotes, for 80 columns."""
        parts = []
        for action in ACTIONS:
            lines = [self.heading(action), ""]
            for row in GRID:
                lines.append(" ".join(f"{hand:<5}" for hand in row).rstrip())
                lines.append(" ".join(f"{self.largest(action, hand):<5}" for hand in row).rstrip())
            parts.append("\n".join([*lines, "", *self.footnotes(action)]).rstrip())
        return "\n\n".join(parts) + "\n"

    @property
    def title(self) -> str:
        """What the chart is of, for a picture."""
        ante = f", ante {self.ante:g}" if self.ante else ""
        stacks = f"stacks of {self.low:g} to {self.high:g} big blinds each{ante}"
        return f"Jam or fold before the flop, heads-up no-limit hold'em, {stacks}"

    def heading(self, action: str) -> str:
        ante = f", ante {self.ante:g}" if self.ante else ""
        return f"The {PLAYERS[action]} {action}s up to this stack, in big blinds{ante}"

    def bands(self) -> list[float]:
        """Where the colours of stacks change; the last is the end of the chart."""
        return [edge for edge in _BANDS if self.low < edge < self.high] + [self.high]

    def band(self, action: str, hand: str) -> int | None:
        """Which of the bands the largest stack of a hand is in; the last one is for the end of the chart."""
        shown = self.in_print(action, hand)
        if not shown:
            return None
        end = shown[-1][1]
        return len(self.bands()) if end == self.high else sum(end >= edge for edge in self.bands())

    def to_json(self) -> dict[str, Any]:
        """All intervals, as JSON holds them."""
        return {
            "from": self.low,
            "to": self.high,
            "step": self.step,
            "ante": self.ante,
            "unit": "big blinds",
            "stacks_solved": self.solved,
            **{
                action: {
                    hand: [list(part) for part in parts] for hand, parts in self.intervals(action).items()
                }
                for action in ACTIONS
            },
        }

    def save_csv(self, path: str | Path) -> None:
        """One line a hand: the largest stacks, and all intervals as `1-2.38 5.08-7.16`."""
        with replacing_file(Path(path)) as new, new.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["hand", "jam_up_to", "call_up_to", "jam_stacks", "call_stacks"])
            for hand in HANDS:
                played = [self.intervals(action)[hand] for action in ACTIONS]
                ends = [self._end(parts) for parts in played]
                rows.writerow(
                    [hand, *ends, *(" ".join(f"{a:g}-{b:g}" for a, b in parts) for parts in played)]
                )

    def save(self, folder: str | Path, content: Mapping[str, Any] | None = None) -> None:
        """Write the chart to a folder as a table with a manifest, a picture and a result.

        `content` is what result.json says, if it is to say more than `to_json`.
        """
        with saving(Path(folder)) as new:
            with new.file(CSV) as path:
                self.save_csv(path)
            with new.beside(PICTURE) as path:
                self.plot(path)
            with new.beside(RESULT) as path:
                write_json(path, dict(content or self.to_json()))
            about = {"stacks_solved": self.solved}
            new.commit(KIND, low=self.low, high=self.high, step=self.step, ante=self.ante, about=about)

    def _end(self, parts: Sequence[Interval]) -> str:
        if not parts:
            return "0"
        return f"{parts[-1][1]:g}{'+' if parts[-1][1] == self.high else ''}"

    def plot(self, path: str | Path) -> None:
        """Two grids with the largest stack in each cell, to a .png, .svg or .pdf file."""
        grids = []
        edges = [f"{edge:g}" for edge in self.bands()]
        names = [
            f"below {edges[0]}",
            *(f"{a} to {b}" for a, b in pairwise(edges)),
            f"{edges[-1]}+",
        ]
        for action, full in zip(ACTIONS, (RAISE, CALLED), strict=True):
            colours = blend(_SHORT, full, len(names))
            cells = {}
            for hand in HANDS:
                band = self.band(action, hand)
                colour = _NEVER if band is None else colours[band]
                cells[hand] = Cell(self.largest(action, hand), ((colour, 1.0),))
            keys = dict(zip(names, colours, strict=True))
            grids.append(Grid(self.heading(action), cells, keys, self.footnotes(action)))
        draw_grids(Path(path), self.title, grids)


def blend(start: str, end: str, count: int) -> list[str]:
    """Colours from one to another, in equal steps."""
    one, other = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (start, end))
    shares = [step / max(count - 1, 1) for step in range(count)]
    return [
        "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(one, other, strict=True))
        for share in shares
    ]


def _range(interval: Interval, low: float) -> str:
    start, end = interval
    return f"up to {end:.1f}" if start == low else f"from {start:.1f} to {end:.1f}"


def chart(
    low: Given = 1,
    high: Given = 20,
    step: Given = Fraction(1, 20),
    ante: Given = 0,
    progress: Callable[[float], None] = lambda share: None,
    say: Callable[[str], None] = lambda line: None,
) -> Chart:
    """The chart from one stack to another; `progress` is told the share that is done, `say` what a long one takes.

    Gaps and intervals that are narrower than the step may be missed.
    """
    named = {"low": low, "high": high, "step": step, "ante": ante}
    first, last, width, forced = (chips_of(name, given) for name, given in named.items())
    _check(first, last, width)
    require_ante(forced, first, "the chart's shortest stack")
    solver = Solver()
    known: dict[Fraction, Plays] = {}

    def plays(stack: Fraction) -> Plays:
        found = solver(matrix_game_of(Hand((stack, stack), Fraction(1, 2), Fraction(1), forced)))
        return np.concatenate([found.jam, found.answer[CALL]]) >= 0.5

    _say_cost(list(_grid(first, last, width)), plays, say)
    before: Fraction | None = None
    for stack in _grid(first, last, width):
        known[stack] = plays(stack)
        if before is not None:
            _refine(before, stack, known, plays)
        before = stack
        progress(float((stack - first) / max(last - first, FINEST)))
    stacks = sorted(known)
    played = np.array([known[stack] for stack in stacks])
    ends = [float(stack) for stack in stacks]
    return Chart(
        low=float(first),
        high=float(last),
        step=float(width),
        ante=float(forced),
        jam={hand: _intervals(played[:, i], ends) for i, hand in enumerate(HANDS)},
        call={hand: _intervals(played[:, CLASSES + i], ends) for i, hand in enumerate(HANDS)},
        solved=len(stacks),
    )


def _say_cost(
    stacks: Sequence[Fraction], plays: Callable[[Fraction], Plays], say: Callable[[str], None]
) -> None:
    """Say how long a chart of many stacks takes, by a few of them in the middle of it."""
    if len(stacks) <= FEW_STACKS:
        return
    middle = len(stacks) // 2
    plays(stacks[middle])
    began = time.perf_counter()
    for stack in stacks[middle + 1 : middle + 1 + SAMPLE]:
        plays(stack)
    spent = (time.perf_counter() - began) / SAMPLE
    seconds = BETWEEN * len(stacks) * spent
    say(f"estimate: {len(stacks):,} stacks, and between them where they differ, about {duration(seconds)}")


def _check(low: Fraction, high: Fraction, step: Fraction) -> None:
    if low <= 0:
        raise ErraiError(f"a chart must begin at more than 0 big blinds, not at {float(low):g}")
    if high < low:
        raise ErraiError(
            f"a chart from {float(low):g} to {float(high):g} big blinds: it must end above its begin"
        )
    if high > DEEPEST:
        raise ErraiError(f"a chart must end at {DEEPEST:,} big blinds or less, not at {float(high):g}")
    if step < FINEST:
        raise ErraiError(
            f"the step of a chart must be {float(FINEST):g} big blinds or more, not {float(step):g}"
        )
    if (high - low) / step > MOST_STACKS:
        raise ErraiError(
            f"a chart of {int((high - low) / step):,} stacks: at most {MOST_STACKS:,} are solved; take a larger step"
        )


def _grid(low: Fraction, high: Fraction, step: Fraction) -> Iterator[Fraction]:
    """Multiples of the step, and both ends."""
    yield low
    stack = (low // step + 1) * step
    while stack < high:
        yield stack
        stack += step
    if high > low:
        yield high


def _refine(
    low: Fraction, high: Fraction, known: dict[Fraction, Plays], plays: Callable[[Fraction], Plays]
) -> None:
    """Solve stacks between two that differ, until neighbours are alike or a hundredth apart."""
    if np.array_equal(known[low], known[high]):
        return
    middle = (low + high) / 2 // FINEST * FINEST
    if not low < middle < high:
        return
    known[middle] = plays(middle)
    _refine(low, middle, known, plays)
    _refine(middle, high, known, plays)


def _intervals(played: Plays, stacks: Sequence[float]) -> tuple[Interval, ...]:
    """The first and the last stack of every run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], played, [False]]).astype(np.int8)))
    return tuple((stacks[a], stacks[b - 1]) for a, b in zip(edges[::2], edges[1::2], strict=True))
