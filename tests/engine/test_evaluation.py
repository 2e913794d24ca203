"""Values and best responses are those of the plain game tree."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from errai.engine import layout as layouts
from errai.engine import walker
from errai.engine.evaluation import Evaluator
from errai.engine.layout import layout
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, spot, whole_game
from tests import naive
from tests.engine.weights import (
    places,
    ranges_of,
    start_of,
    strategy_of,
    symmetric_strategy,
    weights_of,
)
from tests.games_strategies import random_strategy, seeds, small_games

CLOSE = 1e-9
few = settings(max_examples=30, deadline=None, derandomize=True)

KUHN, LEDUC = load_game("kuhn"), load_game("leduc")


def game(**rules):
    """A small game of two rounds and one hole card, with changes."""
    given = {
        "name": "test", "betting": "limit", "blinds": (2, 1), "raise_sizes": (2, 4), "first_player": (1, 0),
        "max_raises": (1, 2), "suits": 2, "ranks": 3, "hole_cards": 1, "board_cards": (0, 1),
    }  # fmt: skip
    return GameDefinition(**(given | rules))


SMALL = {
    "unequal blinds": game(),
    "one blind only": game(blinds=(0, 3)),
    "no raises at all": game(max_raises=(0, 0)),
    "no raises in the first round": game(max_raises=(0, 1)),
    "a public card before any betting": game(board_cards=(1, 1), ranks=3),
    "one round behind a public card": game(
        board_cards=(1,), raise_sizes=(2,), first_player=(1,), max_raises=(2,)
    ),
    "two hole cards": game(hole_cards=2, ranks=4, board_cards=(0, 1), max_raises=(1, 1)),
    "two hole cards behind a public card": game(hole_cards=2, ranks=4, board_cards=(1, 1), max_raises=(0, 1)),
    "two hole cards and three suits": game(
        hole_cards=2, ranks=3, suits=3, board_cards=(0, 1), max_raises=(0, 1)
    ),
    "three-card ranking": game(ranks=4, suits=2, board_cards=(0, 2), ranking="three-card", max_raises=(1, 1)),
    "three rounds": game(
        board_cards=(0, 1, 1), raise_sizes=(1, 2, 3), first_player=(0, 1, 0), max_raises=(1, 1, 1)
    ),
    "a round without a card": game(board_cards=(0, 0)),
    "many contexts": game(board_cards=(0, 1), max_raises=(7, 4)),
}


def check(where: Spot, strategy, isomorphism=True, threads=1):
    """Our value and best responses of a strategy are those of the reference."""
    built = layout(where, isomorphism=isomorphism)
    evaluator = Evaluator(built, threads)
    found = evaluator.evaluate(weights_of(built, strategy))
    evaluator.close()
    here = (ranges_of(where), start_of(built))
    assert found.value[0] == pytest.approx(naive.value(where.game, strategy, *here), abs=CLOSE)
    assert found.value[1] == -found.value[0]
    for seat in (0, 1):
        best = naive.best_response(where.game, strategy, seat, *here)
        assert found.best_response[seat] == pytest.approx(best, abs=CLOSE)
    assert found.nash_conv == pytest.approx(2 * found.exploitability)
    assert found.exploitability > -CLOSE
    low, high = found.bounds
    assert low <= high + CLOSE
    return found


@pytest.mark.parametrize("rules", SMALL.values(), ids=SMALL.keys())
def test_games_of_every_kind(rules):
    check(whole_game(rules), symmetric_strategy(rules, seed=1))


@few
@given(small_games(most_histories=2500), seeds())
def test_random_games(rules, seed):
    check(whole_game(rules), symmetric_strategy(rules, seed))


@settings(max_examples=15, deadline=None, derandomize=True)
@given(small_games(most_histories=2500), seeds())
def test_without_isomorphism_suits_may_be_played_differently(rules, seed):
    check(whole_game(rules), random_strategy(rules, seed), isomorphism=False)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_kuhn_and_leduc(name):
    rules = load_game(name)
    check(whole_game(rules), symmetric_strategy(rules, seed=5))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["three rounds", "two hole cards", "a public card before any betting"])
def test_boards_shared_among_threads(name, threads, monkeypatch):
    """Large games are walked board by board; with these limits small ones are too."""
    monkeypatch.setattr(walker, "SMALL", 0)
    monkeypatch.setattr(walker, "ENOUGH_TASKS", 5)
    check(whole_game(SMALL[name]), symmetric_strategy(SMALL[name], seed=4), threads=threads)


@pytest.mark.parametrize("most", [1, 12, 40])
def test_contexts_worked_on_a_few_at_a_time(most, monkeypatch):
    monkeypatch.setattr(layouts, "CHUNK", most)
    rules = SMALL["many contexts"]
    built = layout(whole_game(rules))
    assert built.betting.chunk[-1] < built.betting.contexts[-1]
    check(whole_game(rules), symmetric_strategy(rules, seed=6))


@few
@given(small_games(most_histories=2500), seeds())
def test_a_strategy_read_back_hand_by_hand_is_the_one_written(rules, seed):
    built = layout(whole_game(rules))
    strategy = symmetric_strategy(rules, seed)
    again = strategy_of(built, weights_of(built, strategy))
    for key in naive.information_sets(rules):
        assert again(*key) == pytest.approx(strategy(*key), abs=1e-12)


def test_both_layouts_hold_each_information_set_once():
    rules = SMALL["three-card ranking"]
    whole = layout(whole_game(rules), isomorphism=False)
    assert sorted(key for key, _ in places(whole)) == naive.information_sets(rules)
    classes = layout(whole_game(rules))
    assert {key for key, _ in places(classes)} < set(naive.information_sets(rules))


@pytest.mark.parametrize("dtype", ["float32", "int16"])
@pytest.mark.parametrize("rules", [LEDUC, SMALL["two hole cards"]], ids=["leduc", "two hole cards"])
def test_weights_of_other_types_are_evaluated_as_they_are(rules, dtype):
    """Rounded weights are a strategy of their own, whose value is exact again."""
    where = whole_game(rules)
    built = layout(where)
    weights = weights_of(built, symmetric_strategy(rules, seed=2), dtype, scale=1000)
    weights[::7] = -weights[::7]  # what is not positive is never played
    found = Evaluator(built).evaluate(weights)
    strategy = strategy_of(built, weights)
    assert found.value[0] == pytest.approx(naive.value(rules, strategy), abs=CLOSE)
    for seat in (0, 1):
        assert found.best_response[seat] == pytest.approx(
            naive.best_response(rules, strategy, seat), abs=CLOSE
        )


# Ranges and spots


@settings(max_examples=5, deadline=None, derandomize=True)
@given(seeds())
def test_ranges_that_tell_suits_apart(seed):
    rules = game(ranks=4, max_raises=(1, 1))
    generator = np.random.default_rng(seed)
    ranges = generator.random((2, 8))
    ranges[:, ::2] *= generator.random((2, 4)) < 0.7  # some hands of the first suit are never held
    where = spot(rules, "", "", tuple(ranges))
    assert (layout(where).hand_classes.size == 1).all()
    check(where, random_strategy(rules, seed))


@settings(max_examples=5, deadline=None, derandomize=True)
@given(seeds())
def test_ranges_of_ranks_keep_the_symmetry(seed):
    rules = game(ranks=4, suits=3, max_raises=(1, 0))
    weights = np.random.default_rng(seed).random((2, 4)).repeat(3, axis=1)
    where = spot(rules, "", "", tuple(weights))
    assert layout(where).hand_classes.size.max() == 3
    check(where, symmetric_strategy(rules, seed))


@pytest.mark.parametrize(
    ("board", "betting"),
    [
        ("", "r"),  # facing a raise before any card
        ("", "c"),
        ("3c", "cc"),
        ("3c", "rc/"),
        ("3c", "rc/c"),
        ("3c", "cc/r"),
        ("3c", "cc/rr"),
        ("3c4d", "cc/rc"),
        ("3c4d", "rc/cc/c"),
    ],
)
@pytest.mark.parametrize("hole_cards", [1, 2])
def test_spots_in_the_middle_of_a_hand(board, betting, hole_cards):
    rules = game(
        ranks=4, hole_cards=hole_cards, board_cards=(0, 1, 1), raise_sizes=(1, 2, 3),
        first_player=(1, 0, 0), max_raises=(1, 2, 0),
    )  # fmt: skip
    count = 8 if hole_cards == 1 else 28
    generator = np.random.default_rng(len(board) + len(betting))
    ranges = generator.random((2, count))
    if hole_cards == 2:
        few_hands = generator.permutation(count)[:16]
        ranges[0, few_hands] = ranges[1, few_hands[::-1]] = 0
    where = spot(rules, board, betting, tuple(ranges))
    check(where, random_strategy(rules, seed=9))
    if board and hole_cards == 1:
        where = spot(rules, board, betting)
        check(where, random_strategy(rules, seed=9), isomorphism=False)
        check(where, symmetric_strategy(rules, seed=9))


def test_bounds_of_the_value_are_what_the_best_responses_concede():
    found = check(whole_game(LEDUC), naive.uniform(LEDUC))
    assert found.bounds == (-found.best_response[1], found.best_response[0])
    assert found.exploitability_mbb == pytest.approx(1000 * found.exploitability / 2)


def test_hand_values_add_up_to_the_value_of_the_game():
    built = layout(whole_game(LEDUC))
    weights = weights_of(built, symmetric_strategy(LEDUC, seed=3))
    evaluator = Evaluator(built)
    found = evaluator.evaluate(weights)
    for seat in (0, 1):
        values = evaluator.hand_values(seat, weights)
        assert values.shape == (3,)  # jack, queen and king
        assert values.mean() == pytest.approx(found.value[seat], abs=CLOSE)
        best = evaluator.hand_values(seat, weights, best=True)
        assert best.mean() == pytest.approx(found.best_response[seat], abs=CLOSE)
        assert (best >= values - CLOSE).all()
        assert (evaluator.opposing_weight(seat) == 5).all()


def test_a_better_hand_is_worth_more_when_everybody_calls():
    rules = replace(LEDUC, name="calls", max_raises=(0, 0))
    built = layout(whole_game(rules))
    values = Evaluator(built).hand_values(0, weights_of(built, naive.uniform(rules)))
    assert values[0] < values[1] < values[2]
    assert values.sum() == pytest.approx(0, abs=CLOSE)
