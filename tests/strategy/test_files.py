"""A saved strategy is worth exactly what it was, and a damaged one says so."""

import csv
import json

import numpy as np
import pytest

import errai
from errai.cli.main import run
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.files import manifest
from errai.files.seal import sealed
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game
from errai.strategy import export
from errai.strategy.export import export_csv, export_json, row_count, rows
from errai.strategy.files import about, open_strategy
from errai.strategy.kinds.exact import ExactStrategy
from tests import naive

LEDUC = load_game("leduc")


def solved(where: Spot, **settings) -> ExactStrategy:
    solver = prepare(where, Settings(**{"iterations": 30, "threads": 1, **settings}))
    solver.run()
    return ExactStrategy(solver.layout, solver.weights())


def leduc_spot() -> Spot:
    ranges = np.random.default_rng(11).random((2, 6))
    return spot(LEDUC, "3c", "rrc", (ranges[0], ranges[1]))


def leduc_with_ranges() -> Spot:
    return Spot(whole_game(LEDUC).state, (np.arange(6.0), np.ones(6)))


@pytest.fixture(scope="module")
def leduc() -> ExactStrategy:
    return solved(whole_game(LEDUC))


@pytest.fixture
def folder(tmp_path, leduc):
    leduc.save(tmp_path / "leduc", {"method": "dcfr"})
    return tmp_path / "leduc"


@pytest.mark.parametrize(
    ("where", "settings"),
    [
        (whole_game(LEDUC), {}),
        (whole_game(LEDUC), {"precision": "float64"}),
        (whole_game(LEDUC), {"precision": "int16"}),
        (whole_game(LEDUC), {"strategy": "current"}),
        (whole_game(LEDUC), {"strategy": "current", "method": "pcfr+"}),
        (whole_game(LEDUC), {"isomorphism": False}),
        (leduc_spot(), {}),
        (leduc_with_ranges(), {}),
        (whole_game(load_game("kuhn")), {}),
    ],
)
def test_a_loaded_strategy_is_worth_exactly_what_was_saved(tmp_path, where, settings):
    saved = solved(where, **settings)
    saved.save(tmp_path, {})
    loaded = open_strategy(tmp_path)
    assert loaded.weights.dtype == saved.weights.dtype
    assert loaded.evaluate() == saved.evaluate()
    assert loaded.spot.game == where.game
    assert loaded.spot.game.name == where.game.name
    np.testing.assert_array_equal(loaded.spot.ranges, where.ranges)
    question = loaded.decision(), saved.decision()
    np.testing.assert_array_equal(question[0].probabilities, question[1].probabilities)


def test_a_strategy_keeps_what_is_known_about_it(tmp_path, leduc):
    known = {"method": "cfr+", "iterations": 30, "exploitability_mbb": 0.1 + 0.2}
    leduc.save(tmp_path, known)
    assert about(tmp_path) == known


def test_weights_stay_on_the_disk_and_the_file_is_never_changed(folder):
    before = (folder / "strategy.npy").read_bytes()
    loaded = open_strategy(folder)
    assert isinstance(loaded.weights.base, np.memmap)
    loaded.weights[:] = 0
    assert (folder / "strategy.npy").read_bytes() == before


def test_a_new_strategy_replaces_the_old_one(folder):
    newer = solved(leduc_spot())
    newer.save(folder, {})
    assert open_strategy(folder).evaluate() == newer.evaluate()
    assert sorted(path.name for path in folder.iterdir()) == ["ranges.npy", "strategy.json", "strategy.npy"]


def test_a_failed_save_leaves_the_old_strategy(folder, leduc, monkeypatch):
    def fail(path, content):
        path.write_text("{")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(manifest, "write_json", fail)
    with pytest.raises(ErraiError, match=r"cannot write .*: no space left on device; free some"):
        solved(leduc_spot()).save(folder, {})
    assert open_strategy(folder).evaluate() == leduc.evaluate()
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def edit(path, **changes):
    content = json.loads(path.read_text())
    content.update(changes)
    path.write_text(json.dumps(manifest.sealed(content)))


DAMAGES = {
    "no strategy.json": (
        lambda f: (f / "strategy.json").unlink(),
        "is not a saved strategy: it has no strategy",
    ),
    "not JSON": (lambda f: (f / "strategy.json").write_text("{"), "strategy.json is damaged: it is not JSON"),
    "not text": (lambda f: (f / "strategy.json").write_bytes(b"\xff\xfe"), "strategy.json is damaged"),
    "a list": (lambda f: (f / "strategy.json").write_text("[]"), "is not the manifest of a saved strategy"),
    "another format": (
        lambda f: edit(f / "strategy.json", format="x"),
        "is not the manifest of a saved strategy",
    ),
    "a later version": (
        lambda f: edit(f / "strategy.json", version=4),
        "format version 4 and this Errai reads version 1 and 2 and 3",
    ),
    "another number": (
        lambda f: (f / "strategy.json").write_text((f / "strategy.json").read_text().replace("dcfr", "cfr+")),
        "strategy.json is damaged: its checksum is",
    ),
    "another kind": (
        lambda f: edit(f / "strategy.json", kind="poem"),
        "unknown kind of strategy 'poem': this Errai opens exact, subgames, buckets",
    ),
    "no spot": (
        lambda f: edit(f / "strategy.json", spot={}),
        "strategy.json is damaged: 'ranges' is missing",
    ),
    "a wrong spot": (lambda f: edit(f / "strategy.json", spot=7), "strategy.json is damaged"),
    "a wrong precision": (lambda f: edit(f / "strategy.json", precision="x"), "strategy.json is damaged"),
    "another order": (lambda f: edit(f / "strategy.json", layout={}), "saved with another order of hands"),
    "another type": (
        lambda f: edit(f / "strategy.json", precision="int16"),
        "it holds 672 numbers of type float32",
    ),
    "no weights": (lambda f: (f / "strategy.npy").unlink(), "strategy.npy is missing"),
    "no header": (lambda f: (f / "strategy.npy").write_bytes(b"x" * 999), "does not begin like an .npy file"),
    "empty": (lambda f: (f / "strategy.npy").write_bytes(b""), "does not begin like an .npy file"),
    "cut off": (
        lambda f: (f / "strategy.npy").write_bytes((f / "strategy.npy").read_bytes()[:-1]),
        "strategy.npy is damaged: it has 2,815 bytes and not 2,816",
    ),
    "too long": (
        lambda f: (f / "strategy.npy").write_bytes((f / "strategy.npy").read_bytes() + b"x"),
        "strategy.npy is damaged: it has 2,817 bytes and not 2,816",
    ),
    "other numbers": (
        lambda f: np.save(f / "strategy.npy", np.zeros(671, np.float32)),
        "it holds 671 numbers of type float32 and not 672",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_strategy_says_which_file_and_how(folder, damage):
    harm, message = DAMAGES[damage]
    harm(folder)
    with pytest.raises(ErraiError, match=r"^[^\n]*$") as caught:
        open_strategy(folder)
    assert message in str(caught.value)


def test_a_folder_that_is_not_there_is_no_strategy(tmp_path):
    with pytest.raises(ErraiError, match="is not a saved strategy: there is no such folder"):
        open_strategy(tmp_path / "nowhere")


def test_damaged_ranges_are_noticed(tmp_path):
    solved(leduc_spot()).save(tmp_path, {})
    content = bytearray((tmp_path / "ranges.npy").read_bytes())
    content[-1] ^= 1
    (tmp_path / "ranges.npy").write_bytes(content)
    with pytest.raises(ErraiError, match=r"ranges.npy is damaged: its checksum"):
        open_strategy(tmp_path)


def test_a_file_in_the_way_is_named(tmp_path, leduc):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ErraiError, match=r"cannot write .*taken"):
        leduc.save(tmp_path / "taken", {})
    with pytest.raises(ErraiError, match=r"cannot write .*below: not a directory"):
        leduc.save(tmp_path / "taken" / "below", {})


def test_a_folder_that_may_not_be_written_to_is_named(tmp_path, leduc, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(ErraiError, match="permission denied; choose a place that you may write to"):
        leduc.save(tmp_path, {})


# Tables


def test_a_table_has_every_information_set_once(leduc):
    table = list(rows(leduc))
    assert len({row.key for row in table}) == len(table) == row_count(leduc)
    deck = leduc.spot.deck
    known = set(naive.information_sets(LEDUC))
    for row in table:
        board = ((), deck.parse(row.board)) if row.board else ((),)
        assert (row.seat, deck.parse(row.hand), board, row.betting) in known
    # Of the six boards the three of one suit are listed, and the first round has no board.
    first = sum(board == ((),) for _, _, board, _ in known)
    assert len(table) == first + (len(known) - first) // 2


def test_without_isomorphism_a_table_lists_all_boards():
    table = list(rows(solved(whole_game(LEDUC), iterations=1, isomorphism=False)))
    assert len(table) == len(naive.information_sets(LEDUC))


def test_a_csv_says_what_the_strategy_says(leduc, tmp_path):
    export_csv(leduc, tmp_path / "leduc.csv")
    with (tmp_path / "leduc.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == row_count(leduc)
    for line in table:
        chances = {name[0]: float(line[name]) for name in ("fold", "call", "raise") if line[name]}
        assert chances == leduc.probabilities(line["hand"], line["betting"], line["board"])
        assert sum(chances.values()) == pytest.approx(1, abs=1e-12)


def test_a_json_table_is_keyed_by_information_set(leduc, tmp_path):
    export_json(leduc, tmp_path / "leduc.json")
    content = json.loads((tmp_path / "leduc.json").read_text())
    assert content["game"] == "leduc"
    assert len(content["information_sets"]) == row_count(leduc)
    assert content["information_sets"]["0:cr:4d|"] == leduc.probabilities("4d", "cr")
    assert content["information_sets"]["0:cc/cr:4d|2c"] == leduc.probabilities("4d", "cc/cr", "2c")


def test_the_table_of_a_spot_tells_the_whole_hand():
    where = leduc_spot()
    strategy = solved(where)
    table = {row.key: row.probabilities for row in rows(strategy)}
    assert table["1:rrc/r:2d|3c"] == strategy.probabilities("2d", "r")


def test_a_large_game_is_not_made_into_a_table(leduc, tmp_path, monkeypatch):
    monkeypatch.setattr(export, "MOST_ROWS", 100)
    with pytest.raises(ErraiError, match=r"leduc is a table of 486 rows, .* at most 100 are written"):
        export_csv(leduc, tmp_path / "leduc.csv")
    assert not list(tmp_path.iterdir())


def test_a_manifest_that_lacks_what_it_should_say_is_damage(tmp_path, capsys):
    errai.solve("kuhn", iterations=5, threads=1, out=tmp_path)
    path = tmp_path / "strategy.json"
    content = json.loads(path.read_text())
    del content["about"]["seconds"]
    path.write_text(json.dumps(sealed(content)))
    assert run(["strategy", "info", str(tmp_path)]) == 2
    assert "strategy.json is damaged: 'seconds' is missing" in capsys.readouterr().err
