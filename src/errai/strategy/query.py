"""A query: one decision of a strategy with the state where it is made, in the words of players.

    found = query(errai.load("holdem"), "crc/r", "Ks7h2d")          betting and board of the whole hand
    found.hands("AhQd")                                             {"AhQd": {"fold": .., "call": .., "raise": ..}}
    query(strategy, "rc/rc/", "Ks7h2d5c", values=True).values()     the same in chips: what every action is worth

It is what `errai query` prints and what a page can show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hands
from errai.games.state import HandState, parse_state
from errai.strategy.strategy import Decision, Strategy, decidable

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
        return {action: _name(self.state, action) for action in self.decision.actions}

    @property
    def board(self) -> str:
        """The public cards as people write them."""
        return self.state.deck.format_board(self.state.board)

    @property
    def betting(self) -> str:
        """The betting of the whole hand."""
        return self.state.betting.rstrip("/")

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

    def hands(self, hand: str | None = None) -> Named:
        """Hand, the higher card first -> name of the action -> probability: of one hand, or of all in the range."""
        return self._named(self.decision.probabilities, hand)

    def values(self, hand: str | None = None, scale: float = 1.0) -> Named:
        """The same for the expected value of every action, in chips times `scale`; nan where it is not known."""
        assert self.decision.values is not None
        return self._named(self.decision.values * scale, hand)

    def to_json(self, hand: str | None = None) -> dict[str, Any]:
        """All of it, as JSON holds it."""
        content = {
            "game": self.strategy.title,
            "player": self.decision.player,
            "betting": self.betting,
            "board": self.board,
            "pot": self.state.pot,
            "actions": list(self.names.values()),
            "hands": self.hands(hand),
        }
        if self.decision.values is not None:
            content["values"] = self.values(hand)
            content["values_mbb"] = self.values(hand, 1000 / self.strategy.big_blind)
        return content

    def _named(self, table: NDArray[np.float64], hand: str | None) -> Named:
        deck, game = self.state.deck, self.state.game
        if hand is None:
            chosen = np.flatnonzero(self.held > 0)
        else:
            chosen = np.array([self.strategy.hand_number(hand, self.state)])
        cards, names = hands(deck.size, game.hole_cards), list(self.names.values())
        return {
            deck.format_cards(cards[number][::-1]): dict(zip(names, map(float, table[number]), strict=True))
            for number in chosen
        }


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


def _name(state: HandState, action: str) -> str:
    """As players call it; an all-in raise is a jam."""
    if len(action) > 1 and int(action[1:]) >= state.stacks[state.player]:
        return "jam"
    return state.action_name(action)
