"""Cards and private hands: their text, their integers, their classes."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.notation import (
    FULL_DECK,
    GRID,
    RANKS,
    SUITS,
    Deck,
    hand_class_name,
    hand_class_of,
    hand_count,
    hand_index,
    hands,
)
from errai.errors import ErraiError

LEDUC_DECK = Deck(ranks=3, suits=2)
decks = st.builds(Deck, ranks=st.integers(1, 13), suits=st.integers(1, 4))


def test_the_full_deck_runs_from_the_deuce_of_clubs_to_the_ace_of_spades():
    assert FULL_DECK.size == 52
    assert FULL_DECK.format(0) == "2c"
    assert FULL_DECK.format(51) == "As"
    assert FULL_DECK.format_cards(range(5), " ") == "2c 2d 2h 2s 3c"


def test_a_short_deck_keeps_the_lowest_ranks_and_the_first_suits():
    assert LEDUC_DECK.format_cards(range(LEDUC_DECK.size), " ") == "2c 2d 3c 3d 4c 4d"


@pytest.mark.parametrize(
    "text",
    [
        "AsKh10d",
        "As Kh Td",
        "as,kh,td",
        "AS / KH / TD",
        "A♠K♥T♦",
        "A♤ K♡ 10♢",
        "A♠\ufe0fK♥\ufe0fT♦\ufe0f",
        " AsKhTd\n",
    ],
)
def test_cards_are_read_however_people_write_them(text):
    assert FULL_DECK.parse(text) == (51, 46, 33)


def test_no_text_is_no_cards():
    assert FULL_DECK.parse(" , / ") == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("AsXh", "rank 'X' at position 3 of 'AsXh' is not in this deck: its ranks are 23456789TJQKA"),
        ("As 1h", "rank '1' at position 4"),
        ("AsKx", "suit 'x' of card 'Kx' at position 3 of 'AsKx' is not in this deck: its suits are cdhs"),
        ("As K", "card 'K' at position 4 of 'As K' has no suit: follow the rank with one of cdhs"),
        ("A s", "card 'A' at position 1"),
        ("As Kh aS", "card 'As' at position 7 of 'As Kh aS' is there twice"),
        ("10", "card '10' at position 1"),
    ],
)
def test_a_bad_card_is_named_with_its_place_and_what_would_be_right(text, complaint):
    with pytest.raises(ErraiError) as error:
        FULL_DECK.parse(text)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("Kc", "its ranks are 234"), ("2s", "its suits are cd"), ("10c", "rank '10' at position 1")],
)
def test_a_short_deck_says_which_cards_it_has(text, complaint):
    with pytest.raises(ErraiError, match=complaint):
        LEDUC_DECK.parse(text)


@pytest.mark.parametrize("card", [-1, 6])
def test_a_card_that_is_not_in_the_deck_has_no_name(card):
    with pytest.raises(ErraiError, match="its cards are 0 to 5"):
        LEDUC_DECK.format(card)


@pytest.mark.parametrize(("ranks", "suits"), [(0, 4), (14, 4), (13, 0), (13, 5)])
def test_a_deck_has_up_to_thirteen_ranks_and_four_suits(ranks, suits):
    with pytest.raises(ErraiError, match="it must have 1 to"):
        Deck(ranks, suits)


@settings(derandomize=True, deadline=None)
@given(st.data(), decks, st.sampled_from(["", " ", ",", "/", ", "]))
def test_what_a_deck_writes_it_reads(data, deck, sep):
    cards = data.draw(st.lists(st.integers(0, deck.size - 1), unique=True))
    assert deck.parse(deck.format_cards(cards, sep)) == tuple(cards)


@settings(derandomize=True, deadline=None)
@given(decks, st.one_of(st.text(), st.text(alphabet=RANKS + SUITS + "10 ,/♠")))
def test_any_text_is_read_as_cards_or_refused(deck, text):
    try:
        cards = deck.parse(text)
    except ErraiError:
        return
    assert all(0 <= card < deck.size for card in cards)
    assert len(set(cards)) == len(cards)


@pytest.mark.parametrize("text", ["As\nX", "As\nKx", "As\nK", "As\nAs"])
def test_an_error_is_one_line_even_when_the_text_is_not(text):
    with pytest.raises(ErraiError) as error:
        FULL_DECK.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("hole_cards", [1, 2])
@pytest.mark.parametrize("deck_size", [2, 3, 6, 20, 52])
def test_private_hands_are_numbered_without_gaps(deck_size, hole_cards):
    every = hands(deck_size, hole_cards)
    assert every.dtype == np.uint8
    assert every.shape == (comb(deck_size, hole_cards), hole_cards)
    assert hand_count(deck_size, hole_cards) == len(every)
    assert [hand_index(hand) for hand in every] == list(range(len(every)))
    assert {tuple(map(int, hand)) for hand in every} == set(combinations(range(deck_size), hole_cards))


def test_the_order_of_two_hole_cards_does_not_matter():
    assert hand_index((51, 46)) == hand_index((46, 51)) == 51 * 50 // 2 + 46


def test_the_hands_of_a_short_deck_come_first_in_a_longer_one():
    np.testing.assert_array_equal(hands(52, 2)[: hand_count(20, 2)], hands(20, 2))


def test_hands_of_three_cards_are_refused():
    with pytest.raises(ErraiError, match="only 1 or 2"):
        hands(52, 3)
    with pytest.raises(ErraiError, match="only 1 or 2"):
        hand_index((1, 2, 3))
    with pytest.raises(ErraiError, match="must differ"):
        hand_index((7, 7))


@pytest.mark.parametrize(
    ("cards", "name"),
    [("AsAh", "AA"), ("AsKs", "AKs"), ("KsAs", "AKs"), ("KdAs", "AKo"), ("2c7d", "72o"), ("2c2s", "22")],
)
def test_a_hand_belongs_to_a_class(cards, name):
    assert hand_class_name(*FULL_DECK.parse(cards)) == name


def test_the_grid_has_aces_top_left_suited_above_the_diagonal_and_offsuit_below():
    assert GRID[0][:3] == ["AA", "AKs", "AQs"]
    assert [row[0] for row in GRID[:3]] == ["AA", "AKo", "AQo"]
    assert [GRID[line][line] for line in range(13)] == [rank * 2 for rank in RANKS[::-1]]
    assert len({name for row in GRID for name in row}) == 169


def test_each_hand_falls_in_the_grid_cell_of_its_class():
    cells = hand_class_of()
    assert cells.dtype == np.int16
    names = [GRID[cell // 13][cell % 13] for cell in cells]
    assert names == [hand_class_name(low, high) for low, high in hands(52, 2)]


def test_a_pair_has_six_hands_a_suited_class_four_and_an_offsuit_class_twelve():
    sizes = Counter(hand_class_name(low, high) for low, high in hands(52, 2))
    assert (sizes["AA"], sizes["AKs"], sizes["AKo"]) == (6, 4, 12)
    assert Counter(sizes.values()) == {6: 13, 4: 78, 12: 78}
