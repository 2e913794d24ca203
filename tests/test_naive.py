"""The reference itself, against printed values, counting arguments and OpenSpiel."""

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pyspiel
import pytest
from hypothesis import given, settings
from open_spiel.python.algorithms import cfr as openspiel_cfr
from open_spiel.python.algorithms import discounted_cfr as openspiel_discounted_cfr
from phevaluator import evaluate_cards

from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.state import HandState, start
from tests import naive, openspiel
from tests.games_strategies import (
    MOST_HISTORIES,
    histories,
    random_strategy,
    seeds,
    small_games,
    symmetric_random_strategy,
)

KUHN = load_game("kuhn")
LEDUC = load_game("leduc")
RHODE_ISLAND = load_game("rhode-island")
ROYAL = load_game("royal")
HOLDEM = load_game("holdem")
OPENSPIEL_NAMES = [(KUHN, "kuhn_poker"), (LEDUC, "leduc_poker")]
KUHN_VALUE = -1 / 18
LEDUC_VALUE = -0.085606424078

few_games = settings(max_examples=25, deadline=None, derandomize=True)


def cards(text: str) -> tuple[int, ...]:
    """ "AsKd" as cards of the 52-card deck."""
    return tuple(
        4 * "23456789TJQKA".index(rank) + "cdhs".index(suit)
        for rank, suit in zip(text[::2], text[1::2], strict=True)
    )


# Betting


@settings(max_examples=50, deadline=None, derandomize=True)
@given(small_games())
def test_betting_agrees_with_the_games_package_after_every_action(game):
    def compare(ours: naive.Betting, theirs: HandState) -> None:
        assert ours.spent == theirs.spent
        assert (ours.over, ours.folded) == (theirs.over, theirs.folded)
        actions = naive.legal_actions(game, ours)
        assert actions == theirs.legal()
        if not ours.over:
            assert (ours.round, ours.player, ours.raises) == (theirs.round, theirs.player, theirs.raises)
            assert naive.replay(game, ours.history) == ours
        for action in actions:
            compare(naive.act(game, ours, action), theirs.act(action))

    compare(naive.begin(game), start(game))


def test_holdem_has_the_decision_nodes_of_the_cepheus_paper():
    nodes = Counter(state.round for state in naive.betting_states(HOLDEM) if not state.over)
    assert nodes == {0: 8, 1: 70, 2: 630, 3: 5670}


def test_the_big_blind_may_raise_after_a_limp():
    assert naive.legal_actions(HOLDEM, naive.replay(HOLDEM, "")) == "fcr"
    limped = naive.replay(HOLDEM, "c")
    assert limped.player == 0
    assert naive.legal_actions(HOLDEM, limped) == "cr"
    assert naive.replay(HOLDEM, "cc/").player == 0


def test_a_betting_string_needs_its_slashes_and_legal_actions():
    with pytest.raises(ValueError, match="should be written"):
        naive.replay(LEDUC, "cc")
    with pytest.raises(ValueError, match="not legal"):
        naive.replay(LEDUC, "f")
    with pytest.raises(ValueError, match="not legal"):
        naive.replay(LEDUC, "rrr")


# Hands


def test_all_three_card_hands_of_a_full_deck_have_the_known_counts():
    names = naive.THREE_CARD_CATEGORIES
    hands = combinations(range(52), 3)
    counts = Counter(names[naive.strength(RHODE_ISLAND, hand)[0]] for hand in hands)
    assert counts == {
        "straight flush": 48,
        "trips": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }


def test_all_five_card_hands_of_the_royal_deck_have_the_known_counts():
    names = naive.FIVE_CARD_CATEGORIES
    counts = Counter(names[naive.strength(ROYAL, hand)[0]] for hand in combinations(range(20), 5))
    assert counts == {
        "straight flush": 4,
        "quads": 80,
        "full house": 480,
        "straight": 1020,
        "trips": 1920,
        "two pair": 4320,
        "pair": 7680,
    }


def test_seven_card_hands_are_ordered_as_by_another_evaluator():
    generator = random.Random(7)
    for _ in range(1500):
        dealt = generator.sample(range(52), 9)
        board = dealt[4:]
        ours = [naive.strength(HOLDEM, tuple(dealt[i : i + 2] + board)) for i in (0, 2)]
        theirs = [-evaluate_cards(*dealt[i : i + 2], *board) for i in (0, 2)]
        assert (ours[0] > ours[1], ours[0] < ours[1]) == (theirs[0] > theirs[1], theirs[0] < theirs[1])


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c3d4h5s6c", "Ac2d3h4s5c"),  # the wheel is the lowest straight
        ("Ac2c3c4c5c", "AsAdAhAcKs"),
        ("2c4c6c8c9c", "AsKdQhJcTs"),
        ("2c2d2h3s3c", "AcKcQcJc9c"),
        ("3c3d2h2sAc", "3h3s2c2dKc"),
    ],
)
def test_five_card_hands_in_order(better, worse):
    assert naive.strength(HOLDEM, cards(better)) > naive.strength(HOLDEM, cards(worse))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ac2c3c", "AcAdAh"),
        ("2c2d2h", "QcKdAh"),
        ("Ac2d3h", "AcKcJc"),  # ace, deuce, three is a straight
        ("2c3d4h", "Ac2d3h"),
        ("2c3c5c", "AcAdKh"),
    ],
)
def test_three_card_hands_in_order(better, worse):
    assert naive.strength(RHODE_ISLAND, cards(better)) > naive.strength(RHODE_ISLAND, cards(worse))


def test_the_acpc_ranking_knows_no_three_card_straights_and_flushes():
    game = replace(RHODE_ISLAND, ranking="acpc")
    assert naive.strength(game, cards("2c2dAh")) > naive.strength(game, cards("QcKcAc"))
    assert naive.strength(game, cards("QcKcAc")) == naive.strength(game, cards("QdKhAs"))


# Known values


def test_kuhn_and_leduc_have_their_known_numbers_of_information_sets():
    assert len(naive.information_sets(KUHN)) == 12
    assert len(naive.information_sets(LEDUC)) == 936


@pytest.mark.parametrize(("game", "name"), OPENSPIEL_NAMES)
def test_information_sets_are_those_of_openspiel(game, name):
    theirs = openspiel.information_states(name)
    assert sorted(key for key, _ in theirs.values()) == naive.information_sets(game)
    for key, actions in theirs.values():
        assert len(actions) == len(naive.legal_actions(game, naive.replay(game, key[3])))


def test_nash_conv_of_the_uniform_strategy():
    assert 2 * naive.exploitability(KUHN, naive.uniform(KUHN)) == pytest.approx(11 / 12, abs=1e-12)
    assert 2 * naive.exploitability(LEDUC, naive.uniform(LEDUC)) == pytest.approx(
        4.747222222222222, abs=1e-12
    )


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=lambda game: game.name)
def test_folding_to_every_bet_costs_the_ante_in_both_seats(game):
    assert 2 * naive.exploitability(game, naive.always(game, "fc")) == pytest.approx(2, abs=1e-12)


def test_a_known_equilibrium_of_kuhn_is_not_exploitable():
    # Jack bets a third as often as the king; the first player's king here bets always.
    jack, queen, king = 0, 1, 2
    bets = {
        ("", jack): 1 / 3,
        ("", queen): 0,
        ("", king): 1,
        ("c", jack): 1 / 3,
        ("c", queen): 0,
        ("c", king): 1,
    }
    calls = {("r", jack): 0, ("r", queen): 1 / 3, ("r", king): 1}
    calls |= {("cr", jack): 0, ("cr", queen): 2 / 3, ("cr", king): 1}
    chance = bets | calls

    def strategy(seat, hole, board, betting):
        return 1 - chance[betting, hole[0]], chance[betting, hole[0]]

    assert naive.value(KUHN, strategy) == pytest.approx(KUHN_VALUE, abs=1e-15)
    assert naive.exploitability(KUHN, strategy) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(("game", "name"), OPENSPIEL_NAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_values_of_random_strategies_are_those_of_openspiel(game, name, seed):
    for strategy in (random_strategy(game, seed), symmetric_random_strategy(game, seed)):
        responses = [naive.best_response(game, strategy, seat) for seat in (0, 1)]
        assert naive.value(game, strategy) == pytest.approx(openspiel.value(name, strategy), abs=1e-12)
        assert responses == pytest.approx(list(openspiel.best_response_values(name, strategy)), abs=1e-12)
        assert sum(responses) == pytest.approx(openspiel.nash_conv(name, strategy), abs=1e-12)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", [4, 5])
def test_no_pure_strategy_of_kuhn_beats_the_best_response(seat, seed):
    fixed = random_strategy(KUHN, seed)
    own = [key for key in naive.information_sets(KUHN) if key[0] == seat]
    best = -math.inf
    for choices in product([(1.0, 0.0), (0.0, 1.0)], repeat=len(own)):
        table = {key: fixed(*key) for key in naive.information_sets(KUHN)}
        table |= dict(zip(own, choices, strict=True))
        won = naive.value(KUHN, naive.from_table(table))
        best = max(best, won if seat == 0 else -won)
    assert naive.best_response(KUHN, fixed, seat) == pytest.approx(best, abs=1e-12)


# Random games


def mirrored(game: GameDefinition) -> GameDefinition:
    """The same game with the seats exchanged."""
    first = tuple(1 - seat for seat in game.first_player)
    return replace(game, blinds=game.blinds[::-1], first_player=first)


@few_games
@given(small_games(), seeds())
def test_exchanging_the_seats_exchanges_what_they_win(game, seed):
    strategy = random_strategy(game, seed)
    value = naive.value(game, strategy)
    other = mirrored(game)

    def exchanged(seat, hole, board, betting):
        return strategy(1 - seat, hole, board, betting)

    assert naive.value(other, exchanged) == pytest.approx(-value, abs=1e-9)
    for seat in (0, 1):
        response = naive.best_response(game, strategy, seat)
        assert response >= (value if seat == 0 else -value) - 1e-9
        assert naive.best_response(other, exchanged, 1 - seat) == pytest.approx(response, abs=1e-9)


@few_games
@given(small_games(), seeds())
def test_symmetric_strategies_do_not_see_the_names_of_suits(game, seed):
    strategy = symmetric_random_strategy(game, seed)
    names = random.Random(seed).sample(range(game.suits), game.suits)

    def renamed(group):
        return tuple(sorted(card - card % game.suits + names[card % game.suits] for card in group))

    for seat, hole, board, actions in naive.information_sets(game):
        other = strategy(seat, renamed(hole), tuple(map(renamed, board)), actions)
        assert strategy(seat, hole, board, actions) == other


@few_games
@given(small_games())
def test_random_games_are_as_small_as_they_say(game):
    def count(node: naive.Node) -> int:
        match node:
            case naive.Terminal():
                return 1
            case naive.Chance():
                return sum(count(child) for _, child in node.children)
            case naive.Decision():
                return 1 + sum(count(child) for child in node.children)

    assert count(naive.tree(game).root) == histories(game) <= MOST_HISTORIES


# Ranges and spots


def test_leduc_is_the_average_of_its_hands_against_a_whole_range():
    strategy = random_strategy(LEDUC, 8)
    everything = {(card,): 1.0 for card in range(6)}
    hands = [naive.value(LEDUC, strategy, weights=({hole: 0.25}, everything)) for hole in everything]
    assert sum(hands) / 6 == pytest.approx(naive.value(LEDUC, strategy), abs=1e-12)


def test_weights_count_pairs_of_hands_without_a_common_card():
    # Jack and queen in proportion 1 to 3 against queen: the queen's pair with itself is never dealt.
    weights = ({(0,): 1.0, (1,): 3.0}, {(1,): 1.0, (2,): 1.0})
    deals = {(0, 1): 1 / 5, (0, 2): 1 / 5, (1, 2): 3 / 5}
    strategy = random_strategy(KUHN, 9)
    single = {(a, b): naive.value(KUHN, strategy, weights=({(a,): 1.0}, {(b,): 1.0})) for a, b in deals}
    expected = sum(chance * single[pair] for pair, chance in deals.items())
    assert naive.value(KUHN, strategy, weights=weights) == pytest.approx(expected, abs=1e-12)


def test_a_best_response_that_knows_both_hands_bets_only_the_better_one():
    calls = naive.always(KUHN, "c")
    jack, king = {(0,): 1.0}, {(2,): 1.0}
    assert naive.best_response(KUHN, calls, 0, weights=(king, jack)) == 2
    assert naive.best_response(KUHN, calls, 0, weights=(jack, king)) == -1
    assert naive.best_response(KUHN, calls, 1, weights=(jack, king)) == 2


def test_a_spot_after_two_checks_is_the_average_of_its_boards():
    strategy = random_strategy(LEDUC, 10)
    whole = naive.value(LEDUC, strategy, start=naive.Spot(((),), "cc/"))
    boards = [naive.value(LEDUC, strategy, start=naive.Spot(((), (card,)), "cc/")) for card in range(6)]
    assert sum(boards) / 6 == pytest.approx(whole, abs=1e-12)


def test_players_who_only_call_start_a_spot_with_their_whole_range():
    calls = naive.always(LEDUC, "c")
    later = random_strategy(LEDUC, 11)

    def strategy(seat, hole, board, betting):
        return (later if "/" in betting else calls)(seat, hole, board, betting)

    from_spot = naive.value(LEDUC, strategy, start=naive.Spot(((),), "cc/"))
    assert from_spot == pytest.approx(naive.value(LEDUC, strategy), abs=1e-12)


def test_cfr_solves_a_spot_with_ranges():
    spot = naive.Spot(((), (4,)), "crc/")
    weights = ({(0,): 1.0, (2,): 0.5, (5,): 0.25}, {(1,): 1.0, (2,): 1.0, (3,): 1.0})
    average, _ = naive.cfr(LEDUC, "dcfr", 300, weights, spot)
    assert naive.exploitability(LEDUC, average, weights, spot) < 2e-3


# The CFR family


@pytest.mark.parametrize("rule", naive.RULES)
def test_every_rule_solves_kuhn(rule):
    average, _ = naive.cfr(KUHN, rule, 400)
    assert naive.value(KUHN, average) == pytest.approx(KUHN_VALUE, abs=1e-3)
    assert naive.exploitability(KUHN, average) < 4e-3


SOLVERS = {
    "cfr": openspiel_cfr.CFRSolver,
    "cfr+": openspiel_cfr.CFRPlusSolver,
    "linear": openspiel_discounted_cfr.LCFRSolver,
    "dcfr": openspiel_discounted_cfr.DCFRSolver,
}


@pytest.mark.parametrize("rule", SOLVERS)
@pytest.mark.parametrize(
    ("game", "name", "iterations"), [(KUHN, "kuhn_poker", 20), (LEDUC, "leduc_poker", 5)]
)
def test_strategies_are_those_of_openspiel_solvers(rule, game, name, iterations):
    solver = SOLVERS[rule](pyspiel.load_game(name))
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    average, current = naive.cfr(game, rule, iterations)
    theirs = openspiel.table(name, solver.average_policy())
    assert all(average(*key) == pytest.approx(row, abs=1e-12) for key, row in theirs.items())
    theirs = openspiel.table(name, solver.current_policy())
    assert all(current(*key) == pytest.approx(row, abs=1e-12) for key, row in theirs.items())


def test_cfr_plus_brackets_the_value_of_leduc_after_a_hundred_iterations():
    average, _ = naive.cfr(LEDUC, "cfr+", 100)
    first, second = (naive.best_response(LEDUC, average, seat) for seat in (0, 1))
    assert (first + second) / 2 == pytest.approx(1.34e-2, rel=0.005)
    # No strategy can hold a best response below the value of the game.
    assert -second <= LEDUC_VALUE <= first


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "expected"), [("dcfr", 7.8e-3), ("linear", 3.4e-2), ("pcfr+", 2.0e-2)])
def test_exploitability_in_leduc_of_the_other_measured_rules(rule, expected):
    average, _ = naive.cfr(LEDUC, rule, 100)
    assert naive.exploitability(LEDUC, average) == pytest.approx(expected, rel=0.02)


# Powers: 4^1.5 = 8, 4^2.5 = 32, 4^-2 = 1/16, 4^2.3 = 24.2515, 5^2.3 = 40.5164.
# Regret 4 or -4 before iteration t = 5 of n = 10, regret 1 in it, total 16 before and 1 added.
@pytest.mark.parametrize(
    ("rule", "regret", "negative", "matched", "total"),
    [
        ("cfr", 5, -3, 5, 17),
        ("cfr+", 5, 0, 5, 21),
        ("linear", 9, 1, 9, 21),
        ("dcfr", 4 * 8 / 9 + 1, -4 / 2 + 1, 4 * 8 / 9 + 1, 16 * 0.64 + 1),
        ("dcfr+", 4 * 8 / 9.5 + 1, 0, 4 * 8 / 9.5 + 1, 16 * 0.4096 + 1),
        ("sdcfr", 4 * 8 / 10 + 1, -4 / 2 + 1, 4 * 8 / 10 + 1, 141),
        ("pcfr+", 5, 0, 6, 41),
        ("pdcfr+", 4 * 24.2515 / 25.2515 + 1, 0, 4.84159 * 40.5164 / 41.5164 + 1, 3141),
        ("hs-dcfr", 4 * 32 / 33 + 1, -4 / 17 + 1, 4 * 32 / 33 + 1, 16 * 0.8**27.5 + 1),
    ],
)
def test_one_update_of_every_rule(rule, regret, negative, matched, total):
    accumulate, match, average, _ = naive.RULES[rule]
    t, n = 5, 10
    assert accumulate(4.0, 1.0, t, n) == pytest.approx(regret, abs=1e-4)
    assert accumulate(-4.0, 1.0, t, n) == pytest.approx(negative, abs=1e-4)
    assert match(accumulate(4.0, 1.0, t, n), 1.0, t, n) == pytest.approx(matched, abs=1e-4)
    assert average(16.0, 1.0, t, n) == pytest.approx(total, abs=1e-4)


def test_a_delay_leaves_the_first_iterations_out_of_the_average():
    assert all(
        row == pytest.approx([1 / len(row)] * len(row))
        for row in (naive.cfr(KUHN, "cfr+", 10, delay=10)[0](*key) for key in naive.information_sets(KUHN))
    )
    _, before = naive.cfr(KUHN, "cfr+", 9)
    last_only, _ = naive.cfr(KUHN, "cfr+", 10, delay=9)
    for seat, hole, board, actions in naive.information_sets(KUHN):
        if seat == 0 and actions == "":
            played = before(seat, hole, board, actions)
            assert last_only(seat, hole, board, actions) == pytest.approx(played, abs=1e-12)
