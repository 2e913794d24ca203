"""Bildman's agent ("Poker automation with counterfactual regret minimization", 2021).

A hand is known by the group of win rates that its own is nearest to. Every round is a game for itself: both players'
groups are drawn apart from each other, the pot is what earlier rounds left, and at the end of the round the higher
group takes all of it. So the agent is 29 small games, one for each round and pot, solved by CFR+.

    trees      29 pots x groups of the first player                 203 with seven groups
    states     for every pot a root, all pairs of groups, and below each pair the betting of the round
    sets       10 decisions of a later round, 8 of the first, for every pot and group
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.transitions import shares
from errai.engine.settings import Settings
from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree
from errai.models.model import Floats, Model
from errai.models.separate import pots_by_round, separate_rounds
from errai.models.solver import ModelSolver
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.strategy.kinds.buckets import save_buckets
from errai.strategy.quantised import quantised_round

GROUPS = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8)  # as the text lists them
COUNTED = 7  # groups that its counts of trees, states and sets are of


@dataclass(frozen=True)
class Counts:
    """Sizes of the agent's game."""

    trees: int
    states: int
    information_sets: int


def counts(game: GameDefinition, groups: int) -> Counts:
    """By the thesis's way to count, for so many groups."""
    trees = states = sets = 0
    for template, pots in zip(betting_tree(game).templates, pots_by_round(game), strict=True):
        pot = len(pots.stakes)
        trees += pot * groups
        states += pot * (1 + groups**2 + groups**2 * (1 + template.rows))
        sets += pot * groups * len(template.nodes)
    return Counts(trees, states, sets)


def models_of(game: GameDefinition, groups: Sequence[Floats]) -> list[Model]:
    """The games of all rounds, from how often a hand is in each group."""
    weights = [np.outer(of, of) for of in groups]
    order = [np.arange(len(of)) for of in groups]
    return separate_rounds(
        game, weights, [np.sign(of[:, None] - of[None]).astype(np.float64) for of in order]
    )


class Training:
    """The agent, iteration by iteration."""

    def __init__(self, abstraction: Abstraction, method: str = "cfr+", delay: int = 0) -> None:
        self.abstraction, self.game = abstraction, abstraction.game
        self.method = method
        self.settings = Settings(method, iterations=1, delay=delay if method == "cfr+" else 0)
        self.solvers = [
            ModelSolver(self.settings, model) for model in models_of(self.game, shares(abstraction))
        ]
        self.pots = pots_by_round(self.game)
        self.iteration = 0

    def until(self, iteration: int) -> None:
        """Go on to the end of an iteration."""
        for solver in self.solvers:
            solver.settings = Settings(self.method, iterations=iteration, delay=self.settings.delay)
            if solver.iteration < iteration:
                solver.run(Run())
        self.iteration = iteration

    def strategies(self) -> list[Floats]:
        """[A, groups, pots] of every round."""
        return [solver.strategy(0) for solver in self.solvers]

    def save(self, folder: Path, tables: Path, seconds: float) -> None:
        """The agent as a strategy on buckets: every betting of a round with one pot is played alike."""
        found = self.strategies()

        def rows(round_: int) -> Callable[[int], NDArray[np.uint8]]:
            template, pots = betting_tree(self.game).templates[round_], self.pots[round_]
            return lambda context: quantised_round(template, found[round_][:, :, pots.of_context[context]])

        about = {
            "algorithm": self.method,
            "iterations": self.iteration,
            "seconds": seconds,
            "command": "errai papers bildman",
            "strategy": self.settings.strategy,
        }
        rounds = [rows(round_) for round_ in range(self.game.rounds)]
        save_buckets(folder, self.game, self.abstraction, rounds, about, tables)


def change(before: Sequence[Floats], after: Sequence[Floats]) -> float:
    """Figure 4: the sum of how far all probabilities have moved."""
    return float(sum(np.abs(new - old).sum() for old, new in zip(before, after, strict=True)))


def changes(training: Training, iterations: int, monitor: Monitor = SILENT) -> list[float]:
    """The change of the strategy in each iteration."""
    found, before = [], training.strategies()
    for iteration in range(1, iterations + 1):
        training.until(iteration)
        now = training.strategies()
        found.append(change(before, now))
        before = now
        monitor.step(f"iteration {iteration} of {iterations}")
    return found
