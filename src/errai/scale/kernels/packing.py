"""Codes of one seat in few bits: eight codes take as many bits each as the largest of them needs.

    u = c                   a code, where none is below zero
    u = 2 c or -2 c - 1     otherwise, so that small codes of both signs are small numbers
    block                   the numbers of eight hands that follow each other, in one context
    width                   bits of the largest u of a block; 0 to 8, or an even number above
    payload                 eight times that many bits, the first u lowest: `width` bytes

Most regrets of a solution are zero or small. Hands are in order of strength, so what one of them does in a context
the next one does as well: their numbers are alike, and a width tells them from others at no
more than half a bit each, and less once the widths are compressed by themselves. Blocks lie side by side in vector
registers, so a code takes a fraction of a nanosecond either way, where an entropy coder takes one or two and
saves little more (docs/storage.md).

Rows of the other seat are left out: a pass changes the regrets of one seat alone.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.matching import SEGMENT
from errai.kernels.bits import load_word, store_word
from errai.kernels.options import INNER, KERNEL

BLOCK = 8  # hands whose codes share a width
TOGETHER = 256  # blocks that are worked on at a time, about
SPARE = 16  # bytes behind a payload that may be written or read
_LARGEST = 12  # of a width as it is written: 8 + half of what is above 8


@njit(**INNER)
def _to_small(code, signed, u):
    """Codes to the numbers that are packed; the rest is zero."""
    n = code.size
    if signed:
        for i in range(n):
            c = np.int32(code[i])
            u[i] = (c << 1) ^ (c >> 31)
    else:
        for i in range(n):
            u[i] = code[i]
    for i in range(n, u.size):
        u[i] = 0


@njit(**INNER)
def _from_small(u, signed, code):
    """The way back."""
    if signed:
        mask = np.int32((1 << 8 * code.itemsize) - 1)
        for i in range(code.size):
            small = np.int32(u[i]) & mask
            code[i] = (small >> 1) ^ -(small & 1)
    else:
        for i in range(code.size):
            code[i] = u[i]


@njit(**INNER)
def _move_runs(source, target, run, groups, back):
    """Groups of eight hands [groups, 8, run] to hands of all groups side by side [8, groups, run]; or `back`.

    Both are bytes, and so many make a run: the contexts of a hand. Runs are moved in words, in the order of where
    they go to, so that the next one overwrites what the last word writes beyond the end of a run.
    """
    outer, inner = (groups, BLOCK) if back else (BLOCK, groups)
    at = 0
    for i in range(outer):
        for j in range(inner):
            start = run * (j * outer + i)
            for byte in range(0, run, 8):
                store_word(target, at + byte, load_word(source, start + byte))
            at += run


@njit(**INNER)
def _widths_of(u, blocks, mask, width):
    """The width of each block; returns whether any is above 8."""
    widest = np.uint16(0)
    for b in range(blocks):
        most = np.uint16(u[b])
        for j in range(1, BLOCK):
            most |= np.uint16(u[b + j * blocks])
        most &= mask
        bits = np.uint8(most > 0) + np.uint8(most > 1) + np.uint8(most > 3) + np.uint8(most > 7)
        bits += np.uint8(most > 15) + np.uint8(most > 31) + np.uint8(most > 63) + np.uint8(most > 127)
        if most > 255:
            bits += 2 * (np.uint8(1) + np.uint8(most > 1023) + np.uint8(most > 4095) + np.uint8(most > 16383))
        width[b] = np.uint8(bits)
        widest |= most
    return widest > 255


@njit(**INNER)
def _pack_blocks(u, blocks, mask, width, word, payload, at):
    """Blocks side by side; returns the byte that follows."""
    wide = _widths_of(u, blocks, np.uint16(mask), width)
    if not wide:
        for b in range(blocks):
            w = np.uint64(width[b])
            packed = np.uint64(u[b]) & mask
            for j in range(1, BLOCK):
                packed |= (np.uint64(u[b + j * blocks]) & mask) << (np.uint64(j) * w)
            word[b] = packed
        for b in range(blocks):
            store_word(payload, at, word[b])
            at += np.int64(width[b])
        return at
    for b in range(blocks):
        w = np.uint64(width[b])
        low = high = np.uint64(0)
        for j in range(BLOCK // 2):
            low |= (np.uint64(u[b + j * blocks]) & mask) << (np.uint64(j) * w)
            high |= (np.uint64(u[b + (j + BLOCK // 2) * blocks]) & mask) << (np.uint64(j) * w)
        if w > np.uint64(8):
            store_word(payload, at, low)
            store_word(payload, at + np.int64(w >> np.uint64(1)), high)
        else:
            store_word(payload, at, low | (high << (np.uint64(4) * w)))
        at += np.int64(w)
    return at


@njit(**INNER)
def _unpack_blocks(u, blocks, width, word, payload, at):
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
                u[b + j * blocks] = (word[b] >> (np.uint64(j) * w)) & mask
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
            u[b + j * blocks] = (low >> (np.uint64(j) * w)) & mask
            u[b + (j + BLOCK // 2) * blocks] = (high >> (np.uint64(j) * w)) & mask
        at += np.int64(w)
    return at


@njit(**INNER)
def _groups(n, K):
    """Groups of eight hands that are worked on at a time, where n numbers in K contexts are left of a row."""
    return min(max(1, TOGETHER // K), (n + BLOCK * K - 1) // (BLOCK * K))


@njit(**INNER)
def _pack_row(code, K, signed, widths, block, payload, at, scratch):
    """A row of codes [H, K], in parts that stay in the first-level cache; returns the block and byte that follow."""
    by_hand, by_block, word = scratch
    mask, run = np.uint64((1 << 8 * code.itemsize) - 1), K * code.itemsize
    target = by_block.view(np.uint8)
    c = 0
    while c < code.size:
        groups = _groups(code.size - c, K)
        m, blocks = groups * BLOCK * K, groups * K
        if signed or c + m >= code.size:
            _to_small(code[c : c + m], signed, by_hand[:m])
            _move_runs(by_hand.view(np.uint8), target, run, groups, False)
        else:
            _move_runs(code[c:].view(np.uint8), target, run, groups, False)
        at = _pack_blocks(by_block, blocks, mask, widths[block : block + blocks], word, payload, at)
        block += blocks
        c += m
    return block, at


@njit(**INNER)
def _unpack_row(code, K, signed, widths, block, payload, at, scratch):
    """The way back. `payload` has as many bytes as the widths say."""
    by_hand, by_block, word = scratch
    run, source = K * code.itemsize, by_block.view(np.uint8)
    c = 0
    while c < code.size:
        groups = _groups(code.size - c, K)
        m, blocks = groups * BLOCK * K, groups * K
        at = _unpack_blocks(by_block, blocks, widths[block : block + blocks], word, payload, at)
        if signed or c + m >= code.size:
            _move_runs(source, by_hand.view(np.uint8), run, groups, True)
            _from_small(by_hand, signed, code[c : c + m])
        else:
            _move_runs(source, code[c:].view(np.uint8), run, groups, True)
        block += blocks
        c += m
    return block, at


@njit(**INNER)
def _scratch(betting, codes):
    """Numbers by hand and by block, with some to spare, and words of blocks."""
    K = 0
    for level in range(betting.chunk.size):
        K = max(K, betting.chunk[level])
    blocks = max(K, TOGETHER)
    size = BLOCK * blocks + SPARE
    return np.zeros(size, codes.dtype), np.zeros(size, codes.dtype), np.zeros(blocks, np.uint64)


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
        K = betting.chunk[level]
        n, chunks = H * K, betting.contexts[level] // K
        for node in range(betting.first_node[level], betting.first_node[level + 1]):
            if betting.player[node] == seat:
                rows = betting.actions[node] * chunks
                codes += rows * n
                blocks += rows * K * ((H + BLOCK - 1) // BLOCK)
                scales += (n + SEGMENT - 1) // SEGMENT * chunks
    return codes, blocks, scales


@njit(**KERNEL)
def pack(betting, boards, seat, codes, scales, signed, widths, payload, seat_scales):
    """The codes of a seat as widths and payload, and its scales; returns the size of the payload."""
    block = at = scale_at = np.int64(0)
    scratch = _scratch(betting, codes)
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
                    block, at = _pack_row(codes[x : x + n], K, signed, widths, block, payload, at, scratch)
                for i in range(pieces):
                    seat_scales[scale_at + i] = scales[scale + (node - first) * pieces + i]
                scale_at += pieces
    return at


@njit(**KERNEL)
def unpack(betting, boards, seat, codes, scales, signed, widths, payload, seat_scales):
    """The way back: the codes and scales of a seat to their places."""
    block = at = scale_at = np.int64(0)
    scratch = _scratch(betting, codes)
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
                    block, at = _unpack_row(codes[x : x + n], K, signed, widths, block, payload, at, scratch)
                for i in range(pieces):
                    scales[scale + (node - first) * pieces + i] = seat_scales[scale_at + i]
                scale_at += pieces
