"""A game with four bets a round, played by a model with three."""

import numpy as np

from errai.games.catalogue import load_game
from errai.games.template import fresh_round, round_template
from errai.models.fewer_bets import fewer_bets
from errai.models.network import with_bets

HOLDEM = load_game("holdem")
GAME, MODEL = (round_template(fresh_round(rules, 1)) for rules in (HOLDEM, with_bets(HOLDEM, 3)))
MAP = fewer_bets(GAME, MODEL)


def played(betting, shares):
    """What is played at a decision of the game, where the model plays these shares, by its betting, else fold."""
    found = np.zeros((MODEL.rows, 1))
    for node in MODEL.nodes:
        found[node.row : node.row + len(node.actions), 0] = shares.get(node.betting, 0)
    node = next(node for node in GAME.nodes if node.betting == betting)
    return MAP.played(found)[node.row : node.row + len(node.actions), 0].tolist()


def test_up_to_the_third_bet_the_model_is_played():
    assert played("crr", {"crr": [0.2, 0.3, 0.5]}) == [0.2, 0.3, 0.5]


def test_the_third_bet_is_answered_as_in_the_model_and_never_raised():
    assert played("rrr", {"rrr": [0.4, 0.6]}) == [0.4, 0.6, 0.0]


def test_the_fourth_bet_is_called():
    assert played("rrrr", {"rrr": [1.0, 0.0]}) == [0.0, 1.0]


def test_after_a_fourth_bet_the_game_goes_on_as_after_the_third():
    ends = [leaf.betting for leaf in MODEL.leaves]
    assert {leaf.betting: ends[at] for leaf, at in zip(GAME.leaves, MAP.leaves, strict=True)} == {
        "cc": "cc", "crc": "crc", "crrc": "crrc", "crrrc": "crrrc", "crrrrc": "crrrc",
        "rc": "rc", "rrc": "rrc", "rrrc": "rrrc", "rrrrc": "rrrc",
    }  # fmt: skip


def test_a_model_with_all_bets_is_played_as_it_is():
    same = fewer_bets(GAME, GAME)
    assert same.rows.tolist() == list(range(GAME.rows))
    assert same.leaves.tolist() == list(range(len(GAME.leaves)))
