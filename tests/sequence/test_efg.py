"""Gambit's `.efg` files: what is read, what is written, and what is said of a file that is wrong."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pygambit
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.errors import ErraiError
from errai.sequence.builder import GameBuilder
from errai.sequence.efg import parse_efg, read_efg
from errai.sequence.efg_writer import format_efg, write_efg
from errai.sequence.tree import END, ExtensiveGame
from tests.sequence.textbook import FOLDER, TEXTBOOK

HEAD = 'EFG 2 R "game" { "Ann" "Bob" }\n'
PENNIES = (FOLDER / "matching_pennies.efg").read_text(encoding="utf-8")

some = settings(max_examples=100, deadline=None, derandomize=True)
many = settings(max_examples=400, deadline=None, derandomize=True)


def text_of(game: ExtensiveGame) -> str:
    return "\n".join(format_efg(game))


def told(game: ExtensiveGame) -> tuple[Any, ...]:
    """All that a file says of a game, in prefix order."""
    nodes = []
    for node in game.preorder():
        which = game.information_set[node]
        nodes.append(
            (
                game.player[node],
                game.branches(node),
                game.probabilities[game.chance[node]],
                game.payoffs[game.payoff[node]] if game.player[node] == END else None,
                None if which < 0 else (game.set_names[which], game.actions(which)),
            )
        )
    return game.title, game.players, game.shift, nodes


def by_gambit(text: str) -> pygambit.Game:
    return pygambit.read_efg(io.BytesIO(text.encode()))


def value_by_gambit(game: pygambit.Game) -> Fraction:
    """By the exact LP over strategies: that over behaviours (17.0.0b2) loses its way in `take_away.efg`."""
    profile = pygambit.nash.lp_solve(game, rational=True, use_strategic=True).equilibrium
    won = profile.payoffs[next(iter(game.players))]
    return Fraction(int(won.numerator), int(won.denominator))


def complaint(text: str) -> str:
    """The one line that is said of a wrong text."""
    with pytest.raises(ErraiError) as caught:
        parse_efg(text)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def test_the_table_names_every_textbook_file():
    assert sorted(TEXTBOOK) == sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", TEXTBOOK)
def test_gambit_finds_the_value_of_the_literature(name):
    assert value_by_gambit(pygambit.read_efg(FOLDER / name)) == TEXTBOOK[name].value


@pytest.mark.parametrize("name", TEXTBOOK)
def test_gambit_finds_the_same_value_in_what_is_written(name, tmp_path):
    write_efg(read_efg(FOLDER / name), tmp_path / name)
    assert value_by_gambit(pygambit.read_efg(tmp_path / name)) == TEXTBOOK[name].value


@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_game_is_the_same_after_writing_and_reading(name):
    game = read_efg(FOLDER / name)
    assert told(parse_efg(text_of(game))) == told(game)


@pytest.mark.parametrize("name", TEXTBOOK)
def test_gambit_writes_the_same_game(name):
    """Gambit has other names for what has none, and keeps the payoffs where they were."""
    game, again = read_efg(FOLDER / name), parse_efg(pygambit.read_efg(FOLDER / name).to_efg())

    def unnamed(game):
        return [(player, chance, payoff) for player, _, chance, payoff, _ in told(game)[-1]]

    assert unnamed(again) == unnamed(game)


def test_kuhn_poker_as_it_is_read():
    game = read_efg(FOLDER / "kuhn.efg")
    assert (game.title, game.players) == ("Kuhn poker", ("Alice", "Bob"))
    assert (game.nodes, game.information_sets, game.sequences.count) == (55, 12, (13, 13))
    assert game.exact
    assert game.branches(0) == ("JQ", "JK", "QJ", "QK", "KJ", "KQ")
    assert game.actions(game.set_names.index("Q after check and bet")) == ("fold", "call")
    assert set(game.payoffs) == {-2, -1, 1, 2}


def test_numbers_are_the_fractions_that_they_say():
    chances = ["0.1", ".2", "1e-1", "1/5", "2.E-1", "20e-2"]
    branches = " ".join(f'"{chance}" {chance}' for chance in chances)
    ends = " ".join(f't "" {n} "{n}" {{ {n}.125e1, -{n}125/100 }}' for n in range(1, 7))
    game = parse_efg(f'{HEAD} c "" 1 "" {{ {branches} }} 0 {ends}')
    read = [game.probabilities[code] for code in game.chance[1:]]
    assert read == [
        Fraction(1, 10),
        Fraction(1, 5),
        Fraction(1, 10),
        Fraction(1, 5),
        Fraction(1, 5),
        Fraction(1, 5),
    ]
    assert game.payoffs[:2] == (Fraction(45, 4), Fraction(85, 4))
    assert game.exact


def test_outcomes_on_the_way_add_up():
    game = read_efg(FOLDER / "endgame.efg")
    won = {
        game.path(node): game.payoffs[game.payoff[node]]
        for node in game.preorder()
        if game.player[node] == END
    }
    assert won == {
        ("winning", "bet", "call"): 3,
        ("winning", "bet", "fold"): 1,
        ("winning", "check"): 1,
        ("losing", "bet", "call"): -3,
        ("losing", "bet", "fold"): 1,
        ("losing", "check"): -1,
    }


def test_a_constant_sum_is_shifted_and_written_back():
    game = read_efg(FOLDER / "software.efg")
    assert game.shift == 8
    assert set(game.payoffs) == {-8, 4, -12, 12}
    assert "{ 12, 4 }" in text_of(game)
    assert "{ 20, -4 }" in text_of(game)


def test_a_branch_of_probability_zero_is_kept():
    game = read_efg(FOLDER / "joker.efg")
    assert game.branches(0) == ("joker", "king", "queen")
    assert game.probabilities[game.chance[1]] == 0
    assert "student peeks" in game.set_names


SHORT_PENNIES = """EFG 2 D "Matching pennies" { "Even" "Odd" }
p "" 1 10 "even" { "heads" "tails" } 0
p "" 2 10 "odd" { "heads" "tails" } 0 t "" 7 "" { 1 -1 } t "" 3 { -1.0, 1 }
p "" 2 10 0 t "" 3 t "" 7"""


@pytest.mark.parametrize(
    "text",
    [
        SHORT_PENNIES,
        SHORT_PENNIES.replace('p "" 2 10 0', 'p "" 2 10 "odd" 0'),
        " ".join(PENNIES.split()),
        PENNIES.replace(",", ""),
        PENNIES.replace(" ", "\t\r\n").replace("Matching\t\r\npennies", "Matching pennies"),
    ],
)
def test_what_may_be_left_out_changes_nothing(text):
    assert told(parse_efg(text)) == told(parse_efg(PENNIES))


def test_an_outcome_may_have_payoffs_without_a_name():
    assert parse_efg(f'{HEAD}t "" 1 {{ 3,-3, }}').payoffs == (3,)


def test_quotes_backslashes_and_line_breaks_in_names():
    game = read_efg(FOLDER / "rock_paper_scissors.efg")
    assert (game.title, game.players[0]) == ('"Rock", paper, scissors for 1, 2 and 3', "Ann \\ Anna")
    game = parse_efg('EFG 2 R "two\nlines" { "\\alpha" "{ \\"" } t "" 0')
    assert (game.title, game.players) == ("two\nlines", ("\\alpha", '{ "'))


def test_actions_without_names_of_their_own_get_their_places():
    def actions(listed):
        places = listed.count('"') // 2
        return parse_efg(f'{HEAD}p "" 1 1 "" {{ {listed} }} 0' + ' t "" 0' * places).actions(0)

    assert actions('"" ""') == ("#1", "#2")
    assert actions('"raise" "fold" "raise"') == ("raise", "fold", "raise #3")
    assert actions('"" "#1" "a" "a" "a #4"') == ("#1 #1", "#1", "a", "a #4 #4", "a #4")


def test_sets_of_one_name_are_told_apart():
    game = parse_efg(
        f'{HEAD}p "" 1 1 "me" {{ "a" }} 0 p "" 1 5 "me" {{ "b" }} 0 p "" 2 1 "" {{ "c" }} 0 t "" 0'
    )
    assert game.set_names == ("me", "me #2", "#3")


def test_a_game_may_be_over_at_once():
    game = parse_efg(f'{HEAD}t "" 1 "all" {{ 3 5 }}')
    assert (game.nodes, game.payoffs, game.shift) == (1, (-1,), 4)


def test_a_deep_tree():
    depth = 5_000
    nodes = (f'p "" {1 + n % 2} {n} "" {{ "stop" "go on" }} 0\nt "" 1 "" {{ 1 -1 }}\n' for n in range(depth))
    game = parse_efg(HEAD + "".join(nodes) + 't "" 0')
    assert (game.nodes, game.information_sets) == (2 * depth + 1, depth)
    assert told(parse_efg(text_of(game))) == told(game)


def test_pennies_as_they_are_written():
    assert text_of(parse_efg(PENNIES)).splitlines() == [
        'EFG 2 R "Matching pennies" { "Even" "Odd" }',
        '""',
        'p "" 1 1 "even" { "heads" "tails" } 0',
        'p "" 2 1 "odd" { "heads" "tails" } 0',
        't "" 1 "1" { 1, -1 }',
        't "" 2 "2" { -1, 1 }',
        'p "" 2 1 "odd" { "heads" "tails" } 0',
        't "" 2 "2" { -1, 1 }',
        't "" 1 "1" { 1, -1 }',
    ]


def test_floats_are_written_so_that_they_add_up():
    rough = [0.1234567890123, 0.2345678901234, 0.6419753208643001]
    builder = GameBuilder()
    for place, payoff in zip(
        builder.chance(0, zip("abc", rough, strict=True)), (0.1, 1 / 3, 2**0.5), strict=True
    ):
        builder.end(place, payoff, 1 - payoff)
    text = text_of(builder.build())
    game = parse_efg(text)
    assert game.exact
    assert [float(game.probabilities[code]) for code in game.chance[1:]] == pytest.approx(rough, rel=1e-12)
    assert [float(won + game.shift) for won in game.payoffs] == pytest.approx([0.1, 1 / 3, 2**0.5], rel=1e-12)
    assert by_gambit(text).is_const_sum


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "new folder" / "game.efg"
    game = parse_efg(PENNIES)
    write_efg(game, path)
    before = path.read_bytes()

    def failing(_):
        yield "EFG 2 R"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("errai.sequence.efg_writer.format_efg", failing)
    with pytest.raises(ErraiError, match=r"cannot write .*game\.efg: no space left"):
        write_efg(game, path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@st.composite
def games(draw, names=None):
    """Random trees. A set is known by what its player did before and a signal, so that he forgets nothing."""
    names = st.text(max_size=4) if names is None else names
    action_names = st.lists(names.filter(bool), min_size=1, max_size=3, unique=True)
    fractions = st.fractions(min_value=-9, max_value=9, max_denominator=12)
    builder = GameBuilder(draw(names), (draw(names), draw(names)))
    total = draw(fractions)
    known: dict[Any, tuple[list[str], str]] = {}
    stack: list[tuple[int, int, tuple[Any, Any]]] = [(0, 0, ((), ()))]
    while stack:
        place, depth, memory = stack.pop()
        mover = draw(st.sampled_from((0, 1, 2, 3))) if depth < 4 and builder.nodes < 60 else 3
        if mover == 3:
            won = draw(fractions)
            builder.end(place, won, total - won)
        elif mover == 2:
            weights = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3).filter(any))
            branches = [(draw(names), Fraction(weight, sum(weights))) for weight in weights]
            stack.extend((new, depth + 1, memory) for new in builder.chance(place, branches))
        else:
            key = (mover, memory[mover], draw(st.booleans()))
            if key not in known:
                known[key] = draw(action_names), draw(names)
            actions, name = known[key]
            for new, action in zip(builder.decision(place, mover, key, actions, name), actions, strict=True):
                own = (*memory[mover], (key[2], action))
                stack.append((new, depth + 1, (own, memory[1]) if mover == 0 else (memory[0], own)))
    return builder.build()


# Gambit 17 wants labels without control characters and without white space at the ends or twice in a row.
GAMBIT_NAMES = st.text('ab"{},é0', min_size=1, max_size=4)


@some
@given(games())
def test_random_games_are_the_same_after_writing_and_reading(game):
    assert told(parse_efg(text_of(game))) == told(game)


@some
@given(games(GAMBIT_NAMES))
def test_random_games_are_the_same_after_gambit_has_read_and_written_them(game):
    """Gambit renames only what is not unique: players of one name, branches of one name."""
    assume(game.players[0] != game.players[1])
    assume(all(len(set(game.branches(node))) == game.children[node] for node in game.preorder()))
    assert told(parse_efg(by_gambit(text_of(game)).to_efg())) == told(game)


TEXTS = [(FOLDER / name).read_text(encoding="utf-8") for name in TEXTBOOK if name != "kuhn.efg"]
PIECES = st.sampled_from(
    [*'{}",/-.\\\n\0 é', "p ", "c ", "t ", ' "" ', "0", "1", "2", "3", "1/0", "1e-3", '{ "a" }']
)


def survives(text: str) -> bool:
    """Whether the text is a game; if not, the complaint is one line that says where."""
    try:
        parse_efg(text)
    except ErraiError as error:
        message = str(error)
        assert message.splitlines() == [message]
        assert re.match(r"the text:(\d+:\d+| information set '.*' of .* lacks perfect recall):? ", message)
        return False
    return True


@many
@given(st.sampled_from(TEXTS), st.data())
def test_a_damaged_file_is_refused_in_one_line_or_read(text, data):
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        text = text[:start] + data.draw(st.one_of(st.just(""), PIECES)) + text[start + length :]
    survives(text)


@many
@given(st.text())
def test_any_other_text_is_refused_in_one_line(text):
    assert not survives(text)


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_that_is_cut_off_is_refused(text):
    """All of it is needed up to the number of the last outcome, whose payoffs may have been given before."""
    last = list(re.finditer(r't "" \d+', text))[-1]
    assert not any(survives(text[:length]) for length in range(last.end() - 1))
    assert "the file ends where the node after " in complaint(text[: last.start()])


CHOICE = 'p "" 1 1 "a" { "x" "y" } 0\n'
WIN = 't "" 1 "win" { 1 -1 }\n'


@pytest.mark.parametrize(
    ("text", "where", "words"),
    [
        ("", "1:1", "the file is empty; an .efg file begins with EFG 2 R"),
        (" \n\n", "1:1", "the file is empty"),
        (
            'NFG 1 R "x"',
            "1:1",
            "found 'NFG'; EFG 2 R or EFG 2 D, with which an .efg file begins, is expected",
        ),
        ("\n  EFG 3 R", "2:7", "found '3'; EFG 2 R or EFG 2 D"),
        ('EFG 2 X ""', "1:7", "found 'X'; EFG 2 R or EFG 2 D"),
        ("EFG 2", "1:6", "the file ends where EFG 2 R or EFG 2 D"),
        ("EFG 2 R { }", "1:9", "found '{ }'; the title of the game in quotes is expected"),
        ('EFG 2 R "a', "1:9", 'found " without its closing "; the title'),
        ('EFG 2 R "a" "b"', "1:13", "found '\"b\"'; the list of players, { "),
        ('EFG 2 R "a" { "b" 2 }', "1:19", "found '2'; a name in quotes is expected"),
        ('EFG 2 R "a" { "b", "c" }', "1:18", "found ','; a name in quotes is expected"),
        ('EFG 2 R "a" { "A" "B" "C" } t "" 0', "1:13", "3 players; Errai solves games of two"),
        ('EFG 2 R "a" { "A" } t "" 0', "1:13", "1 player; Errai solves games of two"),
        (HEAD, "2:1", "the file ends where the first node is expected; it is cut off"),
        (HEAD + "x", "2:1", "found 'x'; a node, which begins with c, p or t, is expected"),
        (HEAD + '""\n;', "3:1", "found ';'; a node"),
        (HEAD + "t 0", "2:3", "found '0'; the name of the node in quotes"),
        (HEAD + 'p "" 3 1 "a" { "x" } 0', "2:6", "there is no player 3; the players are 1 and 2"),
        (HEAD + 'p "" 0 1 "a" { "x" } 0', "2:6", "there is no player 0"),
        (HEAD + 'p "" 1/2 1', "2:6", "found '1/2'; the number of the player who moves is expected"),
        (HEAD + 'p "" 1 -1', "2:8", "found '-1'; the number of an information set is expected"),
        (HEAD + 'c "" "x"', "2:6", "found '\"x\"'; the number of an information set is expected"),
        (
            HEAD + 'p "" 2 7 0',
            "2:8",
            "information set 7 of player 2 is not known yet; give its name and its actions",
        ),
        (
            HEAD + 'c "" 7 0',
            "2:6",
            "information set 7 of chance is not known yet; give its name and its branches",
        ),
        (
            HEAD + 'c "" 7 "" 0',
            "2:11",
            "found '0'; the list of branches with their probabilities, { ... }, is expected",
        ),
        (HEAD + 'p "" 1 1 { "x" } 0', "2:8", "information set 1 of player 1 is not known yet; give its name"),
        (HEAD + 'p "" 1 1 "" { "x" 0\nt "" 0', "2:13", "found { without its closing }; the list of actions"),
        (HEAD + 'p "" 1 1 "" { "x" 0 } 0', "2:19", "found '0'; a name in quotes is expected"),
        (HEAD + 'p "" 1 1 "" { } 0', "2:1", "a decision needs actions, each with a name"),
        (HEAD + 'c "" 1 "" { } 0', "2:1", "a chance move needs at least one branch"),
        (HEAD + 'c "" 1 "" { "x" } 0', "2:17", "found '}'; the probability of 'x' is expected"),
        (HEAD + 'c "" 1 "" { 1 "x" } 0', "2:13", "found '1'; the name of a branch in quotes is expected"),
        (
            HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/3 } 0',
            "2:1",
            "the probabilities of chance add up to 5/6, not to 1",
        ),
        (HEAD + 'c "" 1 "" { "x" .33 "y" .66 } 0', "2:1", "the probabilities of chance add up to 99/100"),
        (HEAD + 'c "" 1 "" { "x" -1/2 "y" 3/2 } 0', "2:1", "a probability cannot be -1/2, below 0"),
        (HEAD + 't ""', "2:5", "the file ends where the number of an outcome, 0 for none is expected"),
        (
            HEAD + 't "" 1',
            "2:6",
            "outcome 1 is not known yet; give its payoffs where its number first appears",
        ),
        (HEAD + 't "" 0 "" { 1 -1 }', "2:6", "outcome 0 pays nothing; give another number"),
        (HEAD + 't "" 1 "win"', "2:13", "the file ends where the list of payoffs, { 1, -1 }"),
        (HEAD + 't "" 1 "win" 1 -1', "2:14", "found '1'; the list of payoffs, { 1, -1 }"),
        (HEAD + 't "" 1 "win" { 1 }', "2:14", "1 payoff; give one for each of the two players"),
        (HEAD + 't "" 1 "win" { 1 0 -1 }', "2:14", "3 payoffs; give one for each of the two players"),
        (HEAD + 't "" 1 "win" { 1,, -1 }', "2:18", "found ','; a payoff is expected"),
        (HEAD + 't "" 1 "win" { "1" -1 }', "2:16", "a payoff is expected"),
        (HEAD + 't "" 1 "win" { 1/0 -1 }', "2:16", "'1/0' divides by zero"),
        (HEAD + 't "" 1 "win" { 1 1_0 }', "2:18", "'1_0' is not a number; write 3, 0.5, 1e-3 or 1/3"),
        (HEAD + 't "" 1 "win" { 1e999999999 -1 }', "2:16", "'1e999999999' is not a number"),
        (HEAD + f't "" 1 "win" {{ {"9" * 5000} -1 }}', "2:16", "is not a number"),
        (HEAD + 't "" 1 "win" { 1 . }', "2:18", "'.' is not a number"),
        (
            HEAD + CHOICE + WIN,
            "4:1",
            "ends where the node after 'y' of line 2 is expected",
        ),
        (HEAD + CHOICE + WIN * 3, "5:1", "'t' after the last node; the tree is complete"),
        (
            HEAD + WIN + ' "so"',
            "3:2",
            "after the last node; the tree is complete, remove what follows it",
        ),
        (
            HEAD + CHOICE + WIN + 't "" 2 "lose" { -1 2 }',
            "4:1",
            "this is a general-sum game: the payoffs of node 2 (after y) add up to 1",
        ),
        (
            HEAD + CHOICE + WIN + 't "" 1 "win" { 1 -2 }',
            "4:14",
            "outcome 1 has { 1 -1 } on line 3 and { 1 -2 } here; give another number or the same payoffs",
        ),
        (
            HEAD + 'p "" 2 1 "a" { "x" "y" } 0\np "" 1 1 "b" { "z" } 0 t "" 0\n  p "" 1 1 "b" { "z" "x" } 0',
            "4:16",
            "information set 1 of player 1 has { 'z' } on line 3 and { 'z' 'x' } here; give another number or the",
        ),
        (
            HEAD + 'p "" 2 1 "a" { "x" "y" } 0\np "" 1 1 "b" { "z" } 0 t "" 0\n  p "" 1 1 "c" { "z" } 0',
            "4:12",
            "information set 1 of player 1 is called 'b' on line 3 and 'c' here; give another number or the",
        ),
        (
            HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0\nc "" 1 "" { "x" 1/3 "y" 2/3 } 0',
            "3:11",
            "information set 1 of chance has { 'x' 1/2 'y' 1/2 } on line 2 and { 'x' 1/3 'y' 2/3 } here",
        ),
    ],
)
def test_a_wrong_file_is_refused_where_it_is_wrong(text, where, words):
    message = complaint(text)
    assert message.startswith(f"the text:{where}: ")
    assert words in message


def test_probabilities_may_be_repeated_in_other_digits():
    """1/2 and 0.5 are the same number, however they are written."""
    text = (
        f'{HEAD}c "" 1 "" {{ "x" 1/2 "y" 0.5 }} 0\nc "" 1 "" {{ "x" .5 "y" 2/4 }} 0 t "" 0 t "" 0\nc "" 1 0'
    )
    assert parse_efg(text + ' t "" 0 t "" 0').nodes == 7


FORGOTTEN = (
    HEAD
    + """
p "" 1 1 "first" { "left" "right" } 0
p "" 1 2 "second" { "left" "right" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 1 2 "second" { "left" "right" } 0
t "" 2
t "" 1
"""
)
ABSENT_MINDED = (
    HEAD
    + """
p "" 1 1 "crossing" { "exit" "go on" } 0
t "" 0
p "" 1 1 "crossing" { "exit" "go on" } 0
t "" 1 "" { 4 -4 }
t "" 2 "" { 1 -1 }
"""
)


@pytest.mark.parametrize(("text", "name"), [(FORGOTTEN, "second"), (ABSENT_MINDED, "crossing")])
def test_imperfect_recall_is_refused(text, name):
    """The second is the driver of Piccione and Rubinstein (1997)."""
    assert complaint(text).startswith(
        f"the text: information set '{name}' of Ann lacks perfect recall: node "
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'EFG 2 R "\0', "is not UTF-8 text; an .efg file is plain text that begins with EFG 2 R"),
        ('EFG 2 R "é" { "a" "b" }'.encode("latin-1"), "is not UTF-8 text"),
        (b"", ":1:1: the file is empty"),
        (b"EFG 2 R \r\n 5", ":2:2: found '5'; the title of the game in quotes is expected"),
    ],
)
def test_a_file_that_is_no_game(tmp_path, content, words):
    path = tmp_path / "game.efg"
    path.write_bytes(content)
    with pytest.raises(ErraiError) as caught:
        read_efg(path)
    assert str(caught.value).startswith(str(path))
    assert words in str(caught.value)


def test_a_path_that_is_no_file(tmp_path):
    with pytest.raises(ErraiError, match=r"nothing\.efg does not exist; give the path of an \.efg file"):
        read_efg(tmp_path / "nothing.efg")
    with pytest.raises(ErraiError, match=r"is a directory; give the path of an \.efg file"):
        read_efg(tmp_path)
    with pytest.raises(ErraiError, match=r"^'two\\nlines' does not exist"):
        read_efg(Path("two\nlines"))
    with pytest.raises(ErraiError, match="cannot be read: Not a directory"):
        read_efg(FOLDER / "kuhn.efg" / "kuhn.efg")


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "game.efg"
    path.write_text("\ufeff" + PENNIES.replace("\n", "\r\n"), encoding="utf-8")
    assert told(read_efg(path)) == told(parse_efg(PENNIES))
