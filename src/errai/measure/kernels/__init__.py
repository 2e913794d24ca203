"""Numba kernels of the best response in the unabstracted game: arrays in, arrays out, no I/O."""

from pathlib import Path

from errai.kernels.cache import discard_stale

_HOUSE = Path(__file__).parents[2]
discard_stale(
    Path(__file__).parent,
    *(_HOUSE / room for room in ("kernels", "cards", "engine/kernels", "blueprint/kernels")),
)
