"""How likely a hand is to win against a hand that can be anything, for bots that play by it.

    win       E[HS], the mean over all boards that may follow of its strength at the end, ties half
    promise   sqrt(E[HS^2]), larger than `win` for hands that will be either strong or weak: those with potential

Boards that differ by the names of suits alone are looked at once; what was found is kept for the boards used last.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import hands_of, spread_on, strengths_on, unordered
from errai.abstraction.kernels.strengths import ONE
from errai.cards.notation import FULL_DECK, hand_class_of
from errai.games.definition import GameDefinition
from errai.jamfold.equities import BOARDS, equities

KEPT = 20_000  # boards; each takes 10 kB in hold'em
MOST_RUN_OUTS = 100_000  # that are gone through for one board

Chances = NDArray[np.float32]  # [N, 2] win and promise


class WinChances:
    """The chances of all hands on any board of a game."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self._of = hands_of(game)
        self._boards = {public: unordered(self._of, public) for public in set(game.board_sizes)}
        self._kept = lru_cache(KEPT)(self._on)

    def on(self, cards: tuple[int, ...]) -> Chances:
        """[N, 2] on a board; anything for hands that it blocks."""
        boards = self._boards[len(cards)]
        if len(cards) == self.game.board_sizes[-1] or not cards:
            return self._kept(cards)
        number, move = boards.find(cards)
        return self._kept(tuple(boards.cards[number].tolist()))[boards.hand_moves[move]]

    def _on(self, cards: tuple[int, ...]) -> Chances:
        of = self._of
        if len(cards) == of.last:
            strength = strengths_on(np.array([cards], np.uint8), of)[0] / np.float32(ONE)
            return np.stack([strength, strength], axis=1)
        if comb(of.deck.size - len(cards), of.last - len(cards)) > MOST_RUN_OUTS:
            return self._before_the_flop
        spread = spread_on(np.array(cards, np.uint8), of)
        return np.stack([spread.mean[0], np.sqrt(spread.square[0])], axis=1)

    @cached_property
    def _before_the_flop(self) -> Chances:
        """Of hold'em, from the counts of all deals; its promise is its chance to win."""
        assert self._of.deck == FULL_DECK
        known = equities()
        won = (known.wins + known.ties / 2).sum(axis=1) / (known.pairs.sum(axis=1) * BOARDS)
        win = won[hand_class_of()].astype(np.float32)
        return np.stack([win, win], axis=1)
