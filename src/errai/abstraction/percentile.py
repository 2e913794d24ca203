"""Buckets of equal or given size: hands in order of one number, cut where so many deals lie between the cuts.

A value v with the weight w_v belongs, of k buckets, to the one that the middle of its deals falls into,

    floor(k (sum of w below v + w_v / 2) / sum of w)

and buckets that nobody falls into are left out. Hands of equal value are never parted. Buckets of s_1 to s_k parts
begin at the sums of the parts before them instead of at every k-th.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError

NEVER = -1


def percentile_buckets(
    weight: NDArray[np.integer] | NDArray[np.floating], buckets: int, parts: Sequence[int] = ()
) -> NDArray[np.int32]:
    """The bucket [V] of each of V values in rising order, from 0 without gaps, never falling.

    Values that never happen go with the next lower one that does, or with the first bucket. `parts` are the sizes of
    the buckets, where they are not alike.
    """
    if buckets < 1:
        raise ErraiError(f"{buckets} buckets: there must be 1 or more")
    found = np.zeros(len(weight), np.int32)
    happens = np.flatnonzero(weight)
    if len(happens):
        share = weight[happens].astype(np.float64)
        middle = share.cumsum() - share / 2
        if parts:
            begins = np.cumsum(parts)[:-1] * share.sum() / sum(parts)
            place = np.searchsorted(begins, middle, side="right")
        else:
            place = np.minimum((buckets * middle / share.sum()).astype(np.int64), buckets - 1)
        dense = np.concatenate([[0], np.cumsum(np.diff(place) > 0)])
        found[happens] = dense
        np.maximum.accumulate(found, out=found)
    return found


def edges_of(bucket: NDArray[np.int32]) -> NDArray[np.uint16]:
    """The first value of every bucket; the first bucket begins at 0."""
    return np.concatenate([[0], np.flatnonzero(np.diff(bucket)) + 1]).astype(np.uint16)


def place_among(edges: NDArray[np.uint16], values: NDArray[np.uint16]) -> NDArray[np.int64]:
    """The bucket of each value."""
    return np.searchsorted(edges, values, side="right") - 1


def nested_buckets(joint: NDArray[np.integer], buckets: int) -> tuple[NDArray[np.int32], int]:
    """(refine [parents, V], buckets in all): every parent's values in buckets of equal size of its own.

    `joint` [parents, V] is the weight of each value within each parent. NEVER where a value does not happen.
    """
    refine = np.full(joint.shape, NEVER, np.int32)
    count = 0
    for parent, weight in enumerate(joint):
        happens = weight > 0
        if happens.any():
            bucket = percentile_buckets(weight, buckets)
            refine[parent, happens] = bucket[happens] + count
            count += int(bucket.max()) + 1
    return refine, count


def joined_buckets(joint: NDArray[np.integer]) -> tuple[NDArray[np.int32], int]:
    """(refine [parents, V], buckets in all): a bucket for every pair of a parent and a value that happens."""
    refine = np.full(joint.shape, NEVER, np.int32)
    happens = joint > 0
    count = int(happens.sum())
    refine[happens] = np.arange(count)
    return refine, count
