"""Who is told how a long run goes, and may stop it.

    class Mine(errai.Monitor):
        def report(self, progress):
            print(progress)

    errai.solve("leduc", monitor=Mine())

The monitor itself is silent and never stops anything; override what you need. Reports come a few times a second from
the thread that runs; `should_stop` may be called from several threads.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from errai.formatting import duration

PREPARING = "preparing kernels"


@dataclass(frozen=True)
class Progress:
    """How far a run has come; its text is one line for people. Kinds of runs add their own numbers."""

    doing: str = ""

    @property
    def mark(self) -> object:
        """Changes when there is something new to say, which may wait until the last line is not too recent."""
        return self.doing

    @property
    def event(self) -> str:
        """Changes when something has happened that deserves a line at once; empty while nothing has."""
        return ""

    @property
    def compiling(self) -> bool:
        """Whether kernels are being compiled or loaded, which takes a while the first time."""
        return self.doing == PREPARING

    def after(self, waited: float) -> str:
        """The line when so many seconds have passed since the report, so that a long step does not look dead."""
        if self.compiling:
            clock = f"   {duration(waited)}" if waited else ""
            return f"{self.doing}{clock}   (the first time they are compiled: half a minute)"
        return self.line(waited)

    def line(self, waited: float) -> str:
        """The same, when no kernels are being compiled."""
        return self.doing

    def __str__(self) -> str:
        return self.after(0.0)


class Monitor:
    """Is told how a run goes, and says whether it should stop. This one is silent and lets it run."""

    def report(self, progress: Progress) -> None:
        """How far the run has come; often, so be quick."""

    def say(self, line: str) -> None:
        """A line worth keeping, such as the memory that will be used; a few in a run."""

    def warn(self, line: str) -> None:
        """Something went wrong, and the run goes on."""
        warnings.warn(line, RuntimeWarning, stacklevel=2)

    def should_stop(self) -> bool:
        """Whether to stop at the next good moment; what has been done is saved."""
        return False

    def step(self, words: str) -> None:
        """Report in words what is being done."""
        self.report(Progress(words))


class Part(Monitor):
    """The monitor of a part of a run: what it reports begins with the name of the part."""

    def __init__(self, whole: Monitor, name: str) -> None:
        self._whole, self._name = whole, name

    def report(self, progress: Progress) -> None:
        self._whole.step(f"{self._name}: {progress}")

    def say(self, line: str) -> None:
        self._whole.say(line)

    def warn(self, line: str) -> None:
        self._whole.warn(line)

    def should_stop(self) -> bool:
        return self._whole.should_stop()


SILENT = Monitor()
