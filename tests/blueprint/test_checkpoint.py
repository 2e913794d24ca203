"""A training that was stopped ends as if nothing had happened; damaged and foreign checkpoints are named."""

import json

import numpy as np
import pytest

from errai.blueprint.checkpoint import has_training, load_training, save_training, tables_of
from errai.errors import ErraiError
from errai.files.seal import sealed
from tests.blueprint.games import exact_layout, few_layout, trained


@pytest.fixture
def folder(tmp_path):
    save_training(tmp_path, trained(few_layout(), "linear-br", 30, seed=3))
    return tmp_path


@pytest.mark.parametrize("method", ["linear", "linear-br"])
@pytest.mark.parametrize("stop", [30, 37])
def test_stopped_and_resumed_is_the_same_bit_for_bit(tmp_path, method, stop):
    whole = trained(few_layout(), method, 60, seed=3)
    save_training(tmp_path, trained(few_layout(), method, stop, seed=3))
    resumed = load_training(tmp_path, few_layout().abstraction, samples=60 - stop)
    assert (resumed.samples, resumed.plan.method, resumed.plan.seed) == (stop, method, 3)
    assert resumed.run()
    np.testing.assert_array_equal(resumed.regret, whole.regret)
    np.testing.assert_array_equal(resumed.average, whole.average)
    if whole.opponent_regret is not None:
        np.testing.assert_array_equal(resumed.opponent_regret, whole.opponent_regret)


def test_what_was_cut_off_leaves_the_older_checkpoint(folder, monkeypatch):
    def fail(*anything):
        raise KeyboardInterrupt

    monkeypatch.setattr("errai.blueprint.checkpoint.write_json", fail)
    with pytest.raises(KeyboardInterrupt):
        save_training(folder, trained(few_layout(), "linear-br", 50))
    assert load_training(folder, few_layout().abstraction).samples == 30
    # A power cut between the two renames leaves the old folder under another name.
    (folder / "checkpoint").rename(folder / ".old.checkpoint")
    assert has_training(folder)
    assert load_training(folder, few_layout().abstraction).samples == 30


def test_damage_is_named(folder):
    path = folder / "checkpoint" / "rival.npy"
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    with pytest.raises(ErraiError, match=r"rival.npy is damaged"):
        load_training(folder, few_layout().abstraction)
    path.unlink()
    with pytest.raises(ErraiError, match=r"rival.npy is missing"):
        load_training(folder, few_layout().abstraction)


def test_a_damaged_manifest_is_named(folder):
    manifest = folder / "checkpoint" / "checkpoint.json"
    content = json.loads(manifest.read_text())
    del content["samples"]
    manifest.write_text(json.dumps(sealed(content)))
    with pytest.raises(ErraiError, match=r"checkpoint.json is damaged: 'samples' is missing"):
        load_training(folder, few_layout().abstraction)


def test_other_buckets_and_other_folders_are_refused(folder, tmp_path):
    with pytest.raises(ErraiError, match="was trained on other buckets, few: 7/7/7/7"):
        load_training(folder, exact_layout().abstraction)
    assert tables_of(folder) is None
    with pytest.raises(ErraiError, match="does not say where its buckets are"):
        load_training(folder)
    with pytest.raises(ErraiError, match=r"no training to resume .* there is no such folder"):
        load_training(tmp_path / "nowhere")
