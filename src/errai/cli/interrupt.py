"""Ctrl-C as a wish to stop.

The first Ctrl-C (or SIGTERM) is remembered, and the solver ends after the iteration that it is in. The second
one ends the program at once.
"""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any


class Interrupt:
    """While it is entered, signals become wishes. Call it to ask whether there was one."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.wished = False
        self._before: dict[signal.Signals, Any] = {}

    def __call__(self) -> bool:
        return self.wished

    def __enter__(self) -> Interrupt:
        self._before = {number: signal.signal(number, self._wish) for number in self.SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _wish(self, number: int, frame: FrameType | None) -> None:
        self.wished = True
        for other in self.SIGNALS:
            signal.signal(other, signal.SIG_DFL)
