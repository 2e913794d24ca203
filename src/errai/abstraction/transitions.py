"""How hands move from bucket to bucket when cards are dealt, counted over all deals.

shares(abstraction)[r][b]           probability that a hand is in bucket b of round r                [buckets]
transitions(abstraction)[r][a, b]   probability of bucket b of round r + 1, given bucket a of round r
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.features import Hands, hands_of
from errai.abstraction.kernels.recall import count_joint, fill_buckets
from errai.abstraction.recall import recalled
from errai.abstraction.report import cell_deals
from errai.errors import ErraiError
from errai.runs.monitor import SILENT, Monitor

Floats = NDArray[np.float64]
AT_ONCE = 65536  # boards
NO_REFINEMENT = np.empty((0, 0), np.int32)


def shares(abstraction: Abstraction) -> list[Floats]:
    """[buckets] of every round: how often a hand is in each, over all deals."""
    of = hands_of(abstraction.game)
    found = []
    for round_ in abstraction.rounds:
        deals = cell_deals(round_, of).astype(np.float64)
        found.append(deals / deals.sum())
    return found


def transitions(abstraction: Abstraction, monitor: Monitor = SILENT) -> list[Floats]:
    """[before, after] for every round but the last; rows add up to one."""
    if any(round_.refine is not None for round_ in abstraction.rounds):
        raise ErraiError("transitions are counted between buckets that forget the rounds before")
    of, found = hands_of(abstraction.game), []
    for round_ in range(1, len(abstraction.rounds)):
        monitor.step(f"transitions to round {round_ + 1}")
        joint = _joint(abstraction, of, round_).astype(np.float64)
        total = joint.sum(axis=1, keepdims=True)
        found.append(np.divide(joint, total, out=np.zeros_like(joint), where=total > 0))
    return found


def _joint(abstraction: Abstraction, of: Hands, round_: int) -> NDArray[np.int64]:
    """[before, after] deals, over all boards in the order dealt."""
    before, after = abstraction.rounds[round_ - 1 : round_ + 1]
    joint = np.zeros((before.count, after.count), np.int64)
    parent = _ordered(abstraction, of, round_ - 1)
    boards, known = recalled(abstraction.game, of, round_, parent, after.cells)
    for start in range(0, len(boards.cards), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        count_joint(boards.cards[some], boards.weight[some], known, joint)
    return joint


def _ordered(abstraction: Abstraction, of: Hands, round_: int) -> NDArray[np.int32]:
    """[B, N] the buckets of a round on its boards in the order dealt."""
    nothing = np.zeros((1, len(of.cards)), np.int32)
    boards, known = recalled(abstraction.game, of, round_, nothing, abstraction.rounds[round_].cells)
    out = np.empty((len(boards.cards), len(of.cards)), np.int32)
    fill_buckets(boards.cards, known, NO_REFINEMENT, out)
    return out
