"""What a solution would cost, as labels and texts."""

from __future__ import annotations

from textwrap import wrap

from errai.engine.memory import format_bytes
from errai.formatting import duration, figure
from errai.scale.measuring import Measurement
from errai.scale.plan import EFFICIENCY, RESPONSES, Plan

Rows = list[tuple[str, str]]
LIKELY, RANGE = 12, 22  # columns of what is likely, and of low to high
WIDTH = 63  # columns of a text
LEAST = 0.01  # smaller figures are not worth their digits


def plan_rows(plan: Plan) -> Rows:
    """All of a plan: what it would cost, what was measured for it, what was extrapolated."""
    counts, cluster = plan.counts, plan.cluster
    nodes = f"{cluster.nodes:,} node{'s' if cluster.nodes > 1 else ''} of {cluster.cores:,} cores"
    rows = [
        ("game", f"{counts.game}, {counts.information_sets:,} information sets"),
        (
            "cluster",
            f"{nodes}, {format_bytes(cluster.disk)} of disk, {format_bytes(cluster.memory)} of memory",
        ),
        ("target", f"{plan.projection.target:g} mbb/g"),
        *_cost_rows(plan),
        *_iteration_rows(plan),
        *_measured_rows(plan.measurement),
        *_extrapolated_rows(plan),
        *(("does not fit", problem) for problem in plan.problems),
    ]
    return [
        ("" if number else label, part)
        for label, text in rows
        for number, part in enumerate(
            wrap(text, WIDTH, break_on_hyphens=False) if len(text) > WIDTH else [text]
        )
    ]


def _cost_rows(plan: Plan) -> Rows:
    """What is likely, from low to high, and what Cepheus took, in columns."""
    costs = (plan.likely, plan.low, plan.high)
    disk, error = plan.disk_bytes, plan.disk_error or 0.0
    before = plan.cepheus
    table = [
        ("", "likely", "low to high"),
        ("iterations", *_span([f"{cost.iterations:,}" for cost in costs])),
        ("core-years", *_span([_small(cost.core_years) for cost in costs])),
        ("days", *_span([_small(cost.days) for cost in costs])),
        ("disk in all", *_span([format_bytes(size) for size in (disk, disk - 2 * error, disk + 2 * error)])),
        ("money", *_span([_small(cost.money) for cost in costs])),
    ]
    beside = [""] * len(table)
    if before is not None:
        beside = [
            "Cepheus",
            f"{before.iterations:,}",
            f"{before.core_years:g}",
            f"{before.days:g} on {before.cores:,} cores",
            format_bytes(before.disk_bytes),
            "",
        ]
    return [
        (label, f"{likely:<{LIKELY}}{between:<{RANGE}}{then}".rstrip())
        for (label, likely, between), then in zip(table, beside, strict=True)
    ]


def _iteration_rows(plan: Plan) -> Rows:
    """What nodes must have, and who is busy in an iteration."""
    counts, iteration = plan.counts, plan.iteration
    busy = [
        ("cores", iteration.cores),
        ("disks", iteration.disks),
        ("driver", iteration.trunk + iteration.border),
    ]
    if plan.cluster.network is not None:
        busy.append(("network", iteration.network))
    words = ", ".join(f"{name} {duration(seconds)}" for name, seconds in busy)
    return [
        (
            "disk per node",
            f"{format_bytes(plan.node_disk_bytes)}; {format_bytes(plan.moved_bytes)} moved an iteration",
        ),
        (
            "memory per node",
            f"{format_bytes(plan.memory_bytes)}; the driver {format_bytes(counts.driver_bytes)}",
        ),
        ("network", f"{format_bytes(counts.network_bytes)} an iteration, both ways together"),
        ("an iteration", f"{duration(iteration.total)}: {words}"),
    ]


def _measured_rows(measured: Measurement) -> Rows:
    least, most = measured.iterations
    counted = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    if measured.whole:
        what = "the whole game"
    elif len(measured.samples) == 1:
        what = "one flop"
    else:
        what = f"{len(measured.samples)} subgames of {measured.flops} flops"

    def nanoseconds(name: str) -> str:
        return _with_error(measured, name, 1e9)

    def per_number(name: str) -> str:
        return _with_error(measured, name, 1.0)

    return [
        ("measured", f"{what}, {counted} iterations of {measured.method}, in {duration(measured.seconds)}"),
        ("", f"with the reach {measured.reach}"),
        ("  iteration", f"{nanoseconds('seconds')} ns of a core per number, kernels {nanoseconds('kernel')}"),
        ("  best response", f"{nanoseconds('response')} ns of a core per number"),
        ("  disk", f"{per_number('peak')} bytes per number at most, {per_number('stored')} at the end"),
        ("  disk traffic", f"{per_number('read')} bytes read per number, {per_number('written')} written"),
    ]


def _extrapolated_rows(plan: Plan) -> Rows:
    counts, by_record = plan.counts, plan.projection.by_record
    records = ", ".join(f"{what} {count:,}{'' if reached else '*'}" for what, count, reached in by_record)
    if not all(reached for _, _, reached in by_record):
        records += " (* beyond the run, by a power law)"
    cores = f"cores as fast as the one here and busy {EFFICIENCY:.0%} of the time"
    disks = f"a disk of {plan.cluster.disk_speed:g} GB/s per node"
    return [
        ("extrapolated", f"to {counts.numbers:,} numbers: {figure(plan.core_hours)} core-hours an iteration"),
        ("  iterations", records),
        ("  assumed", f"{cores}; {disks}; {RESPONSES} best responses"),
    ]


def _span(texts: list[str]) -> tuple[str, str]:
    """What is likely; and from low to high, where these differ."""
    likely, low, high = texts
    return likely, f"{low} to {high}" if low != high else ""


def _small(number: float) -> str:
    return figure(number) if number >= LEAST else f"under {LEAST:g}"


def _with_error(measured: Measurement, name: str, scale: float) -> str:
    """The mean and its standard error."""
    error = measured.error(name)
    text = f"{scale * measured.mean(name):.2f}"
    return text if not error else f"{text} ± {scale * error:.2f}"
