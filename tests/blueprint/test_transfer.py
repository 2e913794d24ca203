"""What was learned on some buckets and carried over to others."""

import numpy as np
import pytest

from errai.abstraction.abstraction import lossless
from errai.blueprint.training import Plan, new_training
from errai.blueprint.transfer import on_other_buckets, shared_hands
from errai.errors import ErraiError
from errai.measure.response import Response
from tests.abstraction.games import little_holdem
from tests.blueprint.games import exact_layout, few_layout, trained


def exploitability(training):
    response = Response(training.layout, training.average)
    boards = range(len(response.boards.cards))
    return response.evaluation(sum(response.on_board(board) for board in boards)).exploitability_mbb


@pytest.mark.parametrize("round_", range(4))
def test_every_old_bucket_is_given_away_as_a_whole(round_):
    few, exact = few_layout().abstraction, exact_layout().abstraction
    for old, new in ((few, exact), (exact, few)):
        first, giver, share = shared_hands(old, new, round_, boards=300)
        assert len(first) == new.counts[round_] + 1
        given = np.bincount(giver, share, old.counts[round_])
        assert given[given > 0] == pytest.approx(1, abs=1e-5)


def test_buckets_within_a_bucket_play_as_it_did():
    old = trained(few_layout(), "linear-br", 200)
    new = on_other_buckets(old, exact_layout().abstraction, "few", boards=1500)
    stores = [(old.regret, new.regret, 4), (old.average, new.average, 4), (old.rival, new.rival, 3)]
    for before, after, rounds in stores:
        for round_ in range(rounds):
            rows, given = old.layout.view(before, round_), new.layout.view(after, round_)
            whole = rows[:, :, np.arange(given.shape[2]) % 7]  # the bucket that each was part of
            # Those that were met on some board; the others begin afresh.
            met = np.abs(given).sum(axis=(0, 1, 3, 4), dtype=np.float64) > 0
            assert met.mean() > 0.5
            share = given.sum(axis=(0, 1, 3, 4)) / whole.sum(axis=(0, 1, 3, 4))
            expected = whole * share[:, None, None]
            np.testing.assert_allclose(given[:, :, met], expected[:, :, met], rtol=2e-3, atol=1e-3)
    assert (new.samples, new.stages[-1].method, new.stages[-1].tables) == (200, "linear-br", "few")


def test_it_goes_on_from_there_and_gets_better_than_few_buckets_can():
    old = trained(few_layout(), "linear-br", 400)
    new = on_other_buckets(old, exact_layout().abstraction, "few", boards=1500)
    new.plan = Plan("linear-br", samples=2500)
    assert new.run()
    fresh = trained(exact_layout(), "linear-br", 400)
    assert exploitability(new) < 0.7 * exploitability(old)
    assert exploitability(
        on_other_buckets(old, exact_layout().abstraction, "", boards=1500)
    ) < exploitability(fresh)


def test_buckets_of_another_game_are_refused():
    old = new_training(few_layout().game, few_layout().abstraction, Plan("linear", samples=1))
    with pytest.raises(ErraiError, match="the buckets are of little, and the training of ten cards"):
        on_other_buckets(old, lossless(little_holdem(ranks=4)), "few")
