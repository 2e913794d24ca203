"""How good a strategy is: its value and a true best response to it.

The best response walks the same public tree in the same layout as the solver, with a maximum where the solver
mixes (Johanson et al., "Accelerating Best Response Calculation in Large Extensive Games", 2011). It works in
double precision on the weights as they are saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hands
from errai.engine.kernels.arrays import BEST, VALUE, Weights
from errai.engine.layout import Layout
from errai.engine.store import Numbers
from errai.engine.walker import Walker
from errai.errors import ErraiError
from errai.games.spot import opposing_weights, pair_weight


@dataclass(frozen=True)
class Evaluation:
    """Chips per game by seat. Weights are of a profile: both players' strategies in one array."""

    value: tuple[float, float]
    best_response: tuple[float, float]
    unit: float  # chips of one big blind

    @property
    def exploitability(self) -> float:
        """Mean of what the two best responses win: 0 at an equilibrium."""
        return sum(self.best_response) / 2

    @property
    def exploitability_mbb(self) -> float:
        return 1000 * self.exploitability / self.unit

    @property
    def nash_conv(self) -> float:
        return sum(self.best_response)

    @property
    def bounds(self) -> tuple[float, float]:
        """Proven bounds of the game's value for seat 0: what each best response concedes.

        At an equilibrium the two are equal but for rounding, which must not put the lower one above the upper one.
        """
        low, high = -self.best_response[1], self.best_response[0]
        return min(low, high), max(low, high)


class Evaluator:
    """Values and best responses of weights in one layout."""

    def __init__(self, layout: Layout, threads: int = 1) -> None:
        self._layout = layout
        self._walker = Walker(layout, threads, np.float64)
        self._pairs = pair_weight(layout.spot)

    def evaluate(self, weights: Numbers) -> Evaluation:
        """The profile's value and both best responses."""
        best = [self._values(seat, BEST, weights) for seat in (0, 1)]
        return evaluation_of(self._layout, self._values(0, VALUE, weights), best, self._pairs)

    def warm_up(self, weights: Numbers) -> None:
        """Compile the kernels, or load them, for this kind of weights."""
        self._walker.warm_up(Weights(weights))

    def hand_values(self, seat: int, weights: Numbers, best: bool = False) -> NDArray[np.float64]:
        """[H] chips that each hand class of the root wins, on the deals that the other's range allows."""
        values = self._values(seat, BEST if best else VALUE, weights)
        live = self.opposing_weight(seat)
        return np.divide(values, live, out=np.full(live.shape, np.nan), where=live > 0)

    def opposing_weight(self, seat: int) -> NDArray[np.float64]:
        """[H] weight of the other's hands that share no card with each hand class of the root."""
        spot = self._layout.spot
        first = self._layout.hand_classes.hand[: self._layout.hand_classes.first[1]]
        holes = hands(spot.deck.size, spot.game.hole_cards)
        return opposing_weights(holes, spot.ranges[1 - seat])[first]

    def close(self) -> None:
        self._walker.close()

    def _values(self, seat: int, mode: int, weights: Numbers) -> NDArray[np.float64]:
        return np.array(self._walker.values(seat, mode, Weights(weights)), dtype=np.float64)


def evaluation_of(
    layout: Layout, value: NDArray[np.floating], best: Sequence[NDArray[np.floating]], pairs: float
) -> Evaluation:
    """From values [H] of the root's hand classes: of seat 0, and of both best responses."""
    H = int(layout.hand_classes.first[1])
    size, hand = layout.hand_classes.size[:H], layout.hand_classes.hand[:H]

    def mean(seat: int, values: NDArray[np.floating]) -> float:
        return float((size * layout.spot.ranges[seat][hand] * values).sum() / pairs)

    own, won = mean(0, value), [mean(seat, values) for seat, values in enumerate(best)]
    if not all(map(isfinite, (own, *won))):
        raise ErraiError(
            f"best responses to this strategy win {won[0]} and {won[1]} chips: its numbers are too large "
            "or too small; solve it again in float64, or with chips of another size"
        )
    return Evaluation((own, -own), (won[0], won[1]), layout.spot.game.unit)
