"""The training kernel against its naive twin: the same boards, regrets and averages after a few samples."""

import numpy as np
import pytest

from errai.abstraction.abstraction import Abstraction, RoundBuckets, lossless
from errai.blueprint.layout import RUNOUTS, BucketLayout
from errai.blueprint.rules import TRAINING_RULES
from errai.blueprint.training import Plan, Training, new_training
from errai.games.definition import parse_game
from errai.games.template import fresh_round, round_template
from tests import naive
from tests.blueprint.games import GAME, TEXT
from tests.blueprint.naive_training import NaiveTraining

ONE_CARD = parse_game(
    TEXT.replace("numHoleCards = 2", "numHoleCards = 1").replace("0 2 1 1", "0 1 1 1"), name="one card"
)
FIRST = 900  # the number of the first sample: regrets and averages of all methods weigh something
SAMPLES = 2
SEED = 4


@pytest.fixture(autouse=True)
def contexts_in_chunks(monkeypatch):
    """Three contexts of the last round in a chunk, so that chunks are walked with different probabilities."""
    monkeypatch.setattr("errai.engine.layout.CHUNK", 3 * 15)


def few_buckets(game) -> Abstraction:
    rounds = [RoundBuckets(7, of.boards, of.cells % np.uint32(7)) for of in lossless(game).rounds]
    return Abstraction(game, "few", tuple(rounds))


def begun(game, buckets, method) -> Training:
    """A training that has learned something at random; two lines are not always walked."""
    training = new_training(game, buckets(game), Plan(method, samples=FIRST + SAMPLES, seed=SEED))
    random = np.random.default_rng(7)
    # All actions of the strategy are played, after the samples too: where a hand meets nothing, rounding would
    # decide what is best. Regrets of the first round are of all boards together.
    training.regret[:] = 3000 * (0.1 + random.random(training.regret.size))
    training.regret[: training.layout.before(1)] *= 10
    if training.plan.rule.floor == 0:
        training.regret[random.random(training.regret.size) < 0.1] = 1  # and fall below the floor
    training.average[:] = random.random(training.average.size)
    if training.opponent_regret is not None:
        training.opponent_regret[:] = np.maximum(200 * random.normal(size=training.opponent_regret.size), 0)
    training.samples, training.visit_until = FIRST, FIRST + SAMPLES + 1
    training.visit = np.linspace(0.4, 1.0, training.layout.lines)
    return training


def place(layout: BucketLayout, history: str) -> tuple[int, int, int]:
    """(line, chunk, lane) of the betting of the earlier rounds."""
    context, width = 0, 1
    for round_, played in enumerate(history.split("/")[:-1]):
        game = layout.game
        template = layout.templates[0] if round_ == 0 else round_template(fresh_round(game, round_))
        leaf = [leaf.betting for leaf in template.leaves].index(played)
        context += leaf * width
        width *= len(template.leaves)
    return layout.place(history.count("/"), context)


def table(layout: BucketLayout, store: np.ndarray, rounds: int) -> dict[str, np.ndarray]:
    """[buckets, actions] of every decision of the first rounds, by its betting."""
    found = {}
    for state in naive.betting_states(layout.game):
        if state.over or state.round >= rounds:
            continue
        line, chunk, lane = place(layout, state.history)
        within = state.history.rpartition("/")[2]
        node = next(node for node in layout.templates[state.round].nodes if node.betting == within)
        rows = layout.view(store, state.round)[line, chunk, :, node.row : node.row + len(node.actions), lane]
        found[state.history] = rows.astype(np.float64)
    return found


def tables(training: Training) -> list[dict[str, np.ndarray]]:
    """Regrets, the CFR-BR opponent's regrets, averages."""
    layout, rounds = training.layout, training.layout.rounds
    trunk = rounds - training.plan.rule.best_response
    opponent = {} if training.opponent_regret is None else table(layout, training.opponent_regret, trunk)
    return [table(layout, training.regret, rounds), opponent, table(layout, training.average, rounds)]


def twin(training: Training) -> NaiveTraining:
    layout = training.layout
    return NaiveTraining(
        layout.abstraction,
        training.plan.rule,
        training.plan.seed,
        *tables(training),
        visit=training.visit.tolist(),
        chunk_of=lambda history: place(layout, history)[1],
        chunk_visit=training.chunk_visits().tolist(),
        runouts=RUNOUTS,
        last_boards=training.last_boards(),
    )


@pytest.mark.parametrize("method", TRAINING_RULES)
@pytest.mark.parametrize(
    ("game", "buckets"),
    [(GAME, few_buckets), (ONE_CARD, lossless)],
    ids=["seven buckets", "one card, lossless"],
)
def test_samples_change_regrets_and_averages_as_the_naive_twin_does(game, buckets, method):
    training = begun(game, buckets, method)
    wanted = twin(training)
    before = tables(training)
    assert len(training.chunk_visits()) == 3
    wanted.batch(range(FIRST, FIRST + SAMPLES))
    training.run()
    expected = (wanted.regret, wanted.opponent_regret, wanted.average)
    for found, want, start in zip(tables(training), expected, before, strict=True):
        changed = 0
        assert found.keys() == want.keys()
        for history in want:
            largest = max(np.abs(want[history]).max(), 1)
            np.testing.assert_allclose(
                found[history], want[history], rtol=0, atol=2e-5 * largest, err_msg=history
            )
            changed += (np.abs(want[history] - start[history]) > 1e-3 * largest).sum()
        assert changed > 100 or not want
    at_floor = any((rows == 0).any() for rows in wanted.regret.values())
    assert at_floor == (training.plan.rule.floor == 0)
