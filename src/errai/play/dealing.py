"""Cards of hand after hand, by a seed, as the dealer of the ACPC deals them.

Its generator is the Mersenne Twister MT19937, seeded with one 32-bit number. A hand begins with a full deck in order
of suits, then ranks; each card is drawn by

    i = next number mod cards left;  card = deck[i];  deck[i] = the last card left

first all hole cards of seat 0, then those of seat 1, then the public cards, whether they are ever seen or not. So one
seed gives the same cards here and there, and logs of the original dealer can be dealt again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.games.definition import GameDefinition

Cards = NDArray[np.uint8]
MOST_SEED = 2**32 - 1


class Deal(NamedTuple):
    """All cards of one hand."""

    number: int
    hole: tuple[tuple[int, ...], tuple[int, ...]]  # by seat
    board: tuple[int, ...]


class Dealer:
    """Deals hand after hand."""

    def __init__(self, game: GameDefinition, seed: int) -> None:
        if not 0 <= seed <= MOST_SEED:
            raise ErraiError(f"a seed is a number from 0 to {MOST_SEED}, not {seed}", parameter="seed")
        self._game = game
        self._dealt = 0
        self._numbers = np.random.MT19937()
        # A RandomState that is seeded with a number is in the very state in which the ACPC's generator begins.
        begun: Any = np.random.RandomState(seed).get_state(legacy=False)
        self._numbers.state = begun
        by_suit = np.arange(game.deck_size).reshape(game.ranks, game.suits).T
        self._deck = np.ascontiguousarray(by_suit, np.uint8).reshape(-1)

    def deal(self, count: int) -> Cards:
        """[count, cards] of the next hands: the hole cards of seat 0, those of seat 1, the board."""
        game = self._game
        each = game.players * game.hole_cards + game.board_sizes[-1]
        drawn = self._numbers.random_raw(count * each).reshape(count, each)
        decks = np.tile(self._deck, (count, 1))
        rows = np.arange(count)
        cards = np.empty((count, each), np.uint8)
        for column in range(each):
            left = game.deck_size - column
            place = drawn[:, column] % left
            cards[:, column] = decks[rows, place]
            decks[rows, place] = decks[:, left - 1]
        self._dealt += count
        return cards

    def next(self) -> Deal:
        """The next hand."""
        return as_deal(self._game, self._dealt, self.deal(1)[0])


def as_deal(game: GameDefinition, number: int, cards: Cards) -> Deal:
    """The cards of one hand, seat by seat."""
    given = cards.tolist()
    size = game.hole_cards
    return Deal(number, (tuple(given[:size]), tuple(given[size : 2 * size])), tuple(given[2 * size :]))
