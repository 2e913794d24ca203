"""What the opponent does before a subgame that is solved again: the gadgets of safe re-solving.

Every hand h of the opponent wins c[h] at best from the strategy that was played before, its counterfactual value.
What a hand gains over c[h] in the new solution makes the whole strategy more exploitable, what it loses less. A
gadget is a choice of the opponent at the root: how often each hand comes into the subgame, learned by regret matching
along with everything below it. With v[h] the values of an iteration, w[h] how often a hand is thought to come:

    unsafe       all hands come as often as they are thought to, w[h]. No promise
    gadget       each hand takes c[h] or follows, to get v[h]; it comes w[h] f[h] times, f its share of following
                 (Burch, Johanson and Bowling 2014)
    max-margin   the opponent chooses the hand that gains the most, v[h] - c[h] (Moravcik et al. 2016)
    guarded      all hands come as often as they are thought to, and on top of that m w[h] f[h] times, f as in the
                 gadget: the best reply to the range among those that let no hand win more than c[h]

Of the last one: with m large enough the gadget's part is an exact penalty for v[h] > c[h], and it costs nothing where
no hand gains, so that the rest of the strategy is free to win from the range.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import FLOOR, NEGATIVE, POSITIVE, WEIGHT

Numbers = NDArray[np.float64]

LEAST_SHARE = 0.1  # of all reach, given to all hands alike: no hand is left without a guard
GUARD = 8.0  # how much more often than it is thought to come a hand may come to get its due


class Gadget(Protocol):
    """The opponent's choice at the root, for H hand classes."""

    def reach(self) -> Numbers:
        """[H] how often each hand comes into the subgame."""

    def update(self, values: Numbers, rates: Numbers) -> None:
        """Learn from the opponent's values [H] of an iteration with these rates [RATES] of its rule."""


class Unsafe:
    """Hands come as often as they are thought to."""

    def __init__(self, thought: Numbers, known: Numbers, size: Numbers) -> None:
        self._reach = thought

    def reach(self) -> Numbers:
        return self._reach

    def update(self, values: Numbers, rates: Numbers) -> None:
        """There is nothing to choose."""


class TakeOrFollow:
    """Every hand takes its counterfactual value or follows into the subgame."""

    def __init__(self, thought: Numbers, known: Numbers, size: Numbers) -> None:
        self._thought, self._known = thought, known
        self._regret = np.zeros((2, len(known)))  # of taking, of following

    @property
    def following(self) -> Numbers:
        """[H] the share of each hand that follows."""
        positive = np.maximum(self._regret, 0)
        total = positive.sum(axis=0)
        return np.divide(positive[1], total, out=np.full(total.shape, 0.5), where=total > 0)

    def reach(self) -> Numbers:
        return self._thought * self.following

    def update(self, values: Numbers, rates: Numbers) -> None:
        follows = self.following
        mean = (1 - follows) * self._known + follows * values
        _add(self._regret, np.stack([self._known - mean, values - mean]), rates)


class Guarded(TakeOrFollow):
    """Every hand comes as often as it is thought to, and more often where it wins more than it may."""

    def reach(self) -> Numbers:
        return self._thought * (1 + GUARD * self.following)


class MaxMargin:
    """One choice among all hands: of the one that gains the most."""

    def __init__(self, thought: Numbers, known: Numbers, size: Numbers) -> None:
        self._known, self._size = known, size
        self._regret = np.zeros(len(known))

    def reach(self) -> Numbers:
        positive = np.maximum(self._regret, 0)
        total = float((self._size * positive).sum())
        return positive / total if total > 0 else np.full(len(positive), 1 / self._size.sum())

    def update(self, values: Numbers, rates: Numbers) -> None:
        gain = values - self._known
        mean = float((self._size * self.reach() * gain).sum())
        _add(self._regret, gain - mean, rates)


GADGETS: dict[str, type[Unsafe | TakeOrFollow | Guarded | MaxMargin]] = {
    "unsafe": Unsafe,
    "gadget": TakeOrFollow,
    "max-margin": MaxMargin,
    "guarded": Guarded,
}


def _add(regret: Numbers, new: Numbers, rates: Numbers) -> None:
    """R = max(R (p if R > 0 else n) + u r, floor), as in errai.engine.rules."""
    regret *= np.where(regret > 0, rates[POSITIVE], rates[NEGATIVE])
    regret += rates[WEIGHT] * new
    np.maximum(regret, rates[FLOOR], out=regret)
