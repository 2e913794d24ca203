"""Random numbers of a sample, and of each line in it: the same whatever thread walks it, and when."""

from __future__ import annotations

import numpy as np
from numba import njit

from errai.kernels.options import INNER


@njit(**INNER)
def random_number(state):
    """A number in [0, 1): splitmix64."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53


@njit(**INNER)
def first_state(seed, sample):
    """Where the random numbers of a sample begin: a hash of the seed and its number."""
    z = (seed + np.uint64(1)) * np.uint64(0xD1342543DE82EF95) + sample * np.uint64(0xAEF17502108EF2D9)
    z = (z ^ (z >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return z ^ (z >> np.uint64(29))


@njit(**INNER)
def line_state(seed, sample, line, player):
    """Where the random numbers of a line begin, in a sample for a seat."""
    return first_state(first_state(seed, sample), np.uint64(2 * line + player))


@njit(**INNER)
def draw_cards(state, deck, known, cards):
    """Cards from `known` on, different from all before."""
    for i in range(known, cards.size):
        while True:
            card = np.int64(random_number(state) * deck)
            free = True
            for j in range(i):
                if cards[j] == card:
                    free = False
            if free:
                cards[i] = card
                break
