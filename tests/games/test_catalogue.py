"""The built-in games, and the ways to name a game wrongly."""

from importlib.resources import files

import pytest

from errai.errors import ErraiError
from errai.games.catalogue import builtin_names, describe, load_game, no_limit_names


def test_every_definition_in_the_package_is_a_built_in_game():
    shipped = {file.name.removesuffix(".game") for file in (files("errai.games") / "definitions").iterdir()}
    assert shipped == {*builtin_names(), *no_limit_names()}


@pytest.mark.parametrize("name", builtin_names())
def test_a_built_in_game_loads_in_any_case_and_carries_its_name(name):
    game = load_game(name)
    assert game.name == name
    assert load_game(name.upper()) == game
    assert game.players == 2
    assert game.betting == "limit"


# blind, raiseSize, first to act (from 0), maxRaises, (suits, ranks), hole cards, board cards
TABLE = {
    "kuhn": ((1, 1), (1,), (0,), (1,), (1, 3), 1, (0,)),
    "leduc": ((1, 1), (2, 4), (0, 0), (2, 2), (2, 3), 1, (0, 1)),
    "rhode-island": ((5, 5), (10, 20, 20), (0, 0, 0), (3, 3, 3), (4, 13), 1, (0, 1, 1)),
    "holdem-2-1": ((10, 5), (10, 20), (1, 0), (1, 1), (4, 13), 2, (0, 3)),
    "holdem-2-4": ((10, 5), (10, 20), (1, 0), (3, 4), (4, 13), 2, (0, 3)),
    "royal": ((10, 5), (10, 10, 20, 20), (1, 0, 0, 0), (3, 4, 4, 4), (4, 5), 2, (0, 3, 1, 1)),
    "holdem": ((10, 5), (10, 10, 20, 20), (1, 0, 0, 0), (3, 4, 4, 4), (4, 13), 2, (0, 3, 1, 1)),
}


@pytest.mark.parametrize("name", builtin_names())
def test_the_rules_of_a_built_in_game(name):
    game = load_game(name)
    deck = (game.suits, game.ranks)
    rules = (game.blinds, game.raise_sizes, game.first_player, game.max_raises, deck, game.hole_cards)
    assert (*rules, game.board_cards) == TABLE[name]
    assert game.ranking == ("three-card" if name == "rhode-island" else "acpc")


@pytest.mark.parametrize(("name", "big_blinds"), [("nolimit", 200), ("nolimit-10", 10)])
def test_no_limit_holdem_is_built_in_with_the_blinds_of_the_acpc(name, big_blinds):
    game, holdem = load_game(name), load_game("holdem")
    assert (game.name, game.betting, game.blinds) == (name, "nolimit", (100, 50))
    assert game.stacks == (100 * big_blinds, 100 * big_blinds)
    assert (game.ranks, game.suits, game.hole_cards) == (13, 4, 2)
    assert (game.first_player, game.board_cards) == (holdem.first_player, holdem.board_cards)


@pytest.mark.parametrize("name", [*builtin_names(), *no_limit_names()])
def test_a_built_in_game_is_described_in_one_line(name):
    line = describe(name)
    assert line
    assert "\n" not in line
    assert not line.startswith("#")


def test_a_game_file_is_named_after_its_stem(tmp_path):
    path = tmp_path / "house.game"
    path.write_text(load_game("leduc").text())
    assert load_game(path) == load_game(str(path)) == load_game("leduc")
    assert load_game(path).name == "house"


def test_a_game_file_needs_no_extension_and_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "house"
    path.write_bytes(b"\xef\xbb\xbf" + load_game("kuhn").text().replace("\n", "\r\n").encode())
    assert load_game(path) == load_game("kuhn")


def test_an_error_in_a_game_file_names_the_file(tmp_path):
    path = tmp_path / "house.game"
    path.write_text(load_game("kuhn").text().replace("numRanks = 3", "numRanks = 30"))
    with pytest.raises(ErraiError, match=r"house\.game, line 10: numRanks is 30; it is 2 to 13"):
        load_game(path)


def test_an_unknown_name_is_told_the_nearest_and_all_others():
    with pytest.raises(ErraiError) as error:
        load_game("leduk")
    message = str(error.value)
    assert "unknown game 'leduk': did you mean leduc?" in message
    assert ", ".join(builtin_names()) in message
    with pytest.raises(ErraiError, match="did you mean rhode-island"):
        describe("rhode_island")


@pytest.mark.parametrize("name", ["", " ", "go-fish", "nul\0byte", "x" * 5000])
def test_a_name_like_no_other_gets_the_list(name):
    with pytest.raises(ErraiError, match="the built-in games are kuhn"):
        load_game(name)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ErraiError, match=r"gone\.game' does not exist; the built-in games are kuhn"):
        load_game(tmp_path / "gone.game")


def test_a_directory_is_no_game(tmp_path):
    with pytest.raises(ErraiError, match="is a directory"):
        load_game(tmp_path)


@pytest.mark.parametrize("content", [b"GAMEDEF\n\0\0", b"GAMEDEF\n\xff\xfe\xfa"])
def test_a_binary_file_is_no_game(tmp_path, content):
    path = tmp_path / "photo.game"
    path.write_bytes(content)
    with pytest.raises(ErraiError, match=r"photo\.game' is not text"):
        load_game(path)


def test_a_huge_file_is_no_game(tmp_path):
    path = tmp_path / "book.game"
    path.write_text("# a line\n" * 10_000)
    with pytest.raises(ErraiError, match="larger than 65536 bytes"):
        load_game(path)


def test_a_file_behind_a_file_cannot_be_read(tmp_path):
    path = tmp_path / "plain"
    path.write_text("")
    with pytest.raises(ErraiError, match="cannot be read: Not a directory"):
        load_game(path / "inner.game")
