"""What every action is worth: as the reference finds history by history, and never more than a best response."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

import errai
from errai.abstraction.abstraction import lossless
from errai.cards.notation import hand_index, hands
from errai.engine.evaluation import Evaluator
from errai.engine.layout import layout
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import parse_game
from errai.games.lookup import betting_tree
from errai.games.spot import pair_weight, spot, whole_game
from errai.games.state import parse_state
from errai.strategy.kinds.buckets import open_buckets, save_buckets
from errai.strategy.kinds.exact import ExactStrategy
from errai.strategy.kinds.rule import RuleStrategy
from errai.strategy.quantised import quantised_round
from errai.strategy.values import subgame
from tests import naive
from tests.engine.weights import ranges_of, start_of, strategy_of, symmetric_strategy, weights_of
from tests.games_strategies import random_strategy, seeds, small_games

LEDUC = load_game("leduc")
HOW = {"algorithm": "random", "iterations": 1, "seconds": 1.0, "command": "", "strategy": "average"}

# Three rounds of one card each, one raise a round, a flush possible.
THREE_ROUNDS = parse_game(
    "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 3\nblind = 2 1\nraiseSize = 2 2 4\nfirstPlayer = 2 1 1\n"
    "maxRaises = 1 1 1\nnumSuits = 2\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0 1 1\n"
    "handRanking = three-card\nEND GAMEDEF",
    name="three rounds",
)


def solved(where, **options) -> ExactStrategy:
    solver = prepare(where, Settings(**{"iterations": 20, "threads": 1, **options}))
    solver.run()
    return ExactStrategy(solver.layout, solver.weights())


def assert_worth(strategy, known: dict[naive.Key, list[float]], decisions: int | None = None) -> None:
    """Every decision is worth what the reference says, hand by hand."""
    found = {}
    for (seat, hole, board, betting), wanted in known.items():
        at = board, betting
        if at not in found:
            if decisions is not None and len(found) >= decisions:
                continue
            state = parse_state(strategy.game, betting, board)
            found[at] = strategy.decision(state, values=True)
            assert found[at].player == seat
        worth = found[at].values[hand_index(hole)]
        np.testing.assert_allclose(worth, wanted, rtol=0, atol=1e-9, err_msg=str((hole, board, betting)))


@pytest.mark.parametrize(
    "options",
    [{}, {"precision": "float64"}, {"precision": "int16"}, {"isomorphism": False},
     {"strategy": "current", "method": "dcfr"}],
    ids=str,
)  # fmt: skip
def test_every_decision_of_leduc_is_worth_what_the_reference_finds(options):
    strategy = solved(whole_game(LEDUC), **options)
    played = strategy_of(strategy.layout, strategy.weights)
    assert_worth(strategy, naive.action_values(LEDUC, played), None if not options else 20)


def test_three_rounds_of_cards_are_all_dealt():
    strategy = solved(whole_game(THREE_ROUNDS))
    played = strategy_of(strategy.layout, strategy.weights)
    assert_worth(strategy, naive.action_values(THREE_ROUNDS, played), decisions=60)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(game=small_games(most_histories=3_000), seed=seeds())
def test_small_games_with_any_strategy(game, seed):
    places = layout(whole_game(game), isomorphism=False)
    played = random_strategy(game, seed)
    strategy = ExactStrategy(places, weights_of(places, played))
    assert_worth(strategy, naive.action_values(game, played), decisions=12)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(game=small_games(most_histories=3_000), seed=seeds())
def test_small_games_in_which_suits_are_alike(game, seed):
    places = layout(whole_game(game))
    played = symmetric_strategy(game, seed)
    strategy = ExactStrategy(places, weights_of(places, played))
    assert_worth(strategy, naive.action_values(game, played), decisions=12)


def test_a_spot_with_ranges_keeps_suits_apart_that_its_ranges_tell_apart():
    generator = np.random.default_rng(3)
    ranges = generator.random((2, 6))
    ranges[1, 2] = 0.0
    where = spot(LEDUC, "", "r", (ranges[0], ranges[1]))
    strategy = solved(where, precision="float64")
    places = strategy.layout
    played = strategy_of(places, strategy.weights)
    assert_worth(strategy, naive.action_values(LEDUC, played, ranges_of(where), start_of(places)))


def test_the_root_is_worth_the_value_of_the_strategy():
    for where in (
        whole_game(LEDUC),
        spot(load_game("holdem"), "Ks7h2d 5c", "rc/rc", ("AA,KQs,T9s", "QQ+,A5s")),
    ):
        strategy = solved(where, iterations=10)
        found = strategy.decision(values=True)
        player = found.player
        mixed = np.nansum(found.probabilities * found.values, axis=1)
        holes = hands(where.deck.size, where.game.hole_cards).astype(int)
        met = np.zeros(len(holes))
        for hand in np.flatnonzero(where.ranges[player]):
            apart = ~np.isin(holes, holes[hand]).any(axis=1)
            met[hand] = where.ranges[1 - player][apart].sum()
        mean = (where.ranges[player] * met * mixed).sum() / pair_weight(where)
        assert mean == pytest.approx(strategy.evaluate().value[player], abs=1e-9)


@pytest.mark.parametrize(("betting", "board"), [("", ""), ("cr", ""), ("rrc/r", "3d"), ("cc/", "2c")])
def test_no_action_is_worth_more_than_a_best_response(betting, board):
    strategy = solved(whole_game(LEDUC), iterations=5)
    state = strategy.state(betting, board)
    found = strategy.decide(state, values=True)
    player = state.player
    reach = strategy.ranges(state)
    held = np.where(np.isnan(found.probabilities[:, 0]), 0.0, 1.0)
    ranges = (held, reach[1]) if player == 0 else (reach[0], held)
    places, weights = subgame(strategy, state, spot(LEDUC, board, betting, ranges))
    best = Evaluator(places).hand_values(player, weights, best=True)
    from errai.strategy.lookup import classes_of, find_board

    classes = classes_of(places, find_board(places, ()))
    live = classes >= 0
    assert (found.values[live].max(axis=1) <= best[classes[live]] + 1e-9).all()
    mixed = (found.probabilities * found.values).sum(axis=1)
    assert (found.values[live].max(axis=1) >= mixed[live] - 1e-9).all()


def saved_buckets(folder, game, seed=5):
    """A random strategy with a bucket for every canonical hand."""
    buckets, tree = lossless(game), betting_tree(game)
    generator = np.random.default_rng(seed)

    def rows_of(template, count, contexts):
        tables = [
            quantised_round(template, generator.random((template.rows, count))) for _ in range(contexts)
        ]
        return tables.__getitem__

    rows = [rows_of(*of) for of in zip(tree.templates, buckets.counts, tree.contexts, strict=True)]
    save_buckets(folder, game, buckets, rows, HOW)
    return open_buckets(folder, buckets)


def test_a_strategy_on_buckets_is_worth_what_the_reference_finds_in_the_last_two_rounds(tmp_path):
    strategy = saved_buckets(tmp_path, THREE_ROUNDS)

    @cache
    def decision(board, betting):
        return strategy.decision(parse_state(THREE_ROUNDS, betting, board)).probabilities

    def played(seat, hole, board, betting):
        return decision(board, betting)[hole[0]].tolist()

    known = naive.action_values(THREE_ROUNDS, played)
    late = {key: worth for key, worth in known.items() if len(key[2]) >= 2}
    assert_worth(strategy, late, decisions=40)
    with pytest.raises(
        ErraiError, match="a strategy on buckets cannot be evaluated action by action before round 2"
    ):
        strategy.decision(values=True)


def test_the_strategy_that_comes_with_errai_knows_what_its_turn_and_river_are_worth():
    holdem = errai.load("holdem")
    for betting, board, spent in (("rc/rc/r", "Ks7h2d 5c", 30), ("rc/rc/cc/r", "Ks7h2d 5c 9h", 30)):
        found = holdem.decision(betting, board, values=True)
        live = ~np.isnan(found.probabilities[:, 0])
        assert (found.values[live, 0] == -spent).all()
        # The nuts rather raise than fold, and no hand can lose or win more than everything that can be bet.
        nuts = hand_index(holdem.spot.deck.parse("KdKh"))
        assert found.values[nuts, 2] > found.values[nuts, 0]
        assert (np.abs(found.values[live]) <= holdem.game.most_chips).all()


def test_where_the_opponent_cannot_be_there_is_no_value():
    raising = RuleStrategy("always-raise", LEDUC)
    assert np.isnan(raising.decision("c", values=True).values).all()  # nobody checks who always raises
    assert not np.isnan(raising.decision("r", values=True).values).any()
    where = spot(load_game("holdem"), "Ks7h2d5c9h", "cc/cc/cc", ("AsAh,QdQc", "AsKd"))
    blocked = solved(where, iterations=2)
    found = blocked.decision(values=True).values
    aces, queens = (hand_index(where.deck.parse(hand)) for hand in ("AhAs", "QcQd"))
    assert np.isnan(found[aces]).all()
    assert not np.isnan(found[queens]).any()


def test_calling_stations_are_worth_their_equity():
    """Against an opponent who only calls, a bet on the river wins or loses one bet more than a check."""
    calling = RuleStrategy("always-call", load_game("holdem"))
    found = calling.decision("cc/cc/cc/", "Ks7h2d5c9h", values=True)
    check, bet = found.values.T
    live = ~np.isnan(check)
    np.testing.assert_allclose(bet[live], check[live] * 3, rtol=1e-9, atol=1e-9)  # 10 chips each, then 30
