"""Who works on the subgames of a pass: threads of this process here, workers of a cluster in errai.scale.cluster.

    for subgame, values in crew.update(order, reach):       in any order
        ...

`reach` tells what enters a subgame. A crew asks for it when the subgame is begun, so little of it exists at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Protocol, TypeVar

from errai.scale.division import Division, Subgame
from errai.scale.stores import Need, SubgameStore, Traffic, Values, needed_by_pass, needed_to_read
from errai.scale.worker import Numbers, Order, SubgameWorker

Found = TypeVar("Found")


class Crew(Protocol):
    """Works on all subgames of a division."""

    def update(self, order: Order, reach: Callable[[Subgame], Numbers]) -> Iterator[tuple[Subgame, Values]]:
        """A pass: the values of every subgame. What was changed is safe when the last one is out."""

    def evaluate(
        self, average: bool, reach: Callable[[Subgame], list[Numbers]]
    ) -> Iterator[tuple[Subgame, list[Numbers]]]:
        """The values of the passes of an evaluation, of every subgame."""

    def traffic(self) -> Traffic:
        """What has been moved from and to disks."""

    def save(self, folder: Path, passes: int) -> None:
        """All chunks in another folder."""

    def close(self) -> None:
        """End threads and workers."""


class LocalCrew:
    """Threads of this process, which take subgames one after the other."""

    def __init__(self, division: Division, store: SubgameStore, threads: int) -> None:
        self.division, self.store = division, store
        self.threads = max(1, min(threads, len(division.subgames), 4 * (os.cpu_count() or 1)))
        self._worker = SubgameWorker(division, store)
        self._pool = ThreadPoolExecutor(self.threads, "errai")

    def update(self, order: Order, reach: Callable[[Subgame], Numbers]) -> Iterator[tuple[Subgame, Values]]:
        def work(subgame: Subgame) -> Values:
            return self._worker.update(subgame, order, reach(subgame))

        yield from self._share(work, needed_by_pass(order.player))
        self.store.flush()

    def evaluate(
        self, average: bool, reach: Callable[[Subgame], list[Numbers]]
    ) -> Iterator[tuple[Subgame, list[Numbers]]]:
        def work(subgame: Subgame) -> list[Numbers]:
            return self._worker.evaluate(subgame, reach(subgame), average)

        yield from self._share(work, needed_to_read(average))
        self.store.flush()

    def traffic(self) -> Traffic:
        return self.store.traffic

    def save(self, folder: Path, passes: int) -> None:
        for subgame in self.division.subgames:
            self.store.save(subgame, self.division.layout(subgame), folder, passes)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self.store.close()

    def _share(self, work: Callable[[Subgame], Found], need: Need) -> Iterator[tuple[Subgame, Found]]:
        """The work of all subgames. One more than there are threads is in hand, and the next ones are read ahead."""
        waiting = iter(self.division.subgames)
        running: dict[Future[Found], Subgame] = {}
        following: Sequence[Any] = self.division.subgames
        try:
            while True:
                for subgame in waiting:
                    if subgame.number + 1 < len(following):
                        self.store.expect(following[subgame.number + 1], need)
                    running[self._pool.submit(work, subgame)] = subgame
                    if len(running) > self.threads:
                        break
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    subgame = running.pop(done)
                    yield subgame, done.result()
        finally:
            for left in running:
                left.cancel()
            wait(running)
