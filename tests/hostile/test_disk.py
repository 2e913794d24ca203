"""Some writes that fail in every command; `python -m tests.hostile disk` has all of them."""

from tests.hostile.disk import run


def test_a_full_disk_costs_neither_the_old_solution_nor_the_new_one():
    rows = run(scale=0.1, seed=1)
    assert [failure for row in rows for failure in row.failures] == []
    assert all(row.times > 1 for row in rows)
