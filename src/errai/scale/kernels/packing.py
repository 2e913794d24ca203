"""16-bit codes of one seat in few bits: eight codes take as many bits each as the largest of them needs.

    c                       the root of a code: codes on this grid are squares (see errai.engine.kernels.matching)
    u = c                   where no code is below zero
    u = 2 c or -2 c - 1     otherwise, so that small codes of both signs are small numbers
    width                   bits of the largest u of eight; 0 to 8, or an even number above
    payload                 eight times that many bits, the first u lowest: `width` bytes

Most regrets of a solution are zero or small, and those of neighbouring hands and contexts are alike: a width tells
them from the few large ones at no more than half a bit each, and less once the widths are compressed by themselves.
A code takes a third of a nanosecond either way, where a general compressor takes three.

Rows of the other seat are left out: a pass changes the regrets of one seat alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.matching import SEGMENT
from errai.kernels.bits import bit_length, load_word, store_word
from errai.kernels.options import INNER, KERNEL

BLOCK = 8  # codes that share a width
SPARE = 16  # bytes behind a payload that may be written or read
WIDTHS = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16], np.uint8)
_PLACE = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 11, 12, 12], np.uint8)  # of a number of bits
_WIDE = len(WIDTHS)


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
        u[i] = 0


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
def _pack_blocks(u, blocks, widths, block, payload, at):
    """Returns the byte that follows. Few blocks are wide: the rest has no branches."""
    for i in range(blocks):
        j = BLOCK * i
        u0, u1, u2, u3 = np.uint64(u[j]), np.uint64(u[j + 1]), np.uint64(u[j + 2]), np.uint64(u[j + 3])
        u4, u5, u6, u7 = np.uint64(u[j + 4]), np.uint64(u[j + 5]), np.uint64(u[j + 6]), np.uint64(u[j + 7])
        place = _PLACE[bit_length(u0 | u1 | u2 | u3 | u4 | u5 | u6 | u7)]
        if block & 1:
            widths[block >> 1] |= np.uint8(place << np.uint8(4))
        else:
            widths[block >> 1] = place
        w = np.uint64(WIDTHS[place])
        low = u0 | (u1 << w) | (u2 << (np.uint64(2) * w)) | (u3 << (np.uint64(3) * w))
        high = u4 | (u5 << w) | (u6 << (np.uint64(2) * w)) | (u7 << (np.uint64(3) * w))
        if w > np.uint64(8):
            store_word(payload, at, low)
            store_word(payload, at + np.int64(w >> np.uint64(1)), high)
        else:
            store_word(payload, at, low | (high << (np.uint64(4) * w)))
        at += np.int64(w)
        block += 1
    return at


@njit(**INNER)
def _unpack_blocks(u, blocks, widths, block, payload, at):
    """The way back."""
    for i in range(blocks):
        j = BLOCK * i
        place = (widths[block >> 1] >> np.uint8(4 * (block & 1))) & np.uint8(15)
        w = np.uint64(WIDTHS[place])
        mask = (np.uint64(1) << w) - np.uint64(1)
        low = load_word(payload, at)
        if w > np.uint64(8):
            high = load_word(payload, at + np.int64(w >> np.uint64(1)))
        else:
            high = low >> (np.uint64(4) * w)
        u[j] = np.uint16(low & mask)
        u[j + 1] = np.uint16((low >> w) & mask)
        u[j + 2] = np.uint16((low >> (np.uint64(2) * w)) & mask)
        u[j + 3] = np.uint16((low >> (np.uint64(3) * w)) & mask)
        u[j + 4] = np.uint16(high & mask)
        u[j + 5] = np.uint16((high >> w) & mask)
        u[j + 6] = np.uint16((high >> (np.uint64(2) * w)) & mask)
        u[j + 7] = np.uint16((high >> (np.uint64(3) * w)) & mask)
        at += np.int64(w)
        block += 1
    return at


@njit(**INNER)
def _pack_row(code, signed, squares, widths, block, payload, at, u):
    """A row of codes, in segments that stay in the first-level cache; returns the block and the byte that follow."""
    for c in range(0, code.size, SEGMENT):
        part = code[c : c + SEGMENT]
        _to_small(part, signed, squares, u)
        blocks = (part.size + BLOCK - 1) // BLOCK
        at = _pack_blocks(u, blocks, widths, block, payload, at)
        block += blocks
    return block, at


@njit(**INNER)
def _unpack_row(code, signed, squares, widths, block, payload, at, u):
    """The way back."""
    for c in range(0, code.size, SEGMENT):
        part = code[c : c + SEGMENT]
        blocks = (part.size + BLOCK - 1) // BLOCK
        at = _unpack_blocks(u, blocks, widths, block, payload, at)
        _from_small(u, signed, squares, part)
        block += blocks
    return block, at


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
def any_below_zero(codes):
    """Whether any code has a sign."""
    least = np.int16(0)
    for i in range(codes.size):
        least = min(least, codes[i])
    return least < 0


@njit(**KERNEL)
def payload_size(widths, blocks):
    """How many bytes of payload belong to the widths; -1 where one of them means nothing."""
    total = np.int64(0)
    for block in range(blocks):
        place = (widths[block >> 1] >> np.uint8(4 * (block & 1))) & np.uint8(15)
        if place >= _WIDE:
            return np.int64(-1)
        total += WIDTHS[place]
    return total


@njit(**KERNEL)
def pack(betting, boards, seat, codes, scales, signed, squares, widths, payload, seat_scales):
    """The codes of a seat as widths and payload, and its scales; returns the size of the payload."""
    block = at = scale_at = np.int64(0)
    u = np.zeros(SEGMENT, np.uint16)
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
                    block, at = _pack_row(codes[x : x + n], signed, square, widths, block, payload, at, u)
                for i in range(pieces):
                    seat_scales[scale_at + i] = scales[scale + (node - first) * pieces + i]
                scale_at += pieces
    return at


@njit(**KERNEL)
def unpack(betting, boards, seat, codes, scales, signed, squares, widths, payload, seat_scales):
    """The way back: the codes and scales of a seat to their places."""
    block = at = scale_at = np.int64(0)
    u = np.zeros(SEGMENT, np.uint16)
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
                    block, at = _unpack_row(codes[x : x + n], signed, square, widths, block, payload, at, u)
                for i in range(pieces):
                    scales[scale + (node - first) * pieces + i] = seat_scales[scale_at + i]
                scale_at += pieces
