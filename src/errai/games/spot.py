"""Where a solution starts: a game from its first card, or any spot within a hand.

A spot is the rules, the public cards of the rounds so far, the betting so far, and how likely each player is
to hold each hand. A whole game is the spot with no board, no betting and every hand equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import Deck, hand_count, hands
from errai.cards.ranges import parse_range
from errai.errors import ErraiError
from errai.games.betting import BettingState, betting_actions, format_betting, parse_betting, start
from errai.games.definition import GameDefinition


@dataclass(frozen=True, eq=False)
class Spot:
    """The root of a solution. N hands in the order of `errai.cards.notation.hands`."""

    game: GameDefinition
    betting: str  # ACPC letters, "rc/rc"
    state: BettingState
    board: tuple[tuple[int, ...], ...]  # public cards of each round up to now; none before the first deal
    ranges: tuple[NDArray[np.float64], NDArray[np.float64]]  # [N] of seat 0 and seat 1, 0 for dealt cards

    @property
    def deck(self) -> Deck:
        return Deck(self.game.ranks, self.game.suits)

    @property
    def cards(self) -> tuple[int, ...]:
        """All public cards in the order dealt."""
        return tuple(card for dealt in self.board for card in dealt)

    @property
    def held(self) -> NDArray[np.bool_]:
        """[N] hands that are in the range of one player at least; nothing is computed for the others."""
        return (self.ranges[0] > 0) | (self.ranges[1] > 0)

    @property
    def whole_game(self) -> bool:
        return self.betting == "" and not self.cards

    @property
    def pot(self) -> int:
        return sum(self.state.spent)


def whole_game(game: GameDefinition) -> Spot:
    """The spot at the start of a hand: nothing dealt but the hole cards, nothing bet but the blinds."""
    uniform = np.ones(hand_count(game.deck_size, game.hole_cards))
    return Spot(game, "", start(game), (), (uniform, uniform.copy()))


def _rounds_of(game: GameDefinition, cards: Sequence[int], deck: Deck) -> tuple[tuple[int, ...], ...]:
    sizes = game.board_sizes
    if len(cards) not in sizes:
        allowed = ", ".join(str(size) for size in sorted(set(sizes)))
        raise ErraiError(
            f"board '{deck.format_cards(cards, ' ')}' has {len(cards)} cards; {game.name} has {allowed} on the board"
        )
    rounds: list[tuple[int, ...]] = []
    for new, size in zip(game.board_cards, sizes, strict=True):
        if size > len(cards):
            break
        rounds.append(tuple(sorted(cards[size - new : size])))
    return tuple(rounds)


def spot(
    game: GameDefinition,
    board: str,
    betting: str,
    ranges: tuple[str | NDArray[np.floating] | None, str | NDArray[np.floating] | None] = (None, None),
) -> Spot:
    """A spot from a board ("Ks7h2d 5c"), the betting so far ("rc/rc") and the ranges of seat 0 and seat 1.

    Without a range every hand that the board allows is equally likely.
    """
    deck = Deck(game.ranks, game.suits)
    cards = deck.parse(board)
    rounds = _rounds_of(game, cards, deck)
    state = parse_betting(game, betting)
    text = format_betting(game, betting_actions(game, betting))
    if state.over:
        raise ErraiError(f"betting '{betting}' ends the hand; leave out the last action to get a decision")
    wanted = game.board_sizes[state.round]
    if len(cards) != wanted:
        raise ErraiError(
            f"betting '{betting}' leads to round {state.round + 1}, which has {wanted} board cards, "
            f"but the board '{deck.format_cards(cards, ' ')}' has {len(cards)}"
        )
    holes = hands(deck.size, game.hole_cards)
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
    if weights[0] @ opposing_weights(holes, weights[1]) <= 0:
        raise ErraiError("the two ranges conflict: every pair of hands shares a card; widen one of them")
    return Spot(game, text.rstrip("/"), state, rounds, (weights[0], weights[1]))


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
    return float((where.ranges[0] * opposing_weights(holes, where.ranges[1])).sum())
