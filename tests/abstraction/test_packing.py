"""Abstractions without their large tables: they say the same of every board, and the tables come back bit by bit."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

from errai.abstraction import packed
from errai.abstraction.build import build
from errai.abstraction.features import hands_of
from errai.abstraction.packing import pack_abstraction, restore_tables
from errai.abstraction.saved import (
    MANIFEST,
    STRENGTHS_FILE,
    load_abstraction,
    load_description,
    verify_abstraction,
)
from errai.errors import ErraiError, StoppedError
from errai.files.seal import sealed
from tests.abstraction.games import little_holdem
from tests.abstraction.shipped import BUCKETS, shipped_checksums
from tests.monitors import Recorder, StopAfter

GAME = little_holdem(ranks=4)
OF = hands_of(GAME)
PRESETS = {
    "mixed": "lossless/emd:12/emd:9/ochs:10",
    "lossless": "lossless/lossless/emd:7/ehs:6",
    "potential": "ehs:3/potential:5/potential:5/ehs2:6:kmeans",
    "perfect": "ehs:3:perfect/ehs:3:perfect/ehs:3:perfect/ehs:3:perfect",
}


@pytest.fixture(scope="module", params=PRESETS)
def folders(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    build(GAME, PRESETS[request.param], folder / "full", seed=5, threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "BOARDS", 5)
        pack_abstraction(folder / "full", folder / "small")
    return folder


@pytest.fixture
def mixed(tmp_path):
    build(GAME, PRESETS["mixed"], tmp_path / "full", seed=5, threads=1)
    pack_abstraction(tmp_path / "full", tmp_path / "small")
    return tmp_path


def size_of(folder):
    return sum(path.stat().st_size for path in folder.iterdir())


def test_a_packed_abstraction_says_the_same_of_every_board(folders):
    full, small = load_abstraction(folders / "full"), load_abstraction(folders / "small")
    assert full.has_tables
    assert not small.has_tables
    assert (small.counts, small.name, small.fingerprint) == (full.counts, full.name, full.fingerprint)
    boards = list(combinations(range(OF.deck.size), 5))
    chosen = np.random.default_rng(1).permutation(len(boards))[:60]
    for number in chosen:
        cards = tuple(np.random.default_rng(number).permutation(boards[number]).tolist())
        dealt = ((), cards[:3], cards[3:4], cards[4:])
        for wanted, found in zip(full.buckets(dealt), small.buckets(dealt), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_a_packed_table_is_the_table(folders):
    full, described = load_abstraction(folders / "full"), load_description(folders / "small")
    found = {round_: described.packed_table(round_) for round_ in range(GAME.rounds)}
    assert found[0] is not None  # nothing finds the cells before the first card
    assert found[1] is not None  # nor with two cards to come
    assert found[3] is None
    for round_, table in found.items():
        if table is not None:
            cells = full.rounds[round_].cells
            np.testing.assert_array_equal(table.table(), cells)
            assert table.table().dtype == cells.dtype


def test_tables_are_restored_bit_by_bit(folders, tmp_path):
    restored = restore_tables(folders / "small", tmp_path / "again", threads=1)
    assert restored.has_tables
    wanted, found = verify_abstraction(folders / "full"), verify_abstraction(tmp_path / "again")
    needed = {name for name in wanted if not name.endswith("_centres.npy")}
    assert {name: found[name] for name in needed} == {name: wanted[name] for name in needed}
    assert not (tmp_path / "again" / STRENGTHS_FILE).exists()
    recorder = Recorder()
    build(GAME, restored.name, tmp_path / "again", seed=5, monitor=recorder)
    assert recorder.reports == []
    pack_abstraction(tmp_path / "again", tmp_path / "small")
    assert verify_abstraction(tmp_path / "small") == verify_abstraction(folders / "small")
    assert load_abstraction(tmp_path / "small").fingerprint == load_abstraction(folders / "small").fingerprint


def test_what_only_building_needs_is_gone(mixed):
    assert not (mixed / "full" / STRENGTHS_FILE).exists()
    assert STRENGTHS_FILE not in json.loads((mixed / "full" / MANIFEST).read_text())["parts"]
    assert sorted(path.name for path in (mixed / "small").iterdir()) == [
        "abstraction.json", "flop_boards.npy", "flop_cells.blocks", "opponent_clusters.npy", "preflop_boards.npy",
        "preflop_cells.blocks", "river_centres.npy", "turn_centres.npy",
    ]  # fmt: skip
    assert size_of(mixed / "small") < size_of(mixed / "full") / 5


def test_restoring_is_resumed_where_it_was_stopped(mixed):
    with pytest.raises(StoppedError, match="kept"):
        restore_tables(mixed / "small", mixed / "again", threads=1, monitor=StopAfter(5))
    with pytest.raises(ErraiError, match="not finished"):
        load_abstraction(mixed / "again")
    recorder = Recorder()
    restore_tables(mixed / "small", mixed / "again", threads=2, monitor=recorder)
    told = [str(progress) for progress in recorder.reports]
    assert not any(words.startswith("flop cells") for words in told)
    assert any(words.startswith("river cells") for words in told)


def test_without_tables_nothing_is_trained_or_packed(mixed):
    small = load_abstraction(mixed / "small")
    with pytest.raises(ErraiError, match="without their tables"):
        _ = small.rounds[3].cells
    with pytest.raises(ErraiError, match="packed already"):
        pack_abstraction(mixed / "small", mixed / "smaller")
    with pytest.raises(ErraiError, match="has all its tables"):
        restore_tables(mixed / "full", mixed / "again")


def test_only_a_packed_abstraction_is_replaced(mixed, tmp_path):
    with pytest.raises(ErraiError, match="holds something else"):
        pack_abstraction(mixed / "full", mixed / "full")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(ErraiError, match="holds something else"):
        pack_abstraction(mixed / "full", tmp_path / "mine")
    before = verify_abstraction(mixed / "small")
    pack_abstraction(mixed / "full", mixed / "small")
    assert verify_abstraction(mixed / "small") == before


def test_a_damaged_packed_table_is_named(mixed):
    path = mixed / "small" / "flop_cells.blocks"
    content = bytearray(path.read_bytes())
    content[60] ^= 1
    path.write_bytes(content)
    with pytest.raises(ErraiError, match=r"flop_cells\.blocks is damaged in block 0"):
        verify_abstraction(mixed / "small")
    with pytest.raises(ErraiError, match=r"flop_cells\.blocks is damaged in block 0"):
        load_abstraction(mixed / "small").buckets(((), (0, 5, 9)))
    path.write_bytes((mixed / "small" / "preflop_cells.blocks").read_bytes())
    with pytest.raises(ErraiError, match=r"flop_cells\.blocks is not the file"):
        verify_abstraction(mixed / "small")


def test_tables_that_come_out_otherwise_are_refused(mixed):
    path = mixed / "small" / MANIFEST
    content = json.loads(path.read_text())
    content["packed"]["tables"]["turn_cells.npy"]["crc32"] ^= 1
    path.write_text(json.dumps(sealed(content)))
    with pytest.raises(ErraiError, match=r"turn_cells\.npy is not the table that"):
        restore_tables(mixed / "small", mixed / "again", threads=1)


def test_an_older_folder_without_boards_is_read_and_completed(mixed):
    path = mixed / "full" / MANIFEST
    content = json.loads(path.read_text())
    for name in [name for name in content["parts"] if name.endswith("_boards.npy")]:
        del content["parts"][name]
        (mixed / "full" / name).unlink()
    path.write_text(json.dumps(sealed(content)))
    wanted = load_abstraction(mixed / "small").buckets(((), (0, 5, 9), (3,), (7,)))
    for found, expected in zip(
        load_abstraction(mixed / "full").buckets(((), (0, 5, 9), (3,), (7,))), wanted, strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    build(GAME, PRESETS["mixed"], mixed / "full", seed=5)
    assert (mixed / "full" / "river_boards.npy").exists()


def test_the_shipped_strategys_buckets_are_the_same_on_every_cpu():
    assert shipped_checksums() == BUCKETS
