"""What buckets take, before they are made."""

import pytest

from errai.abstraction.cost import estimate
from errai.abstraction.presets import parse_preset
from errai.errors import ErraiError
from errai.games.catalogue import load_game

HOLDEM = load_game("holdem")


def test_estimates_are_of_the_order_of_what_was_measured():
    """68 core-seconds for tiny and 568 for medium, on one machine."""
    tiny, medium = (estimate(HOLDEM, parse_preset(name)) for name in ("tiny", "medium"))
    assert 68 / 3 < tiny.core_seconds < 3 * 68
    assert 568 / 3 < medium.core_seconds < 3 * 568
    assert "of memory" in medium.text(2)
    assert "on 2 threads" in medium.text(2)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ErraiError, match=r"of memory in holdem and .* can be had; take fewer buckets"):
        estimate(HOLDEM, parse_preset("lossless/emd:10000000/emd:10000000/ranges:10000000"))
