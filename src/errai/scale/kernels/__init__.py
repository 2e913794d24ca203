"""Kernels between trunk and subgames, and between codes and what is compressed of them."""
