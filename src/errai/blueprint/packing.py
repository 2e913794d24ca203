"""Between the stores of a layout and a saved strategy: weights to bytes, and contexts in and out.

A saved strategy counts contexts as the engine does; `BucketLayout.place` says where they lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.kernels.quantise import quantise
from errai.blueprint.layout import BucketLayout, bucket_layout
from errai.errors import ErraiError
from errai.kernels.lanes import W
from errai.strategy.kinds.buckets import BucketStrategy, save_buckets
from errai.strategy.quantised import UNITS

Orders = Sequence[NDArray[np.int64] | None]  # of the buckets, round by round


def to_bytes(
    layout: BucketLayout,
    weights: NDArray[np.float32] | NDArray[np.uint8],
    threads: int = 1,
    levels: int = UNITS,
) -> NDArray[np.uint8]:
    """The probabilities of all decisions in 255ths, in the order of the layout; multiples of 255 / levels."""
    if levels < 1 or UNITS % levels:
        raise ErraiError(f"{levels} levels do not divide {UNITS}: choose 255, 85, 51, 17, 15, 5 or 3")
    out = np.zeros(layout.numbers + 2 * W, np.uint8)
    with ThreadPoolExecutor(threads) as pool:
        jobs = []
        for round_, template in enumerate(layout.templates):
            K = int(layout.betting.chunk[round_])
            first, last = int(layout.deal.first[round_]), int(layout.deal.first[round_ + 1])
            row = np.array([node.row for node in template.nodes])
            actions = np.array([len(node.actions) for node in template.nodes])
            bounds = np.linspace(0, (last - first) // (template.rows * K), threads + 1).astype(np.int64)
            jobs += [
                pool.submit(quantise, weights, low, high, first, template.rows, K, row, actions, levels, out)
                for low, high in pairwise(bounds)
            ]
        for job in jobs:
            job.result()
    return out


def context_rows(
    layout: BucketLayout, probabilities: NDArray[np.uint8], round_: int, context: int
) -> NDArray[np.uint8]:
    """[A, buckets] of one context."""
    line, chunk, lane = layout.place(round_, context)
    return np.ascontiguousarray(layout.view(probabilities, round_)[line, chunk, :, :, lane].T)


def save_on_layout(
    folder: Path,
    layout: BucketLayout,
    probabilities: NDArray[np.uint8],
    about: Mapping[str, Any],
    tables: Path | None,
    orders: Orders | None = None,
) -> None:
    """Write a strategy; `tables` is the folder of its abstraction, `orders` those of its buckets in the files."""

    def rows(round_: int) -> Any:
        return lambda context: context_rows(layout, probabilities, round_, context)

    save_buckets(
        folder,
        layout.game,
        layout.abstraction,
        [rows(r) for r in range(layout.rounds)],
        about,
        tables,
        orders,
    )


def load_layout(strategy: BucketStrategy) -> tuple[BucketLayout, NDArray[np.uint8]]:
    """A saved strategy as a layout and its probabilities."""
    made = bucket_layout(strategy.game, strategy.abstraction)
    probabilities = np.zeros(made.numbers + 2 * W, np.uint8)
    for round_ in range(made.rounds):
        view = made.view(probabilities, round_)
        for context in range(strategy.tree.contexts[round_]):
            line, chunk, lane = made.place(round_, context)
            view[line, chunk, :, :, lane] = strategy.context_rows(round_, context).T
    return made, probabilities
