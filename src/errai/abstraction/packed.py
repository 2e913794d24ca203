"""A table of cells [B, N] packed into a file of blocks: of hands that the symmetries of a board make alike, one.

A block has BOARDS boards, a row for each, filled up with zeros to the longest. Hands that follow each other on
neighbouring boards are often in the same few buckets, so blocks of many boards are small: the 1,755 flops of hold'em
in 5,000 buckets take 1.3 MB board by board, 0.6 MB with 128 in a block, 0.4 MB in one. The cells of a lossless round
count up, and are written as the steps from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import Hands
from errai.cards.canonical import CanonicalBoards
from errai.errors import ErraiError
from errai.files.blocks import BlockFile, write_blocks

BOARDS = 128
LEVEL = 19  # of compression: it is done once
Table = NDArray[np.unsignedinteger]


def write_packed(path: Path, table: Table, boards: CanonicalBoards, of: Hands, steps: bool) -> int:
    """Write a table; returns the checksum of the file's index."""

    def blocks() -> Iterator[Table]:
        for start in range(0, len(table), BOARDS):
            rows = [
                table[b][hands_apart(boards, b, of)[0]] for b in range(start, min(start + BOARDS, len(table)))
            ]
            block = np.zeros((len(rows), max(map(len, rows))), table.dtype)
            for to, row in zip(block, rows, strict=True):
                to[: len(row)] = np.diff(row, prepend=row.dtype.type(0)) if steps else row
            yield block

    return write_blocks(path, blocks(), table.dtype, LEVEL)


class PackedTable:
    """A table in a file, of which the cells of one board are read."""

    def __init__(
        self, path: Path, checksum: int, boards: CanonicalBoards, of: Hands, steps: bool, cells: int
    ) -> None:
        self.file, self.boards, self.of, self.steps, self.cells = BlockFile(path), boards, of, steps, cells
        if self.file.checksum != checksum:
            raise ErraiError(f"{path} is not the file that its manifest speaks of")
        self._rows = self.file.shape(0)[0]  # boards of a block
        total, N = len(boards.cards), len(of.cards)
        sizes = [min(self._rows, total - start) for start in range(0, total, max(self._rows, 1))]
        found = [self.file.shape(block) for block in range(len(self.file))]
        if [rows for rows, _ in found] != sizes or max(columns for _, columns in found) > N:
            raise ErraiError(f"{path} is damaged: it is not of {total:,} boards and {N:,} hands")
        if self.file.dtype not in (np.uint16, np.uint32):
            raise ErraiError(f"{path} is damaged: it holds {self.file.dtype}, which cells are not")

    def on(self, cards: tuple[int, ...]) -> Table:
        """[N] the cells on a board; of blocked hands anything."""
        number, move = self.boards.find(cards)
        return self._row(self.file.read(number // self._rows), number)[self.boards.hand_moves[move]]

    def table(self) -> Table:
        """[B, N] all of it, 0 where the board blocks the hand."""
        whole = np.zeros((len(self.boards.cards), len(self.of.cards)), self.file.dtype)
        for block in range(len(self.file)):
            rows = self.file.read(block)
            for number in range(block * self._rows, block * self._rows + len(rows)):
                live = self.of.live(self.boards.cards[number][None])[0]
                whole[number] = np.where(live, self._row(rows, number), 0)
        return whole

    def check(self) -> None:
        """Refuse a file of which a block is damaged."""
        self.table()

    def _row(self, block: Table, number: int) -> Table:
        row = block[number % self._rows]
        chosen, place = hands_apart(self.boards, number, self.of)
        cells = (row.cumsum(dtype=row.dtype) if self.steps else row)[: len(chosen)]
        if len(cells) != len(chosen) or int(cells.max(initial=0)) >= self.cells:
            raise ErraiError(f"{self.file.path} is damaged: board {number:,} has cells that there are not")
        return cells[place]


def hands_apart(boards: CanonicalBoards, number: int, of: Hands) -> tuple[NDArray[Any], NDArray[Any]]:
    """([n] the hands that a board's symmetries tell apart, [N] which of those stands for each hand).

    For a blocked hand it is no matter which.
    """
    alike = boards.alike(number)
    apart = of.live(boards.cards[number][None])[0] & (alike == np.arange(len(alike)))
    place = np.cumsum(apart) - 1
    return np.flatnonzero(apart), place[alike]
