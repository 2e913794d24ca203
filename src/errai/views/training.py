"""A training, and how exploitable a strategy is, as labels, texts and a table."""

from __future__ import annotations

from errai.api.training import TrainingResult
from errai.blueprint.rules import training_rule
from errai.formatting import duration, figure
from errai.measure.walk import Exploitability
from errai.outward import outward_figures
from errai.strategy.strategy import Strategy
from errai.views.rows import Rows


def training_rows(trained: TrainingResult) -> Rows:
    """What was trained on what, and where it is."""
    counts = " / ".join(f"{count:,}" for count in trained.buckets)
    rows = [
        ("game", trained.game),
        ("buckets", f"{trained.preset}: {counts}"),
        ("method", f"{trained.method}: {training_rule(trained.method).words}"),
        ("samples", f"{trained.samples:,} in {duration(trained.seconds)}"),
    ]
    return [*rows, ("strategy", f"{trained.kind}, in {trained.folder}")] if trained.saved else rows


def measurement_table(trained: TrainingResult) -> list[list[str]]:
    """What was measured on the way: time, samples, mbb/g."""
    rows = [
        [duration(one.seconds), f"{one.samples:,}", figure(one.exploitability_mbb)]
        for one in trained.measurements
    ]
    return [["time", "samples", "mbb/g"], *rows]


def exploitability_rows(name: str, strategy: Strategy, found: Exploitability) -> Rows:
    """What the best responses win, how exploitable the strategy is, and what that says of the game."""
    evaluation = found.evaluation
    unit = 1000 / evaluation.unit
    seats, (chips, thousandths) = strategy.seats, strategy.units
    first, second = (
        f"{seats[seat]} {figure(won)} {chips} = {figure(unit * won)} {thousandths}"
        for seat, won in enumerate(evaluation.best_response)
    )
    rows = [("strategy", name), ("game", strategy.title), ("best responses", f"{first}; {second}")]
    mbb = f"{figure(evaluation.exploitability_mbb)} {thousandths}"
    if found.interval_mbb is None:
        rows.append(("exploitability", f"{mbb}, exact"))
    else:
        interval = " to ".join(figure(bound) for bound in found.interval_mbb)
        rows.append(("exploitability", f"{mbb}, estimated; 95% interval {interval}"))
        rows.append(("", "on average too high, as the first round is chosen knowing the sample;"))
        lower = "?" if found.lower_mbb is None else figure(found.lower_mbb)
        rows.append(
            ("", f"{lower} mbb/g, on average too low, when chosen on one half and counted on the other")
        )
    low, high = (-unit * bound for bound in reversed(evaluation.bounds))
    about = "" if found.exact else "about "
    wins = f"{about}{' to '.join(outward_figures(low, high))} {thousandths}"
    rows.append(("value", f"{seats[1]} wins {wins} in equilibrium"))
    if found.of:
        spent = f"{duration(found.seconds)} of one core" if found.boards else "nothing to walk"
        rows.append(("boards", f"{found.boards:,} of {found.of:,}; {spent}"))
    else:
        rows.append(("time", duration(found.seconds)))
    if found.boards:
        rows.append(("whole game", f"{figure(found.core_hours)} core-hours at this rate"))
    return rows
