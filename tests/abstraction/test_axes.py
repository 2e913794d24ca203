"""Principal axes, against LAPACK."""

from __future__ import annotations

import numpy as np
import pytest

from errai.abstraction.kernels.axes import covariance, eigenvectors


@pytest.mark.parametrize("d", [1, 2, 8, 33])
def test_axes_are_those_of_lapack(d):
    rng = np.random.default_rng(d)
    points = (rng.random((400, 1)) + 0.1 * rng.standard_normal((400, d))).astype(np.float32)
    origin = np.empty(d, np.float32)
    products = covariance(points, origin)
    assert np.allclose(origin, points.mean(axis=0, dtype=np.float64), atol=1e-7)
    assert np.allclose(products, 400 * np.cov(points.T.astype(np.float64), bias=True), atol=1e-9)
    axes = eigenvectors(products)
    assert np.allclose(axes.T @ axes, np.eye(d), atol=1e-13)
    turned = axes.T @ products @ axes
    assert np.allclose(np.sort(np.diag(turned)), np.linalg.eigvalsh(products), atol=1e-11)
    assert np.allclose(turned, np.diag(np.diag(turned)), atol=1e-11)


def test_points_that_are_all_alike_have_axes_too():
    origin = np.empty(3, np.float32)
    products = covariance(np.full((5, 3), 0.25, np.float32), origin)
    assert origin.tolist() == [0.25] * 3
    assert eigenvectors(products).tolist() == np.eye(3).tolist()
