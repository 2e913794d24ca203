"""One hand for people: what is played, what it is worth, and how it is given and saved."""

import csv
import json
from fractions import Fraction

import numpy as np
import pytest

from errai.errors import ErraiError
from errai.jamfold.equities import HANDS
from errai.jamfold.matrix_game import shares
from errai.jamfold.single import COMBOS, solve
from errai.jamfold.strategy_csv import read_chart

PAPER = {"small_blind": 300, "big_blind": 600}
SEATS = pytest.mark.parametrize("seat", ["small", "big"])


@pytest.fixture(scope="module")
def ten():
    return solve(10)


def test_ten_big_blinds(ten):
    assert ten.value == pytest.approx(-0.0453707525928, abs=1e-12)
    assert 0 < ten.ceiling - ten.guarantee < 3e-12
    assert ten.share("jam") == pytest.approx(58.28, abs=0.01)
    assert ten.share("call") == pytest.approx(37.38, abs=0.01)
    assert ten.mixed("jam") == {"43s": pytest.approx(0.7107477, abs=1e-6)}
    assert ten.mixed("call") == {"Q6s": pytest.approx(0.4027792, abs=1e-6)}
    assert ten.limp is None
    assert (ten.jammer, ten.caller, ten.unit) == ("small blind", "big blind", "big blinds")


def test_theorem_1_of_the_paper_mixes_86_offsuit_alone():
    assert list(solve(stacks=(4000, 4000), **PAPER).mixed("jam")) == ["86o"]


@pytest.mark.parametrize(("stack", "of_43s", "of_j2o"), [(1800, 0, 1), (3600, 1, 0)])
def test_figure_7_of_the_paper(stack, of_43s, of_j2o):
    jam = solve(stacks=(stack, stack), **PAPER).jam
    assert (jam["43s"], jam["J2o"]) == (of_43s, of_j2o)


@SEATS
@pytest.mark.parametrize("stack", [1, 3, 10, 25])
def test_the_value_is_that_of_the_best_action_of_every_hand(stack, seat):
    solution = solve(stack, seat=seat)
    best = sum(COMBOS[name] / 1326 * max(solution.ev[name].values()) for name in HANDS)
    assert best == pytest.approx(solution.value, abs=1e-11)


@SEATS
def test_what_is_mixed_is_worth_the_same_either_way(seat):
    solution = solve(10, seat=seat)
    for name, share in solution.jam.items():
        fold, jam = solution.ev[name]["fold"], solution.ev[name]["jam"]
        if 0 < share < 1:
            assert fold == pytest.approx(jam, abs=1e-10)
        else:
            assert (jam > fold) == (share == 1)


def test_the_big_blind_calls_where_it_is_better_than_to_fold(ten):
    for name, share in ten.call.items():
        worth = ten.answer_ev[name]
        assert worth["fold"] == -1
        if 0 < share < 1:
            assert worth["call"] == pytest.approx(-1, abs=1e-10)
        else:
            assert (worth["call"] > -1) == (share == 1)


def test_values_facing_a_jam_make_the_other_side_of_the_value(ten):
    # The big blind wins 1/2 when the small blind folds, and else what his best answer does.
    jam = np.array([ten.jam[name] for name in HANDS])
    faced = jam @ shares().pairs
    dealt = shares().pairs.sum(axis=0)
    answers = np.array([max(ten.answer_ev[name].values()) for name in HANDS])
    assert 0.5 * (dealt - faced).sum() + faced @ answers == pytest.approx(-ten.value, abs=1e-11)


def test_the_big_blind_against_any_small_blind():
    solution = solve(10, seat="big")
    assert solution.value == pytest.approx(-0.2191750046, abs=1e-10)
    assert (solution.jammer, solution.caller) == ("big blind", "small blind")
    assert solution.limp is not None
    for name in HANDS:
        plans = solution.answer_ev[name]
        assert set(plans) == {"fold", "limp_fold", "call"}
        assert plans["fold"] == -0.5
        assert solution.call[name] <= solution.limp[name]
        if solution.call[name] > 0:
            assert plans["call"] == pytest.approx(max(plans.values()), abs=1e-10)
        if solution.limp[name] < 1:
            assert plans["fold"] == pytest.approx(max(plans.values()), abs=1e-10)
    # As the paper notes, it is looser than the small blind's strategy, and the answer in that hand is tighter.
    assert solution.share("jam") > solve(10).share("jam") > solve(10).share("call")


@SEATS
def test_chips_are_big_blinds_times_their_size(seat):
    chips = solve(stacks=(6000, 9000), **PAPER, ante=75, seat=seat)
    blinds = solve(10, ante=Fraction(1, 8), seat=seat)
    assert chips.value == pytest.approx(600 * blinds.value, abs=1e-9)
    assert chips.jam == pytest.approx(blinds.jam, abs=1e-9)
    assert chips.ev["AA"]["jam"] == pytest.approx(600 * blinds.ev["AA"]["jam"], abs=1e-8)
    assert chips.unit == "chips"


@pytest.mark.parametrize("stack", [10.1, "10.1", "101/10", Fraction(101, 10)])
def test_numbers_mean_what_is_written(stack):
    assert solve(stack).hand.stacks == (Fraction(101, 10), Fraction(101, 10))


@pytest.mark.parametrize(
    ("stacks", "seat", "jams", "calls"),
    [
        ((1, 20), "small", False, False),
        ((1, 20), "big", False, False),
        ((2, 20), "small", True, False),
        ((2, 20), "big", False, True),
        ((20, 2), "small", True, False),
        ((20, 1), "big", False, False),
        ((20, 3), "small", True, True),
    ],
)
def test_odd_stacks_say_who_has_nothing_to_decide(stacks, seat, jams, calls):
    solution = solve(stacks=stacks, small_blind=1, big_blind=2, seat=seat)
    assert solution.decides == {"jam": jams, "call": calls}
    assert ("fold" in solution.ev["72o"]) == jams
    assert ("fold" in solution.answer_ev["72o"]) == calls
    for action, decides in solution.decides.items():
        if not decides:
            assert solution.summary(action) == "has nothing to decide"
            assert solution.share(action) == 100
    if not jams and not calls:
        assert solution.value == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "give a stack in big blinds"),
        ({"stack": 10, "stacks": (1, 2)}, "not both"),
        ({"stack": 10, "big_blind": 2}, "blinds of 1/2 and 1"),
        ({"stacks": (10, 10)}, "need a small blind and a big blind"),
        ({"stack": 0}, "the stack of the small blind must be more than 0"),
        ({"stack": -3}, "the stack of the small blind must be more than 0"),
        ({"stack": 10, "ante": -1}, "the ante must be 0 or more"),
        ({"stack": "ten"}, "'ten' is not a number"),
        ({"stack": float("inf")}, "is not a finite number"),
        ({"stack": 10_001}, "at most 10,000 big blinds"),
        ({"stack": 10, "seat": "button"}, "unknown seat 'button'"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments, words):
    with pytest.raises(ErraiError, match=words):
        solve(**arguments)


@SEATS
def test_everything_goes_into_json(seat):
    content = json.loads(json.dumps(solve(10, seat=seat).to_json()))
    assert (content["value_of"], content["unit"]) == (f"{seat} blind", "big blinds")
    assert list(content["jam"]) == list(content["call"]) == list(content["ev"]) == list(HANDS)
    assert ("limp" in content) == (seat == "big")
    low, high = content["bounds"]
    assert low < content["value"] < high
    assert high - low < 3e-12


@SEATS
def test_a_table_is_read_back_as_a_chart(seat, tmp_path):
    solution = solve(10, seat=seat)
    solution.save_csv(tmp_path / "hand.csv")
    own = read_chart(tmp_path / "hand.csv")
    assert own.jam_at(10).tolist() == list(solution.jam.values())
    assert own.call_at(10).tolist() == list(solution.call.values())
    with (tmp_path / "hand.csv").open() as file:
        row = next(row for row in csv.DictReader(file) if row["hand"] == "AKs")
    assert row["combos"] == "4"
    assert float(row["ev_jam"]) == solution.ev["AKs"]["jam"]
    assert float(row["answer_ev_fold"]) == solution.answer_ev["AKs"]["fold"]


def test_the_picture_has_both_grids(ten, tmp_path):
    ten.plot(tmp_path / "hand.svg")
    drawn = (tmp_path / "hand.svg").read_text()
    for text in (
        "The small blind, first to act, jams 58.3% of hands",
        "The big blind, facing the jam, calls with 37.4% of hands",
        "71",
        "40",
    ):
        assert f"<!-- {text} -->" in drawn
    assert drawn.count("<!-- 72o -->") == 2
    with pytest.raises(ErraiError, match="no picture file"):
        ten.plot(tmp_path / "hand.bmp")
