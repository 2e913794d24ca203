"""The control variate: what checking down wins, on average less on the sampled boards, hand by hand."""

import numpy as np
import pytest
from numba import njit

from errai.blueprint.kernels.buckets import deal_boards
from errai.blueprint.kernels.runouts import add_control_variate, deal_runout
from errai.blueprint.layout import run_of_boards, sample_workspace, sampled_betting
from errai.cards.strength import strengths
from errai.engine.walker import new_workspace
from tests.blueprint.games import few_layout

CARDS = (3, 8, 1, 6)


@njit
def _deal(runouts, number, cards, deal):
    deal_runout(runouts, number, cards, deal)


@njit
def _add(betting, boards, level, player, place, runouts, end, reach, leaf, workspace):
    add_control_variate(betting, boards, level, player, place, runouts, end, reach, leaf, workspace)


def naive(layout, betting, level, player, board, runouts, reach, walked):
    """[hands of the board, leaves * K] from every pair of hands on every run-out."""
    hole, deal = layout.deal.hole, layout.deal
    live = [h for h in range(len(hole)) if not set(hole[h]) & set(board)]
    K, leaves = layout.contexts[level], len(layout.templates[level].leaves)
    out = np.zeros((len(live), leaves * K))
    factor = np.prod(betting.chance[level + 1 :])
    sides = [runouts[deal.public[level]], runouts[deal.public[level + 1]]]
    for side, some in enumerate(sides):
        for cards in some:
            strength = strengths(hole, cards, layout.abstraction.deck, deal.ranking)
            for i, mine in enumerate(live):
                for j, other in enumerate(live):
                    if set(hole[mine]) & set(hole[other]) or min(strength[mine], strength[other]) < 0:
                        continue
                    won = np.sign(int(strength[mine]) - int(strength[other]))
                    for leaf in range(leaves):
                        sequence = layout.templates[level].leaves[leaf].sequences[1 - player]
                        for k in range(K):
                            lane = leaf * K + k
                            often = walked[lane] if side and level == layout.rounds - 2 else 1.0
                            weight = factor / len(some) * (-often if side else 1)
                            stake = betting.stake[betting.first_context[level + 1] + lane]
                            out[i, lane] += weight * stake * won * reach[sequence, j, k]
    return out


@pytest.mark.parametrize(("level", "player"), [(1, 0), (2, 1)])
def test_it_is_that_of_every_pair_of_hands(level, player):
    layout = few_layout()
    deal, betting, boards = layout.deal, sampled_betting(layout), run_of_boards(layout)
    own = sample_workspace(layout, runouts=2)
    betting.stake[:] = deal.stake + 10.0
    cards = np.array(CARDS, np.int64)
    deal_boards(cards, deal, boards, own)
    complete = {2: [(3, 8, 0, 9), (3, 8, 6, 4)], 3: [(3, 8, 1, 2), (3, 8, 1, 7)], 4: [CARDS]}
    number = 0
    for some in complete.values():
        for runout in some:
            _deal(own.runouts, number, np.array(runout, np.int64), deal)
            number += 1
    walked = np.where(np.arange(layout.contexts[-1]) % 3 == 0, 0.0, 2.5)
    own.runouts.importance[1, : len(walked)] = walked
    H = [int(h) for h in np.diff(boards.first_hand)]
    workspace = new_workspace(layout.betting, layout.game.deck_size, np.array(H))
    K = layout.contexts[level]
    reach = np.random.default_rng(1).random((layout.templates[level].sequences[1 - player], H[level], K))
    leaf = np.zeros(H[level] * len(layout.templates[level].leaves) * K, np.float32)
    flat = np.concatenate([reach.reshape(-1), np.zeros(16)]).astype(np.float32)
    _add(betting, boards, level, player, own.place[level], own.runouts, 0, flat, leaf, workspace)
    wanted = naive(layout, betting, level, player, CARDS[: deal.public[level]], complete, reach, walked)
    np.testing.assert_allclose(leaf.reshape(wanted.shape), wanted, atol=2e-3)
    assert np.abs(wanted).max() > 1
