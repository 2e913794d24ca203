"""Parameters that many functions take, checked in one way."""

from __future__ import annotations

from errai.errors import ErraiError


def check_threads(threads: int | None) -> None:
    """None is for all cores."""
    if threads is not None and threads < 1:
        raise ErraiError(f"threads must be 1 or more, not {threads}", parameter="threads")


def check_seed(seed: int) -> None:
    """Of random numbers."""
    if seed < 0:
        raise ErraiError(f"seed must be 0 or more, not {seed}", parameter="seed")


def check_flops(flops: int | None) -> None:
    """None is for all of them."""
    if flops is not None and (flops < 2 or flops % 2):
        raise ErraiError(f"flops must be an even number, 2 or more, not {flops}", parameter="flops")
