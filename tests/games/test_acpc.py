"""The lines of the ACPC match protocol and of its logs, read and written."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import from_log_line, from_match_state, parse_state, start
from tests.games.nolimit import DEEP
from tests.games.test_state import ANY_GAME, walks

HOLDEM, LEDUC, KUHN = load_game("holdem"), load_game("leduc"), load_game("kuhn")


# The examples of the protocol's description


def test_the_button_sees_its_own_cards_before_the_flop():
    line = "MATCHSTATE:1:0:c:|9hQd"
    state, seat, hand_number = from_match_state(HOLDEM, line + "\r\n")
    assert (seat, hand_number) == (1, 0)
    assert state == parse_state(HOLDEM, "c", hole=(None, "9hQd"))
    assert state.match_state(1, 0) == line


def test_the_big_blind_sees_its_own_cards_and_the_flop():
    line = "MATCHSTATE:0:0:cc/:5d5c|/8dAs8s"
    state = from_match_state(HOLDEM, line).state
    assert (state.player, state.round, state.hole[1]) == (0, 1, None)
    assert state.deck.format_cards(state.cards) == "8dAs8s"
    assert state.match_state(0) == line


def test_a_log_line_has_all_cards_the_chips_won_and_the_players():
    line = "STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob"
    logged = from_log_line(DEEP, line)
    assert logged.players == ("Alice", "Bob")
    assert logged.state.payoff() == (13024, -13024)
    assert logged.state.log_line(0, logged.players) == line


# A whole hand, as each seat hears of it


def test_an_opponents_cards_are_shown_at_a_showdown_only():
    state = start(DEEP, ("AsAh", "7d2c"))
    assert state.match_state(0, 7) == "MATCHSTATE:0:7::AsAh|"
    assert state.match_state(1, 7) == "MATCHSTATE:1:7::|7d2c"
    state = state.act("r300").act("c").deal("8dAd8s")
    assert state.match_state(1, 7) == "MATCHSTATE:1:7:r300c/:|7d2c/8dAd8s"
    folded = state.act("r900").act("f")
    assert folded.match_state(0, 7) == "MATCHSTATE:0:7:r300c/r900f:AsAh|/8dAd8s"
    assert folded.match_state(1, 7) == "MATCHSTATE:1:7:r300c/r900f:|7d2c/8dAd8s"
    shown = state.act("r20000").act("c").deal("2s").deal("2h")
    assert shown.match_state(1, 7) == "MATCHSTATE:1:7:r300c/r20000c//:AsAh|7d2c/8dAd8s/2s/2h"
    assert shown.log_line(7, ("A", "B")) == (
        "STATE:7:r300c/r20000c//:AsAh|7d2c/8dAd8s/2s/2h:20000|-20000:A|B"
    )


def test_the_acpc_takes_small_decks_from_the_high_end():
    assert start(KUHN, ("2c", "4c")).match_state(0) == "MATCHSTATE:0:0::Qs|"
    assert from_match_state(KUHN, "MATCHSTATE:1:0::|As").state.hole == (None, (2,))
    state = parse_state(LEDUC, "cc/cc", "4d", ("2c", "3d"))
    assert state.log_line() == "STATE:0:cc/cc:Qh|Ks/As"
    assert from_log_line(LEDUC, state.log_line()).state == state


def test_public_cards_of_the_first_round_follow_the_hole_cards():
    game = replace(LEDUC, board_cards=(1, 0))
    state = parse_state(game, "cc/r", "4d", ("2c", "3d"))
    assert state.log_line() == "STATE:0:cc/r:Qh|KsAs/"
    assert from_log_line(game, state.log_line()).state == state
    assert from_match_state(game, state.match_state(0)).state == parse_state(game, "cc/r", "4d", ("2c", None))


@given(walks(ANY_GAME))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_random_hands_read_back_from_their_lines(states):
    for state in states:
        if state.awaits_cards:
            with pytest.raises(ErraiError, match="the board has"):
                state.match_state(0)
            continue
        assert from_log_line(state.game, state.log_line(5)).state == state
        showdown = state.over and state.folded is None
        for seat in (0, 1):
            heard, to_seat, hand_number = from_match_state(state.game, state.match_state(seat, 5))
            assert (to_seat, hand_number) == (seat, 5)
            assert (heard.betting, heard.cards, heard.spent) == (state.betting, state.cards, state.spent)
            assert heard.hole[seat] == state.hole[seat]
            assert heard.hole[1 - seat] == (state.hole[1 - seat] if showdown else None)
            assert heard.match_state(seat, 5) == state.match_state(seat, 5)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "'' is no match state; it has the form MATCHSTATE:seat:hand:betting:cards"),
        ("STATE:0:c:5d5c|9hQd", "is no match state"),
        ("MATCHSTATE:2:0::5d5c|", "seat 2 does not exist; seats are 0 to 1"),
        ("MATCHSTATE:0:x::5d5c|", "hand 'x' is no number"),
        ("MATCHSTATE:0:0:cr:5d5c", "hole cards are written as seat 0|seat 1"),
        ("MATCHSTATE:0:0:cr:5d|", "seat 0 has 1 cards, not 2"),
        ("MATCHSTATE:0:0:cr:5d5x|", "cards '5d5x' are not written as the ACPC does"),
        ("MATCHSTATE:0:0:cr:5d5d|", "'5d' at position 3 of '5d5d' is there twice"),
        ("MATCHSTATE:0:0:cc/:5d5c|/5d2c3c", "the card 5d is dealt twice"),
        ("MATCHSTATE:0:0:cc/:5d5c|/8dAs", "round 2 deals 3 cards, not 2"),
        ("MATCHSTATE:0:0:cc/:5d5c|", "the board has 0 cards; this needs all 3"),
        ("MATCHSTATE:0:0:c:5d5c|/8dAs8s", "betting 'c' leads to round 1, which has 0 board cards"),
        ("MATCHSTATE:0:0:ccc:5d5c|", "betting 'ccc', position 3: 'c' follows the end of a round"),
    ],
)
def test_a_wrong_line_is_told_what_is_wrong(line, complaint):
    with pytest.raises(ErraiError) as error:
        from_match_state(HOLDEM, line)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("SCORE:195857|-195857:Alice|Bob", "is no state of a log"),
        ("STATE:0:f:5d5c|9hQd:x|y:Alice|Bob", "chips 'x|y' are not numbers"),
        ("STATE:0:f:5d5c|9hQd:5:Alice", "needs 2 numbers of chips and as many players"),
        (
            "STATE:0:f:5d5c|9hQd:6|-6:Alice|Bob",
            "hand 0 of the log says 6|-6 chips; its betting and cards say 5|-5",
        ),
    ],
)
def test_a_wrong_log_line_is_told_what_is_wrong(line, complaint):
    with pytest.raises(ErraiError) as error:
        from_log_line(HOLDEM, line)
    assert complaint in str(error.value)


def test_a_card_outside_the_deck_is_refused():
    with pytest.raises(
        ErraiError, match="card 9h is not in the deck of kuhn: in the ACPC its 3 cards are Qs to As"
    ):
        from_match_state(KUHN, "MATCHSTATE:0:0::9h|")


def test_lines_need_cards_that_are_known():
    with pytest.raises(ErraiError, match="the cards of seat 1 are not known"):
        parse_state(HOLDEM, "r", hole=("5d5c", None)).match_state(1)
    with pytest.raises(ErraiError, match="the cards of seat 1 are not known"):
        parse_state(HOLDEM, "r", hole=("5d5c", None)).log_line()
    with pytest.raises(ErraiError, match="seat 2 does not exist"):
        start(HOLDEM).match_state(2)
