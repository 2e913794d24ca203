"""The correction for luck: what checking down wins, on average less on the sampled boards, hand by hand."""

import numpy as np
import pytest
from numba import njit

from errai.blueprint.frame import room, run_of_boards, sampled
from errai.blueprint.kernels.buckets import deal_boards
from errai.blueprint.kernels.runouts import deal_runout, less_luck
from errai.cards.strength import strengths
from errai.engine.walker import new_workspace
from tests.blueprint.games import few_frame

CARDS = (3, 8, 1, 6)


@njit
def _deal(runouts, number, cards, hole, suits, ranks, ranking):
    deal_runout(runouts, number, cards, hole, suits, ranks, ranking)


@njit
def _less_luck(betting, boards, level, player, place, runouts, end, reach, leaf, ws):
    less_luck(betting, boards, level, player, place, runouts, end, reach, leaf, ws)


def naive(frame, betting, level, player, board, runouts, reach, walked):
    """[hands of the board, leaves * K] by looking at every pair of hands on every run-out."""
    hole, deal = frame.deal.hole, frame.deal
    live = [h for h in range(len(hole)) if not set(hole[h]) & set(board)]
    K, leaves = frame.contexts[level], len(frame.templates[level].leaves)
    out = np.zeros((len(live), leaves * K))
    factor = np.prod(betting.chance[level + 1 :])
    sides = [runouts[deal.public[level]], runouts[deal.public[level + 1]]]
    for side, some in enumerate(sides):
        for cards in some:
            strength = strengths(hole, cards, frame.abstraction.deck, deal.ranking)
            for i, mine in enumerate(live):
                for j, other in enumerate(live):
                    if set(hole[mine]) & set(hole[other]) or min(strength[mine], strength[other]) < 0:
                        continue
                    won = np.sign(int(strength[mine]) - int(strength[other]))
                    for leaf in range(leaves):
                        sequence = frame.templates[level].leaves[leaf].sequences[1 - player]
                        for k in range(K):
                            lane = leaf * K + k
                            often = walked[lane] if side and level == frame.rounds - 2 else 1.0
                            weight = factor / len(some) * (-often if side else 1)
                            stake = betting.stake[betting.first_context[level + 1] + lane]
                            out[i, lane] += weight * stake * won * reach[sequence, j, k]
    return out


@pytest.mark.parametrize(("level", "player"), [(1, 0), (2, 1)])
def test_it_equals_a_look_at_every_pair(level, player):
    frame = few_frame()
    deal, betting, boards = frame.deal, sampled(frame), run_of_boards(frame)
    own = room(frame, runouts=2)
    betting.stake[:] = deal.stake + 10.0
    cards = np.array(CARDS, np.int64)
    deal_boards(
        cards, deal.public, deal.hole, deal.suits, deal.ranks, deal.ranking, deal.buckets, boards,
        own.hands, own.bucket, own.place, own.work,
    )  # fmt: skip
    complete = {2: [(3, 8, 0, 9), (3, 8, 6, 4)], 3: [(3, 8, 1, 2), (3, 8, 1, 7)], 4: [CARDS]}
    number = 0
    for some in complete.values():
        for runout in some:
            _deal(
                own.runouts,
                number,
                np.array(runout, np.int64),
                deal.hole,
                deal.suits,
                deal.ranks,
                deal.ranking,
            )
            number += 1
    walked = np.where(np.arange(frame.contexts[-1]) % 3 == 0, 0.0, 2.5)
    own.runouts.walked[1, : len(walked)] = walked
    H = [int(h) for h in np.diff(boards.first_hand)]
    ws = new_workspace(frame.betting, frame.game.deck_size, np.array(H))
    K = frame.contexts[level]
    reach = np.random.default_rng(1).random((frame.templates[level].sequences[1 - player], H[level], K))
    leaf = np.zeros(H[level] * len(frame.templates[level].leaves) * K, np.float32)
    flat = np.concatenate([reach.reshape(-1), np.zeros(16)]).astype(np.float32)
    _less_luck(betting, boards, level, player, own.place[level], own.runouts, 0, flat, leaf, ws)
    wanted = naive(frame, betting, level, player, CARDS[: deal.public[level]], complete, reach, walked)
    np.testing.assert_allclose(leaf.reshape(wanted.shape), wanted, atol=2e-3)
    assert np.abs(wanted).max() > 1
