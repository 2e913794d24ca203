"""What the parts of an abstraction must be before anything is looked up by their numbers.

A checksum says that a file is as it was saved, not that it was saved by Errai. Kernels do not check what they index
by, so every number is compared with the sizes of the game first, once, when a part is opened: the largest of a table
of 350 MB is found in a tenth of a second.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.features import BINS, CLUSTERS
from errai.abstraction.presets import MOST_BUCKETS, RoundPlan
from errai.errors import ErraiError

TYPES = {np.dtype(name).str: np.dtype(name) for name in ("uint8", "uint16", "uint32", "int32", "float32")}


def require(path: Path, sound: bool, complaint: str) -> None:
    """Refuse a part."""
    if not sound:
        raise ErraiError(f"{path} is damaged: {complaint}; it must be made again")


def require_boards(path: Path, boards: NDArray[Any], count: int, cards: int, deck: int) -> None:
    """[B, public cards] different cards of the deck."""
    shaped = boards.dtype == np.uint8 and boards.shape == (count, cards)
    require(path, shaped, f"it is not of {count:,} boards of {cards} cards")
    ordered = np.sort(boards, axis=1)
    different = bool((ordered[:, 1:] > ordered[:, :-1]).all()) and bool((boards < deck).all())
    require(path, different, f"its boards are not of different cards of a deck of {deck}")


def require_cells(path: Path, table: NDArray[Any], boards: int, hands: int, cells: int) -> None:
    """[B, N] cells below their number."""
    shaped = table.dtype in (np.uint16, np.uint32) and table.shape == (boards, hands)
    require(path, shaped, f"it is not of {boards:,} boards and {hands:,} hands")
    require(path, int(table.max(initial=0)) < cells, f"it has cells above the {cells:,} that there are")


def require_rule(path: Path, rule: NDArray[Any], plan: RoundPlan, last: bool) -> None:
    """Centres [cells, d] that are finite, or limits [cells]; `last`: no card is to come."""
    if plan.grouping == "kmeans":
        most = {"emd": BINS, "ochs": CLUSTERS, "ranges": CLUSTERS if last else 2 * CLUSTERS}
        shaped = rule.dtype == np.float32 and rule.ndim == 2 and 1 <= len(rule) <= MOST_BUCKETS
        require(
            path,
            shaped and 1 <= rule.shape[1] <= most.get(plan.method, 1),
            f"it has no centres for {plan.text}",
        )
        require(path, bool(np.isfinite(rule).all()), "its centres are not numbers")
    else:
        fewest = 3 if plan.method == "potential" else 1
        shaped = rule.dtype == np.uint16 and rule.ndim == 1 and len(rule) >= fewest
        require(path, shaped, f"it has no limits for {plan.text}")


def require_refine(
    path: Path, refine: NDArray[Any], before: int, cells: int | None, count: int | None
) -> None:
    """[buckets of the round before, cells] buckets of the round, -1 where it never happens."""
    shaped = refine.dtype == np.int32 and refine.ndim == 2 and refine.size > 0 and len(refine) == before
    require(
        path,
        shaped and refine.shape[1] == (refine.shape[1] if cells is None else cells),
        f"it does not refine the {before:,} buckets of the round before",
    )
    low, high = int(refine.min()), int(refine.max())
    most = refine.size if count is None else count
    require(path, low >= -1 and 0 <= high < most, f"it has buckets above the {most:,} that there are")


def require_clusters(path: Path, clusters: NDArray[Any], hands: int) -> None:
    """[N] clusters of opponent hands."""
    require(path, clusters.dtype == np.uint8 and clusters.shape == (hands,), f"it is not of {hands:,} hands")
    require(path, int(clusters.max(initial=0)) < CLUSTERS, f"it has more than {CLUSTERS} clusters")


def require_strengths(path: Path, table: NDArray[Any], boards: int, hands: int) -> None:
    """[B, N] strengths, of which any number is one."""
    shaped = table.dtype == np.uint16 and table.shape == (boards, hands)
    require(path, shaped, f"it is not of {boards:,} boards and {hands:,} hands")
