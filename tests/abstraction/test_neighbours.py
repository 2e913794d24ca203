"""An order of points in which neighbours are alike."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.abstraction.neighbours import alike_in_a_row


@given(count=st.integers(1, 200), dimensions=st.integers(1, 4), seed=st.integers(0, 1 << 20))
@settings(max_examples=60, deadline=None)
def test_every_point_has_its_place(count, dimensions, seed):
    points = np.random.default_rng(seed).integers(0, 9, (count, dimensions)).astype(np.float32)
    assert sorted(alike_in_a_row(points)) == list(range(count))


def test_points_of_a_line_are_in_order():
    points = np.random.default_rng(0).permutation(500).astype(np.float32)[:, None]
    np.testing.assert_array_equal(points[alike_in_a_row(points), 0], np.arange(500))


def test_runs_are_far_closer_than_random_points():
    points = np.random.default_rng(1).random((4096, 3), np.float32)
    runs = points[alike_in_a_row(points)].reshape(-1, 8, 3)
    apart = np.square(runs - runs.mean(axis=1, keepdims=True)).sum(axis=2).mean()
    assert apart < 0.1 * np.square(points - points.mean(axis=0)).sum(axis=1).mean()
