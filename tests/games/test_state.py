"""One hand by the rules of the ACPC dealer, limit and no-limit: legal actions, betting as text, pots and payoffs.

The files `tests/golden/betting-*.txt` list every way in which the betting of a small game can go: the
betting, the chips of each seat, and how the hand ends. `python -m tests.games.test_state` writes them anew.
"""

import re
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.notation import FULL_DECK
from errai.errors import ErraiError
from errai.games.catalogue import builtin_names, load_game
from errai.games.definition import parse_game
from errai.games.state import parse_state, start
from tests.games.nolimit import DEEP, SHORT, with_stacks
from tests.games.test_definition import definitions

GOLDEN = Path(__file__).parent.parent / "golden"
TRACED = {
    **{name: load_game(name) for name in ("kuhn", "leduc", "holdem-2-1")},
    "nolimit-short": SHORT,
    "nolimit-unequal": with_stacks(SHORT, 5, 8),
}

HOLDEM = load_game("holdem")
LEDUC = load_game("leduc")


def choices(state):
    """Every action allowed in a state, with every size of a raise."""
    for letter in state.legal():
        if letter == "r" and state.game.betting == "nolimit":
            least, most = state.raise_range()
            yield from (f"r{total}" for total in range(least, most + 1))
        else:
            yield letter


def trace(game):
    """Every betting of a game to its end, in the order fold, call, raise."""
    lines = []

    def follow(state):
        if state.over:
            end = "showdown" if state.folded is None else f"seat {state.folded} folds"
            lines.append(f"{state.betting}  {state.spent[0]} {state.spent[1]}  {end}")
        for action in choices(state):
            follow(state.act(action))

    follow(start(game))
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", TRACED)
def test_every_betting_of_a_small_game_is_as_recorded(name):
    assert trace(TRACED[name]) == (GOLDEN / f"betting-{name}.txt").read_text()


# Turns, rounds and legal actions


def test_a_hand_starts_with_the_blinds_and_the_button_to_act():
    state = start(HOLDEM)
    assert (state.round, state.player, state.spent, state.pot, state.to_call) == (0, 1, (10, 5), 15, 5)
    assert (state.betting, state.actions, state.raises, state.folded, state.over) == ("", (), 0, None, False)
    assert (state.board, state.hole, state.awaits_cards) == (((),), (None, None), 0)


def test_the_button_is_first_before_the_flop_and_last_after_it():
    assert start(HOLDEM).player == 1
    assert parse_state(HOLDEM, "cc/").player == 0


def test_a_state_never_changes():
    state = start(HOLDEM)
    state.act("c")
    assert state == start(HOLDEM)
    with pytest.raises(FrozenInstanceError):
        state.round = 1


def test_the_big_blind_may_check_or_raise_after_the_button_calls():
    state = parse_state(HOLDEM, "c")
    assert (state.round, state.player, state.spent, state.to_call) == (0, 0, (10, 10), 0)
    assert state.legal() == "cr"
    assert state.act("c").round == 1


def test_nobody_folds_without_a_bet_to_match():
    assert start(LEDUC).legal() == "cr"
    assert start(HOLDEM).legal() == "fcr"


def test_blinds_are_not_raises_so_betting_is_capped_after_three_raises_preflop_and_four_later():
    assert parse_state(HOLDEM, "rrr").legal() == "fc"
    assert parse_state(HOLDEM, "crrr").legal() == "fc"
    assert parse_state(HOLDEM, "cc/rrr").legal() == "fcr"
    assert parse_state(HOLDEM, "cc/rrrr").legal() == "fc"


def test_raises_are_small_bets_before_the_turn_and_big_bets_from_it():
    assert parse_state(HOLDEM, "r").spent == (10, 20)
    assert parse_state(HOLDEM, "rrrc/rrrrc").spent == (80, 80)
    assert parse_state(HOLDEM, "rrrc/rrrrc/rrrrc/rrrrc").spent == (240, 240) == (HOLDEM.most_chips,) * 2
    assert parse_state(HOLDEM, "cc/cc/").raise_range() == (30, 30)
    assert parse_state(HOLDEM, "rrr").raise_range() is None


def test_a_call_ends_the_round_and_the_next_begins_afresh():
    state = parse_state(HOLDEM, "rc")
    assert (state.round, state.player, state.spent, state.raises, state.acted) == (1, 0, (20, 20), 0, 0)


def test_a_fold_ends_the_hand():
    state = parse_state(HOLDEM, "rc/crf")
    assert (state.over, state.folded, state.spent, state.legal()) == (True, 0, (20, 30), "")
    assert state.payoff() == (-20, 20)


def test_the_last_round_ends_in_a_showdown():
    state = parse_state(LEDUC, "cc/rc")
    assert (state.over, state.folded, state.round, state.spent, state.legal()) == (True, None, 1, (5, 5), "")


def test_a_big_blind_that_acts_first_may_check_and_the_small_blind_must_still_pay():
    game = parse_game(load_game("holdem-2-1").text().replace("firstPlayer = 2 1", "firstPlayer = 1 1"))
    state = start(game)
    assert (state.player, state.legal()) == (0, "cr")
    state = state.act("c")
    assert (state.player, state.legal()) == (1, "fcr")
    assert state.act("c").spent == (10, 10)


def test_actions_have_the_names_that_players_use():
    facing = start(HOLDEM)
    assert [facing.action_name(action) for action in "fcr"] == ["fold", "call", "raise"]
    assert [parse_state(HOLDEM, "cc/").action_name(action) for action in "cr"] == ["check", "bet"]
    assert start(DEEP).action_name("r300") == "raise"
    assert start(DEEP).action_name("r20000") == "jam"


def test_blinds_are_bets_and_antes_are_not():
    option = parse_state(HOLDEM, "c")
    assert [option.action_name(action) for action in "cr"] == ["check", "raise"]
    assert [start(LEDUC).action_name(action) for action in "cr"] == ["check", "bet"]


def test_players_limp_bet_raise_3_bet_and_cap():
    verbs = []
    for betting in ("", "c", "cr", "r", "rr", "cc/", "cc/r", "cc/rr", "cc/rrr"):
        state = parse_state(HOLDEM, betting)
        verbs.append((state.verb("c"), state.verb("r")))
    assert verbs == [
        ("limps", "raises"), ("checks", "raises"), ("calls", "3-bets"), ("calls", "3-bets"), ("calls", "caps"),
        ("checks", "bets"), ("calls", "raises"), ("calls", "3-bets"), ("calls", "caps"),
    ]  # fmt: skip
    assert start(DEEP).verb("r300") == "raises to 300"
    assert start(DEEP).verb("r20000") == "jams"


# No-limit


def test_a_no_limit_raise_at_least_doubles_the_big_blind():
    assert start(DEEP).raise_range() == (200, 20000)
    assert parse_state(DEEP, "c").raise_range() == (200, 20000)


def test_a_no_limit_raise_is_at_least_as_large_as_the_one_before():
    assert parse_state(DEEP, "r300").raise_range() == (500, 20000)
    assert parse_state(DEEP, "r300r900").raise_range() == (1500, 20000)


def test_a_no_limit_bet_after_the_flop_is_a_big_blind_at_least():
    assert parse_state(DEEP, "r300c/").raise_range() == (400, 20000)
    assert parse_state(DEEP, "r300c/r400").raise_range() == (500, 20000)


def test_sizes_count_what_a_player_has_put_in_over_the_whole_hand():
    state = parse_state(DEEP, "r300c/r900")
    assert (state.spent, state.pot, state.to_call, state.player) == ((900, 300), 1200, 600, 1)


def test_all_in_is_a_raise_however_short():
    short = with_stacks(DEEP, 450, 450)
    assert parse_state(short, "r300").raise_range() == (450, 450)
    assert parse_state(short, "r300r450").legal() == "fc"


def test_nobody_raises_an_opponent_who_is_all_in():
    assert parse_state(with_stacks(DEEP, 1000, 3000), "cr1000").legal() == "fc"
    assert parse_state(with_stacks(DEEP, 1000, 3000), "r3000").legal() == "fc"


def test_nobody_raises_who_cannot_even_call():
    state = parse_state(with_stacks(DEEP, 1000, 3000), "r2000")
    assert (state.legal(), state.to_call) == ("fc", 900)


def test_a_called_all_in_ends_the_betting_of_all_rounds():
    state = parse_state(DEEP, "r20000c")
    assert (state.over, state.folded, state.round, state.betting) == (True, None, 3, "r20000c///")
    assert (state.awaits_cards, state.spent) == (5, (20000, 20000))
    assert parse_state(DEEP, "r300c/r20000c").betting == "r300c/r20000c//"


def test_chips_that_the_opponent_cannot_match_go_back():
    state = parse_state(with_stacks(DEEP, 1000, 3000), "r3000c", "2c3d4h5s6c", ("AsAh", "KsKh"))
    assert state.spent == (1000, 3000)
    assert state.payoff() == (0, 0)  # the board is a straight
    state = parse_state(with_stacks(DEEP, 1000, 3000), "r3000c", "2c3d9h9sTc", ("AsAh", "KsKh"))
    assert state.payoff() == (1000, -1000)


def test_the_big_blind_checks_after_a_button_that_is_all_in_by_calling():
    state = parse_state(with_stacks(DEEP, 1000, 100), "c")
    assert (state.player, state.legal(), state.over) == (0, "c", False)
    assert state.act("c").betting == "cc///"


def test_a_blind_that_is_all_in_leaves_the_opponent_to_act():
    state = start(with_stacks(DEEP, 1000, 50))
    assert (state.player, state.legal()) == (0, "c")
    assert state.act("c").over
    state = start(with_stacks(DEEP, 100, 1000))
    assert (state.player, state.legal()) == (1, "fc")
    assert state.act("c").betting == "c///"


def test_blinds_that_are_both_all_in_leave_nothing_but_the_showdown():
    state = start(with_stacks(DEEP, 100, 50))
    assert (state.over, state.awaits_cards, state.betting) == (True, 5, "///")
    for text in ("", "/", "///"):
        assert parse_state(state.game, text) == state


def test_raises_can_be_limited_in_number_too():
    game = replace(DEEP, max_raises=(1, 1, 1, 1))
    assert parse_state(game, "r300").legal() == "fc"
    assert parse_state(game, "r300c/").legal() == "cr"


# Betting as text


@pytest.mark.parametrize("text", ["rc/rc", "rc/rc/", "RC/BC", " rc/bc/ "])
def test_ways_to_write_a_betting(text):
    state = parse_state(HOLDEM, text)
    assert (state.betting, state.actions) == ("rc/rc/", ("r", "c", "r", "c"))


@pytest.mark.parametrize("text", ["cr300c/r900c", "cb300c/b900c", "CR300C/B900C/", "cr0300c/r900c/"])
def test_ways_to_write_a_no_limit_betting(text):
    state = parse_state(DEEP, text)
    assert (state.betting, state.actions) == ("cr300c/r900c/", ("c", "r300", "c", "r900", "c"))


@pytest.mark.parametrize(
    "text",
    [
        "c r r r c / c r",
        "limp raise 3-bet cap call / check bet",
        "Limps, raises, 3bets, caps, calls; checks, bets",
        "limp, r, rr c | k b",
        "call raise re-raise reraise call/check,bet",
        "limped raised raised capped called ; checked bet",
    ],
)
def test_a_betting_in_words(text):
    assert parse_state(HOLDEM, text) == parse_state(HOLDEM, "crrrc/cr")


@pytest.mark.parametrize("text", ["c raise 300 call / bet 900, call", "limp, raises to 300, calls; b 900 c"])
def test_sizes_follow_words_too(text):
    assert parse_state(DEEP, text).betting == "cr300c/r900c/"


@pytest.mark.parametrize("text", ["jam", "shoves", "all-in", "Jams", "r 20000"])
def test_a_jam_puts_in_the_whole_stack(text):
    assert parse_state(DEEP, text).betting == "r20000"


def test_the_verbs_of_a_hand_lead_to_it_again():
    for betting in ("crrrc/crrrrc/rc/cr", "rrc/cc/cc/rf", "f"):
        state, words = start(HOLDEM), []
        for action in parse_state(HOLDEM, betting).actions:
            words.append(state.verb(action))
            following = state.act(action)
            words += ["/"] * (following.round - state.round)
            state = following
        assert parse_state(HOLDEM, " ".join(words)) == parse_state(HOLDEM, betting)


def test_k_and_x_are_checks():
    assert parse_state(HOLDEM, "ck/xX") == parse_state(HOLDEM, "cc/cc")


def test_single_actions_are_written_in_the_same_ways():
    for action in ("c", "C", "k", "x"):
        assert start(LEDUC).act(action) == parse_state(LEDUC, "c")
    assert start(LEDUC).act("B") == start(LEDUC).act("r") == parse_state(LEDUC, "r")
    assert parse_state(DEEP, "cc/").act("B300") == parse_state(DEEP, "cc/r300")


def test_no_betting_is_the_start():
    assert parse_state(HOLDEM, "") == start(HOLDEM)


def test_the_slash_after_the_last_round_is_optional_too():
    assert parse_state(LEDUC, "cc/cc/") == parse_state(LEDUC, "cc/cc")
    assert parse_state(LEDUC, "cc/cc").betting == "cc/cc"
    for slashes in range(4):
        assert parse_state(DEEP, "r20000c" + "/" * slashes).betting == "r20000c///"


def test_betting_can_be_followed_from_any_state():
    flop = parse_state(HOLDEM, "rc/r")
    assert flop.follow("rc/cc") == parse_state(HOLDEM, "rc/rrc/cc")
    assert flop.follow("") == flop
    with pytest.raises(ErraiError, match="betting 'ccr', position 2: 'c' follows the end of a round"):
        flop.follow("ccr")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rcr", "betting 'rcr', position 3: 'r' follows the end of a round; '/' is needed before it"),
        (
            "r/c",
            "position 2: '/' does not belong here; the round has not ended, allowed: f (fold), c (call)",
        ),
        (
            "/",
            "position 1: '/' does not belong here; the round has not ended, allowed: f (fold), c (call)",
        ),
        (
            "rc//",
            "position 4: '/' does not belong here; the round has not ended, allowed: c (check), r (bet)",
        ),
        ("rc/f", "position 4: 'f' (fold) is not allowed; allowed: c (check), r (bet)"),
        ("rrrr", "position 4: 'r' (raise) is not allowed; allowed: f (fold), c (call)"),
        ("k", "position 1: 'k' (check) is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("cc/bb", "position 5: 'b' (bet) is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("r?", "position 2: '?' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("r\0c", "position 2: '\\x00' is not allowed"),
        ("raise check", "position 7: 'check' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("raise call / raise", "position 14: 'raise' is not allowed; allowed: c (check), r (bet)"),
        ("raise call / call", "position 14: 'call' is not allowed; allowed: c (check), r (bet)"),
        ("raise limp", "position 7: 'limp' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("raise 4-bet", "position 7: '4-bet' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("raise cap", "position 7: 'cap' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("raise 20", "position 1: 'raise 20' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("rise call", "position 1: 'rise' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("jam", "position 1: 'jam' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("raise call bet", "position 12: 'bet' follows the end of a round; '/' is needed before it"),
        ("r20", "position 1: 'r20' (raise) is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("fc", "position 2: 'c' follows the fold that ends the hand; nothing is allowed here"),
        ("f/", "position 2: '/' does not belong here; the hand is over"),
        ("cc/cc/cc/ccc", "position 12: 'c' follows the showdown that ends the hand; nothing is allowed here"),
    ],
)
def test_a_wrong_betting_is_told_the_position_and_what_is_allowed(text, complaint):
    with pytest.raises(ErraiError) as error:
        parse_state(HOLDEM, text)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("r", "position 1: 'r' (raise) is not allowed; allowed: f (fold), c (call), r200 to r20000 (raise)"),
        ("r199", "position 1: 'r199' (raise) is not allowed; allowed: f (fold), c (call), r200 to r20000"),
        ("r20001", "r200 to r20000 (raise)"),
        ("r300r499", "position 5: 'r499' (raise) is not allowed; allowed: f (fold), c (call), r500 to r20000"),
        ("r300cr400", "position 6: 'r400' follows the end of a round; '/' is needed before it"),
        ("r300c/c500", "position 7: 'c500' (check or call) is not allowed; allowed: c (check), r400 to r20000"),
        ("r300f/", "position 6: '/' does not belong here; the hand is over"),
        ("r20000c////", "position 11: '/' does not belong here; the hand is over"),
        ("r19950r20000r", "allowed: f (fold), c (call)"),
        ("r19950r19999", "position 7: 'r19999' (raise) is not allowed; allowed: f (fold), c (call), r20000 (raise)"),
        ("r99999999999999999999", "is not allowed; allowed: f (fold)"),
        ("r-300", "position 1: 'r' (raise) is not allowed"),
    ],
)  # fmt: skip
def test_a_wrong_no_limit_betting_is_told_the_sizes_that_are_allowed(text, complaint):
    with pytest.raises(ErraiError) as error:
        parse_state(DEEP, text)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("action", ["", "cr", "f", "r2", "/", " ", "call", "check bet"])
def test_only_one_legal_action_is_an_action(action):
    with pytest.raises(ErraiError, match=r"is not allowed; allowed: c \(check\), r \(bet\)"):
        start(LEDUC).act(action)


def test_nothing_is_done_after_the_end():
    with pytest.raises(ErraiError, match="'c' is not allowed; the hand is over"):
        parse_state(LEDUC, "rf").act("c")


# Cards


def test_public_cards_are_dealt_round_by_round():
    state = start(HOLDEM, ("5d5c", "9hQd")).act("c").act("c")
    assert state.awaits_cards == 3
    state = state.deal("8dAs8s")
    assert (state.awaits_cards, state.board) == (0, ((), FULL_DECK.parse("8dAs8s")))
    state = state.act("c").act("c").deal(FULL_DECK.parse("2c"))
    assert state.cards == FULL_DECK.parse("8dAs8s2c")
    assert state == parse_state(HOLDEM, "cc/cc/", "8dAs8s 2c", ("5d5c", "9hQd"))


def test_once_a_board_is_dealt_each_round_waits_for_its_cards():
    state = parse_state(HOLDEM, "cc/cc", "8dAs8s2c").act("c").act("c")
    assert (state.awaits_cards, state.legal(), state.raise_range()) == (1, "", None)
    with pytest.raises(ErraiError, match="action 'c' is not allowed; 1 card must be dealt first"):
        state.act("c")


def test_betting_alone_goes_on_without_cards_and_the_board_may_come_later():
    state = parse_state(HOLDEM, "cc/cc/r")
    assert (state.awaits_cards, state.legal(), state.board) == (4, "fcr", ((),))
    assert state.deal("8dAs8s2c") == parse_state(HOLDEM, "cc/cc/r", "8dAs8s2c")
    assert state.deal("8dAs8s").deal("2c") == state.deal("8dAs8s2c")


@pytest.mark.parametrize(
    ("betting", "cards", "complaint"),
    [
        ("cc", "8dAs", "2 cards dealt; round 2 needs 3"),
        ("cc/cc", "8dAs", "2 cards dealt; round 3 needs 3 or 4"),
        ("", "8dAs8s", "no public cards are due: round 1 has all its cards"),
        ("f", "8dAs8s", "no public cards are due: the hand is over"),
        ("cc", "5dAs8s", "the card 5d is dealt twice"),
    ],
)
def test_only_the_cards_that_are_due_can_be_dealt(betting, cards, complaint):
    state = parse_state(HOLDEM, betting, hole=("5d5c", None))
    with pytest.raises(ErraiError, match=complaint):
        state.deal(cards)


def test_a_board_has_the_cards_of_its_round():
    with pytest.raises(
        ErraiError, match="betting 'cc/' leads to round 2, which has 3 board cards, but the board"
    ):
        parse_state(HOLDEM, "cc", "8dAs8s2c")
    assert parse_state(HOLDEM, "cc/rf", "8dAs8s").cards == FULL_DECK.parse("8dAs8s")


@pytest.mark.parametrize(
    ("hole", "complaint"),
    [
        (("5d", None), "a hand of holdem has 2 cards, not 1"),
        (("5d5c", "5cAs"), "the card 5c is dealt twice"),
        (((0, 0), None), "the card 2c is dealt twice"),
        (((0, 52), None), "card 52 is not in this deck"),
        (("5d5c",), "hole cards of 1 seats; holdem has 2"),
    ],
)
def test_hole_cards_that_cannot_be_dealt(hole, complaint):
    with pytest.raises(ErraiError, match=complaint):
        start(HOLDEM, hole)


def test_the_better_hand_wins_the_pot():
    assert parse_state(LEDUC, "rc/cc", "4c", ("4d", "3c")).payoff() == (3, -3)
    assert parse_state(LEDUC, "rc/cc", "4c", ("3d", "3c")).payoff() == (0, 0)
    ace = load_game("rhode-island")
    assert parse_state(ace, "cc/cc/cc", "AsKs", ("Qs", "Qh")).payoff() == (5, -5)


def test_a_payoff_needs_the_end_and_all_cards():
    with pytest.raises(ErraiError, match="the hand is not over after 'r'"):
        parse_state(LEDUC, "r").payoff()
    with pytest.raises(ErraiError, match="the cards of seat 1 are not known"):
        parse_state(LEDUC, "cc/cc", "4c", ("4d", None)).payoff()
    with pytest.raises(ErraiError, match="the board has 0 cards; this needs all 1"):
        parse_state(LEDUC, "cc/cc", "", ("4d", "3c")).payoff()


# Any game


@st.composite
def walks(draw, games):
    """A hand played to some point: the states from the start on, cards dealt when they are due."""
    game = draw(games)
    order = draw(st.permutations(range(game.deck_size)))
    hole = order[: game.hole_cards], order[game.hole_cards : 2 * game.hole_cards]
    board = order[2 * game.hole_cards :]
    states = [start(game, hole)]
    for _ in range(draw(st.integers(0, 40))):
        state = states[-1]
        if state.awaits_cards:
            known = len(state.cards)
            states.append(state.deal(board[known : known + state.awaits_cards]))
        elif state.over:
            break
        else:
            action = draw(st.sampled_from(state.legal()))
            if action == "r" and game.betting == "nolimit":
                least, most = state.raise_range()
                action = f"r{draw(st.sampled_from([least, most]) | st.integers(least, most))}"
            states.append(state.act(action))
    return states


ANY_GAME = st.sampled_from([*map(load_game, builtin_names()), DEEP, SHORT]) | definitions()


@given(walks(ANY_GAME))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_random_hands_keep_turns_and_chips_right(states):
    for before, after in pairwise(states):
        game, stacks = after.game, after.stacks
        assert all(a <= b <= s for a, b, s in zip(before.spent, after.spent, stacks, strict=True))
        assert after.pot == sum(after.spent)
        assert after.raises <= game.max_raises[after.round]
        if before.awaits_cards:
            assert after == replace(before, cards=after.cards)
            continue
        actor = before.player
        assert after.spent[1 - actor] == before.spent[1 - actor]
        assert after.actions[:-1] == before.actions
        assert ("f" in before.legal()) == (before.to_call > 0)
        match after.actions[-1][0]:
            case "f":
                assert (after.folded, after.spent) == (actor, before.spent)
            case "c":
                assert after.spent[actor] - before.spent[actor] == before.to_call
            case "r":
                assert after.player == 1 - actor
                assert after.spent[actor] > max(before.spent)
        if not after.over and after.round == before.round:
            assert after.player != actor
        if not after.over and after.round != before.round:
            assert after.spent[0] == after.spent[1] < min(stacks)
            assert after.player == game.first_player[after.round]
    last = states[-1]
    if last.over and not last.awaits_cards:
        first, second = last.payoff()
        assert first == -second
        assert abs(first) <= min(last.spent)


@given(walks(ANY_GAME))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_random_hands_read_back_from_their_text(states):
    last = states[-1]
    alone = replace(last, cards=())
    for text in (last.betting, last.betting.rstrip("/"), last.betting.upper()):
        assert parse_state(last.game, text, hole=last.hole) == alone
    played = start(last.game, last.hole)
    for action in last.actions:
        played = played.act(action)
    assert played == alone
    if len(last.cards) == last.game.board_sizes[last.round]:
        assert parse_state(last.game, last.betting, last.cards, last.hole) == last
        assert parse_state(last.game, last.betting, last.board, last.hole) == last
        shown = last.deck.format_cards(last.cards, " ")
        assert parse_state(last.game, last.betting, shown, last.hole) == last


@given(
    st.sampled_from([HOLDEM, LEDUC, DEEP]),
    st.text("fcrkxbFCR/0123456789 ", max_size=12) | st.text(max_size=5),
)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_text_is_a_betting_or_one_line_of_complaint(game, text):
    complaint = ""
    try:
        state = parse_state(game, text)
    except ErraiError as error:
        complaint = str(error)
    if complaint:
        assert re.fullmatch(r"betting .*, position \d+: .*", complaint)
    else:
        assert parse_state(game, state.betting) == state


if __name__ == "__main__":
    for traced, rules in TRACED.items():
        (GOLDEN / f"betting-{traced}.txt").write_text(trace(rules))
