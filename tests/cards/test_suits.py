"""Which renamings of the suits leave a board and the ranges as they are."""

import numpy as np
import pytest

from errai.cards.notation import FULL_DECK, Deck, hand_index, hands
from errai.cards.ranges import parse_range
from errai.cards.suits import TRIVIAL_GROUP, suit_permutations, symmetries, whole_group

HOLDEM = suit_permutations(FULL_DECK, 2)


def order(group):
    return group.bit_count()


def rounds(text):
    """ "Ks7s2d 5c" as the cards of each round."""
    return tuple(FULL_DECK.parse(part) for part in text.split())


def test_a_full_deck_has_24_renamings_and_the_first_changes_nothing():
    assert HOLDEM.cards.shape == (24, 52)
    assert (HOLDEM.cards[0] == np.arange(52)).all()
    assert (HOLDEM.hands[0] == np.arange(1326)).all()
    assert len(np.unique(HOLDEM.cards, axis=0)) == 24
    assert order(whole_group(HOLDEM)) == 24


def test_a_renaming_keeps_ranks_and_moves_all_cards_of_a_suit_together():
    ranks, suits = np.divmod(HOLDEM.cards.astype(int), 4)
    assert (ranks == np.arange(52) // 4).all()
    assert (suits.reshape(24, 13, 4) == suits.reshape(24, 13, 4)[:, :1]).all()


@pytest.mark.parametrize("hole_cards", [1, 2])
def test_a_renaming_moves_hands_as_it_moves_their_cards(hole_cards):
    moves = suit_permutations(Deck(4, 3), hole_cards)
    for cards, images in zip(moves.cards, moves.hands, strict=True):
        for number, hand in enumerate(hands(12, hole_cards)):
            assert images[number] == hand_index([int(cards[card]) for card in hand])


def test_where_no_flush_can_be_held_every_rank_is_renamed_on_its_own():
    leduc = suit_permutations(Deck(3, 2), 1, suits_matter=False)
    assert leduc.cards.shape == (8, 6)
    assert len(np.unique(leduc.cards, axis=0)) == 8
    assert (leduc.cards // 2 == np.arange(6) // 2).all()


def test_too_many_renamings_for_a_mask_fall_back_to_those_of_whole_suits():
    assert suit_permutations(FULL_DECK, 1, suits_matter=False).cards.shape == (24, 52)


@pytest.mark.parametrize(
    ("board", "renamings"),
    [
        ("", 24),
        ("Ks7s2s", 6),  # any of the three suits that are not there
        ("Ks7s2d", 2),
        ("Ks7h2d", 1),
        ("KsKhKd", 6),
        ("KsKh2d", 2),  # the kings change lookup
        ("KsKh2c2d", 4),
        ("Ks7h2d 5s", 1),
        ("Ks7s2s 5s", 6),
        ("Ks7s2s 5d", 2),
        ("KsKh2d Kd", 2),  # the last king came later: it cannot change lookup with the first two
        ("KsKh2d Kc 2s", 1),
    ],
)
def test_symmetries_of_boards(board, renamings):
    assert order(symmetries(HOLDEM, rounds(board))) == renamings


@pytest.mark.parametrize(
    ("texts", "renamings"),
    [
        (("AA,KK", "AKs"), 24),
        (("AA,AsKs", "QQ"), 6),
        (("AsKs", "AhKh"), 2),
        (("AsKs,AhKh", "QQ"), 4),
        (("AsKh", "QcQd"), 2),
        (("AsKh", "QcJd"), 1),
        (("AsAh:0.5,AsAd", ""), 1),
    ],
)
def test_a_range_must_give_every_renamed_hand_the_same_weight(texts, renamings):
    weights = tuple(parse_range(text) for text in texts if text)
    assert order(symmetries(HOLDEM, (), weights)) == renamings


def test_board_and_ranges_are_kept_together():
    board = rounds("Ks7s2s")
    assert order(symmetries(HOLDEM, board, (parse_range("AA"),))) == 6
    assert order(symmetries(HOLDEM, board, (parse_range("AhAd"),))) == 2
    assert symmetries(HOLDEM, board, (parse_range("AhKd"),)) == TRIVIAL_GROUP
