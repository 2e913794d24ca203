"""Numba kernels of training on buckets and of the real-game best response: arrays in, arrays out, no I/O.

Legend: P preflop lines (ways to end the first round), A rows of a template, H hands of a board, K contexts.
"""

from pathlib import Path

from errai.kernels.cache import discard_stale

_HOUSE = Path(__file__).parents[2]
discard_stale(Path(__file__).parent, *(_HOUSE / room for room in ("kernels", "cards", "engine/kernels")))
