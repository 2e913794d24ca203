"""Canonical boards: one set of cards is found without the tables that find all of them."""

from itertools import combinations, permutations

import numpy as np
import pytest

from errai.cards.board_lookup import locate
from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK, Deck, hand_index, hands
from errai.errors import ErraiError


@pytest.mark.parametrize(
    ("deck", "hole", "size"),
    [(Deck(4, 4), 2, 3), (Deck(3, 4), 2, 4), (Deck(5, 3), 1, 2), (Deck(3, 2), 1, 1), (Deck(4, 4), 2, 5)],
)
def test_a_set_is_found_where_the_tables_have_it(deck, hole, size):
    boards = canonical_boards(deck, hole, (size,))
    for cards in combinations(range(deck.size), size):
        for order in (cards, cards[::-1]):
            wanted = locate(np.array(order, np.int64), 1, boards.lookup)
            assert boards.find(order) == wanted
        board, move = boards.find(cards)
        moved = {int(boards.lookup.moves[move, card]) for card in cards}
        assert moved == set(boards.cards[board].tolist())


def test_boards_that_were_kept_are_used_as_they_are():
    deck = Deck(4, 4)
    made = canonical_boards(deck, 2, (4,))
    kept = canonical_boards(deck, 2, (4,), made.cards.copy())
    for cards in combinations(range(deck.size), 4):
        assert kept.find(cards) == made.find(cards)
    assert "_tree" not in vars(kept)  # the slow part was never made
    np.testing.assert_array_equal(kept.weight, made.weight)
    np.testing.assert_array_equal(kept.group, made.group)


def test_boards_in_the_order_dealt_are_found_too():
    boards = canonical_boards(Deck(4, 4), 2, (3, 1))
    for seed in range(50):
        cards = tuple(map(int, np.random.default_rng(seed).permutation(16)[:4]))
        board, move = boards.find(cards)
        moved = [int(boards.lookup.moves[move, card]) for card in cards]
        assert [*sorted(moved[:3]), moved[3]] == boards.cards[board].tolist()


def test_the_empty_board_is_one():
    boards = canonical_boards(FULL_DECK, 2, ())
    assert boards.find(()) == (0, 0)
    assert boards.cards.shape == (1, 0)
    assert len(np.unique(boards.alike(0))) == 169


def test_hands_are_alike_when_a_renaming_keeps_the_board():
    deck = Deck(4, 4)
    boards = canonical_boards(deck, 2, (3,))
    holes = hands(deck.size, 2)
    for number, cards in enumerate(boards.cards.tolist()):
        wanted = np.arange(len(holes))
        for suits in permutations(range(4)):
            move = [card - card % 4 + suits[card % 4] for card in range(deck.size)]
            if {move[card] for card in cards} == set(cards):
                images = [hand_index([move[card] for card in hand.tolist()]) for hand in holes]
                wanted = np.minimum(wanted, images)
        np.testing.assert_array_equal(boards.alike(number), wanted)


@pytest.mark.parametrize("cards", [(0, 1), (0, 1, 1), (0, 1, 16), (0, 1, -1), (0, 1, 2, 3)])
def test_what_is_no_board_is_refused(cards):
    with pytest.raises(ErraiError, match="are not 3 cards of this deck"):
        canonical_boards(Deck(4, 4), 2, (3,)).find(cards)
