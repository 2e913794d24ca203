"""A decision in the words of players.

    found = query(errai.load("holdem"), "raise call / bet", "Ks7h2d")  betting and board of the whole hand
    found.hands("AhQd")                                                {"AhQd": {"fold": .., "call": .., "raise": ..}}
    found.hands("AQ, 77+")                                             the same for every hand of a range
    found.reached("AhQd")                                              {"AhQd": 1.0}: how often it is played to here
    found.overall()                                                    {"fold": .., "call": .., "raise": ..}
    query(strategy, "rc/rc/", "Ks7h2d5c", values=True).values()        in chips: what every action is worth

It is what `errai query` prints and what a page can show.

A strategy has an answer for every hand at every decision, also for hands that it never plays to there. That answer is
no advice: such hands have a `reach` near 0, and `overall` weighs each hand as often as it is really held there,

    weight[h] = range[h] x reach[h] x the opponent's hands, weighted in the same way, that share no card with h
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hands
from errai.games.spot import opposing_weights
from errai.games.state import HandState, parse_state
from errai.strategy.choosing import chosen_hands
from errai.strategy.strategy import Decision, Strategy, decidable

LEAST_SHARE = 1e-12  # of the opponent's hands, that one may leave possible; less is rounding
Named = dict[str, dict[str, float]]  # hand -> name of the action -> number


@dataclass(frozen=True)
class Query:
    """A decision and its state."""

    strategy: Strategy
    state: HandState
    decision: Decision

    @property
    def names(self) -> dict[str, str]:
        """Action -> its name here."""
        return {action: self.state.action_name(action) for action in self.decision.actions}

    @property
    def board(self) -> str:
        """The public cards as people write them."""
        return self.state.deck.format_board(self.state.board)

    @property
    def betting(self) -> str:
        """The betting of the whole hand."""
        return self.state.betting.rstrip("/")

    @property
    def seat(self) -> str:
        """Who is to act."""
        return self.strategy.seats[self.decision.player]

    @property
    def pot_blinds(self) -> float | None:
        """The pot in big blinds; None in a game of antes."""
        first, second = self.state.game.blinds
        return None if first == second else self.state.pot / self.strategy.big_blind

    @property
    def has_grid(self) -> bool:
        """Whether the hands are those of hold'em, which are shown as a 13 x 13 grid."""
        game = self.state.game
        return (game.suits, game.ranks, game.hole_cards) == (4, 13, 2)

    @property
    def held(self) -> NDArray[np.float64]:
        """[N] the range of the player to act: as the strategy began with it, on this board."""
        live = ~np.isnan(self.decision.probabilities).all(axis=1)
        return np.where(live, self.strategy.range_of(self.decision.player), 0.0)

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """[N] how often the player to act, holding a hand, plays so as to get here; see Strategy.reach."""
        return self.strategy.reach(self.state, self.decision.player)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """[N] how often the player to act holds each hand here, up to a common factor; all 0 where nobody gets to.

        Where only the opponent never gets here, its hands are left out of it.
        """
        own = self.held * self.reach
        opponent = self.range_of(1 - self.decision.player)
        holes = hands(self.state.deck.size, self.state.game.hole_cards)
        apart = opposing_weights(holes, opponent)
        met = own * np.where(apart > LEAST_SHARE * opponent.sum(), apart, 0.0)
        return met if met.any() else own

    def range_of(self, player: int) -> NDArray[np.float64]:
        """[N] the range of a player as the strategy gets here."""
        return self.strategy.range_of(player) * self.strategy.reach(self.state, player)

    def hands(self, hand: str | None = None) -> Named:
        """Hand, the higher card first -> name of the action -> probability: of some hands, or of all in the range."""
        return self._named(self.decision.probabilities, hand)

    def values(self, hand: str | None = None, scale: float = 1.0) -> Named:
        """The same for the expected value of every action, in chips times `scale`; nan where it is not known."""
        assert self.decision.values is not None
        return self._named(self.decision.values * scale, hand)

    def reached(self, hand: str | None = None) -> dict[str, float]:
        """Hand -> how often it is played to here."""
        return {self._shown(number): float(self.reach[number]) for number in self.chosen(hand)}

    def overall(self, hand: str | None = None) -> dict[str, float]:
        """Name of the action -> how often the player takes it here, with some hands or all; empty if never here."""
        chosen = self.chosen(hand)
        weights = self.weights[chosen]
        if not weights.any():
            return {}
        return dict(
            zip(self.names.values(), weighted_mean(self.decision.probabilities[chosen], weights), strict=True)
        )

    def chosen(self, hand: str | None = None) -> NDArray[np.int64]:
        """The numbers of the hands that a text names, or of all in the range."""
        if hand is None:
            return np.flatnonzero(self.held > 0)
        return chosen_hands(self.strategy, self.state, hand)

    def to_json(self, hand: str | None = None) -> dict[str, Any]:
        """All of it, as JSON holds it."""
        content = {
            "game": self.strategy.title,
            "player": self.decision.player,
            "seat": self.seat,
            "betting": self.betting,
            "board": self.board,
            "pot": self.state.pot,
            "pot_bb": self.pot_blinds,
            "actions": list(self.names.values()),
            "overall": self.overall(hand),
            "hands": self.hands(hand),
            "reach": self.reached(hand),
        }
        if self.decision.values is not None:
            content["values"] = self.values(hand)
            content["values_mbb"] = self.values(hand, 1000 / self.strategy.big_blind)
        return content

    def _named(self, table: NDArray[np.float64], hand: str | None) -> Named:
        names = list(self.names.values())
        return {
            self._shown(number): dict(zip(names, map(float, table[number]), strict=True))
            for number in self.chosen(hand)
        }

    def _shown(self, number: int) -> str:
        deck = self.state.deck
        return deck.format_cards(hands(deck.size, self.state.game.hole_cards)[number][::-1])


def weighted_mean(table: NDArray[np.float64], weights: NDArray[np.float64]) -> list[float]:
    """The mean of the rows of a table [N, columns], weighted; rows of weight 0 do not count."""
    used = weights > 0
    total = fsum(weights[used])
    return [fsum(weights[used] * column) / total for column in table[used].T]


def query(
    strategy: Strategy,
    betting: str | None = None,
    board: str | None = None,
    *,
    values: bool = False,
    threads: int = 1,
) -> Query:
    """A decision; betting and board are of the whole hand, or where the strategy begins."""
    first_betting, first_board = strategy.beginning()
    game = strategy.game
    state = parse_state(game, first_betting if betting is None else betting)
    if not state.over:
        state = state.on_board(first_board if board is None else board)
    return Query(strategy, state, strategy.decision(decidable(state), values=values, threads=threads))
