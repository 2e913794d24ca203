"""Models of papers: solved once, kept, and solved again if what was kept is damaged."""

import numpy as np
import pytest

from errai.errors import StoppedError
from errai.papers.redo import Known
from errai.papers.solved import solved_models
from errai.runs.monitor import SILENT
from tests.models.games import random_model
from tests.monitors import Recorder, StopAfter

MODELS = [random_model((3, 2), seed=seed) for seed in (1, 2, 3)]


def solved(folder, monitor=SILENT, target=1.0, threads=2, models=MODELS):
    return solved_models(models, "some", folder, Known(folder), target, threads, monitor)


def averages(found):
    return [solver.average for solver in found.solvers]


def test_models_are_solved_to_the_target_and_kept(tmp_path):
    first, again = solved(tmp_path), solved(tmp_path)
    assert all(effort.mbb <= 1.0 for effort in first.efforts)
    assert all(solver.evaluate().exploitability_mbb <= 1.0 for solver in again.solvers)
    assert [solver.iteration for solver in again.solvers] == [0, 0, 0]
    assert (again.efforts, again.seconds) == (first.efforts, first.seconds)
    for one, other in zip(averages(first), averages(again), strict=True):
        np.testing.assert_array_equal(one, other)


def test_other_models_of_the_same_name_are_solved_anew(tmp_path):
    solved(tmp_path)
    other = solved(tmp_path, models=MODELS[:1])
    assert other.solvers[0].iteration > 0
    assert solved(tmp_path, target=0.5).solvers[0].iteration > 0


@pytest.mark.parametrize(
    "damage", [lambda path: path.unlink(), lambda path: path.write_bytes(path.read_bytes()[:-1])]
)
def test_what_was_kept_and_is_damaged_is_solved_again(tmp_path, damage):
    first = solved(tmp_path)
    damage(tmp_path / "some.npy")
    again = solved(tmp_path)
    assert again.solvers[0].iteration > 0
    for one, other in zip(averages(first), averages(again), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_stop_is_heard_and_the_threads_do_not_matter(tmp_path):
    with pytest.raises(StoppedError, match="resumes"):
        solved(tmp_path, monitor=StopAfter(0))
    told = Recorder()
    one, two = solved(tmp_path / "1", threads=1), solved(tmp_path / "2", monitor=told, threads=2)
    assert str(told.reports[-1]) == "some: 3 of 3 models solved"
    for alone, together in zip(averages(one), averages(two), strict=True):
        np.testing.assert_array_equal(alone, together)
