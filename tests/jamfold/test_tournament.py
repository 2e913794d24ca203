"""Tournaments: the paper's numbers, proofs in exact arithmetic, and what other strategies guarantee."""

from fractions import Fraction

import numpy as np
import pytest

from errai.errors import ErraiError, StoppedError
from errai.files.seal import sealed
from errai.jamfold import tournament
from errai.jamfold.compare import always_jam, by_chart, guarantee, hand_for_hand
from errai.jamfold.equities import BOARDS, PAIRS, equities
from errai.jamfold.linear_program import Solver
from errai.jamfold.matrix_game import CALL, GIVE, PASS, shares
from errai.jamfold.proven_bounds import (
    D,
    Q,
    check_lower,
    check_upper,
    conceded,
    guaranteed,
    rounded,
    rounded_answer,
)
from errai.jamfold.recursive_game import OUTCOMES, StationaryProfile, Tournament, chances, values_of
from errai.jamfold.respond import worst_case
from errai.jamfold.tournament_proof import proof_of
from tests.monitors import StopAfter


@pytest.fixture(scope="module")
def small():
    return tournament.solve(1600, 100, 200, step=100)


@pytest.fixture(scope="module")
def paper():
    return tournament.solve(8000, 300, 600)


# The paper's tournament


def test_the_step_of_the_paper_is_found(paper):
    assert paper.tournament == Tournament(8000, 300, 600, 0, 50)
    assert len(paper.tournament.live) == 318


@pytest.mark.parametrize(
    ("rules", "step"),
    [
        ((8000, 300, 600, 0), 50),
        ((2000, 25, 50, 0), 5),
        ((3000, 50, 100, 10), 10),
        ((13, 1, 2, 0), 1),
        ((4000, 100, 200, 0), 20),
    ],
)
def test_the_default_step_is_near_to_a_sixth_of_the_small_blind(rules, step):
    assert tournament.default_step(*rules) == step


def test_the_bounds_are_proven_to_1e_8(paper):
    assert ((paper.bounds.upper - paper.bounds.lower) / D).max() < 1e-8
    assert (paper.bounds.lower <= paper.bounds.upper).all()


def test_both_seats_together_win_more_than_0_986_everywhere(paper):
    together = paper.lower(0) + paper.lower(1)[::-1]
    assert together[1:-1].min() > 0.986
    assert paper.gap.max() < 0.014


def test_the_small_blind_with_2500_chips_wins_more_often_than_his_share(paper):
    assert paper.lower(0)[2500 // 50] > 2500 / 8000


def test_always_jam_is_within_5_3_points(paper):
    rules = paper.tournament
    assert 0.05 < guarantee("always jam", rules, always_jam(rules)).gap <= 0.053


def test_hand_for_hand_loses_less_than_a_tenth_of_a_point(paper):
    rules = paper.tournament
    found = guarantee("hand for hand", rules, hand_for_hand(rules))
    for seat in (0, 1):
        assert 0 < found.loss(paper.lower(seat), seat) < 0.001


def test_strategies_are_pure_but_for_a_few_hands(paper):
    jam = paper.play.jam[paper.tournament.live]
    mixed = ((jam > 1e-9) & (jam < 1 - 1e-9)).sum(axis=1)
    assert mixed.max() <= 3
    assert (mixed == 0).sum() > 100


# Small tournaments


def test_winning_probabilities_are_a_fixed_point_of_the_value_map(small):
    solver, rules = Solver(), small.tournament
    for state in rules.live:
        game = rules.game(int(state)).map(lambda target: float(small.values[target]))
        assert solver(game).value == pytest.approx(small.values[state], abs=1e-11)


def test_the_strategy_guarantees_its_value_against_the_worst_opponent(small):
    values, _ = worst_case(small.tournament, small.play.jam)
    assert values == pytest.approx(small.values, abs=1e-11)


def test_a_round_that_moves_too_far_takes_the_worst_opponent_instead(small):
    """So it can only gain: the values of a strategy against its worst opponent are never above the truth."""
    rules, play = small.tournament, small.play
    may_pass = np.repeat(rules.following[:, [OUTCOMES.index("stolen")]] >= 0, 169, axis=1).astype(float)
    passive = StationaryProfile(play.jam, may_pass, 1 - may_pass, np.zeros_like(may_pass))
    values = np.zeros(rules.states)
    hopeful = tournament._evaluated(rules, passive, values, change=float("inf"))
    careful = tournament._evaluated(rules, passive, values, change=0.0)
    assert (careful <= small.values + 1e-9).all()
    assert hopeful.max() <= 1
    assert (hopeful > careful + 1e-3).any()


def test_a_deep_tournament_is_solved_and_proven():
    """Forty big blinds: jam or fold gives away a lot, but what it guarantees is still proven."""
    deep = tournament.solve(2000, 25, 50, step=25)
    assert 0.05 < deep.gap.max() < 0.2
    assert ((deep.bounds.upper - deep.bounds.lower) / D).max() < 1e-8


def test_play_by_play_the_probabilities_of_outcomes_add_up_to_one(small):
    assert chances(small.play)[small.tournament.live].sum(axis=1) == pytest.approx(np.ones(30), abs=1e-12)


def test_winning_probabilities_by_simulation(small):
    """Following the chances of outcomes from hand to hand ends as the linear equations say."""
    rules = small.tournament
    reached = np.zeros(rules.states)
    reached[rules.state(0, 5)] = 1.0
    outcome = chances(small.play)
    for _ in range(400):
        following = reached.copy()
        following[rules.live] = 0.0
        for kind in range(len(OUTCOMES)):
            target = rules.following[rules.live, kind]
            real = target >= 0
            np.add.at(following, target[real], (reached[rules.live] * outcome[rules.live, kind])[real])
        reached = following
    assert reached @ rules.ends == pytest.approx(values_of(rules, outcome)[rules.state(0, 5)], abs=1e-9)


def naive_guarantee(rules: Tournament, state: int, jam, values) -> Fraction:
    """V(x) of one hand, class by class in fractions."""
    counts, game = equities(), rules.game(state)
    worth = {
        name: Fraction(int(values[getattr(game, name)]), D)
        for name in OUTCOMES
        if getattr(game, name) is not None
    }
    total = Fraction(0)
    for b in range(169):
        options = {option: Fraction(0) for option in game.options}
        for a in range(169):
            pairs, x = int(counts.pairs[a, b]), Fraction(int(jam[a]), Q)
            deals = pairs * BOARDS
            folds = (1 - x) * deals * worth.get("folded", 0)
            showdown = (
                int(counts.wins[a, b]) * worth["won"]
                + int(counts.wins[b, a]) * worth["lost"]
                + int(counts.ties[a, b]) * worth["tied"]
            )
            for option in options:
                if option == PASS:
                    options[option] += folds + x * deals * worth["stolen"]
                elif option == CALL:
                    options[option] += folds + x * showdown
                else:
                    assert option == GIVE
                    options[option] += deals * worth["given"]
        total += min(options.values())
    return total / (PAIRS * BOARDS)


@pytest.mark.parametrize(("seat", "units"), [(0, 1), (0, 7), (1, 2), (1, 15), (1, 9)])
def test_integers_in_parts_say_what_fractions_say(small, seat, units):
    rules = small.tournament
    jam, lower = rounded(small.play.jam), small.bounds.lower
    state = rules.state(seat, units)
    place = int(np.flatnonzero(rules.live == state)[0])
    shown = Fraction(int(guaranteed(rules, jam, lower)[place]), D * Q * PAIRS * BOARDS)
    assert shown == naive_guarantee(rules, state, jam[state], lower)


def test_exact_sums_agree_with_floats(small):
    rules = small.tournament
    unit = D * Q * PAIRS * BOARDS
    shown = guaranteed(rules, rounded(small.play.jam), small.bounds.lower)
    assert np.array([int(x) / unit for x in shown]) == pytest.approx(small.values[rules.live], abs=1e-8)
    most = conceded(rules, rounded_answer(small.play), small.bounds.upper)
    assert np.array([int(x) / unit for x in most]) == pytest.approx(small.values[rules.live], abs=1e-8)


def test_bounds_that_claim_too_much_are_refused(small):
    rules = small.tournament
    lower, upper = small.bounds.lower.copy(), small.bounds.upper.copy()
    state = rules.state(0, 8)
    lower[state] += 10**8
    with pytest.raises(
        ErraiError, match=r"lower bounds are not proven: .* first with 800 chips in the small blind"
    ):
        check_lower(rules, rounded(small.play.jam), lower)
    upper[state] -= 10**8
    with pytest.raises(ErraiError, match="upper bounds are not proven"):
        check_upper(rules, rounded_answer(small.play), upper)


def test_bounds_that_fall_as_the_stack_grows_are_refused(small):
    """Lemma 2 needs more chips to be worth more."""
    rules = small.tournament
    lower = small.bounds.lower.copy()
    lower[rules.state(1, 9)] = lower[rules.state(1, 8)] - 1
    with pytest.raises(ErraiError, match="they fall somewhere as the stack grows"):
        check_lower(rules, rounded(small.play.jam), lower)


def test_a_constant_vector_is_no_proof(small):
    """1 everywhere is a fixed point of the value map, as if nobody ever lost: the strict inequality refuses it."""
    rules = small.tournament
    lower = small.bounds.lower.copy()
    lower[rules.live] = D
    with pytest.raises(ErraiError, match="not proven"):
        check_lower(rules, rounded(small.play.jam), lower)


def test_forced_showdowns_are_fair():
    """Where one of two players has a single unit that the blind takes, the hand is a coin flip for it."""
    found = tournament.solve(4, 1, 1, step=1)
    for seat in (0, 1):
        even = found.lower(1 - seat)[2]
        assert found.lower(seat)[1] == pytest.approx(even / 2, abs=1e-8)


def test_with_an_ante_everybody_plays_more_hands():
    rounds = [tournament.solve(1600, 100, 200, ante, 100) for ante in (0, 100)]
    played = [found.play.jam[found.tournament.state(0, 8)] @ shares().pairs.sum(axis=1) for found in rounds]
    assert played[1] > played[0]


def test_a_chart_of_ones_own_is_measured(small):
    rules = small.tournament
    loose = by_chart(rules, lambda stack: np.ones(169), lambda stack: np.ones(169))
    assert guarantee("mine", rules, loose).gap == guarantee("always jam", rules, always_jam(rules)).gap
    never = by_chart(rules, lambda stack: np.zeros(169), lambda stack: np.zeros(169))
    assert guarantee("never", rules, never).gap > 0.9


def test_one_and_two_threads_agree():
    one, two = (tournament.solve(1600, 100, 200, step=100, threads=threads) for threads in (1, 2))
    assert one.values == pytest.approx(two.values, abs=1e-11)


def test_a_monitor_stops_it():
    with pytest.raises(StoppedError, match="nothing was saved"):
        tournament.solve(1600, 100, 200, step=100, monitor=StopAfter(0))


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ((8010, 300, 600, 0, 50), "8010 is no multiple of the step of 50: the chips in all must be"),
        ((8000, 320, 600, 0, 50), "320 is no multiple of the step of 50: the small blind must be"),
        ((8000, 300, 600, 0, 0), "step must be 1 chip or more, not 0"),
        ((8000, 600, 300, 0, 50), "the big blind of 300 must not be smaller"),
        ((8000, 0, 300, 0, 50), "the small blind must be more than 0"),
        ((8000, 300, 600, -50, 50), "the ante must be 0 or more"),
        ((150, 50, 50, 0, 50), "chips must be at least 200 with these blinds, ante and step, not 150"),
        ((8000, 50, 100, 4000, 50), "chips must be at least 8,200"),
        ((2 * 10**9, 50, 100, 0, 50), "chips must be at most 1,000,000,000"),
    ],
)
def test_impossible_tournaments_are_refused(rules, words):
    with pytest.raises(ErraiError) as error:
        Tournament(*rules)
    assert words in str(error.value)


# Proofs on paper


def test_a_proof_is_saved_and_checked_again(small, tmp_path):
    import json

    from errai.jamfold.tournament_proof import is_tournament_proof, read_proof

    proof_of(small).save(tmp_path / "proof.json")
    content = json.loads((tmp_path / "proof.json").read_text())
    assert is_tournament_proof(content)
    read_proof(sealed(content), tmp_path).verify()

    content["lower"][5] += 10**9
    with pytest.raises(ErraiError, match="not proven"):
        read_proof(sealed(content), tmp_path).verify()
    content["lower"][5] -= 10**9
    taken = max(("pass", "call", "give"), key=lambda option: content["strategies"][option][5][0])
    content["strategies"][taken][5][0] -= 1
    with pytest.raises(ErraiError, match="do not add up to 1"):
        read_proof(sealed(content), tmp_path).verify()
    content["strategies"][taken][5][0] += 1
    content["lower"][0] = D
    with pytest.raises(ErraiError, match="has lost"):
        read_proof(sealed(content), tmp_path).verify()
    del content["upper"]
    with pytest.raises(ErraiError, match="'upper' is missing"):
        read_proof(sealed(content), tmp_path)
