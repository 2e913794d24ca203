"""Games of OpenSpiel: what it calls a history is a node, and what it calls an information state a set."""

import sys

import numpy as np
import pyspiel
import pytest

from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.sequence import openspiel
from errai.sequence.openspiel import read_openspiel
from errai.sequence.poker import poker_game
from errai.sequence.tree import CHANCE, END, ExtensiveGame
from tests.monitors import Recorder
from tests.openspiel import key_of
from tests.sequence.test_poker import expected, named

LEDUC_IN_ACPC_TERMS = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=1 1,raiseSize=2 4,firstPlayer=1 1,"
    "maxRaises=2 2,numSuits=2,numRanks=3,numHoleCards=1,numBoardCards=0 1,stack=100 100)"
)
SMALL_LIARS_DICE = "liars_dice(numdice=1,dice_sides=3)"
GAMES = (
    "kuhn_poker",
    "leduc_poker",
    LEDUC_IN_ACPC_TERMS,
    SMALL_LIARS_DICE,
    "dark_hex(board_size=2)",
    "hex(board_size=2)",
    "nim(pile_sizes=1;2;3)",
    "goofspiel(num_cards=3,imp_info=True)",
    "matrix_rps",
    "matrix_mp",
    "python_kuhn_poker",
)
each_game = pytest.mark.parametrize("name", GAMES, ids=lambda name: name.partition("(")[0])


def uniform(game: ExtensiveGame) -> float:
    """What player 0 wins when both take each action equally often."""
    return expected(game, lambda which: [1 / game.set_actions[which]] * int(game.set_actions[which]))


def histories(name: str) -> tuple[int, int, float]:
    """Histories, information states, and what player 0 wins on average by OpenSpiel's own walk."""
    game = pyspiel.load_game_as_turn_based(name)
    known: set[tuple[int, str]] = set()

    def walk(state) -> tuple[int, float]:
        if state.is_terminal():
            return 1, state.player_return(0)
        if state.is_chance_node():
            chances = state.chance_outcomes()
        else:
            known.add((state.current_player(), state.information_state_string()))
            actions = state.legal_actions()
            chances = [(action, 1 / len(actions)) for action in actions]
        nodes, value = 1, 0.0
        for action, chance in chances:
            below, worth = walk(state.child(action))
            nodes += below
            value += chance * worth
        return nodes, value

    nodes, value = walk(game.new_initial_state())
    return nodes, len(known), value


@each_game
def test_a_game_is_the_one_that_openspiel_plays(name):
    game = read_openspiel(name)
    nodes, known, value = histories(name)
    assert (game.nodes, game.information_sets) == (nodes, known)
    assert uniform(game) == pytest.approx(value, abs=1e-12)
    assert game.exact


@each_game
def test_names_are_single_lines_and_tell_actions_apart(name):
    game = read_openspiel(name)
    assert game.title == name
    assert not any("\n" in text for text in (*game.set_names, *game.labels))
    for which in range(game.information_sets):
        actions = game.actions(which)
        assert len(set(actions)) == len(actions)


@pytest.mark.parametrize(("name", "ours"), [("kuhn_poker", "kuhn"), ("leduc_poker", "leduc")])
def test_poker_is_the_same_game_as_ours(name, ours):
    """Chance deals one card at a time there and both hands at once here; everything else is the same."""
    theirs, rules = read_openspiel(name), load_game(ours)
    mine = poker_game(rules)
    for kind in (0, 1, END):
        assert (theirs.player == kind).sum() == (mine.player == kind).sum()
    key = [named(rules, key_of(name, text)) for text in theirs.set_names]
    assert set(key) == set(mine.set_names)
    assert set(theirs.payoffs) == set(mine.payoffs)

    generator = np.random.default_rng(1)
    play = {
        called: generator.dirichlet(np.ones(actions))
        for called, actions in zip(mine.set_names, mine.set_actions, strict=True)
    }
    value = expected(mine, lambda which: play[mine.set_names[which]])
    assert expected(theirs, lambda which: play[key[which]]) == pytest.approx(value, abs=1e-12)


def test_liars_dice_is_as_large_as_counting_says():
    """Bids are a rising subset of 12, and every bid can be doubted: 36 rolls, 6 that one player sees."""
    game = read_openspiel("liars_dice")
    assert game.information_sets == 6 * 2**12
    assert (game.player < CHANCE).sum() == 36 * 2**12
    assert (game.player == END).sum() == 36 * (2**12 - 1)
    assert (game.player == CHANCE).sum() == 1 + 6


def test_simultaneous_moves_are_hidden_from_the_second_player():
    game = read_openspiel("matrix_rps")
    assert (game.nodes, game.information_sets) == (13, 2)
    assert game.actions(0) == game.actions(1) == ("Rock", "Paper", "Scissors")
    payoffs = [game.payoffs[code] for code in game.payoff[game.player == END]]
    assert payoffs == [0, -1, 1, 1, 0, -1, -1, 1, 0]


def test_a_game_without_chance_and_secrets_has_one_node_in_each_set():
    game = read_openspiel("nim(pile_sizes=1;2)")
    assert game.information_sets == (game.player < CHANCE).sum() == 7
    assert game.actions(0) == ("pile:1, take:1;", "pile:2, take:1;", "pile:2, take:2;")


def test_progress_is_told_from_time_to_time():
    recorder = Recorder()
    game = read_openspiel("leduc_poker", monitor=recorder)
    assert len(recorder.reports) == game.nodes // openspiel.PROGRESS_EVERY == 1
    assert str(recorder.reports[0]).startswith("reading the game: ")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("ledoc_poker", "OpenSpiel has no such game; did you mean leduc_poker?"),
        ("no such thing", "OpenSpiel has no such game"),
        ("", "which game of OpenSpiel"),
        ("kuhn_poker(players=2", "Missing closing bracket"),
        ("kuhn_poker(colour=2)", "Unknown parameter 'colour'"),
        ("kuhn_poker(players=two)", "Wrong type for parameter players"),
        ("kuhn_poker(players=1)", "num_players_ = 1"),
        ("kuhn_poker\n", "openspiel:'kuhn_poker\\n': "),
        ("kuhn\ud800", "can't encode"),
        ("liars_dice(numdice=0)", "num_dice"),
        # Both of these end the process that loads them.
        ("universal_poker(numPlayers=3)", "OpenSpiel crashes on this game (only read 2 stack sizes, need 3)"),
        ("universal_poker(numRanks=-3)", "OpenSpiel crashes on this game"),
        ("kuhn_poker(players=3)", "is a game of 3; Errai solves games of two players"),
        ("mfg_crowd_modelling", "is a game of 1; Errai solves games of two players"),
        ("matrix_pd", "is a general-sum game; Errai solves zero-sum and constant-sum games"),
        ("tiny_hanabi", "is a general-sum game"),
        ("zerosum(game=negotiation())", "samples its chance moves"),
        ("pig", "has no information state strings"),
        ("liars_dice_ir(numdice=1,dice_sides=3)", "lacks perfect recall"),
        ("chess", "can last more than 2,000 moves"),
    ],
)
def test_games_that_cannot_be_solved_are_refused_in_one_line(name, complaint):
    with pytest.raises(ErraiError) as error:
        read_openspiel(name)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_a_game_of_more_nodes_than_wanted_is_refused():
    assert read_openspiel("kuhn_poker", most_nodes=58).nodes == 58
    with pytest.raises(ErraiError, match=r"^openspiel:kuhn_poker has more than 57 nodes; .*most_nodes=114$"):
        read_openspiel("kuhn_poker", most_nodes=57)
    with pytest.raises(ErraiError, match=r"more than 10,000 nodes"):
        read_openspiel("phantom_ttt", most_nodes=10_000)


def test_openspiel_is_an_optional_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ErraiError) as error:
        read_openspiel("kuhn_poker")
    assert str(error.value) == (
        "openspiel:kuhn_poker needs the package open_spiel; install it with: pip install 'errai[openspiel]'"
    )
