"""A small copy of a strategy that needs nothing but its own folder: coarser where a player hardly ever gets.

Few samples come to such decisions, and little is lost by what is played there; but they are nine in ten.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.neighbours import order_of_buckets
from errai.abstraction.packing import pack_abstraction
from errai.abstraction.saved import load_description
from errai.blueprint.layout import BucketLayout
from errai.blueprint.own_reach import own_reach
from errai.blueprint.packing import Orders, load_layout, save_on_layout, to_bytes
from errai.errors import ErraiError
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.strategy.kinds.buckets import TABLES, BucketStrategy, record_exploitability
from errai.strategy.quantised import UNITS, quantised

# Decisions that a player gets to more rarely than this have rougher probabilities, which so many alike buckets share.
RARE = ((0.03, 8), (0.003, 32))
RARE_LEVELS = 5
LEAST_ROWS = 1000  # of a decision, however rare


def coarser(
    layout: BucketLayout, probabilities: NDArray[np.uint8], levels: int, orders: Orders, threads: int = 1
) -> NDArray[np.uint8]:
    """The strategy in multiples of 1 / levels; at decisions that a player hardly ever gets to, in fifths.

    There buckets that follow each other in the `orders` of the rounds share their probabilities, too. The first
    round, a thousand bytes on which all others depend, stays as it is.
    """
    fine = to_bytes(layout, probabilities, threads, levels)
    fine[: layout.before(1)] = probabilities[: layout.before(1)]
    if levels <= RARE_LEVELS or levels == UNITS:
        return fine
    for round_, reached in list(enumerate(own_reach(layout, probabilities)))[1:]:
        into, of = layout.view(fine, round_), layout.view(probabilities, round_)
        K = into.shape[-1]
        for (line, context, number), reach in np.ndenumerate(reached):
            node = layout.templates[round_].nodes[number]
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
    strategy: BucketStrategy,
    out: Path,
    levels: int,
    threads: int = 1,
    command: str = "",
    monitor: Monitor = SILENT,
) -> int:
    """Write a copy that needs nothing but its own folder, coarser and smaller; returns its size in bytes.

    Its probabilities are multiples of 1 / levels (see `coarser`); its buckets come without their tables. What it was
    measured to be holds for the copy only if nothing was made coarser.
    """
    if out.resolve() == strategy.folder.resolve():
        raise ErraiError(f"{out} is the strategy itself; choose another folder")
    if out.is_dir() and any(out.iterdir()) and not (out / TABLES).is_dir():
        raise ErraiError(f"{out} holds something else; choose another folder")
    monitor.step("reading the strategy")
    made, fine = load_layout(strategy)
    source = load_description(strategy.tables)
    orders = [order_of_buckets(source, round_) for round_ in range(made.rounds)]
    monitor.step("making it coarser")
    probabilities = coarser(made, fine, levels, orders, threads)
    about = {**strategy.about, "levels": levels, "packed_by": command}
    with Run(out, monitor, resume=out.is_dir()):
        monitor.step("packing its buckets")
        pack_abstraction(strategy.tables, out / TABLES)
        monitor.step("writing the copy")
        save_on_layout(out, made, probabilities, about, None, orders)
        before = strategy.content.get("exploitability")
        if before is not None and np.array_equal(probabilities, fine):
            record_exploitability(out, before)
    return sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
