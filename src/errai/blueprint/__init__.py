"""A strategy for a game too large to solve exactly: training on buckets, and its best response in the real game."""
