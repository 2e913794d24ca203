"""Regret matching and its updates: elementwise passes over short segments that stay in the first-level cache.

    strategy   s_a = w_a / sum w           with w = max(weight, 0), uniform where all are zero
    value      v   = sum_a s_a v_a
    regret     R_a = max(R_a * (p if R_a > 0 else n) + u * (v_a - v), floor)
    sharpened  w_a = w_a * (sum w + (q - 1) w_a)      so that s_a ~ p_a (1 + (q - 1) p_a), with p = w / sum w

`weight` is the regret (or regret plus prediction) while solving and the average when a strategy is evaluated:
the formula is the same. A pure strategy is exactly 1, whatever the rounding of the division, so that the regret
of its action is exactly 0. Every function takes flat segments of one length.

Weights whose sum is below TINY count as zero: the inverse of a smaller one is infinite. Sharpened weights are
squares; a sum that is far from 1 is brought nearer to it by a power of two before they are taken.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import overload

from errai.kernels.bits import float_of
from errai.kernels.options import INLINED, KERNEL

TINY = 1e-37
FAR, NEARER = 1e15, 2.0**66  # a sum above FAR is divided by NEARER, and one below 1 / FAR multiplied
SEGMENT = 512  # elements: a dozen segments fit into the first-level cache
# Steps of the golden ratio, as 32-bit integers that wrap around: the random numbers of a segment, less their start.
GOLDEN = (np.arange(SEGMENT, dtype=np.int64) * -1640531527).astype(np.int32)


def weight(held, zero):
    """The positive part of what a store holds, in the type of `zero`. A root, of 8 bits, stands for its square."""


@overload(weight)
def _weight(held, zero):
    number = np.float64 if zero == types.float64 else np.float32

    def of_number(held, zero):
        return max(number(held), zero)

    def of_root(held, zero):
        root = max(number(held), zero)
        return root * root

    return of_root if held == types.int8 else of_number


@njit(**KERNEL)
def split2(w0, w1, reach, out0, out1):
    number = reach.dtype.type
    zero, one, tiny = number(0), number(1), number(TINY)
    for i in range(reach.size):
        a, b = weight(w0[i], zero), weight(w1[i], zero)
        if a + b < tiny:
            a = b = one
        total = a + b
        r = reach[i]
        first = r if a == total else r * (a / total)
        out0[i] = first
        out1[i] = r - first


@njit(**KERNEL)
def split3(w0, w1, w2, reach, out0, out1, out2):
    number = reach.dtype.type
    zero, one, tiny = number(0), number(1), number(TINY)
    for i in range(reach.size):
        a, b, c = weight(w0[i], zero), weight(w1[i], zero), weight(w2[i], zero)
        if a + b + c < tiny:
            a = b = c = one
        total = a + b + c
        r = reach[i]
        scale = r / total
        out0[i] = r if a == total else a * scale
        out1[i] = r if b == total else b * scale
        out2[i] = r if c == total else c * scale


@njit(**KERNEL)
def mix2(w0, w1, v0, v1, out):
    number = out.dtype.type
    zero, one, tiny = number(0), number(1), number(TINY)
    for i in range(out.size):
        a, b = weight(w0[i], zero), weight(w1[i], zero)
        if a + b < tiny:
            a = b = one
        total = a + b
        scale = one / total
        p = one if a == total else a * scale
        q = one if b == total else b * scale
        out[i] = p * v0[i] + q * v1[i]


@njit(**KERNEL)
def mix3(w0, w1, w2, v0, v1, v2, out):
    number = out.dtype.type
    zero, one, tiny = number(0), number(1), number(TINY)
    for i in range(out.size):
        a, b, c = weight(w0[i], zero), weight(w1[i], zero), weight(w2[i], zero)
        if a + b + c < tiny:
            a = b = c = one
        total = a + b + c
        scale = one / total
        p = one if a == total else a * scale
        q = one if b == total else b * scale
        s = one if c == total else c * scale
        out[i] = p * v0[i] + q * v1[i] + s * v2[i]


def nearer(total, held):
    """What brings a sum nearer to 1, so that its square is neither infinite nor nothing: 1 for all usual sums."""


@overload(nearer)
def _nearer(total, held):
    number = np.float64 if total == types.float64 else np.float32

    def of_any(total, held):
        if total < number(1 / FAR):
            return number(NEARER)
        return number(1 / NEARER) if total > number(FAR) else number(1)

    def of_codes(total, held):
        return number(1)

    return of_codes if isinstance(held, types.Integer) else of_any


@njit(**KERNEL)
def sharp_split2(w0, w1, sharpness, reach, out0, out1):
    """`split2` of w (sum w + (q - 1) w), the sharpened weights."""
    number = reach.dtype.type
    zero, one, tiny, more = number(0), number(1), number(TINY), sharpness - number(1)
    for i in range(reach.size):
        a, b = weight(w0[i], zero), weight(w1[i], zero)
        factor = nearer(a + b, w0[i])
        a, b = a * factor, b * factor
        total = a + b
        a, b = a * (total + more * a), b * (total + more * b)
        if a + b < tiny:
            a = b = one
        total = a + b
        r = reach[i]
        first = r if a == total else r * (a / total)
        out0[i] = first
        out1[i] = r - first


@njit(**KERNEL)
def sharp_split3(w0, w1, w2, sharpness, reach, out0, out1, out2):
    number = reach.dtype.type
    zero, one, tiny, more = number(0), number(1), number(TINY), sharpness - number(1)
    for i in range(reach.size):
        a, b, c = weight(w0[i], zero), weight(w1[i], zero), weight(w2[i], zero)
        factor = nearer(a + b + c, w0[i])
        a, b, c = a * factor, b * factor, c * factor
        total = a + b + c
        a, b, c = a * (total + more * a), b * (total + more * b), c * (total + more * c)
        if a + b + c < tiny:
            a = b = c = one
        total = a + b + c
        r = reach[i]
        scale = r / total
        out0[i] = r if a == total else a * scale
        out1[i] = r if b == total else b * scale
        out2[i] = r if c == total else c * scale


@njit(**KERNEL)
def sharp_mix2(w0, w1, sharpness, v0, v1, out):
    """`mix2` of the sharpened weights."""
    number = out.dtype.type
    zero, one, tiny, more = number(0), number(1), number(TINY), sharpness - number(1)
    for i in range(out.size):
        a, b = weight(w0[i], zero), weight(w1[i], zero)
        factor = nearer(a + b, w0[i])
        a, b = a * factor, b * factor
        total = a + b
        a, b = a * (total + more * a), b * (total + more * b)
        if a + b < tiny:
            a = b = one
        total = a + b
        scale = one / total
        p = one if a == total else a * scale
        q = one if b == total else b * scale
        out[i] = p * v0[i] + q * v1[i]


@njit(**KERNEL)
def sharp_mix3(w0, w1, w2, sharpness, v0, v1, v2, out):
    number = out.dtype.type
    zero, one, tiny, more = number(0), number(1), number(TINY), sharpness - number(1)
    for i in range(out.size):
        a, b, c = weight(w0[i], zero), weight(w1[i], zero), weight(w2[i], zero)
        factor = nearer(a + b + c, w0[i])
        a, b, c = a * factor, b * factor, c * factor
        total = a + b + c
        a, b, c = a * (total + more * a), b * (total + more * b), c * (total + more * c)
        if a + b + c < tiny:
            a = b = c = one
        total = a + b + c
        scale = one / total
        p = one if a == total else a * scale
        q = one if b == total else b * scale
        s = one if c == total else c * scale
        out[i] = p * v0[i] + q * v1[i] + s * v2[i]


@njit(**KERNEL)
def regret_step(regret, value, mean, positive, negative, weight, floor):
    zero = mean.dtype.type(0)
    for i in range(mean.size):
        r = regret[i]
        keep = positive if r > zero else negative
        regret[i] = max(r * keep + weight * (value[i] - mean[i]), floor)


@njit(**KERNEL)
def remember(prediction, value, mean, weight):
    for i in range(mean.size):
        prediction[i] = weight * (value[i] - mean[i])


@njit(**KERNEL)
def predict(regret, prediction, discount, out):
    for i in range(out.size):
        out[i] = regret[i] * discount + prediction[i]


@njit(**KERNEL)
def accumulate(average, discount, reach):
    for i in range(reach.size):
        average[i] = average[i] * discount + reach[i]


@njit(**KERNEL)
def add(out, value):
    for i in range(out.size):
        out[i] += value[i]


@njit(**KERNEL)
def copy(out, value):
    for i in range(out.size):
        out[i] = value[i]


@njit(**KERNEL)
def clear(out):
    for i in range(out.size):
        out[i] = out.dtype.type(0)


@njit(**KERNEL)
def largest(value, out):
    for i in range(out.size):
        out[i] = max(out[i], value[i])


@njit(**KERNEL)
def decode(code, scale, out):
    """Codes to numbers: of fixed point, or of roots."""
    for i in range(out.size):
        out[i] = size_of(code[i]) * scale


def size_of(code):
    """What a code stands for, in units: itself, or its square with its sign if it is a root."""


@overload(size_of)
def _size_of(code):
    def of_number(code):
        return np.float32(code)

    def of_root(code):
        return np.float32(code) * abs(np.float32(code))

    return of_root if code == types.int8 else of_number


@njit(**KERNEL)
def magnitude(value):
    """The largest absolute value of 32-bit floats.

    Their bits, but for the sign, are in the order of their sizes. A largest integer is found in vector registers,
    whereas numbers are compared one after the other.
    """
    bits, most = value.view(np.int32), np.int32(0)
    for i in range(bits.size):
        most = max(most, bits[i] & np.int32(0x7FFFFFFF))
    return float_of(most)


@njit(**INLINED)
def _dither(seed, turn):
    """Where the random numbers of a segment begin."""
    h = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15)
    h = (h ^ (h >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.int32((h >> np.uint64(32)) + np.uint64(turn) * np.uint64(0x6A09E667))


@njit(**KERNEL)
def encode_fixed(value, scale, seed, turn, code):
    """Numbers of a segment to 16-bit fixed point, rounded up or down at random so that small increments are not lost.

    The random numbers are a golden-ratio sequence over a segment, from a start that is a hash of the seed: cheap,
    evenly spread, and the same in every run. From one iteration (`turn`) to the next they move by another irrational
    number, so that they are evenly spread in time, too: what is rounded up too often now is rounded down later,
    and errors that would add up like a random walk stay near one unit.
    """
    start = _dither(seed, turn)
    inverse = np.float32(1) / scale if scale > np.float32(1e-36) else np.float32(0)
    half, unit = np.float32(0.5), np.float32(2.0**-32)
    for i in range(value.size):
        dither = np.float32(np.int32(GOLDEN[i] + start)) * unit + half
        code[i] = np.int16(np.int32(np.floor(value[i] * inverse + dither)))


@njit(**KERNEL)
def encode_roots(value, scale, seed, turn, code):
    """The same to roots of 8 bits, -127 to 127: numbers become squares, 0, 1, 4, 9 .. 16129 units.

    They are finer where numbers are small.
    """
    start = _dither(seed, turn)
    inverse = np.float32(1) / scale if scale > np.float32(1e-36) else np.float32(0)
    half, unit = np.float32(0.5), np.float32(2.0**-32)
    for i in range(value.size):
        dither = np.float32(np.int32(GOLDEN[i] + start)) * unit + half
        x = value[i] * inverse
        size = abs(x)
        whole = np.int32(np.sqrt(size))
        root = np.float32(whole)
        # between root^2 and (root + 1)^2, which are 2 root + 1 apart
        up = size - root * root > dither * (root + root + np.float32(1))
        whole = np.int32(whole + np.int32(up))
        code[i] = np.int8(whole if x > np.float32(0) else np.int32(-whole))


def encode(value, scale, seed, turn, code):
    """Numbers to codes of the type of `code`."""


@overload(encode)
def _encode(value, scale, seed, turn, code):
    def to_fixed(value, scale, seed, turn, code):
        encode_fixed(value, scale, seed, turn, code)

    def to_roots(value, scale, seed, turn, code):
        encode_roots(value, scale, seed, turn, code)

    return to_roots if code.dtype == types.int8 else to_fixed
