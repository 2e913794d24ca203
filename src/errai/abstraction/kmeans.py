"""Clusters of points, and the nearest of many centres.

k-means looks for k centres with a small sum of weight * distance from each point to its nearest centre. Two kinds of
distance, for the two kinds of points that hands are described by:

    l2     sum_j (a_j - b_j)^2    vectors of strengths
    emd    sum_j |a_j - b_j|      histograms, given as their running sums (CDFs): between those it is the earth
                                  mover's distance of the histograms, in bins

First centres by k-means++ (Arthur and Vassilvitskii 2007): each is a point, drawn with a chance in proportion to the
square of its distance to the nearest one so far. Then Lloyd's rounds: every point joins its nearest centre, every
centre moves to the mean of its points.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.kernels.axes import covariance, eigenvectors
from errai.abstraction.kernels.nearest import (
    EMPTY,
    Tree,
    add_up,
    nearest,
    plus_plus,
    rotate_all,
    rotation_error,
    split,
)
from errai.abstraction.making import Arrays, Making
from errai.errors import ErraiError
from errai.kernels.lanes import W

Distance = Literal["l2", "emd"]
Floats = NDArray[np.float32]

_SAMPLE = 20_000  # points from which the axes of a tree are taken
_CHUNK = 1 << 13  # points that a thread takes at a time
_DRAWS = 500  # first centres that are drawn at a time
_HARDLY = 1000  # one point in so many changing its cluster is no longer worth a round


class Nearest:
    """Finds the nearest of some centres. It may be asked by several threads at once."""

    def __init__(self, centres: Floats, distance: Distance) -> None:
        self._dimensions = _checked(centres, distance, "centres").shape[1]
        self._tree = _tree_of(centres, distance)

    def assign(self, points: Floats, out: NDArray[np.int32], distances: Floats | None = None) -> None:
        """out[i] = the centre nearest to points[i], the lower number of two equally near ones.

        `distances` are in the module's formulas: squared for l2. The GIL is released meanwhile.
        """
        if points.ndim != 2 or points.shape[1] != self._dimensions or points.dtype != np.float32:
            raise ErraiError(
                f"the points must be float32 with {self._dimensions} coordinates, as the centres are; "
                f"these are {points.dtype} of shape {points.shape}"
            )
        if out.shape != points.shape[:1] or (distances is not None and distances.shape != out.shape):
            raise ErraiError(f"there must be room for {len(points)} answers, one for each point")
        nearest(
            self._tree,
            np.ascontiguousarray(points),
            out,
            np.empty(0, np.float32) if distances is None else distances,
        )


def centres(
    points: Floats,
    weights: Floats | None,
    k: int,
    distance: Distance,
    seed: int,
    rounds: int = 20,
    threads: int = 2,
    progress: Callable[[int, int], None] | None = None,
    making: Making | None = None,
) -> Floats:
    """The k centres [k, d] of weighted points [n, d], those with the lowest mean coordinate first.

    The centre of a cluster is the weighted mean for both distances. For l2 nothing else costs less. For emd the
    median of each coordinate would cost a little less, but the mean of CDFs is the CDF of the pooled histograms: what
    the hands of the bucket do together, which is what a solver will see of them. A median drops what few of its
    hands do, and is no hand's histogram either.

    A cluster that lost all its points starts again at one of the points farthest from their centres. The rounds end
    early when fewer than one point in a thousand changes its cluster. A seed gives the same centres for any number
    of threads. `progress` is told what round is done, of how many, and 0 while the first centres are drawn. With a
    part in the `making` it is saved on the way, and resumed.
    """
    points = np.ascontiguousarray(_checked(points, distance, "points"))
    weights = (
        np.ones(len(points), np.float32) if weights is None else np.ascontiguousarray(weights, np.float32)
    )
    if weights.shape != points.shape[:1] or not np.isfinite(weights).all() or (weights < 0).any():
        raise ErraiError(f"{len(points)} points need {len(points)} weights of zero or more")
    if k < 1:
        raise ErraiError(f"cannot make {k} clusters: ask for at least 1")
    if not weights.all():
        points, weights = points[weights > 0], weights[weights > 0]
    if k > len(points):
        raise ErraiError(f"cannot make {k} clusters of {len(points)} points: ask for at most {len(points)}")

    found = np.empty((k, points.shape[1]), np.float32)
    labels = np.full(len(points), EMPTY, np.int32)
    before = labels.copy()
    away = np.empty(len(points), np.float32)
    last = np.zeros(1, np.int64)  # round that is done
    if making is None or not making.state("rounds", {"found": found, "before": before, "last": last}):
        found[:] = points[
            _seeds(points, weights, k, distance, seed, progress and partial(progress, 0, rounds), making)
        ]
        if making is not None:
            making.state("rounds", {"found": found, "before": before, "last": last})
    with ThreadPoolExecutor(threads) as pool:
        for done in range(int(last[0]) + 1, rounds + 1):
            tree = Nearest(found, distance)

            def join(start: int, tree: Nearest = tree) -> None:
                some = slice(start, start + _CHUNK)
                tree.assign(points[some], labels[some], away[some])

            list(pool.map(join, range(0, len(points), _CHUNK)))
            sums, counts = np.zeros(found.shape, np.float64), np.zeros(k, np.float64)
            add_up(points, weights, labels, sums, counts)
            settled = bool(np.count_nonzero(labels != before) * _HARDLY <= len(points))
            before[:] = labels
            kept = counts > 0
            found[kept] = sums[kept] / counts[kept, None]
            if not kept.all():
                _restart(found, np.flatnonzero(~kept), points, away)
                settled = False
            last[0] = rounds if settled else done
            if progress is not None:
                progress(done, rounds)
            if making is not None:
                making.checkpoint()
            if settled:
                break
    return found[np.argsort(found.mean(axis=1, dtype=np.float64), kind="stable")]


def _seeds(
    points: Floats,
    weights: Floats,
    k: int,
    distance: Distance,
    seed: int,
    progress: Callable[[], None] | None = None,
    making: Making | None = None,
) -> NDArray[np.int64]:
    """The points [k] that are the first centres."""
    tree = _tree_of(points, distance)
    lanes = np.where(tree.numbers == EMPTY, np.float32(0), weights[tree.numbers])
    draws = np.random.default_rng(seed).random(k)
    L = len(tree.numbers)
    state: Arrays = {
        "cost": np.empty((L, W), np.float32),
        "total": np.empty(2 * L),
        "reach": np.empty(2 * L, np.float32),
        "picked": np.zeros(k, np.int64),
        "count": np.zeros(1, np.int64),
    }
    if making is not None:
        making.state("seeds", state)
    picked, count = state["picked"], state["count"]
    distinct = int(count[0])
    if not (0 <= distinct <= k and ((picked >= 0) & (picked < len(points))).all()):
        raise ErraiError("the centres in the making are damaged; remove the folder .making")
    while distinct < k:
        some = slice(distinct, min(distinct + _DRAWS, k))
        kernel = (state["cost"], state["total"], state["reach"], picked[some])
        distinct += int(plus_plus(tree, lanes, draws[some], distinct, *kernel))
        if distinct < some.stop:
            break
        count[0] = distinct
        if progress is not None:
            progress()
        if making is not None:
            making.checkpoint()
    if distinct < k:
        raise ErraiError(
            f"cannot make {k} clusters of {len(points)} points, of which {distinct} are distinct: "
            f"ask for at most {distinct}"
        )
    return picked


def _restart(found: Floats, empty: NDArray[np.int64], points: Floats, away: Floats) -> None:
    """Move the empty clusters to different points, the farthest from their centres first."""
    taken: set[bytes] = set()
    for i in np.argsort(-away, kind="stable"):
        if len(taken) == len(empty) or away[i] == 0:
            return
        if points[i].tobytes() not in taken:
            found[empty[len(taken)]] = points[i]
            taken.add(points[i].tobytes())


def _checked(points: Floats, distance: Distance, what: str) -> Floats:
    if distance not in ("l2", "emd"):
        raise ErraiError(f"unknown distance {distance!r}: it is l2 or emd")
    if points.ndim != 2 or 0 in points.shape or points.dtype != np.float32:
        raise ErraiError(f"the {what} must be float32 rows; these are {points.dtype} of shape {points.shape}")
    if not np.isfinite(points).all() or np.abs(points).max() > 1e6:
        raise ErraiError(f"the {what} must be finite numbers of at most a million")
    return points


def _tree_of(points: Floats, distance: Distance) -> Tree:
    """The tree of kernels/nearest.py over some points [n, d]."""
    n, d = points.shape
    squared = distance == "l2"
    far = np.float32(1e15 if squared else 1e30)  # where empty lanes are: at a distance of 1e30
    origin, axes, rotated, rounding = (
        np.zeros(d, np.float32),
        np.zeros((0, 0), np.float32),
        points,
        np.float32(0),
    )
    if squared:
        sample = np.ascontiguousarray(points[:: -(-n // _SAMPLE)])
        axes = eigenvectors(covariance(sample, origin)).astype(np.float32)
        rotated = np.empty_like(points)
        rotate_all(origin, axes, points, rotated)
        rounding = rotation_error(rotated)

    depth = max(-(-n // W) - 1, 0).bit_length()
    order, starts = split(np.ascontiguousarray(rotated.T), depth)
    leaf = np.repeat(np.arange(2**depth), np.diff(starts))
    lane = np.arange(n) - starts[leaf]
    leaves = np.full((2**depth, d, W), far, np.float32)
    leaves[leaf, :, lane] = points[order]
    numbers = np.full((2**depth, W), EMPTY, np.int32)
    numbers[leaf, lane] = order

    low = np.minimum.reduceat(rotated[order], starts[:-1], axis=0) - rounding
    high = np.maximum.reduceat(rotated[order], starts[:-1], axis=0) + rounding
    lows, highs, first = [], [], [0]
    while True:
        groups = -(-len(low) // W)
        lows.append(_lanes(low, groups, far))
        highs.append(_lanes(high, groups, far))
        if groups == 1:
            break
        first.append(first[-1] + groups)
        low = low.reshape(groups, W, d).min(axis=1)
        high = high.reshape(groups, W, d).max(axis=1)
    return Tree(
        leaves.ravel(),
        numbers,
        np.concatenate(lows).ravel(),
        np.concatenate(highs).ravel(),
        np.array(first),
        origin,
        axes,
        squared,
    )


def _lanes(boxes: Floats, groups: int, far: np.float32) -> Floats:
    """[G, d, W] from one side of the boxes [up to G * W, d]."""
    filled = np.full((groups * W, boxes.shape[1]), far, np.float32)
    filled[: len(boxes)] = boxes
    return np.ascontiguousarray(filled.reshape(groups, W, -1).transpose(0, 2, 1))
