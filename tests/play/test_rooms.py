"""Hands as poker rooms write them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errai
from errai.errors import ErraiError
from errai.play.reading import read_logs

GAME = errai.load_game("holdem")
FOLDER = Path(__file__).parent / "histories"
STARS = (FOLDER / "stars.txt").read_text(encoding="utf-8")
TILT = (FOLDER / "tilt.txt").read_text(encoding="utf-8")


def read(tmp_path, text, **options):
    path = tmp_path / "hands.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_logs([path], GAME, **options)


def test_hands_of_pokerstars():
    found = read_logs([FOLDER / "stars.txt"], GAME)
    assert found.faults == []
    first, second, third = found.hands
    assert [hand.number for hand in found.hands] == [243000000001, 243000000002, 243000000003]
    assert {hand.hero for hand in found.hands} == {"Al"}
    # The big blind is seat 0, whoever posts first and wherever they sit.
    assert first.players == third.players == ("Al bets: big", "Al")
    assert second.players == ("Al", "Al bets: big")
    assert first.state.betting == "rc/crrc/rc/crc"
    assert first.state.deck.format_cards(first.state.cards) == "Ks7h2d5c9s"
    # The summary shows what was mucked; the rake is not the players' doing.
    assert first.all_known
    assert first.won == (-80, 80)
    assert second.state.betting == "rf"
    assert second.won == (-10, 10)
    assert second.state.hole[1] is None
    # Whose cards beat what was mucked is told by who takes the pot.
    assert not third.all_known
    assert third.won == (-10, 10)
    assert str(third.place).endswith("stars.txt, line 58")


def test_hands_of_full_tilt():
    found = read_logs([FOLDER / "tilt.txt"], GAME)
    assert found.faults == []
    (hand,) = found.hands
    assert (hand.state.betting, hand.players, hand.won) == ("crc/rf", ("Eve", "Dan"), (20, -20))
    assert hand.hero == "Eve"


def test_marks_of_other_systems_do_not_matter(tmp_path):
    odd = b"\xef\xbb\xbf" + STARS.replace("\n", "\r\n").encode() + b"\r\n\xff\xfe rubbish\r\n" + TILT.encode()
    found = read(tmp_path, odd)
    assert found.faults == []
    assert len(found.hands) == 4
    assert [hand.state for hand in found.hands[:3]] == [
        hand.state for hand in read_logs([FOLDER / "stars.txt"], GAME).hands
    ]


def test_a_small_blind_may_be_rounded_to_a_cent(tmp_path):
    text = TILT.replace("$2.50", "$0.02").replace("$20", "$0.20")
    text = text.replace("to $10", "to $0.10").replace("$5/$10", "$0.05/$0.10").replace("$5", "$0.05")
    text = text.replace("Dan calls $0.02", "Dan calls $0.03")
    found = read(tmp_path, text.replace("$0.05/$0.10", "$0.05/$0.10"))
    assert found.faults == []
    assert found.hands[0].won == (20, -20)


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("Al: raises $1 to $2", "Al: raises $2 to $3", 9, "to 3; by the limit it is 2"),
        ("Al: bets $1", "Al: bets $0.40 and is all-in", 14, "all in for less"),
        ("Al: calls $1", "Al bets: big: calls $1", 17, "it is the turn of Al"),
        ("Al bets: big: checks ", "Al bets: big: folds", 12, "folds where nothing is to be called"),
        ("*** FLOP *** [Ks 7h 2d]", "*** FLOP *** [Ks 7h]", 11, "is not 3 cards"),
        ("*** TURN *** [Ks 7h 2d]", "*** TURN *** [Ks 7h 3d]", 18, "changes cards dealt before"),
        ("*** FLOP *** [Ks 7h 2d]", "", 12, "before the cards of the round"),
        ("[Ah Kd]", "[Ah Kc]", 26, "Al holds AhKc, and later Ah Kd"),
        ("[Kc 8c]", "[Ks 8c]", 1, "the card Ks is dealt twice"),
        ("Al: posts small blind $0.50", "Al: posts small blind $0.75", 9, "the small blind is 1/2"),
        ("Al: posts small blind $0.50", "", 9, "posts no blind"),
        ("Al: posts small blind $0.50", "Al: posts the ante $0.50", 5, "only a small and a big blind"),
        ("Hold'em Limit", "Hold'em No Limit", 1, "no hand of limit hold'em"),
        ("Hold'em Limit", "Omaha Limit", 1, "no hand of limit hold'em"),
        ("Seat 2:", "Seat 3: Carol ($20 in chips)\nSeat 2:", 10, "3 players"),
        ("Al collected $15.25", "Al bets: big collected $15.25", 1, "does not win it"),
        ("*** SHOW DOWN ***", "Al: bets $2", 25, "after the end of the hand"),
    ],
)
def test_a_hand_that_breaks_the_rules_is_named_and_skipped(tmp_path, old, new, line, why):
    first, rest = STARS.split("\n\n\n\n", 1)
    assert old in first
    text = first.replace(old, new, 1) + "\n\n\n\n" + rest
    found = read(tmp_path, text)
    assert len(found.hands) == 2
    (fault,) = found.faults
    assert fault.startswith(f"{tmp_path / 'hands.txt'}, line {line}: "), fault
    assert why in fault
    with pytest.raises(ErraiError, match=f"line {line}: "):
        read(tmp_path, text, strict=True)


def test_a_file_that_was_cut_off_keeps_its_whole_hands(tmp_path):
    found = read(tmp_path, STARS[: STARS.index("*** RIVER *** [Ts")])
    assert len(found.hands) == 2
    assert "line 58: the hand is not over after 'cc/cc/cc/'" in found.faults[0]


def test_other_games_have_no_such_hands(tmp_path):
    found = read_logs([FOLDER / "tilt.txt"], errai.load_game("leduc"))
    assert found.hands == []
    assert "a hand of limit hold'em, where leduc is played" in found.faults[0]


LINES = (STARS + TILT).splitlines()


@st.composite
def damaged(draw):
    """Lines of hands left out, doubled, exchanged, cut or scribbled on."""
    lines = list(LINES[: draw(st.integers(5, len(LINES)))])
    for _ in range(draw(st.integers(1, 6))):
        at, other = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(LINES) - 1))
        how = draw(st.sampled_from(["drop", "double", "swap", "cut", "scribble"]))
        line = lines[at]
        if how == "drop" and len(lines) > 1:
            del lines[at]
        elif how == "double":
            lines.insert(at, line)
        elif how == "swap":
            lines[at] = LINES[other]
        elif how == "cut":
            lines[at] = line[: draw(st.integers(0, len(line)))]
        else:
            place = draw(st.integers(0, len(line)))
            lines[at] = (
                line[:place] + draw(st.text("[]()$€.,:#0123456789AKsh ½\x00é", max_size=8)) + line[place:]
            )
    return "\n".join(lines)


@given(damaged())
@settings(max_examples=150, deadline=None)
def test_damaged_hands_are_read_or_named(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("damaged") / "x.txt"
    path.write_text(text, encoding="utf-8")
    found = read_logs([path], GAME)
    assert all(hand.state.over and sum(hand.won) == 0 for hand in found.hands)
    assert all(fault.startswith(f"{path}, line ") for fault in found.faults)
