"""What actions are worth early in a hand, from sampled cards to come."""

import shutil
from itertools import combinations, permutations

import numpy as np
import pytest

import errai
from errai.abstraction.build import build
from errai.abstraction.packing import pack_abstraction
from errai.api.reviewing import with_tables_made
from errai.errors import StoppedError
from errai.games.state import parse_state
from errai.runs.monitor import Monitor
from errai.strategy.kinds.buckets import open_buckets
from errai.strategy.run_outs import RunOuts, Sampled
from tests.strategy.test_buckets import SMALL as OF_BUCKETS
from tests.strategy.test_buckets import random_rows, save

# Three rounds of cards, so that there is a decision with a board and cards to come.
SMALL = """GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 1 2
raiseSize = 2 4 4
maxRaises = 2 2 1
firstPlayer = 1 1 1
numSuits = 2
numRanks = 4
numHoleCards = 1
numBoardCards = 0 1 1
END GAMEDEF
"""


class EveryDeal(RunOuts):
    """All cards to come once each, where others draw some of them."""

    def _deals(self, state, own):
        free = np.setdiff1d(np.arange(state.deck.size), [*state.cards, *own])
        due = self.strategy.game.board_sizes[-1] - len(state.cards)
        return np.array(list(combinations(free.tolist(), due)))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.game").write_text(SMALL)
    errai.solve(folder / "small.game", iterations=3, out=folder / "out")
    return errai.load(folder / "out")


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leduc") / "out"
    errai.solve("leduc", iterations=3, out=folder)
    return errai.load(folder)


@pytest.mark.parametrize("betting", ["", "r", "c", "cr", "rr"])
def test_over_all_deals_the_mean_is_the_exact_value(leduc, betting):
    state = parse_state(leduc.game, betting)
    exact = leduc.decision(state, values=True).values
    every = EveryDeal(leduc, 20)
    for hand in range(6):
        found = every.of(state, hand)
        assert found.values.mean(axis=0) == pytest.approx(exact[hand], abs=1e-5)
        assert found.controls.mean(axis=0) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("betting", ["cc/", "rc/r", "cc/cr"])
def test_with_cards_on_the_board_too(small, betting):
    for board in (0, 5):
        state = parse_state(small.game, betting).on_board([board])
        exact = small.decision(state, values=True).values
        every = EveryDeal(small, 20)
        for hand in (1, 3, 6):
            found = every.of(state, hand)
            assert found.values.mean(axis=0) == pytest.approx(exact[hand], abs=1e-5)
            assert found.controls.shape[1] == 2
            assert found.controls.mean(axis=0) == pytest.approx(0, abs=1e-9)


def test_samples_are_within_their_errors(small):
    """Of 45 estimates about 95% are within two errors, and controls make the errors smaller."""
    state = parse_state(small.game, "rc/").on_board([3])
    exact = small.decision(state, values=True).values
    inside, raw, adjusted = 0, 0.0, 0.0
    for seed in range(15):
        run_outs = RunOuts(small, 30, seed=seed)
        for hand in (0, 4, 7):
            found = run_outs.of(state, hand)
            inside += bool((np.abs(found.means - exact[hand]) <= 2 * found.errors + 1e-6)[0])
            raw += found.values[:, 0].std()
            adjusted += found.adjusted[:, 0].std()
    assert 39 <= inside <= 45
    assert adjusted < 0.8 * raw


def test_any_number_of_threads_gives_the_same_bits(small):
    state = parse_state(small.game, "cc/").on_board([2])
    one, two = (RunOuts(small, 30, threads=threads).of(state, 4).values for threads in (1, 2))
    assert np.array_equal(one, two)


def test_a_fold_costs_what_was_put_in(small):
    state = parse_state(small.game, "rc/r").on_board([1])
    found = RunOuts(small, 20).of(state, 5)
    assert found.actions[0] == "f"
    assert set(found.values[:, 0]) == {-state.spent[state.player]}


def test_a_loss_is_against_the_mixture():
    values = np.array([[1.0, 3.0], [2.0, 2.0], [0.0, 4.0], [1.0, 3.0]])
    found = Sampled(("c", "r"), values, np.zeros((4, 1)))
    assert found.losses("c", {"c": 0.5, "r": 0.5}).tolist() == [1.0, 0.0, 2.0, 1.0]
    assert found.losses("r", {"c": 0.0, "r": 1.0}).tolist() == [0.0] * 4


@pytest.fixture(scope="module")
def on_buckets(tmp_path_factory):
    """A strategy whose abstraction has no tables, and the folder with its tables."""
    folder = tmp_path_factory.mktemp("buckets")
    full = build(OF_BUCKETS, "lossless/emd:12/emd:11/ochs:10", folder / "full", threads=1)
    save(folder / "out", full, random_rows(full))
    pack_abstraction(folder / "full", folder / "out" / "abstraction")
    return open_buckets(folder / "out"), folder / "full"


def test_a_strategy_on_buckets_is_read_at_once_or_board_by_board(on_buckets, monkeypatch):
    strategy, _ = on_buckets
    state = parse_state(strategy.game, "rc/r").on_board(strategy.spot.deck.parse("2c3d4c"))
    hand = strategy.hand_number("2d4d", state)
    fast = RunOuts(strategy, 20).of(state, hand)
    monkeypatch.setattr("errai.strategy.run_outs.available_memory", lambda: 0)
    slow = RunOuts(strategy, 20).of(state, hand)
    assert np.array_equal(fast.values, slow.values)
    # With every deal once the mean is what a strategy that looks ahead knows.
    monkeypatch.setattr(type(strategy), "looks_ahead", None)
    exact = strategy.decision(state, values=True).values[hand]
    monkeypatch.setattr(EveryDeal, "_deals", in_order)
    every = EveryDeal(strategy, 20).of(state, hand)
    assert every.values.mean(axis=0) == pytest.approx(exact, abs=1e-5)


def in_order(self, state, own):
    """The turn and the river, each in both orders."""
    free = np.setdiff1d(np.arange(state.deck.size), [*state.cards, *own])
    return np.array(list(permutations(free.tolist(), 2)))


def test_tables_that_were_made_are_used(on_buckets):
    strategy, tables = on_buckets
    assert with_tables_made(strategy) is strategy
    shutil.copytree(tables, strategy.folder / "response" / "abstraction")
    found = with_tables_made(strategy)
    assert found.abstraction.has_tables
    assert found.fingerprint == strategy.fingerprint
    (strategy.folder / "response" / "abstraction" / "abstraction.json").write_text("{}")
    assert with_tables_made(strategy) is strategy


def test_sampling_can_be_stopped(small):
    class Impatient(Monitor):
        def should_stop(self):
            return True

    state = parse_state(small.game, "cc/").on_board([2])
    with pytest.raises(StoppedError):
        RunOuts(small, 30, monitor=Impatient()).of(state, 4)
