"""When the next checkpoint is due: after a minute, and so rarely that saving takes less than 2% of the time."""

from __future__ import annotations

import time
from collections.abc import Callable

EVERY = 60.0  # seconds of work that may be lost
SHARE = 50.0  # a checkpoint that takes a second is followed by so many seconds of work


class Schedule:
    """Counts from its creation, and from the end of each save. `every` is None when nothing is due on the way."""

    def __init__(self, every: float | None = EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self._every, self._clock = every, clock
        self._latest, self._wait = clock(), every or 0.0

    @property
    def due(self) -> bool:
        """Whether it is time to save."""
        return self._every is not None and self._clock() - self._latest >= self._wait

    def save(self, save: Callable[[], None]) -> None:
        """Save, and look at how long it takes, whether it works or not."""
        began = self._clock()
        try:
            save()
        finally:
            self._latest = self._clock()
            self._wait = max(self._every or 0.0, SHARE * (self._latest - began))
