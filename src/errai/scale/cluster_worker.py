"""A worker of a cluster: a process of its own that works on subgames whose chunks are on the disk of its machine.

Nothing of Ray is known here. A worker builds the division from the spot, with one thread to compute and the store's
own to read and write. It may be killed at any moment: chunks are written whole or not at all, and a subgame that has
been through a pass gives the values that it gave.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from errai.engine.memory import available_memory
from errai.errors import ErraiError
from errai.files.writing import make_folder
from errai.games.spot import Spot
from errai.scale.chunk import chunk_path
from errai.scale.codes import Grids
from errai.scale.division import divide
from errai.scale.stores import (
    SEATS,
    DiskStore,
    Values,
    needed_by_pass,
    needed_to_read,
    pass_of,
    remove_left_behind,
)
from errai.scale.worker import Numbers, Order, SubgameWorker


@dataclass(frozen=True)
class Setup:
    """All that a worker must know to be of use."""

    spot: Spot
    isomorphism: bool
    flops: tuple[tuple[int, ...], ...] | None
    grids: Grids
    run: int  # the fingerprint that the division must have
    folder: Path  # of the chunks, on the worker's machine
    layouts: int  # bytes of layouts to keep
    room: int = 0  # bytes of subgames that stay in memory as well


@dataclass(frozen=True)
class Report:
    """What a worker has moved since it began, and the seconds that its last task took."""

    seconds: float
    read: int
    written: int
    numbers: int


@dataclass(frozen=True)
class Machine:
    """Where a process runs, and what there is to be had."""

    name: str
    pid: int
    memory: int  # bytes available
    disk: int  # bytes free


class ClusterWorker:
    """One process. `prepare` comes first; the methods are called one at a time."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def prepare(self) -> Machine:
        """Build the division; refuse to work on another one than the driver's."""
        import numba

        numba.set_num_threads(1)
        setup = self._setup
        self._division = divide(setup.spot, setup.isomorphism, setup.flops)
        self._division.keep_layouts(setup.layouts)
        if self._division.fingerprint() != setup.run:
            raise ErraiError(
                f"{socket.gethostname()} orders hands and boards in another way: "
                "install the same version of Errai on all machines of the cluster"
            )
        self._store = DiskStore(make_folder(setup.folder), setup.grids, setup.run, room=setup.room)
        self._worker = SubgameWorker(self._division, self._store)
        return machine(setup.folder)

    def survey(self) -> dict[int, int]:
        """Subgame -> the last pass of its chunks here. Removes what killed workers left: nobody may be writing."""
        folder, found = self._setup.folder, dict[int, int]()
        remove_left_behind(folder)
        for subgame in self._division.subgames:
            for seat in SEATS:
                passes = pass_of(folder, self._setup.run, subgame.number, seat)
                found[subgame.number] = max(found.get(subgame.number, 0), passes)
        return {number: passes for number, passes in found.items() if passes}

    def update(
        self, number: int, order: Order, reach: Numbers, following: int | None
    ) -> tuple[Values, Report]:
        """A pass over a subgame; the `following` one is read meanwhile."""
        began = time.perf_counter()
        subgames = self._division.subgames
        if following is not None:
            self._store.expect(subgames[following], needed_by_pass(order.player))
        values = self._worker.update(subgames[number], order, reach)
        return values, self._report(began)

    def evaluate(
        self, number: int, average: bool, reach: list[Numbers], following: int | None
    ) -> tuple[list[Numbers], Report]:
        """The passes of an evaluation over a subgame."""
        began = time.perf_counter()
        subgames = self._division.subgames
        if following is not None:
            self._store.expect(subgames[following], needed_to_read(average))
        values = self._worker.evaluate(subgames[number], reach, average)
        return values, self._report(began)

    def flush(self) -> Report:
        """Wait until all that was written is on the disk; raises what went wrong."""
        began = time.perf_counter()
        self._store.flush()
        return self._report(began)

    def fetch(self, number: int, seat: int) -> bytes | None:
        """A chunk as it is on the disk."""
        path = chunk_path(self._setup.folder, number, seat)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None

    def _report(self, began: float) -> Report:
        moved = self._store.traffic
        return Report(time.perf_counter() - began, moved.read, moved.written, moved.numbers)


def machine(folder: Path) -> Machine:
    """This process and its machine; the disk is that of the folder, or of the nearest one above that exists."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    return Machine(socket.gethostname(), os.getpid(), available_memory(), shutil.disk_usage(there).free)


def owned(values: Numbers) -> Numbers:
    """An array of this process: what comes out of Ray may not be written to, which is another type to kernels."""
    return np.array(values)
