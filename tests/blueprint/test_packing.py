"""From weights to bytes, to files and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.blueprint.packing import context_rows, load_frame, save_frame, to_bytes
from errai.strategy.blueprint import open_blueprint
from errai.strategy.quantised import quantised_round
from tests.blueprint.games import exact_frame, few_frame, random_weights

HOW = {"algorithm": "random", "iterations": 1, "seconds": 1.0, "command": "none", "strategy": "average"}


@given(seed=st.integers(0, 1 << 30), power=st.sampled_from([1, 4, 20]), threads=st.sampled_from([1, 3]))
@settings(max_examples=15, deadline=None)
def test_the_kernel_quantises_as_numpy_does(seed, power, threads):
    made = few_frame()
    generator = np.random.default_rng(seed)
    weights = (generator.normal(size=len(random_weights(made))) ** power * 100).astype(np.float32)
    found = to_bytes(made, weights, threads)
    for round_, template in enumerate(made.templates):
        for context in range(made.contexts[round_] * (made.lines if round_ else 1)):
            wanted = quantised_round(template, context_rows(made, weights, round_, context))
            np.testing.assert_array_equal(context_rows(made, found, round_, context), wanted)


@pytest.mark.parametrize("made", [exact_frame, few_frame], ids=["lossless", "seven buckets"])
def test_a_saved_strategy_comes_back(made, tmp_path):
    shares = to_bytes(made(), random_weights(made()), 2)
    save_frame(tmp_path, made(), shares, HOW, None)
    opened = open_blueprint(tmp_path, made().abstraction)
    again, found = load_frame(opened)
    assert again.contexts == made().contexts
    np.testing.assert_array_equal(found[: made().numbers], shares[: made().numbers])
    # What is asked at a decision is what was put in.
    for round_ in range(4):
        for context in (0, opened.tree.contexts[round_] - 1):
            rows = context_rows(made(), shares, round_, context)
            np.testing.assert_array_equal(opened.context_rows(round_, context), rows)
