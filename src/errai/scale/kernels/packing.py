"""Codes of one seat in few bits: eight codes take as many bits each as the largest of them needs.

    u = c                   a code, where none is below zero
    u = 2 c or -2 c - 1     otherwise, so that small codes of both signs are small numbers
    block                   the numbers of eight hands that follow each other, in one context
    width                   bits of the largest u of a block, 0 to 8
    payload                 that many bits of each u, the first one lowest: `width` bytes

Most regrets of a solution are zero or small. Hands are in order of strength, so what one of them does in a context
the next one does as well: their numbers are alike, and a width tells them from others at no
more than half a bit each, and less once the widths are compressed by themselves. Blocks lie side by side in vector
registers, so a code takes a fraction of a nanosecond either way, where an entropy coder takes one or two and
saves little more (docs/storage.md).

Codes of 16 bits are packed as two rows of bytes. Rows of the other seat are left out: a pass changes the regrets of
one seat alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.matching import SEGMENT
from errai.kernels.options import INNER, KERNEL
from errai.scale.kernels.rows import BLOCK, new_scratch, pack_row, unpack_row

SPARE = 16  # bytes behind a payload that may be written or read


@njit(**INNER)
def _scratch(betting, boards, codes):
    """Room for the longest row."""
    K = n = np.int64(0)
    for board in range(boards.level.size):
        chunk = betting.chunk[boards.level[board]]
        K = max(K, chunk)
        n = max(n, (boards.first_hand[board + 1] - boards.first_hand[board]) * chunk)
    return new_scratch(K, n if codes.itemsize > 1 else 0)


@njit(**KERNEL)
def pair_up(widths, pairs):
    """Two widths to a byte."""
    n = widths.size
    for i in range(n // 2):
        pairs[i] = widths[2 * i] | (widths[2 * i + 1] << np.uint8(4))
    if n & 1:
        pairs[n // 2] = widths[n - 1]


@njit(**KERNEL)
def take_apart(pairs, widths):
    """The way back. Returns how many bytes of payload belong to the widths; -1 where one of them means nothing."""
    n = widths.size
    for i in range(n // 2):
        widths[2 * i] = pairs[i] & np.uint8(15)
        widths[2 * i + 1] = pairs[i] >> np.uint8(4)
    if n & 1:
        widths[n - 1] = pairs[n // 2]
    largest = np.uint8(0)
    for i in range(n):
        largest = max(largest, widths[i])
    total = np.int64(0)
    for i in range(n):
        total += np.int64(widths[i])
    return total if largest <= 8 else np.int64(-1)


@njit(**INNER)
def _per_level(betting, seat):
    """Rows and nodes of a seat in one chunk of contexts, by level."""
    rows, nodes = np.zeros(betting.chunk.size, np.int64), np.zeros(betting.chunk.size, np.int64)
    for level in range(rows.size):
        for node in range(betting.first_node[level], betting.first_node[level + 1]):
            if betting.player[node] == seat:
                rows[level] += betting.actions[node]
                nodes[level] += 1
    return rows, nodes


@njit(**INNER)
def _blocks_of_a_row(H, K):
    return K * ((H + BLOCK - 1) // BLOCK)


@njit(**KERNEL)
def sizes(betting, boards, seat, itemsize):
    """How many codes of so many bytes, blocks and scales of a seat there are."""
    codes = blocks = scales = np.int64(0)
    rows, nodes = _per_level(betting, seat)
    for board in range(boards.level.size):
        level = boards.level[board]
        H = boards.first_hand[board + 1] - boards.first_hand[board]
        K = betting.chunk[level]
        chunks, row = betting.contexts[level] // K, _blocks_of_a_row(H, K)
        codes += rows[level] * chunks * H * K
        blocks += itemsize * rows[level] * chunks * row
        scales += nodes[level] * chunks * ((H * K + SEGMENT - 1) // SEGMENT)
    return codes, blocks, scales


@njit(**KERNEL)
def pack(betting, boards, seat, codes, scales, signed, widths, payload, seat_scales):
    """The codes of a seat as widths and payload, and its scales; returns the size of the payload."""
    block = at = scale_at = np.int64(0)
    scratch = _scratch(betting, boards, codes)
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
                    block, at = pack_row(codes[x : x + n], K, signed, widths, block, payload, at, scratch)
                for i in range(pieces):
                    seat_scales[scale_at + i] = scales[scale + (node - first) * pieces + i]
                scale_at += pieces
    return at


@njit(**KERNEL)
def unpack(betting, boards, seat, codes, scales, signed, widths, payload, seat_scales):
    """The way back: the codes and scales of a seat to their places."""
    block = at = scale_at = np.int64(0)
    scratch = _scratch(betting, boards, codes)
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
                    block, at = unpack_row(codes[x : x + n], K, signed, widths, block, payload, at, scratch)
                for i in range(pieces):
                    scales[scale + (node - first) * pieces + i] = seat_scales[scale_at + i]
                scale_at += pieces
