"""16-bit codes of one seat in few bits: eight codes take as many bits each as the largest of them needs.

    c                       the root of a code: codes on this grid are squares (see errai.engine.kernels.matching)
    u = c                   where no code is below zero
    u = 2 c or -2 c - 1     otherwise, so that small codes of both signs are small numbers
    width                   bits of the largest u of eight; 0 to 8, or an even number above
    payload                 eight times that many bits, the first u lowest: `width` bytes

The eight codes of a block are an eighth of a segment apart, so that the blocks of a segment lie side by side in
vector registers.

Most regrets of a solution are zero or small, and those of neighbouring hands and contexts are alike: a width tells
them from the few large ones at no more than half a bit each, and less once the widths are compressed by themselves.
A code takes a third of a nanosecond either way, where a general compressor takes three.

Rows of the other seat are left out: a pass changes the regrets of one seat alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.matching import SEGMENT
from errai.kernels.bits import load_word, store_word
from errai.kernels.options import INNER, KERNEL

BLOCK = 8  # codes that share a width
SPARE = 16  # bytes behind a payload that may be written or read
_LARGEST = 12  # of a width as it is written: 8 + half of what is above 8


@njit(**INNER)
def _to_small(code, signed, squares, u):
    """Codes to the numbers that are packed; the rest of the last block is zero."""
    n = code.size
    if squares:
        if signed:
            for i in range(n):
                c = np.int32(code[i])
                root = np.int32(np.sqrt(np.float32(abs(c))))
                u[i] = np.uint16(root + root - 1 if c < 0 else root + root)
        else:
            for i in range(n):
                u[i] = np.uint16(np.int32(np.sqrt(np.float32(code[i]))))
    elif signed:
        for i in range(n):
            c = np.int32(code[i])
            u[i] = np.uint16((c << 1) ^ (c >> 31))
    else:
        for i in range(n):
            u[i] = np.uint16(code[i])
    for i in range(n, (n + BLOCK - 1) // BLOCK * BLOCK):
        u[i] = np.uint16(0)


@njit(**INNER)
def _from_small(u, signed, squares, code):
    """The way back."""
    n = code.size
    if signed:
        for i in range(n):
            small = np.int32(u[i])
            c = (small >> 1) ^ -(small & 1)
            code[i] = np.int16(c * abs(c) if squares else c)
    elif squares:
        for i in range(n):
            small = np.int32(u[i])
            code[i] = np.int16(small * small)
    else:
        for i in range(n):
            code[i] = np.int16(u[i])


@njit(**INNER)
def _widths_of(u, blocks, width):
    """The width of each block of a segment; returns whether any is above 8."""
    widest = np.uint16(0)
    for b in range(blocks):
        most = u[b]
        for j in range(1, BLOCK):
            most |= u[b + j * blocks]
        bits = np.uint8(most > 0) + np.uint8(most > 1) + np.uint8(most > 3) + np.uint8(most > 7)
        bits += np.uint8(most > 15) + np.uint8(most > 31) + np.uint8(most > 63) + np.uint8(most > 127)
        if most > 255:
            bits += 2 * (np.uint8(1) + np.uint8(most > 1023) + np.uint8(most > 4095) + np.uint8(most > 16383))
        width[b] = np.uint8(bits)
        widest |= most
    return widest > 255


@njit(**INNER)
def _pack_segment(u, blocks, width, word, payload, at):
    """Returns the byte that follows."""
    wide = _widths_of(u, blocks, width)
    if not wide:
        for b in range(blocks):
            w = np.uint64(width[b])
            packed = np.uint64(u[b])
            for j in range(1, BLOCK):
                packed |= np.uint64(u[b + j * blocks]) << (np.uint64(j) * w)
            word[b] = packed
        for b in range(blocks):
            store_word(payload, at, word[b])
            at += np.int64(width[b])
        return at
    for b in range(blocks):
        w = np.uint64(width[b])
        low = high = np.uint64(0)
        for j in range(BLOCK // 2):
            low |= np.uint64(u[b + j * blocks]) << (np.uint64(j) * w)
            high |= np.uint64(u[b + (j + BLOCK // 2) * blocks]) << (np.uint64(j) * w)
        if w > np.uint64(8):
            store_word(payload, at, low)
            store_word(payload, at + np.int64(w >> np.uint64(1)), high)
        else:
            store_word(payload, at, low | (high << (np.uint64(4) * w)))
        at += np.int64(w)
    return at


@njit(**INNER)
def _unpack_segment(u, blocks, width, word, payload, at):
    """The way back."""
    widest = np.uint8(0)
    for b in range(blocks):
        widest = max(widest, width[b])
    if widest <= 8:
        for b in range(blocks):
            word[b] = load_word(payload, at)
            at += np.int64(width[b])
        for b in range(blocks):
            w = np.uint64(width[b])
            mask = (np.uint64(1) << w) - np.uint64(1)
            for j in range(BLOCK):
                u[b + j * blocks] = np.uint16((word[b] >> (np.uint64(j) * w)) & mask)
        return at
    for b in range(blocks):
        w = np.uint64(width[b])
        mask = (np.uint64(1) << w) - np.uint64(1)
        low = load_word(payload, at)
        if w > np.uint64(8):
            high = load_word(payload, at + np.int64(w >> np.uint64(1)))
        else:
            high = low >> (np.uint64(4) * w)
        for j in range(BLOCK // 2):
            u[b + j * blocks] = np.uint16((low >> (np.uint64(j) * w)) & mask)
            u[b + (j + BLOCK // 2) * blocks] = np.uint16((high >> (np.uint64(j) * w)) & mask)
        at += np.int64(w)
    return at


@njit(**INNER)
def _pack_row(code, signed, squares, widths, block, payload, at, scratch):
    """A row of codes, in segments that stay in the first-level cache; returns the block and the byte that follow."""
    u, word = scratch
    for c in range(0, code.size, SEGMENT):
        part = code[c : c + SEGMENT]
        _to_small(part, signed, squares, u)
        blocks = (part.size + BLOCK - 1) // BLOCK
        at = _pack_segment(u, blocks, widths[block : block + blocks], word, payload, at)
        block += blocks
    return block, at


@njit(**INNER)
def _unpack_row(code, signed, squares, widths, block, payload, at, scratch):
    """The way back. `payload` has as many bytes as the widths say."""
    u, word = scratch
    for c in range(0, code.size, SEGMENT):
        part = code[c : c + SEGMENT]
        blocks = (part.size + BLOCK - 1) // BLOCK
        at = _unpack_segment(u, blocks, widths[block : block + blocks], word, payload, at)
        _from_small(u, signed, squares, part)
        block += blocks
    return block, at


@njit(**KERNEL)
def pair_up(widths, pairs):
    """Two widths to a byte."""
    n = widths.size
    for i in range(n // 2):
        a, b = widths[2 * i], widths[2 * i + 1]
        a = a if a <= 8 else 8 + ((a - 8) >> 1)
        b = b if b <= 8 else 8 + ((b - 8) >> 1)
        pairs[i] = np.uint8(a | (b << 4))
    if n & 1:
        a = widths[n - 1]
        pairs[n // 2] = a if a <= 8 else 8 + ((a - 8) >> 1)


@njit(**KERNEL)
def take_apart(pairs, widths):
    """The way back. Returns how many bytes of payload belong to the widths; -1 where one of them means nothing."""
    total, largest = np.int64(0), np.uint8(0)
    n = widths.size
    for i in range(n // 2):
        a, b = pairs[i] & np.uint8(15), pairs[i] >> np.uint8(4)
        largest = max(largest, a, b)
        a = a if a <= 8 else a + (a - 8)
        b = b if b <= 8 else b + (b - 8)
        widths[2 * i], widths[2 * i + 1] = np.uint8(a), np.uint8(b)
        total += np.int64(a) + np.int64(b)
    if n & 1:
        a = pairs[n // 2]
        largest = max(largest, a)
        a = a if a <= 8 else a + (a - 8)
        widths[n - 1] = np.uint8(a)
        total += np.int64(a)
    return total if largest <= _LARGEST else np.int64(-1)


@njit(**KERNEL)
def sizes(betting, boards, seat):
    """How many codes, blocks and scales of a seat there are."""
    codes = blocks = scales = np.int64(0)
    for board in range(boards.level.size):
        level = boards.level[board]
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        n, chunks = H * betting.chunk[level], betting.contexts[level] // betting.chunk[level]
        for node in range(betting.first_node[level], betting.first_node[level + 1]):
            if betting.player[node] == seat:
                rows = betting.actions[node] * chunks
                codes += rows * n
                blocks += rows * ((n + BLOCK - 1) // BLOCK)
                scales += (n + SEGMENT - 1) // SEGMENT * chunks
    return codes, blocks, scales


@njit(**KERNEL)
def pack(betting, boards, seat, codes, scales, signed, squares, widths, payload, seat_scales):
    """The codes of a seat as widths and payload, and its scales; returns the size of the payload."""
    block = at = scale_at = np.int64(0)
    scratch = np.zeros(SEGMENT, np.uint16), np.zeros(SEGMENT // BLOCK, np.uint64)
    for board in range(boards.level.size):
        level = boards.level[board]
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        K = betting.chunk[level]
        n, pieces = H * K, (H * K + SEGMENT - 1) // SEGMENT
        first, last = betting.first_node[level], betting.first_node[level + 1]
        square = squares and level == boards.last_level
        for chunk in range(betting.contexts[level] // K):
            start = boards.offset[board] + betting.rows[level] * n * chunk
            scale = boards.block[board] + (last - first) * pieces * chunk
            for node in range(first, last):
                if betting.player[node] != seat:
                    continue
                for a in range(betting.actions[node]):
                    x = start + (betting.row[node] + a) * n
                    block, at = _pack_row(
                        codes[x : x + n], signed, square, widths, block, payload, at, scratch
                    )
                for i in range(pieces):
                    seat_scales[scale_at + i] = scales[scale + (node - first) * pieces + i]
                scale_at += pieces
    return at


@njit(**KERNEL)
def unpack(betting, boards, seat, codes, scales, signed, squares, widths, payload, seat_scales):
    """The way back: the codes and scales of a seat to their places."""
    block = at = scale_at = np.int64(0)
    scratch = np.zeros(SEGMENT, np.uint16), np.zeros(SEGMENT // BLOCK, np.uint64)
    for board in range(boards.level.size):
        level = boards.level[board]
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        K = betting.chunk[level]
        n, pieces = H * K, (H * K + SEGMENT - 1) // SEGMENT
        first, last = betting.first_node[level], betting.first_node[level + 1]
        square = squares and level == boards.last_level
        for chunk in range(betting.contexts[level] // K):
            start = boards.offset[board] + betting.rows[level] * n * chunk
            scale = boards.block[board] + (last - first) * pieces * chunk
            for node in range(first, last):
                if betting.player[node] != seat:
                    continue
                for a in range(betting.actions[node]):
                    x = start + (betting.row[node] + a) * n
                    block, at = _unpack_row(
                        codes[x : x + n], signed, square, widths, block, payload, at, scratch
                    )
                for i in range(pieces):
                    scales[scale + (node - first) * pieces + i] = seat_scales[scale_at + i]
                scale_at += pieces
