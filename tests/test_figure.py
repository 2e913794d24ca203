"""Pictures: the right kind of file, and nothing half-written."""

import pytest

from errai.errors import ErraiError
from errai.figure import TierMark, draw_cross_table, draw_grid, draw_tiers

CELLS = {"AA": {"r": 1.0, "c": 0.0, "f": 0.0}, "AKs": {"r": 0.25, "c": 0.5, "f": 0.25}}
NAMES = {"f": "fold", "c": "call", "r": "raise"}


def test_a_grid_is_drawn_with_every_hand_and_its_numbers(tmp_path):
    path = tmp_path / "grid.svg"
    draw_grid(path, "a spot", CELLS, NAMES)
    drawn = path.read_text()
    for text in ("a spot", "AA", "72o", "100/0", "25/50", "raise", "not in the range"):
        assert f"<!-- {text} -->" in drawn
    assert [entry.name for entry in tmp_path.iterdir()] == ["grid.svg"]


def test_a_grid_is_drawn_as_a_png(tmp_path):
    draw_grid(tmp_path / "grid.png", "a spot", CELLS, NAMES)
    assert (tmp_path / "grid.png").read_bytes().startswith(b"\x89PNG")


def test_a_name_that_is_no_picture_is_refused(tmp_path):
    with pytest.raises(ErraiError, match="its name must end in"):
        draw_grid(tmp_path / "grid.doc", "a spot", CELLS, NAMES)
    assert not list(tmp_path.iterdir())


def test_a_cross_table_tells_wins_from_what_may_be_luck(tmp_path):
    path = tmp_path / "cross.svg"
    cells = [["", "+40\n± 9", "+3\n± 9"], ["-40\n± 9", "", ""], ["-3\n± 9", "", ""]]
    draw_cross_table(
        path, "three players", ["one", "two", "three"], cells, [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]
    )
    drawn = path.read_text()
    for text in ("three players", "one", "+40", "wins", "loses", "the 95% interval holds zero"):
        assert f"<!-- {text} -->" in drawn
    # One cell won, one lost, two that may be luck; and each colour once more in the key.
    colours = [drawn.count(f"fill: {colour}") for colour in ("#a9cdb6", "#a9c3dc", "#ececec")]
    assert colours == [2, 2, 3]


def test_tiers_are_drawn_with_their_players(tmp_path):
    path = tmp_path / "tiers.svg"
    draw_tiers(path, "what they won", [TierMark(3, -20.0, -10.0, 5.0), TierMark(1, 30.0, 12.0, 5.0)])
    drawn = path.read_text()
    for text in ("tier 1", "3 players", "1 player", "in Test, with 95% intervals"):
        assert f"<!-- {text} -->" in drawn
