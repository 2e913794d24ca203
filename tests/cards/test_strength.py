"""Showdown strength: against a naive evaluator, PHEvaluator, and the counts of every poker book."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from errai.cards.notation import FULL_DECK, Deck, hands
from errai.cards.strength import (
    ACPC,
    CATEGORY_SHIFT,
    RANKINGS,
    THREE_CARD,
    category,
    category_name,
    evaluate,
    strengths,
)
from errai.errors import ErraiError

FIVE_CARD_COUNTS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
SEVEN_CARD_COUNTS = {
    "straight flush": 41_584,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}
THREE_CARD_COUNTS = {
    "straight flush": 48,
    "three of a kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high card": 16_440,
}
ACPC_ORDER = list(FIVE_CARD_COUNTS)[::-1]
THREE_CARD_ORDER = list(THREE_CARD_COUNTS)[::-1]


def naive_five(cards, deck, order):
    """(category's place, ranks by count then height); straights and flushes span all the cards."""
    ranks = sorted((card // deck.suits for card in cards), reverse=True)
    counts = Counter(ranks)
    grouped = sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card % deck.suits for card in cards}) == 1
    straight = len(counts) == len(cards) and ranks[0] - ranks[-1] == len(cards) - 1
    wheel = [12, *range(len(cards) - 2, -1, -1)]
    if ranks == wheel:
        straight, grouped = True, [*wheel[1:], -1]
    if straight and flush:
        name = "straight flush"
    elif straight:
        name = "straight"
    elif flush:
        name = "flush"
    else:
        name = name_of_shape(shape)
    return order.index(name), grouped


def name_of_shape(shape):
    """The category that the counts of ranks make, the largest count first."""
    names = {
        (4,): "four of a kind",
        (3, 2): "full house",
        (3,): "three of a kind",
        (2, 2): "two pair",
        (2,): "pair",
    }
    for leading, name in names.items():
        if tuple(shape[: len(leading)]) == leading:
            return name
    return "high card"


def naive(cards, deck, ranking):
    """The best five cards; fewer than five have no straights and flushes, unless three cards are the game."""
    if ranking == THREE_CARD:
        return naive_five(cards, deck, THREE_CARD_ORDER)
    if len(cards) >= 5:
        return max(naive_five(five, deck, ACPC_ORDER) for five in combinations(cards, 5))
    ranks = [card // deck.suits for card in cards]
    counts = Counter(ranks)
    grouped = sorted(ranks, key=lambda rank: (counts[rank], rank), reverse=True)
    return ACPC_ORDER.index(name_of_shape(sorted(counts.values(), reverse=True))), grouped


def random_deals(seed, number, cards, deck=FULL_DECK):
    """uint8 [number, cards] of cards dealt without replacement."""
    decks = np.tile(np.arange(deck.size, dtype=np.uint8), (number, 1))
    return np.random.default_rng(seed).permuted(decks, axis=1)[:, :cards]


def assert_same_order(ours, theirs):
    """Every pair of hands compares alike in both: their distinct values match one to one, in order."""
    matched = sorted(set(zip(ours, theirs, strict=True)))
    assert len(matched) == len(set(ours)) == len(set(theirs))
    assert [their for _, their in matched] == sorted(their for _, their in matched)


def as_hashable(value):
    place, ranks = value
    return place, tuple(ranks)


def category_counts(values, ranking):
    lookup = np.bincount(values >> CATEGORY_SHIFT)
    return {category_name(place << CATEGORY_SHIFT, ranking): int(count) for place, count in enumerate(lookup)}


@pytest.fixture(scope="module")
def five_card_hands():
    """All of them, highest card last and most significant: those below a card are a prefix. uint8 [N, 5]"""
    number = comb(52, 5)
    downward = (card for hand in combinations(range(51, -1, -1), 5) for card in hand)
    cards = np.fromiter(downward, dtype=np.uint8, count=number * 5)
    return np.ascontiguousarray(cards.reshape(number, 5)[::-1])


def strength_of(text, ranking=ACPC, deck=FULL_DECK):
    cards = np.array(deck.parse(text), dtype=np.uint8)
    return int(evaluate(cards, len(cards), deck.suits, deck.ranks, ranking))


def test_five_card_hands_occur_as_often_as_the_books_say(five_card_hands):
    values = strengths(five_card_hands)
    assert category_counts(values, ACPC) == FIVE_CARD_COUNTS
    assert len(np.unique(values)) == 7462


def test_three_card_hands_occur_as_often_as_the_books_say():
    every = np.array(list(combinations(range(52), 3)), dtype=np.uint8)
    assert category_counts(strengths(every, ranking=THREE_CARD), THREE_CARD) == THREE_CARD_COUNTS


@pytest.mark.slow
def test_seven_card_hands_occur_as_often_as_the_books_say(five_card_hands):
    total = Counter()
    for low, high in combinations(range(52), 2):
        below = five_card_hands[: comb(low, 5)]
        if len(below):
            total.update(category_counts(strengths(below, (low, high)), ACPC))
    assert total == SEVEN_CARD_COUNTS


@pytest.mark.parametrize("count", [5, 6, 7])
def test_hands_compare_as_phevaluator_compares_them(count):
    deals = random_deals(seed=count, number=60_000, cards=count)
    theirs = [-evaluate_cards(*deal) for deal in deals.tolist()]
    assert_same_order(strengths(deals).tolist(), theirs)


@pytest.mark.slow
def test_every_five_card_hand_compares_as_phevaluator_compares_it(five_card_hands):
    theirs = [-evaluate_cards(*hand) for hand in five_card_hands.tolist()]
    assert_same_order(strengths(five_card_hands).tolist(), theirs)


@pytest.mark.slow
@pytest.mark.parametrize("count", [6, 7])
def test_millions_of_hands_compare_as_phevaluator_compares_them(count):
    deals = random_deals(seed=10 + count, number=2_000_000, cards=count)
    theirs = [-evaluate_cards(*deal) for deal in deals.tolist()]
    assert_same_order(strengths(deals).tolist(), theirs)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize(
    "deck", [FULL_DECK, Deck(5, 4), Deck(12, 4), Deck(13, 3), Deck(13, 2), Deck(13, 1), Deck(9, 3)], ids=repr
)
def test_hands_compare_as_the_best_five_cards_do(deck, count):
    deals = random_deals(seed=count, number=800, cards=count, deck=deck)
    ours = strengths(deals, deck=deck)
    theirs = [as_hashable(naive(deal, deck, ACPC)) for deal in deals.tolist()]
    assert_same_order(ours.tolist(), theirs)
    assert [category(value) for value in ours] == [place for place, _ in theirs]


@pytest.mark.parametrize("deck", [FULL_DECK, Deck(12, 4), Deck(6, 2), Deck(13, 1)], ids=repr)
def test_every_three_card_hand_compares_as_the_rules_say(deck):
    every = np.array(list(combinations(range(deck.size), 3)), dtype=np.uint8)
    ours = strengths(every, deck=deck, ranking=THREE_CARD)
    theirs = [as_hashable(naive(hand, deck, THREE_CARD)) for hand in every.tolist()]
    assert_same_order(ours.tolist(), theirs)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AsKsQsJsTs", "KhQhJhTh9h"),
        ("5s4s3s2sAs", "AhAdAcAsKh"),
        ("6s5s4s3s2sAs", "5h4h3h2hAh"),
        ("2c2d2h2s3c", "AsAhAdKsKh"),
        ("AsAhAdKsKh", "AsAhAdQsQh"),
        ("3s3h3d2s2h", "2s2h2dAsAh"),
        ("2s2h2d3s3h", "As9s8s7s6s"),
        ("7s5s4s3s2s", "AsKsQsJsTh"),
        ("6s5h4d3c2s", "5s4h3d2cAs"),
        ("5s4h3d2cAs", "AsAhAdKsQs"),
        ("AsAhKdKsQc", "AsAhKdKsJc"),
        ("2s2h4d5s6c", "AsKhQdJs9c"),
        ("AsKhQdJs9c", "AsKhQdJs8c"),
    ],
)
def test_the_better_hand_wins(better, worse):
    assert strength_of(better) > strength_of(worse)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AsKhQdJsTc 3c2d", "AcKdQhJhTs 9c9d"),
        ("AsAhKdKs QcQd 2c", "AcAdKhKc QhQs Jc"),
        ("AsKhQdJs9c 2d3h", "AcKdQhJh9s 4d5h"),
        ("7s7h7d7c As 3h2h", "7s7h7d7c Ad KhQh"),
        ("9s8s7s6s5s 2c3c", "9h8h7h6h5h AhKd"),
    ],
)
def test_only_the_best_five_cards_count(one, other):
    assert strength_of(one) == strength_of(other)


def test_two_trips_make_a_full_house():
    value = strength_of("KsKhKd QsQhQd 2c")
    assert category_name(value) == "full house"
    assert value == strength_of("KsKhKd QsQh")


def test_a_straight_does_not_wrap_around_the_ace():
    assert category_name(strength_of("2s3hAdKsQc")) == "high card"
    assert category_name(strength_of("2sAhKd", THREE_CARD), THREE_CARD) == "high card"


def test_the_ace_plays_high_and_low_in_three_card_straights():
    values = [strength_of(text, THREE_CARD) for text in ("As2h3d", "2s3h4d", "QsKhAd")]
    assert values == sorted(set(values))
    assert {category_name(value, THREE_CARD) for value in values} == {"straight"}


def test_three_cards_rank_trips_over_straight_over_flush():
    ordered = ["7s5h4d", "2s2h3d", "5s3s2s", "As2h3d", "2s2h2d", "As2s3s"]
    values = [strength_of(text, THREE_CARD) for text in ordered]
    assert values == sorted(values)
    assert [category_name(value, THREE_CARD) for value in values] == THREE_CARD_ORDER


def test_with_fewer_than_five_cards_straights_and_flushes_do_not_exist():
    assert category_name(strength_of("AsKsQs")) == "high card"
    assert category_name(strength_of("5s4s3s2s")) == "high card"
    assert strength_of("2s2h3d") > strength_of("AsKsQs")


def test_a_deck_without_aces_has_no_five_high_straight():
    deck = Deck(ranks=12, suits=4)
    assert category_name(strength_of("5s4h3d2c Kd", deck=deck)) == "high card"
    assert category_name(strength_of("6s5h4d3c2d", deck=deck)) == "straight"


def test_in_kuhn_the_higher_card_wins():
    values = strengths(hands(3, 1), deck=Deck(ranks=3, suits=1))
    assert values[0] < values[1] < values[2]


def test_in_leduc_a_pair_with_the_board_beats_a_higher_card():
    deck = Deck(ranks=3, suits=2)
    board = deck.parse("2c")
    deuce, trey, four = 1, (2, 3), (4, 5)
    values = strengths(hands(6, 1), board, deck)
    assert values[0] == -1
    assert values[trey[0]] == values[trey[1]] < values[four[0]] == values[four[1]] < values[deuce]


@pytest.mark.parametrize("board", ["", "2c", "As Kd 2c", "As Kd 2c 2d", "As Ks Qs Js Ts"])
def test_a_hand_and_a_board_are_as_strong_as_their_cards_together(board):
    board_cards = FULL_DECK.parse(board)
    every = hands(52, 2)
    values = strengths(every, board_cards)
    for hand, value in zip(every.tolist(), values, strict=True):
        if set(hand) & set(board_cards):
            assert value == -1
        else:
            together = np.array([*hand, *board_cards], dtype=np.uint8)
            assert value == evaluate(together, len(together), 4, 13, ACPC)


@settings(derandomize=True, deadline=None)
@given(
    st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True),
    st.permutations(range(7)),
    st.permutations(range(4)),
)
def test_strength_depends_on_neither_the_order_of_cards_nor_the_names_of_suits(cards, order, suits):
    dealt = np.array(cards, dtype=np.uint8)
    renamed = np.array([cards[k] // 4 * 4 + suits[cards[k] % 4] for k in order], dtype=np.uint8)
    assert evaluate(dealt, 7, 4, 13, ACPC) == evaluate(renamed, 7, 4, 13, ACPC)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True))
def test_another_card_never_hurts(cards):
    dealt = np.array(cards, dtype=np.uint8)
    assert (
        evaluate(dealt, 5, 4, 13, ACPC) <= evaluate(dealt, 6, 4, 13, ACPC) <= evaluate(dealt, 7, 4, 13, ACPC)
    )


def test_rankings_have_names():
    assert RANKINGS == {"acpc": ACPC, "three-card": THREE_CARD}


@pytest.mark.parametrize(
    ("hole_cards", "board", "deck", "ranking", "complaint"),
    [
        (2, "AsKsQsJsTs9s", FULL_DECK, ACPC, "a hand of 8 cards: 1 to 7"),
        (2, "AsKs", FULL_DECK, THREE_CARD, "a hand of 4 cards: the three-card ranking needs exactly 3"),
        (2, "As", FULL_DECK, 7, "ranking 7 does not exist"),
        (2, "", Deck(3, 2), ACPC, "a hand holds card 51: the deck's cards are 0 to 5"),
    ],
)
def test_what_cannot_be_ranked_is_refused(hole_cards, board, deck, ranking, complaint):
    with pytest.raises(ErraiError, match=complaint):
        strengths(hands(52, hole_cards), deck.parse(board), deck, ranking)


def test_a_board_holds_each_card_once():
    with pytest.raises(ErraiError, match="board '2c2c' holds a card twice"):
        strengths(hands(52, 2), (0, 0))


def test_a_hand_that_the_board_rules_out_has_no_category():
    with pytest.raises(ErraiError, match="-1 is not a strength"):
        category_name(-1)
