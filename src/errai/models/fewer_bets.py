"""From the betting of a game to that of a model with fewer bets a round.

A bet that the model does not have is taken for a call of the one before it:

    the model's last bet            answered as the model says, and never raised
    a bet beyond it                 called; whoever faces it made the model's last bet, and has no decision there
    rounds after such a bet         played as those after a call of the last bet: "rrrrc" goes on as "rrrc"
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.games.template import Template

NEVER, ALWAYS = -1, -2  # actions of which the model has none

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FewerBets:
    """One round of a game, by the round of a model."""

    rows: Ints  # [A of the game] the row of the model, or one of the above
    leaves: Ints  # [leaves of the game] the leaf of the model

    def played(self, found: Floats) -> Floats:
        """[A of the game, H] from what the model plays, [A of the model, H]."""
        return np.where((self.rows >= 0)[:, None], found[self.rows], (self.rows == ALWAYS)[:, None] * 1.0)


def fewer_bets(game: Template, model: Template) -> FewerBets:
    """How a round of the game is played by a model of it that has at most as many bets."""
    known = {node.betting: node for node in model.nodes}
    most = max(node.betting.count("r") for node in model.nodes)
    rows = np.full(game.rows, NEVER)
    for node in game.nodes:
        like = known.get(node.betting)
        for offset, action in enumerate(node.actions):
            if like is None:
                rows[node.row + offset] = ALWAYS if action == "c" else NEVER
            elif action in like.actions:
                rows[node.row + offset] = like.row + like.actions.index(action)
    ends = [leaf.betting for leaf in model.leaves]
    leaves = [ends.index(_without(leaf.betting, most)) for leaf in game.leaves]
    return FewerBets(rows, np.array(leaves))


def _without(betting: str, most: int) -> str:
    """The betting without the raises beyond so many."""
    return betting.replace("r", "", max(0, betting.count("r") - most))
