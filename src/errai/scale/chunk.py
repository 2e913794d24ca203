"""A chunk: what one pass wrote of one subgame, compressed, in a file of its own.

    header      the run, the subgame, the seat, the pass, the length and the checksum of each section
    sections    regrets of the seat (widths, payload, scales: see errai.scale.kernels.packing), the average of the
                other seat (the same, if one is kept), and the values that the pass returned

A pass changes the regrets of one seat and the average of the other, and that is what a chunk holds: a subgame is two
of them. Each is written under a temporary name and renamed, never changed. The values make a pass repeatable: when a
run is resumed, a subgame that had been through the pass is not worked on again but gives the values it gave.
"""

from __future__ import annotations

import os
import struct
import threading
import zlib
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.writing import explained, temporary
from errai.kernels.checksum import checksum
from errai.scale.kernels.packing import SPARE

MAGIC, VERSION = b"ERRAICHK", 3
REGRET, AVERAGE, VALUES = 0, 3, 6  # the first section of each kind
WIDTHS, PAYLOAD, SCALES = 0, 1, 2  # the sections of regrets and of an average
SECTIONS = 7
# zstd for widths and scales: few short tables and long matches only, since most of what it saves are frequent widths
FAST = zstandard.ZstdCompressionParameters.from_level(1, hash_log=6, min_match=7, write_content_size=True)
MOST_BYTES = 1 << 34  # of a section that is believed
_HEAD = struct.Struct(f"<8sHHIIIQ{SECTIONS}Q{SECTIONS}Q")
_CRC = struct.Struct("<I")
START = _HEAD.size + _CRC.size

Bytes = NDArray[np.uint8]


class Form(NamedTuple):
    """What is known of the codes of a kind: whether any may be below zero, and whether they are roots of 8 bits."""

    signed: bool
    roots: bool


@dataclass(frozen=True)
class Chunk:
    """The sections of a chunk as they are on the disk; those that were not wanted are empty."""

    path: Path
    run: int  # the fingerprint of the game and of how it is divided
    subgame: int
    seat: int
    passes: int  # the pass that wrote it, from 1
    forms: tuple[Form, Form]  # of regrets and of the average
    sections: tuple[Any, ...]  # bytes, or an array of bytes with a few to spare

    @property
    def size(self) -> int:
        return START + sum(map(len, self.sections))

    def unpacked(self, section: int, size: int) -> Bytes:
        """A section that zstd has compressed; so many bytes are expected."""
        try:
            if zstandard.frame_content_size(self.sections[section]) != size:  # it is what would be allocated
                raise zstandard.ZstdError("a section has another size than it should")
            found = ZSTD.decompressor.decompress(self.sections[section], max_output_size=size)
        except zstandard.ZstdError as error:
            raise ErraiError(f"{self.path} is damaged: {error}") from None
        if len(found) != size:
            raise ErraiError(f"{self.path} is damaged: a section has {len(found)} bytes and not {size}")
        return np.frombuffer(found, np.uint8)

    def numbers(self, section: int, size: int) -> NDArray[np.float32]:
        """A section of numbers as they are; so many are expected."""
        found = self.sections[section]
        if len(found) != 4 * size:
            raise ErraiError(f"{self.path} is damaged: a section has {len(found)} bytes and not {4 * size}")
        return np.frombuffer(found, np.float32).copy()


class Zstd(threading.local):
    """A compressor of each thread, since one cannot be used by two at a time."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(compression_params=FAST)
        self.decompressor = zstandard.ZstdDecompressor()


ZSTD = Zstd()


def compressed(array: NDArray[Any]) -> bytes:
    """An array as a section of zstd."""
    return ZSTD.compressor.compress(array.data)


def chunk_path(folder: Path, subgame: int, seat: int) -> Path:
    """Where a chunk is: a thousand subgames to a folder."""
    return folder / f"{subgame // 1000:04d}" / f"{subgame % 1000:03d}.{seat}"


class Draft(NamedTuple):
    """A chunk that has been written under a temporary name."""

    path: Path
    new: Path
    file: Any
    size: int


def draft_chunk(chunk: Chunk) -> Draft:
    """Write a chunk under a temporary name, as far as the operating system's memory. `place_chunk` comes next."""
    path = chunk.path
    lengths = [len(section) for section in chunk.sections]
    checksums = [checksum(section) for section in chunk.sections]
    flags = sum(1 << place for place, flag in enumerate((*chunk.forms[0], *chunk.forms[1])) if flag)
    head = _HEAD.pack(
        MAGIC, VERSION, chunk.seat, chunk.subgame, chunk.run, flags, chunk.passes, *lengths, *checksums
    )
    new = temporary(path)
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            file = new.open("wb")
            try:
                file.write(head + _CRC.pack(zlib.crc32(head)))
                for section in chunk.sections:
                    file.write(section)
                file.flush()
            except BaseException:
                file.close()
                raise
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    return Draft(path, new, file, chunk.size)


def place_chunk(draft: Draft, durable: bool = True) -> None:
    """Put a chunk in its place once it is on the disk; the one before it stays until then."""
    with explained(draft.path):
        try:
            with draft.file as file:
                if durable:
                    os.fsync(file.fileno())
            os.replace(draft.new, draft.path)
        except BaseException:
            draft.new.unlink(missing_ok=True)
            raise


def write_chunk(chunk: Chunk, durable: bool = True) -> None:
    """Put a chunk in its place; the one before it stays until it is complete."""
    place_chunk(draft_chunk(chunk), durable)


class _Head(NamedTuple):
    run: int
    subgame: int
    seat: int
    passes: int
    flags: int
    lengths: list[int]
    checksums: list[int]


def _head_of(path: Path, file: Any) -> _Head:
    head = file.read(START)
    size = os.fstat(file.fileno()).st_size
    head, sealed = head[: _HEAD.size], head[_HEAD.size :]
    if len(sealed) < _CRC.size or _CRC.unpack(sealed)[0] != zlib.crc32(head):
        raise ErraiError(f"{path} is damaged: its header does not match its checksum")
    magic, version, seat, subgame, run, flags, passes, *rest = _HEAD.unpack(head)
    lengths, checksums = rest[:SECTIONS], rest[SECTIONS:]
    if magic != MAGIC or version != VERSION:
        raise ErraiError(f"{path} is no chunk of this version of Errai")
    if START + sum(lengths) != size or max(lengths) > MOST_BYTES:
        raise ErraiError(f"{path} is damaged: it has {size:,} bytes and not {START + sum(lengths):,}")
    return _Head(run, subgame, seat, passes, flags, lengths, checksums)


def new_buffer(section: int, size: int) -> Bytes:
    """Where a section is read to."""
    return np.empty(size, np.uint8)


def read_chunk(
    path: Path,
    run: int,
    subgame: int,
    seat: int,
    wanted: Collection[int] = range(SECTIONS),
    buffer: Callable[[int, int], Bytes] = new_buffer,
) -> Chunk | None:
    """The wanted sections of a chunk, undamaged; None where there is no chunk."""
    try:
        with path.open("rb", buffering=0) as file:
            head = _head_of(path, file)
            if (head.run, head.subgame, head.seat) != (run, subgame, seat):
                raise ErraiError(f"{path} is a chunk of another run, subgame or seat")
            sections: list[Any] = []
            at = START
            for number, (length, sealed_with) in enumerate(zip(head.lengths, head.checksums, strict=True)):
                if number in wanted:
                    room = buffer(number, length + SPARE)
                    sections.append(_section(path, file, at, room[:length], sealed_with))
                else:
                    sections.append(b"")
                at += length
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None
    flags = head.flags
    forms = Form(bool(flags & 1), bool(flags & 2)), Form(bool(flags & 4), bool(flags & 8))
    return Chunk(path, run, subgame, seat, head.passes, forms, tuple(sections))


def announce_chunk(path: Path, wanted: range) -> None:
    """Tell the operating system that sections of a chunk will be read soon; whatever is wrong shows when they are."""
    with suppress(OSError, ErraiError), path.open("rb", buffering=0) as file:
        lengths = _head_of(path, file).lengths
        first, last = START + sum(lengths[: wanted.start]), START + sum(lengths[: wanted.stop])
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), first, last - first, os.POSIX_FADV_WILLNEED)


def _section(path: Path, file: Any, at: int, section: Bytes, wanted: int) -> Bytes:
    """The bytes of a section; those to spare behind them may be read by kernels."""
    file.seek(at)
    view, done = section.data, 0
    while done < len(view) and (more := file.readinto(view[done:])):
        done += more
    if done != len(view) or checksum(section) != wanted:
        raise ErraiError(f"{path} is damaged: it does not match its checksum")
    return section
