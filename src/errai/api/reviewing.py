"""What a review takes from earlier measurements."""

from __future__ import annotations

from contextlib import suppress

from errai.abstraction.saved import load_abstraction
from errai.api.measuring import work_folder
from errai.errors import ErraiError
from errai.strategy.kinds.buckets import TABLES, BucketStrategy
from errai.strategy.strategy import Strategy


def with_tables_made(strategy: Strategy) -> Strategy:
    """The same strategy with the tables of its buckets, if a match or `exploit` has made them; AIVAT needs them."""
    if not isinstance(strategy, BucketStrategy) or strategy.abstraction.has_tables:
        return strategy
    place = work_folder(strategy)
    if place is not None and (place / TABLES).is_dir():
        with suppress(ErraiError):  # they are still being made, or damaged: the next match makes them anew
            abstraction = load_abstraction(place / TABLES)
            abstraction.read_tables()
            return BucketStrategy(strategy.folder, strategy.content, abstraction)
    return strategy
