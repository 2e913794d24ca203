"""Models from networks of buckets: a bet less a round, rounds from the flop on, what is known of the hands."""

from itertools import pairwise

import numpy as np
import pytest

from errai.abstraction.joint import Network
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.models.network import network_model, with_bets
from errai.models.solver import solve_model
from errai.models.tree import model_tree
from errai.sequence import solve

HOLDEM = load_game("holdem")


def random_network(buckets, seed=0):
    random = np.random.default_rng(seed)
    first = random.random((buckets[0], buckets[0]))
    steps = []
    for n, m in pairwise(buckets):
        step = random.random((n, n, m, m))
        steps.append(step / step.sum(axis=(2, 3), keepdims=True))
    share = random.uniform(-1, 1, (buckets[-1], buckets[-1]))
    return Network(first / first.sum(), tuple(steps), share, 1)


def test_three_bets_leave_seven_ways_to_go_on():
    model = network_model(HOLDEM, random_network((2, 3, 2)), first=1, stake=10.0, bets=3)
    assert [len(round_.template.leaves) for round_ in model.rounds] == [7, 7, 7]
    assert model.contexts == (1, 7, 49)
    assert [round_.histories for round_ in model.rounds] == [(2, 2), (6, 6), (12, 12)]
    assert len(with_bets(HOLDEM, None).max_raises) == 4
    assert with_bets(HOLDEM, 3).max_raises == (3, 3, 3, 3)


def test_histories_have_the_chances_of_their_buckets():
    network = random_network((2, 3), seed=1)
    model = network_model(HOLDEM, network, first=2, stake=20.0)
    for h in range(6):
        for g in range(6):
            (a, c), (b, d) = divmod(h, 3), divmod(g, 3)
            assert model.rounds[1].weight[h, g] == pytest.approx(
                network.first[a, b] * network.steps[0][a, b, c, d]
            )
            assert model.share[h, g] == network.share[c, d]


def test_what_a_seat_has_done_before_changes_what_it_holds():
    network = random_network((2, 2), seed=2)
    never = (np.array([1.0, 0.0]), np.array([0.5, 1.0]))
    model = network_model(HOLDEM, network, first=2, stake=20.0, reach=never)
    assert model.rounds[0].weight[1].sum() == 0
    ratio = network.first[0, 0] * 0.5 / network.first[0, 1]
    assert model.rounds[0].weight[0, 0] / model.rounds[0].weight[0, 1] == pytest.approx(ratio)


def test_linear_program_and_cfr_agree_on_two_rounds_of_buckets():
    model = network_model(HOLDEM, random_network((2, 2), seed=3), first=2, stake=20.0, bets=2)
    solver = solve_model(model, target=0.05)
    low, high = solver.evaluation.bounds
    assert low - 1e-9 <= solve(model_tree(model), "lp").value[0] <= high + 1e-9
    assert solver.converged


@pytest.mark.slow
def test_linear_program_and_cfr_agree_on_three_rounds_with_three_bets():
    model = network_model(HOLDEM, random_network((2, 2, 2), seed=4), first=1, stake=10.0, bets=3)
    solver = solve_model(model, target=0.1)
    low, high = solver.evaluation.bounds
    assert low - 1e-9 <= solve(model_tree(model), "lp").value[0] <= high + 1e-9


def test_what_cannot_be_a_model_is_refused():
    with pytest.raises(ErraiError, match="one bet or more"):
        with_bets(HOLDEM, 0)
    nothing = (np.zeros(2), np.ones(2))
    with pytest.raises(ErraiError, match="no pair of hands"):
        network_model(HOLDEM, random_network((2, 2)), first=2, reach=nothing)
