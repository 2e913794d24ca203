"""Numba kernels of the engine: arrays in, arrays out, no classes, no I/O.

Legend: A actions of a template (rows), H hand classes of a board, K contexts, W lanes of a tile.
"""

from pathlib import Path

from errai.kernels.cache import discard_stale

discard_stale(Path(__file__).parent, Path(__file__).parents[2] / "kernels")
