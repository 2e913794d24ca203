"""Rules (errai.strategy.kinds.rule) as strategies on one bucket, to which every hand on every board belongs.

So whatever measures a trained strategy measures them too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction, RoundBuckets
from errai.blueprint.layout import BucketLayout, bucket_layout
from errai.cards.canonical import canonical_boards
from errai.cards.notation import Deck, hand_count
from errai.games.definition import GameDefinition
from errai.kernels.lanes import W
from errai.strategy.kinds.rule import RuleStrategy


def rule_layout(strategy: RuleStrategy) -> tuple[BucketLayout, NDArray[np.uint8]]:
    """A rule as one bucket and its weights."""
    made = bucket_layout(strategy.game, one_bucket(strategy.game))
    return made, rule_weights(strategy, made)


def rule_weights(strategy: RuleStrategy, made: BucketLayout) -> NDArray[np.uint8]:
    """One for each action that a rule takes, in all buckets of a layout."""
    weights = np.zeros(made.numbers + 2 * W, np.uint8)
    for round_, template in enumerate(made.templates):
        view = made.view(weights, round_)
        for node in template.nodes:
            for action in strategy.taken(node):
                view[:, :, :, node.row + node.actions.index(action)] = 1
    return weights


def one_bucket(game: GameDefinition) -> Abstraction:
    """All hands in one bucket. No deal is looked at, so all boards are the empty one."""
    boards = canonical_boards(Deck(game.ranks, game.suits), game.hole_cards, ())
    cells = np.zeros((1, hand_count(game.deck_size, game.hole_cards)), np.uint16)
    return Abstraction(game, "one bucket", (RoundBuckets(1, boards, cells),) * game.rounds)
