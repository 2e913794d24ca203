"""Every hand has one number, whatever its suits are called and in whatever order its cards lie."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.counting import canonical_deals
from errai.cards.index import HandIndex
from errai.cards.notation import FULL_DECK, Deck
from errai.errors import ErraiError

ROUNDS = {"preflop": 0, "flop": 1, "turn": 2, "river": 3}
CARDS_SEEN = (2, 5, 6, 7)


@pytest.fixture(scope="module")
def holdem():
    return HandIndex(FULL_DECK, 2, (0, 3, 1, 1))


def cards(text):
    return FULL_DECK.parse(text)


def renamed(group, names, suits=4):
    return [card - card % suits + names[card % suits] for card in group]


def every_deal(left, sizes):
    """All ways to deal disjoint sets of these sizes."""
    if not sizes:
        yield ()
        return
    for first in combinations(sorted(left), sizes[0]):
        for rest in every_deal(left - set(first), sizes[1:]):
            yield (first, *rest)


def test_holdem_has_the_published_numbers_of_hands(holdem):
    assert holdem.sizes == (169, 1_286_792, 55_190_538, 2_428_287_420)


@pytest.mark.parametrize(
    ("deck", "hole_cards", "rounds"),
    [
        (Deck(3, 2), 1, (0, 1)),
        (Deck(13, 4), 1, (0, 1, 1)),
        (Deck(5, 4), 2, (0, 3, 1, 1)),
        (Deck(4, 3), 2, (1, 2)),
        (Deck(6, 3), 1, (0, 2, 0, 2)),
    ],
)
def test_sizes_are_those_of_counting_orbits(deck, hole_cards, rounds):
    sizes = [
        canonical_deals(deck.ranks, deck.suits, [hole_cards, *filter(None, rounds[: last + 1])])
        for last in range(len(rounds))
    ]
    assert list(HandIndex(deck, hole_cards, rounds).sizes) == sizes


@pytest.mark.parametrize(
    ("deck", "hole_cards", "rounds"),
    [
        (Deck(3, 2), 1, (0, 1)),
        (Deck(3, 4), 1, (0, 1, 1)),
        (Deck(2, 4), 2, (0, 2, 1)),
        (Deck(3, 3), 2, (0, 1, 2)),
        (Deck(4, 2), 2, (1, 2)),
        (Deck(3, 1), 2, (0, 1)),
        (Deck(2, 3), 1, (0, 1, 0, 2)),
    ],
)
def test_on_small_decks_hands_share_a_number_exactly_when_suits_can_be_renamed(deck, hole_cards, rounds):
    index = HandIndex(deck, hole_cards, rounds)
    names = list(permutations(range(deck.suits)))
    for last in range(len(rounds)):
        sizes = [hole_cards, *rounds[: last + 1]] if rounds[0] else [hole_cards, *rounds[1 : last + 1]]
        number_of_class = {}
        for hole, *boards in every_deal(set(range(deck.size)), sizes):
            whole = [hole, *boards]
            smallest = min(
                tuple(tuple(sorted(renamed(group, name, deck.suits))) for group in whole) for name in names
            )
            number = index.index(hole, boards)
            assert number_of_class.setdefault(smallest, number) == number
        assert sorted(number_of_class.values()) == list(range(index.sizes[last]))
        for number in range(index.sizes[last]):
            assert index.index(*index.hand(last, number)) == number


@given(st.permutations(range(52)), st.permutations(range(4)), st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_renaming_suits_and_reordering_cards_changes_nothing(holdem, deck, names, shuffler):
    hole, flop, turn, river = deck[:2], deck[2:5], deck[5:6], deck[6:7]
    for boards in ([], [flop], [flop, turn], [flop, turn, river]):
        again = [renamed(group, names) for group in (hole, *boards)]
        for group in again:
            shuffler.shuffle(group)
        assert holdem.index(again[0], again[1:]) == holdem.index(hole, boards)


def test_hands_that_play_differently_have_different_numbers(holdem):
    flush_draw = holdem.index(cards("AsKs"), [cards("7s6s2d")])
    no_draw = holdem.index(cards("AhKh"), [cards("7s6s2d")])
    offsuit = holdem.index(cards("AsKh"), [cards("7s6s2d")])
    assert len({flush_draw, no_draw, offsuit}) == 3
    turned = holdem.index(cards("AsKs"), [cards("7s6s2d"), cards("3s")])
    swapped = holdem.index(cards("AsKs"), [cards("7s6s3s"), cards("2d")])
    assert turned != swapped


def test_the_169_starting_hands_stand_for_1326(holdem):
    hands = np.array(list(combinations(range(52), 2)))
    counts = np.bincount(holdem.index_many(hands), minlength=169)
    assert sorted(set(counts)) == [4, 6, 12]  # suited, pairs, offsuit
    assert [int((counts == size).sum()) for size in (4, 6, 12)] == [78, 13, 78]


def test_all_25_989_600_flop_hands_fill_every_number(holdem):
    flops = np.array(list(combinations(range(52), 3)), np.uint8)
    counts = np.zeros(holdem.sizes[1], np.int64)
    rows = np.empty((len(flops), 5), np.uint8)
    rows[:, 2:] = flops
    for hole in combinations(range(52), 2):
        rows[:, :2] = hole
        dealt = rows[~np.isin(flops, hole).any(axis=1)]
        np.add.at(counts, holdem.index_many(dealt), 1)
    assert counts.sum() == 25_989_600
    assert set(np.unique(counts)) == {4, 12, 24}  # 24 renamings, less those that change nothing


@pytest.mark.parametrize("name", ROUNDS)
def test_every_number_has_a_hand_with_that_number(holdem, name):
    round_ = ROUNDS[name]
    size = holdem.sizes[round_]
    generator = np.random.default_rng(round_)
    numbers = np.concatenate([[0, size - 1], generator.integers(0, size, 2000)])
    rows = []
    for number in numbers:
        hole, boards = holdem.hand(round_, int(number))
        assert tuple(len(board) for board in boards) == (3, 1, 1)[:round_]
        rows.append([*hole, *(card for board in boards for card in board)])
    assert all(len(set(row)) == CARDS_SEEN[round_] for row in rows)
    assert (holdem.index_many(np.array(rows, np.uint8)) == numbers).all()


def test_many_hands_at_once_are_numbered_like_one(holdem):
    generator = np.random.default_rng(5)
    rows = np.array([generator.permutation(52)[:7] for _ in range(200)])
    many = holdem.index_many(rows)
    assert [holdem.index(row[:2], [row[2:5], row[5:6], row[6:7]]) for row in rows] == list(many)
    assert holdem.index_many(np.empty((0, 7), np.uint8)).size == 0


def test_what_is_no_hand_is_refused(holdem):
    with pytest.raises(ErraiError, match="different cards"):
        holdem.index(cards("AsKs"), [cards("As7h2d")])
    with pytest.raises(ErraiError, match="different cards"):
        holdem.index((50, 50))
    with pytest.raises(ErraiError, match="from 0 to 51"):
        holdem.index((50, 52))
    with pytest.raises(ErraiError, match="from 0 to 51"):
        holdem.index((-1, 3))
    with pytest.raises(ErraiError, match="boards of"):
        holdem.index(cards("AsKs"), [cards("7h2d")])
    with pytest.raises(ErraiError, match="2 hole cards"):
        holdem.index(cards("As"))
    with pytest.raises(ErraiError, match="2 or 5 or 6 or 7 cards"):
        holdem.index_many(np.zeros((1, 4), np.int64))
    with pytest.raises(ErraiError, match="no hand has index 169"):
        holdem.hand(0, 169)
    with pytest.raises(ErraiError, match="round 4"):
        holdem.hand(4, 0)


def test_what_cannot_be_dealt_is_refused():
    with pytest.raises(ErraiError, match="the deck has only 6"):
        HandIndex(Deck(3, 2), 2, (0, 3, 2))
    with pytest.raises(ErraiError, match="public cards cannot be indexed"):
        HandIndex(FULL_DECK, 2, ())
    with pytest.raises(ErraiError, match="only 1 or 2"):
        HandIndex(FULL_DECK, 3, (0, 3))
    with pytest.raises(ErraiError, match="boards of"):
        HandIndex(Deck(4, 2), 1, (1, 1)).index((0,), ())
