"""What was killed in the middle is resumed, and ends with the same bits as what was left alone."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import errai
from tests.blueprint.games import TEXT
from tests.runs.killed import PRESET, SAMPLES, begin


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A game, its buckets and a strategy on them, never disturbed."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "ten.game").write_text(TEXT)
    errai.abstract(PRESET, folder / "buckets", game=folder / "ten.game", threads=1)
    errai.train(folder / "ten.game", folder / "buckets", folder / "blueprint", samples=SAMPLES, threads=1)
    return folder


def kill(kind: str, place: Path, out: Path, reports: int) -> None:
    """Begin a run in another process, which is killed at a report."""
    words = [kind, place, out, reports]
    done = subprocess.run([sys.executable, "-m", "tests.runs.killed", *map(str, words)], capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def same(one: Path, other: Path, pattern: str) -> bool:
    names = sorted(path.name for path in one.glob(pattern))
    assert names
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


@pytest.mark.parametrize("reports", [4, 8])
def test_a_killed_solution_is_resumed(place, tmp_path, reports):
    kill("solve", place, tmp_path / "killed", reports)
    assert not (tmp_path / "killed" / "strategy.json").exists()
    done = errai.resume(tmp_path / "killed")
    begin("solve", place, tmp_path / "whole", errai.Monitor())
    assert done.finished
    assert same(tmp_path / "whole", tmp_path / "killed", "strategy.npy")


def test_a_killed_training_is_resumed(place, tmp_path):
    kill("train", place, tmp_path / "killed", 4)
    done = errai.resume_training(tmp_path / "killed")
    assert (done.samples, done.finished) == (SAMPLES, True)
    assert same(place / "blueprint", tmp_path / "killed", "*.blocks")


@pytest.mark.parametrize("reports", [3, 9])
def test_a_killed_abstraction_is_resumed(place, tmp_path, reports):
    kill("abstract", place, tmp_path / "killed", reports)
    begin("abstract", place, tmp_path / "killed", errai.Monitor())
    assert same(place / "buckets", tmp_path / "killed", "*.npy")


def test_a_killed_best_response_is_resumed(place, tmp_path):
    kill("exploit", place, tmp_path / "work", 12)
    kept = len(list((tmp_path / "work").glob("[0-9]*.npy")))
    assert 0 < kept < 25
    found = begin("exploit", place, tmp_path / "work", errai.Monitor())
    whole = begin("exploit", place, tmp_path / "whole", errai.Monitor())
    assert found.evaluation.best_response == whole.evaluation.best_response
