"""A game whose rounds are taken one by one: each is a model of its own, entered with every pot that it can have.

What was bet before is forgotten but for the pot, and the round ends with a showdown of what the players hold then. So
the game is as many small games as there are pots, and grows with its rounds instead of their product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree
from errai.models.model import Floats, Model, one_round


@dataclass(frozen=True, eq=False)
class Pots:
    """The pots with which a round is entered."""

    stakes: tuple[float, ...]  # chips that each player has put in, ascending
    of_context: NDArray[np.int64]  # [K] which of them each context of the whole game has


def pots_by_round(game: GameDefinition) -> list[Pots]:
    """The pots of every round, and of every way to get there."""
    tree, stakes, found = betting_tree(game), np.zeros(1), []
    for template in tree.templates:
        different, of_context = np.unique(stakes, return_inverse=True)
        found.append(Pots(tuple(different.tolist()), of_context.astype(np.int64)))
        amounts = np.array([leaf.amount for leaf in template.leaves], np.float64)
        stakes = (amounts[:, None] + stakes[None]).reshape(-1)
    return found


def separate_rounds(game: GameDefinition, weights: Sequence[Floats], shares: Sequence[Floats]) -> list[Model]:
    """A model of every round, from the probabilities [H, G] of what is held there and its shares of the pot."""
    return [
        one_round(game, round_, weight, share, pots.stakes)
        for round_, (pots, weight, share) in enumerate(zip(pots_by_round(game), weights, shares, strict=True))
    ]
