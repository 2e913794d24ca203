"""The betting tree of one round as sequences, against walking the rules action by action."""

from itertools import product

import pytest
from hypothesis import given, settings

from errai.games.catalogue import builtin_names, load_game
from errai.games.state import parse_state, start
from errai.games.template import deal_only, fresh_round, round_template
from tests.games_strategies import small_games

HOLDEM = load_game("holdem")


def templates(game):
    return [round_template(fresh_round(game, round_)) for round_ in range(game.rounds)]


def endings(game):
    """(betting by round, state) of every end of a round and of the hand, by walking the rules."""

    def below(state, rounds, here):
        for action in state.legal():
            after = state.act(action)
            if after.over:
                yield (*rounds, here + action), after
            elif after.round != state.round:
                yield (*rounds, here + action), after
                yield from below(after, (*rounds, here + action), "")
            else:
                yield from below(after, rounds, here + action)

    return dict(below(start(game), (), ""))


def test_a_river_of_holdem_has_10_decisions_26_actions_8_folds_and_9_showdowns():
    river = templates(HOLDEM)[3]
    assert (len(river.nodes), river.rows, len(river.folds), len(river.leaves)) == (10, 26, 8, 9)


def test_before_the_flop_of_holdem_there_are_8_decisions_and_7_ways_on():
    preflop = templates(HOLDEM)[0]
    assert len(preflop.nodes) == 8
    assert [leaf.betting for leaf in preflop.leaves] == ["cc", "crc", "crrc", "crrrc", "rc", "rrc", "rrrc"]
    assert preflop.nodes[0].player == 1  # the small blind
    assert preflop.nodes[0].actions == "fcr"


def test_a_holdem_round_is_entered_in_1_7_63_and_567_ways():
    ways = [1]
    for template in templates(HOLDEM)[:-1]:
        ways.append(ways[-1] * len(template.leaves))
    assert ways == [1, 7, 63, 567]


def test_kuhn_poker():
    (kuhn,) = templates(load_game("kuhn"))
    assert [(node.betting, node.player, node.actions) for node in kuhn.nodes] == [
        ("", 0, "cr"), ("c", 1, "cr"), ("cr", 0, "fc"), ("r", 1, "fc"),
    ]  # fmt: skip
    assert [(leaf.betting, leaf.amount) for leaf in kuhn.leaves] == [("cc", 1), ("crc", 2), ("rc", 2)]
    assert [(fold.betting, fold.loser, fold.amount) for fold in kuhn.folds] == [("crf", 0, 1), ("rf", 1, 1)]


@pytest.mark.parametrize("name", builtin_names())
def test_pots_of_all_rounds_together_are_those_of_the_rules(name):
    game = load_game(name)
    rounds = templates(game)[:3]  # three rounds of hold'em are enough
    walked = {betting: state for betting, state in endings(game).items() if len(betting) <= len(rounds)}
    found = 0
    before = [((), 0)]
    for template in rounds:
        for (bettings, stake), fold in product(before, template.folds):
            state = walked[(*bettings, fold.betting)]
            assert (state.folded, state.spent[fold.loser]) == (fold.loser, stake + fold.amount)
            found += 1
        following = []
        for (bettings, stake), leaf in product(before, template.leaves):
            path = (*bettings, leaf.betting)
            assert walked[path].spent == (stake + leaf.amount,) * 2
            assert walked[path].folded is None
            following.append((path, stake + leaf.amount))
            found += 1
        before = following
    assert found == len(walked)


@given(small_games())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_sequences_are_a_players_own_actions(game):
    for template in templates(game):
        own_actions = {(0, 0): "", (1, 0): ""}
        rows = []
        for node in template.nodes:
            for offset, action in enumerate(node.actions):
                place = (node.player, node.sequence + offset)
                assert place not in own_actions
                own_actions[place] = own_actions[node.player, node.own] + action
                rows.append(node.row + offset)
        assert rows == list(range(template.rows))
        assert sorted(own_actions) == [
            (seat, sequence) for seat in (0, 1) for sequence in range(template.sequences[seat])
        ]
        first = template.nodes[0].player
        for ending in (*template.folds, *template.leaves):
            for seat in (0, 1):
                # Players take turns, so a player's own actions are every other letter.
                mine = ending.betting[0 if seat == first else 1 :: 2]
                assert own_actions[seat, ending.sequences[seat]] == mine
        for node in template.nodes:
            assert own_actions[node.player, node.own] == node.betting[0 if node.player == first else 1 :: 2]
            other = 1 - node.player
            assert own_actions[other, node.other] == node.betting[0 if other == first else 1 :: 2]


def test_a_round_can_begin_in_its_middle():
    facing_a_bet = round_template(parse_state(HOLDEM, "rc/cc/cc/r"))
    whole = templates(HOLDEM)[3]
    assert facing_a_bet.nodes[0].player == 1
    assert facing_a_bet.nodes[0].actions == "fcr"
    assert [leaf.betting for leaf in facing_a_bet.leaves] == [
        leaf.betting[1:] for leaf in whole.leaves if leaf.betting.startswith("r")
    ]
    # Chips of the rounds before are counted too: 20 each, and the bet of 20.
    assert [leaf.amount for leaf in facing_a_bet.leaves] == [40, 60, 80, 100]
    assert facing_a_bet.folds[0].amount == 20


def test_a_round_without_decisions_is_one_leaf():
    deal = deal_only()
    assert (deal.nodes, deal.folds, deal.rows, deal.sequences) == ((), (), 0, (1, 1))
    assert [(leaf.betting, leaf.amount, leaf.sequences) for leaf in deal.leaves] == [("", 0, (0, 0))]
