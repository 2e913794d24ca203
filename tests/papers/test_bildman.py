"""Bildman's thesis: its counts, and its agent as a strategy like any other."""

import numpy as np
import pytest

import errai
from errai.abstraction.abstraction import buckets_on
from errai.abstraction.build import build
from errai.cards.notation import hands
from errai.games.catalogue import load_game
from errai.models.separate import pots_by_round
from errai.papers.bildman import COUNTED, GROUPS, Counts, Training, changes, counts
from errai.strategy.files import open_strategy
from tests.abstraction.games import little_holdem

HOLDEM = load_game("holdem")
LITTLE = little_holdem(ranks=4)


def test_with_seven_groups_the_trees_states_and_information_sets_are_the_thesiss():
    assert counts(HOLDEM, COUNTED) == Counts(trees=203, states=39_572, information_sets=2_016)
    assert counts(HOLDEM, len(GROUPS)) == Counts(trees=174, states=29_081, information_sets=1_728)


def test_the_flop_is_entered_with_four_pots_the_turn_with_eight_the_river_with_sixteen():
    pots = pots_by_round(HOLDEM)
    assert [len(of.stakes) for of in pots] == [1, 4, 8, 16]
    assert pots[1].stakes == (10, 20, 30, 40)  # a pot of 2, 4, 6 or 8 big blinds
    assert [len(of.of_context) for of in pots] == [1, 7, 63, 567]


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    folder = tmp_path_factory.mktemp("groups")
    return build(LITTLE, "/".join(["ehs:0.2,0.4,0.5,0.6,0.7,0.8"] * 4), folder, threads=1), folder


@pytest.fixture(scope="module")
def trained(groups):
    made = Training(groups[0])
    made.until(300)
    return made


def test_every_round_is_solved_on_its_own(trained):
    assert all(solver.evaluate().exploitability_mbb < 2 for solver in trained.solvers)


def test_the_strategy_settles(groups):
    moved = changes(Training(groups[0]), 30)
    assert moved[0] == 0  # every strategy begins uniform
    assert max(moved[20:]) < 0.1 * max(moved[:5])


def test_the_agent_plays_its_groups_and_forgets_how_the_pot_came_about(trained, groups, tmp_path):
    trained.save(tmp_path / "agent", groups[1], 0.0)
    agent = open_strategy(tmp_path / "agent")
    deck = agent.abstraction.deck
    board, hand = "3s4c5d", "3c5s"
    found = agent.probabilities(hand, "rc/r", board)
    group = buckets_on(agent.abstraction.rounds[:2], ((), tuple(deck.parse(board))), deck)[-1]
    number = hands(deck.size, 2).tolist().index(sorted(deck.parse(hand)))
    template = trained.solvers[1].model.rounds[0].template
    node = next(node for node in template.nodes if node.betting == "r")
    pots = pots_by_round(LITTLE)[1]
    stake = pots.stakes.index(4)  # a raise and a call
    wanted = trained.strategies()[1][node.row : node.row + len(node.actions), group[number], stake]
    assert list(found.values()) == pytest.approx(wanted.tolist(), abs=1 / 255)
    assert agent.probabilities(hand, "crc/r", board) == found


def test_the_agent_sits_down_at_a_table_and_can_be_measured(trained, groups, tmp_path):
    trained.save(tmp_path / "agent", groups[1], 0.0)
    won = errai.match(tmp_path / "agent", "always-call", hands=400, duplicate=True, aivat=False)
    assert won.finished
    found = errai.exploit(tmp_path / "agent")
    assert found.evaluation.exploitability_mbb > 0
    assert np.isfinite(found.evaluation.exploitability_mbb)
