"""What every optimal strategy must do: the theorem, the tables of the paper, and cases on the edge."""

from fractions import Fraction

import pytest
from flint import fmpq

from errai.jamfold.equities import BOARDS, CLASSES, HANDS, PAIRS, class_number, equities
from errai.jamfold.hand import Hand
from errai.jamfold.matrix_game import CALL, GIVE, PASS, big_blinds_hand, small_blinds_hand
from errai.jamfold.prove import ExactRules, prove
from errai.jamfold.tree import solve_exactly
from errai.papers.tournament_page import FIGURE_5


def of_8000(stack):
    return Hand((Fraction(stack), Fraction(8000 - stack)), Fraction(300), Fraction(600))


def blinds_1_2(small, big=None):
    return Hand((Fraction(small), Fraction(small if big is None else big)), Fraction(1), Fraction(2))


def rules_of(hand, big_blind=False):
    return ExactRules.of((big_blinds_hand if big_blind else small_blinds_hand)(hand, lambda chips: chips))


def covered(proof):
    return sorted(proof.must_jam + proof.must_fold + proof.must_mix + proof.undecided) == sorted(HANDS)


def test_theorem_1():
    proof = prove(of_8000(4000))
    assert proof.must_mix == ("86o",)
    assert proof.mixed == ("86o",)
    assert proof.undecided == ()
    assert covered(proof)
    assert proof.pure is False
    # The two pure strategies of the paper's proof.
    rules, a = rules_of(of_8000(4000)), class_number("86o")
    for share in (0, 1):
        fixed = [*proof.jam[:a], fmpq(share), *proof.jam[a + 1 :]]
        assert rules.guarantee(fixed) < proof.value
    assert rules.guarantee(proof.jam) == proof.value == rules.ceiling(proof.answer)


def test_86_offsuit_is_jammed_just_so_often():
    proof, a = prove(of_8000(4000)), class_number("86o")
    assert proof.least[a] == proof.jam[a] == proof.most[a]
    assert str(proof.jam[a]) == "450879/792502"


def test_figure_7():
    short, deep = prove(of_8000(1800)), prove(of_8000(3600))
    assert "43s" in short.must_fold
    assert "J2o" in short.must_jam
    assert "43s" in deep.must_jam
    assert "J2o" in deep.must_fold


@pytest.mark.parametrize("stack", [1800, 2600, 3350, 3400, 6200])
def test_some_rows_of_figure_5(stack):
    proof = prove(of_8000(stack))
    assert proof.must_mix == (FIGURE_5[stack],)
    assert proof.undecided == ()


@pytest.mark.slow
def test_figure_5():
    # The shorter stack is all that matters, so the table is symmetric.
    assert {8000 - stack: name for stack, name in FIGURE_5.items()} == FIGURE_5
    for stack in range(50, 4050, 50):
        proof = prove(of_8000(stack))
        wanted = (FIGURE_5[stack],) if stack in FIGURE_5 else ()
        assert (stack, proof.must_mix, proof.undecided) == (stack, wanted, ())
        assert proof.pure == (stack not in FIGURE_5)


def test_the_big_blind_must_sometimes_mix_three_hands():
    proof = prove(of_8000(3500), big_blind=True)
    assert proof.must_mix == ("73s", "96o", "J3o")
    assert covered(proof)


def test_the_big_blind_s_hand_of_figure_6():
    proof = prove(of_8000(4000), big_blind=True)
    assert proof.must_mix == ("54o",)
    assert proof.jam[class_number("54o")] == fmpq(1, 16)
    # Against some optimal answers 42s is as good to jam as to fold, and yet it must be folded.
    assert "42s" in proof.must_fold
    assert covered(proof)


@pytest.mark.parametrize("big_blind", [False, True])
def test_without_mixing_where_nothing_need_be_mixed(big_blind):
    proof = prove(blinds_1_2(4), big_blind)
    assert proof.mixed == proof.must_mix == ()
    assert proof.pure is True
    assert covered(proof)


def test_a_hand_that_may_be_played_either_way_is_undecided():
    # The big blind is all in by posting. With this stack it costs 32 offsuit just the small blind to jam.
    counts, a = equities(), class_number("32o")
    behind = Fraction(int((counts.losses - counts.wins)[a].sum()), int(counts.pairs[a].sum()) * BOARDS)
    hand = Hand((Fraction(100), 1 / behind), Fraction(1), Fraction(4))
    assert not hand.big_blind_decides
    proof = prove(hand)
    assert proof.undecided == ("32o",)
    assert (proof.least[a], proof.most[a]) == (0, 1)
    assert proof.pure is True


def test_who_has_nothing_to_decide_has_nothing_to_prove():
    for hand, big_blind in ((blinds_1_2("1/2", 30), False), (blinds_1_2(30, "3/2"), True)):
        proof = prove(hand, big_blind)
        assert proof.must_jam == proof.must_fold == proof.must_mix == proof.undecided == ()
        assert proof.value == solve_exactly(hand, big_blind).certificate.value


@pytest.mark.parametrize("big_blind", [False, True])
def test_the_value_is_that_of_the_certificate(big_blind):
    hand = Hand((Fraction(25), Fraction(61, 3)), Fraction(1), Fraction(2), Fraction(1, 8))
    proof = prove(hand, big_blind)
    assert proof.value == solve_exactly(hand, big_blind).certificate.value
    assert all(
        low <= share <= high for low, share, high in zip(proof.least, proof.jam, proof.most, strict=True)
    )
    for shares in zip(*(proof.answer[option] for option in (PASS, CALL, GIVE)), strict=True):
        assert min(shares) >= 0
        assert sum(shares, fmpq(0)) == 1


def test_exact_rules_of_a_strategy_that_always_jams():
    # Player 2 folds 72o to ten big blinds and calls with aces.
    rules, always = rules_of(blinds_1_2(20)), [fmpq(1)] * CLASSES
    counts = equities()
    ahead, dealt = (counts.wins - counts.losses).sum(axis=0), counts.pairs.sum(axis=0)
    expected = sum(
        min(Fraction(20 * int(more), BOARDS), Fraction(2 * int(pairs)))
        for more, pairs in zip(ahead, dealt, strict=True)
    )
    guaranteed = rules.guarantee(always)
    assert Fraction(int(guaranteed.p), int(guaranteed.q)) == expected / PAIRS
