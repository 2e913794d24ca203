"""What a layout must agree on for saved numbers to mean what they meant.

The arrays of a store are flat and say nothing about themselves. Another order of hands, boards or contexts (of
another version, say) would read them without a complaint and wrongly; a fingerprint tells.
"""

from __future__ import annotations

import zlib

import numpy as np

from errai.engine.layout import Layout


def fingerprint(layout: Layout) -> dict[str, int]:
    """The sizes of a layout and a checksum of everything that decides where a number lies."""
    places = (
        layout.betting.player, layout.betting.actions, layout.betting.row, layout.betting.contexts,
        layout.betting.chunk, layout.boards.offset, layout.boards.block, layout.shape.tree.cards,
        layout.hand_classes.hand,
    )  # fmt: skip
    checksum = 0
    for array in places:
        checksum = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, checksum)
    return {
        "numbers": layout.shape.numbers,
        "information_sets": layout.shape.information_sets,
        "order": checksum,
    }
