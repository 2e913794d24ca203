"""Kernels of the sequence form: arrays in, arrays out."""

from pathlib import Path

from errai.compiled import discard_stale

# They are compiled with the options and the columns of rates of the engine.
discard_stale(Path(__file__).parent, Path(__file__).parents[2] / "engine" / "kernels")
