"""What stacks and blinds leave to decide."""

from fractions import Fraction

import pytest

from errai.errors import ErraiError
from errai.jamfold.hand import Hand
from errai.jamfold.matrix_game import big_blinds_hand, small_blinds_hand

HALF = Fraction(1, 2)

# Blinds 1 and 2. stacks, ante -> posted, effective, whether the small and the big blind decide
CASES = {
    "both deep": ((20, 20), 0, (1, 2), 20, True, True),
    "the small blind is short": ((3, 20), 0, (1, 2), 3, True, True),
    "the small blind has one big blind": ((2, 20), 0, (1, 2), 2, True, False),
    "the small blind has one small blind": ((1, 20), 0, (1, 2), 1, False, False),
    "the small blind has less than that": ((HALF, 20), 0, (HALF, 2), HALF, False, False),
    "the big blind is short": ((20, 3), 0, (1, 2), 3, True, True),
    "the big blind is all in by posting": ((20, 2), 0, (1, 2), 2, True, False),
    "the big blind cannot post all of it": (
        (20, Fraction(3, 2)),
        0,
        (1, Fraction(3, 2)),
        Fraction(3, 2),
        True,
        False,
    ),
    "the big blind has no more than the small blind": ((20, 1), 0, (1, 1), 1, False, False),
    "the big blind has less than the small blind": ((20, HALF), 0, (1, HALF), HALF, False, False),
    "both have one big blind": ((2, 2), 0, (1, 2), 2, True, False),
    "an ante": ((20, 20), 1, (2, 3), 20, True, True),
    "ante and small blind are all he has": ((2, 20), 1, (2, 3), 2, False, False),
    "an ante makes the big blind all in": (
        (20, Fraction(5, 2)),
        1,
        (2, Fraction(5, 2)),
        Fraction(5, 2),
        True,
        False,
    ),
    "the ante alone is too much": ((HALF, HALF), 1, (HALF, HALF), HALF, False, False),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_is_left_to_decide(case):
    stacks, ante, posted, effective, small, big = case
    hand = Hand((Fraction(stacks[0]), Fraction(stacks[1])), Fraction(1), Fraction(2), Fraction(ante))
    assert hand.posted == posted
    assert hand.effective == effective
    assert (hand.small_blind_decides, hand.big_blind_decides) == (small, big)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_payoffs_are_chips_that_are_on_the_table(case):
    stacks, ante, (small, big), effective, small_decides, big_decides = case
    hand = Hand((Fraction(stacks[0]), Fraction(stacks[1])), Fraction(1), Fraction(2), Fraction(ante))
    first, second = small_blinds_hand(hand, lambda chips: chips), big_blinds_hand(hand, lambda chips: chips)
    for game in (first, second):
        assert (game.won, game.lost, game.tied) == (effective, -effective, 0)
    assert first.folded == (-small if small_decides else None)
    assert first.stolen == (big if big_decides else None)
    assert first.given is None
    assert second.folded == (-big if big_decides else None)
    assert second.stolen == (big if big_decides else None)
    assert second.given == (small if small_decides else None)


def test_equal_blinds_leave_everything_to_decide():
    hand = Hand((Fraction(20), Fraction(20)), Fraction(1), Fraction(1))
    assert (hand.small_blind_decides, hand.big_blind_decides) == (True, True)
    all_in = Hand((Fraction(20), Fraction(1)), Fraction(1), Fraction(1))
    assert (all_in.small_blind_decides, all_in.big_blind_decides) == (False, False)


@pytest.mark.parametrize(
    ("stacks", "blinds", "ante", "words"),
    [
        ((0, 10), (1, 2), 0, "the stack of the small blind must be more than 0, not 0"),
        ((10, -1), (1, 2), 0, "the stack of the big blind must be more than 0, not -1"),
        ((10, 10), (0, 2), 0, "the small blind must be more than 0, not 0"),
        ((10, 10), (3, 2), 0, "the big blind of 2 must not be smaller than the small blind of 3"),
        ((10, 10), (1, 2), -1, "the ante must be 0 or more, not -1"),
    ],
)
def test_what_cannot_be_is_refused(stacks, blinds, ante, words):
    with pytest.raises(ErraiError, match=words):
        Hand(
            (Fraction(stacks[0]), Fraction(stacks[1])),
            Fraction(blinds[0]),
            Fraction(blinds[1]),
            Fraction(ante),
        )
