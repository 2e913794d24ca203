"""A few kills of everything; `python -m tests.hostile kills` has many."""

from tests.hostile.kills import run


def test_what_is_killed_loses_nothing_that_was_saved():
    rows = run(scale=0.1, seed=1)
    assert [failure for row in rows for failure in row.failures] == []
    assert all(row.times > 0 for row in rows)
