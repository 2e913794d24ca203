"""Checksums, step by step as they are written down."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.kernels.checksum import checksum

few = settings(max_examples=60, deadline=None, derandomize=True)
MASK = 2**64 - 1
PRIME = 0x9E3779B97F4A7C15


def by_hand(text: bytes) -> int:
    lanes = [1, 2, 3, 4]
    whole = len(text) - len(text) % 32
    for start in range(0, whole, 8):
        lane = start // 8 % 4
        lanes[lane] = (lanes[lane] ^ int.from_bytes(text[start : start + 8], "little")) * PRIME & MASK
    mixed = len(text)
    for lane in lanes:
        mixed = (mixed ^ lane ^ lane >> 29) * PRIME & MASK
        mixed ^= mixed >> 32
    for byte in text[whole:]:
        mixed = (mixed ^ byte) * PRIME & MASK
    mixed ^= mixed >> 31
    mixed = mixed * 0xBF58476D1CE4E5B9 & MASK
    return mixed ^ mixed >> 29


@few
@given(st.binary(max_size=200))
def test_a_checksum_is_that_of_the_formula(text):
    assert checksum(text) == by_hand(text)
    assert checksum(np.frombuffer(text, np.uint8).copy()) == by_hand(text)


@pytest.mark.parametrize("length", [1, 31, 32, 33, 100])
def test_every_flipped_bit_is_noticed(length):
    text = np.random.default_rng(length).integers(0, 256, length, np.uint8)
    known = checksum(text)
    for bit in range(8 * length):
        text[bit // 8] ^= 1 << bit % 8
        assert checksum(text) != known
        text[bit // 8] ^= 1 << bit % 8


def test_zeros_more_or_less_are_noticed():
    assert len({checksum(bytes(length)) for length in range(200)}) == 200


def test_words_that_change_places_are_noticed():
    text = np.random.default_rng(1).integers(0, 256, 256, np.uint8)
    words = text.view(np.uint64)
    known = checksum(text)
    for other in range(1, 32):
        words[[0, other]] = words[[other, 0]]
        assert checksum(text) != known
        words[[0, other]] = words[[other, 0]]
