"""What comes out of the engine: a strategy of one of its games, and the proof of how good it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errai.engine.loop import Loop
from errai.engine.solver import Solver
from errai.strategy.kinds.exact import ExactStrategy
from errai.strategy.kinds.subgames import SubgameStrategy
from errai.summary import Summary


@dataclass(frozen=True)
class Result(Summary):
    """A solution. Values are chips per game."""

    strategy: ExactStrategy | SubgameStrategy

    def save(self, folder: str | Path) -> None:
        """Write the strategy, result.json and convergence.png to a folder."""
        content = self.to_json()
        about = {key: content[key] for key in content if key != "history"}
        self.strategy.save(Path(folder), about, self.save_summary)


def result_of(solver: Solver, finished: bool) -> Result:
    """The result of a solver that has run. Its strategy shares the solver's memory."""
    about = summary_of(solver, solver.spot.game.name, solver.layout.shape.information_sets, finished)
    return Result(**about, strategy=ExactStrategy(solver.layout, solver.weights()))


def summary_of(solver: Loop, game: str, information_sets: int, finished: bool) -> dict[str, Any]:
    """What a solver that has run says about itself, by the names of Summary."""
    evaluation = solver.evaluation
    assert evaluation is not None
    return {
        "game": game,
        "method": solver.settings.rule.name,
        "iterations": solver.iteration,
        "seconds": solver.seconds,
        "information_sets": information_sets,
        "value": evaluation.value,
        "bounds": evaluation.bounds,
        "best_response": evaluation.best_response,
        "exploitability": evaluation.exploitability,
        "exploitability_mbb": evaluation.exploitability_mbb,
        "target": solver.settings.stop_at,
        "converged": solver.converged,
        "finished": finished,
        "history": tuple(solver.history),
    }
