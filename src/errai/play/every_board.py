"""The chances to win of all hands on all boards of a game, worked out at once.

The last round is a table of strengths (errai.abstraction.features). With S_p(board) [N] the sum of a hand's last
strengths, or of their squares, over all ways to complete a board of p cards,

    S_p(board) = sum over the next card c of S_p+1(board + c) / (last - p)

because every way is counted once for each of its cards that may come next. The sums are whole numbers, so nothing
depends on their order. In hold'em that takes some seconds and 650 MB.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import Hands, last_boards, strengths_on, unordered
from errai.abstraction.kernels.strengths import ONE
from errai.abstraction.saved import boards_of
from errai.cards.canonical import CanonicalBoards
from errai.play.kernels.chances import add_last_cards

PIECE = 64  # boards that a thread works on at a time

Boards = NDArray[np.integer]  # [n, public cards]
Held = NDArray[np.int64]  # [n, hands], numbers of hands
Chances = NDArray[np.float32]  # [n, hands, 2] win and promise


class Sums(NamedTuple):
    """Over all ways to complete the canonical boards of so many cards."""

    boards: CanonicalBoards
    first: NDArray[Any]  # [B, N] of the last strengths
    second: NDArray[Any]  # [B, N] of their squares


class EveryBoard:
    """All canonical boards of a game. Sums of earlier rounds are made when they are first asked for."""

    def __init__(self, of: Hands) -> None:
        self._of, self._ends = of, last_boards(of)
        cards = self._ends.cards
        self._table = np.concatenate(_in_pieces(len(cards), lambda piece: strengths_on(cards[piece], of)))
        self._sums: dict[int, Sums] = {}

    def chances(self, boards: Boards, hands: Held) -> Chances:
        """[n, hands, 2] of some hands on each of some boards; anything for those that it blocks."""
        public = boards.shape[1]
        if public == self._of.last:
            number, moved = _found(self._ends, boards, hands)
            strength = self._table[number, moved] / np.float32(ONE)
            return np.stack([strength, strength], axis=-1)
        sums = self._of_round(public)
        number, moved = _found(sums.boards, boards, hands)
        unit = float(self._of.run_outs(public).live) * ONE
        win = (sums.first[number, moved] / unit).astype(np.float32)
        promise = np.sqrt((sums.second[number, moved] / (unit * ONE)).astype(np.float32))
        return np.stack([win, promise], axis=-1)

    def _of_round(self, public: int) -> Sums:
        if public not in self._sums:
            boards = unordered(self._of, public)
            add = self._before_the_last
            if public < self._of.last - 1:
                self._of_round(public + 1)  # before threads ask for it
                add = self._earlier
            parts = _in_pieces(len(boards.cards), lambda piece: add(boards.cards[piece]))
            first, second = zip(*parts, strict=True)
            self._sums[public] = Sums(boards, np.concatenate(first), np.concatenate(second))
        return self._sums[public]

    def _before_the_last(self, cards: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[Any]]:
        rows, moves = _next(self._ends, cards)
        shape = len(cards), self._table.shape[1]
        first, second = np.empty(shape, np.uint32), np.empty(shape, np.int64)
        add_last_cards(rows, moves, self._table, self._ends.hand_moves, first, second)
        return first, second

    def _earlier(self, cards: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[Any]]:
        after = self._of_round(cards.shape[1] + 1)
        counted = self._of.last - cards.shape[1]
        rows, moves = _next(after.boards, cards)
        shape = len(cards), after.first.shape[1]
        first, second = np.empty(shape, np.int64), np.empty(shape, np.int64)
        for b in range(len(cards)):
            moved = after.boards.hand_moves[moves[b]]
            first[b] = after.first[rows[b][:, None], moved].sum(axis=0, dtype=np.int64) // counted
            second[b] = after.second[rows[b][:, None], moved].sum(axis=0) // counted
        return first, second


def bytes_of(of: Hands) -> int:
    """What all of it takes in memory."""
    earlier = sum(boards_of(of, (public,) if public else ()) for public in range(of.last))
    return len(of.cards) * (2 * boards_of(of, (of.last,)) + 12 * earlier)


def _found(boards: CanonicalBoards, cards: Boards, hands: Held) -> tuple[Held, NDArray[np.int32]]:
    """[n, 1] the canonical boards, and [n, hands] the hands there."""
    number, move = boards.find_many(cards)
    return number[:, None], boards.hand_moves[move[:, None], hands]


def _next(after: CanonicalBoards, cards: NDArray[np.uint8]) -> tuple[Held, Held]:
    """[B, S] the boards after each next card, and the permutation that takes hands there."""
    deck, known = after.deck.size, cards.shape[1]
    taken = np.zeros((len(cards), deck), bool)
    np.put_along_axis(taken, cards.astype(np.int64), True, axis=1)
    free = np.nonzero(~taken)[1].reshape(len(cards), deck - known)
    boards = np.empty((*free.shape, known + 1), np.uint8)
    boards[..., :known] = cards[:, None]
    boards[..., known] = free
    number, move = after.find_many(boards.reshape(-1, known + 1))
    return number.reshape(free.shape), move.reshape(free.shape)


def _in_pieces(count: int, work: Callable[[slice], Any]) -> list[Any]:
    """What some work makes of so many boards, piece by piece on all threads."""
    pieces = [slice(low, min(low + PIECE, count)) for low in range(0, count, PIECE)]
    if len(pieces) == 1:
        return [work(pieces[0])]
    with ThreadPoolExecutor(os.cpu_count(), "errai") as pool:
        return list(pool.map(work, pieces))
