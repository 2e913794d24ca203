"""One row of codes [H, K] in few bits, and back: the blocks of errai.scale.kernels.packing, one after the other.

Codes are bytes, the roots of large games, or pairs of bytes, the fixed point of small ones: those are two rows, of
the low bytes and of the high ones. Eight bytes of a block are a word,

    u7 .. u2 u1 u0      a byte each
    u3u2 u1u0 ..        pairs moved together by 8 - w bits, then pairs of pairs, then both halves

and a square of 8 hands x 8 contexts is turned so that its words are those of blocks. Then all steps but the last,
where words of w bytes are put behind each other, are elementwise over blocks, in vector registers.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import overload

from errai.kernels.bits import load_word, store_word, transpose
from errai.kernels.options import INNER

BLOCK = 8  # hands whose codes share a width: the bytes of a word
TOGETHER = 256  # blocks that are worked on at a time, about


def pack_row(code, K, signed, widths, block, payload, at, scratch):
    """A row of codes to widths and payload; returns the block and byte that follow."""


def unpack_row(code, K, signed, widths, block, payload, at, scratch):
    """The way back. `payload` has as many bytes as the widths say, and a few to spare."""


@njit(**INNER)
def new_scratch(K, n):
    """Room for rows of at most K contexts and n numbers.

    Eight hands, as bytes; the words of blocks, as words and as bytes; low and high bytes of a row.
    """
    words = np.zeros(TOGETHER + K + BLOCK, np.uint64)
    return np.zeros(BLOCK * (K + 1), np.uint8), words, words.view(np.uint8), np.zeros((2, n), np.uint8)


@njit(**INNER)
def _turn_hands(source, start, K, words, first):
    """Eight hands of a row, in K contexts, to K words."""
    for k in range(0, K, BLOCK):
        transpose(source, start + k, K, words, 8 * (first + k), 8)


@njit(**INNER)
def _turn_back(words, first, K, target, start):
    """The way back. What is written beyond the last context is overwritten by the words that follow."""
    left = K % BLOCK
    if left:
        transpose(words, 8 * (first + K - left), 8, target, start + K - left, K)
    for k in range(0, K - left, BLOCK):
        transpose(words, 8 * (first + k), 8, target, start + k, K)


@njit(**INNER)
def _to_small(words):
    """u = (c << 1) ^ (c >> 7) of each byte: small codes of both signs to small numbers."""
    for b in range(words.size):
        c = words[b]
        below = (c >> np.uint64(7)) & np.uint64(0x0101010101010101)
        words[b] = ((c << np.uint64(1)) & np.uint64(0xFEFEFEFEFEFEFEFE)) ^ ((below << np.uint64(8)) - below)


@njit(**INNER)
def _from_small(words):
    """c = (u >> 1) ^ -(u & 1) of each byte."""
    for b in range(words.size):
        u = words[b]
        below = u & np.uint64(0x0101010101010101)
        words[b] = ((u >> np.uint64(1)) & np.uint64(0x7F7F7F7F7F7F7F7F)) ^ ((below << np.uint64(8)) - below)


@njit(**INNER)
def _widths_of(words, width):
    """Bits of the largest byte of each word."""
    for b in range(width.size):
        most = words[b]
        most |= most >> np.uint64(32)
        most |= most >> np.uint64(16)
        width[b] = np.uint8((most | (most >> np.uint64(8))) & np.uint64(255))
    for b in range(width.size):
        most = width[b]
        bits = np.uint8(most > 0) + np.uint8(most > 1) + np.uint8(most > 3) + np.uint8(most > 7)
        bits += np.uint8(most > 15) + np.uint8(most > 31) + np.uint8(most > 63) + np.uint8(most > 127)
        width[b] = np.uint8(bits)


@njit(**INNER)
def _squeeze(words, width):
    """Eight bytes of a word to eight numbers of so many bits."""
    low, halves = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
    for b in range(width.size):
        u, w = words[b], np.uint64(width[b])
        u = (u & low) | (((u >> np.uint64(8)) & low) << w)
        u = (u & halves) | (((u >> np.uint64(16)) & halves) << (w + w))
        words[b] = (u & np.uint64(0xFFFFFFFF)) | ((u >> np.uint64(32)) << (np.uint64(4) * w))


@njit(**INNER)
def _stretch(words, width):
    """The way back; what follows the eight numbers is cut off."""
    one = np.uint64(1)
    for b in range(width.size):
        u, w = words[b], np.uint64(width[b])
        mask = (one << (np.uint64(4) * w)) - one
        u = (u & mask) | (((u >> (np.uint64(4) * w)) & mask) << np.uint64(32))
        mask = (one << (w + w)) - one
        mask |= mask << np.uint64(32)
        u = (u & mask) | (((u >> (w + w)) & mask) << np.uint64(16))
        mask = (one << w) - one
        mask |= mask << np.uint64(16)
        mask |= mask << np.uint64(32)
        words[b] = (u & mask) | (((u >> w) & mask) << np.uint64(8))


@njit(**INNER)
def _pack_bytes(source, K, signed, widths, block, payload, at, scratch):
    eight, words, as_bytes, _ = scratch
    n, size = source.size, BLOCK * K
    c = np.int64(0)
    while c < n:
        blocks = np.int64(0)
        while c < n and blocks < TOGETHER:
            if c + size + BLOCK <= n:
                _turn_hands(source, c, K, as_bytes, blocks)
            else:  # the last hands, and zeros behind them: words reach beyond the last context
                for i in range(size):
                    eight[i] = source[c + i] if c + i < n else np.uint8(0)
                _turn_hands(eight, 0, K, as_bytes, blocks)
            c += size
            blocks += K
        width = widths[block : block + blocks]
        if signed:
            _to_small(words[:blocks])
        _widths_of(words, width)
        _squeeze(words, width)
        for b in range(blocks):
            store_word(payload, at, words[b])
            at += np.int64(width[b])
        block += blocks
    return block, at


@njit(**INNER)
def _unpack_bytes(target, K, signed, widths, block, payload, at, scratch):
    eight, words, as_bytes, _ = scratch
    n, size = target.size, BLOCK * K
    c = np.int64(0)
    while c < n:
        groups = min(max(1, TOGETHER // K), (n - c + size - 1) // size)
        blocks = groups * K
        width = widths[block : block + blocks]
        for b in range(blocks):
            words[b] = load_word(payload, at)
            at += np.int64(width[b])
        _stretch(words, width)
        if signed:
            _from_small(words[:blocks])
        block += blocks
        for group in range(groups):
            if c + size + BLOCK <= n:
                _turn_back(as_bytes, group * K, K, target, c)
            else:
                _turn_back(as_bytes, group * K, K, eight, 0)
                for i in range(min(size, n - c)):
                    target[c + i] = eight[i]
            c += size
    return block, at


@njit(**INNER)
def _to_bytes(code, signed, low, high):
    """16-bit codes as small numbers, in two bytes each."""
    for i in range(code.size):
        c = np.int32(code[i])
        u = (c << 1) ^ (c >> 31) if signed else c
        low[i] = np.uint8(u & 255)
        high[i] = np.uint8((u >> 8) & 255)


@njit(**INNER)
def _from_bytes(low, high, signed, code):
    """The way back."""
    for i in range(code.size):
        u = np.int32(low[i]) | (np.int32(high[i]) << 8)
        code[i] = np.int16((u >> 1) ^ -(u & 1) if signed else u)


@overload(pack_row)
def _pack_row(code, K, signed, widths, block, payload, at, scratch):
    def roots(code, K, signed, widths, block, payload, at, scratch):
        return _pack_bytes(code.view(np.uint8), K, signed, widths, block, payload, at, scratch)

    def fixed(code, K, signed, widths, block, payload, at, scratch):
        low, high = scratch[3][0, : code.size], scratch[3][1, : code.size]
        _to_bytes(code, signed, low, high)
        block, at = _pack_bytes(low, K, False, widths, block, payload, at, scratch)
        return _pack_bytes(high, K, False, widths, block, payload, at, scratch)

    return roots if code.dtype == types.int8 else fixed


@overload(unpack_row)
def _unpack_row(code, K, signed, widths, block, payload, at, scratch):
    def roots(code, K, signed, widths, block, payload, at, scratch):
        return _unpack_bytes(code.view(np.uint8), K, signed, widths, block, payload, at, scratch)

    def fixed(code, K, signed, widths, block, payload, at, scratch):
        low, high = scratch[3][0, : code.size], scratch[3][1, : code.size]
        block, at = _unpack_bytes(low, K, False, widths, block, payload, at, scratch)
        block, at = _unpack_bytes(high, K, False, widths, block, payload, at, scratch)
        _from_bytes(low, high, signed, code)
        return block, at

    return roots if code.dtype == types.int8 else fixed
