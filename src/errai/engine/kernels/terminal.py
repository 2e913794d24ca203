"""Folds and showdowns: from the opponent's reach to my values, W lanes at a time.

A lane is one context at one of the opponent's sequences. With C[c] the reach of the hands that hold card c,

    fold      F_h = total - C[x] - C[y] + r_h
    showdown  D_h = weaker - stronger = (before the tie) + (up to the tie's end) - (total - C[x] - C[y])

where both brackets are of the form  sum - C[x] - C[y]  over the hands in order of strength. Starting the sums
at minus half of their totals makes the last term vanish, so one upward sweep is enough. With hands of one card
C[x] is the hand's own reach and cancels from D: no sums by card are needed.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.lanes import W, load, splat, store
from errai.kernels.options import KERNEL


@njit(**KERNEL)
def card_sums(tile, H, card, share, size, sums):
    """sums[c * W:] = C[c] for every card orbit c; the total comes last."""
    number = tile.dtype.type
    zero = splat(number(0))
    rows = sums.size // W
    for c in range(rows):
        store(sums, c * W, zero)
    total = zero
    for i in range(H):
        x, y = np.intp(card[i, 0]) * W, np.intp(card[i, 1]) * W
        r = load(tile, i * W)
        total = total + r * splat(number(size[i]))
        store(sums, x, load(sums, x) + r * splat(number(share[i, 0])))
        store(sums, y, load(sums, y) + r * splat(number(share[i, 1])))
    store(sums, (rows - 1) * W, total)


@njit(**KERNEL)
def fold(tile, H, card, sums, out):
    total = load(sums, sums.size - W)
    for i in range(H):
        x, y = np.intp(card[i, 0]) * W, np.intp(card[i, 1]) * W
        store(out, i * W, total - load(sums, x) - load(sums, y) + load(tile, i * W))


@njit(**KERNEL)
def showdown(tile, H, card, share, size, ties, sums, out):
    """Needs the card sums of the tile, and uses them up."""
    number = tile.dtype.type
    rows = sums.size // W
    minus_half = splat(number(-0.5))
    for c in range(rows):
        store(sums, c * W, load(sums, c * W) * minus_half)
    total = load(sums, (rows - 1) * W)
    start = 0
    for tie in range(ties.size):
        end = ties[tie]
        for i in range(start, end):
            x, y = np.intp(card[i, 0]) * W, np.intp(card[i, 1]) * W
            store(out, i * W, total - load(sums, x) - load(sums, y))
        for i in range(start, end):
            x, y = np.intp(card[i, 0]) * W, np.intp(card[i, 1]) * W
            r = load(tile, i * W)
            total = total + r * splat(number(size[i]))
            store(sums, x, load(sums, x) + r * splat(number(share[i, 0])))
            store(sums, y, load(sums, y) + r * splat(number(share[i, 1])))
        for i in range(start, end):
            x, y = np.intp(card[i, 0]) * W, np.intp(card[i, 1]) * W
            store(out, i * W, load(out, i * W) + total - load(sums, x) - load(sums, y))
        start = end


@njit(**KERNEL)
def total_reach(tile, H, size, total):
    """The total alone, for hands of one card."""
    number = tile.dtype.type
    reach = splat(number(0))
    for i in range(H):
        reach = reach + load(tile, i * W) * splat(number(size[i]))
    store(total, 0, reach)


@njit(**KERNEL)
def fold_one(tile, H, total, out):
    everyone = load(total, 0)
    for i in range(H):
        store(out, i * W, everyone - load(tile, i * W))


@njit(**KERNEL)
def showdown_one(tile, H, size, ties, total, out):
    number = tile.dtype.type
    below = splat(number(0))
    everyone = load(total, 0)
    start = 0
    for tie in range(ties.size):
        end = ties[tie]
        up_to = below
        for i in range(start, end):
            up_to = up_to + load(tile, i * W) * splat(number(size[i]))
        for i in range(start, end):
            store(out, i * W, below + up_to - everyone)
        below = up_to
        start = end


@njit(**KERNEL)
def gather(reach, bases, count, H, K, tile):
    """`count` stretches of K (or, for one of them, W) contexts become the lanes of a tile, row by row.

    Rows are moved W numbers at a time; what that writes beyond a stretch is overwritten by the next one.
    """
    for i in range(H):
        for j in range(count):
            store(tile, i * W + j * K, load(reach, bases[j] + i * K))


@njit(**KERNEL)
def scatter(out, amount, lane, width, H, K, base, value):
    """Lanes lane..lane+width, times the chips at stake, become values of contexts: value[base + i * K ...].

    Rows are written W numbers at a time in ascending order, so that the next row mends what the last one wrote
    beyond its end; the last rows are written exactly.
    """
    stake = load(amount, lane)
    exact = 0 if width == W else min(H, (W + K - 1) // K)
    for i in range(H - exact):
        store(value, base + i * K, load(out, i * W + lane) * stake)
    for i in range(H - exact, H):
        for j in range(width):
            value[base + i * K + j] = out[i * W + lane + j] * amount[lane + j]
