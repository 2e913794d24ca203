"""What a strategy would have done, and what a decision cost.

    judged(strategy, view, action).loss         chips, by the strategy's own values: the best action's less this one's

Values are exact where few enough cards are to come, with both ranges as the strategy plays them: on the turn and the
river for a strategy on buckets, everywhere for an exact solution. Elsewhere they are estimated from sampled run-outs
(errai.strategy.run_outs), with a standard error, if any are wanted; otherwise only the probabilities are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isnan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.games.state import HandState, MatchState
from errai.strategy.strategy import Strategy

if TYPE_CHECKING:
    from errai.strategy.run_outs import RunOuts, Sampled


@dataclass(frozen=True)
class Judgement:
    """One decision of a player, seen by a strategy."""

    state: HandState
    action: str
    shares: dict[str, float]  # what the strategy does with the hand
    values: dict[str, float] | None  # chips won in the whole hand on average; None where they cannot be had
    sampled: Sampled | None = None  # where the values are estimates

    @cached_property
    def losses(self) -> NDArray[np.float64] | None:
        """[n] samples of the loss, where it is an estimate."""
        if self.sampled is None or self.action not in self.shares:
            return None
        return self.sampled.losses(self.action, self.shares)

    @property
    def loss(self) -> float | None:
        """Chips that the best action wins more than the one taken; None where that is not known.

        Where values are estimates the best would be picked for its luck: there it is what the strategy itself wins
        more, with all that it does. In an equilibrium the two are the same.
        """
        if self.values is None or self.action not in self.values:
            return None
        if self.losses is not None:
            return float(self.losses.mean())
        return max(self.values.values()) - self.values[self.action]

    @property
    def error(self) -> float | None:
        """The standard error of the loss: 0 where it is exact."""
        if self.values is None or self.action not in self.values:
            return None
        return 0.0 if self.losses is None else float(self.losses.std(ddof=1) / sqrt(len(self.losses)))


def judged(
    strategy: Strategy, view: MatchState, action: str, threads: int = 1, run_outs: RunOuts | None = None
) -> Judgement:
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
    if found.values is None and run_outs is not None:
        sampled = run_outs.of(state, number)
        if np.isfinite(sampled.values).all():
            means = dict(zip(sampled.actions, sampled.means.tolist(), strict=True))
            return Judgement(state, action, shares, means, sampled)
    if found.values is not None:
        worth = dict(zip(found.actions, map(float, found.values[number]), strict=True))
        values = None if any(map(isnan, worth.values())) else worth
    return Judgement(state, action, shares, values)
