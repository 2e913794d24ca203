"""The CFR family as small rules of one solver.

With r the regret of this iteration, every rule here is

    R = max(R * (p_t if R > 0 else n_t) + u_t r, floor)        regret
    s ~ max(R, 0)   or, with prediction,  max(R * p_t+1 + r, 0)  strategy
    S = S * g_t + reach * s                                     average: g_t = weight_t-1 / weight_t

so a rule is four short schedules. A rule may be sharper than regret matching: with p the strategy above it plays

    s ~ p (1 + (q - 1) p)                                       sharpness q

which is regret matching where q = 1 and prefers the better actions where q > 1: a mixture of the polynomial
potentials of degree two and three (Hart and Mas-Colell 2001; Cesa-Bianchi and Lugosi 2003).

Updates alternate: seat 0 of iteration t plays against seat 1's strategy of iteration t, seat 1 against what seat 0
has become. The average of a player is gathered while the *other* is updated, because then his reach is known anyway.
For that the update of seat 1 that ends iteration t - 1 is done at the start of iteration t: after iteration t both
averages hold the strategies 1 to t, exactly as if each had been gathered in its own update, at no cost.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import (
    AVERAGING,
    FLOOR,
    NEGATIVE,
    POSITIVE,
    PREDICTION,
    RATES,
    SHARPNESS,
    WEIGHT,
)
from errai.errors import ErraiError

NO_FLOOR = -3.0e38

Schedule = Callable[[int, int], float]  # (iteration from 1, planned iterations) -> rate


def _one(t: int, planned: int) -> float:
    return 1.0


@dataclass(frozen=True)
class Rule:
    """One variant. The schedules take the iteration (from 1) and the number of planned iterations."""

    name: str
    formula: str
    source: str
    positive: Schedule = _one
    negative: Schedule = _one
    weight: Schedule = _one
    averaging: Schedule = _one  # g_t, the discount of the average before iteration t is added
    floor: bool = False
    prediction: bool = False
    sharpness: float = 1.0  # q; not together with prediction
    planned: bool = False  # the schedules depend on the number of planned iterations

    def rates(self, first: int, count: int, planned: int) -> NDArray[np.float64]:
        """[count, 2 players, RATES] for the iterations first..first+count (from 1)."""
        times = range(first - 1, first + count)  # seat 1's update belongs to the iteration before
        positive, negative, weight = (
            np.array([schedule(t, planned) if t else nothing for t in times])
            for schedule, nothing in ((self.positive, 1.0), (self.negative, 1.0), (self.weight, 0.0))
        )
        out = np.empty((count, 2, RATES))
        for player, own in ((0, slice(1, None)), (1, slice(0, -1))):
            out[:, player, POSITIVE] = positive[own]
            out[:, player, NEGATIVE] = negative[own]
            out[:, player, WEIGHT] = weight[own]
        out[:, :, FLOOR] = 0.0 if self.floor else NO_FLOOR
        out[:, :, PREDICTION] = positive[1:, None]
        out[:, :, AVERAGING] = np.array([self.averaging(t, planned) for t in times[1:]])[:, None]
        out[:, :, SHARPNESS] = self.sharpness
        return out


def power(base: float, exponent: float) -> float:
    """base^exponent of a positive number, with the same bits on every CPU, which the C library does not promise.

    Whole and half exponents are products and square roots, which are rounded alike everywhere. Any other is worked
    out with twice the digits of a float and rounded once.
    """
    twice = abs(2 * exponent)
    if twice != int(twice):
        return _wide_power(base, exponent)
    whole, half = divmod(int(twice), 2)
    product = math.sqrt(base) if half else 1.0
    square = base
    while whole:
        product = product * square if whole & 1 else product
        whole >>= 1
        square = square * square if whole else square
    return 1.0 / product if exponent < 0 else product


@lru_cache(maxsize=1 << 12)
def _wide_power(base: float, exponent: float) -> float:
    from flint import arb, ctx

    with ctx.workprec(128):
        return float(arb(base) ** arb(exponent))


def power_average(exponent: float, delay: int = 0) -> Schedule:
    """Weight (t - delay)^exponent: the average is scaled by ((t - 1)/t)^exponent and the newest added."""

    def discount(t: int, planned: int) -> float:
        before, now = t - 1 - delay, t - delay
        return power(before / now, exponent) if before > 0 else 0.0

    return discount


def power_discount(exponent: float, offset: float = 1.0) -> Schedule:
    """(t - 1)^a / ((t - 1)^a + offset)."""

    def discount(t: int, planned: int) -> float:
        if t <= 1:
            return 0.0
        # x / (x + c) as 1 / (1 + c / x), which neither overflows nor divides by zero
        return 1.0 / (1.0 + offset * power(float(t - 1), -exponent))

    return discount


def _easing_discount(t: int, planned: int) -> float:
    """A strong discount for 250 iterations, (t - 1)^1.5 / ((t - 1)^1.5 + 2), which then becomes that of DCFR."""
    eased = 250 / t
    return power_discount(1.5, 1.0 + min(1.0, eased * eased))(t, planned)


def cfr_plus(delay: int = 0) -> Rule:
    """CFR+ whose average leaves out the first `delay` iterations."""
    return Rule(
        "cfr+",
        "R = max(R + r, 0); average weight max(t - delay, 0)",
        "Tammelin 2014; Bowling et al. 2015",
        averaging=power_average(1, delay),
        floor=True,
    )


def _hs_alpha(t: int, planned: int) -> float:
    return power_discount(1 + 3 * t / planned)(t, planned)


def _hs_beta(t: int, planned: int) -> float:
    return power_discount(-1 - 2 * t / planned)(t, planned)


def _hs_gamma(t: int, planned: int) -> float:
    return power_average(30 - 5 * t / planned)(t, planned)


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("cfr", "R += r", "Zinkevich et al. 2007"),
        cfr_plus(),
        Rule(
            "linear",
            "R += t r; average weight t",
            "Brown and Sandholm 2019",
            weight=lambda t, planned: float(t),
            averaging=power_average(1),
        ),
        Rule(
            "dcfr",
            "R *= (t-1)^a/((t-1)^a+1), a = 1.5 if R > 0 else 0, then += r; average weight t^2",
            "Brown and Sandholm 2019",
            positive=power_discount(1.5),
            negative=lambda t, planned: 0.5 if t > 1 else 0.0,
            averaging=power_average(2),
        ),
        Rule(
            "dcfr+",
            "R = max(R (t-1)^1.5/((t-1)^1.5+1.5) + r, 0); average weight t^4",
            "Xu et al. 2024",
            positive=power_discount(1.5, 1.5),
            averaging=power_average(4),
            floor=True,
        ),
        Rule(
            "sdcfr",
            "R *= (t-1)^1.5/((t-1)^1.5+c) if R > 0 else 1/2, then += r, c = 1+min(1, (250/t)^2); "
            "strategy p (1 + 2p), p ~ R; average weight t^3",
            "docs/algorithms.md",
            positive=_easing_discount,
            negative=lambda t, planned: 0.5 if t > 1 else 0.0,
            averaging=power_average(3),
            sharpness=3,
        ),
        Rule(
            "sdcfr+",
            "sdcfr with R = max(R, 0)",
            "docs/storage.md",
            positive=_easing_discount,
            averaging=power_average(3),
            floor=True,
            sharpness=3,
        ),
        Rule(
            "pcfr+",
            "R = max(R + r, 0); strategy from max(R + r_last, 0); average weight t^2",
            "Farina, Kroer and Sandholm 2021",
            averaging=power_average(2),
            floor=True,
            prediction=True,
        ),
        Rule(
            "pdcfr+",
            "R = max(R (t-1)^2.3/((t-1)^2.3+1) + r, 0); strategy from max(R d + r_last, 0); average weight t^5",
            "Xu et al. 2024",
            positive=power_discount(2.3),
            averaging=power_average(5),
            floor=True,
            prediction=True,
        ),
        Rule(
            "hs-dcfr",
            "DCFR with a = 1+3t/n, b = -1-2t/n, average exponent 30-5t/n, for n planned iterations",
            "Zhang, McAleer and Sandholm 2024",
            positive=_hs_alpha,
            negative=_hs_beta,
            averaging=_hs_gamma,
            planned=True,
        ),
    )
}


def rule_named(name: str) -> Rule:
    """The rule of that name, any case."""
    rule = RULES.get(name.lower())
    if rule is None:
        raise ErraiError(f"unknown method '{name}': choose one of {', '.join(RULES)}")
    return rule
