"""16-bit codes of one seat in few bits: eight codes take as many bits each as the largest of them needs.

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
from errai.kernels.options import INLINED, INNER, KERNEL

BLOCK = 8  # codes that share a width
SPARE = 16  # bytes behind a payload that may be written or read
WIDTHS = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16], np.uint8)
_PLACE = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 11, 12, 12], np.uint8)  # of a number of bits
_WIDE = len(WIDTHS)


@njit(**INLINED)
def _unsigned(code, signed):
    wide = np.int32(code)
    return np.uint64(np.uint16((wide << 1) ^ (wide >> 31)) if signed else np.uint16(wide))


@njit(**INLINED)
def _signed(u, signed):
    low = np.uint32(u)
    return np.int16((low >> np.uint32(1)) ^ (~(low & np.uint32(1)) + np.uint32(1))) if signed else np.int16(low)


@njit(**INLINED)
def _note_width(widths, block, place):
    if block & 1:
        widths[block >> 1] |= np.uint8(place << np.uint8(4))
    else:
        widths[block >> 1] = place


@njit(**INNER)
def _pack_row(code, signed, widths, block, payload, at):
    """A row of codes; returns the block and the byte that follow. Few codes are wide: the rest has no branches."""
    n = code.size
    tail = np.zeros(BLOCK, np.int16)
    for i in range(n - n % BLOCK, n):
        tail[i % BLOCK] = code[i]
    for i in range(0, n, BLOCK):
        c = code[i:] if i + BLOCK <= n else tail
        u0, u1, u2, u3 = (
            _unsigned(c[0], signed), _unsigned(c[1], signed), _unsigned(c[2], signed), _unsigned(c[3], signed),
        )  # fmt: skip
        u4, u5, u6, u7 = (
            _unsigned(c[4], signed), _unsigned(c[5], signed), _unsigned(c[6], signed), _unsigned(c[7], signed),
        )  # fmt: skip
        place = _PLACE[bit_length(u0 | u1 | u2 | u3 | u4 | u5 | u6 | u7)]
        _note_width(widths, block, place)
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
    return block, at


@njit(**INNER)
def _unpack_row(code, signed, widths, block, payload, at):
    """The way back."""
    n = code.size
    tail = np.zeros(BLOCK, np.int16)
    for i in range(0, n, BLOCK):
        c = code[i:] if i + BLOCK <= n else tail
        place = (widths[block >> 1] >> np.uint8(4 * (block & 1))) & np.uint8(15)
        w = np.uint64(WIDTHS[place])
        mask = (np.uint64(1) << w) - np.uint64(1)
        low = load_word(payload, at)
        if w > np.uint64(8):
            high = load_word(payload, at + np.int64(w >> np.uint64(1)))
        else:
            high = low >> (np.uint64(4) * w)
        for j in range(BLOCK // 2):
            c[j] = _signed((low >> (np.uint64(j) * w)) & mask, signed)
            c[BLOCK // 2 + j] = _signed((high >> (np.uint64(j) * w)) & mask, signed)
        at += np.int64(w)
        block += 1
    for i in range(n - n % BLOCK, n):
        code[i] = tail[i % BLOCK]
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
def pack(betting, boards, seat, codes, scales, signed, widths, payload, seat_scales):
    """The codes of a seat as widths and payload, and its scales; returns the size of the payload."""
    block = at = scale_at = np.int64(0)
    for board in range(boards.level.size):
        level = boards.level[board]
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        K = betting.chunk[level]
        n, pieces = H * K, (H * K + SEGMENT - 1) // SEGMENT
        first, last = betting.first_node[level], betting.first_node[level + 1]
        for chunk in range(betting.contexts[level] // K):
            start = boards.offset[board] + betting.rows[level] * n * chunk
            scale = boards.block[board] + (last - first) * pieces * chunk
            for node in range(first, last):
                if betting.player[node] != seat:
                    continue
                for a in range(betting.actions[node]):
                    x = start + (betting.row[node] + a) * n
                    block, at = _pack_row(codes[x : x + n], signed, widths, block, payload, at)
                for i in range(pieces):
                    seat_scales[scale_at + i] = scales[scale + (node - first) * pieces + i]
                scale_at += pieces
    return at


@njit(**KERNEL)
def unpack(betting, boards, seat, codes, scales, signed, widths, payload, seat_scales):
    """The way back: the codes and scales of a seat to their places."""
    block = at = scale_at = np.int64(0)
    for board in range(boards.level.size):
        level = boards.level[board]
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        K = betting.chunk[level]
        n, pieces = H * K, (H * K + SEGMENT - 1) // SEGMENT
        first, last = betting.first_node[level], betting.first_node[level + 1]
        for chunk in range(betting.contexts[level] // K):
            start = boards.offset[board] + betting.rows[level] * n * chunk
            scale = boards.block[board] + (last - first) * pieces * chunk
            for node in range(first, last):
                if betting.player[node] != seat:
                    continue
                for a in range(betting.actions[node]):
                    x = start + (betting.row[node] + a) * n
                    block, at = _unpack_row(codes[x : x + n], signed, widths, block, payload, at)
                for i in range(pieces):
                    scales[scale + (node - first) * pieces + i] = seat_scales[scale_at + i]
                scale_at += pieces
