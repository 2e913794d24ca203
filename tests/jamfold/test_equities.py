"""The table of showdowns: known equities, sums that must hold, and another evaluator on some boards."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from phevaluator import evaluate_cards

from errai.cards.notation import FULL_DECK, hand_class_name, hand_class_of, hands
from errai.errors import ErraiError
from errai.jamfold import equities as module
from errai.jamfold.equities import (
    BOARDS,
    CLASSES,
    HANDS,
    PAIRS,
    class_number,
    compute_wins,
    equities,
    of_wins,
)
from errai.jamfold.kernels.matchups import PADDED, count_wins, river_boards


@pytest.mark.parametrize(
    ("one", "other", "equity"),
    [
        ("AA", "KK", 0.81946050),
        ("AKs", "QQ", 0.46048526),
        ("AKo", "QQ", 0.43242336),
        ("AA", "72o", 0.881996),
    ],
)
def test_known_equities(one, other, equity):
    assert equities().equity(one, other) == pytest.approx(equity, abs=5e-7 if other == "72o" else 5e-9)
    assert equities().equity(other, one) == pytest.approx(1 - equity, abs=5e-7)


def test_a_class_against_itself_wins_half():
    assert all(equities().equity(name, name) == 0.5 for name in HANDS)


def test_there_are_812175_pairs_of_hands():
    pairs = equities().pairs
    assert pairs.sum() == PAIRS == 2 * 812_175
    assert np.array_equal(pairs, pairs.T)
    combos = np.bincount(hand_class_of(), minlength=CLASSES)
    assert combos.sum() == 1326
    assert np.array_equal(pairs.sum(axis=1), combos * 1225)


def test_pairs_by_going_through_them():
    counted = np.zeros((CLASSES, CLASSES), np.int64)
    holes = [(a, b) for a, b in combinations(range(52), 2)]
    of_class = [class_number(hand_class_name(*hole)) for hole in holes]
    for i, one in enumerate(holes):
        for j, other in enumerate(holes[:i]):
            if not set(one) & set(other):
                counted[of_class[i], of_class[j]] += 1
                counted[of_class[j], of_class[i]] += 1
    assert np.array_equal(equities().pairs, counted)


def test_every_deal_is_a_win_a_loss_or_a_tie():
    table = equities()
    assert np.array_equal(table.wins + table.losses + table.ties, table.pairs * BOARDS)
    assert np.array_equal(table.ties, table.ties.T)
    assert table.wins.min() >= 0
    assert table.ties.min() > 0


def test_canonical_boards_stand_for_all():
    boards, stands_for = river_boards()
    assert len(boards) == 134_459
    assert stands_for.sum() == 2_598_960
    assert set(stands_for.tolist()) <= {1, 4, 6, 12, 24}


def test_some_boards_by_another_evaluator():
    random = Random(4)
    drawn = np.array([random.sample(range(52), 5) for _ in range(4)], np.uint8)
    stands_for = np.array([1, 3, 1, 2], np.int32)
    counted = np.zeros((CLASSES, PADDED), np.int32)
    count_wins(drawn, stands_for, hands(52, 2), hand_class_of(), counted)
    naive = np.zeros((CLASSES, CLASSES), np.int64)
    for board, weight in zip(drawn, stands_for, strict=True):
        naive += weight * _naive_wins(tuple(board))
    assert np.array_equal(counted[:, :CLASSES], naive)
    assert not counted[:, CLASSES:].any()


def _naive_wins(board):
    """[169, 169] wins of all pairs of hands on one board."""
    rest = [card for card in range(52) if card not in board]
    holes = list(combinations(rest, 2))
    public = [FULL_DECK.format(card) for card in board]
    ranks = np.array([evaluate_cards(*public, *map(FULL_DECK.format, hole)) for hole in holes])
    cards = np.array(holes)
    of_class = np.array([class_number(hand_class_name(*hole)) for hole in holes])
    wins = np.zeros((CLASSES, CLASSES), np.int64)
    for hole, rank, a in zip(cards, ranks, of_class, strict=True):
        beaten = (ranks > rank) & ~np.isin(cards, hole).any(axis=1)  # the evaluator's best rank is 1
        wins[a] += np.bincount(of_class[beaten], minlength=CLASSES)
    return wins


@pytest.mark.slow
def test_the_table_is_what_counting_gives():
    assert np.array_equal(of_wins(compute_wins().astype(np.int64)).wins, equities().wins)


def test_a_damaged_table_is_refused(monkeypatch):
    monkeypatch.setattr(module, "SHA256", "0" * 64)
    with pytest.raises(ErraiError, match="damaged"):
        module.equities.__wrapped__()


def test_hands_may_be_written_in_any_case_and_order():
    assert HANDS[class_number("aKS")] == HANDS[class_number("KAs")] == "AKs"
    assert (HANDS[0], HANDS[-1], HANDS[class_number(" tt ")]) == ("AA", "22", "TT")


@pytest.mark.parametrize("text", ["AK", "AAs", "A1s", "", "AKx", "AhKh"])
def test_what_is_no_hand_is_refused(text):
    with pytest.raises(ErraiError, match="is not one of the 169 hands; write AA, AKs or AKo"):
        class_number(text)
