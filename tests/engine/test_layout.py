"""A spot as arrays: sizes, stakes, and where everything lies."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from errai.cards.notation import FULL_DECK
from errai.engine.kernels.matching import SEGMENT
from errai.engine.layout import layout, shape
from errai.games.catalogue import load_game
from errai.games.sizes import game_sizes, information_sets
from errai.games.spot import spot, whole_game
from errai.games.state import parse_state
from tests import naive
from tests.engine.weights import contexts, places
from tests.games_strategies import small_games

HOLDEM = load_game("holdem")


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhode-island", "holdem-2-1", "holdem-2-4", "royal"])
def test_information_sets_are_those_of_counting(name):
    """Which are the published ones: tests/games/test_sizes.py."""
    assert shape(whole_game(load_game(name))).information_sets == information_sets(load_game(name))


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhode-island", "holdem-2-1", "holdem-2-4", "royal"])
def test_every_round_has_the_boards_hands_contexts_and_actions_of_counting(name):
    known = shape(whole_game(load_game(name)))
    counted = game_sizes(load_game(name))
    bounds = [int(bound) for bound in known.tree.levels]
    hands = [int(known.classes[low:high].sum()) for low, high in pairwise(bounds)]
    assert list(np.diff(bounds)) == [size.boards for size in counted]
    assert hands == [size.hands for size in counted]
    assert list(known.contexts) == [size.contexts for size in counted]
    assert known.numbers == sum(size.actions * size.hands for size in counted)


def test_leduc_has_936_information_sets_when_suits_are_told_apart():
    assert shape(whole_game(load_game("leduc")), isomorphism=False).information_sets == 936


def test_contexts_of_a_flop_of_holdem():
    flop = shape(spot(HOLDEM, "Ks7h2d", "rc"))
    assert flop.contexts == (1, 9, 81)
    assert [len(template.nodes) for template in flop.templates] == [10, 10, 10]


@pytest.mark.parametrize(
    ("game", "board", "betting"),
    [
        ("leduc", "", ""),
        ("rhode-island", "Ks", "rc"),
        ("holdem", "Ks7s2s", "rc"),
        ("holdem", "Ks7s2s", "rc/r"),
    ],
)
def test_stakes_of_every_context_are_those_of_the_rules(game, board, betting):
    rules = load_game(game)
    where = spot(rules, board, betting)
    built = layout(where)
    for level, reached in enumerate(contexts(built)):
        first = int(built.betting.first_context[level])
        for context, text in enumerate(reached):
            state = parse_state(rules, text)
            # The root's own chips are counted by the first level's endings.
            expected = 0 if level == 0 else state.spent[0]
            assert built.betting.stake[first + context] == expected
            assert state.spent[0] == state.spent[1] or level == 0


@settings(max_examples=40, deadline=None, derandomize=True)
@given(small_games(most_histories=2000))
def test_every_number_of_the_store_belongs_to_one_information_set(game):
    for isomorphism in (True, False):
        built = layout(whole_game(game), isomorphism=isomorphism)
        at = np.concatenate([places_ for _, places_ in places(built)])
        assert sorted(at) == list(range(int(built.boards.offset[-1])))
        assert built.shape.numbers == len(at)
        assert built.shape.information_sets == sum(1 for _ in places(built))
    assert sorted(key for key, _ in places(built)) == naive.information_sets(game)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(small_games(most_histories=2000))
def test_classes_stand_for_all_hands(game):
    coarse, fine = (layout(whole_game(game), isomorphism=isomorphism) for isomorphism in (True, False))
    assert len(coarse.hand_classes.hand) <= len(fine.hand_classes.hand)
    assert (fine.hand_classes.size == 1).all()
    root = slice(0, int(coarse.hand_classes.first[1]))
    assert coarse.hand_classes.size[root].sum() == int(fine.hand_classes.first[1])
    # The chance of all boards that one hand can meet is 1.
    for built in (coarse, fine):
        for level in range(built.levels - 1):
            low, high = built.shape.tree.levels[level], built.shape.tree.levels[level + 1]
            met = np.zeros(int(built.hand_classes.first[high]))
            for child in range(int(high), int(built.shape.tree.levels[level + 2])):
                part = slice(built.hand_classes.first[child], built.hand_classes.first[child + 1])
                base = built.hand_classes.first[built.shape.tree.parent[child]]
                np.add.at(met, base + built.hand_classes.up[part], built.hand_classes.up_weight[part])
            known = int(built.shape.tree.public[level])
            left = game.deck_size - known - game.hole_cards
            new = int(built.shape.tree.public[level + 1]) - known
            seen = met[built.hand_classes.first[low] :]
            # Betting.chance also knows the opponent's cards, which leave fewer boards.
            both = np.prod([(left - game.hole_cards - i) / (left - i) for i in range(new)])
            np.testing.assert_allclose(seen * built.betting.chance[level + 1] * both, 1, rtol=1e-12)


def test_scales_of_a_16_bit_store_have_room_for_every_segment():
    built = layout(spot(HOLDEM, "Ks7s2s5s9s", "cc/cc/cc"))
    H = int(built.shape.classes[0])
    assert built.boards.block[-1] == 10 * -(-H // SEGMENT)
    assert built.boards.offset[-1] == 26 * H


def test_contexts_are_cut_into_equal_chunks_that_fit_the_cache():
    built = layout(spot(HOLDEM, "Ks7s2s", "rc"))
    chunk, contexts_ = int(built.betting.chunk[-1]), int(built.betting.contexts[-1])
    assert contexts_ % chunk == 0
    assert chunk < contexts_ == 81
    assert list(built.betting.chunk[:-1]) == list(built.betting.contexts[:-1])


def test_asymmetric_ranges_use_fewer_symmetries():
    def classes(first, second):
        return shape(spot(HOLDEM, "Ks7s2s5s", "cc/cc", (first, second))).hand_classes

    everything = classes(None, None)
    ranks = classes("AA,KQs", None)
    one_suit = classes("AhKh,QQ", None)
    one_hand = classes("AhKd,QQ", None)
    assert everything == ranks < one_suit < one_hand
    trivial = shape(spot(HOLDEM, "Ks7s2s5s", "cc/cc"), isomorphism=False)
    assert one_hand == trivial.hand_classes


def test_a_public_card_before_the_first_round_is_a_level_without_decisions():
    built = layout(whole_game(replace(load_game("leduc"), name="public first", board_cards=(1, 1))))
    assert built.levels == 3
    assert built.betting.rows[0] == 0
    assert list(np.diff(built.shape.tree.levels)) == [1, 3, 9]
    assert [bool(template.nodes) for template in built.shape.templates] == [False, True, True]


def test_hands_that_nobody_can_hold_cost_nothing():
    narrow = shape(spot(HOLDEM, "Ks7h2d5c3h", "cc/cc/cc", ("AA,KQs", "QQ")))
    # AA 6, KQs without the king of spades 3, QQ 6
    assert narrow.hand_classes == 15
    assert narrow.information_sets == 10 * 15
    turn = layout(spot(HOLDEM, "Ks7h2d5c", "cc/cc", ("AA", "QQ")))
    ace = next(b for b in range(1, 49) if turn.shape.tree.cards[b, 4] == FULL_DECK.parse("Ah")[0])
    assert turn.shape.classes[ace] == 3 + 6
