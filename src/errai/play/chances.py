"""How likely a hand is to win against a hand that can be anything, for bots that play by it.

    win       E[HS], the mean over all boards that may follow of its strength at the end, ties half
    promise   sqrt(E[HS^2]), larger than `win` for hands that will be either strong or weak: those with potential

Boards are completed one by one, those that differ by the names of suits alone once, and what was found is kept. As
soon as that has taken as many run-outs as there are canonical boards of the last round, all boards of all rounds are
worked out at once (errai.play.every_board), which takes about as long, and are looked up from then on.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import hands_of, last_boards, spread_on, strengths_on, unordered
from errai.abstraction.kernels.strengths import ONE
from errai.cards.canonical import CanonicalBoards
from errai.cards.notation import FULL_DECK, hand_class_of
from errai.cards.strength import ACPC
from errai.engine.memory import RESERVE, available_memory
from errai.games.definition import GameDefinition
from errai.jamfold.equities import BOARDS, equities
from errai.play.every_board import PIECE, Boards, Chances, EveryBoard, Held, bytes_of


class WinChances:
    """The chances of hands on any board of a game."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self._of = hands_of(game)
        self._kept: dict[bytes, NDArray[np.float32]] = {}  # canonical board -> [N, 2]
        self._gone = 0  # run-outs that were gone through board by board
        self._every: EveryBoard | None = None

    def of(self, boards: Boards, hands: Held) -> Chances:
        """[n, hands, 2] of some hands on each of some boards of as many cards; anything for those that it blocks."""
        public = boards.shape[1]
        if public == 0 and self._is_holdem:
            return self._before_the_flop[hands]
        if self._every is not None:
            return self._every.chances(boards, hands)
        if public == self._of.last:
            return self._at_the_end(boards, hands)
        canonical = self._canonical(public)
        number, move = canonical.find_many(boards)
        names = [cards.tobytes() for cards in canonical.cards[number]]
        new = set(names) - self._kept.keys()
        self._gone += len(new) * self._of.run_outs(public).sets
        if self._gone > len(self._last.cards) and bytes_of(self._of) < RESERVE * available_memory():
            self._every, self._kept = EveryBoard(self._of), {}
            return self._every.chances(boards, hands)
        for name in new:
            spread = spread_on(np.frombuffer(name, np.uint8), self._of, bins=1)
            self._kept[name] = np.stack([spread.mean[0], np.sqrt(spread.square[0])], axis=1)
        moved = canonical.hand_moves[move[:, None], hands]
        return np.array([self._kept[name][held] for name, held in zip(names, moved, strict=True)], np.float32)

    def _at_the_end(self, boards: Boards, hands: Held) -> Chances:
        """Of whole boards, each for itself, which is cheaper than to keep it."""
        found = np.empty(hands.shape, np.float32)
        for low in range(0, len(boards), PIECE):
            these = slice(low, low + PIECE)
            strengths = strengths_on(boards[these].astype(np.uint8), self._of)
            found[these] = np.take_along_axis(strengths, hands[these], axis=1) / np.float32(ONE)
        return np.stack([found, found], axis=-1)

    def _canonical(self, public: int) -> CanonicalBoards:
        if public not in self._boards:
            self._boards[public] = unordered(self._of, public)
        return self._boards[public]

    @cached_property
    def _boards(self) -> dict[int, CanonicalBoards]:
        return {}

    @cached_property
    def _last(self) -> CanonicalBoards:
        return last_boards(self._of)

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
