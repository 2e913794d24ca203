"""Clusters of points, and the nearest of many centres."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.abstraction.features import hands_of
from errai.abstraction.grouping import Cells, Features
from errai.abstraction.kmeans import Nearest, centres
from errai.abstraction.presets import RoundPlan
from errai.errors import ErraiError
from tests.abstraction.games import little_holdem

DISTANCES = ("l2", "emd")


def naive_distances(points, middles, distance):
    """[n, k], every point to every centre, in doubles."""
    gaps = points[:, None].astype(np.float64) - middles[None].astype(np.float64)
    return (gaps**2).sum(axis=2) if distance == "l2" else np.abs(gaps).sum(axis=2)


def rounded_distances(points, middles, distance):
    """[n, k] in floats, rounded after every step in the order of the coordinates."""
    total = np.zeros((len(points), len(middles)), np.float32)
    for point, middle in zip(points.T, middles.T, strict=True):
        gap = middle[None] - point[:, None]
        total += gap * gap if distance == "l2" else np.abs(gap)
    return total


def assigned(points, middles, distance):
    out, away = np.empty(len(points), np.int32), np.empty(len(points), np.float32)
    Nearest(middles, distance).assign(points, out, away)
    return out, away


def drawn_points(rng, n, d, distance):
    """CDFs of random histograms for emd; vectors of correlated strengths for l2."""
    if distance == "emd":
        histograms = rng.dirichlet(np.full(d, 0.3), n)
        return np.cumsum(histograms, axis=1).astype(np.float32)
    return np.clip(rng.random((n, 1)) + 0.1 * rng.standard_normal((n, d)), 0, 1).astype(np.float32)


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60, deadline=None)
@given(
    k=st.one_of(st.integers(1, 40), st.sampled_from((255, 256, 257, 1000, 4097))),
    d=st.integers(1, 33),
    seed=st.integers(0, 2**32 - 1),
)
def test_nearest_is_what_trying_all_centres_finds(distance, k, d, seed):
    rng = np.random.default_rng(seed)
    middles, points = drawn_points(rng, k, d, distance), drawn_points(rng, 20, d, distance)
    points[:3] += rng.choice((-50, 0.5, 3), size=(3, 1)).astype(np.float32)
    out, away = assigned(points, middles, distance)
    every = rounded_distances(points, middles, distance)
    assert out.tolist() == every.argmin(axis=1).tolist()
    assert away.tolist() == every.min(axis=1).tolist()
    assert np.allclose(every, naive_distances(points, middles, distance), rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60, deadline=None)
@given(k=st.integers(1, 700), d=st.integers(1, 9), steps=st.integers(1, 6), seed=st.integers(0, 2**32 - 1))
def test_of_equally_near_centres_the_lowest_number_is_found(distance, k, d, steps, seed):
    # Whole numbers: every distance is exact, and many are equal.
    rng = np.random.default_rng(seed)
    middles = rng.integers(0, steps + 1, (k, d)).astype(np.float32)
    points = rng.integers(-1, steps + 2, (30, d)).astype(np.float32)
    every = naive_distances(points, middles, distance)
    out, away = assigned(points, middles, distance)
    assert out.tolist() == every.argmin(axis=1).tolist()
    assert away.tolist() == every.min(axis=1).tolist()


@pytest.mark.parametrize("distance", DISTANCES)
def test_threads_share_one_tree_of_centres(distance):
    rng = np.random.default_rng(5)
    middles, points = drawn_points(rng, 3000, 8, distance), drawn_points(rng, 20_000, 8, distance)
    tree, out = Nearest(middles, distance), np.full(20_000, -1, np.int32)
    with ThreadPoolExecutor(4) as pool:
        starts = range(0, 20_000, 500)
        list(pool.map(lambda i: tree.assign(points[i : i + 500], out[i : i + 500]), starts))
    assert np.array_equal(out, assigned(points, middles, distance)[0])


@pytest.mark.parametrize("distance", DISTANCES)
def test_blobs_far_apart_are_found(distance):
    rng = np.random.default_rng(1)
    middles = np.sort(rng.permutation(200)[:20])[:, None] * np.ones(6)
    blob = rng.integers(0, 20, 5000)
    points = (middles[blob] + rng.uniform(-0.05, 0.05, (5000, 6))).astype(np.float32)
    found = centres(points, None, 20, distance, seed=3)
    assert found.dtype == np.float32
    assert np.abs(found - middles).max() < 0.02
    assert np.array_equal(assigned(points, found, distance)[0], blob)


@pytest.mark.parametrize("distance", DISTANCES)
def test_each_centre_is_the_mean_of_its_points_once_nothing_changes(distance):
    rng = np.random.default_rng(8)
    points, weights = drawn_points(rng, 900, 5, distance), rng.random(900).astype(np.float32)
    found = centres(points, weights, 12, distance, seed=0, rounds=500)
    labels = naive_distances(points, found, distance).argmin(axis=1)
    for bucket in range(12):
        members = labels == bucket
        assert np.allclose(
            found[bucket], np.average(points[members], axis=0, weights=weights[members]), atol=1e-6
        )
    assert (np.diff(found.mean(axis=1)) >= 0).all()


@pytest.mark.parametrize("distance", DISTANCES)
def test_centres_of_cdfs_are_cdfs(distance):
    found = centres(drawn_points(np.random.default_rng(2), 2000, 16, "emd"), None, 40, distance, seed=0)
    assert (np.diff(found, axis=1) >= -1e-6).all()
    assert np.allclose(found[:, -1], 1)


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_seed_gives_the_same_centres_with_any_number_of_threads(distance):
    points = drawn_points(np.random.default_rng(4), 30_000, 8, distance)
    one = centres(points, None, 300, distance, seed=9, rounds=6, threads=1)
    assert np.array_equal(one, centres(points, None, 300, distance, seed=9, rounds=6, threads=3))
    assert not np.array_equal(one, centres(points, None, 300, distance, seed=10, rounds=6, threads=1))


def test_a_weight_counts_as_so_many_points():
    points = np.array([[0], [1], [10], [11], [500]], np.float32)
    weights = np.array([3, 1, 1, 1, 0], np.float32)
    found = centres(points, weights, 2, "l2", seed=0)
    assert found.tolist() == [[0.25], [10.5]]


def test_more_rounds_cost_less():
    points = drawn_points(np.random.default_rng(6), 5000, 8, "l2")
    cost = [
        assigned(points, centres(points, None, 60, "l2", 1, rounds), "l2")[1].sum()
        for rounds in (0, 1, 5, 30)
    ]
    assert cost == sorted(cost, reverse=True)
    assert cost[-1] < 0.8 * cost[0]


@pytest.mark.parametrize("distance", DISTANCES)
def test_as_many_clusters_as_distinct_points_leave_no_distance(distance):
    rng = np.random.default_rng(7)
    distinct = drawn_points(rng, 150, 8, distance)
    points = distinct[np.concatenate([np.arange(150), rng.integers(0, 150, 850)])]
    found = centres(points, None, 150, distance, seed=0)
    assert assigned(points, found, distance)[1].max() == 0


def test_a_cluster_that_loses_all_its_points_starts_again():
    from errai.abstraction.kmeans import _restart

    points = np.array([[0], [9], [9], [5], [0]], np.float32)
    found = np.array([[0], [-7], [-8], [-9]], np.float32)
    _restart(found, np.array([1, 2, 3]), points, np.array([0, 9, 9, 5, 0], np.float32))
    assert found.tolist() == [[0], [9], [5], [-9]]


def test_progress_counts_the_rounds():
    seen = []
    points = drawn_points(np.random.default_rng(3), 2000, 4, "l2")
    centres(points, None, 50, "l2", 0, rounds=3, progress=lambda done, rounds: seen.append((done, rounds)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (0, "cannot make 0 clusters: ask for at least 1"),
        (4, "cannot make 4 clusters of 5 points, of which 3 are distinct: ask for at most 3"),
        (6, "cannot make 6 clusters of 5 points: ask for at most 5"),
    ],
)
def test_a_number_of_clusters_that_cannot_be_is_refused(k, message):
    points = np.array([[0, 1], [1, 1], [2, 2], [0, 1], [1, 1]], np.float32)
    with pytest.raises(ErraiError, match=message):
        centres(points, None, k, "l2", seed=0)


def test_points_that_do_not_fit_are_refused():
    points = np.zeros((3, 2), np.float32)
    with pytest.raises(ErraiError, match="3 points need 3 weights"):
        centres(points, np.ones(2, np.float32), 1, "l2", seed=0)
    with pytest.raises(ErraiError, match="finite"):
        centres(np.full((3, 2), np.nan, np.float32), None, 1, "l2", seed=0)
    with pytest.raises(ErraiError, match="unknown distance"):
        Nearest(points, "l1")
    with pytest.raises(ErraiError, match="with 2 coordinates"):
        Nearest(points, "l2").assign(np.zeros((4, 3), np.float32), np.empty(4, np.int32))
    with pytest.raises(ErraiError, match="room for 4 answers"):
        Nearest(points, "l2").assign(np.zeros((4, 2), np.float32), np.empty(3, np.int32))


@pytest.mark.parametrize("method", ["emd", "ochs"])
def test_points_that_many_hands_share_are_labelled_as_one_by_one(method):
    random = np.random.default_rng(4)
    distinct = np.round(random.random((50, 6)), 1).astype(np.float32)
    points = distinct[random.integers(0, 50, 700)]
    rule = random.random((20, 6)).astype(np.float32)
    plan = RoundPlan(method, 20, "kmeans")
    cells = Cells(Features(plan, hands_of(little_holdem()), lambda boards: None, None, 0), rule)
    wanted = np.empty(len(points), np.int32)
    Nearest(rule, cells.features.distance).assign(points, wanted)
    assert cells._labels(points).tolist() == wanted.tolist()
    assert cells._labels(points[:0]).tolist() == []
