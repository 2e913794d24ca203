"""Folds and showdowns: from the opponent's reach to my values, W lanes at a time.

A lane is one context at one of the opponent's sequences. With C[c] the reach of the hands that hold card c,

    fold      F_h = total - C[x] - C[y] + r_h
    showdown  D_h = weaker - stronger = (before the tie) + (up to the tie's end) - (total - C[x] - C[y])

where both brackets are of the form  sum - C[x] - C[y]  over the hands in order of strength. Starting the sums
at minus half of their totals makes the last term vanish, so one upward sweep is enough. A hand with one card
has its own reach in C[x] and nothing else to add back: `own` is 0 for one card, 1 for two.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.engine.kernels.lanes import W, load, splat, store
from errai.engine.kernels.options import FAST


@njit(**FAST)
def card_sums(tile, H, card, share, size, sums):  # type: ignore[no-untyped-def]
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


@njit(**FAST)
def fold(tile, H, card, sums, own, out):  # type: ignore[no-untyped-def]
    number = tile.dtype.type
    total = load(sums, sums.size - W)
    back = splat(number(own))
    for i in range(H):
        x, y = np.intp(card[i, 0]) * W, np.intp(card[i, 1]) * W
        store(out, i * W, total - load(sums, x) - load(sums, y) + back * load(tile, i * W))


@njit(**FAST)
def showdown(tile, H, card, share, size, ties, sums, out):  # type: ignore[no-untyped-def]
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


@njit(**FAST)
def gather(reach, base, H, K, k, width, lane, tile):  # type: ignore[no-untyped-def]
    """Contexts k..k+width of one sequence become lanes of the tile."""
    if width == W:
        for i in range(H):
            store(tile, i * W, load(reach, base + i * K + k))
    else:
        for i in range(H):
            for j in range(width):
                tile[i * W + lane + j] = reach[base + i * K + k + j]


@njit(**FAST)
def scatter(out, amount, base, H, K, k, width, lane, assign, value):  # type: ignore[no-untyped-def]
    """Lanes of the tile, times the chips at stake, become (or are added to) values of one sequence."""
    if width == W:
        stake = load(amount, 0)
        if assign:
            for i in range(H):
                store(value, base + i * K + k, load(out, i * W) * stake)
        else:
            for i in range(H):
                at = base + i * K + k
                store(value, at, load(value, at) + load(out, i * W) * stake)
    elif assign:
        for i in range(H):
            for j in range(width):
                value[base + i * K + k + j] = out[i * W + lane + j] * amount[lane + j]
    else:
        for i in range(H):
            for j in range(width):
                value[base + i * K + k + j] += out[i * W + lane + j] * amount[lane + j]
