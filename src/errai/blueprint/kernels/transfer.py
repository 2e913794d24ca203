"""Rows of one set of buckets as rows of another."""

from __future__ import annotations

from numba import njit

from errai.kernels.options import KERNEL


@njit(**KERNEL)
def give_rows(first, giver, share, rows, out):
    """out[b] = the sum of share[i] * rows[giver[i]] over i from first[b] to first[b + 1]; rows are [buckets, n]."""
    for bucket in range(out.shape[0]):
        own = out[bucket]
        own[:] = 0
        for i in range(first[bucket], first[bucket + 1]):
            given, part = rows[giver[i]], share[i]
            for j in range(own.size):
                own[j] += part * given[j]
