"""A solver that was saved and loaded goes on as if it had never stopped."""

import json
from dataclasses import replace

import numpy as np
import pytest

from errai.engine import checkpoint
from errai.engine.checkpoint import has_checkpoint, load_checkpoint, save_checkpoint
from errai.engine.settings import Settings
from errai.engine.solver import Solver, prepare
from errai.errors import ErraiError
from errai.files.seal import sealed
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game
from errai.runs.run import Run
from tests.monitors import StopWhen

LEDUC = load_game("leduc")


def run(where: Spot | None = None, **settings) -> Solver:
    solver = prepare(where or whole_game(LEDUC), Settings(**{"iterations": 30, "threads": 1, **settings}))
    solver.run()
    return solver


def leduc_spot() -> Spot:
    ranges = np.random.default_rng(3).random((2, 6))
    return spot(LEDUC, "4d", "crc", (ranges[0], ranges[1]))


def assert_same_store(one: Solver, other: Solver) -> None:
    assert one.iteration == other.iteration
    mine, theirs = one.store.arrays(), other.store.arrays()
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        assert array.dtype == theirs[name].dtype
        assert array.tobytes() == theirs[name].tobytes(), name


@pytest.fixture
def folder(tmp_path):
    save_checkpoint(tmp_path, run())
    return tmp_path


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "cfr+"},
        {"method": "cfr+", "delay": 40},
        {"method": "dcfr"},
        {"method": "pcfr+"},
        {"method": "pdcfr+", "precision": "float64"},
        {"method": "dcfr", "precision": "int16"},
        {"method": "cfr+", "precision": "int16"},
        {"method": "dcfr", "precision": "int16", "strategy": "current"},
        {"method": "linear", "isomorphism": False},
    ],
    ids=str,
)
def test_thirty_iterations_and_thirty_more_are_sixty(tmp_path, settings):
    save_checkpoint(tmp_path, run(**settings))
    resumed = load_checkpoint(tmp_path, iterations=30)
    resumed.run()
    straight = run(**settings, iterations=60)
    assert_same_store(resumed, straight)
    assert resumed.evaluation == straight.evaluation


def test_a_planned_schedule_goes_on_as_planned(tmp_path):
    half = prepare(whole_game(LEDUC), Settings(method="hs-dcfr", iterations=60, threads=1))
    half.run(Run(monitor=StopWhen(lambda: half.iteration >= 10)))
    assert 10 <= half.iteration < 60
    save_checkpoint(tmp_path, half)
    resumed = load_checkpoint(tmp_path)
    resumed.run()
    assert_same_store(resumed, run(method="hs-dcfr", iterations=60))
    assert load_checkpoint(tmp_path, iterations=60 - half.iteration).settings == half.settings
    with pytest.raises(
        ErraiError, match="hs-dcfr has planned its schedule for 60 iterations; resume it for the"
    ):
        load_checkpoint(tmp_path, iterations=60)


def test_a_spot_with_ranges_goes_on_with_the_same_ranges(tmp_path):
    save_checkpoint(tmp_path, run(leduc_spot()))
    resumed = load_checkpoint(tmp_path, iterations=30)
    np.testing.assert_array_equal(resumed.spot.ranges, leduc_spot().ranges)
    resumed.run()
    assert_same_store(resumed, run(leduc_spot(), iterations=60))


def test_a_solver_comes_back_with_all_it_knew(tmp_path):
    solver = run(target=5, iterations=None)
    save_checkpoint(tmp_path, solver)
    loaded = load_checkpoint(tmp_path)
    assert_same_store(loaded, solver)
    assert loaded.settings == solver.settings
    assert loaded.seconds == solver.seconds
    assert loaded.history == solver.history
    assert loaded.evaluation == solver.evaluation
    assert loaded.converged
    assert loaded.run()
    assert loaded.iteration == solver.iteration


def test_only_limits_and_threads_can_be_changed(folder):
    loaded = load_checkpoint(folder, iterations=None, target=2.0, seconds=9.0, threads=2)
    seconds = loaded.seconds + 9.0
    assert loaded.settings == replace(Settings(), iterations=None, target=2.0, seconds=seconds, threads=2)
    with pytest.raises(ErraiError, match="precision of a checkpoint cannot be changed; iterations, target"):
        load_checkpoint(folder, precision="int16")
    with pytest.raises(ErraiError, match="iterations must be a whole number above 0"):
        load_checkpoint(folder, iterations=-1)


def test_a_new_checkpoint_replaces_the_old_one(folder):
    newer = run(leduc_spot(), iterations=12)
    save_checkpoint(folder, newer)
    assert_same_store(load_checkpoint(folder), newer)
    assert [path.name for path in folder.iterdir()] == ["checkpoint"]


def test_the_old_checkpoint_stays_when_a_new_one_fails(folder, monkeypatch):
    old = load_checkpoint(folder)

    def fail(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "write_json", fail)
    with pytest.raises(ErraiError, match=r"cannot write .*checkpoint: no space left on device"):
        save_checkpoint(folder, run(iterations=7))
    assert_same_store(load_checkpoint(folder), old)
    assert [path.name for path in folder.iterdir()] == ["checkpoint"]


def test_the_old_checkpoint_is_found_when_the_power_failed_between_two_renames(folder):
    old = load_checkpoint(folder)
    (folder / "checkpoint").rename(folder / ".old.checkpoint")
    assert has_checkpoint(folder)
    assert_same_store(load_checkpoint(folder), old)
    save_checkpoint(folder, old)
    assert [path.name for path in folder.iterdir()] == ["checkpoint"]


def test_a_full_disk_is_noticed_before_writing(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 1000}))
    with pytest.raises(ErraiError, match=r"no room in .*: 1.1 MB are needed and 0.0 MB are free"):
        save_checkpoint(tmp_path, run(iterations=1))
    assert not list(tmp_path.iterdir())


def edit(path, **changes):
    content = json.loads(path.read_text())
    content.update(changes)
    path.write_text(json.dumps(sealed(content)))


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[-3] ^= 4
    path.write_bytes(content)


DAMAGES = {
    "nothing there": (lambda f: (f / "checkpoint.json").unlink(), "there is no checkpoint in it"),
    "not JSON": (
        lambda f: (f / "checkpoint.json").write_text('{"format'),
        "checkpoint.json is damaged: it is not",
    ),
    "a later version": (lambda f: edit(f / "checkpoint.json", version=9), "format version 9"),
    "a strategy": (
        lambda f: edit(f / "checkpoint.json", format="errai strategy"),
        "not the manifest of a saved c",
    ),
    "no arrays": (
        lambda f: edit(f / "checkpoint.json", arrays={}),
        "checkpoint.json is damaged: it has the arrays",
    ),
    "no iteration": (lambda f: edit(f / "checkpoint.json", iteration=None), "checkpoint.json is damaged"),
    "wrong settings": (
        lambda f: edit(f / "checkpoint.json", settings={"x": 1}),
        "its settings are not those of this",
    ),
    "another order": (lambda f: edit(f / "checkpoint.json", layout={}), "saved with another order of hands"),
    "a missing array": (lambda f: (f / "average.npy").unlink(), "average.npy is missing"),
    "a flipped bit": (lambda f: flip_a_bit(f / "regret.npy"), "regret.npy is damaged: its checksum is"),
    "cut off": (
        lambda f: (f / "regret.npy").write_bytes((f / "regret.npy").read_bytes()[:-8]),
        "regret.npy is damaged: it has 2,808 bytes and not 2,816",
    ),
    "another type": (
        lambda f: np.save(f / "regret.npy", np.zeros(672)),
        "regret.npy is damaged: it holds 672 numbers of type float64 and not 672 numbers of type float32",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_says_which_file_and_how(folder, damage):
    harm, message = DAMAGES[damage]
    harm(folder / "checkpoint")
    with pytest.raises(ErraiError, match=r"^[^\n]*$") as caught:
        load_checkpoint(folder)
    assert message in str(caught.value)


def test_a_folder_without_a_checkpoint_is_named(tmp_path):
    assert not has_checkpoint(tmp_path)
    with pytest.raises(ErraiError, match="there is no such folder"):
        load_checkpoint(tmp_path / "nowhere")
