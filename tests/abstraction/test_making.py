"""A part in the making goes on where it was, and from the beginning if what was saved of it is damaged."""

import numpy as np
import pytest

from errai.abstraction.making import Making
from errai.runs.run import Run


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


def test_what_was_saved_is_there_again(begun):
    done, table, state = found(begun)
    assert (done, state) == (4, True)
    np.testing.assert_array_equal(table[:4].reshape(-1), np.arange(20))
    assert not table[4:].any()


def test_nothing_is_taken_from_another_abstraction(begun):
    assert found(begun, "other")[::2] == (0, False)


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
