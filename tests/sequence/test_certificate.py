"""Certificates: what they prove, and that nothing false passes."""

import json
import random
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given, settings

from errai.errors import ErraiError
from errai.files.seal import sealed
from errai.sequence import GameBuilder, extensive_game, load_certificate, solve
from tests.sequence import trees
from tests.sequence.textbook import FOLDER, TEXTBOOK

some = settings(max_examples=40, deadline=None, derandomize=True)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_games_have_their_known_values_exactly(name, tmp_path):
    value = TEXTBOOK[name].value
    solution = solve(FOLDER / name, "exact", out=tmp_path)
    assert str(solution.certificate.value) == str(value)
    proof = load_certificate(tmp_path)
    assert str(proof.value) == str(value)
    proof.verify()
    assert solve(FOLDER / name, "lp").value[0] == pytest.approx(float(value), abs=1e-9)
    assert solve(FOLDER / name, "cfr+", iterations=3_000).value[0] == pytest.approx(float(value), abs=0.02)


def test_leduc_to_the_last_digit(tmp_path):
    solve("leduc", "exact", out=tmp_path)
    proof = load_certificate(tmp_path)
    proof.verify()
    assert str(proof.value) == "-1454920850547486749701863871533/16995463438839962469905132501930"
    # The same proof holds for the game as OpenSpiel tells it, only the names differ: so does the value.
    assert solve("openspiel:leduc_poker", "exact").certificate.value == proof.value


@pytest.mark.slow
def test_liars_dice_is_worth_minus_7_258ths():
    solution = solve("openspiel:liars_dice", "exact")
    assert solution.certificate.value == fmpq(-7, 258)
    assert solution.value[0] == pytest.approx(-0.027131782945736, abs=1e-15)


@some
@given(trees.random_games(40))
def test_the_exact_value_is_what_brute_force_says_of_both_strategies(game):
    proof = solve(game, "exact").certificate
    proof.verify()
    tables = [
        {
            which: [
                Fraction(str(number)) for number in proof.strategies[seat][game.set_names[which]].values()
            ]
            for which in trees.own_sets(game, seat)
        }
        for seat in (0, 1)
    ]
    assert str(trees.value(game, tuple(tables))) == str(proof.value)


def test_a_constant_sum_is_certified_in_its_own_payoffs(tmp_path):
    build = GameBuilder("who wins", ("Ann", "Bob"))
    for row, place in enumerate(build.decision(0, 0, "a", ("x", "y"))):
        for column, end in enumerate(build.decision(place, 1, "b", ("x", "y"))):
            build.end(end, *((1, 0) if row == column else (0, 1)))
    solve(build.build(), "exact", out=tmp_path)
    proof = load_certificate(tmp_path)
    proof.verify()
    assert proof.value == fmpq(1, 2)


def test_a_game_without_fractions_cannot_be_certified():
    with pytest.raises(ErraiError, match="not known as fractions"):
        solve(trees.matrix_game([[2**0.5, 0], [0, 1]]), "exact")


@pytest.fixture
def saved(tmp_path):
    solve("kuhn", "exact", out=tmp_path)
    path = tmp_path / "certificate.json"
    return path, json.loads(path.read_text())


CALL = "0:cr:3c|"


def _another_value(content):
    content["value"] = "-1/17"


def _a_better_value(content):
    content["value"] = "0"


def _another_strategy(content):
    content["strategies"][0][CALL] = {"f": "1/2", "c": "1/2"}


def _no_probabilities(content):
    content["strategies"][0][CALL] = {"f": "2/3", "c": "2/3"}


def _below_zero(content):
    content["strategies"][0][CALL] = {"f": "4/3", "c": "-1/3"}


def _a_set_too_few(content):
    del content["strategies"][1]["1:c:2c|"]


def _a_set_too_many(content):
    content["strategies"][1]["1:c:9c|"] = {"c": "1"}


def _another_action(content):
    content["strategies"][1]["1:c:2c|"] = {"c": "1", "f": "0"}


def _a_worse_response(content):
    content["best_responses"][0]["0:cr:4c|"] = "f"


def _a_response_that_is_no_action(content):
    content["best_responses"][0]["0:cr:4c|"] = "r"


def _another_game(content):
    content["game"]["rules"] = content["game"]["rules"].replace("raiseSize = 1", "raiseSize = 2")


def _no_fraction(content):
    content["value"] = "a half"


def _division_by_zero(content):
    content["value"] = "1/0"


def _nothing(content):
    del content["strategies"]


def _another_version(content):
    content["version"] = 99


def _another_format(content):
    content["format"] = "errai strategy"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_another_value, "does not hold: against the strategy of seat 1, seat 0 can win -1/18"),
        (_a_better_value, "does not hold"),
        (_another_strategy, "does not hold: against the strategy of seat 0, seat 1 can win"),
        (
            _no_probabilities,
            "probabilities at information set '0:cr:3c|' of seat 0 are not probabilities: 2/3, 2/3",
        ),
        (_below_zero, "are not probabilities"),
        (_a_set_too_few, "information set '1:c:2c|' of seat 1 is missing"),
        (_a_set_too_many, "seat 1 has no information set '1:c:9c|'"),
        (_another_action, "information set '1:c:2c|' of seat 1 has the actions c, r"),
        (_a_worse_response, "the best response listed for seat 0 does not win -1/18"),
        (_a_response_that_is_no_action, "does not say which of f, c to choose at information set '0:cr:4c|'"),
        (_another_game, "does not hold"),
        (_no_fraction, "is damaged"),
        (_division_by_zero, "is damaged"),
        (_nothing, "'strategies' is missing"),
        (_another_version, "has format version 99"),
        (_another_format, "is not a certificate"),
    ],
)
def test_nothing_false_passes(saved, change, words):
    path, content = saved
    change(content)
    path.write_text(json.dumps(sealed(content)))
    with pytest.raises(ErraiError) as error:
        load_certificate(path).verify()
    assert words in str(error.value)


def test_a_certificate_can_be_checked_for_a_game_of_ones_own(saved):
    path, _ = saved
    load_certificate(path, extensive_game("kuhn")).verify()
    with pytest.raises(ErraiError, match="does not fit the game"):
        load_certificate(path, extensive_game("leduc")).verify()


def test_what_is_no_certificate(tmp_path):
    with pytest.raises(ErraiError, match="no such file"):
        load_certificate(tmp_path / "nothing.json")
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(ErraiError, match="it is not JSON"):
        load_certificate(tmp_path / "x.json")


def test_fractions_of_thousands_of_digits_are_written_and_read(tmp_path):
    dice = random.Random(3)
    payoffs = [
        [dice.randint(1, 9) * (i == j) + Fraction(1, dice.randint(1, 10**900)) for j in range(7)]
        for i in range(7)
    ]
    solve(trees.matrix_game(payoffs), "exact", out=tmp_path)
    proof = load_certificate(tmp_path)
    proof.verify()
    assert len(str(proof.value)) > 2 * 4300


def test_a_title_that_is_no_text_is_damage(tmp_path):
    solve("kuhn", "exact", out=tmp_path)
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sealed({**json.loads(path.read_text()), "title": 7})))
    with pytest.raises(ErraiError, match="its title is no text"):
        load_certificate(path)
