"""Who is told that kernels are being compiled, which takes a while the first time.

    compiling.tell = print_a_line           called once in a process, when compiling has taken longer than LONG

Numba says when it begins and when it has done; kernels that come from the cache are not compiled. Whoever wants to be
told need not load Numba for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Timer
from typing import Any

LONG = 1.0  # seconds


def nobody() -> None:
    """Tell nobody."""


tell: Callable[[], None] = nobody


class Watch:
    """Adds up the time that is spent compiling; compiling one kernel may begin with others that it calls."""

    def __init__(self) -> None:
        self._depth, self._began, self._spent, self._told = 0, 0.0, 0.0, False
        self._timer: Timer | None = None

    def start(self, event: Any = None) -> None:
        self._depth += 1
        if self._depth == 1 and not self._told:
            self._began = time.perf_counter()
            self._timer = Timer(max(0.0, LONG - self._spent), self._tell)
            self._timer.daemon = True
            self._timer.start()

    def end(self, event: Any = None) -> None:
        self._depth -= 1
        if self._depth == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._spent += time.perf_counter() - self._began

    def _tell(self) -> None:
        self._told = True
        tell()


def watch() -> None:
    """Begin to listen to Numba."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def __init__(self) -> None:
            self._watch = Watch()

        def on_start(self, event: Any) -> None:
            self._watch.start()

        def on_end(self, event: Any) -> None:
            self._watch.end()

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]
