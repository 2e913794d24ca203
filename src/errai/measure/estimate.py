"""How exploitable a strategy on buckets is in the real game, from a sample of flops.

Boards are drawn in proportion to the flops that they stand for, evenly spread over an order in which neighbours are
alike (suits, pairs, ranks). Neighbours in the sample are pairs of a stratum, whose differences give the interval:

    variance = sum over pairs of ((estimate with the first twice) - (estimate with the second twice))^2 / 4

What is sampled is the gain: on every flop the values of the two seats cancel as far as both play the strategy, and
what remains of the sum of both best responses is what they gain.

The best response of the first round needs to know what every hand is worth at every line, over all flops. Most of
that is what it wins by checking down, which is known for all flops (errai.measure.checkdown); the sample says the
rest:

    all flops  =  b * (checked down on all)  +  scaled (sample  -  b * checked down on the sample)

with b fitted line by line for each seat. Lines that the opponent seldom gets to weigh little, and are walked on a
quarter of the boards only. Still the first round is chosen with the sample's own values, and gains from their noise:
the estimate is biased upward. The other figure chooses with one half of the sample and counts on the other half, and
is biased downward. Both biases go away as the sample grows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.measure.checkdown import checked_down, checked_down_on
from errai.measure.response import Response
from errai.measure.walk import Exploitability, Found, Spent, Wanted

NORMAL_95 = 1.96
SELDOM = 0.06  # a line is walked on some boards only, if the opponent gets there with fewer of his hands
SOME_BOARDS, OF_BOARDS = (0, 5), 8  # of eight boards in order, these; one of each half of the sample
ENOUGH_BOARDS = 2 * OF_BOARDS
Floats = NDArray[np.float64]


def board_order(response: Response) -> NDArray[np.int64]:
    """Boards in an order in which neighbours are alike: by suits, by equal ranks, then by ranks from the top.

    Within every second suit pattern, top card and so on the order goes back, so that nothing jumps in between.
    """
    suits = response.layout.game.suits
    cards = response.boards.cards.astype(np.int64)
    rank, suit = cards // suits, cards % suits
    of_suits = np.array([len(set(row)) for row in suit.tolist()])
    of_ranks = np.array([len(set(row)) for row in rank.tolist()])
    keys = [of_suits, of_ranks, *np.sort(rank, axis=1)[:, ::-1].T]
    there_and_back = [key * (1 - 2 * (sum(keys[:i]) % 2)) for i, key in enumerate(keys)]
    return np.lexsort(there_and_back[::-1]).astype(np.int64)


def sample_boards(response: Response, count: int, seed: int) -> NDArray[np.int64]:
    """`count` boards (an even number) by systematic sampling, each as likely as the flops it stands for are many."""
    order = board_order(response)
    weight = response.boards.weight[order]
    steps = (np.arange(count) + np.random.default_rng(seed).random()) * weight.sum() / count
    return order[np.searchsorted(np.cumsum(weight), steps, side="right")]


def on_sample(response: Response, boards: NDArray[np.int64]) -> Wanted:
    """What is walked on each of the boards: lines that the opponent seldom gets to, on a quarter of them."""
    seldom = response.line_reach() < SELDOM
    wanted = dict.fromkeys(boards.tolist(), ~seldom)
    for number, board in enumerate(boards.tolist()):
        if len(boards) < ENOUGH_BOARDS or number % OF_BOARDS in SOME_BOARDS:
            wanted[board] = np.ones_like(seldom)
    return wanted


class Sample:
    """What some boards gave, as an estimate of what all of them would."""

    def __init__(
        self, response: Response, boards: Sequence[int], found: Mapping[int, Floats], threads: int = 1
    ) -> None:
        self._response = response
        self._flops = float(response.boards.weight.sum())
        known = {board: checked_down_on(response, board, threads) for board in set(boards)}
        per_flop, checked = (
            np.stack([of[board] / response.boards.weight[board] for board in boards]) for of in (found, known)
        )
        self._walked = (~np.isnan(per_flop[..., 0])).astype(np.float64)  # [n, 2, P]
        like = _likeness(per_flop, checked, self._walked)
        self._everywhere = like * checked_down(response, threads)
        self._rest = np.nan_to_num(per_flop - like * checked)
        hole, hand_class = response.layout.deal.hole, response.hand_class
        free = [~np.isin(hole, response.boards.cards[board]).any(axis=1) for board in boards]
        self._live = np.array([np.bincount(hand_class[own], minlength=response.classes) for own in free])

    def evaluation(self, weight: Floats, choosing: Floats | None = None) -> Evaluation:
        """Best responses where board i counts weight[i] times; to choose by, the same or other weights."""
        chosen = self._by_class(weight if choosing is None else choosing)
        return self._response.evaluation(self._scaled(weight), chosen_by=chosen)

    def _scaled(self, weight: Floats) -> Floats:
        """Totals of all flops: what one seat wins the other still loses."""
        times = np.einsum("i,isl->sl", weight, self._walked)
        times = np.divide(self._flops, times, out=np.zeros_like(times), where=times > 0)
        return self._totals(weight, times[:, :, None])

    def _by_class(self, weight: Floats) -> Floats:
        """The same, where a hand class counts by how often these boards leave it live: to choose actions by.

        Boards full of aces are then no bias against hands with aces; but the seats' values no longer add up to zero.
        """
        game = self._response.layout.game
        live = np.einsum("i,isl,ic->slc", weight, self._walked, self._live)
        dealt = comb(game.deck_size - game.hole_cards, game.board_cards[1])
        every = np.bincount(self._response.hand_class) * float(dealt)
        return self._totals(weight, np.divide(every, live, out=np.zeros_like(live), where=live > 0))

    def _totals(self, weight: Floats, times: Floats) -> Floats:
        return self._everywhere + np.einsum("i,islc->slc", weight, self._rest) * times


def estimated(
    response: Response,
    boards: NDArray[np.int64],
    found: Found,
    spent: Spent,
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
    complete = [board for board, values in found.items() if not np.isnan(values).any()]
    share = float(response.boards.weight[complete].sum() / response.boards.weight.sum())
    hours = sum(spent[board] for board in complete) / 3600 / share
    seconds = sum(spent.values())
    of = len(response.boards.cards)
    interval = (mbb - margin, mbb + margin)
    return Exploitability(whole, False, len(found), of, interval, float(np.mean(crossed)), seconds, hours)


def _likeness(per_flop: Floats, checked: Floats, walked: Floats) -> Floats:
    """[2, P, 1] how much the values of a line differ from flop to flop where those of checking down differ by one."""
    share = (walked / walked.sum(axis=0))[..., None]
    one, other = (of - (of * share).sum(axis=0) for of in (np.nan_to_num(per_flop), checked))
    squares = (other * other * share).sum(axis=(0, 3))
    both = (one * other * share).sum(axis=(0, 3))
    return np.divide(both, squares, out=np.zeros_like(both), where=squares > 0)[:, :, None]
