"""Every member of the CFR family, number by number against the reference."""

from dataclasses import replace

import numpy as np
import pytest
from flint import arb, ctx

from errai.engine.kernels.arrays import AVERAGING, FLOOR, NEGATIVE, POSITIVE, PREDICTION, WEIGHT
from errai.engine.rules import NO_FLOOR, RULES, power, power_average, power_discount, rule_named
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import whole_game
from tests import naive
from tests.engine.weights import strategy_of

# Odd blinds and bets, so that no regret is exactly zero: rounding would decide what is played there. In Kuhn poker
# some are, from the first iterations on.
TWO_ROUNDS = GameDefinition(
    "two rounds", "limit", (5, 2), (3, 7), (1, 0), (1, 1), suits=2, ranks=4, hole_cards=1, board_cards=(0, 1)
)
THREE_CARDS = GameDefinition(
    "three cards", "limit", (5, 2), (3,), (0,), (1,), suits=1, ranks=3, hole_cards=1, board_cards=(0,)
)
GAMES = {"three cards": (THREE_CARDS, 10), "leduc": (load_game("leduc"), 3), "two rounds": (TWO_ROUNDS, 3)}
CLOSE = 1e-9


def solve(game, method, iterations, **settings):
    solver = prepare(
        whole_game(game),
        Settings(method=method, iterations=iterations, precision="float64", threads=1, **settings),
    )
    solver.run()
    return solver


def current(solver):
    """What the next iteration would play."""
    solver.settings = replace(solver.settings, strategy="current")
    return strategy_of(solver.layout, solver.weights())


def assert_same(ours, theirs, keys):
    for key in keys:
        assert ours(*key) == pytest.approx(theirs(*key), abs=CLOSE), key


def test_there_are_ten_rules():
    names = ["cfr", "cfr+", "linear", "dcfr", "dcfr+", "sdcfr", "sdcfr+", "pcfr+", "pdcfr+", "hs-dcfr"]
    assert list(RULES) == names
    assert set(RULES) == set(naive.RULES)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("method", RULES)
def test_averages_are_those_of_the_reference(method, name):
    game, iterations = GAMES[name]
    solver = solve(game, method, iterations)
    average, _ = naive.cfr(game, method, iterations)
    assert_same(strategy_of(solver.layout, solver.weights()), average, naive.information_sets(game))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("method", RULES)
def test_current_strategies_are_those_of_the_reference(method, name):
    """Seat 1 answers seat 0 at the start of the next iteration, so it has been updated once less."""
    game, iterations = GAMES[name]
    ours = current(solve(game, method, iterations))
    _, after = naive.cfr(game, method, iterations)
    keys = naive.information_sets(game)
    assert_same(ours, after, [key for key in keys if key[0] == 0])
    if method != "hs-dcfr":  # whose schedule depends on the number of planned iterations
        _, before = naive.cfr(game, method, iterations - 1)
        assert_same(ours, before, [key for key in keys if key[0] == 1])


@pytest.mark.parametrize("method", ["cfr+", "pcfr+"])
def test_without_isomorphism_the_result_is_the_same(method):
    solver = solve(TWO_ROUNDS, method, 3, isomorphism=False)
    average, _ = naive.cfr(TWO_ROUNDS, method, 3)
    assert_same(strategy_of(solver.layout, solver.weights()), average, naive.information_sets(TWO_ROUNDS))


@pytest.mark.parametrize("delay", [1, 3, 5])
def test_a_delay_leaves_the_first_iterations_out_of_the_average(delay):
    solver = solve(THREE_CARDS, "cfr+", 6, delay=delay)
    average, _ = naive.cfr(THREE_CARDS, "cfr+", 6, delay=delay)
    assert_same(strategy_of(solver.layout, solver.weights()), average, naive.information_sets(THREE_CARDS))


def test_iterations_in_one_go_or_one_by_one_are_the_same():
    at_once = solve(THREE_CARDS, "dcfr", 12)
    stepwise = prepare(
        whole_game(THREE_CARDS), Settings(method="dcfr", iterations=12, precision="float64", threads=1)
    )
    for planned in range(1, 13):
        stepwise.settings = replace(stepwise.settings, iterations=planned)
        stepwise.run()
    assert (at_once.store.regret == stepwise.store.regret).all()
    assert (at_once.store.average == stepwise.store.average).all()


# Schedules


def test_discounts_of_dcfr():
    rates = RULES["dcfr"].rates(1, 4, 4)[:, 0]
    assert rates[:, POSITIVE] == pytest.approx([0, 1 / 2, 2**1.5 / (2**1.5 + 1), 3**1.5 / (3**1.5 + 1)])
    assert list(rates[:, NEGATIVE]) == [0, 0.5, 0.5, 0.5]
    assert rates[:, AVERAGING] == pytest.approx([0, 1 / 4, 4 / 9, 9 / 16])
    assert (rates[:, FLOOR] == NO_FLOOR).all()
    assert (rates[:, WEIGHT] == 1).all()


def test_seat_1_is_one_iteration_behind_and_waits_in_the_first():
    rates = RULES["linear"].rates(1, 4, 4)
    assert list(rates[:, 0, WEIGHT]) == [1, 2, 3, 4]
    assert list(rates[:, 1, WEIGHT]) == [0, 1, 2, 3]
    assert (rates[:, 0, AVERAGING] == rates[:, 1, AVERAGING]).all()


def test_rates_do_not_depend_on_where_a_run_is_cut():
    for rule in RULES.values():
        whole = rule.rates(1, 10, 10)
        assert (np.concatenate([rule.rates(1, 3, 10), rule.rates(4, 7, 10)]) == whole).all()


def test_cfr_plus_never_holds_a_negative_regret():
    assert (RULES["cfr+"].rates(1, 3, 3)[:, :, FLOOR] == 0).all()
    solver = solve(GAMES["leduc"][0], "cfr+", 3)
    assert solver.store.regret.min() == 0
    assert solve(GAMES["leduc"][0], "cfr", 3).store.regret.min() < 0


def test_averages_with_a_delay_begin_late():
    discount = power_average(1, delay=2)
    assert [discount(t, 0) for t in (1, 2, 3)] == [0, 0, 0]  # each forgets what was before
    assert [discount(t, 0) for t in (4, 5)] == [1 / 2, 2 / 3]


def test_discounts_stay_finite_for_any_iteration():
    for exponent in (-3.0, 0.0, 1.5, 4.0):
        for t in (1, 2, 10**6):
            assert 0 <= power_discount(exponent)(t, 0) <= 1


def test_hs_dcfr_spreads_its_schedule_over_the_planned_iterations():
    rule = RULES["hs-dcfr"]
    assert rule.planned
    assert rule.positive(11, 20) == pytest.approx(10**2.65 / (10**2.65 + 1))
    assert rule.negative(11, 20) == pytest.approx(10**-2.1 / (10**-2.1 + 1))
    assert rule.averaging(20, 20) == pytest.approx((19 / 20) ** 25)


def test_prediction_uses_the_discount_to_come():
    rates = RULES["pdcfr+"].rates(5, 1, 10)[0]
    assert rates[0, PREDICTION] == rates[0, POSITIVE] == pytest.approx(4**2.3 / (4**2.3 + 1))
    assert rates[1, POSITIVE] == pytest.approx(3**2.3 / (3**2.3 + 1))


def test_rules_are_found_by_name():
    assert rule_named("CFR+").name == "cfr+"
    with pytest.raises(ErraiError, match=r"unknown method 'cfr\+\+': choose one of cfr, cfr\+"):
        rule_named("cfr++")


# Powers


@pytest.mark.parametrize("exponent", [-3, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.3, 4, 5, 27.5, 30 - 5 / 7])
def test_powers_are_those_of_many_digits(exponent):
    with ctx.workprec(300):
        for base in (1.0, 2.0, 0.75, 1 - 1e-6, 7.0, 999.0, 123_456.0):
            exact = arb(base) ** arb(exponent)
            assert abs(arb(power(base, exponent)) / exact - 1) < 1e-14


def test_powers_have_the_same_bits_everywhere():
    assert power(3.0, 4.0) == 81
    assert power(4.0, -1.5) == 1 / 8
    # Decimal arithmetic of 60 digits
    assert power(7.0, 2.3) == 87.8467081635288338
    assert power(0.75, 28.4) == 0.000282969664787355408
