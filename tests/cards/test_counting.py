"""Counts of deals: published figures, and brute force on small decks."""

from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.counting import canonical_deals, deals, rank_deals
from errai.errors import ErraiError


def all_deals(cards, groups):
    if not groups:
        yield ()
        return
    for first in combinations(sorted(cards), groups[0]):
        for rest in all_deals(cards - set(first), groups[1:]):
            yield (frozenset(first), *rest)


def naive_canonical_deals(ranks, suits, groups):
    """Orbits counted one by one: the smallest renaming of the suits stands for its class."""
    deck = {(rank, suit) for rank in range(ranks) for suit in range(suits)}
    renamings = list(permutations(range(suits)))

    def renamed(deal, renaming):
        return tuple(tuple(sorted((rank, renaming[suit]) for rank, suit in cards)) for cards in deal)

    return len({min(renamed(deal, renaming) for renaming in renamings) for deal in all_deals(deck, groups)})


def naive_rank_deals(ranks, suits, groups):
    deck = {(rank, suit) for rank in range(ranks) for suit in range(suits)}
    return len(
        {
            tuple(tuple(sorted(rank for rank, _ in cards)) for cards in deal)
            for deal in all_deals(deck, groups)
        }
    )


@st.composite
def small_deals(draw):
    suits = draw(st.integers(1, 4))
    ranks = draw(st.integers(1, 8 // suits))
    groups, left = [], min(4, ranks * suits)
    for _ in range(draw(st.integers(0, 3))):
        groups.append(draw(st.integers(0, min(2, left))))
        left -= groups[-1]
    return ranks, suits, tuple(groups)


@given(small_deals())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_counts_are_those_of_brute_force(deal):
    ranks, suits, groups = deal
    deck = {(rank, suit) for rank in range(ranks) for suit in range(suits)}
    assert deals(*deal) == sum(1 for _ in all_deals(deck, groups))
    assert canonical_deals(*deal) == naive_canonical_deals(*deal)
    assert rank_deals(*deal) == naive_rank_deals(*deal)


@pytest.mark.parametrize(
    ("groups", "classes"),
    [
        ((2,), 169),
        ((2, 3), 1_286_792),
        ((2, 3, 1), 55_190_538),
        ((2, 3, 1, 1), 2_428_287_420),
    ],
)
def test_hold_em_hands_and_boards_up_to_suits(groups, classes):
    assert canonical_deals(13, 4, groups) == classes


@pytest.mark.parametrize(
    ("groups", "boards"),
    [((3,), 1_755), ((3, 1), 63_193), ((3, 1, 1), 2_554_656), ((4,), 16_432), ((5,), 134_459)],
)
def test_hold_em_boards_up_to_suits_in_the_order_dealt_and_as_sets(groups, boards):
    assert canonical_deals(13, 4, groups) == boards


def test_raw_deals_of_hold_em():
    assert deals(13, 4, (2,)) == 1326
    assert deals(13, 4, (2, 2)) == 1_624_350
    assert deals(13, 4, (2, 3, 1, 1)) == comb(52, 2) * comb(50, 3) * 47 * 46


def test_dealing_nothing_is_one_deal_and_more_than_the_deck_is_none():
    assert deals(3, 2, ()) == canonical_deals(3, 2, ()) == rank_deals(3, 2, ()) == 1
    assert deals(3, 2, (4, 3)) == canonical_deals(3, 2, (4, 3)) == rank_deals(3, 2, (4, 3)) == 0


def test_empty_card_sets_change_nothing():
    assert canonical_deals(13, 4, (2, 0, 3)) == canonical_deals(13, 4, (2, 3))


@pytest.mark.parametrize("count", [deals, canonical_deals, rank_deals])
def test_impossible_decks_and_sets_are_refused(count):
    with pytest.raises(ErraiError, match="0 ranks and 4 suits has no cards"):
        count(0, 4, (2,))
    with pytest.raises(ErraiError, match="sizes must be 0 or more"):
        count(13, 4, (2, -1))
