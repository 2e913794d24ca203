"""Games built node by node: what they hold, and what they refuse."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from errai.errors import ErraiError
from errai.sequence import GameBuilder
from errai.sequence.builder import number
from errai.sequence.tree import CHANCE, END
from tests.sequence.trees import children, matching_pennies, random_games

some = settings(max_examples=100, deadline=None, derandomize=True)


def test_matching_pennies_in_a_few_lines():
    game = matching_pennies()
    assert (game.nodes, game.information_sets) == (7, 2)
    assert game.players == ("rows", "columns")
    assert game.actions(1) == ("column 0", "column 1")
    assert game.path(4) == ("row 0", "column 1")
    assert game.exact


@some
@given(random_games())
def test_parents_come_before_children_which_lie_side_by_side(game):
    seen = np.zeros(game.nodes, int)
    for node in range(game.nodes):
        for child in children(game, node):
            assert child > node
            assert game.parent[child] == node
            seen[child] += 1
    assert seen[0] == 0
    assert (seen[1:] == 1).all()
    assert sorted(game.preorder()) == list(range(game.nodes))


@some
@given(random_games())
def test_a_sequence_is_the_players_own_past(game):
    for node in range(game.nodes):
        past = {0: 0, 1: 0}
        at = node
        while at:
            before = int(game.parent[at])
            owner = int(game.player[before])
            if owner in past and past[owner] == 0:
                first = game.sequences.first[game.information_set[before]]
                past[owner] = int(first + at - game.first_child[before])
            at = before
        assert [int(game.sequences.at[seat][node]) for seat in (0, 1)] == [past[0], past[1]]


@some
@given(random_games())
def test_information_sets_are_numbered_by_their_first_nodes_and_parents_come_first(game):
    assert (np.diff(game.set_node) > 0).all()
    for which in range(game.information_sets):
        nodes = np.flatnonzero(game.information_set == which)
        assert game.set_node[which] == nodes[0]
        assert (game.player[nodes] == game.set_player[which]).all()
        assert game.sequences.parent[which] < game.sequences.first[which]


def test_constant_sums_are_shifted_to_zero():
    build = GameBuilder("a pie")
    win, lose = build.decision(0, 0, "cut", ("well", "badly"))
    build.end(win, Fraction(3, 4), Fraction(1, 4))
    build.end(lose, 0, 1)
    game = build.build()
    assert game.shift == Fraction(1, 2)
    assert [game.payoffs[code] for code in game.payoff[1:]] == [Fraction(1, 4), Fraction(-1, 2)]


@pytest.mark.parametrize(
    ("given", "fraction"),
    [
        (3, Fraction(3)),
        ("1/3", Fraction(1, 3)),
        (1 / 3, Fraction(1, 3)),
        (0.1, Fraction(1, 10)),
        (-2.5, Fraction(-5, 2)),
        ("0.125", Fraction(1, 8)),
    ],
)
def test_numbers_become_the_fractions_they_stand_for(given, fraction):
    assert number(given) == fraction
    assert isinstance(number(given), Fraction)


def test_a_float_without_a_simple_fraction_stays_a_float():
    assert isinstance(number(2**0.5), float)


def test_probabilities_that_are_only_known_as_floats_make_a_game_inexact():
    build = GameBuilder("floats")
    p = 2**0.5 / 2
    for place in build.chance(0, {"a": p, "b": 1 - p}):
        build.end(place, 1)
    assert not build.build().exact


def refused(build: GameBuilder, *words: str) -> None:
    with pytest.raises(ErraiError) as error:
        build.build()
    for word in words:
        assert word in str(error.value)


def test_an_open_place_is_named():
    build = GameBuilder("open")
    left, _ = build.decision(0, 0, "root", ("left", "right"))
    build.end(left, 1)
    refused(build, "node 2 (after right)", "open")


def test_forgetting_ones_own_action_is_refused_by_name():
    build = GameBuilder("forgetful", ("Ann", "Bob"))
    for place in build.decision(0, 0, "first", ("left", "right")):
        for end in build.decision(place, 0, "second", ("up", "down")):
            build.end(end, 1)
    refused(
        build, "'second' of Ann lacks perfect recall", "the player's 'left' at 'first'", "'right' at 'first'"
    )


def test_the_absent_minded_driver_is_refused():
    build = GameBuilder("driver")
    leave, go = build.decision(0, 0, "crossing", ("leave", "go"))
    build.end(leave, 0)
    for end in build.decision(go, 0, "crossing", ("leave", "go")):
        build.end(end, 4)
    refused(build, "'crossing'", "perfect recall")


def test_forgetting_what_one_knew_is_refused():
    build = GameBuilder("amnesia", ("Ann", "Bob"))
    for branch, place in zip("xy", build.chance(0, {"x": "1/2", "y": "1/2"}), strict=True):
        for end in build.decision(place, 0, f"saw {branch}", ("on",)):
            for last in build.decision(end, 0, "forgot", ("a", "b")):
                build.end(last, 1)
    refused(build, "'forgot' of Ann", "'saw x'", "'saw y'")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda b: b.chance(0, {"a": "1/3", "b": "1/3"}), "the root): the probabilities of chance add up to 2/3"),
        (lambda b: b.chance(0, {"a": 2, "b": -1}), "a probability cannot be -1"),
        (lambda b: b.chance(0, {"a": 0.3, "b": 0.6}), "not to 1"),
        (lambda b: b.chance(0, {}), "at least one branch"),
        (lambda b: b.decision(0, 0, "x", ()), "a decision needs actions, each with a name"),
        (lambda b: b.decision(0, 0, "x", ("a", "")), "each with a name"),
        (lambda b: b.decision(0, 0, "x", ("a", "a")), "same name: a, a"),
        (lambda b: b.decision(0, 2, "x", ("a",)), "player 2 is neither 0 nor 1"),
        (lambda b: b.end(7, 1), "there is no place 7"),
        (lambda b: b.end(0, "many"), "'many' is not a number"),
        (lambda b: b.end(0, float("nan")), "finite"),
    ],
)  # fmt: skip
def test_a_wrong_node_is_refused(wrong, words):
    with pytest.raises(ErraiError) as error:
        wrong(GameBuilder("wrong"))
    assert words in str(error.value)


def test_a_place_is_filled_once():
    build = GameBuilder("twice")
    build.end(0, 1)
    with pytest.raises(ErraiError, match="filled already"):
        build.end(0, 1)


def test_one_information_set_has_one_list_of_actions():
    build = GameBuilder("lists", ("Ann", "Bob"))
    left, right = build.chance(0, {"l": 0.5, "r": 0.5})
    build.decision(left, 1, "blind", ("a", "b"))
    with pytest.raises(ErraiError) as error:
        build.decision(right, 1, "blind", ("a", "c"))
    assert "information set 'blind' of Bob has the actions a, b, but at node 2 (after r) a, c" in str(
        error.value
    )


def test_general_sums_are_refused_by_node():
    build = GameBuilder("battle of the sexes")
    left, right = build.decision(0, 0, "x", ("a", "b"))
    build.end(left, 2, 1)
    with pytest.raises(
        ErraiError, match=r"general-sum.*node 2 \(after b\) add up to 4.*node 1 \(after a\) to 3"
    ):
        build.end(right, 2, 2)


def test_three_players_are_refused():
    with pytest.raises(ErraiError, match="3 players; Errai solves games of two"):
        GameBuilder("three", ("a", "b", "c"))


def test_kinds_of_nodes():
    game = matching_pennies()
    assert list(game.player) == [0, 1, 1, END, END, END, END]
    assert CHANCE not in game.player
