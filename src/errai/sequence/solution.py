"""What comes out for an extensive game: strategies of both players, and the proof of how good they are.

folder/strategy.json        the manifest (errai.files.manifest): the rules of a poker game, how it was solved
folder/strategy.csv         the probabilities: player, information set, action, probability
folder/game.efg             the game, where it has no rules to be made from again and is not too large
folder/certificate.json     the proof in fractions of an exact solution
folder/table.json           the probabilities once more, as JSON, of a game that is not too large
folder/result.json          values, exploitability and the course of the solution
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from errai.engine.evaluation import Evaluation
from errai.engine.progress import Measurement
from errai.files.manifest import saving
from errai.outward import above, below
from errai.sequence.certificate import NAME, Certificate
from errai.sequence.efg_writer import write_efg
from errai.sequence.export import MOST_ROWS, export_csv, export_json, player_names
from errai.sequence.poker import canonical_information_sets
from errai.sequence.profile import Profile
from errai.summary import Summary

KIND = "sequence"
CSV, EFG, JSON = "strategy.csv", "game.efg", "table.json"
MOST_NODES = 1_000_000  # of a game that is saved with its solution


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
        game = self.profile.form.game
        return {
            **super().to_json(),
            "tree_information_sets": game.information_sets,  # every card told apart
            "players": list(game.players),
            "exact_value": exact,
        }

    def save(self, folder: str | Path) -> None:
        """Write the strategies, result.json, and if there are any the certificate and convergence.png."""
        game = self.profile.form.game
        with saving(Path(folder)) as new:
            with new.file(CSV) as path:
                export_csv(self.profile, path)
            if not game.rules and game.nodes <= MOST_NODES:
                with new.file(EFG) as path:
                    write_efg(game, path)
            if self.certificate is not None:
                with new.file(NAME) as path:
                    self.certificate.save(path)
            if game.information_sets <= MOST_ROWS:
                with new.beside(JSON) as path:
                    export_json(self.profile, path)
            self.save_summary(new)
            content = self.to_json()
            new.commit(
                KIND,
                title=game.title,
                players=list(player_names(game)),
                rules=game.rules,
                about={key: content[key] for key in content if key != "history"},
            )


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
    low, high = (bound + shift for bound in evaluation.bounds)
    if certificate is not None:
        exactly = Fraction(int(certificate.value.p), int(certificate.value.q))
        low, high = below(exactly), above(exactly)
    value, best = evaluation.value, evaluation.best_response
    return Solution(
        game=game.title,
        method=method,
        iterations=iterations,
        seconds=seconds,
        information_sets=canonical_information_sets(game),
        value=(value[0] + shift, value[1] + shift),
        bounds=(low, high),
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
