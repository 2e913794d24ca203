"""The same bits on every CPU."""

from __future__ import annotations

import pytest

from tests.kernels.signatures import QUICK, WHOLE, as_on, runnable, signatures


def test_a_plain_cpu_computes_the_same_bits():
    assert as_on("generic", QUICK) == signatures(QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", runnable())
def test_every_cpu_that_this_one_can_stand_for_computes_the_same_bits(cpu):
    assert as_on(cpu, WHOLE) == signatures(WHOLE)
