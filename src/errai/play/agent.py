"""Whoever sits at a table: a state in, probabilities out.

    agent.probabilities(view)       action -> probability, at a state in which its seat is to act
    agent.watch(view)               every state that its seat sees, before anybody acts and at the end of the hand
    agent.batch()                   the same for many hands at once (errai.play.batch), where it can

A view is what the ACPC dealer would send to the seat: the state with the opponent's cards hidden until a showdown.
A lookup agent ignores what it watches, a program behind a socket is sent all of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState, MatchState
from errai.play.batch import BatchAgent
from errai.play.lookup import lookup_agent
from errai.strategy.strategy import Strategy

Shares = Mapping[str, float]  # action -> probability


class Agent(ABC):
    """A player of one game, in either seat."""

    def __init__(self, name: str, game: GameDefinition) -> None:
        self.name, self.game = name, game

    @abstractmethod
    def probabilities(self, view: MatchState) -> Shares:
        """What it does where its seat is to act."""

    def watch(self, view: MatchState) -> None:  # noqa: B027 - most have no use for it
        """A state that its seat sees."""

    def batch(self) -> BatchAgent | None:
        """The same agent for many hands at once; None if it plays only hand by hand."""
        return None

    def plays_as(self, other: Agent) -> bool:
        """Whether the other is the same player, so that what both look up need not be held twice."""
        return False

    def close(self) -> None:  # noqa: B027
        """The match is over."""


class StrategyAgent(Agent):
    """Plays a strategy as it was saved."""

    def __init__(self, name: str, strategy: Strategy) -> None:
        super().__init__(name, strategy.game)
        self.strategy = strategy

    def probabilities(self, view: MatchState) -> Shares:
        state = view.state
        hand = state.hole[view.seat]
        if hand is None:
            raise ErraiError(f"{self.name} does not know its own cards in seat {view.seat}")
        return self.strategy.probabilities(hand, state)

    def plays_as(self, other: Agent) -> bool:
        return isinstance(other, StrategyAgent) and other.strategy is self.strategy

    def batch(self) -> BatchAgent | None:
        return lookup_agent(self.name, self.strategy)


def seen_by(state: HandState, seat: int, number: int = 0) -> MatchState:
    """What a seat sees of a state."""
    return MatchState(state.seen_by(seat), seat, number)


def chosen(shares: Shares, draw: float) -> str:
    """The action that a random number from 0 to 1 takes, in the order in which they are given."""
    below, last = 0.0, ""
    for action, share in shares.items():
        if share > 0:
            below, last = below + share, action
            if draw < below:
                break
    return last
