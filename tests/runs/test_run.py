"""A run claims its folder, refuses other work, saves when it is time, and outlives a full disk."""

import shutil
from pathlib import Path

import pytest

import errai
from errai.errors import ErraiError
from errai.files.writing import replacing_folder
from errai.runs.contents import remove_work, work_in
from errai.runs.monitor import Monitor, Progress
from errai.runs.run import Run, resumed, save_aside
from tests.monitors import Recorder


def full_disk() -> None:
    raise ErraiError("no room in out: 3.0 MB are needed and 0.0 MB are free")


@pytest.fixture
def used(tmp_path):
    """A folder with work in it, and something of the user's own."""
    folder = tmp_path / "used"
    (folder / "checkpoint").mkdir(parents=True)
    for name in ("strategy.json", "strategy.npy", "flop.blocks", "convergence.png", "notes.txt", "mine.npy"):
        (folder / name).write_text("old")
    (folder / "checkpoint" / "regret.npy").write_text("old")
    return folder


def checkpoint(folder: Path) -> None:
    with replacing_folder(folder / "checkpoint"):
        assert work_in(folder) == "a strategy"  # until the new one is complete


def test_a_folder_with_work_in_it_is_refused(used):
    before = sorted(used.rglob("*"))
    with (
        pytest.raises(ErraiError, match=r"used already holds a strategy; resume it, .* overwrite=True$"),
        Run(used),
    ):
        pass
    assert sorted(used.rglob("*")) == before


def result(folder: Path) -> None:
    (folder / "result.json").write_text("new")


@pytest.mark.parametrize("killed", [False, True])
def test_what_is_overwritten_goes_when_there_is_something_new(used, killed):
    with Run(used, overwrite=True, checkpoint_every=0.0) as run:
        run.checkpoint_with(lambda: checkpoint(used))
        assert run.checkpoint()
        assert not list((used / "checkpoint").iterdir())
        assert (used / "strategy.npy").exists()
        if not killed:
            run.save("the result", lambda: result(used), ["result.json"])
    if killed:  # the old one stays until the run that resumes it has something to show
        assert (used / "strategy.npy").exists()
        with Run(used, resume=True) as run:
            run.save("the result", lambda: result(used), ["result.json"])
    assert {path.name for path in used.iterdir()} == {"checkpoint", "result.json", "notes.txt", "mine.npy"}


def test_a_run_that_fails_before_it_saves_overwrites_nothing(used):
    def fail() -> None:
        with Run(used, overwrite=True):
            raise ErraiError("too large")

    before = sorted(used.rglob("*"))
    with pytest.raises(ErraiError, match="too large"):
        fail()
    assert sorted(used.rglob("*")) == before


def test_work_is_resumed_where_it_is_or_elsewhere(used, tmp_path):
    with resumed(used, None, Monitor()) as run:
        assert run.folder == used
    with resumed(used, used / ".." / "used", Monitor()) as run:
        assert run.folder == used
    with resumed(used, tmp_path / "other", Monitor()) as run:
        assert run.folder == tmp_path / "other"
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "result.json").write_text("{}")
    with (
        pytest.raises(ErraiError, match="already holds a result"),
        resumed(used, tmp_path / "taken", Monitor()),
    ):
        pass


def test_files_that_wait_for_their_places_are_not_overwritten(used):
    waiting = used / ".pending.0123abcd.flop.blocks"
    waiting.write_text("new")
    remove_work(used, ["strategy.json", "flop.blocks"])
    assert waiting.exists()
    assert not (used / "strategy.npy").exists()


def test_other_files_are_no_work(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with Run(tmp_path):
        pass
    remove_work(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_two_runs_in_one_folder_are_refused(tmp_path):
    with Run(tmp_path), pytest.raises(ErraiError, match="is in use by process"), Run(tmp_path, resume=True):
        pass
    with Run(tmp_path):
        pass


def test_what_a_killed_process_left_half_written_goes(tmp_path):
    (tmp_path / ".new.0123abcd.checkpoint").mkdir()
    (tmp_path / ".new.89abcdef.strategy.npy").write_text("half")
    with Run(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_an_empty_folder_that_was_made_for_nothing_goes(tmp_path):
    with Run(tmp_path / "made"):
        pass
    assert not (tmp_path / "made").exists()
    with Run(tmp_path):
        pass
    assert tmp_path.exists()


def test_checkpoints_by_time(tmp_path):
    now, saved = [0.0], []
    with Run(tmp_path, clock=lambda: now[0]) as run:
        run.checkpoint_with(lambda: saved.append(now[0]))
        for second in range(1, 200):
            now[0] = float(second)
            run.checkpoint()
        run.checkpoint(now=True)
    assert saved == [60.0, 120.0, 180.0, 199.0]


def test_without_a_folder_nothing_is_saved():
    run = Run(checkpoint_every=0.0)
    run.checkpoint_with(full_disk)
    assert not run.checkpoint(now=True)
    assert not run.save("the strategy", full_disk)


def test_a_full_disk_costs_a_warning_and_not_the_work(tmp_path):
    recorder = Recorder()
    with Run(tmp_path, recorder, checkpoint_every=0.0) as run:
        run.checkpoint_with(full_disk)
        assert not run.checkpoint()
        assert not run.save("the strategy", full_disk)
    assert [line.partition(":")[0] for line in recorder.warnings] == [
        "no checkpoint was saved",
        "the strategy was not saved",
    ]


def test_a_monitor_that_says_nothing_still_warns(tmp_path):
    with Run(tmp_path, checkpoint_every=0.0) as run:
        run.checkpoint_with(full_disk)
        with pytest.warns(RuntimeWarning, match="no checkpoint was saved: no room"):
            run.checkpoint()


def test_what_is_set_aside_replaces_nothing(used):
    def save(folder):
        (folder / "result.json").write_text("{}")

    assert save_aside(used.parent / "free", Monitor(), save) == used.parent / "free"
    assert save_aside(used, Monitor(), save) == used.parent / "used-2"
    assert save_aside(used, Monitor(), save) == used.parent / "used-3"
    with Run(used.parent / "used-4"):  # another one is being written
        assert save_aside(used, Monitor(), save) == used.parent / "used-5"


def test_progress_is_a_line():
    recorder = Recorder()
    recorder.step("reading the game: 1,000 nodes")
    assert [str(progress) for progress in recorder.reports] == ["reading the game: 1,000 nodes"]
    assert Progress("waiting").after(5.0) == "waiting"


def test_a_folder_that_is_replaced_goes_in_one_step(tmp_path, monkeypatch):
    """A reader finds all of a checkpoint or nothing of it."""
    errai.solve("leduc", iterations=5, threads=1, out=tmp_path)
    found = []
    remove = shutil.rmtree
    monkeypatch.setattr(
        shutil,
        "rmtree",
        lambda *of, **how: (found.append((tmp_path / "checkpoint").exists()), remove(*of, **how)),
    )
    remove_work(tmp_path)
    assert found
    assert not any(found)
    assert not (tmp_path / "checkpoint").exists()
