"""What hands are worth is learned once, kept beside the strategy, and never trusted when it is not what it was."""

import json

import numpy as np
import pytest

import errai
from errai.errors import ErraiError
from errai.play.agent import StrategyAgent
from errai.play.values import learn_values, own_values, values_folder
from errai.runs.monitor import Monitor
from errai.strategy.checking import check_folder
from errai.strategy.files import open_strategy
from errai.strategy.value_function import MANIFEST, VALUES, check_values, load_values


class Heard(Monitor):
    """Remembers what it is told."""

    def __init__(self):
        self.steps, self.warnings = [], []

    def step(self, words):
        self.steps.append(words)

    def warn(self, line):
        self.warnings.append(line)


@pytest.fixture
def agent(tmp_path):
    errai.solve("leduc", iterations=10, out=tmp_path / "leduc")
    return StrategyAgent("leduc", open_strategy(tmp_path / "leduc")).batch()


def test_threads_make_no_difference(agent):
    one, three = (learn_values(agent, hands=300, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.value, three.value)
    assert np.array_equal(one.bin_of, three.bin_of)


def test_a_king_is_worth_more_than_a_queen_and_a_queen_more_than_a_jack(agent):
    values = learn_values(agent, hands=2_000)
    for seat in (0, 1):
        jack, queen, king = values.of(0, 0, 0, seat)
        assert jack < queen < king


def test_values_are_learned_once(agent):
    first, again = Heard(), Heard()
    learned = own_values(agent, monitor=first)
    kept = own_values(agent, monitor=again)
    assert first.steps
    assert not again.steps
    assert not first.warnings + again.warnings
    assert np.array_equal(learned.value, kept.value)
    assert np.array_equal(learned.bin_of, kept.bin_of)
    assert kept.hands == learned.hands
    assert values_folder(agent) == agent.strategy.saved.folder / VALUES


def test_values_of_another_strategy_are_refused_and_learned_again(agent, tmp_path):
    own_values(agent)
    errai.solve("leduc", iterations=20, out=tmp_path / "other")
    other = StrategyAgent("other", open_strategy(tmp_path / "other")).batch()
    (tmp_path / "leduc" / VALUES).rename(tmp_path / "other" / VALUES)
    with pytest.raises(ErraiError, match="values of another strategy; they must be learned again"):
        load_values(tmp_path / "other" / VALUES, other.strategy, other.counts)
    heard = Heard()
    own_values(other, monitor=heard)
    assert len(heard.warnings) == 1
    assert "values of another strategy" in heard.warnings[0]
    own_values(other, monitor=(quiet := Heard()))
    assert not quiet.warnings + quiet.steps


@pytest.mark.parametrize("name", ["values.npy", "bins.npy", MANIFEST])
def test_damaged_values_are_named_by_the_check_and_learned_again(agent, name):
    own_values(agent)
    place = values_folder(agent)
    assert check_folder(agent.strategy).endswith("; so is what hands are worth")
    damaged = bytearray((place / name).read_bytes())
    damaged[-9] ^= 1
    (place / name).write_bytes(damaged)
    with pytest.raises(ErraiError, match=f"{name} .*"):
        check_folder(agent.strategy)
    heard = Heard()
    own_values(agent, monitor=heard)
    assert len(heard.warnings) == 1
    assert name in heard.warnings[0]
    assert check_values(place)


def test_values_of_a_game_with_other_buckets_are_refused(agent):
    own_values(agent)
    with pytest.raises(ErraiError, match="not those of this game and its buckets"):
        load_values(values_folder(agent), agent.strategy, (3, 6))


def test_where_nothing_can_be_written_a_match_goes_on(agent):
    values_folder(agent).write_text("in the way")
    heard = Heard()
    values = own_values(agent, monitor=heard)
    assert values.hands > 0
    assert "was not kept" in heard.warnings[0]
    assert json.loads((agent.strategy.saved.folder / "strategy.json").read_text())["kind"] == "exact"


def test_what_was_learned_before_a_match_was_stopped_is_not_kept(agent):
    class Stops(Heard):
        def should_stop(self):
            return len(self.steps) > 1

    own_values(agent, monitor=Stops())
    assert not values_folder(agent).exists()
