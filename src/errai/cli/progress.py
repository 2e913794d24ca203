"""Progress of a solution on standard error: one live line on a terminal, plain lines elsewhere.

The time that is left is that of the iterations that are left, or what the trend needs to reach the target.
Exploitability falls about like a power of the iterations, a straight line in logarithms, which is fitted to
the latest measurements.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from errai.cli.output import duration, figure

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from errai.engine.loop import Point, Report
    from errai.engine.memory import Memory

PLAIN_INTERVAL = 2.0  # seconds between plain lines
WORTH_SAYING = 3.0  # seconds; loading kernels from the cache takes less
TREND = 3.0  # the trend is that of the last two thirds of the iterations


def iterations_to(history: Sequence[Point], target: float) -> float | None:
    """After how many iterations the trend reaches the target; None where there is no falling trend."""
    if not history or history[-1].exploitability_mbb <= target:
        return float(history[-1].iteration) if history else None
    recent = [
        (math.log(point.iteration), math.log(point.exploitability_mbb))
        for point in history
        if point.iteration * TREND >= history[-1].iteration > 0 and point.exploitability_mbb > 0
    ]
    if len(recent) < 3:
        return None
    n = len(recent)
    x0, y0 = sum(x for x, _ in recent) / n, sum(y for _, y in recent) / n
    spread = sum((x - x0) ** 2 for x, _ in recent)
    slope = sum((x - x0) * (y - y0) for x, y in recent) / spread if spread else 0.0
    if slope > -0.05:
        return None
    x, y = recent[-1]
    exponent = x + (math.log(target) - y) / slope
    return math.exp(exponent) if exponent < 50 else None


def remaining(report: Report, seconds: float | None) -> float | None:
    """Seconds until the first of the limits is met, as far as can be told."""
    left = []
    if seconds is not None:
        left.append(seconds - report.seconds)
    if report.iteration and report.seconds:
        pace = report.seconds / report.iteration
        ends = [] if report.iterations is None else [float(report.iterations)]
        if report.target is not None:
            reached = iterations_to(report.history, report.target)
            ends += [] if reached is None else [reached]
        left += [(end - report.iteration) * pace for end in ends]
    return max(min(left), 0.0) if left else None


def describe(report: Report, left: float | None, unit: str = "mbb/g") -> str:
    """iteration 120 of 500   3.21 mbb/g (target 1)   12.1 s   about 21 s left"""
    planned = f" of {report.iterations:,}" if report.iterations is not None else ""
    parts = [f"iteration {report.iteration:,}{planned}"]
    if report.latest is not None:
        target = f" (target {report.target:g})" if report.target is not None else ""
        parts.append(f"{figure(report.latest.exploitability_mbb)} {unit}{target}")
    parts.append(duration(report.seconds))
    if left:
        coarse = f"{math.ceil(left)} s" if left < 60 else duration(left)
        parts.append(f"about {coarse} left")
    return "   ".join(parts)


class ProgressLine:
    """Is told reports by a solver. Enter it to show them live; on what is no terminal it writes lines."""

    def __init__(
        self,
        seconds: float | None,
        stopping: Callable[[], bool],
        stream: TextIO | None = None,
        unit: str = "mbb/g",
    ) -> None:
        self._seconds = seconds
        self._stopping = stopping
        self._stream = stream or sys.stderr
        self._unit = unit
        self._words = "preparing ..."
        self._told = time.perf_counter()
        self._report: Report | None = None
        self._heard = time.perf_counter()
        self._written: tuple[int, float] | None = None  # iteration and seconds of the last plain line
        self._live: Live | None = None

    def announce(self, memory: Memory) -> None:
        """The memory estimate, before anything large is allocated."""
        self.say(f"memory: {memory}")

    def say(self, line: str) -> None:
        """A line that stays, above the live one."""
        if self._live is not None:
            self._live.console.print(line, soft_wrap=True)
        else:
            print(line, file=self._stream, flush=True)

    def tell(self, words: str) -> None:
        """What is being done where there are no iterations to report."""
        self.show(words)
        now = time.perf_counter()
        if self._live is None and now - self._told >= PLAIN_INTERVAL:
            self._told = now
            self.say(words)

    def show(self, words: str) -> None:
        """What the live line says, if there is one."""
        self._words = words

    @property
    def live(self) -> bool:
        """Whether it is shown on a terminal."""
        return self._live is not None

    def __enter__(self) -> ProgressLine:
        if self._stream.isatty():
            self._live = self._live_line()
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, report: Report) -> None:
        now = time.perf_counter()
        if self._report is not None and self._report.compiling and now - self._heard > WORTH_SAYING:
            self.say(f"kernels compiled in {duration(now - self._heard)}; from now on they are cached")
        self._report, self._heard = report, now
        if self._live is None:
            self._write_line(report)

    def _live_line(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        console = Console(file=self._stream, highlight=False, markup=False, emoji=False)
        return Live(get_renderable=self._text, console=console, transient=True, refresh_per_second=5)

    def _text(self) -> Text:
        from rich.text import Text

        report = self._report
        if report is None:
            return Text(self._words, no_wrap=True, overflow="ellipsis")
        if self._stopping():
            return Text("stopping after this iteration; Ctrl-C again stops at once")
        if report.compiling:
            waited = duration(time.perf_counter() - self._heard)
            return Text(f"preparing kernels   {waited}   (the first time they are compiled: half a minute)")
        # Between two reports the clock goes on, so that a long iteration does not look dead.
        silent = time.perf_counter() - self._heard
        left = remaining(report, self._seconds)
        now = replace(report, seconds=report.seconds + silent)
        line = describe(now, left if left is None else max(left - silent, 0.0), self._unit)
        return Text(line, no_wrap=True, overflow="ellipsis")

    def _write_line(self, report: Report) -> None:
        """A line for a measurement, when the last line is not too recent."""
        if report.latest is None or report.latest.iteration != report.iteration:
            return
        if self._written is not None:
            iteration, seconds = self._written
            if iteration == report.iteration or report.seconds - seconds < PLAIN_INTERVAL:
                return
        self._written = report.iteration, report.seconds
        self.say(describe(report, remaining(report, self._seconds), self._unit))


@contextmanager
def working(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A live line for work without iterations; call it with what is being done."""
    if quiet:
        yield lambda words: None
        return
    with ProgressLine(None, lambda: False) as line:
        yield line.tell
