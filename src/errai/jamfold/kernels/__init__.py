"""Kernels of the jam/fold games: arrays in, arrays out."""

from pathlib import Path

from errai.kernels.cache import discard_stale

# They rank hands with the kernels of errai.cards.
discard_stale(Path(__file__).parent, Path(__file__).parents[2] / "cards")
