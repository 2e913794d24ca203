"""CFR on a game of joint buckets, with the rules of the engine, and best responses in it.

solver = solve_model(model, iterations=1000)
solver.evaluation.exploitability_mbb        in the model, not in the real game
solver.strategy(0)                          [A, H, K] of a round
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.engine.kernels.arrays import RATES
from errai.engine.loop import Loop
from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.models.kernels.passes import BEST, FOLD, LAST, VALUE, Tables, iterate, run_pass
from errai.models.model import Floats, Model
from errai.runs.run import Run

PLAIN = np.ones(RATES)  # for passes that change nothing
AT_ONCE = 50_000_000  # information sets in one call, about


@dataclass
class ModelSolver(Loop):
    """Regrets and averages of both players, decision by decision."""

    model: Model
    tables: Tables = field(init=False, repr=False)
    regret: Floats = field(init=False, repr=False)
    average: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.settings.rule.prediction:
            raise ErraiError("methods with prediction are not for models; choose another", "method")
        self.tables = tables_of(self.model)
        numbers = int(self.tables.first_number[-1])
        self.regret, self.average = np.zeros(numbers), np.zeros(numbers)
        self.at_once = max(1, AT_ONCE // self.model.information_sets)

    @property
    def weights(self) -> Floats:
        """What the strategy that is measured is proportional to: the average, or the regrets above zero."""
        return self.average if self.settings.strategy == "average" else self.regret

    def state(self) -> dict[str, NDArray[Any]]:
        return {"regret": self.regret, "average": self.average}

    @contextmanager
    def working(self) -> Iterator[_Work]:
        yield _Work(self, Buffers.of(self.tables))

    def evaluate(self) -> Evaluation:
        """The value of what is played, and both best responses in the model."""
        return _Work(self, Buffers.of(self.tables)).evaluate()

    def strategy(self, round_: int) -> Floats:
        """[A, H, K] the probabilities of a round; a decision of a seat fills the first histories of that seat."""
        rows = self.model.rounds[round_].template.rows
        K, most = self.model.contexts[round_], max(self.model.rounds[round_].histories)
        found = np.zeros((rows, most, K))
        first = int(self.tables.first_node[round_])
        for number, node in enumerate(self.model.rounds[round_].template.nodes, first):
            H, actions = self.model.rounds[round_].histories[node.player], len(node.actions)
            low = int(self.tables.first_number[number])
            weights = np.maximum(self.weights[low : low + actions * H * K].reshape(actions, H, K), 0.0)
            total = weights.sum(axis=0)
            even = np.full_like(weights, 1 / actions)
            found[node.row : node.row + actions, :H] = np.divide(weights, total, out=even, where=total > 0)
        return found


@dataclass(frozen=True, eq=False)
class Buffers:
    """Room for a pass."""

    reach: Floats
    value: Floats
    mixed: Floats

    @classmethod
    def of(cls, tables: Tables) -> Buffers:
        wide = tables.histories * tables.contexts[:, None]
        most = int((wide * tables.sequences).sum(axis=0).max())
        return cls(np.zeros(most), np.zeros(most), np.zeros(int(wide.max())))


@dataclass(frozen=True)
class _Work:
    solver: ModelSolver
    room: Buffers

    def iterate(self, rates: NDArray[np.float64], first: int) -> None:
        solver, room = self.solver, self.room
        iterate(solver.tables, solver.regret, solver.average, rates, room.reach, room.value, room.mixed)

    def evaluate(self) -> Evaluation:
        value = self.won(0, VALUE)
        best = self.won(0, BEST), self.won(1, BEST)
        return Evaluation((value, -value), best, self.solver.model.game.unit)

    def won(self, player: int, mode: int) -> float:
        """Chips by seat, the mean of all contexts."""
        solver, room = self.solver, self.room
        weights = solver.weights
        won = run_pass(
            solver.tables, player, mode, weights, weights, PLAIN, room.reach, room.value, room.mixed
        )  # fmt: skip
        return float(won.mean())


def solve_model(
    model: Model,
    *,
    method: str = "sdcfr",
    iterations: int | None = None,
    target: float | None = None,
    run: Run | None = None,
) -> ModelSolver:
    """A solver that has run so many iterations, or until it is within so many mbb/g in the model."""
    solver = ModelSolver(Settings(method=method, iterations=iterations, target=target), model)
    solver.run(run)
    return solver


def tables_of(model: Model) -> Tables:
    """A model as kernels take it."""
    rounds, contexts = model.rounds, model.contexts
    nodes = [(level, node) for level, round_ in enumerate(rounds) for node in round_.template.nodes]
    sizes = [len(n.actions) * rounds[level].histories[n.player] * contexts[level] for level, n in nodes]
    last = len(rounds) - 1
    ends: list[list[tuple[int, int, int, float, float]]] = [[], []]
    first_end = [0]
    for level, round_ in enumerate(rounds):
        template = round_.template
        for player in (0, 1):
            found = [
                (
                    FOLD,
                    e.sequences[1 - player],
                    e.sequences[player],
                    1.0 if e.loser != player else -1.0,
                    float(e.amount),
                )
                for e in template.folds
            ]
            if level == last:
                found += [
                    (LAST, e.sequences[1 - player], e.sequences[player], 1.0, float(e.amount))
                    for e in template.leaves
                ]
            ends[player] += sorted(found)
        first_end.append(len(ends[0]))
    leaves = max(len(round_.template.leaves) for round_ in rounds)
    leaf_sequence = np.zeros((len(rounds), 2, leaves), np.int64)
    for level, round_ in enumerate(rounds):
        for leaf, ending in enumerate(round_.template.leaves):
            leaf_sequence[level, :, leaf] = ending.sequences
    weights = [round_.weight for round_ in rounds]
    stakes = model.round_stakes
    parents = [
        (np.zeros(0, np.int64), np.zeros(0, np.int64)) if round_.parent is None else round_.parent
        for round_ in rounds
    ]
    joined = [parent for pair in parents for parent in pair]
    whole = weights[-1] * model.share
    return Tables(
        first_node=_starts([len(round_.template.nodes) for round_ in rounds]),
        player=np.array([node.player for _, node in nodes], np.int64),
        actions=np.array([len(node.actions) for _, node in nodes], np.int64),
        sequence=np.array([node.sequence for _, node in nodes], np.int64),
        own=np.array([node.own for _, node in nodes], np.int64),
        first_number=_starts(sizes),
        sequences=np.array([round_.template.sequences for round_ in rounds], np.int64),
        contexts=np.array(contexts, np.int64),
        histories=np.array([round_.histories for round_ in rounds], np.int64),
        first_stake=_starts([len(stake) for stake in stakes])[:-1],
        stake=np.concatenate(stakes),
        first_end=np.array(first_end, np.int64),
        end_kind=np.array([[e[0] for e in of] for of in ends], np.int64),
        end_sequence=np.array([[(e[2], e[1]) for e in of] for of in ends], np.int64),
        end_sign=np.array([[e[3] for e in of] for of in ends]),
        end_amount=np.array([[e[4] for e in of] for of in ends]),
        leaves=np.array([len(round_.template.leaves) for round_ in rounds], np.int64),
        leaf_sequence=leaf_sequence,
        first_pair=_starts([weight.size for weight in weights])[:-1],
        weight=np.stack(
            [np.concatenate([w.reshape(-1) for w in turned]) for turned in (weights, [w.T for w in weights])]
        ),
        share=np.stack([whole.reshape(-1), -whole.T.reshape(-1)]),
        first_parent=_starts([len(parent) for parent in joined])[:-1].reshape(-1, 2),
        parent=np.concatenate(joined).astype(np.int64),
    )


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    """Where parts of these sizes begin, and the end."""
    return np.array([0, *accumulate(sizes)], np.int64)
