"""The monitor of the command line: progress on standard error, and Ctrl-C.

On a terminal there is one live line, elsewhere plain lines now and then. The first Ctrl-C (or SIGTERM) stops the run
at the next good moment, with what has been done saved; the second ends the program at once.

That kernels are being compiled, which takes a while the first time, is said by every command, also by those that show
no progress.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

from errai.cli.shown import console
from errai.formatting import duration
from errai.kernels import compiling
from errai.runs.monitor import Monitor, Progress

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

PLAIN_INTERVAL = 2.0  # seconds between plain lines
SPARSE = 0.1  # and this share of the time that has passed
WORTH_SAYING = 3.0  # seconds; loading kernels from the cache takes less
COMPILING = "preparing kernels: the first time they are compiled, which takes up to half a minute"
STOPPING = "stopping at the next good moment; Ctrl-C again stops at once"
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Terminal(Monitor):
    """Shows progress while it is entered, unless it is quiet, and takes Ctrl-C for a request to stop."""

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self._quiet = quiet
        self._stream = stream or sys.stderr
        self._stop = False
        self._progress = Progress("preparing ...")
        self._heard = self._began = time.perf_counter()
        self._written = (self._began, self._progress.mark, "")  # clock, mark and event of the last plain line
        self._live: Live | None = None
        self._handlers: dict[signal.Signals, Any] = {}
        self._told = compiling.tell

    def __enter__(self) -> Terminal:
        self._told, compiling.tell = compiling.tell, self._on_compiling
        self._handlers = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        if not self._quiet and self._stream.isatty():
            self._live = self._live_line()
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        compiling.tell = self._told
        if self._live is not None:
            self._live.stop()
            self._live = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def should_stop(self) -> bool:
        return self._stop

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stop = True
        for other in SIGNALS:
            signal.signal(other, signal.SIG_DFL)

    def _on_compiling(self) -> None:
        if self._live is None or not self._progress.compiling:  # otherwise the live line says so
            self.say(COMPILING)

    def say(self, line: str) -> None:
        if not self._quiet:
            self._print(line)

    def warn(self, line: str) -> None:
        self._print(f"errai: warning: {line}")

    def _print(self, line: str) -> None:
        """A line that stays, above the live one."""
        if self._live is not None:
            self._live.console.print(line, soft_wrap=True)
        else:
            print(line, file=self._stream, flush=True)

    def report(self, progress: Progress) -> None:
        now = time.perf_counter()
        if self._progress.compiling and not progress.compiling and now - self._heard > WORTH_SAYING:
            self.say(f"kernels compiled in {duration(now - self._heard)}; from now on they are cached")
        self._progress, self._heard = progress, now
        if self._live is None and self._is_due(progress, now):
            self._written = (now, progress.mark, progress.event)
            self.say(str(progress))

    def _is_due(self, progress: Progress, now: float) -> bool:
        """Whether there is something new for a plain line: an event, or a mark when the last line is old enough."""
        written, mark, event = self._written
        if progress.compiling:  # which is said when it takes long
            self._written = (written, progress.mark, event)
            return False
        if progress.event and progress.event != event:
            return True
        rested = now - written >= max(PLAIN_INTERVAL, SPARSE * (now - self._began))
        return progress.mark != mark and rested

    def _live_line(self) -> Live:
        from rich.live import Live

        return Live(
            get_renderable=self._text, console=console(self._stream), transient=True, refresh_per_second=5
        )

    def _text(self) -> Text:
        from rich.text import Text

        # Between two reports the clock goes on, so that a long iteration does not look dead.
        words = STOPPING if self._stop else self._progress.after(time.perf_counter() - self._heard)
        return Text(words, no_wrap=True, overflow="ellipsis")


def say_when_compiling(stream: TextIO | None = None) -> None:
    """Have it said on standard error, wherever no terminal says it."""
    compiling.tell = lambda: print(COMPILING, file=stream or sys.stderr, flush=True)


@contextmanager
def working(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A terminal for work that is told in words; call it with what is being done."""
    with Terminal(quiet) as terminal:
        yield terminal.step
