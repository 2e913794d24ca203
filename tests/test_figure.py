"""Pictures: the right kind of file, and nothing half-written."""

import pytest

from errai.errors import ErraiError
from errai.figure import draw_grid

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
