"""What a best response is sure to win, and the most that it can win, before a board is walked.

After the first round a player can fold, and loses at most its own part of the pot. Against an opponent who never pays
once a line has begun it wins at most the opponent's part; against others nothing is known. Where both bounds of the
whole game are the same, as against an opponent who always folds, there is nothing to walk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.games.spot import opposing_weights
from errai.measure.response import Response

_CHECKED = ("", "c")  # nobody has bet in this round
_BET = ("r", "cr")  # the other one has


def known_at_once(response: Response) -> Evaluation | None:
    """Both best responses, if they can be known without walking a board."""
    layout, hole = response.layout, response.layout.deal.hole
    low = np.zeros((2, layout.lines, response.classes))
    high = np.zeros_like(low)
    for seat in (0, 1):
        for line, leaf in enumerate(layout.templates[0].leaves):
            reach = response.reach[1 - seat][leaf.sequences[1 - seat]]
            if not reach.any():
                continue
            if not never_pays(response, line, 1 - seat):
                return None
            pairs = np.bincount(response.hand_class, opposing_weights(hole, reach), response.classes)
            low[seat, line], high[seat, line] = -leaf.amount * pairs, leaf.amount * pairs
    least, most = response.evaluation(low), response.evaluation(high)
    return least if np.allclose(least.best_response, most.best_response, rtol=0, atol=1e-9) else None


def never_pays(response: Response, line: int, seat: int) -> bool:
    """Whether a player neither bets nor calls, with any hand, once the first round has ended in this line."""
    layout = response.layout
    context = 0
    for round_ in range(1, layout.rounds):
        template, chunk = layout.templates[round_], int(layout.betting.chunk[round_])
        rows = layout.view(response.weights, round_)[line, context // chunk, :, :, context % chunk]
        for node in template.nodes:
            if node.player == seat and node.betting in (*_CHECKED, *_BET):
                free = "f" if node.betting in _BET else "c"
                if not _always(rows[:, node.row : node.row + len(node.actions)], node.actions.index(free)):
                    return False
        leaf = next(number for number, leaf in enumerate(template.leaves) if leaf.betting == "cc")
        context += leaf * layout.contexts[round_]
    return True


def _always(rows: NDArray[Any], action: int) -> bool:
    """Whether this is the only action [buckets, actions] that has a weight, in every bucket."""
    positive = rows > 0
    return bool(positive[:, action].all() and positive.sum() == len(rows))
