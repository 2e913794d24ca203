"""The three programs of PsOpti (Billings et al., "Approximating game-theoretic optimal strategies", 2003).

    PsOpti0   always calls before the flop; after it one model of three rounds for a pot of two bets, all hands alike
    PsOpti1   preflop hold'em before the flop (errai.models.preflop); after it a model for each pot of 2, 4, 6, 8 bets
    PsOpti2   a model of preflop, flop and turn, with a roll-out of the river; after the flop a model for each of the
              seven ways that its first round ends, with the hands that both players have then

A model of three rounds has at most three bets a round and six or seven buckets a player and round. Its players know
all buckets that their hand has been in: as a strategy on buckets with perfect recall it is played in the real game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.joint import Network
from errai.cards.notation import hand_class_of
from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree
from errai.games.template import Ending, Template
from errai.models.fewer_bets import fewer_bets
from errai.models.model import Floats, Ints, Model
from errai.models.network import network_model
from errai.models.solver import ModelSolver
from errai.strategy.kinds.buckets import save_buckets
from errai.strategy.quantised import quantised_round

BETS = 3  # of a round in the models, one less than in the game
FLOP = 1


def buckets(n: int, before: str) -> str:
    """Buckets of n a round: n - 1 strength classes, the stronger the smaller, and one of high potential; no draws on
    the river. `before` are those before the flop."""
    classes, last = (",".join(map(str, range(k, 0, -1))) for k in (n - 1, n))
    draws = f"potential:{classes}"
    return f"{before or draws}/{draws}/{draws}:perfect/potential:{last}:perfect"


SEVEN, SIX = buckets(7, "lossless"), buckets(6, "")


@dataclass(frozen=True, eq=False)
class Program:
    """What is played before the flop, and the models after it."""

    name: str
    preflop: Floats  # [A, buckets] of the game's first round
    postflop: tuple[ModelSolver, ...]  # by how the betting before the flop has ended

    def save(self, folder: Path, abstraction: Abstraction, tables: Path, about: Mapping[str, Any]) -> None:
        """The program as a strategy on buckets, to be queried, played, matched and measured."""
        game = abstraction.game
        templates, history = betting_tree(game).templates, histories(abstraction)
        model = self.postflop[0].model
        maps = [
            fewer_bets(of, round_.template) for of, round_ in zip(templates[FLOP:], model.rounds, strict=True)
        ]
        contexts = betting_tree(game).contexts

        @lru_cache(2)
        def found(ending: int, level: int) -> Floats:
            return self.postflop[ending].strategy(level)

        def before(context: int) -> NDArray[np.uint8]:
            return quantised_round(templates[0], self.preflop)

        def after(round_: int) -> Callable[[int], NDArray[np.uint8]]:
            def rows(context: int) -> NDArray[np.uint8]:
                known, rest = 0, context
                for level in range(round_ - 1, 0, -1):
                    leaf, rest = divmod(rest, contexts[level])
                    known += int(maps[level - FLOP].leaves[leaf]) * model.contexts[level - FLOP]
                played = found(rest, round_ - FLOP)[:, :, known]
                return quantised_round(
                    templates[round_], maps[round_ - FLOP].played(played)[:, history[round_]]
                )

            return rows

        rounds = [before, *(after(round_) for round_ in range(FLOP, game.rounds))]
        save_buckets(folder, game, abstraction, rounds, about, tables)


def histories(abstraction: Abstraction) -> list[Ints]:
    """For each round the history of a model, from the flop on, that every bucket stands for."""
    found = [np.zeros(abstraction.counts[0], np.int64), np.arange(abstraction.counts[FLOP])]
    for round_ in abstraction.rounds[FLOP + 1 :]:
        assert round_.refine is not None
        before, cell = np.nonzero(round_.refine >= 0)
        of = np.zeros(round_.count, np.int64)
        of[round_.refine[before, cell]] = found[-1][before] * round_.cell_count + cell
        found.append(of)
    return found


def endings(game: GameDefinition) -> Sequence[Ending]:
    """The ways that the betting before the flop ends, but for folds."""
    return betting_tree(game).templates[0].leaves


def uniform_models(game: GameDefinition, network: Network, bets: int = BETS) -> dict[float, Model]:
    """By what each player has put in before the flop: three rounds with all hands alike."""
    stakes = sorted({float(leaf.amount) for leaf in endings(game)})
    return {stake: network_model(game, network, FLOP, stake, bets) for stake in stakes}


class Given(NamedTuple):
    """What is known when the flop comes: what each player has put in, how often, and pairs of buckets [n, n]."""

    stake: float
    probability: float
    pairs: Floats


def nodes(model: Model) -> int:
    """Of the game tree: decisions and endings of the betting, below every pair of histories."""
    return sum(
        K * round_.weight.size * (1 + round_.template.rows)
        for K, round_ in zip(model.contexts, model.rounds, strict=True)
    )


def after_preflop(network: Network, solver: ModelSolver) -> list[Given]:
    """For every ending of a model's first round what is held a round later."""
    template, played = solver.model.rounds[0].template, solver.strategy(0)[:, :, 0]
    found = []
    for leaf in template.leaves:
        reach = reach_of(template, played, leaf.betting)
        pairs = network.first * reach[0][:, None] * reach[1][None]
        joint = np.einsum("ab,abcd->cd", pairs, network.steps[0])
        found.append(Given(float(leaf.amount), float(pairs.sum()), joint / joint.sum()))
    return found


def reach_of(template: Template, played: Floats, betting: str) -> tuple[Floats, Floats]:
    """How likely each seat is to do its part of a betting, by what it holds."""
    reach = np.ones((2, played.shape[1]))
    for node in template.nodes:
        if betting.startswith(node.betting) and betting != node.betting:
            action = node.actions.index(betting[len(node.betting)])
            reach[node.player] *= played[node.row + action]
    return reach[0], reach[1]


def conditional_models(
    game: GameDefinition, network: Network, known: Sequence[Given], bets: int = BETS
) -> list[Model]:
    """For each ending before the flop: three rounds, from the pairs of buckets that are held then."""
    models = []
    for given in known:
        possible = np.where(network.first > 0, given.pairs, 0.0)
        from_here = replace(network, first=possible / possible.sum())
        models.append(network_model(game, from_here, FLOP, given.stake, bets))
    return models


def psopti0(abstraction: Abstraction, solved: Mapping[float, ModelSolver]) -> Program:
    """Always call before the flop, and one model after it, of the smallest pot."""
    game, template = abstraction.game, betting_tree(abstraction.game).templates[0]
    calls = np.zeros((template.rows, abstraction.counts[0]))
    for node in template.nodes:
        calls[node.row + node.actions.index("c")] = 1.0
    return Program("psopti0", calls, (solved[min(solved)],) * len(endings(game)))


def psopti1(abstraction: Abstraction, solved: Mapping[float, ModelSolver], preflop: Floats) -> Program:
    """A solution before the flop, [A, buckets], and a model for each pot after it."""
    by_pot = tuple(solved[float(leaf.amount)] for leaf in endings(abstraction.game))
    return Program("psopti1", preflop, by_pot)


def psopti2(abstraction: Abstraction, preflop: ModelSolver, postflop: Sequence[ModelSolver]) -> Program:
    """The first round of a preflop model, and the models that follow from it."""
    template = betting_tree(abstraction.game).templates[0]
    like = fewer_bets(template, preflop.model.rounds[0].template)
    played = like.played(preflop.strategy(0)[:, :, 0])
    return Program("psopti2", played, tuple(postflop[leaf] for leaf in like.leaves))


def of_classes(abstraction: Abstraction, played: Floats) -> Floats:
    """[A, buckets] before the flop from probabilities of the 169 classes [A, 169]; buckets are classes, too."""
    class_of = np.zeros(abstraction.counts[0], np.int64)
    class_of[abstraction.buckets(((),))[0]] = hand_class_of()
    return played[:, class_of]
