"""Aces only, with stacks without bound: what the paper's section 4 says, and where it can say more."""

from fractions import Fraction

import pytest
from flint import fmpq

from errai.jamfold.aces import BIG_BLIND, SMALL_BLIND, aces_only
from errai.jamfold.equities import CLASSES, PAIRS, class_number, equities
from errai.jamfold.hand import Hand
from errai.jamfold.matrix_game import big_blinds_hand, small_blinds_hand
from errai.jamfold.prove import ExactRules, prove

ACES = [fmpq(a == class_number("AA")) for a in range(CLASSES)]


def both_with(stack):
    return Hand((stack, stack), SMALL_BLIND, BIG_BLIND)


def guarantee(stack, big_blind):
    game = (big_blinds_hand if big_blind else small_blinds_hand)(both_with(stack), lambda chips: chips)
    sure = ExactRules.of(game).guarantee(ACES)
    return Fraction(int(sure.p), int(sure.q))


def test_the_small_blind_is_sure_of_what_the_paper_prints():
    assert aces_only().guarantee == -1 + Fraction(3673, 270725)


def test_the_big_blind_is_sure_of_more_than_the_paper_prints():
    assert aces_only(big_blind=True).guarantee == -2 + Fraction(4898, 270725)


def test_the_printed_figure_is_that_against_a_small_blind_who_sees_the_cards():
    counts, aces = equities(), class_number("AA")
    with_aces, both = int(counts.pairs[aces].sum()), int(counts.pairs[aces, aces])
    # He folds to aces, unless he has aces too, and calls otherwise.
    seen = Fraction(-2 * (PAIRS - with_aces) + 1 * (with_aces - both), PAIRS)
    assert seen == -2 + Fraction(3674, 270725)
    assert seen < aces_only(big_blind=True).guarantee


@pytest.mark.parametrize("big_blind", [False, True])
def test_the_guarantee_holds_from_a_stack_on_and_for_the_paper_s_10_to_the_100(big_blind):
    aces = aces_only(big_blind)
    for stack in (aces.holds_from, aces.holds_from + 1, Fraction(10**100)):
        assert guarantee(stack, big_blind) == aces.guarantee
    assert guarantee(aces.holds_from - Fraction(1, 1000), big_blind) < aces.guarantee


@pytest.mark.parametrize("big_blind", [False, True])
def test_aces_alone_are_optimal_from_a_stack_on(big_blind):
    aces = aces_only(big_blind)
    before, there, after = (prove(both_with(aces.optimal_from + change), big_blind) for change in (-1, 0, 1))
    assert before.must_jam == ("AA", "ATs")
    assert (there.must_jam, there.undecided) == (("AA",), ("ATs",))
    assert (after.must_jam, after.undecided) == (("AA",), ())
    assert str(there.value) == str(after.value) == str(aces.guarantee)
    assert before.value > after.value


def test_that_takes_hundreds_of_big_blinds():
    assert round(float(aces_only().optimal_from / BIG_BLIND), 2) == 833.93
    assert round(float(aces_only(big_blind=True).optimal_from / BIG_BLIND), 2) == 1112.36
