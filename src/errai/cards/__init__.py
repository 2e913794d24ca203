"""Cards, ranges, hand strength and the symmetry of suits. Knows nothing of betting."""

from pathlib import Path

from errai.kernels.cache import discard_stale

discard_stale(Path(__file__).parent)
