"""A model as an extensive game, node by node: for linear programs, certificates and Gambit, while it is small."""

from __future__ import annotations

import numpy as np

from errai.errors import ErraiError
from errai.games.template import Node
from errai.models.model import Model
from errai.sequence.builder import GameBuilder
from errai.sequence.tree import ExtensiveGame


def model_tree(model: Model, title: str = "model") -> ExtensiveGame:
    """The game tree of a model that is entered in one context. A player knows the own history and the betting."""
    if len(model.stakes) != 1:
        raise ErraiError("a model that is entered in several contexts is several games; give one stake")
    builder = GameBuilder(title, model.game.seat_names)
    _Tree(model, builder).deal(builder.root, 0, None, "", float(model.stakes[0]))
    return builder.build()


class _Tree:
    def __init__(self, model: Model, builder: GameBuilder) -> None:
        self.model, self.builder = model, builder

    def deal(
        self, place: int, level: int, before: tuple[int, int] | None, betting: str, stake: float
    ) -> None:
        """Chance gives both players their histories of a round."""
        round_ = self.model.rounds[level]
        possible = round_.weight > 0
        if before is not None:
            assert round_.parent is not None
            mine, theirs = (parent == of for parent, of in zip(round_.parent, before, strict=True))
            possible &= mine[:, None] & theirs[None]
        pairs = [(int(h), int(g)) for h, g in np.argwhere(possible)]
        weights = np.array([round_.weight[pair] for pair in pairs])
        shares = weights / weights.sum()
        branches = [(f"{h}|{g}", float(share)) for (h, g), share in zip(pairs, shares, strict=True)]
        for new, pair in zip(self.builder.chance(place, branches), pairs, strict=True):
            self.bet(new, level, pair, betting, "", stake)

    def bet(
        self, place: int, level: int, pair: tuple[int, int], before: str, betting: str, stake: float
    ) -> None:
        """A decision of a round, or what follows its end."""
        template = self.model.rounds[level].template
        for fold in template.folds:
            if fold.betting == betting:
                lost = fold.amount + stake
                self.builder.end(place, lost if fold.loser == 1 else -lost)
                return
        for leaf in template.leaves:
            if leaf.betting == betting:
                put_in = leaf.amount + stake
                if level + 1 == len(self.model.rounds):
                    self.builder.end(place, put_in * float(self.model.share[pair]))
                else:
                    self.deal(place, level + 1, pair, f"{before}{betting}/", put_in)
                return
        node: Node = next(node for node in template.nodes if node.betting == betting)
        name = f"{pair[node.player]} {before}{betting}"
        places = self.builder.decision(place, node.player, name, tuple(node.actions))
        for action, new in zip(node.actions, places, strict=True):
            self.bet(new, level, pair, before, betting + action, stake)
