"""Between the stores of a frame and a saved strategy: weights to bytes, and contexts in and out.

A saved strategy counts contexts as the engine does; `Frame.place` says where they lie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.neighbours import order_of_buckets
from errai.abstraction.packing import pack_abstraction
from errai.abstraction.saved import load_description
from errai.blueprint.frame import Frame, frame
from errai.blueprint.kernels.quantise import UNITS, quantise
from errai.blueprint.rarity import own_reach
from errai.engine.kernels.lanes import W
from errai.engine.loop import silent
from errai.errors import ErraiError
from errai.strategy.blueprint import TABLES, Blueprint, measured, save_blueprint
from errai.strategy.quantised import quantised
from errai.writing import make_folder

# Decisions that a player gets to more rarely than this have rougher probabilities, which so many alike buckets share.
RARE = ((0.03, 8), (0.003, 32))
RARE_LEVELS = 5
LEAST_ROWS = 1000  # of a decision, however rare

Orders = Sequence[NDArray[np.int64] | None]  # of the buckets, round by round


def to_bytes(
    frame: Frame,
    weights: NDArray[np.float32] | NDArray[np.uint8],
    threads: int = 1,
    levels: int = UNITS,
) -> NDArray[np.uint8]:
    """The probabilities of all decisions in 255ths, in the order of the frame; multiples of 255 / levels."""
    if levels < 1 or UNITS % levels:
        raise ErraiError(f"{levels} levels do not divide {UNITS}: choose 255, 85, 51, 17, 15, 5 or 3")
    out = np.zeros(frame.numbers + 2 * W, np.uint8)
    with ThreadPoolExecutor(threads) as pool:
        jobs = []
        for round_, template in enumerate(frame.templates):
            K = int(frame.betting.chunk[round_])
            first, last = int(frame.deal.first[round_]), int(frame.deal.first[round_ + 1])
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
    frame: Frame, probabilities: NDArray[np.uint8], round_: int, context: int
) -> NDArray[np.uint8]:
    """[A, buckets] of one context."""
    line, chunk, lane = frame.place(round_, context)
    return np.ascontiguousarray(frame.view(probabilities, round_)[line, chunk, :, :, lane].T)


def save_frame(
    folder: Path,
    frame: Frame,
    probabilities: NDArray[np.uint8],
    about: Mapping[str, Any],
    tables: Path | None,
    orders: Orders | None = None,
) -> None:
    """Write a strategy; `tables` is the folder of its abstraction, `orders` those of its buckets in the files."""

    def rows(round_: int) -> Any:
        return lambda context: context_rows(frame, probabilities, round_, context)

    save_blueprint(
        folder, frame.game, frame.abstraction, [rows(r) for r in range(frame.rounds)], about, tables, orders
    )


def coarser(
    frame: Frame, probabilities: NDArray[np.uint8], levels: int, orders: Orders, threads: int = 1
) -> NDArray[np.uint8]:
    """The strategy in multiples of 1 / levels; at decisions that a player hardly ever gets to, in fifths.

    There buckets that follow each other in the `orders` of the rounds share their probabilities, too: few samples
    taught them, and their mean is as good. The first round, a thousand bytes on which all others depend, stays as it
    is.
    """
    fine = to_bytes(frame, probabilities, threads, levels)
    fine[: frame.before(1)] = probabilities[: frame.before(1)]
    if levels <= RARE_LEVELS or levels == UNITS:
        return fine
    for round_, reached in list(enumerate(own_reach(frame, probabilities)))[1:]:
        into, of = frame.view(fine, round_), frame.view(probabilities, round_)
        K = into.shape[-1]
        for (line, context, number), reach in np.ndenumerate(reached):
            node = frame.templates[round_].nodes[number]
            at = (line, context // K, slice(None), slice(node.row, node.row + len(node.actions)), context % K)
            if reach < RARE[0][0]:
                into[at] = _shared(of[at], orders[round_], sharing(reach, len(of[at])))
    return fine


def sharing(reach: float, buckets: int) -> int:
    """How many buckets share their probabilities at a decision that is reached so rarely."""
    most = max([many for below, many in RARE if reach < below], default=1)
    return min(most, max(1, buckets // LEAST_ROWS))


def _shared(rows: NDArray[Any], order: NDArray[np.int64] | None, many: int) -> NDArray[np.uint8]:
    """[buckets, A] in fifths, the mean of `many` that follow each other; each its own where there is no order."""
    if order is None:
        return quantised(rows.T, RARE_LEVELS).T
    sums = np.add.reduceat(rows[order].astype(np.int64), np.arange(0, len(rows), many), axis=0)
    out = np.empty_like(rows)
    out[order] = np.repeat(quantised(sums.T, RARE_LEVELS).T, many, axis=0)[: len(rows)]
    return out


def pack(
    strategy: Blueprint,
    out: Path,
    levels: int,
    threads: int = 1,
    command: str = "",
    tell: Callable[[str], None] = silent,
) -> int:
    """Write a copy that needs nothing but its own folder, coarser and smaller; returns its size in bytes.

    Its probabilities are multiples of 1 / levels (see `coarser`); its buckets come without their tables. What it was
    measured to be holds for the copy only if nothing was made coarser.
    """
    if out.resolve() == strategy.folder.resolve():
        raise ErraiError(f"{out} is the strategy itself; choose another folder")
    if out.is_dir() and any(out.iterdir()) and not (out / TABLES).is_dir():
        raise ErraiError(f"{out} holds something else; choose another folder")
    tell("reading the strategy")
    made, fine = load_frame(strategy)
    source = load_description(strategy.tables)
    orders = [order_of_buckets(source, round_) for round_ in range(made.rounds)]
    tell("making it coarser")
    probabilities = coarser(made, fine, levels, orders, threads)
    tell("packing its buckets")
    about = {**strategy.about, "levels": levels, "packed_by": command}
    pack_abstraction(strategy.tables, make_folder(out) / TABLES)
    tell("writing the copy")
    save_frame(out, made, probabilities, about, None, orders)
    before = strategy.content.get("exploitability")
    if before is not None and np.array_equal(probabilities, fine):
        measured(out, before)
    return sum(file.stat().st_size for file in out.rglob("*") if file.is_file())


def load_frame(strategy: Blueprint) -> tuple[Frame, NDArray[np.uint8]]:
    """A saved strategy as a frame and its probabilities."""
    made = frame(strategy.game, strategy.abstraction)
    probabilities = np.zeros(made.numbers + 2 * W, np.uint8)
    for round_ in range(made.rounds):
        view = made.view(probabilities, round_)
        for context in range(strategy.tree.contexts[round_]):
            line, chunk, lane = made.place(round_, context)
            view[line, chunk, :, :, lane] = strategy.context_rows(round_, context).T
    return made, probabilities
