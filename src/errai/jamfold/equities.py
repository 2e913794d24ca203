"""How the 169 classes of hands do against each other, all in before the flop: exact counts, nothing sampled.

A deal is a pair of disjoint hands and a board: 1,624,350 pairs of hands and 1,712,304 boards for each. `wins[a,
b]` is the number of deals in which a hand of class a beats one of class b. The rest of the deals of two classes
are losses, which are `wins[b, a]`, and ties. The counts come with the package; `compute_wins` makes them anew.

Classes are in the order of the grid of hands: AA first, 22 last (errai.cards.notation.GRID).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import GRID, hand_class_of, hands
from errai.errors import ErraiError

HANDS = tuple(name for row in GRID for name in row)  # the 169 classes
CLASSES = len(HANDS)
BOARDS = 1_712_304  # five cards of 48
PAIRS = 1_624_350  # ordered pairs of disjoint hands
FILE = "wins.npy"
SHA256 = "67e410a482ba5bb74f64a1787bf39d8b2d60446874d194602f381d5ba3150182"

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Equities:
    """Counts of deals, [169, 169] each: class a in the rows against class b in the columns."""

    wins: Counts
    ties: Counts
    pairs: Counts  # of disjoint hands, boards not counted

    @property
    def losses(self) -> Counts:
        return self.wins.T

    def equity(self, one: str, other: str) -> float:
        """The share of the pot that a class of hands wins against another on average."""
        a, b = class_number(one), class_number(other)
        deals = int(self.pairs[a, b]) * BOARDS
        return (int(self.wins[a, b]) + int(self.ties[a, b]) / 2) / deals


def class_number(name: str) -> int:
    """The place of a class of hands: `AKs`, `aks`, `72o`, `TT`."""
    text = name.strip()
    wanted = text[:2].upper() + text[2:].lower()
    swapped = wanted[1::-1] + wanted[2:]
    for spelling in (wanted, swapped):
        if spelling in HANDS:
            return HANDS.index(spelling)
    raise ErraiError(f"{name!a} is not one of the 169 hands; write AA, AKs or AKo")


@cache
def equities() -> Equities:
    """The counts that come with the package, checked."""
    content = (files("errai.jamfold") / FILE).read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ErraiError(f"{FILE} of errai.jamfold is damaged: its checksum is wrong; install Errai again")
    header = len(content) - 4 * CLASSES**2
    wins = np.frombuffer(content, np.int32, offset=header).reshape(CLASSES, CLASSES)
    return of_wins(wins.astype(np.int64))


def of_wins(wins: Counts) -> Equities:
    """Everything that follows from the wins."""
    pairs = disjoint_pairs()
    return Equities(wins, pairs * BOARDS - wins - wins.T, pairs)


def disjoint_pairs() -> Counts:
    """[169, 169] how many pairs of hands of two classes share no card."""
    holes = hands(52, 2).astype(np.int64)
    # In floats, whose products are fast and here exact.
    holds = np.zeros((len(holes), 52))
    np.put_along_axis(holds, holes, 1.0, axis=1)
    member = np.zeros((len(holes), CLASSES))
    member[np.arange(len(holes)), hand_class_of()] = 1.0
    disjoint = (holds @ holds.T == 0).astype(np.float64)
    return np.rint(member.T @ disjoint @ member).astype(np.int64)


def compute_wins(
    threads: int | None = None, progress: Callable[[float], None] = lambda share: None
) -> NDArray[np.int32]:
    """[169, 169] the wins, counted anew over all boards; `progress` is told the share that is done."""
    from errai.jamfold.kernels.matchups import PADDED, count_wins, river_boards

    boards, stands_for = river_boards()
    holes, class_of = hands(52, 2), hand_class_of()
    workers = threads or os.cpu_count() or 1
    pieces = [slice(first, first + 1000) for first in range(0, len(boards), 1000)]
    done = 0

    def count(piece: slice) -> NDArray[np.int32]:
        wins = np.zeros((CLASSES, PADDED), np.int32)
        count_wins(boards[piece], stands_for[piece], holes, class_of, wins)
        return wins

    total = np.zeros((CLASSES, PADDED), np.int32)
    with ThreadPoolExecutor(workers, "errai") as pool:
        for wins in pool.map(count, pieces):
            total += wins
            done += 1
            progress(done / len(pieces))
    return np.ascontiguousarray(total[:, :CLASSES])
