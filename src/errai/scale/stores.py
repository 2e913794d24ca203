"""Where the numbers of subgames are kept: in memory as codes, or in compressed chunks on a disk.

    with store.lease(subgame, layout, player, number) as lease:     for a pass that updates a player
        lease.done                                  the values, if the subgame has been through this pass already
        lease.weights                               for the kernels
        lease.keep(values)                          what the pass has changed is to be kept
    store.reading(subgame, layout, average)         what is played, for best responses and queries

Both stores hold the same codes, so a solution has the same bits in either.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import BoundedSemaphore, Lock, local
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import Weights
from errai.engine.layout import Layout
from errai.errors import ErraiError
from errai.files.writing import explained, folder_to_disk, temporary
from errai.runs.contents import LEFT_BEHIND
from errai.scale.chunk import (
    AVERAGE,
    REGRET,
    SECTIONS,
    VALUES,
    Chunk,
    Draft,
    announce_chunk,
    chunk_path,
    draft_chunk,
    place_chunk,
    read_chunk,
    write_chunk,
)
from errai.scale.codes import Codes, Grids, Room, code_bytes, new_weights, packed, unpack_into
from errai.scale.division import Subgame

Values = NDArray[np.float32]
SEATS = (0, 1)
WAITING = 4  # chunks that may wait to be written
Need = tuple[range, range]  # sections of the chunks of both seats
WHOLE, REGRETS = range(REGRET, SECTIONS), range(REGRET, AVERAGE)


@dataclass
class Lease:
    """The numbers of a subgame for one pass."""

    weights: Weights
    done: Values | None = None
    kept: Values | None = None

    def keep(self, values: Values) -> None:
        """The pass has been through: its values, flat."""
        self.kept = values


@dataclass
class Traffic:
    """What a store has moved so far."""

    read: int = 0  # bytes
    written: int = 0
    numbers: int = 0  # that were written
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add(self, read: int = 0, written: int = 0, numbers: int = 0) -> None:
        with self._lock:
            self.read += read
            self.written += written
            self.numbers += numbers

    @property
    def compression(self) -> float:
        """What the numbers would take as 32-bit floats, over what they took."""
        return 4 * self.numbers / self.written if self.written else 1.0


class Place(NamedTuple):
    """Where a chunk belongs."""

    path: Path
    run: int
    subgame: int
    seat: int


class SubgameStore(Protocol):
    """Leases the numbers of one subgame at a time to each thread."""

    traffic: Traffic

    def lease(
        self, subgame: Subgame, layout: Layout, player: int, number: int
    ) -> AbstractContextManager[Lease]:
        """For pass `number` (from 1), which updates a player."""

    def reading(self, subgame: Subgame, layout: Layout, average: bool) -> Codes:
        """The average or the regrets of both seats, not to be changed, nor used after this thread's next call."""

    def expect(self, subgame: Subgame, need: Need) -> None:
        """Parts of a subgame will be wanted soon."""

    def flush(self) -> None:
        """Wait until all that was kept is safe; raises what went wrong."""

    def save(self, subgame: Subgame, layout: Layout, folder: Path, passes: int) -> None:
        """The chunks of a subgame in another folder."""

    def close(self) -> None:
        """End what works in the background."""


class MemoryStore:
    """All subgames as they are."""

    def __init__(self, grids: Grids, run: int) -> None:
        self.traffic = Traffic()
        self._grids, self._run = grids, run
        self._held: dict[int, Weights] = {}
        self._rooms = local()

    @contextmanager
    def lease(self, subgame: Subgame, layout: Layout, player: int, number: int) -> Iterator[Lease]:
        yield Lease(self._weights(subgame, layout))

    def reading(self, subgame: Subgame, layout: Layout, average: bool) -> Codes:
        weights = self._weights(subgame, layout)
        codes = weights.average if average else weights.regret
        assert codes is not None
        return codes

    def expect(self, subgame: Subgame, need: Need) -> None:
        """It is here."""

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing works."""

    def save(self, subgame: Subgame, layout: Layout, folder: Path, passes: int) -> None:
        weights = self._weights(subgame, layout)
        nothing, room = np.zeros(0, np.float32), Room()
        for seat in SEATS:
            number = last_pass(passes, seat)
            if number:
                where = Place(chunk_path(folder, subgame.number, seat), self._run, subgame.number, seat)
                chunk, _ = made_chunk(where, layout, number, weights, self._grids, nothing, room)
                write_chunk(chunk, durable=False)

    def restore(self, subgame: Subgame, layout: Layout, folder: Path, passes: int) -> None:
        """Take a subgame from the chunks that `save` wrote."""
        weights, room = self._weights(subgame, layout), Room()
        for seat in SEATS:
            path = chunk_path(folder, subgame.number, seat)
            chunk = read_chunk(path, self._run, subgame.number, seat)
            require_pass(path, chunk, last_pass(passes, seat))
            unpack_chunk(layout, seat, chunk, weights, room)

    def _weights(self, subgame: Subgame, layout: Layout) -> Weights:
        if subgame.number not in self._held:
            self._held[subgame.number] = new_weights(layout, self._grids)
        return self._held[subgame.number]


class Held(NamedTuple):
    """A subgame that stays in memory as well, as a pass left it."""

    weights: Weights
    passes: int
    size: int  # bytes; 0 if it is in a buffer that others use, too


class DiskStore:
    """Chunks in a folder: announced ahead of the pass, on their way to the disk behind it.

    A thread that takes a lease unpacks chunks into a buffer of its own. The pass of a player needs both seats'
    regrets and, if an average is kept, the other seat's; it changes that and the player's regrets. Subgames for which
    there is `room` in memory stay there, too: they are written in every pass and not read again.
    """

    def __init__(
        self,
        folder: Path,
        grids: Grids,
        run: int,
        durable: bool = True,
        passes: int | None = None,
        room: int = 0,
    ) -> None:
        """With `passes` the store is read only: its chunks are those of the first so many passes."""
        self.folder = folder
        self.traffic = Traffic()
        self.room = room  # bytes that are left
        self._held: dict[int, Held] = {}
        self._grids, self._run, self._durable, self._passes = grids, run, durable, passes
        self._rooms = local()
        self._reader = ThreadPoolExecutor(1, "errai-read")
        self._writer = ThreadPoolExecutor(2, "errai-write")
        self._waiting = BoundedSemaphore(WAITING)
        self._writing: list[Future[None]] = []
        self._renamed: set[Path] = set()  # folders of chunks whose names may not be on the disk yet
        self._lock = Lock()

    def expect(self, subgame: Subgame, need: Need) -> None:
        with self._lock:
            if subgame.number in self._held:
                return
        for seat in SEATS:
            self._reader.submit(announce_chunk, self._path(subgame, seat), need[seat])

    @contextmanager
    def lease(self, subgame: Subgame, layout: Layout, player: int, number: int) -> Iterator[Lease]:
        held = self._take(subgame)
        if held is not None and held.passes != number - 1:  # somebody else has worked on it
            self._forget(held)
            held = None
        if held is None:
            held = self._place(layout, number - 1)
            need = (WHOLE, WHOLE) if held.size else needed_by_pass(player)
            mine, other = (self._read(subgame, seat, need[seat]) for seat in (player, 1 - player))
            if mine is not None and mine.passes == number:
                self._forget(held)
                values = mine.numbers(VALUES, layout.root_numbers)
                yield Lease(Weights(np.zeros(0, self._grids.type)), done=values)
                return
            require_pass(self._path(subgame, player), mine, max(number - 2, 0))
            require_pass(self._path(subgame, 1 - player), other, number - 1)
            unpack_chunk(layout, player, mine, held.weights, self._room())
            if held.size:
                unpack_chunk(layout, 1 - player, other, held.weights, self._room())
            else:
                unpack_into(layout, 1 - player, other, REGRET, held.weights, self._room())
        lease = Lease(held.weights)
        try:
            yield lease
            if lease.kept is not None:
                self._keep(subgame, layout, player, Held(held.weights, number, held.size), lease.kept)
        except BaseException:
            self._forget(held)
            raise

    def _keep(self, subgame: Subgame, layout: Layout, player: int, held: Held, values: Values) -> None:
        """Write what a pass has left, and hold it if there is room. What takes time on a disk is left to others."""
        where = Place(self._path(subgame, player), self._run, subgame.number, player)
        chunk, numbers = made_chunk(
            where, layout, held.passes, held.weights, self._grids, values, self._room()
        )
        self._waiting.acquire()
        try:
            place = self._writer.submit(self._place_chunk, draft_chunk(chunk), numbers)
        except BaseException:
            self._waiting.release()
            raise
        with self._lock:
            self._writing = [
                waiting for waiting in self._writing if not waiting.done() or waiting.exception()
            ]
            self._writing.append(place)
            if held.size:
                self._held[subgame.number] = held

    def _latest(self, subgame: Subgame) -> int:
        """The last pass that a subgame has been through, by its chunks."""
        return max(pass_of(self.folder, self._run, subgame.number, seat) for seat in SEATS)

    def _take(self, subgame: Subgame) -> Held | None:
        """What is held of a subgame; nobody else has it until it is kept again."""
        with self._lock:
            return self._held.pop(subgame.number, None)

    def _place(self, layout: Layout, passes: int) -> Held:
        """Where a subgame is unpacked to: a place of its own while there is room in memory, or a buffer."""
        size = code_bytes(int(layout.boards.offset[-1]), self._grids)
        with self._lock:
            fits = size <= self.room
            self.room -= size if fits else 0
        if fits:
            return Held(new_weights(layout, self._grids), passes, size)
        return Held(self._room().weights(layout, self._grids), passes, 0)

    def _forget(self, held: Held) -> None:
        with self._lock:
            self.room += held.size

    def reading(self, subgame: Subgame, layout: Layout, average: bool) -> Codes:
        with self._lock:
            held = self._held.get(subgame.number)
        if held is not None and held.passes == self._latest(subgame):  # nobody else has worked on it since
            codes = held.weights.average if average else held.weights.regret
            assert codes is not None
            return codes
        weights, room = self._room().weights(layout, self._grids), self._room()
        need = needed_to_read(average)
        passes = self._passes
        for seat in SEATS:
            chunk = self._read(subgame, seat, need[seat])
            if passes is None:  # those of one iteration, whichever it is
                passes = 2 if chunk is None else chunk.passes
            require_pass(self._path(subgame, seat), chunk, last_pass(passes, seat))
            if average:
                unpack_into(layout, 1 - seat, chunk, AVERAGE, weights, room)
            else:
                unpack_into(layout, seat, chunk, REGRET, weights, room)
        codes = weights.average if average else weights.regret
        assert codes is not None
        return codes

    def flush(self) -> None:
        with self._lock:
            writing, self._writing = self._writing, []
        for write in writing:
            write.result()
        with self._lock:
            folders, self._renamed = self._renamed, set()
        for folder in folders:
            with explained(folder):
                folder_to_disk(folder)

    def close(self) -> None:
        self._reader.shutdown()
        self._writer.shutdown()

    def save(self, subgame: Subgame, layout: Layout, folder: Path, passes: int) -> None:
        """By links, where both folders are on one disk: chunks are never changed, so copies stay what they are."""
        for seat in SEATS:
            path, copy = self._path(subgame, seat), chunk_path(folder, subgame.number, seat)
            if path.exists():
                link_or_copy(path, copy)

    def _path(self, subgame: Subgame, seat: int) -> Path:
        return chunk_path(self.folder, subgame.number, seat)

    def _room(self) -> Room:
        room: Room | None = getattr(self._rooms, "room", None)
        if room is None:
            room = self._rooms.room = Room()
        return room

    def _read(self, subgame: Subgame, seat: int, wanted: range) -> Chunk | None:
        """A chunk in buffers of this thread, which its next chunk of the seat overwrites."""
        room = self._room()

        def buffer(section: int, size: int) -> NDArray[np.uint8]:
            found: NDArray[np.uint8] = room.get(f"section {section} of seat {seat}", size, np.uint8)
            return found

        path = self._path(subgame, seat)
        chunk = read_chunk(path, self._run, subgame.number, seat, wanted, buffer)
        self.traffic.add(read=0 if chunk is None else chunk.size)
        return chunk

    def _place_chunk(self, draft: Draft, numbers: int) -> None:
        try:
            place_chunk(draft, self._durable)
            if self._durable:
                with self._lock:
                    self._renamed.add(draft.path.parent)
            self.traffic.add(written=draft.size, numbers=numbers)
        finally:
            self._waiting.release()


def needed_by_pass(player: int) -> Need:
    """A pass of a player needs what its last pass left, and the regrets of the opponent."""
    return (WHOLE, REGRETS) if player == 0 else (REGRETS, WHOLE)


def needed_to_read(average: bool) -> Need:
    """What is played."""
    sections = range(AVERAGE, VALUES) if average else REGRETS
    return sections, sections


def last_pass(passes: int, seat: int) -> int:
    """Which of the first `passes` passes was the last to update a seat; 0 for none. Odd ones update seat 1."""
    return passes if passes % 2 == seat else max(passes - 1, 0)


def pass_of(folder: Path, run: int, number: int, seat: int) -> int:
    """The pass that wrote a chunk, by its header; 0 where there is none."""
    chunk = read_chunk(chunk_path(folder, number, seat), run, number, seat, wanted=())
    return 0 if chunk is None else chunk.passes


def require_pass(path: Path, chunk: Chunk | None, wanted: int) -> None:
    """Refuse a chunk that is missing or of another pass than it must be."""
    found = 0 if chunk is None else chunk.passes
    if found == wanted:
        return
    what = f"is of pass {found}" if found else "is missing"
    raise ErraiError(
        f"{path} {what} where that of pass {wanted} is wanted: the folder has lost some of its work"
    )


def unpack_chunk(layout: Layout, seat: int, chunk: Chunk | None, weights: Weights, room: Room) -> None:
    """The regrets of a seat and the other's average, as the seat's pass left them."""
    unpack_into(layout, seat, chunk, REGRET, weights, room)
    if weights.average is not None:
        unpack_into(layout, 1 - seat, chunk, AVERAGE, weights, room)


def made_chunk(
    where: Place, layout: Layout, number: int, weights: Weights, grids: Grids, values: Values, room: Room
) -> tuple[Chunk, int]:
    """What pass `number` leaves of a seat, in buffers of the room, and how many numbers that are."""
    seat, forms = where.seat, grids.forms
    assert weights.regret_scale is not None
    regrets, count = packed(layout, seat, weights.regret, weights.regret_scale, forms[0], room, "regrets")
    averages: list[Any] = [b"", b"", b""]
    if weights.average is not None:
        assert weights.average_scale is not None
        averages, more = packed(
            layout, 1 - seat, weights.average, weights.average_scale, forms[1], room, "averages"
        )
        count += more
    kept = np.ascontiguousarray(values, np.float32).view(np.uint8)
    return Chunk(*where, number, forms, (*regrets, *averages, kept)), count


def remove_left_behind(folder: Path) -> None:
    """Remove what killed processes have left half written; only while nobody writes into the folder."""
    for left in folder.rglob(LEFT_BEHIND):
        with suppress(OSError):
            left.unlink()


def link_or_copy(path: Path, copy: Path) -> None:
    """The same file in another folder."""
    with explained(copy):
        copy.parent.mkdir(parents=True, exist_ok=True)
        new = temporary(copy)
        try:
            os.link(path, new)
        except OSError:
            shutil.copyfile(path, new)
        os.replace(new, copy)
