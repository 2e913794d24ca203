"""CFR on the sequence form: the rules of the engine, on any game.

One update of a player is a product of the payoff matrix with the opponent's plan, a pass over the player's
information sets from the last to the first for values and regrets, and one from the first to the last for the new
plan. Averages of plans are plain averages of vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.engine.loop import Loop
from errai.sequence.form import SequenceForm
from errai.sequence.kernels.plans import Player, iterate
from errai.sequence.profile import Floats, Profile, evaluate, profile_of_plans, uniform

Pair = tuple[Floats, Floats]


@dataclass
class PlanSolver(Loop):
    """Regrets and averages of both players, by sequence."""

    form: SequenceForm
    regret: Pair = field(init=False)
    average: Pair = field(init=False)
    behaviour: Pair = field(init=False)
    plan: Pair = field(init=False)
    prediction: Pair | None = field(init=False)

    def __post_init__(self) -> None:
        self.regret, self.average = self._zeros(), self._zeros()
        even = uniform(self.form)
        self.behaviour, self.plan = even.behaviour, even.plans
        self.prediction = self._zeros() if self.settings.rule.foresight else None

    def _zeros(self) -> Pair:
        S, T = self.form.sequences
        return np.zeros(S), np.zeros(T)

    def profile(self) -> Profile:
        """The strategy that is measured and saved: the average, or the current one."""
        if self.settings.strategy == "current":
            return Profile(self.form, self.behaviour)
        return profile_of_plans(self.form, self.average)

    @property
    def unit(self) -> str:
        return "mbb/g" if self.form.game.rules else "thousandths"

    def state(self) -> dict[str, NDArray[Any]]:
        pairs = {
            "regret": self.regret,
            "average": self.average,
            "behaviour": self.behaviour,
            "plan": self.plan,
        }
        if self.prediction is not None:
            pairs["prediction"] = self.prediction
        return {f"{name}-{seat}": pair[seat] for name, pair in pairs.items() for seat in (0, 1)}

    def _player(self, seat: int) -> Player:
        prediction = None if self.prediction is None else self.prediction[seat]
        return Player(
            self.form.sets[seat], self.form.payoffs[seat].for_kernels(), (1.0, -1.0)[seat], self.regret[seat],
            prediction, self.behaviour[seat], self.plan[seat], self.average[seat], self._zeros()[seat],
        )  # fmt: skip

    @contextmanager
    def working(self) -> Iterator[_Work]:
        work = _Work(self, (self._player(0), self._player(1)))
        work.iterate(np.ones((0, 2, 6)), 1)
        yield work


@dataclass(frozen=True)
class _Work:
    """One thread on the solver's arrays."""

    solver: PlanSolver
    players: tuple[Player, Player]

    def iterate(self, rates: NDArray[np.float64], first: int) -> None:
        settings = self.solver.settings
        following = settings.rule.rates(first + len(rates), 1, settings.planned)[0]
        iterate(*self.players, rates, following, first)

    def evaluate(self) -> Evaluation:
        return evaluate(self.solver.form, self.solver.profile().plans)
