"""A file of compressed blocks, of which any one is read without the others.

    header      magic, version, CRC-32 of the index, number of blocks, place of the index, type of the numbers,
                and the CRC-32 of all that
    blocks      each compressed on its own, one after the other
    index       of each block its place, its compressed size, the CRC-32 of what is compressed, and its shape

Blocks are tables [rows, columns] of one type. They are written as they come, so that only a few of them are in
memory, and the header comes last: a file without one was never finished. To open a file is to read its index. Numbers
are little-endian.

Blocks are compressed with Zstandard and no shuffle: quantised probabilities have one byte, whose bits say more
together than apart. Level 12 makes them 3 to 10% smaller than level 5, at a millisecond for 10 kB; level 19 gains 1%
more and takes three times as long. To unpack takes the same time for all.
"""

from __future__ import annotations

import struct
import zlib
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from numpy.typing import DTypeLike, NDArray

from errai.errors import ErraiError
from errai.files.writing import replacing_file

MAGIC, VERSION = b"ERRAIBLK", 1
LEVEL = 12
THREADS = 2
_HEADER = struct.Struct("<8sIIQQ8s")  # and the CRC-32 of these
_HEADER_BYTES = _HEADER.size + 4
_ENTRY = np.dtype([("offset", "<u8"), ("size", "<u8"), ("crc32", "<u4"), ("shape", "<u4", (2,))])
_AHEAD = 4 * THREADS  # blocks that wait to be written
_MOST_BYTES = (1 << 31) - 64  # of one block, before it is compressed


def write_blocks(
    path: Path, blocks: Iterable[NDArray[Any]], dtype: DTypeLike = np.uint8, level: int = LEVEL
) -> int:
    """Write tables [rows, columns] of one type; returns the CRC-32 of the index, which vouches for every block."""
    with replacing_file(path) as new:
        return stream_blocks(new, blocks, dtype, level)


def stream_blocks(
    path: Path, blocks: Iterable[NDArray[Any]], dtype: DTypeLike = np.uint8, level: int = LEVEL
) -> int:
    """`write_blocks` under the very name given, for those who put several files in their places together."""
    kind = np.dtype(dtype).newbyteorder("<")
    entries: list[tuple[int, int, int, tuple[int, int]]] = []
    waiting: deque[tuple[tuple[int, int], Future[bytes]]] = deque()
    with path.open("wb") as file, ThreadPoolExecutor(THREADS) as pool:

        def write_first() -> None:
            shape, job = waiting.popleft()
            packed = job.result()
            entries.append((file.tell(), len(packed), zlib.crc32(packed), shape))
            file.write(packed)

        file.write(bytes(_HEADER_BYTES))
        for block in blocks:
            if block.ndim != 2 or block.dtype != kind or block.nbytes > _MOST_BYTES:
                raise ErraiError(f"a block of {block.dtype} {block.shape} is no table of {kind} below 2 GB")
            waiting.append(
                ((block.shape[0], block.shape[1]), pool.submit(_compressed, block.tobytes(), level))
            )
            if len(waiting) > _AHEAD:
                write_first()
        while waiting:
            write_first()
        index = np.array(entries, _ENTRY).tobytes()
        checksum = zlib.crc32(index)
        start = file.tell()
        file.write(index)
        header = _HEADER.pack(MAGIC, VERSION, checksum, len(entries), start, kind.str.encode())
        file.seek(0)
        file.write(header + struct.pack("<I", zlib.crc32(header)))
    return checksum


class BlockFile:
    """The blocks of a file, each read, checked and unpacked when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                header = file.read(_HEADER_BYTES)
                self.bytes = path.stat().st_size
                count, start = self._check_header(header)
                file.seek(start)
                index = file.read()
        except FileNotFoundError as error:
            raise ErraiError(f"{path} is missing; the folder is not complete") from error
        except OSError as error:
            raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
        if zlib.crc32(index) != self.checksum:
            raise ErraiError(f"{path} is damaged: the checksum of its index is wrong")
        self._index: NDArray[Any] = np.frombuffer(index, _ENTRY, count)
        self._content = np.memmap(path, np.uint8, mode="r")

    def __len__(self) -> int:
        return len(self._index)

    def shape(self, block: int) -> tuple[int, int]:
        """(rows, columns) of a block."""
        rows, columns = self._entry(block)["shape"]
        return int(rows), int(columns)

    def check(self, block: int) -> memoryview:
        """The compressed bytes of a block, whose checksum is right."""
        entry = self._entry(block)
        start, size, wanted = int(entry["offset"]), int(entry["size"]), int(entry["crc32"])
        packed = self._content[start : start + size].data
        if len(packed) != size or (found := zlib.crc32(packed)) != wanted:
            what = (
                f"its checksum is {found:08x} and not {wanted:08x}"
                if len(packed) == size
                else "it is cut off"
            )
            raise ErraiError(f"{self.path} is damaged in block {block:,} of {len(self):,}: {what}")
        return packed

    def read(self, block: int) -> NDArray[Any]:
        """One block [rows, columns], not to be written to."""
        packed = self.check(block)
        shape = self.shape(block)
        size = shape[0] * shape[1] * self.dtype.itemsize
        content = b""
        if size:
            try:
                content = zstandard.decompress(packed)
            except zstandard.ZstdError as error:
                raise ErraiError(
                    f"{self.path} is not understood in block {block:,} of {len(self):,}: {error}; save it again"
                ) from error
        if len(content) != size:
            raise ErraiError(f"{self.path} is damaged in block {block:,} of {len(self):,}: its size is wrong")
        return np.frombuffer(content, self.dtype).reshape(shape)

    def _check_header(self, header: bytes) -> tuple[int, int]:
        """(blocks, place of the index) of a file that is what it should be and as long as it should be."""
        if header[: len(MAGIC)] != MAGIC:
            raise ErraiError(f"{self.path} is no block file of Errai, or was never finished")
        wrong = len(header) < _HEADER_BYTES or zlib.crc32(header[:-4]) != struct.unpack("<I", header[-4:])[0]
        if wrong:
            raise ErraiError(f"{self.path} is damaged: the checksum of its header is wrong")
        _, version, self.checksum, count, start, kind = _HEADER.unpack(header[:-4])
        if version != VERSION:
            raise ErraiError(
                f"{self.path} has format version {version} and this Errai reads version {VERSION}; "
                "use the Errai that saved it"
            )
        size = start + count * _ENTRY.itemsize
        if self.bytes != size:
            raise ErraiError(f"{self.path} is damaged: it has {self.bytes:,} bytes and not {size:,}")
        self.dtype = np.dtype(kind.rstrip(b"\0").decode())
        return count, start

    def _entry(self, block: int) -> Any:
        if not 0 <= block < len(self):
            raise ErraiError(f"{self.path} has no block {block}: it has {len(self):,} blocks, counted from 0")
        return self._index[block]


def _compressed(content: bytes, level: int) -> bytes:
    return zstandard.compress(content, level) if content else b""
