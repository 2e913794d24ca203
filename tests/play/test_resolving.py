"""Re-solving at the table: what is solved again is never more exploitable, and a bad blueprint becomes a player."""

from functools import cache

import numpy as np
import pytest

import errai
from errai.engine.kernels.arrays import RATES
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import parse_state
from errai.play.gadget import GADGETS, MaxMargin, TakeOrFollow
from errai.play.match import play_match
from errai.play.opening import Table, open_agents
from errai.play.resolving import ResolvingStrategy
from errai.play.subgame import LATER, Think, best_response, parse_think
from errai.strategy.kinds.rule import RuleStrategy
from errai.strategy.values import subgame
from tests.strategy.test_values import THREE_ROUNDS

LEDUC = load_game("leduc")
TOLERANCE = 1.0  # mbb/g, of solutions of so many iterations
PLAIN = np.ones(RATES)


@cache
def blueprint(iterations, game="leduc"):
    """Exploitable by 686 mbb/g after 5 iterations, by 1.1 after 300."""
    return errai.solve(game, method="cfr+", iterations=iterations).strategy


@cache
def exploitability(iterations, gadget="guarded", think=200):
    return ResolvingStrategy(blueprint(iterations), Think(think), gadget=gadget).evaluate().exploitability_mbb


@pytest.mark.parametrize("gadget", ["gadget", "max-margin", "guarded"])
@pytest.mark.parametrize("iterations", [5, 300])
def test_solving_again_behind_a_gadget_is_never_worse(gadget, iterations):
    before = blueprint(iterations).evaluate().exploitability_mbb
    assert exploitability(iterations, gadget) <= before + TOLERANCE


@pytest.mark.parametrize("iterations", [5, 30])
def test_a_bad_blueprint_is_made_twice_as_good(iterations):
    before = blueprint(iterations).evaluate().exploitability_mbb
    assert exploitability(iterations) < 0.55 * before


def test_without_a_gadget_a_good_blueprint_would_be_made_worse():
    """The reason for gadgets: the opponent need not hold what it is thought to hold."""
    state = parse_state(LEDUC, "cc/", "3d")
    unsafe, guarded = (
        ResolvingStrategy(blueprint(300), Think(1000), gadget=gadget).resolved(state, 0)
        for gadget in ("unsafe", "guarded")
    )
    assert unsafe.gains.max() > 0.05  # chips that some hand wins more
    assert guarded.gains.max() < 0.01


def test_a_rule_that_always_calls_becomes_a_player():
    rule = RuleStrategy("always-call", LEDUC)
    assert ResolvingStrategy(rule, Think(100)).evaluate().exploitability_mbb < 0.2 * 733.3


def test_the_last_round_is_solved_once_more_without_harm():
    """What its hands may win at best is what they win from the solution before."""
    strategy = ResolvingStrategy(RuleStrategy("uniform", THREE_ROUNDS), Think(30))
    won = []
    for betting in ("cc/cc/", "rc/rc/", "cc/crc/"):
        for seat in (0, 1):
            found = strategy.resolved(parse_state(THREE_ROUNDS, betting, "2c 3c"), seat)
            assert found.iterations == 30 * LATER
            assert found.conceded < 0.01  # chips; a big blind is 2
            won.append(found.won)
    assert min(won) > -0.001
    assert max(won) > 0.05


@pytest.mark.slow
def test_solving_the_last_round_once_more_makes_the_whole_better():
    rule = RuleStrategy("uniform", THREE_ROUNDS)
    once, twice = (ResolvingStrategy(rule, Think(15), again=again).evaluate() for again in (False, True))
    assert twice.exploitability < once.exploitability < 0.45 * 2.36  # chips


@pytest.mark.slow
@pytest.mark.parametrize(("iterations", "share"), [(5, 0.35), (50, 0.5)])
def test_rhode_island_from_the_second_round_on(iterations, share):
    before = blueprint(iterations, "rhode-island")
    strategy = ResolvingStrategy(before, Think(60), again=False)
    assert strategy.evaluate().exploitability_mbb < share * before.evaluate().exploitability_mbb


def test_no_hand_of_the_opponent_wins_more_than_the_blueprint_owes_it():
    """At every beginning of the second round: what a best response gains behind the gadget."""
    strategy = ResolvingStrategy(blueprint(30), Think(1000))
    for betting in ("cc/", "rc/", "crrc/"):
        for seat in (0, 1):
            found = strategy.resolved(parse_state(LEDUC, betting, "3d"), seat)
            assert found.conceded < 0.001 < found.won  # chips; a big blind is 2


def test_what_is_said_to_be_won_is_what_best_responses_lose():
    strategy = ResolvingStrategy(blueprint(5), Think(50))
    state = parse_state(LEDUC, "rc/", "4d")
    found = strategy.resolved(state, 0)
    places, before = subgame(blueprint(5), state, found.solution.spot)
    (old, weight), (new, _) = (
        best_response(places, weights, 1, 1) for weights in (before, found.solution.weights)
    )
    ranges = found.solution.spot.ranges[1][places.hand_classes.hand[: len(old)]]
    size = places.hand_classes.size[: len(old)]
    won = (size * ranges * weight * (old - new)).sum() / (size * ranges * weight).sum()
    assert found.won == pytest.approx(won)
    assert found.better


def test_a_solution_that_concedes_more_than_it_wins_is_not_played():
    strategy = ResolvingStrategy(blueprint(300), Think(1), gadget="gadget")
    state = parse_state(LEDUC, "rc/r", "4d")
    assert not strategy.resolved(state, state.player).better
    np.testing.assert_allclose(
        strategy.decide(state).probabilities, blueprint(300).decide(state).probabilities, atol=1e-6
    )


def test_the_first_round_is_played_as_the_blueprint_does():
    strategy = ResolvingStrategy(blueprint(5), Think(20))
    for betting in ("", "c", "cr", "rr"):
        same = strategy.decision(betting).probabilities, blueprint(5).decision(betting).probabilities
        np.testing.assert_array_equal(*same)


def test_the_order_of_the_cards_of_a_board_makes_no_difference():
    game = load_game("royal")
    strategy = ResolvingStrategy(RuleStrategy("uniform", game), Think(2))
    one, other = (parse_state(game, "rc/cc/", board) for board in ("4s3h2d 5c", "2d4s3h 5c"))
    assert strategy.resolved(one, 0) is strategy.resolved(other, 0)


def test_best_responses_on_the_turn_gain_nothing_behind_the_gadget():
    """A turn of royal hold'em after a rule that any bet or raise beats."""
    game = load_game("royal")
    strategy = ResolvingStrategy(RuleStrategy("uniform", game), Think(60))
    for seat in (0, 1):
        found = strategy.resolved(parse_state(game, "rc/cc/", "4s3h2d 5c"), seat)
        assert found.conceded < 0.001 * game.unit
        assert found.won > 0.1 * game.unit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("betting", "board"), [("rc/cc/", "Ks7h2d5c"), ("rc/crrc/", "Ts9h4d4c"), ("cc/rc/", "AcQd7s3s")]
)
def test_best_responses_on_turns_of_holdem_gain_nothing_to_speak_of(betting, board):
    """Behind the gadget, more than a best response to the strategy that comes with Errai."""
    blueprint = errai.load("holdem")
    strategy, unit = ResolvingStrategy(blueprint), blueprint.big_blind / 1000
    turn = parse_state(blueprint.game, betting, board)
    river = turn.act("c").act("c").deal("2h")
    for state, most in ((turn, 2.0), (river, 2.0)):  # mbb
        found = strategy.resolved(state, state.player)
        assert found.conceded < most * unit
        assert found.better
    assert strategy.resolved(turn, turn.player).won > 30 * unit


def test_hands_that_are_never_played_this_way_know_what_to_do():
    """Whoever folds to every bet is not here; but a pair is not folded."""
    strategy = ResolvingStrategy(RuleStrategy("always-fold", LEDUC), Think(50))
    found = strategy.probabilities("4c", "rc/r", "4d")
    assert found["f"] < 0.01


def test_a_solution_serves_all_decisions_of_its_round():
    strategy = ResolvingStrategy(blueprint(30), Think(20))
    roots = [strategy.resolved(parse_state(LEDUC, betting, "2d"), 1) for betting in ("rc/", "rc/c", "rc/rr")]
    assert roots[0] is roots[1] is roots[2]


def test_iterations_give_the_same_bits_for_any_number_of_threads():
    game = load_game("royal")
    state = parse_state(game, "rc/cc/", "4s3h2d 5c")
    found = [
        ResolvingStrategy(RuleStrategy("uniform", game), Think(3), threads=n).resolved(state, 1)
        for n in (1, 2)
    ]
    np.testing.assert_array_equal(*(each.solution.weights for each in found))


def test_more_iterations_where_a_single_board_is_left():
    assert Think(10).later == Think(10 * LATER)
    assert Think(None, 2.0).later == Think(None, 2.0)


def test_taking_or_following_by_regret_matching():
    choice = TakeOrFollow(np.array([0.2, 0.3]), np.array([1.0, -1.0]), np.ones(2))
    np.testing.assert_allclose(choice.reach(), [0.1, 0.15])
    choice.update(np.array([3.0, -4.0]), PLAIN * [1, 1, 1, -1e38, 1, 1, 1])
    np.testing.assert_allclose(choice.reach(), [0.2, 0.0])  # the first hand gains, the other takes


def test_the_margin_is_chosen_among_all_hands():
    choice = MaxMargin(np.array([0.5, 0.5]), np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    np.testing.assert_allclose(choice.reach(), [1 / 3, 1 / 3])  # two hands are alike in the second class
    choice.update(np.array([1.5, 1.0]), PLAIN * [1, 1, 1, -1e38, 1, 1, 1])
    np.testing.assert_allclose(choice.reach(), [1.0, 0.0])


@pytest.mark.parametrize(
    ("text", "think"),
    [
        ("2s", Think(None, 2.0)),
        ("300ms", Think(None, 0.3)),
        ("100", Think(100)),
        (100, Think(100)),
        (None, Think()),
    ],
)
def test_budgets(text, think):
    assert parse_think(text) == think


@pytest.mark.parametrize("text", ["", "2x", "0", "-1s", "nans", "1.5", "s", "1e99", "infs"])
def test_budgets_that_make_no_sense_are_refused(text):
    with pytest.raises(ErraiError, match="think must be"):
        parse_think(text)


def test_a_time_ends_a_solution():
    strategy = ResolvingStrategy(blueprint(30), Think(None, 0.05))
    assert strategy.resolved(parse_state(LEDUC, "rc/", "4d"), 0).iterations >= 10


def test_a_match_that_is_solved_again_is_the_same_again(tmp_path):
    blueprint(30).save(tmp_path / "leduc", {})
    names = (f"{tmp_path}/leduc+resolve", "always-call")

    def winnings():
        agents = open_agents(names, table=Table(think=Think(10)))
        return play_match(LEDUC, agents, 30, seed=3).hands.total

    assert winnings() == winnings()


def test_who_cannot_be_solved_again(tmp_path):
    with pytest.raises(ErraiError, match="win-rate cannot be solved again"):
        open_agents(["win-rate+resolve", "random"], "leduc")
    with pytest.raises(ErraiError, match="kuhn has one round"):
        open_agents(["always-call+resolve", "random"], "kuhn")
    with pytest.raises(ErraiError, match="neither a saved strategy nor a player"):
        open_agents(["nobody+resolve", "random"], "leduc")


def test_the_four_gadgets_have_names():
    assert list(GADGETS) == ["unsafe", "gadget", "max-margin", "guarded"]
