"""Everett's conditions for a tournament, checked in exact integers, so that printed bounds are proven.

The value map M turns a vector v of winning probabilities into the values of the hands whose outcomes are worth v.
By Everett's theorem (1957) v is a lower bound of what player 1 can guarantee if M(v) > v wherever v > 0 (and M(v)
>= v elsewhere), and the strategy that shows it in each hand guarantees v in the tournament. It is an upper bound
if M(v) <= v.

A strategy x for player 1 shows M(v) >= V(x), which is a sum of minima over player 2's options; an answer y of
player 2 shows M(v) <= U(y), a sum of maxima over player 1's actions. So no linear program is needed to check
either. Strategies are rounded to multiples of 1/Q and vectors to multiples of 1/D, and every number below is a
whole number of

    1 / (D Q deals)        deals = pairs of hands x boards

The sums over classes are products of integer matrices. They are split into parts small enough that floating point
computes them without rounding; everything after that is Python's integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.jamfold.equities import BOARDS, PAIRS, Counts, equities
from errai.jamfold.matrix_game import Floats
from errai.jamfold.recursive_game import (
    FOLDED,
    GIVEN,
    LOST,
    NOWHERE,
    STOLEN,
    TIED,
    WON,
    StationaryProfile,
    Tournament,
)
from errai.jamfold.respond import longest
from errai.outward import above, below

Q = 1 << 30  # strategies are multiples of 1/Q
D = 10**15  # winning probabilities are multiples of 1/D
MARGIN = 2e-11  # winning probability that a bound gives away for each hand that can still come
_LIMB = 1 << 15

Integers = NDArray[Any]  # of Python's integers


@dataclass(frozen=True, eq=False)
class Bounds:
    """[Z] numerators over D: player 1 can guarantee at least `lower`, and player 2 can hold that to `upper`."""

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]

    @property
    def width(self) -> float:
        """How far the two are apart at most."""
        return above(Fraction(int((self.upper - self.lower).max()), D))


def proven(numerators: NDArray[np.int64]) -> Floats:
    """Lower bounds over D as floats, rounded down; give the negative of an upper bound, and negate the result."""
    return np.array([below(Fraction(numerator, D)) for numerator in numerators.tolist()])


def rounded(strategy: Floats) -> NDArray[np.int64]:
    """A strategy in multiples of 1/Q."""
    return np.rint(np.clip(strategy, 0.0, 1.0) * Q).astype(np.int64)


def rounded_answer(play: StationaryProfile) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Player 2's answers in multiples of 1/Q that add up to 1: the likeliest option takes up the rest."""
    options = np.stack([rounded(choice) for choice in (play.passes, play.calls, play.gives)])
    likeliest = options.argmax(axis=0)[None]
    rest = Q - options.sum(axis=0)[None]
    np.put_along_axis(options, likeliest, np.take_along_axis(options, likeliest, axis=0) + rest, axis=0)
    return options[0], options[1], options[2]


def product(left: NDArray[np.int64], right: Counts) -> Integers:
    """left @ right in Python's integers. `left` is up to Q, `right` up to 2^28, and there are 169 terms."""
    matrix = right.astype(np.float64)
    high, low = np.divmod(left, _LIMB)
    parts = [
        np.rint(limb.astype(np.float64) @ matrix).astype(np.int64).astype(object) for limb in (high, low)
    ]
    return parts[0] * _LIMB + parts[1]


def guaranteed(tournament: Tournament, jam: NDArray[np.int64], values: NDArray[np.int64]) -> Integers:
    """[live] V(x) in every hand: what a strategy is sure to win when outcomes are worth `values` over D."""
    counts, live = equities(), tournament.live
    x = jam[live]
    worth = _worth(tournament, values)
    pairs = counts.pairs
    rest, jammed = product(Q - x, pairs) * BOARDS, product(x, pairs) * BOARDS
    base = worth[FOLDED] * rest
    least = (
        base
        + worth[WON] * product(x, counts.wins)
        + worth[LOST] * product(x, counts.losses)
        + worth[TIED] * product(x, counts.ties)
    )
    for option, total in (
        (STOLEN, base + worth[STOLEN] * jammed),
        (GIVEN, worth[GIVEN] * (pairs.sum(axis=0).astype(object) * (BOARDS * Q))),
    ):
        exists = tournament.following[live, option] != NOWHERE
        least = np.where(exists[:, None], np.minimum(least, total), least)
    return least.sum(axis=1)


def conceded(
    tournament: Tournament,
    answer: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    values: NDArray[np.int64],
) -> Integers:
    """[live] U(y) in every hand: the most that anything wins against an answer, outcomes worth `values` over D."""
    counts, live = equities(), tournament.live
    passes, calls, gives = (choice[live] for choice in answer)
    worth = _worth(tournament, values)
    pairs = counts.pairs
    given = worth[GIVEN] * product(gives, pairs.T) * BOARDS
    folds = worth[FOLDED] * product(Q - gives, pairs.T) * BOARDS + given
    jams = (
        given
        + worth[STOLEN] * product(passes, pairs.T) * BOARDS
        + worth[WON] * product(calls, counts.wins.T)
        + worth[LOST] * product(calls, counts.losses.T)
        + worth[TIED] * product(calls, counts.ties.T)
    )
    may_fold = tournament.following[live, FOLDED] != NOWHERE
    return np.where(may_fold[:, None], np.maximum(folds, jams), jams).sum(axis=1)


def proven_bounds(tournament: Tournament, play: StationaryProfile, values: Floats) -> Bounds:
    """Bounds a little below and above the values of a play, after both conditions have been checked."""
    upper = _numerators(tournament, np.ceil((values + MARGIN * longest(tournament, play, 0)) * D))
    check_upper(tournament, rounded_answer(play), upper)
    return Bounds(proven_lower(tournament, play, values), upper)


def proven_lower(tournament: Tournament, play: StationaryProfile, values: Floats) -> NDArray[np.int64]:
    """[Z] a little below the values of player 1's strategy, after the first condition has been checked.

    A bound gives away MARGIN for every hand that can still come when player 2 stalls: that makes inequalities strict.
    """
    slack = MARGIN * longest(tournament, play, 1)
    lower = _numerators(tournament, np.floor(np.maximum(values - slack, 0.0) * D))
    check_lower(tournament, rounded(play.jam), lower)
    return lower


def _numerators(tournament: Tournament, scaled: Floats) -> NDArray[np.int64]:
    """Whole numbers over D: 0 and D where the tournament is over."""
    out = np.rint(tournament.ends * D).astype(np.int64)
    out[tournament.live] = scaled[tournament.live].astype(np.int64)
    return out


def check_lower(tournament: Tournament, jam: NDArray[np.int64], lower: NDArray[np.int64]) -> None:
    """Everett's first condition: every hand is worth more than the bound says, and not less where that is 0.

    The bounds must also rise with the stack. Lemma 2 of the paper rests on that: a small blind who bets more than a
    call before folding to the jam of a big blind only gives chips away, so G'' has all options that matter.
    """
    live = tournament.live
    for seat in (0, 1):
        if (np.diff(tournament.by_units(lower, seat)) < 0).any():
            raise ErraiError("the lower bounds are not proven: they fall somewhere as the stack grows")
    shown = guaranteed(tournament, jam, lower)
    claimed = lower[live].astype(object) * (Q * PAIRS * BOARDS)
    holds = np.where(lower[live] > 0, shown > claimed, shown >= claimed)
    _require(tournament, holds, "lower")


def check_upper(
    tournament: Tournament,
    answer: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    upper: NDArray[np.int64],
) -> None:
    """Everett's second condition: no hand is worth more than the bound says."""
    live = tournament.live
    shown = conceded(tournament, answer, upper)
    _require(tournament, shown <= upper[live].astype(object) * (Q * PAIRS * BOARDS), "upper")


def _worth(tournament: Tournament, values: NDArray[np.int64]) -> list[Integers]:
    """By outcome, [live, 1] what it is worth; 0 where it cannot happen."""
    following = tournament.following[tournament.live]
    worth = np.where(following == NOWHERE, 0, values[following]).astype(object)
    return [worth[:, [outcome]] for outcome in range(worth.shape[1])]


def _require(tournament: Tournament, holds: NDArray[Any], which: str) -> None:
    if holds.all():
        return
    wrong = tournament.live[~holds.astype(bool)]
    seat, units = divmod(int(wrong[0]), tournament.units + 1)
    blind = ("small", "big")[seat]
    raise ErraiError(
        f"the {which} bounds are not proven: Everett's condition fails in {len(wrong)} of {len(holds)} hands, "
        f"first with {units * tournament.step} chips in the {blind} blind"
    )
