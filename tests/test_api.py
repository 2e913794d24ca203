"""Errai as a Python programmer meets it."""

import json
import subprocess
import sys
import warnings
from inspect import signature

import numpy as np
import pytest

import errai
from errai.api import solving
from errai.engine.checkpoint import load_checkpoint
from errai.games.spot import whole_game
from tests.monitors import Recorder, StopAfter

LEDUC_VALUE = -0.0856064  # of seat 0; best responses to a float64 solution of 1e-6 mbb/g prove these digits
KEYS = [
    "game", "method", "iterations", "seconds", "information_sets", "value",
    "best_response", "exploitability", "exploitability_mbb",
]  # fmt: skip


@pytest.fixture(scope="module")
def leduc() -> errai.Result:
    return errai.solve("leduc", target=0.5, threads=1)


def test_leduc_is_worth_what_is_known(leduc):
    low, high = leduc.bounds
    assert low <= LEDUC_VALUE <= high
    assert high - low == pytest.approx(2 * leduc.exploitability)
    assert leduc.value == pytest.approx((LEDUC_VALUE, -LEDUC_VALUE), abs=2e-3)


def test_a_result_says_how_it_was_found(leduc):
    assert (leduc.game, leduc.method, leduc.target) == ("leduc", "sdcfr", 0.5)
    assert leduc.converged
    assert leduc.finished
    assert leduc.exploitability_mbb <= 0.5
    assert leduc.history[-1].iteration == leduc.iterations
    assert leduc.history[-1].exploitability_mbb == leduc.exploitability_mbb
    assert leduc.strategy.evaluate().exploitability == leduc.exploitability


def test_a_result_as_json_has_the_promised_keys(leduc):
    content = json.loads(json.dumps(leduc.to_json()))
    assert set(KEYS) <= set(content)
    assert content["best_response"] == list(leduc.best_response)
    assert sum(content["best_response"]) / 2 == content["exploitability"]
    assert content["exploitability_mbb"] == 1000 * content["exploitability"] / 2


def test_a_game_is_a_name_rules_a_file_or_a_spot(tmp_path):
    rules = errai.load_game("kuhn")
    path = tmp_path / "mine.game"
    path.write_text(rules.text())
    found = [
        errai.solve(game, iterations=20, threads=1)
        for game in ("kuhn", rules, path, str(path), whole_game(rules))
    ]
    assert {result.exploitability for result in found} == {found[0].exploitability}
    assert [result.game for result in found] == ["kuhn", "kuhn", "mine", "mine", "kuhn"]


def test_without_a_target_nothing_converges():
    result = errai.solve("kuhn", iterations=10, threads=1)
    assert result.target is None
    assert not result.converged
    assert result.finished


def test_a_solution_is_saved_and_loaded(tmp_path, leduc):
    leduc.save(tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"strategy.json", "strategy.npy", "result.json", "convergence.png"}
    assert json.loads((tmp_path / "out" / "result.json").read_text()) == leduc.to_json()
    loaded = errai.load(tmp_path / "out")
    assert loaded.evaluate().exploitability == leduc.exploitability
    assert loaded.probabilities("4c", "cr") == leduc.strategy.probabilities("4c", "cr")


def test_a_solution_is_resumed_where_it_was_saved(tmp_path):
    first = errai.solve("leduc", method="cfr+", iterations=40, threads=1, out=tmp_path)
    again = errai.resume(tmp_path, iterations=40)
    straight = errai.solve("leduc", method="cfr+", iterations=80, threads=1)
    assert (first.iterations, again.iterations) == (40, 80)
    assert again.exploitability == straight.exploitability
    assert again.history[: len(first.history)] == first.history
    np.testing.assert_array_equal(again.strategy.weights, straight.strategy.weights)
    assert errai.load(tmp_path).evaluate().exploitability == again.exploitability


def test_new_limits_take_the_place_of_the_old_ones(tmp_path):
    errai.solve("kuhn", iterations=20, threads=1, out=tmp_path / "first")
    done = errai.resume(tmp_path / "first", target=1.0, out=tmp_path / "second")
    assert done.iterations > 20
    assert done.converged
    assert load_checkpoint(tmp_path / "first").iteration == 20
    assert load_checkpoint(tmp_path / "second").iteration == done.iterations
    assert errai.resume(tmp_path / "second").iterations == done.iterations


def test_a_solution_that_was_stopped_can_be_resumed(tmp_path):
    stopped = errai.solve("leduc", iterations=500, threads=1, out=tmp_path, monitor=StopAfter(3))
    assert not stopped.finished
    assert 0 < stopped.iterations < 500
    assert stopped.exploitability == stopped.strategy.evaluate().exploitability
    done = errai.resume(tmp_path)
    assert done.finished
    straight = errai.solve("leduc", iterations=500, threads=1)
    np.testing.assert_array_equal(done.strategy.weights, straight.strategy.weights)


def test_checkpoints_on_the_way_change_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("errai.runs.schedule.SHARE", 0.0)
    saved = []
    save = solving.save_checkpoint

    def note(folder, solver):
        saved.append(solver.iteration)
        save(folder, solver)

    monkeypatch.setattr("errai.api.solving.save_checkpoint", note)
    often = errai.solve("leduc", target=1.0, threads=1, out=tmp_path, checkpoint_every=0)
    assert len(saved) > 3
    never = errai.solve("leduc", target=1.0, threads=1)
    assert [point.iteration for point in often.history] == [point.iteration for point in never.history]
    np.testing.assert_array_equal(often.strategy.weights, never.strategy.weights)


def test_progress_and_memory_are_told():
    recorder = Recorder()
    errai.solve("kuhn", iterations=30, threads=1, monitor=recorder)
    assert recorder.reports[0].iteration == 0
    assert recorder.reports[-1].iteration == 30
    assert recorder.lines[0].startswith("memory: ")


def test_a_plain_monitor_is_silent_and_never_stops(capsys):
    assert errai.solve("kuhn", iterations=30, threads=1, monitor=errai.Monitor()).finished
    assert capsys.readouterr() == ("", "")


RIVER = {"board": "Ks7h2d 5c 9s", "betting": "rc/rc/cc/", "iterations": 30, "threads": 1}


def test_an_endgame_is_a_spot_of_holdem():
    oop, ip = "KK, 77:0.5, QJs", "AK, 76s"
    result = errai.endgame(**RIVER, oop=oop, ip=ip)
    where = errai.spot(errai.load_game("holdem"), RIVER["board"], RIVER["betting"], (oop, ip))
    same = errai.solve(where, iterations=30, threads=1)
    assert result.game == "holdem"
    assert result.exploitability == same.exploitability
    weights = errai.endgame(**RIVER, oop=where.ranges[0], ip=where.ranges[1])
    assert weights.exploitability == same.exploitability
    assert result.strategy.decision().player == 0  # out of position acts first


def test_the_nuts_out_of_position_win_the_pot_and_more():
    result = errai.endgame(**RIVER, oop="9h9d", ip="KhQh", method="cfr+")
    # A set of nines beats a pair of kings: seat 0 wins the 30 chips that seat 1 has put in, or more.
    assert result.value[0] >= 30 - 1e-6


def test_a_figure_is_drawn_by_its_suffix(tmp_path, leduc):
    leduc.plot(tmp_path / "figure.png")
    leduc.plot(str(tmp_path / "figure.svg"))
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "figure.svg").read_text()
    with pytest.raises(errai.ErraiError, match=r"figure.txt is no picture file; its name must end in .png"):
        leduc.plot(tmp_path / "figure.txt")


def test_a_single_measurement_is_drawn_without_complaint(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errai.solve("kuhn", iterations=10, threads=1).plot(tmp_path / "figure.png")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda folder: errai.solve("leducc"), "did you mean leduc?"),
        (lambda folder: errai.solve("leduc", method="cfrx"), "unknown method 'cfrx'"),
        (lambda folder: errai.solve("leduc", iterations=0), "iterations must be a whole number above 0"),
        (lambda folder: errai.solve("leduc", out=folder / "file"), "cannot write"),
        (lambda folder: errai.resume(folder), "there is no checkpoint in it"),
        (lambda folder: errai.load(folder), "is not a saved strategy"),
        (lambda folder: errai.endgame("KsKs7h", "rc"), "is there twice"),
        (lambda folder: errai.endgame("Ks7h2d", "rc", oop="AZ"), "AZ"),
    ],
)
def test_what_is_wrong_costs_one_clear_line(tmp_path, call, message):
    (tmp_path / "file").write_text("")
    with pytest.raises(errai.ErraiError, match=r"^[^\n]*$") as caught:
        call(tmp_path)
    assert message in str(caught.value)


def test_resuming_nothing_makes_no_folder(tmp_path):
    with pytest.raises(errai.ErraiError):
        errai.resume(tmp_path / "nowhere", out=tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_the_public_names_are_all_there():
    for name in errai.__all__:
        assert getattr(errai, name) is not None
        assert name in dir(errai)
    assert errai.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="module 'errai' has no attribute 'solver'"):
        _ = errai.solver


def test_importing_errai_costs_nothing():
    code = "import sys, errai; print(sorted({'numpy', 'numba', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_endgame_takes_every_option_of_solve():
    taken = {
        name
        for name, given in signature(solving.solve).parameters.items()
        if given.kind is given.KEYWORD_ONLY
    }
    assert taken == set(solving.Options.__annotations__)


def test_a_current_strategy_is_solved_with_cfr_plus_unless_told_otherwise():
    assert errai.solve("kuhn", iterations=5).method == "sdcfr"
    assert errai.solve("kuhn", iterations=5, strategy="current").method == "cfr+"
    assert errai.solve("kuhn", iterations=5, strategy="current", method="dcfr").method == "dcfr"


def test_a_stopped_solution_without_a_folder_leaves_a_checkpoint_aside(tmp_path):
    aside = tmp_path / "aside"
    stopped = errai.solve("leduc", iterations=1000, monitor=StopAfter(0), stopped_to=aside)
    assert not stopped.finished
    assert stopped.folder == aside
    # A second one does not replace the first.
    other = errai.solve("kuhn", iterations=1000, monitor=StopAfter(0), stopped_to=aside)
    assert other.folder == tmp_path / "aside-2"
    assert errai.resume(aside, iterations=20).game == "leduc"
    errai.solve("leduc", iterations=20, stopped_to=tmp_path / "unneeded")
    assert not (tmp_path / "unneeded").exists()
