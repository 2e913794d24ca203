"""What matches show, as rows of text, JSON and tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from errai.api.matches import MatchResult
from errai.formatting import duration
from errai.play.score import Estimate

WORDS = {
    "plain": "chips as they were won",
    "duplicate": "pairs of hands with the same cards",
    "ranges": "over all hands that known players could hold",
    "aivat": "without the luck of deals and of known players' choices",
}
Crossed = Mapping[tuple[int, int], MatchResult]


def estimate_text(estimate: Estimate) -> str:
    """+12.3 ± 4.5 mbb/g"""
    return f"{estimate.mean_mbb:+,.1f} ± {estimate.ci95_mbb:,.1f} mbb/g"


def match_rows(played: MatchResult) -> list[tuple[str, str]]:
    """Labels and what they say, of the first player."""
    first, second = played.players
    rate = played.hands / played.seconds if played.seconds else 0.0
    rows = [
        ("match", f"{first} against {second}"),
        ("game", played.game.name),
        (
            "hands",
            f"{played.hands:,}{'' if played.finished else f' of {played.planned:,}'}, seed {played.seed}",
        ),
        (f"{first} wins", f"{estimate_text(played.best)} (95% interval)"),
    ]
    for name, estimate in played.estimators.items():
        rows.append((f"  {name}", f"{estimate_text(estimate)}, {WORDS[name]}"))
    for name, estimate in zip(played.game.seat_names, played.seats, strict=True):
        rows.append((f"  {name}", estimate_text(estimate)))
    rows.append(("time", f"{duration(played.seconds)}, {rate:,.0f} hands a second"))
    return rows


def match_json(played: MatchResult) -> dict[str, Any]:
    """One object for programs."""
    return {
        "game": played.game.name,
        "players": list(played.players),
        "hands": played.hands,
        "finished": played.finished,
        "seed": played.seed,
        "duplicate": played.duplicate,
        "mean_mbb": played.mean_mbb,
        "ci95_mbb": played.ci95_mbb,
        "estimators": {name: _json(estimate) for name, estimate in played.estimators.items()},
        "seats": dict(zip(played.game.seat_names, map(_json, played.seats), strict=True)),
        "seconds": played.seconds,
        "hands_per_second": played.hands / played.seconds if played.seconds else None,
    }


def _json(estimate: Estimate) -> dict[str, float]:
    return {"mean_mbb": estimate.mean_mbb, "ci95_mbb": estimate.ci95_mbb, "samples": estimate.samples}


def cross_cells(names: Sequence[str], played: Crossed) -> list[list[Estimate | None]]:
    """[players, players] what the player of a row wins from that of a column; None on the diagonal and unplayed."""
    cells: list[list[Estimate | None]] = [[None] * len(names) for _ in names]
    for (first, second), result in played.items():
        best = result.best
        cells[first][second] = best
        cells[second][first] = Estimate(-best.mean_mbb, best.ci95_mbb, best.samples)
    return cells


def cross_lines(names: Sequence[str], played: Crossed) -> list[str]:
    """The cross table as text, with the mean of each row at its end."""
    cells = cross_cells(names, played)
    label = max(len(name) for name in names)
    shown = [
        ["" if cell is None else f"{cell.mean_mbb:+,.0f} ± {cell.ci95_mbb:,.0f}" for cell in row]
        for row in cells
    ]
    means = [_mean(row) for row in cells]
    width = max(len(text) for row in (names, *shown) for text in row)
    head = "  ".join([" " * label, *(f"{name:>{width}}" for name in names), f"{'mean':>8}"])
    rows = [
        "  ".join([f"{name:<{label}}", *(f"{text:>{width}}" for text in row), f"{mean:>8}"])
        for name, row, mean in zip(names, shown, means, strict=True)
    ]
    return [head, *rows]


def cross_csv(names: Sequence[str], played: Crossed) -> str:
    """One line for each ordered pair."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["player", "opponent", "mean_mbb", "ci95_mbb", "samples"])
    for name, row in zip(names, cross_cells(names, played), strict=True):
        for opponent, cell in zip(names, row, strict=True):
            if cell is not None:
                writer.writerow([name, opponent, repr(cell.mean_mbb), repr(cell.ci95_mbb), cell.samples])
    return out.getvalue()


def _mean(row: Sequence[Estimate | None]) -> str:
    known = [cell.mean_mbb for cell in row if cell is not None]
    return f"{sum(known) / len(known):+,.0f}" if known else ""
