"""How good a strategy is on a few boards: what a training shows while it runs.

The best response on these boards is a true one, hand by hand, against the strategy as it would be saved; that of the
first round is estimated from them (errai.measure.estimate), as if all boards were like these. A few boards say
little of all hands in the first round, and a best response gains from what they say by chance, so the figure is too
high. Strategies are compared fairly on the same boards; the figure of the whole game comes from
errai.measure.exploitability.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.layout import BucketLayout
from errai.cards.notation import Deck
from errai.measure.estimate import Sample
from errai.measure.response import Response
from errai.runs.monitor import SILENT, Monitor


@dataclass(frozen=True)
class Quality:
    """Boards of the second round to measure on, by their cards."""

    boards: tuple[tuple[int, ...], ...]

    def names(self, deck: Deck) -> str:
        """Ks7s2s 8h8d3s"""
        return " ".join(deck.format_cards(cards) for cards in self.boards)

    def measure(
        self,
        layout: BucketLayout,
        probabilities: NDArray[np.uint8],
        threads: int,
        monitor: Monitor = SILENT,
    ) -> float | None:
        """mbb/g, estimated from these boards as if all were like them; None when the monitor stopped it."""
        response = Response(layout, probabilities)
        numbers = [response.boards.find(cards)[0] for cards in self.boards]
        response.prepare()
        with ThreadPoolExecutor(threads) as pool:
            walked = pool.map(partial(response.on_board, should_stop=monitor.should_stop), numbers)
            found = [values for values in walked if values is not None]
        if len(found) < len(numbers):
            return None
        sample = Sample(response, numbers, dict(zip(numbers, found, strict=True)), threads)
        return sample.evaluation(response.boards.weight[numbers].astype(np.float64)).exploitability_mbb


def default_quality(layout: BucketLayout) -> Quality:
    """A board of one suit and a pair: cheap to walk, as their suits are alike, and not alike in play."""
    deck = Deck(layout.game.ranks, layout.game.suits)
    if (deck.size, layout.game.board_cards[1]) == (52, 3):
        return Quality((deck.parse("Ks7s2s"), deck.parse("8h8d3s")))
    response = Response(layout, np.zeros(0, np.uint8))
    weight = response.boards.weight
    cheapest = np.argsort(weight, kind="stable")[:2]
    return Quality(tuple(tuple(int(card) for card in response.boards.cards[board]) for board in cheapest))
