"""What batches of hands are played with, and public states with the ranges of both players are followed by."""

from pathlib import Path

from errai.kernels.cache import discard_stale

_HOUSE = Path(__file__).parents[2]
discard_stale(
    Path(__file__).parent,
    *(_HOUSE / room for room in ("kernels", "cards", "engine/kernels", "blueprint/kernels")),
)
