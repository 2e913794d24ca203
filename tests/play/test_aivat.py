"""Estimates with less luck: unbiased to the last digit over all hands of small games, and as narrow as they say."""

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

import errai
from errai.games.catalogue import load_game
from errai.games.state import from_match_state, start
from errai.play.agent import StrategyAgent, seen_by
from errai.play.aivat import Estimator, estimator_of
from errai.play.batch import Dealt, play_batch, played_hands
from errai.play.dealing import Deal, Dealer
from errai.play.match import play_match
from errai.play.opening import open_agents
from errai.play.table import dealt as with_board
from errai.play.values import learn_values
from errai.strategy.files import open_strategy
from tests import naive

GAME = load_game("leduc")


@cache
def solved(iterations=30):
    return StrategyAgent("solved", errai.solve("leduc", iterations=iterations).strategy)


@cache
def looked_up():
    return solved().batch()


@cache
def rule(name):
    return StrategyAgent(name, open_strategy(name, GAME))


@cache
def shares(agent, line):
    return agent.probabilities(from_match_state(GAME, line))


def all_hands(by_seat):
    """Every deal with every betting that two agents can play: (chances, ends, cards)."""
    chances, ends, cards = [], [], []

    def play(state, chance, deal):
        if state.over:
            chances.append(chance)
            ends.append(state)
            cards.append([*deal.hole[0], *deal.hole[1], *deal.board])
            return
        view = seen_by(state, state.player)
        for action, share in shares(by_seat[state.player], view.state.match_state(view.seat)).items():
            if share > 0:
                play(with_board(state.act(action), deal.board), chance * share, deal)

    deals = list(permutations(range(GAME.deck_size), 3))
    for number, (first, second, board) in enumerate(deals):
        deal = Deal(number, ((first,), (second,)), (board,))
        play(start(GAME, deal.hole), 1 / len(deals), deal)
    return np.array(chances), ends, np.array(cards, np.uint8)


def exactly(by_seat):
    """What seat 0 wins, by the naive tree."""

    def strategy(seat, hole, board, betting):
        state = errai.parse_state(GAME, betting, [card for cards in board for card in cards])
        view = state.__class__(**{**state.__dict__, "hole": (hole, None) if seat == 0 else (None, hole)})
        found = shares(by_seat[seat], view.match_state(seat))
        return [found[action] for action in state.legal()]

    return naive.value(GAME, strategy)


@pytest.mark.parametrize("known", ["both", "first"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("opponent", ["itself", "uniform", "always-raise"])
def test_the_mean_over_all_hands_is_the_exact_expectation(opponent, first, known):
    """Whatever the guess is: here it is one that knows little."""
    other = solved() if opponent == "itself" else rule(opponent)
    by_seat = (solved(), other) if first == 0 else (other, solved())
    chances, ends, cards = all_hands(by_seat)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    played = played_hands(Dealt(GAME, np.arange(len(ends)), cards), ends, np.full(len(ends), first))
    guess = learn_values(looked_up(), hands=300, bins=5)
    agents = (looked_up(), other.batch() if known == "both" and other is not solved() else None)
    agents = (looked_up(), looked_up()) if known == "both" and other is solved() else agents
    found = Estimator(GAME, agents, (guess, guess)).of(played)
    value = exactly(by_seat) * (1 if first == 0 else -1)
    for estimates in (played.won, found.ranges, found.aivat):
        assert (chances * estimates).sum() == pytest.approx(value, abs=1e-6)
    spread = [np.sqrt((chances * (x - value) ** 2).sum()) for x in (played.won, found.ranges, found.aivat)]
    assert spread[2] < spread[1] < spread[0]


def naive_range_mean(end, known):
    """The mean of what seat 0 wins over the hands of known seats that would have come to the same end."""
    total = weight = 0.0
    hands = [range(GAME.deck_size) if known[seat] else [end.hole[seat][0]] for seat in (0, 1)]
    for first, second in product(*hands):
        if len({first, second, *end.cards}) < 2 + len(end.cards):
            continue
        state, reach = start(GAME, ((first,), (second,))), 1.0
        for action in end.actions:
            view = seen_by(state, state.player)
            if known[state.player]:
                reach *= shares(solved(), view.state.match_state(view.seat))[action]
            state = with_board(state.act(action), end.cards)
        total += reach * state.payoff()[0]
        weight += reach
    return total / weight


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
def test_ranges_are_those_of_the_naive_walk(known):
    chances, ends, cards = all_hands((solved(), solved()))
    chosen = np.random.default_rng(3).choice(len(ends), 40, p=chances / chances.sum())
    some = [ends[place] for place in chosen]
    played = played_hands(Dealt(GAME, np.arange(40), cards[chosen]), some, np.zeros(40, np.int64))
    guess = learn_values(looked_up(), hands=300, bins=5)
    agents = tuple(looked_up() if one else None for one in known)
    found = Estimator(GAME, agents, (guess, guess)).of(played)
    assert found.ranges == pytest.approx([naive_range_mean(end, known) for end in some], abs=1e-9)


def test_threads_do_not_change_an_estimate():
    agents = (looked_up(), looked_up())
    played = play_batch(agents, Dealt(GAME, np.arange(60), Dealer(GAME, 4).deal(60)), np.arange(60) % 2, 4)
    guess = learn_values(looked_up(), hands=500)
    one, three = (Estimator(GAME, agents, (guess, guess), threads).of(played) for threads in (1, 3))
    assert np.array_equal(one.aivat, three.aivat)
    assert np.array_equal(one.ranges, three.ranges)


@pytest.mark.parametrize("opponent", ["uniform", "always-call"])
def test_a_match_is_narrower_by_a_factor_and_covers_the_expectation(opponent):
    agents = [solved(), rule(opponent)]
    score = play_match(GAME, agents, 2_000, seed=8, aivat=True)
    found = score.estimators
    assert list(found) == ["plain", "ranges", "aivat"]
    assert found["aivat"].ci95_mbb < 0.1 * found["plain"].ci95_mbb
    values = [exactly((solved(), rule(opponent))), -exactly((rule(opponent), solved()))]
    expected = 1000 * np.mean(values) / GAME.unit
    for estimate in found.values():
        assert abs(estimate.mean_mbb - expected) < 1.5 * estimate.ci95_mbb


def test_intervals_cover_the_expectation_as_often_as_they_say():
    """200 parts of a match, each with its own interval."""
    agents = (looked_up(), rule("uniform").batch())
    estimator = estimator_of(GAME, agents)
    n, parts = 100, 200
    played = play_batch(
        agents,
        Dealt(GAME, np.arange(n * parts), Dealer(GAME, 6).deal(n * parts)),
        np.arange(n * parts) % 2,
        6,
    )
    values = [exactly((solved(), rule("uniform"))), -exactly((rule("uniform"), solved()))]
    found = estimator.of(played)
    for estimates in (played.won, found.ranges, found.aivat):
        by_part = estimates.reshape(parts, n)
        half = 1.96 * by_part.std(axis=1, ddof=1) / np.sqrt(n)
        covered = (np.abs(by_part.mean(axis=1) - np.mean(values)) <= half).mean()
        assert 0.95 - 4 * np.sqrt(0.95 * 0.05 / parts) <= covered


def test_in_rhode_island_the_spread_is_a_fifth_and_the_mean_that_of_the_strategy():
    """Two rounds of public cards, with all hands that may be held as buckets of their own."""
    strategy = errai.solve("rhode-island", iterations=10).strategy
    agent, n = StrategyAgent("solved", strategy).batch(), 3_000
    dealt = Dealt(agent.game, np.arange(n), Dealer(agent.game, 6).deal(n))
    played = play_batch((agent, agent), dealt, np.zeros(n, np.int64), 6)
    found = estimator_of(agent.game, (agent, agent), threads=2).of(played)
    assert found.aivat.std() < 0.2 * played.won.std()
    assert found.ranges.std() < 0.75 * played.won.std()
    expected = strategy.evaluate(2).value[0]
    for estimates in (played.won, found.ranges, found.aivat):
        assert abs(estimates.mean() - expected) < 3 * estimates.std() / np.sqrt(n)


@pytest.mark.slow
def test_intervals_cover_the_expectation_in_rhode_island_as_often_as_they_say():
    """Of a strategy that plays itself, in 200 matches, with both players known and with one."""
    strategy = errai.solve("rhode-island", iterations=10).strategy
    agent, n, parts = StrategyAgent("solved", strategy).batch(), 150, 200
    dealt = Dealt(agent.game, np.arange(n * parts), Dealer(agent.game, 7).deal(n * parts))
    played = play_batch((agent, agent), dealt, np.zeros(n * parts, np.int64), 7)
    expected = strategy.evaluate(2).value[0]
    for known, most in (((agent, agent), 0.2), ((agent, None), 0.75)):
        found = estimator_of(agent.game, known, threads=2).of(played)
        assert found.aivat.std() < most * played.won.std()
        for estimates in (played.won, found.ranges, found.aivat):
            by_part = estimates.reshape(parts, n)
            half = 1.96 * by_part.std(axis=1, ddof=1) / np.sqrt(n)
            covered = (np.abs(by_part.mean(axis=1) - expected) <= half).mean()
            assert 0.95 - 4 * np.sqrt(0.95 * 0.05 / parts) <= covered
            assert abs(estimates.mean() - expected) < 3 * estimates.std() / np.sqrt(n * parts)


def test_hands_may_all_end_before_the_flop():
    game = load_game("holdem")
    agents = [
        StrategyAgent(name, open_strategy(name, game)).batch() for name in ("always-call", "always-fold")
    ]
    played = play_batch(agents, Dealt(game, np.arange(6), Dealer(game, 1).deal(6)), np.zeros(6, np.int64), 1)
    assert played.round.tolist() == [0] * 6
    assert played.won.tolist() == [5] * 6


def test_bots_that_look_at_cards_are_not_known():
    assert (
        estimator_of(GAME, [agent.batch() for agent in open_agents(["win-rate", "random"], "leduc")]) is None
    )
