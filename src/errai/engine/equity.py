"""Equity: the chance to win, ties counted half, when everything is checked down from a spot.

The engine itself computes it. In a game without raises each player has put in one chip and nothing follows
but cards, so the value of a hand is P(win) - P(lose) and

    equity = P(win) + P(tie) / 2 = (1 + value) / 2
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hand_count
from errai.engine.evaluation import Evaluator
from errai.engine.layout import layout
from errai.games.spot import Spot


@dataclass(frozen=True)
class Equity:
    """Equities of both seats. N hands in the order of `errai.cards.notation.hands`."""

    seats: tuple[float, float]
    hands: tuple[NDArray[np.float64], NDArray[np.float64]]  # [N] by seat, nan for hands without an opponent
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]  # [N] by seat, of the opposing hands


def checked_down(spot: Spot) -> Spot:
    """The same cards and ranges with one chip each in the pot and nothing left to bet."""
    game = replace(spot.game, max_raises=(0,) * spot.game.rounds)
    round_ = spot.state.round
    first = game.first_player[round_]
    state = replace(spot.state, game=game, player=first, spent=(1, 1), raises=0, acted=0)
    return replace(spot, state=state)


def equity(spot: Spot, threads: int = 1) -> Equity:
    """Equities of both seats and of every hand of theirs."""
    shown = layout(checked_down(spot), isomorphism=False)
    count = int(shown.hand_classes.first[1])
    hand = shown.hand_classes.hand[:count]
    total = hand_count(spot.deck.size, spot.game.hole_cards)
    # With one action at each decision any weights are the strategy of checking.
    checking = np.zeros(int(shown.boards.offset[-1]), np.float32)
    by_seat, weight_by_seat = [], []
    evaluator = Evaluator(shown, threads)
    try:
        for seat in (0, 1):
            chance, weight = np.full(total, np.nan), np.zeros(total)
            chance[hand] = (1 + evaluator.hand_values(seat, checking)) / 2
            weight[hand] = evaluator.opposing_weight(seat)
            by_seat.append(chance)
            weight_by_seat.append(weight)
    finally:
        evaluator.close()
    held = spot.ranges[0] * weight_by_seat[0]
    first = float((held * np.nan_to_num(by_seat[0])).sum() / held.sum())
    return Equity((first, 1 - first), (by_seat[0], by_seat[1]), (weight_by_seat[0], weight_by_seat[1]))


def equities(spot: Spot, threads: int = 1) -> tuple[float, float]:
    """The equity of seat 0 and of seat 1."""
    return equity(spot, threads).seats
