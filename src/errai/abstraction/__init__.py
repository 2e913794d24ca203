"""Hands that are played alike: features, buckets, and their tables. Knows nothing of betting."""
