"""Regret matching and its updates, number by number."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.engine.kernels import matching
from tests.engine import kernel_twins as twins

few = settings(max_examples=40, deadline=None, derandomize=True)
DTYPES = ["float32", "float64"]
TOLERANCE = {"float32": 1e-5, "float64": 1e-12}


@st.composite
def segments(draw, rows, dtypes=DTYPES):
    """`rows` arrays of one length with positive, negative and exactly zero numbers."""
    n = draw(st.integers(1, 70))
    dtype = draw(st.sampled_from(dtypes))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    numbers = generator.normal(0, 10 ** generator.uniform(-3, 3), (rows, n))
    numbers[generator.random((rows, n)) < 0.3] = 0
    return numbers.astype(dtype)


def weights_of(generator, actions, n, dtype):
    """Weights as a store holds them, large and tiny; in some columns none is positive."""
    numbers = generator.normal(0, 1000, (actions, n))
    if dtype == "int8":
        numbers = np.clip(numbers / 20, -127, 127)
    elif dtype != "int16":
        numbers *= 10.0 ** generator.integers(-33, 30, n)
    numbers[generator.random((actions, n)) < 0.25] = 0
    numbers = np.where(generator.random(n) < 0.2, -np.abs(numbers), numbers)
    return numbers.astype(dtype)


@pytest.mark.parametrize("actions", [2, 3])
@pytest.mark.parametrize(
    ("weight", "number"), [("float32",) * 2, ("float64",) * 2, ("int16", "float64"), ("int8", "float64")]
)
@few
@given(n=st.integers(1, 70), seed=st.integers(0, 2**32 - 1))
def test_reach_is_split_in_proportion_to_positive_weights(actions, weight, number, n, seed):
    generator = np.random.default_rng(seed)
    weights = weights_of(generator, actions, n, weight)
    reach = generator.random(n).astype(number)
    out = np.full((actions, n), np.nan, number)
    (matching.split2 if actions == 2 else matching.split3)(*weights, reach, *out)
    np.testing.assert_allclose(out, twins.split(weights, reach), rtol=0, atol=2 * np.finfo(number).eps)


@pytest.mark.parametrize("actions", [2, 3])
@pytest.mark.parametrize(
    ("weight", "number"), [("float32",) * 2, ("float64",) * 2, ("int16", "float64"), ("int8", "float64")]
)
@few
@given(n=st.integers(1, 70), seed=st.integers(0, 2**32 - 1))
def test_a_value_is_the_mean_under_the_matched_strategy(actions, weight, number, n, seed):
    generator = np.random.default_rng(seed)
    weights = weights_of(generator, actions, n, weight)
    values = generator.normal(0, 10, (actions, n)).astype(number)
    out = np.full(n, np.nan, number)
    (matching.mix2 if actions == 2 else matching.mix3)(*weights, *values, out)
    np.testing.assert_allclose(out, twins.mix(weights, values), rtol=0, atol=50 * np.finfo(number).eps * 10)


@pytest.mark.parametrize("actions", [2, 3])
@pytest.mark.parametrize(
    ("weight", "number"), [("float32",) * 2, ("float64",) * 2, ("int16", "float32"), ("int8", "float32")]
)
@few
@given(n=st.integers(1, 70), seed=st.integers(0, 2**32 - 1), sharpness=st.floats(1, 8))
def test_a_sharpened_strategy_prefers_what_regret_matching_prefers(
    actions, weight, number, n, seed, sharpness
):
    generator = np.random.default_rng(seed)
    weights = weights_of(generator, actions, n, weight)
    plain = twins.split(weights, np.ones(n))
    wanted = plain * (1 + (sharpness - 1) * plain)
    wanted /= wanted.sum(axis=0)
    reach, values = generator.random(n).astype(number), generator.normal(0, 10, (actions, n)).astype(number)
    out, mean = np.full((actions, n), np.nan, number), np.full(n, np.nan, number)
    q = np.dtype(number).type(sharpness)
    (matching.sharp_split2 if actions == 2 else matching.sharp_split3)(*weights, q, reach, *out)
    (matching.sharp_mix2 if actions == 2 else matching.sharp_mix3)(*weights, q, *values, mean)
    close = 100 * np.finfo(number).eps
    np.testing.assert_allclose(out, wanted * reach, rtol=0, atol=close)
    np.testing.assert_allclose(mean, (wanted * values).sum(axis=0), rtol=0, atol=100 * close)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("actions", [2, 3])
@few
@given(seed=st.integers(0, 2**32 - 1))
def test_a_pure_strategy_is_exactly_pure(dtype, actions, seed):
    generator = np.random.default_rng(seed)
    n = 64
    weights = -generator.random((actions, n)).astype(dtype)
    chosen = generator.integers(0, actions, n)
    weights[chosen, np.arange(n)] = generator.random(n) * 10 ** generator.uniform(-6, 6, n)
    reach, values = generator.random(n).astype(dtype), generator.normal(0, 10, (actions, n)).astype(dtype)
    out, mean = np.empty((actions, n), dtype), np.empty(n, dtype)
    (matching.split2 if actions == 2 else matching.split3)(*weights, reach, *out)
    (matching.mix2 if actions == 2 else matching.mix3)(*weights, *values, mean)
    assert (out[chosen, np.arange(n)] == reach).all()
    assert (out.sum(axis=0) == reach).all()
    assert (mean == values[chosen, np.arange(n)]).all()


@few
@given(segments(rows=3), st.floats(0, 1), st.floats(0, 1), st.floats(0.5, 100), st.sampled_from([0.0, -3e38]))
def test_regrets_are_discounted_by_their_sign_and_held_above_the_floor(
    numbers, positive, negative, weight, lowest
):
    regret, value, mean = numbers
    number = regret.dtype.type
    expected = twins.regret_step(regret, value, mean, positive, negative, weight, lowest)
    matching.regret_step(
        regret, value, mean, number(positive), number(negative), number(weight), number(lowest)
    )
    size = np.abs(numbers).max() * (1 + weight)
    np.testing.assert_allclose(regret, expected, rtol=0, atol=TOLERANCE[regret.dtype.name] * size)
    if lowest == 0:
        assert (regret >= 0).all()


@few
@given(segments(rows=3), st.floats(0, 2))
def test_elementwise_steps(numbers, rate):
    a, b, c = numbers
    number = a.dtype.type
    close = TOLERANCE[a.dtype.name] * (1 + np.abs(numbers).max()) * 4

    def check(result, expected):
        np.testing.assert_allclose(result, expected, rtol=0, atol=close)

    out = np.full_like(a, np.nan)
    matching.predict(a, b, number(rate), out)
    check(out, a.astype(float) * rate + b)

    matching.remember(out, a, b, number(rate))
    check(out, rate * (a.astype(float) - b))

    average = c.copy()
    matching.accumulate(average, number(rate), a)
    check(average, c.astype(float) * rate + a)

    total = c.copy()
    matching.add(total, a)
    check(total, c.astype(float) + a)

    matching.copy(out, a)
    assert (out == a).all()

    most = c.copy()
    matching.largest(a, most)
    assert (most == np.maximum(a, c)).all()

    single = a.astype(np.float32)
    assert matching.magnitude(single) == np.abs(single).max()


# 16-bit fixed point


def coded(value, seed, turn=0):
    scale = np.float32(np.abs(value).max() / 32766)
    code = np.empty(value.size, np.int16)
    matching.encode_fixed(value, scale, seed, turn, code)
    return code, scale


def roots_of(value, scale, seed, turn=0):
    code = np.empty(value.size, np.int8)
    matching.encode_roots(value, np.float32(scale), seed, turn, code)
    return code


def squared(value, scale, seed, turn=0):
    """The squares that the roots stand for."""
    roots = roots_of(value, scale, seed, turn).astype(np.int16)
    return roots * np.abs(roots)


def in_units(squares, value, scale, seed, turn):
    """What either kind of codes stands for."""
    if squares:
        return squared(value, scale, seed, turn)
    code = np.empty(value.size, np.int16)
    matching.encode_fixed(value, np.float32(scale), seed, turn, code)
    return code


@few
@given(segments(rows=1, dtypes=["float32"]), st.integers(0, 2**40), st.integers(0, 10**6))
def test_codes_are_within_one_step_and_the_same_again(numbers, seed, turn):
    value = numbers[0]
    code, scale = coded(value, seed, turn)
    assert (coded(value, seed, turn)[0] == code).all()
    if scale == 0:
        assert (code == 0).all()
        return
    below, above = twins.nearest_codes(value, float(scale))
    exact = value.astype(float) / float(scale)
    slack = 0.01  # 32766 steps in 24-bit arithmetic
    assert ((code >= exact - 1 - slack) & (code <= exact + 1 + slack)).all()
    assert ((code == below) | (code == above) | (np.abs(exact - np.round(exact)) < slack)).all()
    out = np.empty(value.size, np.float32)
    matching.decode(code, scale, out)
    np.testing.assert_allclose(out, code.astype(float) * float(scale), rtol=1e-6)
    assert np.abs(out - value).max() <= float(scale) * (1 + slack)


@few
@given(segments(rows=1, dtypes=["float32"]), st.integers(0, 2**40), st.integers(0, 10**6))
def test_squares_are_one_of_the_two_that_a_number_lies_between(numbers, seed, turn):
    value = numbers[0]
    scale = np.float32(max(np.abs(value).max() / 16128, 1e-3))
    code = squared(value, scale, seed, turn)
    assert (squared(value, scale, seed, turn) == code).all()
    below, above = twins.nearest_squares(value, float(scale))
    exact = value.astype(float) / float(scale)
    near_a_square = np.abs(np.sqrt(np.abs(exact)) - np.round(np.sqrt(np.abs(exact)))) < 1e-5
    assert ((code == below) | (code == above) | near_a_square).all()
    roots = np.round(np.sqrt(np.abs(code.astype(float))))
    assert (roots * roots == np.abs(code.astype(float))).all()
    assert (code[value == 0] == 0).all()
    assert (code[value > 0] >= 0).all()
    assert (code[value < 0] <= 0).all()
    # A square and the next one are so far apart.
    gap = 2 * np.floor(np.sqrt(np.abs(exact))) + 1
    assert (np.abs(code - exact) <= gap * (1 + 1e-3)).all()


def test_the_largest_square_is_that_of_127():
    value = np.linspace(-16128, 16128, 511, dtype=np.float32)
    codes = np.stack([squared(value, 1.0, 7919 * seed) for seed in range(200)])
    assert codes.min() == -127 * 127
    assert codes.max() == 127 * 127


@pytest.mark.parametrize("squares", [False, True])
@pytest.mark.parametrize("over", ["seeds", "iterations"])
def test_rounding_is_right_on_average(squares, over):
    generator = np.random.default_rng(17)
    value = generator.normal(0, 3, 256).astype(np.float32)
    runs = 4000
    scale = np.float32(np.abs(value).max() / (16128 if squares else 32760))
    codes = np.empty((runs, value.size), np.int16)
    for run in range(runs):
        seed, turn = (7919 * run, 0) if over == "seeds" else (7919, run)
        codes[run] = in_units(squares, value, scale, seed, turn)
    exact = value.astype(float) / float(scale)
    gap = 2 * np.floor(np.sqrt(np.abs(exact))) + 1 if squares else np.ones(value.size)
    error = (codes.mean(axis=0) - exact) / gap
    # The mean of so many roundings of one number, and of all numbers: five standard errors at most.
    assert np.abs(error).max() < 5 * 0.5 / np.sqrt(runs)
    assert abs(error.mean()) < 5 * 0.5 / np.sqrt(runs * value.size)


@pytest.mark.parametrize("squares", [False, True])
@pytest.mark.parametrize("iterations", [10, 100, 1000])
def test_what_is_rounded_up_now_is_rounded_down_later(squares, iterations):
    """Over consecutive iterations errors cancel: their sum stays below a few steps, however many there are."""
    generator = np.random.default_rng(5)
    value = (generator.random(512) * 200 - 100).astype(np.float32)
    codes = np.empty((iterations, value.size), np.int16)
    for turn in range(iterations):
        codes[turn] = in_units(squares, value, 1.0, 99, turn)
    exact = value.astype(float)
    gap = 2 * np.floor(np.sqrt(np.abs(exact))) + 1 if squares else np.ones(value.size)
    assert (np.abs(codes.mean(axis=0) - exact) / gap).max() < 3 / iterations + 1e-4
    # Rounding at random would leave about 0.4 steps / sqrt(iterations).
    assert np.sqrt((((codes.mean(axis=0) - exact) / gap) ** 2).mean()) < 1 / iterations + 1e-4


def test_increments_below_one_step_are_not_lost():
    value = np.full(512, 100.0, np.float32)
    value[0] = 32766.0  # one step is 1
    for iteration in range(400):
        code, scale = coded(value, 7919, iteration)
        matching.decode(code, scale, value)
        value[1:] += 0.01
    assert value[1:].mean() == pytest.approx(104, abs=0.5)


def test_increments_far_below_the_gap_of_squares_are_not_lost():
    value = np.full(512, 100.0, np.float32)
    for iteration in range(400):
        matching.decode(roots_of(value, 1.0, 7919, iteration), np.float32(1), value)
        value += 0.01
    assert value.mean() == pytest.approx(104, abs=2)


def test_zero_and_the_largest_numbers_have_exact_codes():
    value = np.array([0, 5, -5, 0], np.float32)
    for seed in range(50):
        code, _ = coded(value, seed, seed + 1)
        assert code[0] == code[3] == 0
        assert abs(int(code[1]) - 32766) <= 1
        assert abs(int(code[2]) + 32766) <= 1


def test_zero_is_the_square_of_zero_whatever_the_seed():
    for seed in range(300):
        assert (squared(np.zeros(512, np.float32), 1e-3, 104729 * seed, seed) == 0).all()
        assert (squared(np.full(512, 7.0, np.float32), 0.0, 104729 * seed, seed) == 0).all()
