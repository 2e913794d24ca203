"""The fuzzers at a small scale."""

from tests.hostile.fuzz import run


def test_nonsense_costs_one_line():
    rows = run(scale=0.004, seed=1)
    assert [failure for row in rows for failure in row.failures] == []
    assert sum(row.times for row in rows) > 700
