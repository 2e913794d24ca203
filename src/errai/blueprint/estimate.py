"""How exploitable a strategy on buckets is in the real game, from a sample of flops.

Boards are drawn in proportion to the flops that they stand for, evenly spread over an order in which neighbours are
alike (suits, pairs, ranks). Neighbours in the sample are pairs of a stratum, whose differences give the interval:

    variance = sum over pairs of ((estimate with the first twice) - (estimate with the second twice))^2 / 4

What is sampled is the gain: on every flop the values of the two seats cancel as far as both play the strategy, and
what remains of the sum of both best responses is what they gain.

The best response of the first round needs to know what every hand is worth at every line, over all flops. Most of
that is what it wins by checking down, which is known for all flops (errai.blueprint.checkdown); the sample says the
rest:

    all flops  =  b * (checked down on all)  +  scaled (sample  -  b * checked down on the sample)

with b fitted line by line. Still the first round is chosen with the sample's own values, and gains from their noise:
the estimate is biased upward. The other figure chooses with one half of the sample and counts on the other half, and
is biased downward. Both biases go away as the sample grows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.checkdown import checked_down, checked_down_on
from errai.blueprint.exploit import Exploitability
from errai.blueprint.response import Response
from errai.engine.evaluation import Evaluation

NORMAL_95 = 1.96
Floats = NDArray[np.float64]


def board_order(response: Response) -> NDArray[np.int64]:
    """Boards in an order in which neighbours are alike: by suits, by equal ranks, then by ranks from the top."""
    suits = response.frame.game.suits
    cards = response.boards.cards.astype(np.int64)
    rank, suit = cards // suits, cards % suits
    of_suits = np.array([len(set(row)) for row in suit.tolist()])
    of_ranks = np.array([len(set(row)) for row in rank.tolist()])
    ranks = np.sort(rank, axis=1)
    return np.lexsort((*(ranks[:, i] for i in range(ranks.shape[1])), of_ranks, of_suits)).astype(np.int64)


def sample_boards(response: Response, count: int, seed: int) -> NDArray[np.int64]:
    """`count` boards (an even number) by systematic sampling, each as likely as the flops it stands for are many."""
    order = board_order(response)
    weight = response.boards.weight[order]
    steps = (np.arange(count) + np.random.default_rng(seed).random()) * weight.sum() / count
    return order[np.searchsorted(np.cumsum(weight), steps, side="right")]


class Sample:
    """What some boards gave, as an estimate of what all of them would."""

    def __init__(
        self, response: Response, boards: Sequence[int], found: Mapping[int, Floats], threads: int = 1
    ) -> None:
        self._response, self._boards = response, list(boards)
        self._weight = response.boards.weight[self._boards].astype(np.float64)
        known = {board: checked_down_on(response, board, threads) for board in set(boards)}
        per_flop, checked = (
            np.stack([of[board] / weight for board, weight in zip(self._boards, self._weight, strict=True)])
            for of in (found, known)
        )
        like = _likeness(per_flop, checked)
        self._everywhere = like * checked_down(response, threads)
        self._rest = per_flop - like * checked

    def evaluation(self, weight: Floats, choosing: Floats | None = None) -> Evaluation:
        """Best responses where board i counts weight[i] times; to choose by, the same or other weights."""
        totals = np.tensordot(weight, self._rest, axes=1)
        counted = self._everywhere + self._response.scaled(self._boards, totals, weight / self._weight)
        chosen_by = weight if choosing is None else choosing
        totals = np.tensordot(chosen_by, self._rest, axes=1)
        chosen = self._everywhere + self._response.by_class(self._boards, totals, chosen_by / self._weight)
        return self._response.evaluation(counted, chosen_by=chosen)


def estimated(
    response: Response,
    boards: NDArray[np.int64],
    found: Mapping[int, Floats],
    seconds: float,
    threads: int = 1,
) -> Exploitability:
    """The estimate from a sample of boards by `sample_boards`."""
    n = len(boards)
    sample = Sample(response, boards.tolist(), found, threads)
    whole = sample.evaluation(np.ones(n))
    variance = 0.0
    for first in range(0, n - 1, 2):
        replicate = []
        for chosen in (first, first + 1):
            weight = np.ones(n)
            weight[[first, first + 1]] = 0.0
            weight[chosen] = 2.0
            replicate.append(sample.evaluation(weight).exploitability_mbb)
        variance += (replicate[0] - replicate[1]) ** 2 / 4
    margin = NORMAL_95 * float(np.sqrt(variance))
    mbb = whole.exploitability_mbb
    odd = (np.arange(n) % 2).astype(np.float64)
    crossed = [
        sample.evaluation(a, choosing=b).exploitability_mbb for a, b in ((odd, 1 - odd), (1 - odd, odd))
    ]
    walked = float(response.boards.weight[list(found)].sum())
    hours = seconds / 3600 * float(response.boards.weight.sum()) / walked
    of = len(response.boards.cards)
    interval = (mbb - margin, mbb + margin)
    return Exploitability(whole, False, len(found), of, interval, float(np.mean(crossed)), seconds, hours)


def _likeness(per_flop: NDArray[np.float64], checked: NDArray[np.float64]) -> NDArray[np.float64]:
    """[P, 1] by how much the values of a line differ from flop to flop when those of checking down differ by one."""
    one, other = per_flop - per_flop.mean(axis=0), checked - checked.mean(axis=0)
    squares = (other * other).sum(axis=(0, 1, 3))
    both = (one * other).sum(axis=(0, 1, 3))
    return np.divide(both, squares, out=np.zeros_like(both), where=squares > 0)[:, None]
