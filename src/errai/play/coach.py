"""What a strategy would have done, and what a decision cost.

    judged(strategy, view, action).loss         chips, by the strategy's own values: the best action's less this one's

Values are exact where few enough cards are to come, with both ranges as the strategy plays them: on the turn and the
river for a strategy on buckets, everywhere for an exact solution. Elsewhere only the probabilities are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

from errai.errors import ErraiError
from errai.games.state import HandState, MatchState
from errai.strategy.strategy import Strategy


@dataclass(frozen=True)
class Judgement:
    """One decision of a player, seen by a strategy."""

    state: HandState
    action: str
    shares: dict[str, float]  # what the strategy does with the hand
    values: dict[str, float] | None  # chips won in the whole hand on average; None where they cannot be had

    @property
    def loss(self) -> float | None:
        """Chips that the best action wins more than the one taken."""
        if self.values is None or self.action not in self.values:
            return None
        return max(self.values.values()) - self.values[self.action]


def judged(strategy: Strategy, view: MatchState, action: str, threads: int = 1) -> Judgement:
    """The decision of the player who sees a view, by a strategy for both players."""
    state = view.state
    hand = state.hole[view.seat]
    if hand is None:
        raise ErraiError(f"the cards of seat {view.seat} are not known")
    number = strategy.hand_number(hand, state)
    try:
        found = strategy.decision(state, values=True, threads=threads)
    except ErraiError:
        found = strategy.decision(state)
    shares = dict(zip(found.actions, map(float, found.probabilities[number]), strict=True))
    values = None
    if found.values is not None:
        worth = dict(zip(found.actions, map(float, found.values[number]), strict=True))
        values = None if any(map(isnan, worth.values())) else worth
    return Judgement(state, action, shares, values)
