"""Hand classes of a board: they stand for all hands, and sums over them are sums over hands."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest

from errai.cards.boards import board_tree
from errai.cards.hand_classes import class_counts, hand_classes, level_of
from errai.cards.notation import FULL_DECK, Deck, hands
from errai.cards.suits import TRIVIAL_GROUP, suit_permutations, symmetries, whole_group
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from tests import naive


def trees():
    """Deck, hole cards, deals, root board, ranking, and whether suits are told apart."""
    return [
        pytest.param(Deck(3, 2), 1, (1,), (), "acpc", False, id="leduc"),
        pytest.param(Deck(3, 2), 1, (1,), (), "acpc", True, id="leduc with suits"),
        pytest.param(Deck(4, 4), 1, (1, 1), (), "three-card", True, id="small rhode island"),
        pytest.param(Deck(5, 3), 2, (3, 1), (), "acpc", True, id="two hole cards"),
        pytest.param(Deck(4, 4), 2, (0, 1), (0, 1, 2), "acpc", True, id="from a flop of one rank"),
    ]


def build(deck, hole_cards, dealt, root, ranking, suits_matter):
    moves = suit_permutations(deck, hole_cards, suits_matter)
    group = symmetries(moves, (root,)) if root else whole_group(moves)
    tree = board_tree(deck, moves, root, dealt, group)
    return tree, moves, hand_classes(tree, deck, moves, hole_cards, ranking)


def board_cards(tree, board):
    return [int(card) for card in tree.cards[board, : tree.public[level_of(tree)[board]]]]


def members(tree, moves, board, hand):
    """All hands of the class of `hand`."""
    group = int(tree.group[board])
    return sorted({int(moves.hands[g][hand]) for g in range(len(moves.hands)) if group >> g & 1})


@pytest.mark.parametrize(("deck", "hole_cards", "dealt", "root", "ranking", "suits_matter"), trees())
def test_classes_of_a_board_stand_for_every_hand_that_avoids_it(
    deck, hole_cards, dealt, root, ranking, suits_matter
):
    tree, moves, found = build(deck, hole_cards, dealt, root, ranking, suits_matter)
    holes = hands(deck.size, hole_cards)
    for board in range(len(tree.parent)):
        low, high = found.first[board], found.first[board + 1]
        public = board_cards(tree, board)
        live = [hand for hand in range(len(holes)) if not set(map(int, holes[hand])) & set(public)]
        classes = [members(tree, moves, board, hand) for hand in found.hand[low:high]]
        assert [cls[0] for cls in classes] == list(found.hand[low:high])
        assert [len(cls) for cls in classes] == list(found.size[low:high])
        assert sorted(hand for cls in classes for hand in cls) == live
        assert found.size[low:high].sum() == comb(deck.size - len(public), hole_cards)


@pytest.mark.parametrize(("deck", "hole_cards", "dealt", "root", "ranking", "suits_matter"), trees())
def test_shares_give_the_reach_of_the_hands_that_hold_a_card(
    deck, hole_cards, dealt, root, ranking, suits_matter
):
    tree, moves, found = build(deck, hole_cards, dealt, root, ranking, suits_matter)
    holes = hands(deck.size, hole_cards)
    generator = np.random.default_rng(3)
    for board in range(len(tree.parent)):
        low, high = found.first[board], found.first[board + 1]
        reach = generator.random(high - low)
        by_orbit = np.zeros(deck.size + 1)
        for column in range(2):
            np.add.at(by_orbit, found.card[low:high, column], found.share[low:high, column] * reach)
        by_card = np.zeros(deck.size)
        for hand, r in zip(found.hand[low:high], reach, strict=True):
            for member in members(tree, moves, board, hand):
                by_card[holes[member]] += r
        group = int(tree.group[board])
        for card in range(deck.size):
            images = [int(moves.cards[g][card]) for g in range(len(moves.cards)) if group >> g & 1]
            assert by_orbit[min(images)] == pytest.approx(by_card[card], rel=1e-6)
        assert by_orbit[deck.size] == 0
        if hole_cards == 1:
            assert (found.card[low:high, 0] == found.hand[low:high]).all()
            assert (found.card[low:high, 1] == deck.size).all()


@pytest.mark.parametrize(("deck", "hole_cards", "dealt", "root", "ranking", "suits_matter"), trees())
def test_a_hand_meets_every_next_board_that_avoids_it(deck, hole_cards, dealt, root, ranking, suits_matter):
    tree, _, found = build(deck, hole_cards, dealt, root, ranking, suits_matter)
    levels = level_of(tree)
    for board in range(int(tree.levels[-2])):
        low, high = found.first[board], found.first[board + 1]
        met = np.zeros(high - low)
        for child in range(tree.first_child[board], tree.first_child[board] + tree.children[board]):
            below = slice(found.first[child], found.first[child + 1])
            np.add.at(met, found.up[below], found.up_weight[below])
        level = levels[board]
        left = deck.size - int(tree.public[level]) - hole_cards
        new = int(tree.public[level + 1] - tree.public[level])
        np.testing.assert_allclose(met, comb(left, new), rtol=1e-12)


@pytest.mark.parametrize(("deck", "hole_cards", "dealt", "root", "ranking", "suits_matter"), trees())
def test_a_class_lies_within_the_class_it_came_from(deck, hole_cards, dealt, root, ranking, suits_matter):
    tree, moves, found = build(deck, hole_cards, dealt, root, ranking, suits_matter)
    assert (found.up[: found.first[1]] == -1).all()
    for board in range(1, len(tree.parent)):
        parent = int(tree.parent[board])
        for place in range(found.first[board], found.first[board + 1]):
            came_from = int(found.hand[found.first[parent] + found.up[place]])
            assert set(members(tree, moves, board, int(found.hand[place]))) <= set(
                members(tree, moves, parent, came_from)
            )


def ordered_strengths(game, tree, found, board):
    """The strength of each class and the runs of equal strength that the hand_classes claim."""
    low, high = found.first[board], found.first[board + 1]
    holes = hands(game.deck_size, game.hole_cards)
    public = board_cards(tree, board)
    strengths = [
        naive.strength(game, tuple(sorted([*map(int, holes[hand]), *public])))
        for hand in found.hand[low:high]
    ]
    last = board - int(tree.levels[-2])
    ends = found.ties[found.first_tie[last] : found.first_tie[last + 1]]
    return strengths, [0, *map(int, ends)]


@pytest.mark.parametrize(("deck", "hole_cards", "dealt", "root", "ranking", "suits_matter"), trees())
def test_on_the_last_board_classes_ascend_in_strength(deck, hole_cards, dealt, root, ranking, suits_matter):
    tree, _, found = build(deck, hole_cards, dealt, root, ranking, suits_matter)
    game = GameDefinition(
        "test", "limit", (1, 1), (1,), (0,), (1,), deck.suits, deck.ranks, hole_cards,
        (int(tree.public[-1]),), ranking=ranking,
    )  # fmt: skip
    for board in range(int(tree.levels[-2]), len(tree.parent)):
        strengths, ends = ordered_strengths(game, tree, found, board)
        runs = [strengths[low:high] for low, high in pairwise(ends)]
        assert ends[-1] == len(strengths)
        assert all(len(set(run)) == 1 for run in runs)
        assert all(weak[0] < strong[0] for weak, strong in pairwise(runs))


@pytest.mark.parametrize("text", ["Ks7h2d5c9c", "KsQsJsTs9s", "2s2h2d2cAs"])
def test_seven_card_hands_of_a_river_ascend_in_strength(text):
    board = FULL_DECK.parse(text)
    moves = suit_permutations(FULL_DECK, 2)
    tree = board_tree(FULL_DECK, moves, board, (), TRIVIAL_GROUP)
    found = hand_classes(tree, FULL_DECK, moves, 2, "acpc")
    strengths, ends = ordered_strengths(load_game("holdem"), tree, found, 0)
    assert len(strengths) == comb(47, 2)
    assert strengths == sorted(strengths)
    assert len(ends) - 1 == len(set(strengths))


def test_on_a_royal_flush_every_hand_ties():
    board = FULL_DECK.parse("AsKsQsJsTs")
    moves = suit_permutations(FULL_DECK, 2)
    tree = board_tree(FULL_DECK, moves, board, (), symmetries(moves, (board,)))
    found = hand_classes(tree, FULL_DECK, moves, 2, "acpc")
    assert list(found.ties) == [len(found.hand)]


def test_class_counts_are_those_of_the_holdings():
    deck = Deck(5, 3)
    tree, moves, found = build(deck, 2, (2, 1), (), "acpc", True)
    assert (class_counts(tree, deck, moves, 2) == np.diff(found.first)).all()
