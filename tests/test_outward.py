"""Bounds are rounded outwards: what is printed or saved is still true."""

from fractions import Fraction

import numpy as np
import pytest

from errai.jamfold.proven_bounds import D, proven
from errai.jamfold.single import solve
from errai.outward import above, below, outward, outward_figures, percent, rounded_down, rounded_up
from errai.views.jamfold import hand_rows


def test_floats_lie_on_their_side_of_a_fraction():
    random = np.random.default_rng(1)
    for _ in range(2000):
        number = Fraction(int(random.integers(-(10**15), 10**15)), int(random.integers(1, 10**15)))
        assert below(number) <= number <= above(number)
        assert above(number) - below(number) <= np.spacing(abs(float(number)))
    assert below(Fraction(1, 2)) == above(Fraction(1, 2)) == 0.5


@pytest.mark.parametrize(
    ("low", "high", "places", "shown"),
    [
        (-0.04537, -0.04536, 3, ("-0.046", "-0.045")),
        (0.1, 0.1, 1, ("0.1", "0.2")),  # the float 0.1 is a little more than a tenth
        (0.5, 0.5, 1, ("0.5", "0.5")),
        (-1e-15, 1e-15, 2, ("-0.01", "0.01")),
        (0.0, 0.0, 2, ("0.00", "0.00")),
        (2.0, 1.0, 0, ("1", "2")),  # turned round by rounding
        (1e20, 1e20, 1, ("100000000000000000000.0", "100000000000000000000.0")),
    ],
)
def test_text_is_rounded_outwards(low, high, places, shown):
    assert outward(low, high, places) == shown


def test_text_lies_on_its_side_of_a_float():
    random = np.random.default_rng(2)
    for number in random.normal(size=500) * 10.0 ** random.integers(-8, 8, 500):
        for places in (0, 4, 9):
            assert Fraction(rounded_down(number, places)) <= Fraction(float(number))
            assert Fraction(rounded_up(number, places)) >= Fraction(float(number))
    assert outward_figures(-85.70311, -85.70309) == ("-85.71", "-85.70")
    assert rounded_up(percent(0.25), 4) == "25.0000"


def test_numerators_over_d_become_floats_that_are_no_larger():
    numerators = np.random.default_rng(3).integers(0, D, 1000)
    for numerator, bound in zip(numerators.tolist(), proven(numerators), strict=True):
        assert Fraction(float(bound)) <= Fraction(numerator, D)
    assert proven(np.array([0, D])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("seat", ["small", "big"])
def test_bounds_of_a_hand_are_in_order_at_every_stack(seat):
    for tenths in (*range(3, 60, 3), 100, 101, 137, 200, 999, 10_000):
        solution = solve(Fraction(tenths, 10), seat=seat)
        low, high = solution.to_json()["bounds"]
        assert low < solution.value < high
        shown = dict(hand_rows(solution, 0.0)[1:2])[""]
        words = shown.split()
        assert Fraction(words[2]) <= Fraction(low) < Fraction(high) <= Fraction(words[4])
