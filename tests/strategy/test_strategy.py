"""A strategy says what it is worth: its probabilities, played by slow and independent references, win the same."""

from itertools import permutations

import numpy as np
import pytest

from errai.cards.notation import hand_index, hands
from errai.engine.layout import layout
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, spot, whole_game
from errai.strategy.kinds.exact import ExactStrategy
from tests import naive, openspiel

LEDUC = load_game("leduc")

# Rhode Island hold'em with three suits of four ranks: a game in which flushes count.
SMALL_RHODE_ISLAND = GameDefinition(
    name="small rhode island",
    betting="limit",
    blinds=(1, 1),
    raise_sizes=(2, 4, 4),
    first_player=(0, 0, 0),
    max_raises=(1, 1, 1),
    suits=3,
    ranks=4,
    hole_cards=1,
    board_cards=(0, 1, 1),
    ranking="three-card",
)


def solved(where: Spot, **settings) -> ExactStrategy:
    solver = prepare(where, Settings(**{"iterations": 40, "threads": 1, **settings}))
    solver.run()
    return ExactStrategy(solver.layout, solver.weights())


def as_naive(strategy: ExactStrategy) -> naive.Strategy:
    """What the strategy says, asked for one hand at a time with the cards and the betting of the whole hand."""
    root = strategy.spot

    def play(seat: int, hole: naive.Hole, board: naive.Board, betting: str) -> list[float]:
        since = betting[len(root.state.betting) :]
        chances = strategy.probabilities(hole, since, board[max(len(root.board), 1) :])
        return list(chances.values())

    return play


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"precision": "float64"},
        {"precision": "int16"},
        {"strategy": "current", "method": "dcfr"},  # regrets of all signs
        {"strategy": "current", "method": "pcfr+"},
        {"isomorphism": False},
    ],
    ids=str,
)
@pytest.mark.parametrize(("ours", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_openspiel_wins_as_much_against_the_probabilities(ours, theirs, settings):
    strategy = solved(whole_game(load_game(ours)), **settings)
    evaluation = strategy.evaluate()
    best = openspiel.best_response_values(theirs, as_naive(strategy))
    assert evaluation.best_response == pytest.approx(best, abs=1e-9)
    assert evaluation.value[0] == pytest.approx(openspiel.value(theirs, as_naive(strategy)), abs=1e-9)


def test_a_leduc_spot_with_ranges_is_worth_what_its_probabilities_win():
    generator = np.random.default_rng(5)
    ranges = generator.random((2, 6))
    where = spot(LEDUC, "3c", "rrc", (ranges[0], ranges[1]))
    strategy = solved(where, precision="float64")
    weights = tuple({(hand,): float(held[hand]) for hand in range(6)} for held in where.ranges)
    start = naive.Spot(((), where.cards), "rrc/")
    found = naive.exploitability(LEDUC, as_naive(strategy), weights, start)
    assert strategy.evaluate().exploitability == pytest.approx(found, abs=1e-9)


def test_a_spot_may_begin_in_the_middle_of_a_round():
    strategy = solved(spot(LEDUC, "4d", "cc/r"), precision="float64")
    start = naive.Spot(((), (5,)), "cc/r")
    found = naive.exploitability(LEDUC, as_naive(strategy), None, start)
    assert strategy.decision().actions == ("f", "c", "r")
    assert strategy.evaluate().exploitability == pytest.approx(found, abs=1e-9)


def renamed(cards, suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(card) - int(card) % len(suits) + suits[int(card) % len(suits)] for card in cards)


def hands_renamed(deck_size: int, hole_cards: int, suits: tuple[int, ...]) -> list[int]:
    return [hand_index(renamed(hand, suits)) for hand in hands(deck_size, hole_cards)]


def test_renaming_the_suits_of_a_board_renames_the_hands():
    strategy = solved(whole_game(SMALL_RHODE_ISLAND))
    for flop, turn in [(0, 4), (0, 5), (3, 0), (7, 11), (4, 8)]:
        plain = strategy.decision("cc/crc/c", [[flop], [turn]]).probabilities
        for suits in permutations(range(3)):
            board = [renamed([flop], suits), renamed([turn], suits)]
            other = strategy.decision("cc/crc/c", board).probabilities
            np.testing.assert_array_equal(other[hands_renamed(12, 1, suits)], plain)


def test_suit_isomorphism_changes_no_probability():
    # Three iterations: later, rounding decides between actions that are equally good, each time its own way.
    settings = {"precision": "float64", "method": "cfr+", "iterations": 3}
    together = solved(whole_game(SMALL_RHODE_ISLAND), **settings)
    apart = solved(whole_game(SMALL_RHODE_ISLAND), **settings, isomorphism=False)
    for board in ([[0], [4]], [[1], [5]], [[11], [10]], [[6], [2]]):
        for betting in ("cc/cc/", "rc/cr", "cc/rc/r"):
            dealt = board[: betting.count("/")]
            one, other = (strategy.decision(betting, dealt) for strategy in (together, apart))
            np.testing.assert_allclose(one.probabilities, other.probabilities, rtol=0, atol=1e-12)


def test_on_a_spade_turn_the_other_three_suits_are_alike():
    holdem = load_game("holdem")
    strategy = solved(spot(holdem, "Ks8s3s Ts", "rc/rc/"), iterations=4)
    clubs = strategy.decision("cc", "9c").probabilities
    for suits in permutations(range(3)):
        name = "cdh"[suits[0]]
        others = strategy.decision("cc", f"9{name}").probabilities
        np.testing.assert_array_equal(others[hands_renamed(52, 2, (*suits, 3))], clubs)
    with_spade = strategy.probabilities("As2c", "cc", "9c")
    assert with_spade == strategy.probabilities("As2h", "cc", "9h")
    assert with_spade != strategy.probabilities("Ah2c", "cc", "9c")


def test_without_weights_every_action_is_as_likely_as_any_other():
    places = layout(whole_game(LEDUC))
    strategy = ExactStrategy(places, np.zeros(places.shape.numbers, np.float32))
    assert strategy.probabilities("2c") == {"c": 1 / 2, "r": 1 / 2}
    assert strategy.probabilities("2c", "r") == {"f": 1 / 3, "c": 1 / 3, "r": 1 / 3}
    assert strategy.evaluate().value[0] == pytest.approx(naive.value(LEDUC, naive.uniform(LEDUC)), abs=1e-12)


def test_a_hand_on_the_board_has_no_probabilities():
    strategy = solved(whole_game(LEDUC), iterations=1)
    row = strategy.decision("cc/", "3d").probabilities
    assert np.isnan(row[3]).all()
    assert not np.isnan(np.delete(row, 3, axis=0)).any()


@pytest.mark.parametrize(
    ("hand", "betting", "board", "message"),
    [
        ("3d", "cc/", "3d", "3d is on the board"),
        ("3d 4d", "", "", "a hand of leduc has 1 card, not 2"),
        ("9c", "", "", "rank '9' at position 1 of '9c' is not in this deck"),
        ("2c", "cc/", "", "this decision needs 1 board card, not 0"),
        ("2c", "", "3c", "this decision needs 0 board cards, not 1"),
        ("2c", "rrr", "", "position 3: 'r' (raise) is not allowed; allowed: f (fold), c (call)"),
        ("2c", "rf", "", "betting 'rf' ends the hand"),
        ("2c", "cc/cc", "3c", "betting 'cc/cc' ends the hand"),
    ],
)
def test_a_wrong_question_is_answered_in_one_line(hand, betting, board, message):
    strategy = solved(whole_game(LEDUC), iterations=1)
    with pytest.raises(ErraiError, match=r"^[^\n]*$") as caught:
        strategy.probabilities(hand, betting, board)
    assert message in str(caught.value)


def test_a_hand_in_neither_range_is_refused_and_one_in_either_is_not():
    where = spot(load_game("holdem"), "Ks7h2d5c3h", "cc/cc/cc", ("AA,KQs", "QQ"))
    built = layout(where)
    strategy = ExactStrategy(built, np.zeros(int(built.boards.offset[-1]), np.float32))
    assert strategy.probabilities("AsAh") == strategy.probabilities("QsQh") == {"c": 0.5, "r": 0.5}
    with pytest.raises(ErraiError, match="the hand JsJh is in neither player's range"):
        strategy.probabilities("JsJh")
    with pytest.raises(ErraiError, match="KsQs holds Ks, which is on the board"):
        strategy.probabilities("KsQs")
