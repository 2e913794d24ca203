"""CFR on joint buckets finds what linear programming finds on the same game, written out as a tree."""

import numpy as np
import pytest

from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.models.model import Model, Round, one_round
from errai.models.solver import ModelSolver, solve_model
from errai.models.tree import model_tree
from errai.sequence import solve
from errai.sequence.form import sequence_form
from errai.sequence.profile import evaluate
from tests.models.games import LEDUC, random_model

SHAPES = [(3,), (3, 2), (2, 3)]


@pytest.mark.parametrize("buckets", SHAPES)
def test_cfr_and_the_linear_program_find_one_value(buckets):
    model = random_model(buckets, seed=1)
    solver = solve_model(model, iterations=2000)
    value = solve(model_tree(model), "lp").value[0]
    assert solver.evaluation.exploitability_mbb < 0.5
    low, high = solver.evaluation.bounds
    assert low - 1e-9 <= value <= high + 1e-9


@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr", "sdcfr"])
def test_every_rule_converges(method):
    assert (
        solve_model(random_model((2, 2), seed=2), method=method, iterations=3000).evaluation.nash_conv < 0.02
    )


@pytest.mark.parametrize("buckets", SHAPES)
def test_values_and_best_responses_are_those_of_the_tree(buckets):
    """The same strategies, evaluated on the sequence form, which knows nothing of models."""
    model = random_model(buckets, seed=3, holes=0.3)
    solver = solve_model(model, iterations=7)
    game = model_tree(model)
    form = sequence_form(game)
    plans = tuple(np.zeros(count) for count in form.sequences)
    for seat in (0, 1):
        plans[seat][0] = 1.0
        for number, name in enumerate(game.set_names):
            if game.set_player[number] != seat:
                continue
            shares = probabilities(solver, name)
            first, parent = game.sequences.first[number], game.sequences.parent[number]
            plans[seat][first : first + len(shares)] = plans[seat][parent] * shares
    ours, theirs = solver.evaluate(), evaluate(form, plans)
    assert ours.value == pytest.approx(theirs.value, abs=1e-12)
    assert ours.best_response == pytest.approx(theirs.best_response, abs=1e-12)


def probabilities(solver, name):
    """What is played in an information set of the tree: history, then betting."""
    history, _, betting = name.partition(" ")
    *before, now = betting.split("/")
    model, context = solver.model, 0
    for level, text in enumerate(before):
        template = model.rounds[level].template
        leaf = [ending.betting for ending in template.leaves].index(text)
        context += leaf * model.contexts[level]
    node = next(node for node in model.rounds[len(before)].template.nodes if node.betting == now)
    return solver.strategy(len(before))[node.row : node.row + len(node.actions), int(history), context]


def test_contexts_are_games_of_their_own():
    """A round that is entered with several pots has the strategies of each pot alone."""
    one = random_model((4,), seed=4, first=1)
    stakes = (2.0, 6.0, 10.0)
    both = Model(one.game, one.rounds, one.share, np.array(stakes))
    together = solve_model(both, iterations=50)
    for number, stake in enumerate(stakes):
        alone = solve_model(Model(one.game, one.rounds, one.share, np.array([stake])), iterations=50)
        np.testing.assert_array_equal(together.strategy(0)[:, :, number], alone.strategy(0)[:, :, 0])


def test_a_solver_can_be_run_in_parts():
    model = random_model((3, 2), seed=5)
    whole, part = (ModelSolver(Settings("cfr+", iterations=n), model) for n in (20, 12))
    assert whole.run()
    assert part.run()
    part.settings = Settings("cfr+", iterations=20)
    assert part.run()
    np.testing.assert_array_equal(whole.average, part.average)


def test_the_stronger_bucket_wins_the_pot_where_nothing_is_bet():
    """Ranks of Kuhn poker as buckets, dealt alike: worth nothing to the seat, but that it acts first."""
    kuhn = load_game("kuhn")
    weight = (1 - np.eye(3)) / 6
    share = np.sign(np.arange(3)[:, None] - np.arange(3)[None])
    solver = solve_model(one_round(kuhn, 0, weight, share), iterations=3000)
    assert solver.evaluation.value[0] == pytest.approx(-1 / 18, abs=1e-3)
    low, high = solver.evaluation.bounds
    assert low <= -1 / 18 <= high


def test_what_is_no_model_is_refused():
    model = random_model((2, 2), seed=6)
    first, second = model.rounds
    too_likely = Round(first.template, 2 * first.weight)
    with pytest.raises(ErraiError, match="sum to 1"):
        Model(LEDUC, (too_likely, second), model.share, model.stakes)
    turned = Round(second.template, second.weight[::-1], second.parent)
    with pytest.raises(ErraiError, match="does not follow"):
        Model(LEDUC, (first, turned), model.share, model.stakes)
    with pytest.raises(ErraiError, match="from -1 to 1"):
        Model(LEDUC, model.rounds, 2 + model.share, model.stakes)
    with pytest.raises(ErraiError, match="prediction"):
        solve_model(model, method="pcfr+", iterations=1)
    with pytest.raises(ErraiError, match="several contexts"):
        model_tree(random_model((2,), seed=7, stakes=(1.0, 2.0)))
