"""What comes out for an extensive game: strategies of both players, and the proof of how good they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from errai.engine.evaluation import Evaluation
from errai.engine.progress import Measurement
from errai.sequence.certificate import NAME, Certificate
from errai.sequence.export import MOST_ROWS, export_csv, export_json
from errai.sequence.profile import Profile
from errai.summary import FIGURE, Summary

CSV, JSON = "strategy.csv", "strategy.json"


@dataclass(frozen=True)
class Solution(Summary):
    """A solution. Values are in the payoffs of the game, which are shifted back where they had been."""

    profile: Profile = field(repr=False)
    certificate: Certificate | None = field(repr=False)  # of an exact solution

    @property
    def unit(self) -> str:
        return "mbb/g" if self.profile.form.game.rules else "thousandths"

    def to_json(self) -> dict[str, Any]:
        """All but the strategies, as JSON holds it."""
        exact = None if self.certificate is None else str(self.certificate.value)
        return {**super().to_json(), "players": list(self.profile.form.game.players), "exact_value": exact}

    def save(self, folder: str | Path) -> None:
        """Write the strategies, result.json, and if there are any the certificate and convergence.png."""
        folder = Path(folder)
        for name in (JSON, NAME, FIGURE):  # of an earlier solution, which this one may not have
            (folder / name).unlink(missing_ok=True)
        export_csv(self.profile, folder / CSV)
        if self.information_sets <= MOST_ROWS:
            export_json(self.profile, folder / JSON)
        if self.certificate is not None:
            self.certificate.save(folder / NAME)
        self.save_summary(folder)


def solution_of(
    profile: Profile,
    evaluation: Evaluation,
    method: str,
    iterations: int,
    seconds: float,
    *,
    target: float | None = None,
    converged: bool = False,
    finished: bool = True,
    history: tuple[Measurement, ...] = (),
    certificate: Certificate | None = None,
) -> Solution:
    """The solution of a profile that has been evaluated in the game with payoffs that add up to zero."""
    game = profile.form.game
    shift = float(game.shift)
    low, high = evaluation.bounds
    value, best = evaluation.value, evaluation.best_response
    return Solution(
        game=game.title,
        method=method,
        iterations=iterations,
        seconds=seconds,
        information_sets=game.information_sets,
        value=(value[0] + shift, value[1] + shift),
        bounds=(low + shift, high + shift),
        best_response=(best[0] + shift, best[1] + shift),
        exploitability=max(evaluation.exploitability, 0.0),  # rounding can take it below
        exploitability_mbb=max(evaluation.exploitability_mbb, 0.0),
        target=target,
        converged=converged,
        finished=finished,
        history=history,
        profile=profile,
        certificate=certificate,
    )
