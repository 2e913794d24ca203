"""Two writers and two readers for a few seconds; `python -m tests.hostile writers` takes a minute."""

from tests.hostile.writers import run


def test_readers_see_the_one_solution_or_the_other():
    rows = run(scale=0.05, seed=1)
    assert [failure for row in rows for failure in row.failures] == []
    assert all(row.times > 0 for row in rows)
