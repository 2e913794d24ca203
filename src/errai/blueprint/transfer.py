"""What a training has learned on some buckets, carried over to others: from few to many, above all.

Few buckets learn fast, for many hands teach each of them; many play better in the end. So a training may begin on few
and continue on many. Regrets and averages are sums over the hands of a bucket. Those of an old bucket are divided
among the new ones in proportion to the hands that they share:

    new[b]  =  sum over old a of  old[a] * (hands in a and b) / (hands in a)

How many hands two buckets share is counted on random boards. A new bucket that was met on none of them begins afresh.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.blueprint.kernels.transfer import give_rows
from errai.blueprint.layout import BucketLayout
from errai.blueprint.training import Stage, Training, new_training
from errai.errors import ErraiError
from errai.runs.monitor import SILENT, Monitor

BOARDS = 4096  # random boards of a round on which shared hands are counted


class Shares(NamedTuple):
    """Which parts of which old buckets every new bucket gets."""

    first: NDArray[np.int64]  # [new buckets + 1]
    giver: NDArray[np.int64]  # old bucket
    share: NDArray[np.float32]  # of it


def on_other_buckets(
    training: Training,
    abstraction: Abstraction,
    tables: str,
    monitor: Monitor = SILENT,
    boards: int = BOARDS,
) -> Training:
    """A training on the other buckets that resumes this one; `tables` is the folder of the old ones."""
    old = training.layout
    if abstraction.game != old.game:
        raise ErraiError(f"the buckets are of {abstraction.game.name}, and the training of {old.game.name}")
    made = new_training(old.game, abstraction, training.plan, monitor)
    new = made.layout
    for round_ in range(new.rounds):
        shares = shared_hands(old.abstraction, abstraction, round_, boards)
        for before, after in _stores(training, made):
            if old.before(round_ + 1) <= len(before):
                _carry(old, new, round_, shares, before, after)
    made.samples, made.seconds = training.samples, training.seconds
    made.measurements = list(training.measurements)
    made.visit, made.visit_until = training.visit, training.visit_until
    stage = Stage(training.plan.method, training.samples, tables, training.seconds)
    made.stages = [*training.stages, stage]
    return made


def _stores(old: Training, new: Training) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    stores = [(old.regret, new.regret), (old.average, new.average)]
    if old.opponent_regret is not None and new.opponent_regret is not None:
        stores.append((old.opponent_regret, new.opponent_regret))
    return stores


def _carry(
    old: BucketLayout,
    new: BucketLayout,
    round_: int,
    shares: Shares,
    before: NDArray[np.float32],
    after: NDArray[np.float32],
) -> None:
    source, goal = old.view(before, round_), new.view(after, round_)
    for line, chunk in np.ndindex(source.shape[:2]):
        rows, out = source[line, chunk], goal[line, chunk]
        give_rows(*shares, rows.reshape(len(rows), -1), out.reshape(len(out), -1))


def shared_hands(old: Abstraction, new: Abstraction, round_: int, boards: int) -> Shares:
    """How the old buckets of a round are divided among the new ones."""
    game, deck = old.game, old.deck
    sizes = game.board_cards[: round_ + 1]
    ends = np.cumsum((0, *sizes)).tolist()
    random = np.random.default_rng(round_)
    pairs, count = np.empty(0, np.int64), np.empty(0, np.int64)
    for _ in range(boards if ends[-1] else 1):
        cards = random.permutation(deck.size)[: ends[-1]].tolist()
        dealt = tuple(tuple(cards[low:high]) for low, high in pairwise(ends))
        was, now = old.buckets(dealt)[-1], new.buckets(dealt)[-1]
        met = now[was >= 0] * old.counts[round_] + was[was >= 0]
        pairs = np.concatenate([pairs, met])
        count = np.concatenate([count, np.ones(len(met), np.int64)])
        if len(pairs) > 1 << 22:
            pairs, count = _counted(pairs, count)
    pairs, count = _counted(pairs, count)
    goal, giver = np.divmod(pairs, old.counts[round_])
    hands = np.bincount(giver, count, old.counts[round_])
    first = np.searchsorted(goal, np.arange(new.counts[round_] + 1))
    return Shares(first.astype(np.int64), giver, (count / hands[giver]).astype(np.float32))


def _counted(
    pairs: NDArray[np.int64], count: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different pairs in order, and how often each was met."""
    kept, number = np.unique(pairs, return_inverse=True)
    return kept, np.bincount(number, count, len(kept)).astype(np.int64)
