"""Decisions found by their betting: the same texts everywhere, counted from the root of a tree."""

import pytest

from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.lookup import BettingTree, betting_tree, bettings_of, find_decision, find_state
from errai.games.spot import spot
from errai.games.state import parse_state
from errai.games.template import fresh_round, round_template

HOLDEM, LEDUC = load_game("holdem"), load_game("leduc")


def tree_of_spot(game, board, betting):
    """The templates from a spot in the middle of a hand on."""
    state = spot(game, board, betting).state
    states = [state, *(fresh_round(game, round_) for round_ in range(state.round + 1, game.rounds))]
    templates = tuple(round_template(state) for state in states)
    contexts = [1]
    for template in templates[:-1]:
        contexts.append(contexts[-1] * len(template.leaves))
    return BettingTree(state, templates, tuple(contexts))


def test_a_decision_is_found_by_its_round_context_and_node():
    tree = betting_tree(HOLDEM)
    found = find_decision(tree, "crc/r")
    assert (found.level, found.context, found.node.betting, found.state.player) == (1, 1, "r", 1)
    assert tree.templates[0].leaves[1].betting == "crc"


@pytest.mark.parametrize("text", ["cc/cr", "CC/CR", "ck/xb", " cc/cr "])
def test_all_ways_to_write_a_betting_lead_to_one_decision(text):
    tree = betting_tree(HOLDEM)
    assert find_decision(tree, text) == find_decision(tree, "cc/cr")
    assert find_decision(tree, text) == find_state(tree, parse_state(HOLDEM, text))


def test_the_slash_at_the_end_is_optional():
    tree = betting_tree(HOLDEM)
    assert find_decision(tree, "cc") == find_decision(tree, "cc/")


def test_a_betting_since_a_spot_goes_on_through_later_rounds():
    tree = tree_of_spot(HOLDEM, "Ks7h2d", "rc/r")
    found = find_decision(tree, "rc/cr")
    assert (found.level, found.node.betting, found.state.betting) == (1, "cr", "rc/rrc/cr")
    assert found == find_state(tree, parse_state(HOLDEM, "rc/rrc/cr"))
    with pytest.raises(ErraiError, match="betting 'cc/r' does not begin with 'rc/r'"):
        find_state(tree, parse_state(HOLDEM, "cc/r"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ccr", "betting 'ccr', position 3: 'r' follows the end of a round; '/' is needed before it"),
        ("c/r", r"betting 'c/r', position 2: '/' does not belong here; the round has not ended, allowed"),
        ("f", r"position 1: 'f' \(fold\) is not allowed; allowed: c \(check\), r \(bet\)"),
        ("rf", "betting 'rf' ends the hand; there is no decision after it"),
        ("cc/cc", "betting 'cc/cc' ends the hand"),
    ],
)
def test_a_betting_without_a_decision_is_told_why(text, complaint):
    with pytest.raises(ErraiError, match=complaint):
        find_decision(betting_tree(LEDUC), text)


@pytest.mark.parametrize(
    "tree", [betting_tree(LEDUC), tree_of_spot(HOLDEM, "Ks7h2d", "rc/r")], ids=["leduc", "spot"]
)
def test_every_decision_has_a_betting_that_finds_it(tree):
    for level, (template, bettings) in enumerate(zip(tree.templates, bettings_of(tree), strict=True)):
        assert len(bettings) == tree.contexts[level]
        for context, betting in enumerate(bettings):
            for node in template.nodes:
                found = find_decision(tree, betting + node.betting)
                assert (found.level, found.context, found.node) == (level, context, node)
                assert found.state.legal() == node.actions
