"""A strategy's weights as probabilities of one byte: 255ths that add up to 255 at every decision.

With fewer levels, a divisor of 255 such as 15, they are whole multiples of 255 / levels, which packs better.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import KERNEL
from errai.strategy.quantised import UNITS


@njit(**KERNEL)
def quantise(weights, first_block, last_block, first, rows, K, row, actions, levels, out):
    """The blocks [A, K] from first_block to last_block of a round that begins at `first`: weights to bytes.

    Shares are rounded down, and what is missing goes to the largest remainders (errai.strategy.quantised).
    """
    share = np.empty(3)
    held = np.empty(3, np.int64)
    for block in range(first_block, last_block):
        base = first + block * rows * K
        for node in range(row.size):
            n = actions[node]
            at = base + row[node] * K
            for j in range(K):
                total = 0.0
                for a in range(n):
                    share[a] = max(np.float64(weights[at + a * K + j]), 0.0)
                    total += share[a]
                if total <= 0.0:
                    for a in range(n):
                        share[a] = 1.0
                    total = np.float64(n)
                left = levels
                for a in range(n):
                    share[a] *= levels / total
                    held[a] = np.int64(share[a])
                    share[a] -= held[a]
                    left -= held[a]
                while left > 0:
                    most = 0
                    for a in range(1, n):
                        if share[a] > share[most]:
                            most = a
                    held[most] += 1
                    share[most] = -1.0
                    left -= 1
                for a in range(n):
                    out[at + a * K + j] = held[a] * (UNITS // levels)
