"""What a match has shown so far: the mean in milli-big-blinds a game, with a 95% interval.

Chips of single hands are integers, and their sums are exact. With n samples x,

    mean = sum x / n      interval = mean -+ 1.96 sqrt(variance / n)      variance = (sum x^2 - n mean^2) / (n - 1)

A sample is a hand, or in a duplicate match a pair of hands with the same cards and the seats exchanged, the mean of
both: what the cards give to one seat they take from the other. Both hands of a pair are played in one block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.play.aivat import Estimates

Z95 = 1.959963984540054
MOST_POINTS = 1000  # of the curve of winnings


@dataclass(frozen=True)
class Estimate:
    """A mean and half the width of its 95% interval, in mbb/g."""

    mean_mbb: float
    ci95_mbb: float
    samples: int

    @property
    def interval(self) -> tuple[float, float]:
        return self.mean_mbb - self.ci95_mbb, self.mean_mbb + self.ci95_mbb

    @property
    def sign(self) -> int:
        """1 for a win, -1 for a loss, 0 where the interval holds zero."""
        low, high = self.interval
        return int(low > 0) - int(high < 0)


def narrowest(estimators: Mapping[str, Estimate]) -> Estimate:
    """The estimate with the smallest interval."""
    return min(estimators.values(), key=lambda estimate: estimate.ci95_mbb)


@dataclass
class Tally:
    """Samples that are added up, in chips."""

    samples: int = 0
    total: float = 0
    squares: float = 0

    def add(self, values: NDArray[np.int64] | NDArray[np.float64]) -> None:
        self.samples += len(values)
        self.total += values.sum().item()
        self.squares += (values * values).sum().item()

    def estimate(self, unit: float) -> Estimate:
        """In thousandths of a unit of chips."""
        n = self.samples
        if n == 0:
            return Estimate(0.0, inf, 0)
        mean = self.total / n
        variance = max(self.squares - n * mean * mean, 0.0) / (n - 1) if n > 1 else inf
        return Estimate(1000 * mean / unit, 1000 * Z95 * sqrt(variance / n) / unit, n)


@dataclass
class Score:
    """The winnings of the first of two agents."""

    game: GameDefinition
    planned: int  # hands
    duplicate: bool = False
    hands: Tally = field(default_factory=Tally)
    pairs: Tally = field(default_factory=Tally)
    reduced: dict[str, Tally] = field(default_factory=dict)  # estimators with less luck
    seats: tuple[Tally, Tally] = field(default_factory=lambda: (Tally(), Tally()))
    curve: list[tuple[int, float]] = field(default_factory=lambda: [(0, 0.0)])  # hands, chips won so far

    def add(self, won: NDArray[np.int64], first: NDArray[np.int64], reduced: Estimates | None = None) -> None:
        """Some more hands: what the first agent won [n], in which seat [n], and the same with less luck."""
        before, chips = self.hands.samples, self.hands.total
        self.hands.add(won)
        for seat, tally in enumerate(self.seats):
            tally.add(won[first == seat])
        for name, values in (
            {} if reduced is None else {"ranges": reduced.ranges, "aivat": reduced.aivat}.items()
        ):
            self.reduced.setdefault(name, Tally()).add(_paired(values) if self.duplicate else values)
        if self.duplicate:
            self.pairs.add(_paired(won))
        every = max(1, self.planned // MOST_POINTS)
        ends = np.arange(every - 1 - before % every, len(won), every)
        reached = np.cumsum(won)[ends]
        self.curve += zip((before + ends + 1).tolist(), (chips + reached).tolist(), strict=True)

    @property
    def estimators(self) -> dict[str, Estimate]:
        """By name, the plain one first."""
        found = {"plain": self.hands.estimate(self.game.unit)}
        if self.duplicate:
            found["duplicate"] = self.pairs.estimate(self.game.unit)
        found |= {name: tally.estimate(self.game.unit) for name, tally in self.reduced.items()}
        return found

    @property
    def best(self) -> Estimate:
        """The estimate with the smallest interval."""
        return narrowest(self.estimators)

    def by_seat(self) -> tuple[Estimate, Estimate]:
        """The plain estimates of the hands in each seat."""
        first, second = (tally.estimate(self.game.unit) for tally in self.seats)
        return first, second


def _paired(values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """[n / 2] the means of two hands that follow each other; the last is left out if it has no partner."""
    whole = len(values) // 2 * 2
    return (values[0:whole:2] + values[1:whole:2]) / 2
