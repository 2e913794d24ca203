"""Strategies that need no cards: always fold, call or raise, or choose at random.

They are strategies on one bucket, to which every hand on every board belongs, so whatever measures a trained strategy
measures them too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction, RoundBuckets
from errai.blueprint.layout import BucketLayout, bucket_layout
from errai.cards.canonical import canonical_boards
from errai.cards.notation import Deck, hand_count
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.kernels.lanes import W

# Name -> the actions it takes, the first that is allowed; none: all alike.
SIMPLE = {"always-fold": "fc", "always-call": "c", "always-raise": "rc", "uniform": ""}


@dataclass(frozen=True)
class SimpleStrategy:
    """One of them, in one game."""

    name: str
    game: GameDefinition

    def __post_init__(self) -> None:
        if self.name not in SIMPLE:
            raise ErraiError(f"unknown strategy {self.name!a}: choose {', '.join(SIMPLE)}")

    def layout(self) -> tuple[BucketLayout, NDArray[np.uint8]]:
        """As one bucket and its weights."""
        made = bucket_layout(self.game, one_bucket(self.game))
        return made, self.weights(made)

    def weights(self, made: BucketLayout) -> NDArray[np.uint8]:
        """One for each action that it takes, in all buckets of a layout."""
        weights = np.zeros(made.numbers + 2 * W, np.uint8)
        wanted = SIMPLE[self.name]
        for round_, template in enumerate(made.templates):
            view = made.view(weights, round_)
            for node in template.nodes:
                taken = next((action for action in wanted if action in node.actions), node.actions)
                for action in taken:
                    view[:, :, :, node.row + node.actions.index(action)] = 1
        return weights


def one_bucket(game: GameDefinition) -> Abstraction:
    """All hands in one bucket. No deal is looked at, so all boards are the empty one."""
    boards = canonical_boards(Deck(game.ranks, game.suits), game.hole_cards, ())
    cells = np.zeros((1, hand_count(game.deck_size, game.hole_cards)), np.uint16)
    return Abstraction(game, "one bucket", (RoundBuckets(1, boards, cells),) * game.rounds)
