"""What a solution would cost: the model by hand, sizes of hold'em, projections, and one real measurement."""

import json
import math

import numpy as np
import pytest

import errai
from errai.cli.output import plain
from errai.engine.rules import rule_named
from errai.errors import ErraiError, StoppedError
from errai.games.catalogue import load_game
from errai.games.spot import whole_game
from errai.runs.monitor import Monitor
from errai.scale import measuring
from errai.scale.division import divide
from errai.scale.measuring import Measurement, Sample, measure
from errai.scale.plan import Cluster, Counts, Plan, counts
from errai.scale.playing import Given, Played
from errai.scale.records import CEPHEUS, RECORDS, Projection, Record, iterations_to, projection, slope_of
from errai.scale.sampling import drawn_flop, drawn_subgame
from errai.views.plan import plan_rows

COUNTS = Counts(
    game="made up",
    information_sets=4 * 10**11,
    numbers=10**12,
    border=10**9,
    boards=5_000,
    trunk=10**8,
    trunk_width=10**9,
    trunk_tables=10**7,
)
LIKELY = Projection(1.0, 100, 50, 200, (("a game", 50, True), ("another", 200, False)))


def sample(**changes):
    known = {
        "where": "somewhere",
        "numbers": 10**6,
        "iterations": 50,
        "kernel": 4e-9,
        "seconds": 9e-9,
        "response": 5e-9,
        "stored": 0.4,
        "peak": 0.5,
        "read": 0.6,
        "written": 0.4,
        "buffers": 3 * 10**8,
    }
    return Sample(**{**known, **changes})


def measured(*samples, **changes):
    known = {
        "strategy": "average",
        "method": "sdcfr+",
        "reach": "",
        "whole": False,
        "flops": 2,
        "seconds": 1.0,
        "trunk": 1e-9,
        "border": 2e-9,
    }
    return Measurement(samples or (sample(), sample()), **{**known, **changes})


def made_up(**changes):
    known = {
        "nodes": 10,
        "cores": 50,
        "disk": 10**11,
        "memory": 10**11,
        "price": 0.02,
        "disk_speed": 5.0,
    }
    return Plan(Cluster(**{**known, **changes}), COUNTS, measured(), LIKELY)


def test_an_iteration_takes_as_long_as_the_one_who_is_busy_longest():
    iteration = made_up().iteration
    assert iteration.cores == pytest.approx(1e12 * 9e-9 / (10 * 50 * 0.9))  # 20 s
    assert iteration.disks == pytest.approx(1e12 * (0.6 + 0.4) / (10 * 5e9))  # 20 s
    assert iteration.border == pytest.approx(2 * 1e9 * 2e-9)
    assert iteration.trunk == pytest.approx(2 * 1e9 * 1e-9)
    assert iteration.total == pytest.approx(22)
    assert made_up(disk_speed=2.5).iteration.total == pytest.approx(42)
    assert made_up(disk_speed=2.5).iteration.waits_for == "disks"
    assert made_up(cores=25).iteration.total == pytest.approx(42)
    assert made_up(cores=25).iteration.waits_for == "cores"
    slow = made_up(network=1.0).iteration  # 2 passes of 4 GB each way over 1 Gbit/s
    assert slow.network == pytest.approx(64)
    assert slow.total == pytest.approx(66)


def test_core_years_days_and_money_of_a_run_with_eight_best_responses():
    plan = made_up()
    response = max(1e12 * 5e-9 / 450, 1e12 * 0.4 / 5e10, 3 * 2.0) + 3 * 1.0
    seconds = 100 * 22 + 8 * response
    assert plan.likely.days == pytest.approx(seconds / 86400)
    assert plan.likely.money == pytest.approx(seconds / 3600 * 500 * 0.02)
    work = 100 * (9e3 + 2 * 3.0) + 8 * (5e3 + 3 * 3.0)
    assert plan.likely.core_years == pytest.approx(work / 3600 / 8766)
    assert plan.low.days < plan.likely.days < plan.high.days


def test_disk_memory_and_network():
    plan = made_up()
    assert plan.disk_bytes == 5 * 10**11 + 2 * 4 * 10**9
    assert plan.node_disk_bytes == plan.disk_bytes // 10
    assert plan.memory_bytes == 50 * 3 * 10**8
    assert COUNTS.driver_bytes == 8 * 10**8 + 10**7 + 24 * 2 * 10**9
    assert COUNTS.network_bytes == 16 * 10**9  # two passes, four bytes of reach and of value
    assert plan.fits


def test_what_does_not_fit_is_said():
    small = made_up(disk=10**10)
    assert not small.fits
    assert small.problems == ["50.8 GB of disk per node, and 10.0 GB are there: 51 nodes would do"]
    assert any(label == "does not fit" for label, _ in plan_rows(small))
    assert "memory" in made_up(memory=10**10).problems[0]


def test_the_spread_of_a_sample():
    found = measured(sample(peak=0.2), sample(peak=0.4), sample(peak=0.6))
    assert found.mean("peak") == pytest.approx(0.4)
    assert found.error("peak") == pytest.approx(0.2 / math.sqrt(3))
    assert measured(sample()).error("peak") is None
    assert measured(sample(), whole=True).error("peak") == 0


def test_the_sizes_of_holdem_need_but_one_flop():
    spot = whole_game(load_game("holdem"))
    division = divide(spot, flops=drawn_flop(spot, np.random.default_rng(1)))
    found = counts(division)
    assert found.information_sets == 13_803_249_787_132
    assert found.boards == 63_193
    assert found.border == 55_190_538 * 63
    assert found.trunk == 21 * 169 + 1_286_792 * 7 * 26
    assert found.numbers == 26 * (63 * 55_190_538 + 567 * 2_428_287_420)
    plan = Plan(Cluster(), found, measured(), LIKELY)
    assert plan.cepheus == CEPHEUS
    assert any("68.5 on 4,800 cores" in text for _, text in plan_rows(plan))


def test_counts_of_a_division_are_those_of_its_layouts():
    division = divide(whole_game(load_game("rhode-island")))
    found = counts(division)
    assert found.information_sets == division.information_sets == 3_937_128
    assert found.numbers == division.numbers
    assert found.trunk == division.trunk_numbers
    trunk = Played(division)._trunk
    assert found.border == trunk.task_value.size


def test_a_power_law_is_recovered():
    points = tuple((t, 5e4 * t**-1.7) for t in (10, 20, 40, 80, 160))
    slope, height = slope_of(points)
    assert (slope, math.exp(height)) == pytest.approx((1.7, 5e4))
    expected = (5e4 / 0.5) ** (1 / 1.7)
    assert iterations_to(points, 0.5) == (pytest.approx(expected), False)
    assert iterations_to(points, 5e4 * 60**-1.7) == (pytest.approx(60), True)
    assert iterations_to(points, 1e6) == (10, True)


def test_the_first_third_of_a_run_does_not_count():
    late = tuple((t, 100 * t**-1.0) for t in (40, 80, 160, 320))
    assert slope_of(((10, 900.0), (20, 200.0), *late))[0] == pytest.approx(1)


def test_a_projection_lies_between_its_records():
    fast = Record("a", "a", "m", "p", tuple((t, 1e4 * t**-2.0) for t in (10, 20, 40)))
    slow = Record("b", "b", "m", "p", tuple((t, 1e4 * t**-1.0) for t in (10, 20, 40)))
    found = projection("c", 1.0, records=(fast, slow))
    assert (found.low, found.likely, found.high) == (100, 1000, 10_000)
    assert not found.reached
    ours = projection("rhode-island", 1.0)
    assert ours.low == ours.likely == ours.high
    assert 175 < ours.likely < 241
    holdem = projection("holdem", 1.0, of_holdem=True)
    assert holdem.low < holdem.likely < holdem.high < CEPHEUS.iterations
    assert len(holdem.by_record) == len(RECORDS) + 1


def test_the_current_strategy_takes_as_many_iterations_as_cepheus():
    found = projection("holdem", CEPHEUS.target, "current", of_holdem=True)
    assert found.likely == CEPHEUS.iterations
    assert found.by_record[-1] == ("Cepheus by the same rule", CEPHEUS.iterations, True)
    assert projection("holdem-2-4", 1.0, "current").likely == 358


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.what)
def test_every_record_falls(record):
    iterations, mbb = zip(*record.points, strict=True)
    assert list(iterations) == sorted(set(iterations))
    assert slope_of(record.points)[0] > 0.5
    assert min(mbb) > 0


def test_a_given_reach_enters_as_the_trunk_would_let_it():
    """With uniform play both ways into a subgame give the same reach, hand by hand and context by context."""
    spot = whole_game(load_game("rhode-island"))
    division = divide(spot, flops=drawn_flop(spot, np.random.default_rng(3)))
    trunk = Played(division)
    templates, contexts = division.templates, division.contexts
    assert division.level == 1

    def uniform(betting, cards, player):
        nodes = {node.betting: node for node in templates[0].nodes}
        written, share = betting.rstrip("/"), 1.0
        for end in range(len(written)):
            node = nodes[written[:end]]
            share /= len(node.actions) if node.player == player else 1
        return np.full(len(spot.held), share)

    given = Given(division, division.subgames, uniform)
    for player in (0, 1):
        trunk.down(measuring.order_of(player, 1, rule_named("sdcfr+")))
        for subgame in division.subgames:
            expected = trunk.reach(subgame, player)
            assert len(expected) % contexts[1] == 0
            np.testing.assert_allclose(given.reach(subgame, player), expected, rtol=1e-6)


def test_every_subgame_can_be_drawn():
    spot = whole_game(load_game("royal"))
    generator = np.random.default_rng(5)
    division = divide(spot, flops=drawn_flop(spot, generator))
    drawn = [drawn_subgame(division, generator, at) for at in np.linspace(0, 0.999, 60)]
    assert len({subgame.k for subgame in drawn}) == len({subgame.k for subgame in division.subgames})
    assert len({subgame.first for subgame in drawn}) > 5


def test_rhode_island_is_measured_as_a_whole():
    plan = errai.plan("rhode-island", seconds=1.0)
    found = plan.measurement
    assert found.whole
    assert found.numbers == plan.counts.numbers
    (only,) = found.samples
    assert 0 < only.kernel < only.seconds < 1e-5
    assert 0.05 < only.stored <= only.peak < 4.2
    assert only.read > 0
    assert plan.fits
    written = json.loads(json.dumps(plain(plan.to_json())))
    keys = {"iterations", "core_years", "days", "disk_bytes", "memory_bytes", "measured", "extrapolated"}
    assert keys | {"money", "network_bytes", "fits"} <= set(written)
    assert written["iterations"] == plan.likely.iterations
    assert all(len(label) <= 16 and len(text) <= 63 for label, text in plan_rows(plan))


def test_subgames_of_a_sample_are_entered_by_a_strategy(monkeypatch):
    monkeypatch.setattr(measuring, "LARGEST_WHOLE", 0)
    spot = whole_game(load_game("rhode-island"))
    asked = set()

    def reach(betting, cards, player):
        asked.add((betting, len(cards), player))
        return np.ones(len(spot.held))

    found, division = measure(spot, ("mine", reach), 0.5)
    assert not found.whole
    assert len(found.samples) == measuring.FEWEST
    assert found.reach == "of the strategy mine"
    assert found.error("peak") is not None
    assert {(cards, player) for _, cards, player in asked} == {(1, 0), (1, 1)}
    assert all(betting.endswith("/") for betting, _, _ in asked)
    assert counts(division).information_sets == 3_937_128


def test_a_monitor_stops_it():
    class Impatient(Monitor):
        def should_stop(self):
            return True

    with pytest.raises(StoppedError, match="stopped before the plan was made"):
        errai.plan("leduc", seconds=60, monitor=Impatient())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"nodes": 0}, "nodes must be 1 or more"),
        ({"cores": -1}, "cores must be 1 or more"),
        ({"disk": "many"}, "'many' is no size"),
        ({"memory": "0GB"}, "'0GB' is no size"),
        ({"price": -1.0}, "price must be 0 or more"),
        ({"network": 0.0}, "network must be above 0"),
        ({"disk_speed": math.nan}, "disk_speed must be above 0"),
        ({"target": 0.0}, "target must be above 0"),
        ({"seconds": math.inf}, "seconds must be above 0"),
    ],
    ids=lambda case: next(iter(case)) if isinstance(case, dict) else "",
)
def test_what_makes_no_sense_is_refused(wrong, message):
    with pytest.raises(ErraiError, match=message) as refused:
        errai.plan("leduc", **wrong)
    assert refused.value.parameter == next(iter(wrong))
