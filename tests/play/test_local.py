"""A local best response: right where one look ahead is enough, and never more than a best response."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

import errai
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import parse_state, start
from errai.play.agent import StrategyAgent, seen_by
from errai.play.local import LocalBestResponse
from errai.play.opening import open_agents
from errai.play.table import dealt
from errai.strategy.kinds.rule import RuleStrategy

LEDUC, KUHN = load_game("leduc"), load_game("kuhn")


@cache
def blueprint(iterations):
    return errai.solve("leduc", method="cfr+", iterations=iterations).strategy


def expected(game, agents):
    """Chips that seat 0 wins, over all deals and choices: the slow way."""
    hidden = 2 * game.hole_cards
    deals = list(permutations(range(game.deck_size), hidden + game.board_sizes[-1]))

    def value(state, board):
        if state.over:
            return state.payoff()[0]
        shares = agents[state.player].probabilities(seen_by(state, state.player))
        return sum(
            share * value(dealt(state.act(action), board), board)
            for action, share in shares.items()
            if share > 0
        )

    return sum(value(start(game, ((d[0],), (d[1],))), d[hidden:]) for d in deals) / len(deals)


def test_its_worth_is_its_expectation_over_all_deals():
    local = LocalBestResponse("local", LEDUC, blueprint(3))
    for seat in (0, 1):
        agents = [local if place == seat else StrategyAgent("blueprint", blueprint(3)) for place in (0, 1)]
        won, deals = 0.0, list(permutations(range(6), 2))  # its card and the board
        for card, board in deals:
            weights = local.range(start(LEDUC), 1 - seat, (card,))
            won += local.worth(start(LEDUC), seat, (card,), (board,), weights / weights.sum()) / len(deals)
        assert won == pytest.approx(expected(LEDUC, agents) * (1 if seat == 0 else -1))


@pytest.mark.parametrize("iterations", [3, 30])
def test_it_wins_less_than_a_best_response_and_more_than_the_strategy_itself(iterations):
    strategy = blueprint(iterations)
    local = LocalBestResponse("local", LEDUC, strategy)
    best = strategy.evaluate()
    for seat in (0, 1):
        agents = [local if place == seat else StrategyAgent("blueprint", strategy) for place in (0, 1)]
        won = expected(LEDUC, agents) * (1 if seat == 0 else -1)
        assert won <= best.best_response[seat] + 1e-6
        if iterations == 3:
            assert won > (1 if seat == 0 else -1) * best.value[0] + 0.1


def test_against_somebody_who_always_calls_it_bets_what_wins_more_than_half():
    local = LocalBestResponse("local", LEDUC, RuleStrategy("always-call", LEDUC))
    state = parse_state(LEDUC, "cc/", "4c")
    deck = state.deck
    for hand, action in (("4d", "r"), ("3d", "r"), ("2d", "c")):
        values = local.values(state, deck.parse(hand))
        assert max(values, key=values.get) == action
    paired = local.values(state, deck.parse("4d"))
    assert paired == {"c": 1.0, "r": 5.0}  # it wins against all hands


def test_nobody_is_called_who_holds_the_best_hand_whenever_he_raises():
    """On the last decision it is a best response: in Kuhn a call is right just when it wins a third of the time."""
    strategy = errai.solve("kuhn", iterations=500).strategy
    local = LocalBestResponse("local", KUHN, strategy)
    decision = strategy.decision("r", values=True)
    for hand in range(3):
        found = local.values(parse_state(KUHN, "r"), (hand,))
        np.testing.assert_allclose([found["f"], found["c"]], decision.values[hand], atol=1e-6)


def test_shares_before_the_flop_are_those_of_classes():
    game = load_game("holdem")
    local = LocalBestResponse("local", game, RuleStrategy("always-call", game))
    deck = start(game).deck
    values = local.values(start(game), deck.parse("AsAh"))
    assert values["c"] == pytest.approx((2 * 0.852 - 1) * 10, abs=0.05)  # aces win 85.2% against any hand
    assert values["r"] == pytest.approx(2 * values["c"])


def test_shares_on_the_river_are_those_of_showdowns():
    game = load_game("holdem")
    local = LocalBestResponse("local", game, RuleStrategy("always-call", game))
    state = parse_state(game, "cc/cc/cc/", "AsKsQsJsTs")
    assert local.values(state, state.deck.parse("2c2d"))["c"] == 0.0  # everybody plays the board


def test_it_must_know_whom_it_plays():
    for names in (["local-best-response"], ["local-best-response", "win-rate"], ["local-best-response"] * 2):
        with pytest.raises(ErraiError, match="must know its opponent"):
            open_agents(names, "leduc")
