"""The sizes of games: the printed counts of the papers."""

import pytest

from errai.games.catalogue import builtin_names, load_game
from errai.games.definition import parse_game
from errai.games.sizes import game_sizes, information_sets


def column(name, field):
    return [getattr(size, field) for size in game_sizes(load_game(name))]


def test_information_sets_of_heads_up_limit_hold_em_by_round():
    assert column("holdem", "information_sets") == [1_352, 90_075_440, 34_770_038_940, 13_768_389_671_400]


def test_information_sets_of_heads_up_limit_hold_em_in_all():
    assert information_sets(load_game("holdem")) == 13_803_249_787_132
    assert sum(column("holdem", "raw_information_sets")) == 319_365_922_522_608


def test_betting_of_hold_em():
    assert column("holdem", "contexts") == [1, 7, 63, 567]
    assert column("holdem", "betting_nodes") == [8, 70, 630, 5_670]
    assert column("holdem", "actions") == [21, 7 * 26, 63 * 26, 567 * 26]


def test_cards_of_hold_em():
    assert column("holdem", "boards") == [1, 1_755, 63_193, 2_554_656]
    assert column("holdem", "hands") == [169, 1_286_792, 55_190_538, 2_428_287_420]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("kuhn", 12),
        ("leduc", 288),
        ("rhode-island", 3_937_128),
        ("holdem-2-1", 15_442_180),
        ("holdem-2-4", 90_076_792),
        ("royal", 7_993_762_900),
        ("holdem", 13_803_249_787_132),
    ],
)
def test_information_sets_of_the_built_in_games(name, count):
    assert information_sets(load_game(name)) == count


def test_leduc_has_936_information_sets_when_suits_are_told_apart():
    assert column("leduc", "raw_information_sets") == [36, 900]


def test_leduc_hands_are_told_apart_by_rank_alone():
    assert column("leduc", "hands") == [3, 9]
    assert column("leduc", "boards") == [1, 3]


def test_kuhn_has_four_decisions_for_each_of_three_cards():
    (size,) = game_sizes(load_game("kuhn"))
    assert (size.betting_nodes, size.contexts, size.actions, size.boards, size.hands) == (4, 1, 8, 1, 3)


def test_rhode_island_by_round():
    assert column("rhode-island", "contexts") == [1, 7, 49]
    assert column("rhode-island", "hands") == [13, 325, 9_997]


@pytest.mark.parametrize("name", builtin_names())
def test_a_round_has_at_least_two_actions_a_decision_and_information_sets_are_a_product(name):
    for size in game_sizes(load_game(name)):
        assert 2 * size.betting_nodes <= size.actions <= 3 * size.betting_nodes
        assert size.information_sets == size.betting_nodes * size.hands
        assert size.hands >= size.boards
        assert size.raw_information_sets >= size.information_sets


def test_a_game_without_raises_only_checks():
    text = load_game("leduc").text().replace("maxRaises = 2 2", "maxRaises = 0 0")
    sizes = game_sizes(parse_game(text))
    assert [(size.contexts, size.betting_nodes, size.actions) for size in sizes] == [(1, 2, 2), (1, 2, 2)]


def test_suits_count_once_five_cards_can_make_a_flush():
    suited, plain = (
        load_game("holdem-2-1"),
        parse_game(load_game("holdem-2-1").text().replace("numBoardCards = 0 3", "numBoardCards = 0 2")),
    )
    assert (suited.suits_matter, plain.suits_matter) == (True, False)
    assert game_sizes(plain)[0].hands == 91
