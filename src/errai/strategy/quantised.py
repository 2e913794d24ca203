"""Probabilities in whole 255ths, one byte each, that still add up to one.

The A probabilities of a decision are rounded down to 255ths, and what is missing goes, one 255th each, to those that
lost the most. So the bytes of a decision add up to exactly 255, and

    |byte / 255 - probability| <= (1 - 1 / A) / 255

which is 0.0020 with two actions and 0.0026 with three.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.games.template import Template

UNITS = 255


def quantised(weights: NDArray[np.number], levels: int = UNITS) -> NDArray[np.uint8]:
    """[A, n] bytes for the weights [A, n] of one decision; all alike where there is no weight.

    With fewer levels, a divisor of 255, they are multiples of 255 / levels.
    """
    shares = np.maximum(np.asarray(weights, np.float64), 0)
    total = shares.sum(axis=0)
    exact = np.where(total > 0, shares / np.where(total > 0, total, 1), 1 / len(shares)) * levels
    whole = np.floor(exact)
    lost = exact - whole
    missing = levels - whole.sum(axis=0)
    columns = np.arange(exact.shape[1])
    for given in range(len(shares)):
        most = lost.argmax(axis=0)
        whole[most, columns] += missing > given
        lost[most, columns] = -1
    return (whole * (UNITS // levels)).astype(np.uint8)


def quantised_round(template: Template, weights: NDArray[np.floating]) -> NDArray[np.uint8]:
    """[A, buckets] bytes for the weights [A, buckets] of a round in one context, A rows of all its decisions."""
    rows = np.empty(weights.shape, np.uint8)
    for node in template.nodes:
        own = slice(node.row, node.row + len(node.actions))
        rows[own] = quantised(weights[own])
    return rows


def without_last(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[A - 1, n] of the bytes [A, n] of one decision: the last is what is missing to 255."""
    if (rows.sum(axis=0, dtype=np.int64) != UNITS).any():
        raise ErraiError("the probabilities of a decision do not add up to 255 255ths; quantise them first")
    return rows[:-1]


def with_last(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[A, n], the inverse of `without_last`."""
    last = UNITS - rows.sum(axis=0, dtype=np.int64)
    return np.concatenate([rows, last[None].astype(np.uint8)])
