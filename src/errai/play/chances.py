"""How likely a hand is to win against a hand that can be anything, for bots that play by it.

    win       E[HS], the mean over all boards that may follow of its strength at the end, ties half
    promise   sqrt(E[HS^2]), larger than `win` for hands that will be either strong or weak: those with potential

Boards that differ by the names of suits alone are looked at once, and what was found is kept: at most 190 MB in
hold'em. As soon as boards that were completed one by one have taken as many run-outs as there are canonical boards of
the last round, the strengths on all of these are worked out at once (`LastStrengths`: 360 MB and some seconds in
hold'em), and boards are completed from that table.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import (
    LastStrengths,
    hands_of,
    last_boards,
    spread_on,
    strengths_on,
    unordered,
)
from errai.abstraction.kernels.strengths import ONE, Spread
from errai.cards.canonical import CanonicalBoards
from errai.cards.notation import FULL_DECK, hand_class_of
from errai.cards.strength import ACPC
from errai.engine.memory import RESERVE, available_memory
from errai.games.definition import GameDefinition
from errai.jamfold.equities import BOARDS, equities

PIECE = 64  # boards that a thread works on at a time

Cards = NDArray[np.uint8]
Boards = NDArray[np.integer]  # [n, public cards]
Held = NDArray[np.int64]  # [n, hands], numbers of hands
Chances = NDArray[np.float32]  # [n, hands, 2] win and promise


@dataclass(frozen=True, eq=False)
class _Kept:
    """What is known of the canonical boards of so many public cards."""

    boards: CanonicalBoards
    row: NDArray[np.int64]  # [B] of what is kept, -1 where nothing is
    rows: list[Chances]  # [N, 2] each


class WinChances:
    """The chances of hands on any board of a game."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self._of = hands_of(game)
        self._kept: dict[int, _Kept] = {}
        self._gone = 0  # run-outs that were gone through board by board

    def of(self, boards: Boards, hands: Held) -> Chances:
        """[n, hands, 2] of some hands on each of some boards of as many cards; anything for those that it blocks."""
        if boards.shape[1] == self._of.last:
            return self._at_the_end(boards, hands)
        if boards.shape[1] == 0 and self._is_holdem:
            return self._before_the_flop[hands]
        kept = self._kept_of(boards.shape[1])
        number, move = kept.boards.find_many(boards)
        missing = np.unique(number[kept.row[number] < 0])
        if len(missing):
            kept.row[missing] = len(kept.rows) + np.arange(len(missing))
            kept.rows.extend(self._completed(kept.boards.cards[missing]))
        moved = kept.boards.hand_moves[move[:, None], hands]
        found = [kept.rows[row][held] for row, held in zip(kept.row[number].tolist(), moved, strict=True)]
        return np.array(found, np.float32)

    def _at_the_end(self, boards: Boards, hands: Held) -> Chances:
        """Of whole boards: from the table if it is there, else each for itself, which is cheaper than to keep it."""
        if self._table_is_made:
            ends = self._strengths
            number, move = ends.boards.find_many(boards)
            found = ends.table[number[:, None], ends.boards.hand_moves[move[:, None], hands]]
        else:
            cards = boards.astype(np.uint8)
            found = np.concatenate(
                _in_pieces(
                    len(cards),
                    lambda of: strengths_on(cards[of], self._of)[
                        np.arange(len(cards[of]))[:, None], hands[of]
                    ],
                )
            )
        strength = found / np.float32(ONE)
        return np.stack([strength, strength], axis=-1)

    def _completed(self, boards: Cards) -> list[Chances]:
        """[N, 2] of every hand on each of some canonical boards before the last."""
        known = boards.shape[1]
        self._gone += len(boards) * self._of.run_outs(known).sets
        if self._table_is_made or (self._gone > len(self._last.cards) and self._table_fits):
            strengths = self._strengths
            found = _in_pieces(len(boards), lambda of: _chances(strengths.spread(boards[of], bins=1)))
        else:
            found = [_chances(spread_on(board, self._of, bins=1)) for board in boards]
        return [chances for piece in found for chances in piece]

    def _kept_of(self, public: int) -> _Kept:
        if public not in self._kept:
            boards = unordered(self._of, public)
            self._kept[public] = _Kept(boards, np.full(len(boards.cards), -1), [])
        return self._kept[public]

    @cached_property
    def _last(self) -> CanonicalBoards:
        return last_boards(self._of)

    @property
    def _table_fits(self) -> bool:
        size = len(self._last.cards) * len(self._of.cards) * np.dtype(np.uint16).itemsize
        return size < RESERVE * available_memory()

    @property
    def _table_is_made(self) -> bool:
        return "_strengths" in self.__dict__

    @cached_property
    def _strengths(self) -> LastStrengths:
        """Of every hand on every canonical board of the last round."""
        cards = self._last.cards
        rows = _in_pieces(len(cards), lambda of: strengths_on(cards[of], self._of))
        _ = self._last.lookup  # before threads ask for it
        return LastStrengths(self._of, self._last, np.concatenate(rows))

    @property
    def _is_holdem(self) -> bool:
        of = self._of
        return (of.deck, of.hole_cards, of.last, of.ranking) == (FULL_DECK, 2, 5, ACPC)

    @cached_property
    def _before_the_flop(self) -> Chances:
        """[N, 2] of hold'em, from the counts of all deals; its promise is its chance to win."""
        known = equities()
        won = (known.wins + known.ties / 2).sum(axis=1) / (known.pairs.sum(axis=1) * BOARDS)
        win = won[hand_class_of()].astype(np.float32)
        return np.stack([win, win], axis=1)


@lru_cache(2)
def win_chances(game: GameDefinition) -> WinChances:
    """Those of a game, for all that play by them."""
    return WinChances(game)


def _chances(spread: Spread) -> Chances:
    """[B, N, 2]"""
    return np.stack([spread.mean, np.sqrt(spread.square)], axis=-1)


def _in_pieces(count: int, work: Callable[[slice], NDArray[Any]]) -> list[NDArray[Any]]:
    """What some work makes of so many boards, piece by piece on all threads."""
    pieces = [slice(low, min(low + PIECE, count)) for low in range(0, count, PIECE)]
    if len(pieces) == 1:
        return [work(pieces[0])]
    with ThreadPoolExecutor(os.cpu_count(), "errai") as pool:
        return list(pool.map(work, pieces))
