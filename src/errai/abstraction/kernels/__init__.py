"""Numba kernels of the abstraction: arrays in, arrays out, no classes, no I/O."""

from pathlib import Path

from errai.kernels.cache import discard_stale

# They rank hands with the kernels of errai.cards.
_HOUSE = Path(__file__).parents[2]
discard_stale(Path(__file__).parent, *(_HOUSE / room for room in ("kernels", "cards")))
