"""Random numbers for choosing actions: one for every decision of every deal, whoever asks and in whatever order.

    draw(seed, deal, decision) = mix(mix(mix(seed) + deal) + decision) / 2^64

with `mix` the finaliser of splitmix64. Both hands of a duplicate pair have the numbers of their deal, so a player who
meets itself does the same in both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1


def draw(seed: int, deal: int, decision: int) -> float:
    """A number from 0 to 1, the latter excluded."""
    return (_mix(_mix(_mix(seed) + deal) + decision) >> 11) * 2.0**-53


def draws(seed: int, deals: NDArray[np.int64], decisions: NDArray[np.int64]) -> NDArray[np.float64]:
    """`draw` for many decisions at once."""
    begun = np.uint64(_mix(seed))
    mixed = _mix_all(_mix_all(begun + deals.astype(np.uint64)) + decisions.astype(np.uint64))
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mix(number: int) -> int:
    number = (number + _STEP) & _MASK
    number = ((number ^ (number >> 30)) * _FIRST) & _MASK
    number = ((number ^ (number >> 27)) * _SECOND) & _MASK
    return number ^ (number >> 31)


def _mix_all(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    numbers = numbers + np.uint64(_STEP)
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(_FIRST)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(_SECOND)
    return numbers ^ (numbers >> np.uint64(31))
