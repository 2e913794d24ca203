"""A heads-up no-limit tournament by jam or fold, saved like every other run.

import errai

solution = errai.tournament(8000, 300, 600, out="out/tournament", exact=True)
solution.lower(0), solution.upper(0), solution.gap      by stack; seat 0 posts the small blind
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from errai.api.parameters import thread_count
from errai.errors import ErraiError
from errai.jamfold.tournament import TournamentSolution, solve
from errai.jamfold.tournament_files import FORMATS
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run

__all__ = ["tournament"]


def tournament(
    chips: int,
    small_blind: int,
    big_blind: int,
    ante: int = 0,
    step: int | None = None,
    *,
    threads: int | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    form: str = "png",
    exact: bool = False,
    monitor: Monitor = SILENT,
) -> TournamentSolution:
    """The best jam/fold strategy of a tournament, with proven bounds (see errai.jamfold.tournament.solve).

    With `out` bounds, strategies and figures, as png, svg or pdf in `form`, are saved there; with `exact` also the
    proof. A folder with other work in it is refused, unless it is to `overwrite` that.
    """
    if form not in FORMATS:
        raise ErraiError(f"form must be png, svg or pdf, not {form}", parameter="form")
    if exact and out is None:
        raise ErraiError("exact saves a proof: give a folder for it", parameter="out")
    with Run(out, monitor, overwrite=overwrite) as run:
        solution = solve(
            chips, small_blind, big_blind, ante, step, threads=thread_count(threads), monitor=monitor
        )
        folder = run.folder
        if folder is None:
            return solution
        there = run.save("the tournament", lambda: solution.save(folder, form, exact))
        return replace(solution, folder=folder if there else None, saved=run.complete)
