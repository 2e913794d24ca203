"""An order of buckets in which neighbours are alike, so that a few in a row can share one row of a strategy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.saved import Description, file_of

_RUN = 32  # parts are cut at multiples of this, while they are longer


def alike_in_a_row(points: NDArray[np.float32]) -> NDArray[np.int64]:
    """The order [n] of points [n, d]: halved by the coordinate in which they differ most, and so are the halves."""

    def halved(some: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        if len(some) <= 2:
            return [some]
        widest = np.ptp(points[some], axis=0).argmax()
        some = some[np.argsort(points[some, widest], kind="stable")]
        half = len(some) // 2
        if len(some) > _RUN:
            half = max(_RUN, half // _RUN * _RUN)
        return [*halved(some[:half]), *halved(some[half:])]

    return np.concatenate(halved(np.arange(len(points))))


def order_of_buckets(source: Description, round_: int) -> NDArray[np.int64] | None:
    """The order of the buckets of a round; None where each of them is not one centre."""
    plan, name = source.preset.rounds[round_], file_of(source.game, round_, "centres")
    if plan.grouping != "kmeans" or plan.recall == "perfect" or name not in source.parts:
        return None
    return alike_in_a_row(source.parts.map(name))
