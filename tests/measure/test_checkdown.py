"""Checking down: against the engine's walk of a strategy that always calls, and against a count of showdowns."""

import numpy as np
import pytest

from errai.cards.notation import Deck
from errai.cards.strength import strengths
from errai.games.catalogue import load_game
from errai.measure.checkdown import checked_down, checked_down_on
from errai.measure.response import Response
from errai.measure.simple import rule_layout
from errai.strategy.kinds.rule import RuleStrategy
from tests.blueprint.games import GAME, few_layout, random_weights


@pytest.fixture(scope="module")
def response():
    return Response(few_layout(), random_weights(few_layout()))


def test_a_flop_is_what_callers_win_there():
    callers = Response(*rule_layout(RuleStrategy("always-call", GAME)))
    last = callers.layout.rounds
    for board in (0, 7, 24):
        walked = callers.on_board(board, best_from=last)
        assert np.abs(walked).max() > 0.1
        np.testing.assert_allclose(checked_down_on(callers, board), walked, rtol=1e-4, atol=1e-5)


def test_all_boards_are_the_sum_of_all_flops(response):
    by_flop = sum(checked_down_on(response, board) for board in range(len(response.boards.cards)))
    np.testing.assert_allclose(checked_down(response), by_flop, rtol=1e-4, atol=1e-4)


def test_threads_make_no_difference(response):
    np.testing.assert_array_equal(checked_down(response, threads=1), checked_down(response, threads=2))


def test_hands_of_one_card_are_counted_one_by_one():
    game = load_game("rhode-island")
    layout, weights = rule_layout(RuleStrategy("uniform", game))
    response = Response(layout, weights)
    board = 5
    known = [int(card) for card in response.boards.cards[board]]
    wanted = np.zeros((2, layout.lines, response.classes))
    hole = layout.deal.hole
    live = [h for h in range(len(hole)) if int(hole[h, 0]) not in known]
    chance = response.boards.weight[board] / 50 / 49
    for turn in set(range(52)) - set(known):
        strength = strengths(hole, [*known, turn], Deck(game.ranks, game.suits), layout.deal.ranking)
        for mine in live:
            for other in live:
                if mine != other and turn not in (hole[mine, 0], hole[other, 0]):
                    won = np.sign(int(strength[mine]) - int(strength[other]))
                    for line, leaf in enumerate(layout.templates[0].leaves):
                        for seat in (0, 1):
                            reach = response.reach[1 - seat][leaf.sequences[1 - seat]][other]
                            wanted[seat, line, response.hand_class[mine]] += (
                                won * leaf.amount * reach * chance
                            )
    np.testing.assert_allclose(checked_down_on(response, board), wanted, rtol=1e-4, atol=1e-5)
