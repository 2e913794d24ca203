"""A part in the making: what was done of it is not done again, and comes out the same; damage is."""

import numpy as np
import pytest

from errai.abstraction.kmeans import centres
from errai.abstraction.making import FOLDER, Making
from errai.runs.run import Run
from tests.monitors import Recorder

TABLE = np.arange(60, dtype=np.uint16).reshape(20, 3)


@pytest.fixture(autouse=True)
def at_every_step(monkeypatch):
    """Checkpoints cost what they may."""
    monkeypatch.setattr("errai.runs.schedule.SHARE", 0.0)


@pytest.fixture
def folder(tmp_path):
    """Seven rows of a table are done, and saved in two stretches."""
    making = Making(Run(tmp_path, checkpoint_every=0.0), tmp_path, "river_cells.npy", "mine")
    table = np.zeros_like(TABLE)
    rows = making.rows("cells", table)
    for rows.done in (3, 7):
        table[: rows.done] = TABLE[: rows.done]
        making.checkpoint()
    return tmp_path


def resumed(folder, mark="mine", shape=TABLE.shape):
    """(how many rows are there, the table)"""
    table = np.zeros(shape, TABLE.dtype)
    rows = Making(Run(folder), folder, "river_cells.npy", mark).rows("cells", table)
    return rows.done, table


def test_rows_that_were_done_are_there(folder):
    done, table = resumed(folder)
    assert done == 7
    np.testing.assert_array_equal(table[:7], TABLE[:7])
    assert not table[7:].any()


def test_rows_of_another_abstraction_are_not(folder):
    assert resumed(folder, mark="another")[0] == 0
    assert resumed(folder, shape=(21, 3))[0] == 0


@pytest.mark.parametrize(("byte", "left"), [(0, 0), (17, 0), (18, 3), (41, 3)])
def test_rows_from_a_damaged_one_on_are_made_again(folder, byte, left):
    path = folder / FOLDER / "river_cells.cells.rows"
    content = bytearray(path.read_bytes())
    content[byte] ^= 4
    path.write_bytes(content)
    assert resumed(folder)[0] == left


def test_what_was_done_goes_with_the_part(folder):
    Making(Run(folder), folder, "river_cells.npy", "mine").done()
    assert not (folder / FOLDER).exists()


def test_a_full_disk_costs_a_warning(folder, monkeypatch):
    recorder = Recorder()
    making = Making(Run(folder, recorder, checkpoint_every=0.0), folder, "river_cells.npy", "mine")
    rows = making.rows("cells", TABLE.copy())
    rows.done = 12

    def fail(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    making.checkpoint()
    assert len(recorder.warnings) == 1
    monkeypatch.undo()
    assert resumed(folder)[0] == 7
    making.checkpoint()
    assert resumed(folder)[0] == 12


@pytest.fixture
def begun(tmp_path):
    """A folder in which half of a table and a state were saved."""
    with Run(tmp_path, resume=True, checkpoint_every=0) as run:
        making = Making(run, tmp_path, "river_cells.npy", "mark")
        rows = making.rows("cells", np.arange(40, dtype=np.uint16).reshape(8, 5))
        making.state("rounds", {"found": np.arange(3.0)})
        rows.done = 4
        making.checkpoint()
    return tmp_path


def found(folder, mark="mark"):
    """(rows that are there, their table, whether the state is)"""
    with Run(folder, resume=True, checkpoint_every=0) as run:
        making = Making(run, folder, "river_cells.npy", mark)
        table, state = np.zeros((8, 5), np.uint16), {"found": np.zeros(3)}
        rows = making.rows("cells", table)
        return rows.done, table, making.state("rounds", state)


def test_what_is_damaged_is_made_again(begun):
    files = [path for path in (begun / ".making").rglob("*") if path.is_file()]
    assert len(files) == 4
    for path in files:
        sound = path.read_bytes()
        for at in (0, len(sound) // 2, len(sound) - 2):
            path.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
            done, table, state = found(begun)
            assert (done == 0 and not table.any()) or path.parent.name == "river_cells.rounds"
            assert not state or path.parent.name != "river_cells.rounds"
            path.write_bytes(sound)
    assert found(begun)[::2] == (4, True)


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("at", range(1, 9))
def test_k_means_that_was_cut_off_ends_at_the_same_centres(tmp_path, at, monkeypatch):
    monkeypatch.setattr("errai.abstraction.kmeans._DRAWS", 40)
    points = np.random.default_rng(5).random((3000, 4), np.float32)
    whole = centres(points, None, 150, "l2", seed=2, rounds=6)

    def begin(dies_at):
        steps = []

        def progress(done, of):
            steps.append(done)
            if len(steps) == dies_at:
                raise Killed

        making = Making(Run(tmp_path, checkpoint_every=0.0), tmp_path, "flop_centres.npy", "mine")
        return centres(points, None, 150, "l2", seed=2, rounds=6, progress=progress, making=making), steps

    with pytest.raises(Killed):
        begin(at)
    found, steps = begin(0)
    np.testing.assert_array_equal(found, whole)
    assert len(steps) == 10 - at + 1  # four times forty first centres, six rounds; one step is lost
