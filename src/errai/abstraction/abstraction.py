"""Which bucket a hand belongs to, round by round.

Every round has a table of cells, [canonical boards, hands]. With imperfect recall a cell is a bucket: what was known
in earlier rounds is forgotten. With perfect recall a bucket is the bucket of the round before, refined by the cell:

    bucket = cell                               imperfect recall
    bucket = refine[bucket before, cell]        perfect recall
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.cards.notation import Deck, hands
from errai.errors import ErraiError
from errai.games.definition import GameDefinition

CellsOn = Callable[[tuple[int, ...]], NDArray[np.int64]]  # public cards -> [N] cells
_SAMPLED = 64  # boards of a round by which an abstraction is known again


@dataclass(frozen=True, eq=False)
class RoundBuckets:
    """The buckets of one round, from a table of cells or, where there is none, from what finds those of a board."""

    count: int  # buckets
    boards: CanonicalBoards  # how boards are told apart: dealt (3, 1), in order, or (4,), as a set
    table: NDArray[np.unsignedinteger] | None
    refine: NDArray[np.int32] | None = None  # [buckets of the round before, cells]; -1 where it never happens
    find: CellsOn | None = None
    read: Callable[[], NDArray[np.unsignedinteger]] | None = None  # the table, where it is on the disk
    row: Callable[[int], NDArray[np.unsignedinteger]] | None = None  # and its cells on one board

    @property
    def cell_count(self) -> int:
        """Cells of a board: buckets, or what refines those of the round before."""
        return self.count if self.refine is None else self.refine.shape[1]

    @property
    def has_table(self) -> bool:
        return self.table is not None or self.read is not None

    @cached_property
    def cells(self) -> NDArray[np.unsignedinteger]:
        """[B, N] uint16 or uint32; 0 where the board blocks the hand"""
        if self.read is not None:
            return self.read()
        if self.table is None:
            raise ErraiError(
                "these buckets come without their tables, which is enough to ask a strategy; for more, "
                "make the tables again (errai.abstraction.packing.restore_tables)"
            )
        return self.table

    def on(self, cards: tuple[int, ...]) -> NDArray[np.int64]:
        """[N] the cell of every hand on a board, whatever it is where the board blocks it."""
        if self.find is not None and not self.has_table:
            return self.find(cards)
        board, move = self.boards.find(cards)
        row = self.cells[board] if self.row is None else self.row(board)
        return row[self.boards.hand_moves[move]].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Abstraction:
    """Buckets for every round of a game."""

    game: GameDefinition
    name: str
    rounds: tuple[RoundBuckets, ...]
    known_as: int | None = None  # its fingerprint, where there are no tables to take it from

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets of each round."""
        return tuple(round_.count for round_ in self.rounds)

    @property
    def has_tables(self) -> bool:
        """Whether all tables of cells are here: to train and to measure needs them, to ask does not."""
        return all(round_.has_table for round_ in self.rounds)

    @cached_property
    def deck(self) -> Deck:
        return Deck(self.game.ranks, self.game.suits)

    @cached_property
    def fingerprint(self) -> int:
        """A CRC-32 by which it is known again: of its counts, and its cells on some boards of each round."""
        if self.known_as is not None:
            return self.known_as
        found = zlib.crc32(np.array(self.counts, np.int64).tobytes())
        for round_ in self.rounds:
            boards = sorted(set(np.linspace(0, len(round_.cells) - 1, _SAMPLED).astype(np.int64).tolist()))
            found = zlib.crc32(round_.cells[boards].astype(np.int64).tobytes(), found)
            if round_.refine is not None:
                found = zlib.crc32(np.ascontiguousarray(round_.refine[-1], np.int64).tobytes(), found)
        return found

    def open(self) -> None:
        """Read what every question needs, so that the first does not wait for it."""
        for round_ in self.rounds:
            round_.boards.open()

    def read_tables(self) -> None:
        """Read and check every table; the first that is damaged is an ErraiError."""
        for round_ in self.rounds:
            _ = round_.cells

    def buckets(self, cards: tuple[tuple[int, ...], ...]) -> list[NDArray[np.int64]]:
        """For each round so far the bucket [N] of every hand; -1 where the board blocks it. Round by round cards."""
        return buckets_on(self.rounds[: len(cards)], cards, self.deck)


def buckets_on(
    rounds: tuple[RoundBuckets, ...], cards: tuple[tuple[int, ...], ...], deck: Deck
) -> list[NDArray[np.int64]]:
    found: list[NDArray[np.int64]] = []
    public: tuple[int, ...] = ()
    for round_, new in zip(rounds, cards, strict=True):
        public += tuple(new)
        cell = round_.on(public)
        bucket = cell if round_.refine is None else round_.refine[found[-1], cell].astype(np.int64)
        held = np.zeros(deck.size, bool)
        held[list(public)] = True
        blocked = held[hands(deck.size, 1 if len(cell) == deck.size else 2)].any(axis=1)
        found.append(np.where(blocked, -1, bucket))
    return found


def lossless(game: GameDefinition, rounds: int | None = None) -> Abstraction:
    """Every canonical hand is a bucket of its own: for games small enough to hold all of them."""
    deck = Deck(game.ranks, game.suits)
    made = tuple(
        lossless_round(deck, game.hole_cards, tuple(n for n in game.board_cards[: r + 1] if n))
        for r in range(game.rounds if rounds is None else rounds)
    )
    return Abstraction(game, "lossless", made)


def lossless_round(deck: Deck, hole_cards: int, dealt: tuple[int, ...]) -> RoundBuckets:
    """One bucket for every canonical hand of a round, in the order of the canonical boards."""
    boards = canonical_boards(deck, hole_cards, dealt)
    holes = hands(deck.size, hole_cards)
    N = len(holes)
    cells = np.zeros((len(boards.cards), N), np.uint32)
    count = 0
    for board, cards in enumerate(boards.cards):
        live = ~np.isin(holes, cards).any(axis=1)
        kept = [g for g in range(len(boards.hand_moves)) if boards.group[board] >> g & 1]
        smallest = boards.hand_moves[kept].min(axis=0)
        first = live & (smallest == np.arange(N))
        number = np.cumsum(first) - 1 + count
        cells[board] = np.where(live, number[smallest], 0)
        count += int(first.sum())
    return RoundBuckets(count, boards, cells)
