"""Whatever takes long goes through the same stages: claimed, saved on the way, saved before it is measured."""

import json

import numpy as np
import pytest

import errai
from errai.api import solving
from errai.engine.checkpoint import load_checkpoint
from errai.engine.solver import Solver
from errai.errors import ErraiError
from errai.runs.run import Run
from errai.sequence import solve as solve_extensive
from tests.monitors import Recorder, StopAfter

KUHN = {"iterations": 30, "threads": 1}


def test_a_solution_does_not_replace_another(tmp_path):
    errai.solve("leduc", iterations=20, threads=1, out=tmp_path)
    with pytest.raises(ErraiError, match="already holds a strategy"):
        errai.solve("kuhn", **KUHN, out=tmp_path)
    with pytest.raises(ErraiError, match="already holds a strategy"):
        solve_extensive("kuhn", "exact", out=tmp_path)
    with pytest.raises(ErraiError, match="already holds a strategy"):
        errai.abstract("lossless/lossless", tmp_path, game="leduc")
    with pytest.raises(ErraiError, match="already holds a strategy"):
        errai.tournament(1600, 100, 200, step=100, out=tmp_path)
    assert errai.load(tmp_path).spot.game.name == "leduc"
    solve_extensive("kuhn", "exact", out=tmp_path, overwrite=True)
    assert {path.name for path in tmp_path.iterdir()} == {
        "certificate.json", "result.json", "strategy.csv", "strategy.json", "table.json",
    }  # fmt: skip


def test_a_result_knows_where_it_is(tmp_path):
    assert errai.solve("kuhn", **KUHN).folder is None
    assert errai.solve("kuhn", **KUHN, out=tmp_path / "one").folder == tmp_path / "one"
    assert errai.resume(tmp_path / "one", iterations=40, out=tmp_path / "two").folder == tmp_path / "two"
    assert solve_extensive("kuhn", "lp", out=tmp_path / "lp").folder == tmp_path / "lp"


def test_two_solutions_in_one_folder_at_a_time_are_refused(tmp_path):
    with Run(tmp_path), pytest.raises(ErraiError, match="is in use by process"):
        errai.solve("kuhn", **KUHN, out=tmp_path)
    errai.solve("kuhn", **KUHN, out=tmp_path)
    with Run(tmp_path, resume=True), pytest.raises(ErraiError, match="is in use by process"):
        errai.resume(tmp_path, iterations=40)


def test_what_is_refused_leaves_no_folder(tmp_path):
    with pytest.raises(ErraiError, match="of memory"):
        errai.solve("holdem", out=tmp_path / "out")
    with pytest.raises(ErraiError, match="there is no such folder"):
        errai.resume(tmp_path / "nowhere", iterations=40)
    with pytest.raises(ErraiError, match="there is no such folder"):
        errai.resume_training(tmp_path / "nowhere", samples=40)
    assert not list(tmp_path.iterdir())


def test_a_long_best_response_at_the_end_comes_after_a_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr("errai.engine.loop.LONG", 0.0)
    measured = Solver.working

    def saved_at() -> int:
        return load_checkpoint(tmp_path).iteration

    def working(self):
        with measured(self) as work:
            evaluate = work.evaluate
            noted = []

            def last(*anything):
                if self.iteration == 33:
                    noted.append(saved_at())
                return evaluate()

            object.__setattr__(work, "evaluate", last)
            yield work
            assert noted == [33]

    from contextlib import contextmanager

    monkeypatch.setattr(Solver, "working", contextmanager(working))
    assert errai.solve("kuhn", iterations=33, threads=1, out=tmp_path).finished


@pytest.mark.parametrize("stop", [1, 3, 5])
def test_where_it_was_stopped_does_not_change_where_a_solution_ends(tmp_path, stop):
    """It ends by its target, and so where it is measured."""
    whole = errai.solve("leduc", target=5.0, threads=1)
    stopped = errai.solve("leduc", target=5.0, threads=1, out=tmp_path, monitor=StopAfter(stop))
    assert 0 < stopped.iterations < whole.iterations
    done = errai.resume(tmp_path)
    assert done.converged
    assert done.iterations == whole.iterations
    np.testing.assert_array_equal(done.strategy.weights, whole.strategy.weights)


def test_what_is_stopped_before_its_first_iteration_is_saved(tmp_path):
    recorder = StopAfter(0)
    stopped = errai.solve("kuhn", **KUHN, out=tmp_path, monitor=recorder)
    assert (stopped.iterations, stopped.folder, recorder.warnings) == (0, tmp_path, [])
    assert errai.resume(tmp_path).iterations == 30


def test_a_checkpoint_that_fails_on_the_way_costs_a_warning(tmp_path, monkeypatch):
    save, failures = solving.save_checkpoint, []

    def fail_once(folder, solver):
        if not failures:
            failures.append(solver.iteration)
            raise ErraiError("no room")
        save(folder, solver)

    monkeypatch.setattr("errai.api.solving.save_checkpoint", fail_once)
    recorder = Recorder()
    result = errai.solve("kuhn", **KUHN, out=tmp_path, checkpoint_every=0, monitor=recorder)
    assert recorder.warnings == ["no checkpoint was saved: no room"]
    assert result.finished
    assert load_checkpoint(tmp_path).iteration == 30


def test_a_disk_that_is_full_at_the_end_does_not_cost_the_result(tmp_path, monkeypatch):
    def fail(*anything):
        raise ErraiError("no room")

    monkeypatch.setattr("errai.api.solving.save_checkpoint", fail)
    recorder = Recorder()
    result = errai.solve("kuhn", **KUHN, out=tmp_path / "some", monitor=recorder)
    assert result.folder == tmp_path / "some"  # the strategy is there
    assert recorder.warnings == ["no checkpoint was saved: no room"]
    monkeypatch.setattr("errai.strategy.kinds.exact.ExactStrategy.save", fail)
    recorder = Recorder()
    result = errai.solve("kuhn", **KUHN, out=tmp_path / "none", monitor=recorder)
    assert result.folder is None
    assert result.exploitability_mbb > 0
    assert len(recorder.warnings) == 2


def test_a_tournament_that_is_stopped_leaves_its_folder_alone(tmp_path):
    errai.tournament(1600, 100, 200, step=100, out=tmp_path, exact=True)
    before = json.loads((tmp_path / "result.json").read_text())
    with pytest.raises(ErraiError, match="stopped before the tournament was solved"):
        errai.tournament(3200, 100, 200, step=100, out=tmp_path, overwrite=True, monitor=StopAfter(0))
    assert json.loads((tmp_path / "result.json").read_text()) == before
    assert (tmp_path / "proof.json").exists()
