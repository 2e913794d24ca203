"""A game on joint buckets, as data.

The players hold *histories* of buckets, one a round, and bet by the templates of the rules. Nothing else is known of
their cards: chance gives a pair of histories its probability, and a showdown of two histories a share of the pot.

    weight[h, g]    probability that seat 0 has the history h and seat 1 the history g, up to a round    [H, G]
    share[h, g]     what seat 0 wins of the stake at the end of the last round, on average: -1 to 1      [H, G]
    parent[h]       the history one round before                                                        [H]

A model of one round has buckets for histories. If it ends before the river, `share` is of a roll-out: an
expected value instead of the rounds that are left out. It may be entered in several contexts, with stakes of their
own (pots); contexts of the next round are numbered `leaf * K + context`, as in the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.template import Template, fresh_round, round_template

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ENOUGH = 1e-9  # rounding that probabilities may have


@dataclass(frozen=True, eq=False)
class Round:
    """One round of a model."""

    template: Template
    weight: Floats  # [H, G]
    parent: tuple[Ints, Ints] | None = None  # None in the first round

    @property
    def histories(self) -> tuple[int, int]:
        """How many each seat has."""
        return self.weight.shape[0], self.weight.shape[1]


@dataclass(frozen=True, eq=False)
class Model:
    """Some rounds of a game on joint buckets, entered with given stakes."""

    game: GameDefinition
    rounds: tuple[Round, ...]
    share: Floats  # [H, G] of the last round
    stakes: Floats  # [K] chips that each player has put in before; of the first round of the game, nothing

    def __post_init__(self) -> None:
        for number, round_ in enumerate(self.rounds):
            if (round_.weight < 0).any() or abs(round_.weight.sum() - 1) > ENOUGH:
                raise ErraiError(f"round {number + 1} of the model: probabilities must sum to 1")
            if (round_.parent is None) != (number == 0):
                raise ErraiError(f"round {number + 1} of the model: histories come from the round before")
            if round_.parent is not None:
                before = np.zeros_like(self.rounds[number - 1].weight)
                np.add.at(before, (round_.parent[0][:, None], round_.parent[1][None]), round_.weight)
                if np.abs(before - self.rounds[number - 1].weight).max() > ENOUGH:
                    raise ErraiError(f"round {number + 1} of the model does not follow from the one before")
        if self.share.shape != self.rounds[-1].weight.shape or np.abs(self.share).max() > 1 + ENOUGH:
            raise ErraiError("a share of the pot is from -1 to 1, for every pair of the last histories")

    @property
    def contexts(self) -> tuple[int, ...]:
        """K of every round."""
        found = [len(self.stakes)]
        for round_ in self.rounds[:-1]:
            found.append(found[-1] * len(round_.template.leaves))
        return tuple(found)

    @property
    def round_stakes(self) -> tuple[Floats, ...]:
        """[K] chips that each player has put in before a round, by context."""
        found = [self.stakes]
        for round_ in self.rounds[:-1]:
            amounts = np.array([leaf.amount for leaf in round_.template.leaves], np.float64)
            found.append((amounts[:, None] + found[-1][None]).reshape(-1))
        return tuple(found)

    @property
    def information_sets(self) -> int:
        """Of both players."""
        return sum(
            round_.histories[node.player] * K
            for round_, K in zip(self.rounds, self.contexts, strict=True)
            for node in round_.template.nodes
        )


def one_round(
    game: GameDefinition, number: int, weight: Floats, share: Floats, stakes: Sequence[float] = (0.0,)
) -> Model:
    """A round of a game for itself, entered with the stakes of several pots."""
    template = round_template(fresh_round(game, number))
    return Model(game, (Round(template, weight),), share, np.array(stakes, np.float64))
