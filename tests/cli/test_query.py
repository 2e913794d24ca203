"""What `errai query` shows a player: hands that get there, in numbers that agree everywhere, in any width."""

import json
import re

import pytest

import errai
from errai.cards.notation import GRID
from errai.cards.ranges import parse_range
from tests.cli.command import errai as command

FLOP = ["query", "holdem", "--betting", "raise call / bet", "--board", "Ks7h2d"]
CLASSES = [name for row in GRID for name in row]


def shown_cells(text: str) -> dict[str, str]:
    """Hand -> its numbers, from a wide grid."""
    lines = text.splitlines()
    cells = {}
    for number, line in enumerate(lines):
        if line.split() in GRID:
            figures = lines[number + 1].ljust(80)
            for column, name in enumerate(line.split()):
                cells[name] = figures[6 * column : 6 * column + 5].strip()
    return cells


def test_hands_that_never_get_there_are_not_shown_unless_all_are_wanted(capsys):
    cells = shown_cells(command(capsys, *FLOP).out)
    assert cells["T4o"] == ""
    assert cells["AA"] == "87/13"
    text = command(capsys, *FLOP).out
    hidden = sum(not figures for figures in cells.values())
    assert f"not shown: {hidden} hand classes that get here less than 0.5% of the time (--all)" in text
    everything = command(capsys, *FLOP, "--all").out
    assert shown_cells(everything)["T4o"] == "13/40"
    assert f"faded: {hidden} hand classes" in everything


def test_json_has_the_reach_of_every_hand_and_the_overall_line(capsys):
    content = json.loads(command(capsys, *FLOP, "--json").out)
    assert len(content["reach"]) == len(content["hands"]) == 49 * 48 // 2
    assert content["reach"]["Td4c"] == 0
    assert content["reach"]["KdKc"] == 1
    assert (content["seat"], content["pot"], content["pot_bb"]) == ("button", 50, 5)
    assert sum(content["overall"].values()) == pytest.approx(1)
    line = re.search(
        r"overall +raise ([0-9.]+)% +call ([0-9.]+)% +fold ([0-9.]+)%", command(capsys, *FLOP).out
    )
    percents = [float(part) for part in line.groups()]
    assert sum(percents) == pytest.approx(100)
    wanted = [100 * content["overall"][name] for name in ("raise", "call", "fold")]
    assert percents == pytest.approx(wanted, abs=0.1)


def test_where_nobody_gets_everything_is_shown_and_said_to_be_no_advice(capsys):
    found = command(capsys, "query", "always-call", "--betting", "rr")
    assert "no hand gets here even 0.5% of the time: this is no advice" in found.out
    assert "overall" not in found.out
    assert shown_cells(found.out)["AA"] == "0/100"


def test_the_big_blind_in_a_limped_pot_may_raise(capsys):
    content = json.loads(command(capsys, "query", "holdem", "--betting", "limp", "--json").out)
    assert content["actions"] == ["check", "raise"]
    assert "raise / check in percent" in command(capsys, "query", "holdem", "--betting", "c").out


@pytest.mark.parametrize("betting", ["rc/r", "r c / b", "raise, call; bet", "Raises calls | bets"])
def test_a_betting_in_words_is_the_same_question(capsys, betting):
    found = command(capsys, *FLOP[:3], betting, *FLOP[4:], "--hand", "AKs", "--json")
    assert json.loads(found.out)["betting"] == "rc/r"


def test_a_class_of_hands_is_shown_hand_by_hand_and_together(capsys):
    lines = command(capsys, *FLOP, "--hand", "AKs").out.splitlines()
    assert lines[0] == "holdem: button raises, big blind calls; flop Ks 7h 2d: big blind bets"
    assert lines[1] == "button to act, betting rc/r, pot 50 chips = 5 bb"
    assert [line.split()[0] for line in lines[3:6]] == ["AhKh", "AdKd", "AcKc"]
    assert lines[3].endswith("reach 99.6%")
    assert lines[6].startswith("all together     fold 0.0%   call 13.3%   raise 86.7%")
    assert "this hand gets here less than 0.5%" in command(capsys, *FLOP, "--hand", "Td4c").out


def test_a_hand_that_is_none_is_answered_with_how_to_write_hands(capsys):
    found = command(capsys, *FLOP, "--hand", "AKx")
    assert found.code == 2
    assert found.err.startswith(
        "errai: --hand: range item 'AKx' at position 1 names no hand; write a hand as AA,"
    )


def test_the_figure_has_the_numbers_of_the_terminal(capsys, tmp_path):
    path = tmp_path / "grid.svg"
    cells = shown_cells(command(capsys, *FLOP, "--plot", path).out)
    drawn = re.findall(r"<!-- (.*?) -->", path.read_text())
    for name, figures in cells.items():
        at = drawn.index(name)
        assert drawn[at + 1] == figures or (not figures and drawn[at + 1] in [*CLASSES, *drawn])
    assert {drawn[drawn.index(name) + 1] for name, figures in cells.items() if figures} == set(
        filter(None, cells.values())
    )
    for words in ("button to act, betting rc/r, pot 50 chips = 5 bb; raise / call in percent", "fold 6.4%"):
        assert words in drawn


@pytest.mark.parametrize("width", [40, 45, 50, 51, 60, 76, 77, 80, 120])
@pytest.mark.parametrize("arguments", [FLOP, [*FLOP, "--all"], ["query", "holdem"], [*FLOP, "--hand", "AKs"]])
def test_every_terminal_from_forty_columns_on_has_whole_lines(capsys, monkeypatch, width, arguments):
    monkeypatch.setenv("COLUMNS", str(width))
    text = command(capsys, *arguments).out
    if "--hand" not in arguments:
        assert max(map(len, text.splitlines())) <= width
        assert "overall" in text
    shown = text.split()
    if "--all" in arguments:
        assert all(name in shown for name in CLASSES)
    if width < 51 and arguments == FLOP:
        assert "AKs 87/13" in text
        assert "T4o" not in shown


def test_a_narrow_grid_has_a_line_for_each_number(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    lines = command(capsys, *FLOP).out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("AA  AKs AQs"))
    assert lines[at + 1].split()[:3] == ["87", "87", "40"]
    assert lines[at + 2].split()[:3] == ["13", "13", "60"]


def test_colours_are_for_terminals_whose_users_want_them(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in command(capsys, *FLOP).out


def test_a_range_is_printed_as_an_endgame_takes_it(capsys):
    line = ["query", "holdem", "--betting", "rc/", "--board", "Ks7h2d"]
    text = command(capsys, *line, "--range", "button").out
    assert text.count("\n") == 1
    strategy = errai.load("holdem")
    state = strategy.state("rc/", "Ks7h2d")
    weights = parse_range(text, state.cards)
    assert weights == pytest.approx(strategy.ranges(state)[1], rel=1e-3, abs=1e-4)
    assert "T4o" not in text
    assert "AA:0.9961" in text
    assert command(capsys, *line, "--range", "ip").out == text
    content = json.loads(command(capsys, *line, "--range", "big-blind", "--json").out)
    assert content["seat"] == "big blind"
    assert content["combos"] == pytest.approx(parse_range(content["range"], state.cards).sum(), rel=1e-3)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--range", "dealer"], "errai: unknown seat 'dealer': choose big-blind, button, oop or ip"),
        (["--betting", "c/", "--range", "ip"], "'/' does not belong here"),
    ],
)
def test_a_range_that_there_is_not(capsys, arguments, complaint):
    found = command(capsys, "query", "holdem", *arguments)
    assert found.code == 2
    assert complaint in found.err


def test_an_empty_range_is_said(capsys):
    found = command(capsys, "query", "always-fold", "--betting", "r", "--range", "button")
    assert (found.code, found.out) == (2, "")
    assert "the button never gets here with any hand" in found.err
