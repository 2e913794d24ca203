"""From the features of hands to cells: the rule of a round, how it is found and how it is applied.

A rule is one array, kept in a file, that says which cell a hand belongs to without any other table:

    percentile   uint16 [cells]            the lowest value of each cell
    potential    uint16 [2 + cells]        a strength and a potential: a hand that is weaker than the one and has as
                                           much as the other is in the last cell, of draws; then the lowest values
    kmeans       float32 [cells, d]        the centres; a hand belongs to the nearest
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import (
    BINS,
    CLUSTERS,
    Boards,
    Hands,
    first_of_orbit,
    fixed_point,
    opponent_spreads,
    opponent_strengths,
    potential_on,
    range_parts,
    strengths_on,
)
from errai.abstraction.kernels.strengths import ONE, Spread
from errai.abstraction.kmeans import Distance, Nearest, centres
from errai.abstraction.making import Making, Rows
from errai.abstraction.percentile import edges_of, percentile_buckets, place_among
from errai.abstraction.presets import RoundPlan
from errai.cards.canonical import CanonicalBoards
from errai.errors import StoppedError
from errai.runs.monitor import Monitor

FINE = 1024  # cells that perfect recall cuts anew within every bucket of the round before
POINTS_PER_CENTRE = 30
FEWEST_POINTS = 60_000
MOST_SAMPLED_BOARDS = 8192
_CHUNK = {"emd": 32, "ochs": 256, "ranges": 32}  # boards at a time, some 10 MB of features
_SCALAR_CHUNK = 64

Rule = NDArray[np.uint16] | NDArray[np.float32]
SpreadOf = Callable[[Boards], Spread]


class Features:
    """The features of one round's method on any boards, from a table or without one."""

    def __init__(
        self, plan: RoundPlan, of: Hands, spread: SpreadOf, cluster: NDArray[np.uint8] | None, known: int
    ) -> None:
        self.plan, self.of, self.spread, self.cluster = plan, of, spread, cluster
        self.known = known  # public cards of the round before
        self._parts: dict[bytes, NDArray[np.uint8]] = {}  # on the boards of the round before that were met

    @property
    def distance(self) -> Distance:
        return "emd" if self.plan.method == "emd" else "l2"

    def dimensions(self, public: int) -> int:
        """Coordinates of a point on boards of so many cards."""
        if self.plan.method == "emd":
            return BINS
        if self.plan.method == "ochs":
            assert self.cluster is not None
            return int(self.cluster.max()) + 1
        if self.plan.method == "ranges":
            return CLUSTERS if public == self.of.last else 2 * CLUSTERS
        return 1

    def points(self, boards: Boards) -> NDArray[np.float32]:
        """[B, N, d] for k-means."""
        if self.plan.method == "emd":
            return self.spread(boards).cdf
        if self.plan.method == "ochs":
            assert self.cluster is not None
            return opponent_strengths(boards, self.of, self.cluster[None], int(self.cluster.max()) + 1)
        if self.plan.method == "ranges":
            strengths = opponent_strengths if boards.shape[1] == self.of.last else opponent_spreads
            return strengths(boards, self.of, self._parts_before(boards), CLUSTERS)
        return (self.scalars(boards) / np.float32(ONE)).astype(np.float32)[:, :, None]

    def scalars(self, boards: Boards) -> NDArray[np.uint16]:
        """[B, N] what percentiles are taken of."""
        last = boards.shape[1] == self.of.last
        if self.plan.method == "ehs2":
            if last:
                share = strengths_on(boards, self.of) / float(ONE)
                return fixed_point((share * share).astype(np.float32))
            return fixed_point(self.spread(boards).square)
        return strengths_on(boards, self.of) if last else fixed_point(self.spread(boards).mean)

    def _parts_before(self, boards: Boards) -> NDArray[np.uint8]:
        """[B, N] in which part of all hands each one was on the board of the round before."""
        parts = np.empty((len(boards), len(self.of.cards)), np.uint8)
        for own, board in zip(parts, boards[:, : self.known], strict=True):
            key = board.tobytes()
            if key not in self._parts:
                worth, live = self.spread(board[None]).mean[0], self.of.live(board[None])[0]
                self._parts[key] = range_parts(worth, live, CLUSTERS)
            own[:] = self._parts[key]
        return parts

    def potentials(self, boards: Boards) -> NDArray[np.uint16]:
        """[B, N]"""
        return potential_on(boards, self.of)


def find_rule(
    features: Features,
    boards: CanonicalBoards,
    parent: bool,
    seed: int,
    threads: int,
    monitor: Monitor,
    making: Making,
) -> Rule:
    """The rule of a round. `parent` says that there are buckets of a round before to be refined."""
    plan = features.plan
    if plan.centres:
        return np.array(plan.centres, np.float32)[:, None]
    if plan.grouping == "kmeans":
        points, weights = _sample(features, boards, seed, threads, monitor, making)
        points, weights = _distinct(points, weights)

        def rounds(done: int, of: int) -> None:
            if monitor.should_stop():
                raise StoppedError("stopped while looking for centres; what was done is kept")
            if done:
                monitor.step(f"round {done} of {of} of k-means, {min(plan.buckets, len(points)):,} centres")

        monitor.step(f"k-means++ of {len(points):,} hands")
        return centres(
            points,
            weights,
            min(plan.buckets, len(points)),
            features.distance,
            seed,
            threads=threads,
            progress=rounds,
            making=making,
        )
    strength = _all_boards("strength", features.scalars, boards, features.of, threads, monitor, making)
    live = features.of.live(boards.cards)
    if plan.method == "potential":
        potential = _all_boards(
            "potential", features.potentials, boards, features.of, threads, monitor, making
        )
        return _potential_rule(strength, potential, live, boards.weight, plan)
    nested = parent and plan.recall == "perfect"
    cells = FINE if nested else plan.buckets
    return edges_of(percentile_buckets(deals_by_value(strength, live, boards.weight), cells))


def deals_by_value(
    values: NDArray[np.uint16], chosen: NDArray[np.bool_], weight: NDArray[np.int64]
) -> NDArray[np.float64]:
    """[65536] how many deals the chosen hands [B, N] of each value stand for, with the weight [B] of their boards."""
    deals = np.zeros(ONE + 1)
    for start in range(0, len(values), 2048):
        some = slice(start, start + 2048)
        counted = np.broadcast_to(weight[some, None], chosen[some].shape)[chosen[some]]
        deals += np.bincount(values[some][chosen[some]], counted, ONE + 1)
    return deals


def _potential_rule(
    strength: NDArray[np.uint16],
    potential: NDArray[np.uint16],
    live: NDArray[np.bool_],
    weight: NDArray[np.int64],
    plan: RoundPlan,
) -> NDArray[np.uint16]:
    """Of n buckets the draws are one n-th of all deals: those of the weaker half with the highest potential.

    Where there is no potential, on the last round, all buckets are for strength, but for as many as have sizes.
    """
    buckets, parts = plan.buckets, plan.parts
    deals = deals_by_value(strength, live, weight)
    if not potential.any():
        classes = percentile_buckets(deals, buckets, parts)
        return np.concatenate([np.array([0, ONE], np.uint16), edges_of(classes)])
    weak = int(np.flatnonzero(np.cumsum(deals) * 2 >= deals.sum())[0])
    low = live & (strength < weak)
    above = np.cumsum(deals_by_value(potential, low, weight)[::-1])[::-1]
    enough = np.flatnonzero(above * buckets <= deals.sum())
    limit = max(int(enough[0]) if len(enough) else ONE, 1)
    others = live & ~(low & (potential >= limit))
    edges = edges_of(percentile_buckets(deals_by_value(strength, others, weight), buckets - 1, parts))
    return np.concatenate([np.array([weak, limit], np.uint16), edges])


def cells_of_rule(plan: RoundPlan, rule: Rule) -> int:
    """How many cells a rule tells apart."""
    if plan.method == "potential":
        return len(rule) - 2 + (int(rule[0]) > 0)
    return len(rule)


class Cells:
    """Applies a rule to boards."""

    def __init__(self, features: Features, rule: Rule) -> None:
        self.features, self.rule = features, rule
        self.count = cells_of_rule(features.plan, rule)
        kmeans = features.plan.grouping == "kmeans"
        self._nearest = Nearest(rule.astype(np.float32), features.distance) if kmeans else None

    def on(self, boards: Boards, first: NDArray[np.int32]) -> NDArray[np.int64]:
        """[B, N] the cell of every hand; `first` [B, N] is the hand that stands for it, or -1 where blocked."""
        features, rule = self.features, self.rule
        live = first >= 0
        if self._nearest is not None:
            picked = first == np.arange(first.shape[1])
            found = self._labels(features.points(boards)[picked])
            number = (np.cumsum(picked) - 1).reshape(picked.shape)
            stands = np.take_along_axis(number, np.where(live, first, 0), axis=1)
            return np.where(live, found[np.where(live, stands, 0)], 0)
        strength = features.scalars(boards)
        if features.plan.method != "potential":
            return np.where(live, place_among(rule.astype(np.uint16), strength), 0)
        weak, limit, edges = int(rule[0]), int(rule[1]), rule[2:].astype(np.uint16)
        cell = place_among(edges, strength)
        if weak:
            draws = (strength < weak) & (features.potentials(boards) >= limit)
            cell = np.where(draws, len(edges), cell)
        return np.where(live, cell, 0)

    def _labels(self, points: NDArray[np.float32]) -> NDArray[np.int32]:
        """[n] the nearest centre of each point. Hands of a board often have the same, which is looked up once."""
        assert self._nearest is not None
        # Equal points have equal sums with any weights, and hardly any others do: they become neighbours. Where a sum
        # is rounded otherwise, a point is looked up twice, with the same answer.
        order = np.argsort(points @ np.sqrt(np.arange(2, points.shape[1] + 2)).astype(np.float32))
        points = points[order]
        new = np.ones(len(points), bool)
        new[1:] = (points[1:] != points[:-1]).any(axis=1)
        distinct = points[new]
        found = np.empty(len(distinct), np.int32)
        self._nearest.assign(distinct, found)
        labels = np.empty(len(points), np.int32)
        labels[order] = found[np.cumsum(new) - 1]
        return labels

    def table(
        self, boards: CanonicalBoards, threads: int, monitor: Monitor, making: Making
    ) -> NDArray[np.unsignedinteger]:
        """[B, N] on all boards of a round."""
        kind: type[np.unsignedinteger] = np.uint16 if self.count <= ONE + 1 else np.uint32
        out = np.zeros((len(boards.cards), boards.hand_moves.shape[1]), kind)

        def fill(some: slice) -> None:
            out[some] = self.on(boards.cards[some], first_of_orbit(boards, some, self.features.of))

        rows = making.rows("cells", out)
        in_chunks(fill, rows, self.features.plan.method, threads, monitor, "cells", making)
        return out


def in_chunks(
    work: Callable[[slice], None],
    rows: Rows,
    method: str,
    threads: int,
    monitor: Monitor,
    what: str,
    making: Making,
) -> None:
    """Do the work of some boards at a time, on several threads; one row for each, but for those that are done."""
    size = _CHUNK.get(method, _SCALAR_CHUNK)
    boards = len(rows)

    def one(start: int) -> int:
        if monitor.should_stop():
            raise StoppedError(f"stopped while making {what}; what was done is kept")
        stop = min(start + size, boards)
        work(slice(start, stop))
        return stop

    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(one, start) for start in range(rows.done, boards, size)]
        try:
            for job in jobs:
                rows.done = job.result()
                monitor.step(f"{what}: {rows.done:,} of {boards:,} boards")
                making.checkpoint()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _all_boards(
    what: str,
    feature: Callable[[Boards], NDArray[np.uint16]],
    boards: CanonicalBoards,
    of: Hands,
    threads: int,
    monitor: Monitor,
    making: Making,
) -> NDArray[np.uint16]:
    out = np.zeros((len(boards.cards), len(of.cards)), np.uint16)

    def fill(some: slice) -> None:
        out[some] = feature(boards.cards[some])

    in_chunks(fill, making.rows(what, out), "", threads, monitor, "strengths", making)
    return out


def _sample(
    features: Features,
    boards: CanonicalBoards,
    seed: int,
    threads: int,
    monitor: Monitor,
    making: Making,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(points [n, d], weights [n]): hands of all boards if they are few, else of boards drawn as they are dealt."""
    random = np.random.default_rng([seed, boards.cards.shape[1]])
    total = len(boards.cards)
    if total <= MOST_SAMPLED_BOARDS:
        chosen, deals = np.arange(total), boards.weight
    else:
        drawn = random.choice(total, MOST_SAMPLED_BOARDS, p=boards.weight / boards.weight.sum())
        chosen, deals = np.unique(drawn, return_counts=True)
    wanted = max(POINTS_PER_CENTRE * features.plan.buckets, FEWEST_POINTS)
    each = -(-wanted // len(chosen))  # hands of a board
    cards = boards.cards[chosen]
    live = features.of.live(cards)
    # [boards, each] live hands of each board in a random order; equal numbers in the order of the hands
    lots = np.where(live, random.random(live.shape, np.float32), np.float32(2))
    order = np.argsort(lots, axis=1, kind="stable")[:, :each]
    kept = np.take_along_axis(live, order, axis=1)
    points = np.zeros((len(chosen), order.shape[1], features.dimensions(cards.shape[1])), np.float32)

    def gather(some: slice) -> None:
        found = features.points(cards[some])
        points[some] = np.take_along_axis(found, order[some, :, None], axis=1)

    rows = making.rows("sample", points)
    in_chunks(gather, rows, features.plan.method, threads, monitor, "sample", making)
    weights = np.broadcast_to(deals[:, None], kept.shape)[kept]
    return points[kept], weights.astype(np.float32)


def _distinct(
    points: NDArray[np.float32], weights: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Points that are alike become one, with the weight of all."""
    points = np.ascontiguousarray(points) + np.float32(0)  # no negative zeros
    rows = points.view(np.dtype((np.void, points.itemsize * points.shape[1]))).ravel()
    _, first, number = np.unique(rows, return_index=True, return_inverse=True)
    return points[first], np.bincount(number.ravel(), weights).astype(np.float32)


def opponent_clusters(spread: Spread, clusters: int, seed: int, threads: int) -> NDArray[np.uint8]:
    """[N] the cluster of every hand before the first public card, by the spread of its strength; strongest last."""
    cdf, mean = spread.cdf[0], spread.mean[0]
    points, weights = _distinct(cdf, np.ones(len(cdf), np.float32))
    found = centres(points, weights, min(clusters, len(points)), "emd", seed, threads=threads)
    label = np.empty(len(cdf), np.int32)
    Nearest(found, "emd").assign(np.ascontiguousarray(cdf), label)
    used, number = np.unique(label, return_inverse=True)
    by_strength = np.argsort([mean[number == c].mean() for c in range(len(used))], kind="stable")
    return np.argsort(by_strength)[number].astype(np.uint8)
