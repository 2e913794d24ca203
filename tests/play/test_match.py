"""Matches: batches against hands that are played one by one, scores against the exact expectation."""

import math
import re
from functools import cache

import numpy as np
import pytest
from pokerkit import FixedLimitTexasHoldem, HandHistory, NoLimitTexasHoldem

import errai
from errai.api.matches import _with_tables
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import from_log_line
from errai.play.agent import StrategyAgent, chosen
from errai.play.log import MatchLog
from errai.play.lookup import LookupAgent, bucket_bytes
from errai.play.match import BLOCK, Deals, in_batches, one_by_one, play_match
from errai.play.opening import open_agents
from errai.play.score import Estimate, Score, Tally
from errai.runs.monitor import SILENT, Monitor
from tests.blueprint.games import few_layout, random_weights


@cache
def solved(name, iterations=60):
    return errai.solve(name, iterations=iterations).strategy


def bots(*names, game):
    return open_agents(names, game)


def lines_of(blocks):
    return [line for block in blocks for line in block.lines]


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("leduc", ("pot-odds", "random")),
        ("leduc", ("win-rate", "always-raise")),
        ("rhode-island", ("always-call", "random")),
        ("kuhn", ("win-rate", "random")),
        ("holdem", ("random", "always-raise")),
        ("holdem", ("always-fold", "always-raise")),
    ],
)
def test_a_batch_is_the_hands_one_by_one(game, names, duplicate):
    rules, agents = load_game(game), bots(*names, game=game)
    batch = [agent.batch() for agent in agents]
    together = lines_of(in_batches(Deals(rules, 5, duplicate), batch, 60, 5))
    apart = lines_of(one_by_one(Deals(rules, 5, duplicate), agents, 60, 5, SILENT))
    assert together == apart


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rhode-island"])
def test_an_exact_solution_plays_in_batches_what_it_plays_when_it_is_queried(game):
    strategy = solved(game)
    agents = [StrategyAgent("exact", strategy), *bots("random", game=game)]
    batch = [agent.batch() for agent in agents]
    together = lines_of(in_batches(Deals(strategy.game, 2, False), batch, 80, 2))
    apart = lines_of(one_by_one(Deals(strategy.game, 2, False), agents, 80, 2, SILENT))
    assert together == apart


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_the_mean_of_a_match_is_the_exact_expectation_within_its_interval(game):
    strategy = solved(game)
    score = play_match(strategy.game, [StrategyAgent(name, strategy) for name in "ab"], 40_000, seed=3)
    value = strategy.evaluate().value[0] / strategy.game.unit * 1000
    for seat, estimate in zip((1, -1), score.by_seat(), strict=True):
        assert abs(estimate.mean_mbb - seat * value) < 2 * estimate.ci95_mbb


def test_a_duplicate_match_of_a_player_against_itself_is_exactly_zero():
    strategy = solved("leduc")
    score = play_match(
        strategy.game, [StrategyAgent(name, strategy) for name in "ab"], 2_000, seed=1, duplicate=True
    )
    assert score.hands.total == 0
    assert score.best.mean_mbb == 0
    assert score.best.ci95_mbb == 0
    assert score.estimators["plain"].ci95_mbb > 0


def test_a_strategy_against_itself_holds_its_tables_once(monkeypatch):
    made = []
    lookup = LookupAgent.__init__
    monkeypatch.setattr(LookupAgent, "__init__", lambda self, *args: made.append(self) or lookup(self, *args))
    strategy = solved("leduc")
    agents = [StrategyAgent("one", strategy), StrategyAgent("two", strategy)]
    score = play_match(strategy.game, agents, 200, seed=1, duplicate=True)
    assert len(made) == 1
    assert score.hands.total == 0
    other = StrategyAgent("other", solved("leduc", 61))
    play_match(strategy.game, [agents[0], other], 200)
    assert len(made) == 3


def test_tables_that_do_not_fit_leave_a_match_to_be_played_hand_by_hand(monkeypatch):
    class Hears(Monitor):
        def warn(self, line):
            self.line = line

    strategy, hears = solved("leduc"), Hears()
    agents = [StrategyAgent("one", strategy), StrategyAgent("two", solved("leduc", 61))]
    together = play_match(strategy.game, agents, 40, seed=3)
    monkeypatch.setattr("errai.play.match.available_memory", lambda: 100)
    apart = play_match(strategy.game, agents, 40, seed=3, monitor=hears)
    assert re.fullmatch(
        r"the tables of both strategies need .* of memory and 93 B can be had: .*", hears.line
    )
    assert apart.curve == together.curve


def test_tables_of_buckets_that_do_not_fit_are_not_made(monkeypatch, tmp_path):
    """The shipped strategy: 16 bits for each of 1,326 hands on each canonical board, and its weights."""
    warned = []

    class Hears(Monitor):
        def warn(self, line):
            warned.append(line)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("errai.api.matches.available_memory", lambda: 2 * 10**9)
    agent = open_agents(["holdem"])[0]
    assert bucket_bytes(agent.strategy) == 2 * 1326 * (1 + 1755 + 16_432 + 652_353)
    assert _with_tables(agent, 10**6, 1, Hears()) is agent.strategy
    assert warned == [
        "the tables of holdem need 2.1 GB of memory and 1.9 GB can be had: its buckets are found hand by hand"
    ]
    assert list(tmp_path.iterdir()) == []


def test_duplicate_hands_have_smaller_intervals():
    game = load_game("leduc")
    score = play_match(game, bots("always-call", "random", game="leduc"), 4_000, seed=4, duplicate=True)
    assert score.estimators["duplicate"].ci95_mbb < 0.7 * score.estimators["plain"].ci95_mbb


def test_an_interval_covers_the_mean_as_often_as_it_says():
    """200 matches of always-call against itself in Kuhn poker, whose expectation is zero."""
    game = load_game("kuhn")
    agents = bots("always-call", "always-raise", game="kuhn")
    covered = sum(
        abs((best := play_match(game, agents, 400, seed=seed).best).mean_mbb) <= best.ci95_mbb
        for seed in range(200)
    )
    # Raised or called, hands are won by the better card: each seat wins as often. 95% of 200 with 4 deviations.
    assert abs(covered - 190) <= 4 * math.sqrt(200 * 0.95 * 0.05)


LIMIT_TABLE = FixedLimitTexasHoldem((), True, 0, (5, 10), 10, 20)
NO_LIMIT_TABLE = NoLimitTexasHoldem((), True, 0, (50, 100), 100)


@pytest.mark.parametrize(
    ("game", "table", "names", "hands"),
    [
        ("holdem", LIMIT_TABLE, ("random", "always-call"), 200),
        ("holdem", LIMIT_TABLE, ("random", "always-raise"), 100),
        ("nolimit", NO_LIMIT_TABLE, ("random", "always-call"), 200),
        ("nolimit", NO_LIMIT_TABLE, ("random", "always-raise"), 100),
    ],
)
def test_a_log_is_what_the_dealer_would_write_and_pokerkit_scores_it_the_same(
    game, table, names, hands, tmp_path
):
    rules, path = load_game(game), tmp_path / "match.log"
    with MatchLog(path) as log:
        score = play_match(rules, bots(*names, game=game), hands, seed=6, log=log)
    *states, last = path.read_text().splitlines()
    assert last == f"SCORE:{score.hands.total}|{-score.hands.total}:{'|'.join(names)}"
    won = 0
    for number, line in enumerate(states):
        hand = from_log_line(rules, line)  # which compares the chips with the cards
        assert hand.hand_number == number
        assert hand.players == (names if number % 2 == 0 else names[::-1])
        assert hand.state.log_line(number, hand.players) == line
        won += hand.state.payoff()[number % 2]
    assert won == score.hands.total
    stack = 20_000
    read = list(HandHistory.from_acpc_protocol(table, stack, path.read_text(), error_status=True))
    assert len(read) == hands
    for line, history in zip(states, read, strict=True):
        end = list(history)[-1]
        assert [chips - stack for chips in end.stacks] == list(from_log_line(rules, line).state.payoff())


def test_a_strategy_on_buckets_plays_in_batches_what_it_plays_when_it_is_queried(tmp_path):
    from errai.blueprint.packing import save_on_layout, to_bytes
    from errai.strategy.kinds.buckets import open_buckets

    layout = few_layout()
    about = {"algorithm": "x", "iterations": 1, "seconds": 0.0, "command": "", "strategy": "average"}
    save_on_layout(tmp_path, layout, to_bytes(layout, random_weights(layout)), about, None)
    strategy = open_buckets(tmp_path, layout.abstraction)
    agents = [StrategyAgent("buckets", strategy), StrategyAgent("again", strategy)]
    batch = [agent.batch() for agent in agents]
    together = lines_of(in_batches(Deals(strategy.game, 2, True), batch, 60, 2))
    apart = lines_of(one_by_one(Deals(strategy.game, 2, True), agents, 60, 2, SILENT))
    assert together == apart


def test_a_match_that_is_stopped_counts_what_was_played(tmp_path):
    class Stop(Monitor):
        def should_stop(self):
            return True

    path = tmp_path / "stopped.log"
    game = load_game("leduc")
    with MatchLog(path) as log:
        score = play_match(game, bots("random", "random", game="leduc"), 3 * BLOCK, log=log, monitor=Stop())
    assert score.hands.samples == BLOCK
    *states, last = path.read_text().splitlines()
    assert len(states) == BLOCK
    assert last.startswith("SCORE:")


def test_scores_do_not_depend_on_blocks():
    rng = np.random.default_rng(1)
    won, first = rng.integers(-50, 50, 1000), np.arange(1000) % 2
    whole, parts = (Score(load_game("leduc"), 1000, True) for _ in range(2))
    whole.add(won, first)
    for low in range(0, 1000, 250):
        parts.add(won[low : low + 250], first[low : low + 250])
    assert whole.estimators == parts.estimators
    assert whole.by_seat() == parts.by_seat()
    assert whole.curve == parts.curve
    assert whole.curve[-1] == (1000, won.sum())


def test_an_estimate_is_the_mean_and_its_deviation():
    values = np.array([3, -1, 4, 1, -5, 9, 2, 6])
    tally = Tally()
    tally.add(values)
    found = tally.estimate(2)
    assert found.mean_mbb == pytest.approx(500 * values.mean())
    assert found.ci95_mbb == pytest.approx(500 * 1.959963984540054 * values.std(ddof=1) / math.sqrt(8))


@pytest.mark.parametrize(
    ("mean", "half", "sign"), [(5.0, 4.0, 1), (-5.0, 4.0, -1), (5.0, 6.0, 0), (0.0, 0.0, 0), (-2.0, 2.0, 0)]
)
def test_a_win_is_one_whose_interval_is_above_zero(mean, half, sign):
    assert Estimate(mean, half, 10).sign == sign


@pytest.mark.parametrize(
    ("shares", "draw", "action"),
    [
        ({"f": 0.25, "c": 0.5, "r": 0.25}, 0.0, "f"),
        ({"f": 0.25, "c": 0.5, "r": 0.25}, 0.25, "c"),
        ({"f": 0.25, "c": 0.5, "r": 0.25}, 0.75, "r"),
        ({"f": 0.0, "c": 1.0, "r": 0.0}, 0.999999, "c"),
        ({"c": 0.1, "r": 0.9 - 1e-12}, 1 - 1e-16, "r"),
    ],
)
def test_a_random_number_takes_an_action(shares, draw, action):
    assert chosen(shares, draw) == action


def test_all_must_play_one_game(tmp_path):
    errai.solve("kuhn", iterations=1, out=tmp_path / "kuhn")
    errai.solve("leduc", iterations=1, out=tmp_path / "leduc")
    with pytest.raises(ErraiError, match="all must play one game"):
        errai.match(tmp_path / "kuhn", tmp_path / "leduc")
    with pytest.raises(ErraiError, match="all must play one game"):
        errai.match(tmp_path / "kuhn", "random", game="leduc")
    with pytest.raises(ErraiError, match="even number"):
        errai.match(tmp_path / "kuhn", "random", hands=3, duplicate=True)
    played = errai.match(tmp_path / "kuhn", "random", hands=100, log=tmp_path / "kuhn.log")
    assert played.players == ("kuhn", "random")
    with pytest.raises(ErraiError, match="is there already"):
        errai.match(tmp_path / "kuhn", "random", hands=100, log=tmp_path / "kuhn.log")


def test_a_match_that_cannot_begin_leaves_no_log_and_keeps_the_old_one(tmp_path):
    log = tmp_path / "match.log"
    with pytest.raises(
        ErraiError, match=r"neither a saved strategy nor a player with a name: holdem, .*win-rate"
    ):
        errai.match("nobody", "random", game="leduc", log=log)
    assert not log.exists()
    log.write_text("mine")
    with pytest.raises(ErraiError, match="nobody"):
        errai.match("nobody", "random", game="leduc", log=log, overwrite=True)
    assert log.read_text() == "mine"
