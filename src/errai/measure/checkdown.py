"""The first round's lines as they would end if nobody bet again: known for all boards, and for each flop.

What a hand wins after a flop is mostly what it would win by checking down, and that is cheap to know: one pass over
the boards of the last round, 134,459 in hold'em, tells it for all flops together. So a sample of flops need only tell
the rest, and a sample with many aces does not favour hands with aces.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.layout import card_shares
from errai.cards.canonical import canonical_boards
from errai.cards.notation import Deck
from errai.kernels.lanes import W
from errai.measure.kernels.checkdown import check_down
from errai.measure.response import Response

_PIECES = 64  # that threads take one by one; the sum is the same for any number of threads


def checked_down(response: Response, threads: int = 1) -> NDArray[np.float64]:
    """[2 seats, P, C] as `Response.on_board`, if both players checked from the second round on, over all boards."""
    game = response.layout.game
    public = int(response.layout.deal.public[-1])
    boards = canonical_boards(Deck(game.ranks, game.suits), game.hole_cards, (public,))
    times = boards.weight / comb(game.deck_size - 2 * game.hole_cards, public)
    return _summed(response, boards.cards, times, threads)


def checked_down_on(response: Response, board: int, threads: int = 1) -> NDArray[np.float64]:
    """The same, over the flops of one class."""
    game, known = response.layout.game, response.boards.cards[board]
    public = response.layout.deal.public
    flop, more = int(public[1]), int(public[-1] - public[1])
    free = np.setdiff1d(np.arange(game.deck_size), known).tolist()
    ends = np.array(list(combinations(free, more)), np.uint8).reshape(comb(len(free), more), more)
    boards = np.concatenate([np.tile(known.astype(np.uint8), (len(ends), 1)), ends], axis=1)
    left = game.deck_size - 2 * game.hole_cards
    chance = float(response.boards.weight[board]) / comb(left, flop) / comb(left - flop, more)
    return _summed(response, boards, np.full(len(boards), chance), threads)


def _summed(
    response: Response, boards: NDArray[np.uint8], times: NDArray[np.float64], threads: int
) -> NDArray[np.float64]:
    layout = response.layout
    leaves = layout.templates[0].leaves
    lanes = -(-2 * len(leaves) // W) * W
    reach = np.zeros((len(layout.deal.hole), lanes), np.float32)
    stake = np.zeros(lanes)
    for seat in (0, 1):
        for line, leaf in enumerate(leaves):
            reach[:, seat * len(leaves) + line] = response.reach[1 - seat][leaf.sequences[1 - seat]]
            stake[seat * len(leaves) + line] = leaf.amount
    share = card_shares(layout.game, len(layout.deal.hole))

    def piece(number: int) -> NDArray[np.float64]:
        found = np.zeros(response.classes * lanes)
        some = slice(number, None, _PIECES)
        check_down(
            boards[some],
            times[some],
            layout.deal,
            share,
            response.hand_class,
            reach.reshape(-1),
            lanes,
            found,
        )
        return found

    with ThreadPoolExecutor(threads) as pool:
        total = sum(pool.map(piece, range(_PIECES)), np.zeros(response.classes * lanes))
    by_lane = (total.reshape(response.classes, lanes) * stake).T[: 2 * len(leaves)]
    return by_lane.reshape(2, len(leaves), response.classes)
