"""What actions are worth early in a hand, from sampled cards to come."""

from itertools import combinations

import numpy as np
import pytest

import errai
from errai.games.state import parse_state
from errai.strategy.run_outs import RunOuts, Sampled

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
