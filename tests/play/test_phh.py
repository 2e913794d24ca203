"""Hands in PHH, read and written; PokerKit's reader is the judge."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

import errai
from errai.errors import ErraiError
from errai.games.definition import parse_game
from errai.games.state import start
from errai.play.phh import phh_text, write_phh
from errai.play.reading import read_logs
from errai.play.table import dealt

GAME = errai.load_game("holdem")
NOLIMIT = parse_game(
    """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 2000 2000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF"""
)
FILE = Path(__file__).parent / "histories" / "two.phhs"
TEXT = FILE.read_text(encoding="utf-8")


def random_hand(game, random):
    """A hand whose players act at random, folding seldom."""
    cards = random.permutation(52)[:9].tolist()
    state = start(game, (cards[:2], cards[2:4]))
    while not state.over:
        state = dealt(state, cards[4:])
        allowed = [action for action in state.legal() if action != "f" or random.random() < 0.3]
        action = allowed[random.integers(len(allowed))]
        if action == "r" and game.betting == "nolimit":
            low, high = state.raise_range()
            action = f"r{random.choice([low, min(high, 2 * low), high])}"
        state = state.act(action)
    return dealt(state, cards[4:])


def settled(text):
    """What PokerKit says that each player wins."""
    history = HandHistory.loads(text)
    *_, end = history
    assert not end.status
    return [int(stack - first) for stack, first in zip(end.stacks, history.starting_stacks, strict=True)]


@pytest.mark.parametrize("game", [GAME, NOLIMIT], ids=lambda game: game.betting)
def test_pokerkit_reads_what_is_written(game):
    random = np.random.default_rng(7)
    big = game.blinds.index(max(game.blinds))
    for number in range(100):
        hand = random_hand(game, random)
        won = hand.payoff()
        assert settled(phh_text(hand, ("a", "b"), number)) == [won[big], won[1 - big]], hand.betting


def test_what_is_written_is_read_again(tmp_path):
    random = np.random.default_rng(8)
    hands = [random_hand(GAME, random) for _ in range(50)]
    path = tmp_path / "hands.phhs"
    players = ('Ann "A"', "Bo\\b ünd #1")
    assert write_phh(path, [(hand, players, number) for number, hand in enumerate(hands)]) == 50
    found = read_logs([path], GAME, strict=True)
    assert [hand.state for hand in found.hands] == hands
    assert [hand.won for hand in found.hands] == [hand.payoff() for hand in hands]
    assert {hand.players for hand in found.hands} == {players}
    assert [hand.number for hand in found.hands] == list(range(50))
    with path.open("rb") as file:
        theirs = list(HandHistory.load_all(file))
    assert [history.players for history in theirs] == [list(players)] * 50
    assert write_phh(tmp_path / "one.phh", [(hands[0], players, 3)]) == 1
    assert read_logs([tmp_path / "one.phh"], GAME).hands[0].state == hands[0]


def test_hands_whose_cards_are_not_all_known(tmp_path):
    found = read_logs([FILE], GAME)
    assert found.faults == []
    first, second = found.hands
    # p1 is the big blind, and amounts are in big blinds of 10.
    assert first.players == ('Zoe "Z"', "Max")
    assert (first.number, first.state.betting) == (77, "rc/crc/cc/rc")
    assert first.state.hole == (first.state.deck.parse("Ac3h"), None)
    assert first.won == (50, -50)
    assert (second.state.betting, second.won, second.players) == ("f", (5, -5), ("p1", "p2"))
    assert [hand.place.line for hand in found.hands] == [2, 23]
    again = phh_text(second.state)
    assert settled(again) == [5, -5]
    theirs = list(HandHistory.load_all(BytesIO(TEXT.encode())))
    assert [int(history.hand or 0) for history in theirs] == [77, 0]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("variant = 'FT'", "variant = 'NT'", "variant 'NT'; only FT"),
        ("p1 cbr 2'", "p1 cbr 3'", "to 3; by the limit it is 2"),
        ("'p1 cc', 'p2 cbr 1.00'", "'p2 cbr 1.00'", "it is the turn of p1"),
        ("'p2 sm'", "'p2 sd'", "is none of limit hold'em"),
        ("'d db Td'", "'d db 7h'", "7h is dealt twice"),
        ("'d db Td'", "'d db T?'", ""),
        (", 'p2 sm'", "", "who won the hand is not told"),
        ("'p1 sm Ac3h'", "'p1 sm AcAs'", "p1 holds Ac3h, and later AcAs"),
        ("antes = [0, 0]", "antes = [1, 1]", "antes, where none are paid"),
        ("[0.50, 1]", "[0.50, 1, 0]", "3 players"),
        ("[0.50, 1]", "[1, 0.50]", "p1 has the small blind"),
        ("[0.50, 1]", "[0.25, 1]", "the small blind is 1/2"),
        ("big_bet = 2.00", "big_bet = 3", "bets of 1 and 3"),
        ("starting_stacks = [100, inf]", "starting_stacks = [3, inf]", "all in"),
        ("actions = [\n", "actions = [\n]\nother = [", "the hand is not over"),
        ("hand = 77", "hand = ", "no TOML"),
    ],
)
def test_a_damaged_hand_does_not_take_the_others_with_it(tmp_path, old, new, why):
    assert old in TEXT
    path = tmp_path / "bad.phhs"
    path.write_text(TEXT.replace(old, new, 1))
    found = read_logs([path], GAME)
    assert len(found.hands) == 1
    (fault,) = found.faults
    assert fault.startswith(f"{path}, line 2: ")
    assert why in fault
    with pytest.raises(ErraiError, match="line 2: "):
        read_logs([path], GAME, strict=True)


def test_only_whole_hands_of_holdem_are_written(tmp_path):
    with pytest.raises(ErraiError, match="not over"):
        phh_text(start(GAME))
    with pytest.raises(ErraiError, match="no variant"):
        phh_text(start(errai.load_game("leduc")))
    folded = start(GAME).act("f")
    with pytest.raises(ErraiError, match="phh file has one"):
        write_phh(tmp_path / "x.phh", [(folded, (), 1)] * 2)
    assert "d dh p1 ????" in phh_text(folded)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_anything_is_read_or_named(tmp_path_factory, data):
    text = TEXT
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text)))
        new = data.draw(st.text("[]'\"=,.#\n0123456789pcbr dhsm?{}\\é-", max_size=10))
        text = text[:at] + new + text[at + data.draw(st.integers(0, 12)) :]
    path = tmp_path_factory.mktemp("any") / "x.phhs"
    path.write_text(text, encoding="utf-8")
    found = read_logs([path], GAME)
    assert all(hand.state.over and sum(hand.won) == 0 for hand in found.hands)
    assert all(fault.startswith(f"{path}, line ") for fault in found.faults)
