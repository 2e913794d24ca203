"""Rows of a bucket in and out of the flat arrays of the hands, W lanes at a time.

A store keeps the K contexts of a bucket's row side by side. The rows of a bucket lie at

    base + bucket * stride + row * K        stride = A * K

with `base` the start of the round, line and chunk. Rows are taken W numbers at a time; what is written beyond the
end of a row is overwritten by the next one, or lies in the padding after the last. Into a store nothing is written
but the K numbers of a row, not even what is there already: the next row may be another thread's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from errai.engine.kernels.arrays import Ints
from errai.kernels.lanes import W, load, load_as, splat, store
from errai.kernels.options import INNER, KERNEL


class Rows(NamedTuple):
    """Where the rows of the hands of a board lie in a store, at the contexts of a chunk."""

    bucket: Ints  # [H]
    base: int  # where the rows of bucket 0 begin
    stride: int  # from bucket to bucket


@njit(**INNER)
def rows_of(betting, chunk, line, first, counts, bucket):
    """The rows of hands with these buckets on a line; first and counts: where a round begins, and its buckets."""
    level = chunk.level
    stride = betting.rows[level]
    base = first[level] + (line * betting.contexts[level] + chunk.k) * counts[level] * stride
    return Rows(bucket, base, stride * chunk.K)


@njit(**KERNEL)
def take_rows(table, base, stride, bucket, low, high, K, out):
    """out[(i - low) * K + j] = table[base + bucket[i] * stride + j] for the hands low..high."""
    for i in range(low, high):
        source, target = base + bucket[i] * stride, (i - low) * K
        for j in range(0, K, W):
            store(out, target + j, load_as(table, source + j, out))


@njit(**KERNEL)
def add_rows(table, base, stride, bucket, K, weight, value):
    """table[base + bucket[i] * stride + j] += weight * value[i * K + j]."""
    number = table.dtype.type(weight)
    factor, whole = splat(number), K // W * W
    for i in range(bucket.size):
        target, source = base + bucket[i] * stride, i * K
        for j in range(0, whole, W):
            store(table, target + j, load(table, target + j) + load(value, source + j) * factor)
        for j in range(whole, K):
            table[target + j] += value[source + j] * number


@njit(**KERNEL)
def add_regrets(table, base, stride, bucket, K, weight, value, mean):
    """table[...] += weight * (value - mean), hand by hand."""
    number = table.dtype.type(weight)
    factor, whole = splat(number), K // W * W
    for i in range(bucket.size):
        target, source = base + bucket[i] * stride, i * K
        for j in range(0, whole, W):
            more = (load(value, source + j) - load(mean, source + j)) * factor
            store(table, target + j, load(table, target + j) + more)
        for j in range(whole, K):
            table[target + j] += (value[source + j] - mean[source + j]) * number


@njit(**KERNEL)
def floor_rows(table, base, length, stride, bucket, floor):
    """No number of these buckets' nodes is below the floor."""
    before = np.int64(-1)
    for i in range(bucket.size):
        if bucket[i] == before:
            continue
        before = bucket[i]
        target = base + before * stride
        for j in range(length):
            table[target + j] = max(table[target + j], floor)
