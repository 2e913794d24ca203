"""Kernels of games on joint buckets."""
