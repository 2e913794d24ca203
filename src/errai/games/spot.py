"""Where a solution starts: a game from its first card, or any spot within a hand.

A spot is the rules, the public cards of the rounds so far, the betting so far, and how likely each player is
to hold each hand. A whole game is the spot with no board, no betting and every hand equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import fsum

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import Deck, hand_count, hands
from errai.cards.ranges import parse_range
from errai.errors import ErraiError
from errai.games.definition import GameDefinition, require_limit
from errai.games.state import HandState, parse_state, start


@dataclass(frozen=True, eq=False)
class Spot:
    """The root of a solution. N hands in the order of `errai.cards.notation.hands`."""

    state: HandState  # with the public cards of each round in ascending order
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]]  # [N] of seat 0 and seat 1, 0 for dealt cards

    @property
    def game(self) -> GameDefinition:
        return self.state.game

    @property
    def betting(self) -> str:
        """ACPC text without the `/` of a round about to begin, "rc/rc"."""
        return self.state.betting.rstrip("/")

    @property
    def board(self) -> tuple[tuple[int, ...], ...]:
        """The public cards of each round so far."""
        return self.state.board

    @property
    def cards(self) -> tuple[int, ...]:
        """All public cards in the order dealt."""
        return self.state.cards

    @property
    def deck(self) -> Deck:
        return self.state.deck

    @property
    def pot(self) -> int:
        return self.state.pot

    @property
    def held(self) -> NDArray[np.bool_]:
        """[N] hands that are in the range of one player at least; nothing is computed for the others."""
        return (self.ranges[0] > 0) | (self.ranges[1] > 0)

    @property
    def whole_game(self) -> bool:
        return self.betting == "" and not self.cards


def whole_game(game: GameDefinition) -> Spot:
    """The spot at the start of a hand: nothing dealt but the hole cards, nothing bet but the blinds."""
    require_limit(game)
    uniform = np.ones(hand_count(game.deck_size, game.hole_cards))
    return Spot(start(game), (uniform, uniform.copy()))


def _sorted_by_round(game: GameDefinition, board: str) -> tuple[int, ...]:
    """The cards of a written board, those of each round in ascending order."""
    deck = Deck(game.ranks, game.suits)
    cards = deck.parse(board)
    sizes = game.board_sizes
    if len(cards) not in (0, *sizes):
        allowed = ", ".join(str(size) for size in sorted(set(sizes)))
        raise ErraiError(
            f"board '{deck.format_cards(cards, ' ')}' has {len(cards)} cards; {game.name} has {allowed} on the board"
        )
    return tuple(card for a, b in pairwise((0, *sizes)) for card in sorted(cards[a:b]))


def spot(
    game: GameDefinition,
    board: str,
    betting: str,
    ranges: tuple[str | NDArray[np.floating] | None, str | NDArray[np.floating] | None] = (None, None),
) -> Spot:
    """A spot from a board ("Ks7h2d 5c"), the betting so far ("rc/rc") and the ranges of seat 0 and seat 1.

    Without a range every hand that the board allows is equally likely.
    """
    require_limit(game)
    cards = _sorted_by_round(game, board)
    state = parse_state(game, betting)
    if state.over:
        raise ErraiError(f"betting '{betting}' ends the hand; leave out the last action to get a decision")
    state = state.on_board(cards)
    holes = hands(game.deck_size, game.hole_cards)
    live: NDArray[np.bool_] = np.all(~np.isin(holes, np.array(cards, dtype=holes.dtype)), axis=1)
    weights: list[NDArray[np.float64]] = []
    for seat, given in enumerate(ranges):
        if given is None:
            weight = live.astype(np.float64)
        elif isinstance(given, str):
            if (game.suits, game.ranks, game.hole_cards) != (4, 13, 2):
                raise ErraiError(f"ranges are written for two cards of a full deck; {game.name} has others")
            weight = parse_range(given, cards)
        else:
            weight = np.asarray(given).astype(np.float64, copy=True)
            if weight.shape != live.shape or not np.isfinite(weight).all() or (weight < 0).any():
                raise ErraiError(f"the range of seat {seat} must be {live.size} weights of 0 or more")
            weight[~live] = 0.0
        if not weight.any():
            raise ErraiError(f"the range of seat {seat} has no hand that the board allows")
        weights.append(weight)
    if not (weights[0] * opposing_weights(holes, weights[1]) > 0).any():
        raise ErraiError("the two ranges conflict: every pair of hands shares a card; widen one of them")
    return Spot(state, (weights[0], weights[1]))


def opposing_weights(holes: NDArray[np.uint8], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """[N] weight of the hands that share no card with each hand: total - per card + the same hand."""
    by_card = np.zeros(int(holes.max()) + 1)
    for column in range(holes.shape[1]):
        np.add.at(by_card, holes[:, column], weights)
    apart = weights.sum() - by_card[holes].sum(axis=1)
    return np.asarray(apart + weights if holes.shape[1] == 2 else apart)


def pair_weight(where: Spot) -> float:
    """Total weight of the deals of this spot."""
    holes = hands(where.deck.size, where.game.hole_cards)
    return fsum(where.ranges[0] * opposing_weights(holes, where.ranges[1]))
