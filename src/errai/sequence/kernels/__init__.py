"""Kernels of the sequence form: arrays in, arrays out."""

from pathlib import Path

from errai.kernels.cache import discard_stale

# They are compiled with the options and the columns of rates of the engine.
_HOUSE = Path(__file__).parents[2]
discard_stale(Path(__file__).parent, _HOUSE / "kernels", _HOUSE / "engine" / "kernels")
