"""The first decision of a solved spot: how often each of the 169 hands does what, and what it is worth.

A cell of the grid is the mean of its combinations, weighted by the range. How often the player acts overall
also counts what the other holds: a combination weighs as much as the deals in which it is held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import GRID, hand_class_of
from errai.engine.equity import Equity
from errai.engine.evaluation import Evaluator
from errai.strategy.kinds.exact import ExactStrategy
from errai.strategy.lookup import classes_of, find_board
from errai.strategy.strategy import Decision


@dataclass(frozen=True)
class HandClass:
    """One cell of the grid."""

    combos: float  # weight in the range
    shares: dict[str, float]  # action letter -> how often
    equity: float
    ev: float  # net chips over the hand


@dataclass(frozen=True)
class FirstDecision:
    """What the player does at the root of the spot."""

    player: int
    names: dict[str, str]  # action letter -> its name here: check, bet, fold, call, raise
    overall: dict[str, float]  # action letter -> how often
    hands: dict[str, HandClass]  # in the order of the grid, those in the range

    def to_json(self) -> dict[str, Any]:
        def named(shares: dict[str, float]) -> dict[str, float]:
            return {self.names[letter]: share for letter, share in shares.items()}

        return {
            "player": ("oop", "ip")[self.player],
            "actions": list(self.names.values()),
            "frequencies": named(self.overall),
            "hands": {
                name: {
                    "combos": cell.combos,
                    "frequencies": named(cell.shares),
                    "equity": cell.equity,
                    "ev": cell.ev,
                }
                for name, cell in self.hands.items()
            },
        }


def first_decision(strategy: ExactStrategy, equity: Equity, threads: int = 1) -> FirstDecision:
    """The decision at the root, from the strategy and the equities of its spot."""
    spot = strategy.spot
    decision = strategy.decision()
    seat = decision.player
    held = spot.ranges[seat]
    chips = _hand_values(strategy, seat, threads)
    dealt = held * equity.weights[seat]
    shares = np.nan_to_num(decision.probabilities)
    overall = dealt @ shares / dealt.sum()
    cells = {}
    for name, combos in combos_of(held):
        weight = held[combos]
        mean = weight @ shares[combos] / weight.sum()
        cells[name] = HandClass(
            combos=float(weight.sum()),
            shares=dict(zip(decision.actions, map(float, mean), strict=True)),
            equity=_mean(equity.hands[seat][combos], dealt[combos]),
            ev=_mean(chips[combos], dealt[combos]),
        )
    return FirstDecision(
        player=seat,
        names={letter: spot.state.action_name(letter) for letter in decision.actions},
        overall=dict(zip(decision.actions, map(float, overall), strict=True)),
        hands=cells,
    )


def combos_of(held: NDArray[np.float64]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The classes of the grid that a range [N] has, each with its combinations [N] of positive weight."""
    of_class = hand_class_of()
    for index, name in enumerate(name for row in GRID for name in row):
        combos = (of_class == index) & (held > 0)
        if combos.any():
            yield name, combos


def class_shares(decision: Decision, held: NDArray[np.float64]) -> dict[str, dict[str, float]]:
    """Class of the grid -> action letter -> how often, the mean of its combinations weighted by the range [N]."""
    shares = np.nan_to_num(decision.probabilities)
    cells = {}
    for name, combos in combos_of(held):
        mean = held[combos] @ shares[combos] / held[combos].sum()
        cells[name] = dict(zip((action[0] for action in decision.actions), map(float, mean), strict=True))
    return cells


def class_values(decision: Decision, held: NDArray[np.float64]) -> dict[str, float]:
    """Class of the grid -> chips that its combinations win as the strategy plays on, weighted by the range [N]."""
    assert decision.values is not None
    played = np.where(decision.probabilities > 0, decision.probabilities * decision.values, 0.0).sum(axis=1)
    known = np.where(np.isnan(played), 0.0, held)
    return {name: _mean(played[combos], known[combos]) for name, combos in combos_of(held)}


def _hand_values(strategy: ExactStrategy, seat: int, threads: int) -> NDArray[np.float64]:
    """[N] net chips that every hand of the seat wins when both play the strategy."""
    evaluator = Evaluator(strategy.layout, threads)
    try:
        by_class = evaluator.hand_values(seat, strategy.weights)
    finally:
        evaluator.close()
    classes = classes_of(strategy.layout, find_board(strategy.layout, ()))
    return np.where(classes >= 0, by_class[np.maximum(classes, 0)], np.nan)


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """nan for hands that are never dealt because the other's range blocks them."""
    total = weights.sum()
    return float(np.nan_to_num(values) @ weights / total) if total > 0 else float("nan")
