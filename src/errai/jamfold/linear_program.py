"""The best jam/fold strategy of one hand, and player 2's best answer, by a linear program.

With t[b] what the best option of class b takes from player 1, compared with passing,

    maximise sum of pass[b](x) - sum of t[b]   subject to   t[b] >= pass[b](x) - option[b](x),   t >= 0,   0 <= x <= 1

The dual variables of the rows are how often player 2 takes each option. Both sides are then evaluated by themselves:
what x guarantees against any answer, and the most that anything wins against the answer. No tolerance of the solver
enters those two numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from errai.errors import ErraiError
from errai.jamfold.equities import CLASSES
from errai.jamfold.matrix_game import CALL, GIVE, PASS, Floats, MatrixGame, Terms, shares, terms

TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class HandSolution:
    """Strategies of one game. Player 1 wins at least `guarantee`, and against `answer` at most `ceiling`."""

    jam: Floats  # [169] how often player 1 jams
    answer: dict[str, Floats]  # option -> [169] how often player 2 takes it
    guarantee: float
    ceiling: float

    @property
    def value(self) -> float:
        return (self.guarantee + self.ceiling) / 2


@dataclass
class Solver:
    """Solves elements, each from the basis of the last one of its shape: neighbours differ by a few pivots."""

    _solvers: dict[int, Any] = field(default_factory=dict)

    def __call__(self, game: MatrixGame[float]) -> HandSolution:
        known = terms(game)
        if game.folded is None:
            return _measured(game, known, np.ones(CLASSES), _least(game, known, np.ones(CLASSES)))
        if game.stolen is None:
            # A showdown or a fold: each class by itself.
            slope = known.beta[0]
            assert slope is not None
            return _measured(
                game, known, (slope.sum(axis=1) > 0).astype(np.float64), {CALL: np.ones(CLASSES)}
            )
        jam, taken = self._solve(game, known)
        rest = 1.0 - sum(taken.values())
        return _measured(game, known, jam, {PASS: np.maximum(rest, 0.0), **taken})

    def _optimal(self, highspy: Any, rows: int, model: tuple[Any, ...]) -> Any:
        """The solution of a linear program, in the first of the ways that finds it."""
        words = ""
        for way in _WAYS:
            solver = self._solvers.get(rows) if way is None else _new_solver(highspy, way)
            if solver is None:
                continue
            basis = solver.getBasis() if way is None else None
            solver.passModel(*model)
            if basis is not None and basis.valid:
                solver.setBasis(basis)
            solver.run()
            status = solver.getModelStatus()
            if status == highspy.HighsModelStatus.kOptimal:
                if way in (None, {}):
                    self._solvers[rows] = solver
                return solver.getSolution()
            words = solver.modelStatusToString(status)
        raise ErraiError(
            f"HiGHS could not solve the linear program of a hand: it says '{words}'; please report it"
        )

    def _solve(self, game: MatrixGame[float], known: Terms) -> tuple[Floats, dict[str, Floats]]:
        import highspy

        passing = known.beta[0]
        assert passing is not None
        others = [place for place, option in enumerate(game.options) if option != PASS]
        blocks, sides = [], []
        for place in others:
            slope = known.beta[place]
            blocks.append(((0.0 if slope is None else slope) - passing).T)
            sides.append(known.alpha[0] - known.alpha[place])
        rows = len(others) * CLASSES
        # Numbers of about 1, so that tolerances mean something: payoffs over their spread, given the class b.
        spread = max(game.won - game.lost, 1e-9)
        scale = 1.0 / (spread * shares().pairs.sum(axis=0))
        # Each row: what the option changes for every class a, and its own t.
        values = np.empty((rows, CLASSES + 1))
        values[:, :CLASSES] = np.concatenate(blocks) * np.tile(scale, len(others))[:, None]
        values[:, CLASSES] = 1.0
        columns = np.empty((rows, CLASSES + 1), np.int32)
        columns[:, :CLASSES] = np.arange(CLASSES)
        columns[:, CLASSES] = CLASSES + np.tile(np.arange(CLASSES), len(others))
        size, infinity = 2 * CLASSES, highspy.kHighsInf
        # As arrays: assigning them to a HighsLp would convert them number by number, longer than solving takes.
        model = (
            size, rows, values.size, int(highspy.MatrixFormat.kRowwise), int(highspy.ObjSense.kMaximize), 0.0,
            np.concatenate([passing.sum(axis=1), -1.0 / scale]) * (CLASSES / spread),
            np.zeros(size), np.concatenate([np.ones(CLASSES), np.full(CLASSES, infinity)]),
            np.concatenate([side * scale for side in sides]), np.full(rows, infinity),
            np.arange(0, values.size, CLASSES + 1, dtype=np.int32), columns.reshape(-1), values.reshape(-1),
            np.zeros(size, np.int32),
        )  # fmt: skip
        found = self._optimal(highspy, rows, model)
        duals = -np.array(found.row_dual).reshape(len(others), CLASSES) * (scale * spread / CLASSES)
        duals = np.clip(duals, 0.0, 1.0)
        taken = {game.options[place]: duals[row] for row, place in enumerate(others)}
        return np.clip(np.array(found.col_value)[:CLASSES], 0.0, 1.0), taken


def _new_solver(highspy: Any, options: Mapping[str, object]) -> Any:
    solver = highspy.Highs()
    for option, value in {
        "output_flag": False,
        "presolve": "off",
        **_tolerance(TOLERANCE),
        **options,
    }.items():
        solver.setOptionValue(option, value)
    return solver


def _tolerance(size: float) -> dict[str, object]:
    return {"primal_feasibility_tolerance": size, "dual_feasibility_tolerance": size}


# From the last basis, from none, and then in ways that are slower or coarser: deep stacks can be hard for the first.
_WAYS: tuple[Mapping[str, object] | None, ...] = (
    None,
    {},
    {"presolve": "on"},
    {"simplex_strategy": 4},
    _tolerance(1e-8),
    {**_tolerance(1e-7), "solver": "ipm"},
)


def option_values(known: Terms, jam: Floats) -> list[Floats]:
    """[169] by option: what each class of player 2 leaves player 1 with it."""
    return [
        alpha if beta is None else alpha + jam @ beta
        for alpha, beta in zip(known.alpha, known.beta, strict=True)
    ]


def action_values(game: MatrixGame[float], answer: dict[str, Floats]) -> tuple[Floats | None, Floats]:
    """[169] what folding and jamming win with each class of player 1, times its probability, against an answer."""
    of = shares()
    showdown = of.wins * game.won + of.losses * game.lost + of.ties * game.tied
    give = answer.get(GIVE, np.zeros(CLASSES))
    given = 0.0 if game.given is None else of.pairs @ give * game.given
    jammed = showdown @ answer[CALL] + given
    if game.stolen is not None:
        jammed = jammed + of.pairs @ answer[PASS] * game.stolen
    folded = None if game.folded is None else of.pairs @ (1.0 - give) * game.folded + given
    return folded, jammed


def guarantee(known: Terms, jam: Floats) -> float:
    """What a strategy wins against the answer that is worst for it."""
    return float(np.minimum.reduce(option_values(known, jam)).sum())


def ceiling(game: MatrixGame[float], answer: dict[str, Floats]) -> float:
    """The most that any strategy wins against an answer."""
    folded, jammed = action_values(game, answer)
    return float((jammed if folded is None else np.maximum(folded, jammed)).sum())


def _least(game: MatrixGame[float], known: Terms, jam: Floats) -> dict[str, Floats]:
    """The worst answer to a strategy."""
    values = np.array(option_values(known, jam))
    worst = values.argmin(axis=0)
    return {option: (worst == place).astype(np.float64) for place, option in enumerate(game.options)}


def _measured(game: MatrixGame[float], known: Terms, jam: Floats, answer: dict[str, Floats]) -> HandSolution:
    return HandSolution(jam, answer, guarantee(known, jam), ceiling(game, answer))
