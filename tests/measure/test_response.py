"""The best response to a strategy on buckets is that of the engine to the same strategy, hand by hand."""

import pytest

from errai.blueprint.packing import to_bytes
from errai.engine.evaluation import Evaluator
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import parse_game
from errai.measure.bounds import known_at_once
from errai.measure.exploitability import exploitability
from errai.measure.response import Response
from errai.measure.simple import rule_layout, rule_weights
from errai.strategy.kinds.rule import RULES, RuleStrategy
from tests import naive
from tests.blueprint.games import (
    GAME,
    TEXT,
    engine_layout,
    engine_weights,
    exact_layout,
    few_layout,
    random_weights,
)

CHIPS = 1e-4  # of a pot of up to 120 chips, in single precision


def by_boards(made, weights):
    """Both best responses and the value, from all boards."""
    response = Response(made, weights)
    boards = range(len(response.boards.cards))
    best = sum(response.on_board(board) for board in boards)
    value = sum(response.on_board(board, best_from=made.rounds) for board in boards)
    return response.evaluation(best, value)


def by_engine(made, weights):
    return Evaluator(engine_layout()).evaluate(engine_weights(made, weights))


def assert_same(found, wanted):
    assert found.best_response == pytest.approx(wanted.best_response, abs=CHIPS)
    assert found.value == pytest.approx(wanted.value, abs=CHIPS)


@pytest.mark.parametrize("made", [exact_layout, few_layout], ids=["lossless", "seven buckets"])
def test_weights_and_bytes_are_worth_what_the_engine_says(made):
    weights = random_weights(made())
    assert_same(by_boards(made(), weights), by_engine(made(), weights))
    shares = to_bytes(made(), weights)
    assert_same(by_boards(made(), shares), by_engine(made(), shares))


@pytest.mark.parametrize("name", RULES)
def test_simple_strategies_are_worth_what_the_engine_says(name):
    simple = RuleStrategy(name, GAME)
    wanted = by_engine(exact_layout(), rule_weights(simple, exact_layout()))
    found = exploitability(simple)
    assert found.exact
    assert found.evaluation.best_response == pytest.approx(wanted.best_response, abs=CHIPS)


def test_who_always_folds_loses_the_blinds_and_nothing_is_walked():
    found = exploitability(RuleStrategy("always-fold", GAME))
    assert found.evaluation.best_response == (5, 10)
    assert (found.exact, found.boards, found.of) == (True, 0, 25)
    holdem = exploitability(RuleStrategy("always-fold", load_game("holdem")), flops=2)
    assert holdem.evaluation.exploitability_mbb == 750
    assert (holdem.exact, holdem.boards, holdem.of) == (True, 0, 1755)


def test_what_is_known_at_once_is_what_walking_finds():
    folding = rule_weights(RuleStrategy("always-fold", GAME), few_layout())
    response = Response(few_layout(), folding)
    walked = sum(response.on_board(board) for board in range(len(response.boards.cards)))
    known = known_at_once(response)
    assert known.best_response == response.evaluation(walked).best_response == (5, 10)
    # One bucket that calls one bet on the river is enough not to know.
    river = few_layout().view(folding, 3)
    node = next(node for node in few_layout().templates[3].nodes if node.betting == "cr")
    line = next(i for i, leaf in enumerate(few_layout().templates[0].leaves) if leaf.betting == "cc")
    river[line, 0, 4, node.row + node.actions.index("c"), 0] = 1
    assert known_at_once(Response(few_layout(), folding)) is None
    for name in ("always-call", "always-raise", "uniform"):
        assert known_at_once(Response(*rule_layout(RuleStrategy(name, GAME)))) is None


def test_uniform_on_six_cards_is_what_a_naive_walk_finds():
    rules = TEXT.replace("numRanks = 5", "numRanks = 3").replace("0 2 1 1", "0 1 1 1")
    rules = rules.replace("maxRaises = 2 1 1 1", "maxRaises = 1 1 0 1")
    tiny = parse_game(rules.replace("numHoleCards = 2", "numHoleCards = 1"), name="six cards")
    found = exploitability(RuleStrategy("uniform", tiny)).evaluation
    wanted = [naive.best_response(tiny, naive.uniform(tiny), seat) for seat in (0, 1)]
    assert found.best_response == pytest.approx(wanted, abs=CHIPS)


def test_a_game_needs_two_rounds_and_cards_in_each_but_the_first():
    for name in ("kuhn", "nowhere"):
        with pytest.raises(ErraiError):
            rule_layout(RuleStrategy("uniform", load_game(name)))
    with pytest.raises(ErraiError, match="unknown strategy 'always-win': choose always-fold"):
        RuleStrategy("always-win", GAME)
