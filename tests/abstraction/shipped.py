"""Checksums of the shipped strategy's buckets on some boards: of all hands, found without tables."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np

import errai
from errai.abstraction.saved import cells_on, load_description
from errai.cards.notation import FULL_DECK

BUCKETS = {
    "Ks7s2d 5c": 3533199555,
    "Ks7s2d 5d": 3687563638,
    "AcAdAh 2s": 720605954,
    "Th9h8h 7h": 3504445746,
    "5c4c2d 3s": 2371801645,
    "QsJd4h Qc": 384410993,
    "Ks7h2d 5c 9h": 235156062,
    "Ks7h2d 9h 5c": 534974599,
    "AsKsQs Js Ts": 4040266033,
    "2c2d3h 3s 4c": 1215812065,
    "8h6d5s 7c 9c": 1163340503,
    "AhTd4c 4d Ac": 766826974,
    "Jc9d3c 6s 2h": 276950925,
    "KdQd8s 8c Kh": 2652828990,
}


def shipped_checksums() -> dict[str, int]:
    shipped = load_description(Path(errai.__file__).parent / "strategies" / "holdem" / "abstraction")
    found = {}
    for board in BUCKETS:
        cards = FULL_DECK.parse(board)
        buckets = cells_on(shipped, len(cards) - 2, cards)
        assert buckets.shape == (1326,)
        found[board] = zlib.crc32(buckets.astype(np.int64).tobytes())
    return found
