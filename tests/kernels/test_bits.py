"""Words of 64 bits anywhere in a row of bytes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from errai.kernels.bits import load_word, store_word, transpose

few = settings(max_examples=60, deadline=None, derandomize=True)


@njit
def loaded(row, offset):
    return load_word(row, offset)


@njit
def stored(row, offset, word):
    store_word(row, offset, word)


@few
@given(st.binary(min_size=8, max_size=40), st.data())
def test_a_word_has_its_first_byte_lowest(content, data):
    offset = data.draw(st.integers(0, len(content) - 8))
    row = np.frombuffer(content, np.uint8)
    assert int(loaded(row, offset)) == int.from_bytes(content[offset : offset + 8], "little")


@few
@given(st.binary(min_size=8, max_size=40), st.integers(0, 2**64 - 1), st.data())
def test_a_stored_word_changes_eight_bytes_and_no_others(content, word, data):
    offset = data.draw(st.integers(0, len(content) - 8))
    row = np.frombuffer(content, np.uint8).copy()
    stored(row, offset, np.uint64(word))
    assert row.tobytes() == content[:offset] + word.to_bytes(8, "little") + content[offset + 8 :]
    assert int(loaded(row, offset)) == word


@few
@given(st.binary(min_size=20, max_size=40), st.integers(0, 2**64 - 1))
def test_a_part_of_a_row_begins_where_it_begins(content, word):
    row = np.frombuffer(content, np.uint8).copy()
    stored(row[3:], 5, np.uint64(word))
    assert int(loaded(row, 8)) == int(loaded(row[8:], 0)) == word


@njit
def transposed(source, start, step, target, to, stride):
    transpose(source, start, step, target, to, stride)


@few
@given(
    st.integers(0, 2**32 - 1), st.integers(0, 9), st.integers(1, 90), st.integers(0, 9), st.integers(8, 90)
)
def test_a_square_of_bytes_is_turned(seed, start, step, to, stride):
    generator = np.random.default_rng(seed)
    source, target = (generator.integers(0, 256, 800, np.uint8) for _ in range(2))
    expected = target.copy()
    for i in range(8):
        for j in range(8):
            expected[to + j * stride + i] = source[start + i * step + j]
    transposed(source, start, step, target, to, stride)
    assert (target == expected).all()


@few
@given(st.integers(0, 2**32 - 1), st.integers(1, 7))
def test_words_that_overlap_are_written_one_after_the_other(seed, stride):
    generator = np.random.default_rng(seed)
    source, target = (generator.integers(0, 256, 80, np.uint8) for _ in range(2))
    expected = target.copy()
    for word, square in enumerate(source[:64].reshape(8, 8).T):
        expected[word * stride : word * stride + 8] = square
    transposed(source, 0, 8, target, 0, stride)
    assert (target == expected).all()
