"""The principal axes of some points, by Jacobi's rotations: the same bits on every CPU.

LAPACK and BLAS add up in an order of their own on every kind of CPU, and k-means++ draws other centres when the tree
of its points has another shape. Here the order of all additions is that of the source.

A rotation of the plane of the axes i and j by the angle a makes the entry c_ij of the covariance zero when

    tan(2 a) = 2 c_ij / (c_ii - c_jj)

Each takes something from the entries off the diagonal, and some ten sweeps over all pairs leave nothing of them.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_SWEEPS = 60  # never reached: a sweep squares what is left off the diagonal, relative to the diagonal


@njit(cache=True, nogil=True, error_model="numpy")
def covariance(points, origin):
    """[d, d] the sums of products of the coordinates of points [n, d] less their mean, which goes to `origin` [d]."""
    n, d = points.shape
    total = np.zeros(d, np.float64)
    for i in range(n):
        for j in range(d):
            total[j] += points[i, j]
    for j in range(d):
        origin[j] = total[j] / n
    products = np.zeros((d, d), np.float64)
    away = np.empty(d, np.float64)
    for i in range(n):
        for j in range(d):
            away[j] = np.float64(points[i, j]) - np.float64(origin[j])
        for j in range(d):
            for k in range(d):
                products[j, k] += away[j] * away[k]
    return products


@njit(cache=True, nogil=True, error_model="numpy")
def eigenvectors(symmetric):
    """[d, d] an orthogonal matrix whose columns are the eigenvectors of a symmetric matrix, in no order."""
    d = len(symmetric)
    c = symmetric.copy()
    axes = np.zeros((d, d), np.float64)
    largest = 0.0
    for i in range(d):
        axes[i, i] = 1.0
        largest = max(largest, c[i, i])
    for _ in range(_SWEEPS):
        left = 0.0
        for i in range(d):
            for j in range(i + 1, d):
                left = max(left, abs(c[i, j]))
        if left <= 1e-15 * largest:
            break
        for i in range(d):
            for j in range(i + 1, d):
                if c[i, j] != 0.0:
                    _rotate(c, axes, i, j)
    return axes


@njit(cache=True, nogil=True, error_model="numpy")
def _rotate(c, axes, i, j):
    # tan a by the formula that never subtracts what is nearly equal.
    slope = (c[j, j] - c[i, i]) / (2.0 * c[i, j])
    tangent = 1.0 / (abs(slope) + np.sqrt(slope * slope + 1.0))
    if slope < 0.0:
        tangent = -tangent
    cosine = 1.0 / np.sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    for k in range(len(c)):
        x, y = c[k, i], c[k, j]
        c[k, i], c[k, j] = cosine * x - sine * y, sine * x + cosine * y
    for k in range(len(c)):
        x, y = c[i, k], c[j, k]
        c[i, k], c[j, k] = cosine * x - sine * y, sine * x + cosine * y
    c[i, j] = 0.0
    c[j, i] = 0.0
    for k in range(len(c)):
        x, y = axes[k, i], axes[k, j]
        axes[k, i], axes[k, j] = cosine * x - sine * y, sine * x + cosine * y
