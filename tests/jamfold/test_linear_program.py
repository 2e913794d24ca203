"""The best jam/fold strategies: proven from both sides, and those that the tournament paper prints."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from errai.jamfold.equities import HANDS
from errai.jamfold.hand import Hand
from errai.jamfold.linear_program import Solver
from errai.jamfold.matrix_game import CALL, MatrixGame, big_blinds_hand, small_blinds_hand
from errai.papers.tournament_page import FIGURE_5, mixed_hands
from tests.jamfold.test_matrix_game import SHAPES, naive_ceiling, naive_guarantee, random_matrix_game


def equal_stacks(stack, ante=0):
    return Hand((Fraction(stack), Fraction(stack)), Fraction(1, 2), Fraction(1), Fraction(ante))


def test_figure_5_of_the_paper():
    assert len(FIGURE_5) == 53
    assert mixed_hands() == FIGURE_5


@pytest.mark.parametrize("shape", SHAPES)
def test_random_payoffs_are_solved_and_proven(shape):
    random = Random(f"solved {shape}")
    solver = Solver()
    for _ in range(3):
        game = random_matrix_game(shape, random)
        found = solver(game)
        assert -1e-13 < found.ceiling - found.guarantee < 1e-12
    assert found.guarantee == pytest.approx(naive_guarantee(game, found.jam.tolist()), abs=1e-13)
    assert found.ceiling == pytest.approx(naive_ceiling(game, found.answer), abs=1e-13)
    assert np.allclose(sum(found.answer.values()), 1.0, atol=1e-12)


def test_hands_of_all_sizes_are_proven():
    random = Random(8)
    solver = Solver()
    for _ in range(25):
        big = Fraction(random.choice([1, 2, 20, 600]))
        stacks = tuple(Fraction(random.randint(1, 3000)) * big / 100 for _ in range(2))
        ante = big * random.choice([Fraction(0), Fraction(1, 8), Fraction(1, 2)])
        hand = Hand(stacks, big * random.choice([Fraction(1, 2), Fraction(1, 3)]), big, ante)
        for game in (small_blinds_hand, big_blinds_hand):
            found = solver(game(hand, float))
            assert abs(found.ceiling - found.guarantee) < 1e-12 * float(hand.effective)


def test_where_everything_is_forced_nobody_is_ahead():
    for stack in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        for game in (small_blinds_hand, big_blinds_hand):
            found = Solver()(game(equal_stacks(stack), float))
            assert found.value == pytest.approx(0, abs=1e-14)
            assert (found.jam == 1).all()
            assert (found.answer[CALL] == 1).all()


def test_the_small_blinds_value_rises_and_falls_with_the_stack():
    solver = Solver()
    stacks = [
        Fraction(3, 2),
        Fraction(2),
        Fraction(5, 2),
        Fraction(3),
        Fraction(4),
        Fraction(5),
        Fraction(6),
        Fraction(7),
        Fraction(8),
        Fraction(10),
        Fraction(12),
        Fraction(15),
        Fraction(20),
        Fraction(25),
    ]
    values = [solver(small_blinds_hand(equal_stacks(stack), float)).value for stack in stacks]
    best = int(np.argmax(values))
    assert stacks[best] == 4
    rises = [later > earlier for earlier, later in pairwise(values)]
    assert rises == [True] * best + [False] * (len(rises) - best)
    assert values[0] > 0 > values[stacks.index(10)] > -0.5


def test_two_restricted_players_cannot_both_win():
    # Each value is a guarantee against an unrestricted player, so together they are at most 0.
    for stack in (Fraction(3, 2), Fraction(4), Fraction(10), Fraction(25)):
        small, big = (
            Solver()(game(equal_stacks(stack), float)).value for game in (small_blinds_hand, big_blinds_hand)
        )
        assert small + big < 1e-14


def test_very_deep_only_aces_are_jammed():
    # The value that the paper's conclusion gives for blinds of 1 and 2.
    found = Solver()(
        small_blinds_hand(Hand((Fraction(10_000), Fraction(10_000)), Fraction(1), Fraction(2)), float)
    )
    assert [HANDS[a] for a in np.flatnonzero(found.jam)] == ["AA"]
    assert found.value == pytest.approx(-1 + 3673 / 270725, abs=1e-12)


def test_a_solver_that_has_seen_other_hands_finds_the_same():
    solver = Solver()
    for stack in (25, 2, 13):
        solver(small_blinds_hand(equal_stacks(stack), float))
        solver(big_blinds_hand(equal_stacks(stack), float))
    for game in (small_blinds_hand, big_blinds_hand):
        game: MatrixGame[float] = game(equal_stacks(7), float)
        assert solver(game).value == pytest.approx(Solver()(game).value, abs=1e-14)
