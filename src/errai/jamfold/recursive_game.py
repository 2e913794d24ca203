"""A tournament as a recursive game (Everett 1957): hands that lead to hands, until somebody has all the chips.

A *state* is who posts the small blind and how many units of chips player 1 has; its *game* is one hand of jam
or fold, whose outcomes are states. There are six outcomes:

    won, lost, tied      a showdown for the effective stack
    folded               player 1 folds the blind
    stolen               player 2 folds to a jam
    given                player 2 folds before player 1 acts

With strategies fixed, everything that matters of a hand are sums over its classes. For player 1's strategy x these
are, for each class b of player 2,

    jammed[b] = sum over a of x[a] pairs[a, b],   rest[b] = sum of (1 - x[a]) pairs[a, b],   wins[b], losses[b],
    ties[b]

so the answers of all 318 hands of the paper's tournament are a handful of matrix products.

Legend: Z states (both seats, 0 to U units), C classes (169).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.jamfold.equities import CLASSES
from errai.jamfold.hand import Hand
from errai.jamfold.matrix_game import Floats, MatrixGame, big_blinds_hand, shares, small_blinds_hand

WON, LOST, TIED, FOLDED, STOLEN, GIVEN = range(6)
OUTCOMES = ("won", "lost", "tied", "folded", "stolen", "given")
NOWHERE = -1
MOST_CHIPS = 10**9


def divisors(number: int) -> list[int]:
    """All divisors of a number above 0, smallest first."""
    small = [step for step in range(1, isqrt(number) + 1) if number % step == 0]
    return sorted({*small, *(number // step for step in small)})


@dataclass(frozen=True)
class Tournament:
    """Two players, `chips` in all, blinds that stay. Stacks are multiples of `step`: what is odd is ignored."""

    chips: int
    small_blind: int
    big_blind: int
    ante: int = 0
    step: int = 1

    def __post_init__(self) -> None:
        if self.step < 1:
            raise ErraiError(f"step must be 1 chip or more, not {self.step}", parameter="step")
        for name, amount in (
            ("chips in all", self.chips),
            ("small blind", self.small_blind),
            ("big blind", self.big_blind),
            ("ante", self.ante),
        ):
            if amount % self.step:
                raise ErraiError(
                    f"{amount} is no multiple of the step of {self.step}: the {name} must be; step may be "
                    f"{self._steps()}, and a player ignores odd chips without losing what is proven",
                    parameter="step",
                )
        self._require_chips()

    def _steps(self) -> str:
        """Some steps that would do, the largest first."""
        common = gcd(self.chips, self.small_blind, self.big_blind, self.ante)
        found = divisors(common)[::-1] if 0 < common <= MOST_CHIPS else [1]
        return ", ".join(map(str, found[:5])) + (" or less" if len(found) > 5 else "")

    def _require_chips(self) -> None:
        """Refuse chips with which no hand has a decision: both must be able to post and still have some left."""
        if self.chips > MOST_CHIPS:
            raise ErraiError(
                f"chips must be at most {MOST_CHIPS:,}, not {self.chips:,}; count them in larger units",
                parameter="chips",
            )
        # A hand refuses blinds and antes that no hand can have.
        posted = Hand(
            (Fraction(1), Fraction(1)), *map(Fraction, (self.small_blind, self.big_blind, self.ante))
        )
        least = 2 * int(posted.ante + posted.small_blind + self.step)
        if self.chips < least:
            raise ErraiError(
                f"chips must be at least {least:,} with these blinds, ante and step, not {self.chips:,}: else a "
                "player is all in before the cards in every hand, and nobody decides anything",
                parameter="chips",
            )

    @property
    def units(self) -> int:
        """U: units of chips in all."""
        return self.chips // self.step

    @property
    def states(self) -> int:
        """Z: the states in which somebody has no chips included."""
        return 2 * (self.units + 1)

    def state(self, seat: int, units: int) -> int:
        """The number of a state: seat 0 posts the small blind with so many units."""
        return seat * (self.units + 1) + units

    def by_units(self, vector: NDArray[Any], seat: int) -> NDArray[Any]:
        """[U + 1] the part of a vector [Z] for one seat, by player 1's units of chips."""
        first = self.state(seat, 0)
        return vector[first : first + self.units + 1]

    def hand(self, seat: int, units: int) -> Hand:
        """The hand that is played in a state."""
        mine, other = Fraction(units * self.step), Fraction(self.chips - units * self.step)
        stacks = (mine, other) if seat == 0 else (other, mine)
        return Hand(stacks, Fraction(self.small_blind), Fraction(self.big_blind), Fraction(self.ante))

    @cached_property
    def live(self) -> NDArray[np.int64]:
        """[2 (U - 1)] states in which a hand is played."""
        return np.array([self.state(seat, units) for seat in (0, 1) for units in range(1, self.units)])

    def game(self, state: int) -> MatrixGame[int]:
        """The hand of a state; its payoffs are the states that follow, with the button moved."""
        seat, units = divmod(state, self.units + 1)

        def following(won: Fraction) -> int:
            return self.state(1 - seat, units + int(won / self.step))

        return (small_blinds_hand, big_blinds_hand)[seat](self.hand(seat, units), following)

    @cached_property
    def following(self) -> NDArray[np.int64]:
        """[Z, 6] the state after each outcome; NOWHERE where it cannot happen."""
        table = np.full((self.states, len(OUTCOMES)), NOWHERE)
        for state in self.live:
            game = self.game(int(state))
            for outcome, name in enumerate(OUTCOMES):
                target = getattr(game, name)
                table[state, outcome] = NOWHERE if target is None else target
        return table

    @cached_property
    def ends(self) -> Floats:
        """[Z] 1 where player 1 has all the chips, 0 elsewhere."""
        values = np.zeros(self.states)
        values[[self.state(0, self.units), self.state(1, self.units)]] = 1.0
        return values


@dataclass(frozen=True, eq=False)
class StationaryProfile:
    """What both do in every state: player 1 jams, player 2 passes, calls or gives; [Z, C] each."""

    jam: Floats
    passes: Floats
    calls: Floats
    gives: Floats


def nothing(tournament: Tournament) -> StationaryProfile:
    """Arrays to fill."""
    return StationaryProfile(*(np.zeros((tournament.states, CLASSES)) for _ in range(4)))


def chances(play: StationaryProfile) -> Floats:
    """[Z, 6] how likely each outcome of a hand is."""
    of = shares()
    called = {
        name: (play.jam @ getattr(of, name) * play.calls).sum(axis=1) for name in ("wins", "losses", "ties")
    }
    out = np.empty((len(play.jam), len(OUTCOMES)))
    out[:, WON], out[:, LOST], out[:, TIED] = called["wins"], called["losses"], called["ties"]
    out[:, FOLDED] = ((1 - play.jam) @ of.pairs * (1 - play.gives)).sum(axis=1)
    out[:, STOLEN] = (play.jam @ of.pairs * play.passes).sum(axis=1)
    out[:, GIVEN] = (play.gives * of.pairs.sum(axis=0)).sum(axis=1)
    return out


def values_of(tournament: Tournament, outcome: Floats, reward: Floats | None = None) -> Floats:
    """[Z] what playing on and on is worth: the solution of v = reward + the mean of v over what follows.

    Without a reward it is the probability that player 1 wins the tournament.
    """
    live, following = tournament.live, tournament.following
    place = np.full(tournament.states, NOWHERE)
    place[live] = np.arange(len(live))
    system = np.eye(len(live))
    right = np.zeros(len(live)) if reward is None else reward[live].copy()
    for kind in range(len(OUTCOMES)):
        target = following[live, kind]
        real = target != NOWHERE
        row, chance = np.flatnonzero(real), outcome[live[real], kind]
        goes_on = place[target[real]] != NOWHERE
        np.add.at(system, (row[goes_on], place[target[real][goes_on]]), -chance[goes_on])
        if reward is None:
            np.add.at(right, row, chance * tournament.ends[target[real]])
    values = tournament.ends.copy() if reward is None else np.zeros(tournament.states)
    values[live] = np.linalg.solve(system, right)
    return values


def payoffs(tournament: Tournament, values: Floats) -> Floats:
    """[Z, 6] what each outcome is worth; 0 where it cannot happen."""
    return np.where(tournament.following == NOWHERE, 0.0, values[tournament.following])
