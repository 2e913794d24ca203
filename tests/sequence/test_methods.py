"""All methods on games whose values are known."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errai
from errai.errors import ErraiError, StoppedError
from errai.sequence import GameBuilder, extensive_game, normal_form, profile_of_table, sequence_form, solve
from errai.sequence.export import export_csv, export_json
from errai.sequence.methods import METHODS
from errai.sequence.normal import pure_strategies
from errai.strategy.export import rows
from tests.games_strategies import small_games
from tests.monitors import StopAfter
from tests.sequence import trees

few = settings(max_examples=30, deadline=None, derandomize=True)
LINEAR = ("lp", "exact", "normal-form")


@pytest.mark.parametrize("method", LINEAR)
def test_kuhn_is_worth_minus_one_eighteenth(method):
    solution = solve("kuhn", method)
    assert solution.value[0] == pytest.approx(-1 / 18, abs=1e-12)
    assert solution.exploitability == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("method", [*LINEAR, "cfr+", "dcfr", "pcfr+"])
def test_the_family_of_optimal_strategies_of_kuhn(method):
    """Player 1 bets the king three times as often as he bluffs the jack, and calls with the queen 1/3 more often."""
    limits = {} if method in LINEAR else {"iterations": 20_000}
    solution = solve("kuhn", method, **limits)
    near = 1e-9 if method in LINEAR else 2e-3
    bet = {card: solution.profile.probabilities(0, f"0::{card}|")["r"] for card in ("2c", "3c", "4c")}
    call = {card: solution.profile.probabilities(0, f"0:cr:{card}|")["c"] for card in ("2c", "3c", "4c")}
    alpha = bet["2c"]
    assert 0 <= alpha <= 1 / 3 + near
    assert bet["4c"] == pytest.approx(3 * alpha, abs=3 * near)
    assert bet["3c"] == pytest.approx(0, abs=near)
    assert call["3c"] == pytest.approx(alpha + 1 / 3, abs=2 * near)
    assert call["2c"] == pytest.approx(0, abs=near)
    assert call["4c"] == pytest.approx(1, abs=near)
    # Player 2's strategy is the only one.
    reply = solution.profile.probabilities
    assert reply(1, "1:r:3c|")["c"] == pytest.approx(1 / 3, abs=near)
    assert reply(1, "1:c:2c|")["r"] == pytest.approx(1 / 3, abs=near)
    assert reply(1, "1:c:3c|")["r"] == pytest.approx(0, abs=near)
    assert reply(1, "1:c:4c|")["r"] == pytest.approx(1, abs=near)


def test_kuhn_in_normal_form_is_27_by_64():
    form = sequence_form(extensive_game("kuhn"))
    normal = normal_form(form)
    assert normal.payoff.shape == (27, 64)
    assert [pure_strategies(form.sets[seat], form.sequences[seat]) for seat in (0, 1)] == [27, 64]
    x = np.full(27, 1 / 27)
    # A mixture of pure strategies wins what its plan wins.
    assert x @ normal.payoff == pytest.approx(
        x @ normal.pure[0] @ form.payoff.dense() @ normal.pure[1].T, abs=1e-12
    )


def test_leduc_by_lp_and_by_cfr():
    assert solve("leduc", "lp").value[0] == pytest.approx(-0.085606424078, abs=1e-11)
    solution = solve("leduc", "pdcfr+", iterations=30_000)
    assert solution.value[0] == pytest.approx(-0.085606424078, abs=1e-9)
    low, high = solution.bounds
    assert low <= -0.085606424078 <= high


def agree(rules, result) -> None:
    """The engine's strategy is worth the same to the sequence form, and brackets the exact value."""
    tables: tuple[dict, dict] = ({}, {})
    for row in rows(result.strategy):
        tables[row.seat][row.key] = row.probabilities
    evaluation = profile_of_table(sequence_form(extensive_game(rules)), tables).evaluate()
    assert evaluation.value == pytest.approx(result.value, abs=1e-9)
    assert evaluation.best_response == pytest.approx(result.best_response, abs=1e-9)
    exact = solve(rules, "exact").value[0]
    low, high = result.bounds
    assert low - 1e-9 <= exact <= high + 1e-9
    assert solve(rules, "lp").value[0] == pytest.approx(exact, abs=1e-9)


@few
@given(small_games(2_000))
def test_engine_and_sequence_form_agree_on_random_poker_games(rules):
    agree(rules, errai.solve(rules, iterations=300, precision="float64", threads=1, isomorphism=False))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_engine_and_sequence_form_agree_on_kuhn_and_leduc(name):
    result = errai.solve(name, method="pdcfr+", iterations=30_000, precision="float64", isomorphism=False)
    agree(name, result)
    assert result.value[0] == pytest.approx(solve(name, "exact").value[0], abs=1e-9)


ROCK = [[0, -1, 3], [1, 0, -2], [-3, 2, 0]]  # rock, paper, scissors, with odd payoffs


@pytest.mark.parametrize("method", [*LINEAR, "cfr+"])
def test_rock_paper_scissors_with_odd_payoffs(method):
    """A skew-symmetric game is worth nothing; each thing is played as often as the other two decide (2, 3, 1)."""
    limits = {} if method in LINEAR else {"iterations": 50_000}
    solution = solve(trees.matrix_game(ROCK), method, **limits)
    assert solution.value[0] == pytest.approx(0, abs=1e-4)
    for player, name in ((0, "row"), (1, "column")):
        shares = list(solution.profile.probabilities(player, name).values())
        assert shares == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=2e-3)


@pytest.mark.parametrize("method", METHODS)
def test_matching_pennies(method):
    limits = {} if method in LINEAR else {"iterations": 1_000}
    solution = solve(trees.matching_pennies(), method, **limits)
    assert solution.value[0] == pytest.approx(0, abs=1e-9)
    assert solution.profile.probabilities(0, "row")["row 0"] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("method", LINEAR)
def test_a_degenerate_program(method):
    """Rows that repeat each other and a column that is never needed: many bases, one value."""
    payoffs = [
        [1, -1, 0, 5],
        [-1, 1, 0, 5],
        [1, -1, 0, 5],
        [0, 0, 0, 5],
        [Fraction(1, 2), Fraction(-1, 2), 0, 5],
    ]
    solution = solve(trees.matrix_game(payoffs), method)
    assert solution.value[0] == pytest.approx(0, abs=1e-12)
    assert solution.exploitability == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("method", [*LINEAR, "cfr+"])
def test_a_branch_that_chance_never_takes(method):
    build = GameBuilder("never")
    for branch, place in zip((0, 1), build.chance(0, {"never": 0, "always": 1}), strict=True):
        for row, after in zip((1, -1), build.decision(place, 0, f"saw {branch}", ("a", "b")), strict=True):
            for column, end in zip(
                (1, -1), build.decision(after, 1, f"saw {branch}", ("a", "b")), strict=True
            ):
                build.end(end, row * column + 1000 * (branch == 0))
    solution = solve(build.build(), method, **({} if method in LINEAR else {"iterations": 100}))
    assert solution.value[0] == pytest.approx(0, abs=1e-9)
    assert sum(solution.profile.probabilities(0, "saw 0").values()) == pytest.approx(1)


@few
@given(trees.random_games(), st.sampled_from(["lp", "normal-form", "exact"]))
def test_methods_agree_on_random_games(game, method):
    form = sequence_form(game)
    if np.prod([pure_strategies(form.sets[seat], form.sequences[seat]) for seat in (0, 1)]) > 50_000:
        method = "lp"
    solution = solve(game, method)
    assert solution.exploitability < 1e-9
    assert solution.value[0] == pytest.approx(solve(game, "exact").value[0], abs=1e-9)


def test_a_constant_sum_is_reported_in_its_own_payoffs():
    build = GameBuilder("who wins", ("Ann", "Bob"))
    for row, place in enumerate(build.decision(0, 0, "a", ("x", "y"))):
        for column, end in enumerate(build.decision(place, 1, "b", ("x", "y"))):
            build.end(end, *((1, 0) if row == column else (0, 1)))
    for method in (*LINEAR, "cfr+"):
        solution = solve(build.build(), method, **({} if method in LINEAR else {"iterations": 10}))
        assert solution.value == pytest.approx((0.5, 0.5))
        assert solution.bounds == pytest.approx((0.5, 0.5))
        assert solution.best_response == pytest.approx((0.5, 0.5))
        assert solution.exploitability == pytest.approx(0)


def test_a_game_with_one_player_only():
    build = GameBuilder("alone")
    for payoff, end in enumerate(build.decision(0, 1, "only", ("a", "b", "c"))):
        build.end(end, payoff - 1)
    for method in (*LINEAR, "dcfr"):
        solution = solve(build.build(), method, **({} if method in LINEAR else {"target": 1}))
        assert solution.value[0] == pytest.approx(-1, abs=2e-3)


def test_the_default_is_lp_for_small_games_and_cfr_with_limits():
    assert solve("kuhn").method == "lp"
    assert solve("kuhn", iterations=10).method == "sdcfr"
    assert solve("kuhn", strategy="current", iterations=10).method == "cfr+"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("kuhn", "magic"), "unknown method 'magic': choose one of lp, exact, normal-form, cfr, cfr\\+"),
        (
            ("leduc", "normal-form"),
            "leduc has .* x .* pure strategies; normal-form is for up to 4,000,000 pairs",
        ),
        (("holdem", "lp"), "holdem has .* nodes"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments, words):
    with pytest.raises(ErraiError, match=words):
        solve(*arguments)


def test_limits_are_not_for_linear_programs():
    with pytest.raises(ErraiError, match="lp ends by itself"):
        solve("kuhn", "lp", iterations=10)


def test_too_many_entries_name_a_method_that_would_do(monkeypatch):
    from errai.sequence import methods

    monkeypatch.setattr(methods, "MOST_ENTRIES", {"lp": 1000, "exact": 100})
    with pytest.raises(
        ErraiError, match=r'leduc has 4,920 payoff .*; lp is for up to 1,000, method="cfr\+" would do'
    ):
        solve("leduc", "lp")
    monkeypatch.setattr(methods, "MOST_ENTRIES", {"lp": 10_000, "exact": 100})
    with pytest.raises(ErraiError, match=r'exact is for up to 100, method="lp" or method="cfr\+" would do'):
        solve("leduc", "exact")


def test_a_status_other_than_optimal_is_an_error_in_the_words_of_highs():
    from errai.sequence.form import SparseMatrix
    from errai.sequence.program import Program, optimum

    # x[0] = 1 and -x[0] >= 0 contradict each other.
    matrix = SparseMatrix(np.array([0, 1, 2]), np.array([0, 0], np.int32), np.array([1.0, -1.0]), (2, 2))
    with pytest.raises(ErraiError, match="HiGHS could not solve the linear program: it says 'Infeasible'"):
        optimum(Program(matrix, plans=1, equations=1))


def test_a_monitor_stops_the_linear_program():
    with pytest.raises(StoppedError, match="nothing was saved"):
        solve("leduc", "lp", monitor=StopAfter(0))


def test_tables_keyed_by_information_set(tmp_path):
    import csv
    import json

    profile = solve(trees.matrix_game(ROCK), "exact").profile
    export_csv(profile, tmp_path / "s.csv")
    export_json(profile, tmp_path / "s.json")
    with (tmp_path / "s.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [line["action"] for line in lines[:3]] == ["row 0", "row 1", "row 2"]
    assert float(lines[1]["probability"]) == pytest.approx(0.5)
    content = json.loads((tmp_path / "s.json").read_text())
    assert content["players"] == ["rows", "columns"]
    assert content["strategies"][1]["column"]["column 2"] == pytest.approx(1 / 6)
