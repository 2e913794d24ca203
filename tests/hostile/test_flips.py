"""Damaged and crafted files, at a small scale: nothing but lines that name them."""

from tests.hostile import crafted, flips


def test_damage_is_named_or_without_effect():
    rows = flips.run(0.03, 1)
    assert [failure for row in rows for failure in row.failures] == []


def test_files_that_mean_harm_are_refused_in_one_line():
    rows = crafted.run(0.1, 3)
    assert [failure for row in rows for failure in row.failures] == []
