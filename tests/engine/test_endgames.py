"""Rivers and turns of hold'em: known solutions, the reference, and one result whatever the way to it."""

from functools import cache

import numpy as np
import pytest

from errai.cards.notation import FULL_DECK, hands
from errai.engine.evaluation import Evaluator
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.games.catalogue import load_game
from errai.games.spot import spot
from errai.strategy.kinds.exact import ExactStrategy
from tests import naive
from tests.engine.weights import ranges_of, start_of, strategy_of

HOLDEM = load_game("holdem")
RIVER = ("Ks7h2d 5c 9c", "cc/cc/cc")
FLUSH_RIVER = ("Ks7s2s 5s 9s", "rc/rc/cc")  # clubs, diamonds and hearts are alike
TURN = ("Ks7s2s 5s", "rc/rc")
RANGES = {
    "everything": (None, None),
    "wide": ("22+,A2s+,KTs+,QTo+", "22+,A2s+,A8o+,K8s+"),
    "one suit": ("22+,AhKh,QhJh", "22+,AK"),
}


@cache
def solve(board, betting, first=None, second=None, **settings):
    solver = prepare(spot(HOLDEM, board, betting, (first, second)), Settings(**({"threads": 1} | settings)))
    solver.run()
    return solver


# Rivers that can be solved by hand: 20 chips in the pot, bets of 20.


def test_who_always_has_the_nuts_wins_the_pot_and_no_more():
    """Eight and six make the best straight; any other hand can only check and fold."""
    for ranges, winner in ((("86", "AQ,KQ"), 0), (("AQ,KQ", "86"), 1)):
        found = solve(*RIVER, *ranges, precision="float64", method="pdcfr+", iterations=500).evaluation
        assert found.value[winner] == pytest.approx(10, abs=1e-3)
        assert found.exploitability < 1e-3


def test_bluffs_and_calls_are_in_proportion_to_bet_and_pot():
    """Straights or nothing against a pair of aces: one bluff for two straights, and a call half of the time.

    A bet of 20 into 20 wins at once or is called for 20 more, so a caller who is right one time in three
    breaks even, and so does a bluff that is called half of the time.
    """
    solver = solve(*RIVER, "8h6h,4h3h,4d3d", "AcAd", precision="float64", method="pdcfr+", iterations=3000)
    found = ExactStrategy(solver.layout, solver.weights())
    bets = {hand: found.probabilities(hand)["r"] for hand in ("8h6h", "4h3h", "4d3d")}
    assert bets["8h6h"] == pytest.approx(1, abs=1e-3)
    assert bets["4h3h"] + bets["4d3d"] == pytest.approx(0.5, abs=1e-3)
    assert found.probabilities("AcAd", "r")["c"] == pytest.approx(0.5, abs=1e-3)
    assert solver.evaluation.value[0] == pytest.approx(0, abs=1e-3)


def test_on_a_royal_flush_nobody_wins():
    found = solve("AsKsQsJsTs", "cc/cc/cc", precision="float64", method="pdcfr+", iterations=300).evaluation
    assert found.value[0] == pytest.approx(0, abs=1e-3)
    assert found.exploitability < 1e-3


def test_when_nobody_bets_the_value_is_the_equity():
    """Everybody checks: seat 0 wins as much of the pot as its hands are stronger."""
    solver = solve(*RIVER, "AA", "KQ", precision="float64", method="pdcfr+", iterations=500)
    checks = np.zeros(len(solver.store.regret))
    for node in solver.layout.shape.templates[0].nodes:
        H = int(solver.layout.shape.classes[0])
        at = (node.row + node.actions.index("c")) * H
        checks[at : at + H] = 1
    found = Evaluator(solver.layout).evaluate(checks)
    assert found.value[0] == pytest.approx(10)  # aces always beat a pair of kings
    assert found.best_response[1] == pytest.approx(-10)


# The reference, which deals every pair of hands and plays every action


NARROW = ("AhAd,Ks8s,4h3h", "KhQh,9h9d,6d4d")


def assert_reference_agrees(solver):
    """The value and best responses of what was found, worked out one history at a time."""
    strategy = strategy_of(solver.layout, solver.weights())
    here = (ranges_of(solver.spot), start_of(solver.layout))
    found = Evaluator(solver.layout).evaluate(solver.weights())
    assert found.value[0] == pytest.approx(naive.value(HOLDEM, strategy, *here), abs=1e-9)
    for seat in (0, 1):
        best = naive.best_response(HOLDEM, strategy, seat, *here)
        assert found.best_response[seat] == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("betting", ["cc/cc/cc", "rc/rc/rc/r", "cc/cc/cc/cr"])
def test_the_reference_finds_the_same_value_of_a_river(betting):
    assert_reference_agrees(
        solve("Kd7h2d 5c 9c", betting, *NARROW, precision="float64", method="dcfr", iterations=7)
    )


def test_the_reference_finds_the_same_value_of_a_turn():
    assert_reference_agrees(
        solve(
            "Kd7h2d 5c", "rc/cc", "AhAd,4h3h", "KhQh,6d4d", precision="float64", method="dcfr", iterations=5
        )
    )


def test_three_iterations_on_a_river_are_those_of_the_reference():
    solver = solve("Kd7h2d 5c 9c", "rc/rc/cc", *NARROW, precision="float64", method="dcfr", iterations=3)
    average, _ = naive.cfr(HOLDEM, "dcfr", 3, ranges_of(solver.spot), start_of(solver.layout))
    ours = strategy_of(solver.layout, solver.weights())
    keys = naive.tree(HOLDEM, ranges_of(solver.spot), start_of(solver.layout)).information_sets
    assert len(keys) == 10 * 3
    for key in keys:
        assert ours(*key) == pytest.approx(average(*key), abs=1e-9), key


# One result, whatever the way to it


def assert_close(one, other, chips):
    """Two solutions of one spot: alike within some chips, and both prove bounds of the same value."""
    assert one.evaluation.value[0] == pytest.approx(other.evaluation.value[0], abs=chips)
    assert one.evaluation.best_response == pytest.approx(other.evaluation.best_response, abs=5 * chips)
    low, high = (list(sides) for sides in zip(one.evaluation.bounds, other.evaluation.bounds, strict=True))
    assert max(low) < min(high)


@pytest.mark.parametrize(
    ("where", "ranges", "iterations"),
    [
        (FLUSH_RIVER, "everything", 50),
        (FLUSH_RIVER, "wide", 50),
        (FLUSH_RIVER, "one suit", 50),
        (TURN, "everything", 5),
    ],
)
def test_symmetries_of_the_suits_change_nothing(where, ranges, iterations):
    """As long as no regret that is zero in theory is rounded up in one run and down in the other."""
    with_it, without = (
        solve(
            *where,
            *RANGES[ranges],
            iterations=iterations,
            method="cfr+",
            precision="float64",
            isomorphism=given,
        )
        for given in (True, False)
    )
    assert with_it.layout.shape.information_sets < without.layout.shape.information_sets
    assert_close(with_it, without, chips=1e-6)
    whole, split = (ExactStrategy(solver.layout, solver.weights()) for solver in (with_it, without))
    for betting in ("", "r", "cr", "crrr"):
        ours, theirs = (found.decision(betting).probabilities for found in (whole, split))
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("ranges", RANGES)
def test_symmetries_change_little_in_single_precision(ranges):
    with_it, without = (
        solve(*TURN, *RANGES[ranges], method="dcfr", iterations=30, isomorphism=given)
        for given in (True, False)
    )
    assert_close(with_it, without, chips=0.02)


@pytest.mark.parametrize("precision", ["float32", "int16"])
@pytest.mark.parametrize("ranges", ["everything", "wide"])
def test_the_number_of_threads_changes_no_bit(precision, ranges):
    one, two = (
        solve(*TURN, *RANGES[ranges], iterations=30, precision=precision, threads=threads)
        for threads in (1, 2)
    )
    for name, array in one.store.arrays().items():
        assert np.array_equal(array, two.store.arrays()[name]), name
    assert one.evaluation == two.evaluation


@pytest.mark.parametrize("where", [FLUSH_RIVER, TURN], ids=["river", "turn"])
@pytest.mark.parametrize("ranges", ["everything", "wide"])
def test_half_the_memory_gives_nearly_the_same_value(where, ranges):
    whole = solve(*where, *RANGES[ranges], method="dcfr", iterations=30)
    half = solve(*where, *RANGES[ranges], method="dcfr", iterations=30, precision="int16")
    assert 2 * half.store.regret.nbytes == whole.store.regret.nbytes
    assert_close(whole, half, chips=0.03)


def test_a_solution_plays_suits_alike_that_are_alike():
    solver = solve(*TURN, iterations=30)
    found = ExactStrategy(solver.layout, solver.weights())
    after = found.decision("cc", "9d")
    same = found.decision("cc", "9h")
    holes = hands(52, 2)
    swap = np.arange(52)
    diamonds, hearts = np.arange(1, 52, 4), np.arange(2, 52, 4)
    swap[diamonds], swap[hearts] = hearts, diamonds
    low, high = np.sort(swap[holes], axis=1).T
    np.testing.assert_array_equal(after.probabilities, same.probabilities[high * (high - 1) // 2 + low])
    flush = found.probabilities("As3d", "cc/", "9d")
    assert flush["r"] > found.probabilities("AhQd", "cc/", "9d")["r"]
    assert FULL_DECK.format_cards(solver.spot.cards) == "2s7sKs5s"


def test_more_iterations_come_closer():
    early, late = (solve(*FLUSH_RIVER, iterations=n) for n in (30, 300))
    assert late.evaluation.exploitability < early.evaluation.exploitability / 10
    low, high = early.evaluation.bounds
    assert low < late.evaluation.value[0] < high
