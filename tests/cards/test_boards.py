"""The tree of public cards: one board of each class, and together they stand for all."""

from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest

from errai.cards.boards import board_tree
from errai.cards.counting import canonical_deals, deals
from errai.cards.notation import FULL_DECK, Deck
from errai.cards.suits import TRIVIAL_GROUP, suit_permutations, symmetries, whole_group

DECKS = [
    (Deck(3, 2), (1,)),
    (Deck(4, 3), (2, 1)),
    (Deck(3, 4), (3, 1)),
    (Deck(5, 2), (0, 3, 0, 1)),
    (Deck(13, 4), (1, 1)),
]


def whole_tree(deck, dealt, root=()):
    moves = suit_permutations(deck, 1)
    group = symmetries(moves, (root,)) if root else whole_group(moves)
    return board_tree(deck, moves, root, dealt, group)


def boards_for(tree):
    """How many real boards each board stands for, from the root on."""
    counts = np.ones(len(tree.parent), np.int64)
    for low, high in pairwise(tree.levels[1:]):
        counts[low:high] = counts[tree.parent[low:high]] * tree.orbit[low:high]
    return counts


def by_level(tree, values):
    return [values[low:high] for low, high in pairwise(tree.levels)]


def test_holdem_has_the_published_numbers_of_canonical_boards():
    tree = whole_tree(FULL_DECK, (3, 1, 1))
    assert list(np.diff(tree.levels)) == [1, 1_755, 63_193, 2_554_656]
    stands_for = by_level(tree, boards_for(tree))
    assert [int(counts.sum()) for counts in stands_for] == [
        1, comb(52, 3), comb(52, 3) * 49, comb(52, 3) * 49 * 48,
    ]  # fmt: skip


def test_rhode_island_has_13_flops_and_325_turns():
    assert list(np.diff(whole_tree(FULL_DECK, (1, 1)).levels)) == [1, 13, 325]


@pytest.mark.parametrize(("deck", "dealt"), DECKS)
def test_boards_are_as_many_as_orbits_and_stand_for_all_deals(deck, dealt):
    tree = whole_tree(deck, dealt)
    for level, counts in enumerate(by_level(tree, boards_for(tree))):
        groups = [cards for cards in dealt[:level] if cards]
        assert len(counts) == canonical_deals(deck.ranks, deck.suits, groups)
        assert counts.sum() == deals(deck.ranks, deck.suits, groups)


@pytest.mark.parametrize(("deck", "dealt"), DECKS[:3])
def test_every_deal_can_be_renamed_to_exactly_one_child(deck, dealt):
    tree = whole_tree(deck, dealt)
    moves = suit_permutations(deck, 1).cards
    for board in range(int(tree.levels[-2])):
        level = int(np.searchsorted(tree.levels, board, side="right")) - 1
        known, new = int(tree.public[level]), dealt[level]
        held = {int(card) for card in tree.cards[board, :known]}
        children = range(tree.first_child[board], tree.first_child[board] + tree.children[board])
        dealt_sets = {
            frozenset(map(int, tree.cards[child, known : known + new])): child for child in children
        }
        found = dict.fromkeys(children, 0)
        for cards in combinations(sorted(set(range(deck.size)) - held), new):
            images = {
                frozenset(int(move[card]) for card in cards)
                for g, move in enumerate(moves)
                if int(tree.group[board]) >> g & 1
            }
            (canonical,) = images & dealt_sets.keys()
            found[dealt_sets[canonical]] += 1
        assert list(found.values()) == [int(tree.orbit[child]) for child in children]


@pytest.mark.parametrize(("deck", "dealt"), DECKS)
def test_the_group_of_a_board_is_what_keeps_each_of_its_deals(deck, dealt):
    tree = whole_tree(deck, dealt)
    moves = suit_permutations(deck, 1)
    generator = np.random.default_rng(11)
    for board in generator.integers(0, len(tree.group), 200):
        level = int(np.searchsorted(tree.levels, board, side="right")) - 1
        cards = [int(card) for card in tree.cards[board, : tree.public[level]]]
        bounds = [int(count) for count in tree.public[: level + 1]]
        by_round = tuple(tuple(cards[low:high]) for low, high in pairwise(bounds))
        assert tree.group[board] == symmetries(moves, by_round)


def test_parents_and_children_know_each_other():
    tree = whole_tree(Deck(4, 4), (2, 1, 1))
    for board in range(int(tree.levels[-2])):
        first, count = tree.first_child[board], tree.children[board]
        assert count > 0
        assert (tree.parent[first : first + count] == board).all()
    assert (np.diff(tree.parent) >= 0).all()
    assert tree.children[int(tree.levels[-2]) :].sum() == 0


def test_a_tree_can_start_at_a_flop():
    flop = FULL_DECK.parse("Ks7s2s")
    tree = whole_tree(FULL_DECK, (1, 1), flop)
    # A spade, or one of the other 39 cards, whose three suits are alike.
    assert int(tree.levels[2] - tree.levels[1]) == 10 + 13
    assert boards_for(tree)[int(tree.levels[2]) :].sum() == 49 * 48
    assert (tree.cards[:, :3] == flop).all()


def test_without_symmetries_every_board_stands_for_itself():
    deck = Deck(3, 3)
    tree = board_tree(deck, suit_permutations(deck, 1), (), (2, 1), TRIVIAL_GROUP)
    assert list(np.diff(tree.levels)) == [1, comb(9, 2), comb(9, 2) * 7]
    assert (tree.orbit == 1).all()
    assert (tree.group == TRIVIAL_GROUP).all()
