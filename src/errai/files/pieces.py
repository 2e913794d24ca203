"""A large array on the disk, each piece of which is checked when it is first read.

To check a file of gigabytes takes seconds, and a query reads a few kilobytes of it. So its manifest has a CRC-32 of
every megabyte, and only those that are used are compared.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError

PIECE = 1 << 20  # bytes


def piece_checksums(array: NDArray[Any]) -> list[int]:
    """The CRC-32 of each megabyte of a contiguous array."""
    content = array.reshape(-1).view(np.uint8).data
    return [zlib.crc32(content[start : start + PIECE]) for start in range(0, len(content), PIECE)]


class Pieces:
    """The pieces of an array in a file, and which of them have been found to be as they were saved."""

    def __init__(self, path: Path, array: NDArray[Any], checksums: Sequence[int]) -> None:
        self._path, self._checksums = path, checksums
        self._content = array.reshape(-1).view(np.uint8).data
        self._itemsize = array.itemsize
        self._checked = [False] * len(checksums)
        if len(checksums) != -(-len(self._content) // PIECE):
            raise ErraiError(f"{path} has not the {len(checksums):,} pieces that its manifest speaks of")

    def require(self, first: int = 0, last: int | None = None) -> None:
        """Refuse the file if any of these numbers, or with none given any at all, is not as it was saved."""
        end = len(self._content) if last is None else last * self._itemsize
        for piece in range(first * self._itemsize // PIECE, -(-end // PIECE)):
            if not self._checked[piece]:
                found = zlib.crc32(self._content[piece * PIECE : (piece + 1) * PIECE])
                if found != self._checksums[piece]:
                    raise ErraiError(
                        f"{self._path} is damaged in piece {piece:,} of {len(self._checked):,}: "
                        f"its checksum is {found:08x} and not {self._checksums[piece]:08x}"
                    )
                self._checked[piece] = True
