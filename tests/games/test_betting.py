"""Limit betting by the rules of the ACPC dealer.

The files `tests/golden/betting-*.txt` list every way in which the betting of a small game can go: the
betting, the chips of each seat, and how the hand ends. `python -m tests.games.test_betting` writes them anew.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.errors import ErraiError
from errai.games.betting import (
    BettingState,
    act,
    action_name,
    betting_actions,
    format_betting,
    legal_actions,
    parse_betting,
    start,
)
from errai.games.catalogue import builtin_names, load_game
from errai.games.definition import parse_game
from tests.games.test_definition import definitions

GOLDEN = Path(__file__).parent.parent / "golden"
TRACED = ["kuhn", "leduc", "holdem-2-1"]

HOLD_EM = load_game("holdem")
LEDUC = load_game("leduc")
NO_LIMIT = parse_game(
    "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nstack = 20 20\nblind = 2 1\n"
    "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\nEND GAMEDEF",
    name="jam",
)


def trace(name):
    """Every betting of a game to its end, in the order fold, call, raise."""
    game = load_game(name)
    lines = []

    def follow(state, actions):
        if state.over:
            end = "showdown" if state.folded is None else f"seat {state.folded} folds"
            lines.append(f"{format_betting(game, actions)}  {state.spent[0]} {state.spent[1]}  {end}")
        for action in legal_actions(game, state):
            follow(act(game, state, action), actions + action)

    follow(start(game), "")
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", TRACED)
def test_every_betting_of_a_small_game_is_as_recorded(name):
    assert trace(name) == (GOLDEN / f"betting-{name}.txt").read_text()


def test_the_small_blind_is_first_before_the_flop_and_last_after_it():
    assert start(HOLD_EM) == BettingState(round=0, player=1, spent=(10, 5), raises=0, acted=0)
    assert parse_betting(HOLD_EM, "cc/").player == 0


def test_the_big_blind_may_check_or_raise_after_the_small_blind_calls():
    state = parse_betting(HOLD_EM, "c")
    assert (state.round, state.player, state.spent) == (0, 0, (10, 10))
    assert legal_actions(HOLD_EM, state) == "cr"
    assert act(HOLD_EM, state, "c").round == 1


def test_nobody_folds_without_a_bet_to_match():
    assert legal_actions(LEDUC, start(LEDUC)) == "cr"
    assert legal_actions(HOLD_EM, start(HOLD_EM)) == "fcr"


def test_blinds_are_not_raises_so_the_big_bet_is_capped_after_three_preflop_and_four_later():
    assert legal_actions(HOLD_EM, parse_betting(HOLD_EM, "rrr")) == "fc"
    assert legal_actions(HOLD_EM, parse_betting(HOLD_EM, "crrr")) == "fc"
    assert legal_actions(HOLD_EM, parse_betting(HOLD_EM, "cc/rrr")) == "fcr"
    assert legal_actions(HOLD_EM, parse_betting(HOLD_EM, "cc/rrrr")) == "fc"


def test_raises_are_small_bets_before_the_turn_and_big_bets_from_it():
    assert parse_betting(HOLD_EM, "r").spent == (10, 20)
    assert parse_betting(HOLD_EM, "rrrc/rrrrc").spent == (80, 80)
    assert parse_betting(HOLD_EM, "rrrc/rrrrc/rrrrc/rrrrc").spent == (240, 240) == (HOLD_EM.most_chips,) * 2


def test_a_call_ends_the_round_and_the_next_begins_afresh():
    assert parse_betting(HOLD_EM, "rc") == BettingState(round=1, player=0, spent=(20, 20), raises=0, acted=0)


def test_a_fold_ends_the_hand():
    state = parse_betting(HOLD_EM, "rc/crf")
    assert (state.over, state.folded, state.spent) == (True, 0, (20, 30))
    assert legal_actions(HOLD_EM, state) == ""


def test_the_last_round_ends_in_a_showdown():
    state = parse_betting(LEDUC, "cc/rc")
    assert (state.over, state.folded, state.round, state.spent) == (True, None, 1, (5, 5))
    assert legal_actions(LEDUC, state) == ""


def test_a_big_blind_that_acts_first_may_check_and_the_small_blind_must_still_pay():
    game = parse_game(load_game("holdem-2-1").text().replace("firstPlayer = 2 1", "firstPlayer = 1 1"))
    state = start(game)
    assert (state.player, legal_actions(game, state)) == (0, "cr")
    state = act(game, state, "c")
    assert (state.player, legal_actions(game, state)) == (1, "fcr")
    assert act(game, state, "c").spent == (10, 10)


def test_actions_have_the_names_that_players_use():
    facing = start(HOLD_EM)
    assert [action_name(facing, action) for action in "fcr"] == ["fold", "call", "raise"]
    option = act(HOLD_EM, facing, "c")
    assert [action_name(option, action) for action in "cr"] == ["check", "bet"]


@pytest.mark.parametrize("text", ["rc/rc", "rc/rc/", "RC/BC", " rc/bc/ "])
def test_ways_to_write_a_betting(text):
    assert parse_betting(HOLD_EM, text) == parse_betting(HOLD_EM, "rc/rc")
    assert betting_actions(HOLD_EM, text) == "rcrc"
    assert format_betting(HOLD_EM, betting_actions(HOLD_EM, text)) == "rc/rc/"


def test_k_and_x_are_checks():
    assert parse_betting(HOLD_EM, "ck/xX") == parse_betting(HOLD_EM, "cc/cc")


def test_no_betting_is_the_start():
    assert parse_betting(HOLD_EM, "") == start(HOLD_EM)


def test_the_slash_after_the_last_round_is_optional_too():
    assert parse_betting(LEDUC, "cc/cc/") == parse_betting(LEDUC, "cc/cc")
    assert format_betting(LEDUC, "cccc") == "cc/cc"


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
        ("r c", "position 2: ' ' is not allowed; allowed: f (fold), c (call), r (raise)"),
        ("fc", "position 2: 'c' follows the fold that ends the hand; nothing is allowed here"),
        ("f/", "position 2: '/' does not belong here; the hand is over"),
        ("cc/cc/cc/ccc", "position 12: 'c' follows the showdown that ends the hand; nothing is allowed here"),
    ],
)
def test_a_wrong_betting_is_told_the_position_and_what_is_allowed(text, complaint):
    with pytest.raises(ErraiError) as error:
        parse_betting(HOLD_EM, text)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("action", ["", "k", "cr", "R", "f"])
def test_only_one_legal_letter_is_an_action(action):
    with pytest.raises(ErraiError, match=r"is not allowed; allowed: c \(check\), r \(bet\)"):
        act(LEDUC, start(LEDUC), action)


def test_nothing_is_done_after_the_end():
    with pytest.raises(ErraiError, match="'c' is not allowed; the hand is over"):
        act(LEDUC, parse_betting(LEDUC, "rf"), "c")


def test_no_limit_betting_is_refused():
    with pytest.raises(
        ErraiError, match="jam: no-limit betting is not supported; Errai solves only limit games"
    ):
        start(NO_LIMIT)
    with pytest.raises(ErraiError, match="no-limit betting"):
        legal_actions(NO_LIMIT, BettingState(round=0, player=0, spent=(2, 1), raises=0, acted=0))


@given(st.sampled_from(builtin_names()).map(load_game) | definitions(("limit",)), st.data())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_random_walks_keep_the_rules_of_betting(game, data):
    state, actions = start(game), ""
    while not state.over:
        legal = legal_actions(game, state)
        assert "c" in legal
        assert ("f" in legal) == (state.spent[state.player] < max(state.spent))
        assert ("r" in legal) == (state.raises < game.max_raises[state.round])
        action = data.draw(st.sampled_from(legal))
        following = act(game, state, action)
        actions += action
        assert all(after >= before for before, after in zip(state.spent, following.spent, strict=True))
        assert following.raises <= game.max_raises[following.round]
        assert following.round - state.round in (0, 1)
        if following.round > state.round or (following.over and following.folded is None):
            assert following.spent[0] == following.spent[1]
        elif not following.over:
            assert following.player != state.player
        state = following
    written = format_betting(game, actions)
    assert parse_betting(game, written) == state
    assert betting_actions(game, written) == actions
    assert max(state.spent) <= game.most_chips


@pytest.mark.parametrize("name", [name for name in builtin_names() if load_game(name).suits == 4])
@pytest.mark.parametrize("seed", range(3))
def test_betting_goes_as_with_the_acpc_dealer_inside_open_spiel(name, seed):
    pyspiel = pytest.importorskip("pyspiel")
    game = load_game(name)

    def row(values):
        return " ".join(map(str, values))

    theirs = pyspiel.load_game(
        f"universal_poker(betting=limit,numPlayers=2,numRounds={game.rounds},blind={row(game.blinds)},"
        f"raiseSize={row(game.raise_sizes)},firstPlayer={row(seat + 1 for seat in game.first_player)},"
        f"maxRaises={row(game.max_raises)},numSuits=4,numRanks={game.ranks},numHoleCards={game.hole_cards},"
        f"numBoardCards={row(game.board_cards)})"
    )
    chance = random.Random(seed)
    for _ in range(20):
        state, their_state, actions = start(game), theirs.new_initial_state(), ""
        while True:
            while their_state.is_chance_node():
                their_state.apply_action(their_state.legal_actions()[0])
            assert their_state.is_terminal() == state.over
            described = their_state.to_dict()
            assert tuple(described["player_contributions"]) == state.spent
            assert described["acpc_state"].split(":")[2] == format_betting(game, actions)
            if state.over:
                break
            assert their_state.current_player() == state.player
            legal = legal_actions(game, state)
            assert "".join("fcr"[action] for action in their_state.legal_actions()) == legal
            action = chance.choice(legal)
            state, actions = act(game, state, action), actions + action
            their_state.apply_action("fcr".index(action))


if __name__ == "__main__":
    for traced in TRACED:
        (GOLDEN / f"betting-{traced}.txt").write_text(trace(traced))
