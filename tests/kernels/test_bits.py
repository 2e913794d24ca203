"""Words of 64 bits anywhere in a row of bytes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from errai.kernels.bits import load_word, store_word

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
