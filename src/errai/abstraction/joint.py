"""How two players' buckets go together: on one round, from round to round, and at a showdown.

    network = joint_buckets(abstraction, first=1, runouts=4)
    network.first[a, b]             probability that seat 0 is in bucket a and seat 1 in b          [n, n]
    network.steps[r][a, b, c, d]    of buckets c and d a round later, given a and b                 [n, n, m, m]
    network.share[a, b]             what a wins of the stake from b at the end, -1 to 1             [m, m]

The transition probabilities (n x n) to (n x n) of PsOpti (Billings et al. 2003). All pairs of disjoint hands count,
on every canonical board of the first round, with a sample of `runouts` of the cards that follow, the same for all
hands. The model may end before the river: then its last step is one to where the cards are all out, for the share.
Buckets that refine those of the round before count by their cells: the network has the refining.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.features import Hands, hands_of
from errai.abstraction.kernels.pairs import add_ahead, add_pairs
from errai.cards.strength import strengths
from errai.errors import ErraiError, StoppedError
from errai.runs.monitor import SILENT, Monitor

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Network:
    """The buckets of two players, from round to round."""

    first: Floats
    steps: tuple[Floats, ...]
    share: Floats
    boards: int  # ways to deal all cards that were looked at

    def merged(self, into: Sequence[NDArray[np.int64]]) -> Network:
        """With coarser buckets: `into` [n] of every round says which new bucket each old one belongs to."""
        member = [np.eye(int(of.max()) + 1)[of] for of in into]
        now = self.first
        steps = []
        for step, before, after in zip(self.steps, member[:-1], member[1:], strict=True):
            joint = now[:, :, None, None] * step
            merged = np.einsum("abcd,aA,bB,cC,dD->ABCD", joint, before, before, after, after, optimize=True)
            total = merged.sum(axis=(2, 3), keepdims=True)
            steps.append(np.divide(merged, total, out=np.zeros_like(merged), where=total > 0))
            now = joint.sum(axis=(0, 1))
        met, won = (member[-1].T @ of @ member[-1] for of in (now, now * self.share))
        share = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
        return Network(member[0].T @ self.first @ member[0], tuple(steps), share, self.boards)


def joint_buckets(
    abstraction: Abstraction,
    first: int,
    last: int | None = None,
    runouts: int = 4,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Network:
    """The network of the rounds from `first` to `last`, the last of all if nothing is said."""
    game, of = abstraction.game, hands_of(abstraction.game)
    last = len(abstraction.rounds) - 1 if last is None else last
    if not 0 <= first <= last < len(abstraction.rounds):
        raise ErraiError(f"{game.name} has no rounds {first + 1} to {last + 1}")
    counts = [round_.cell_count for round_ in abstraction.rounds[first : last + 1]]
    if max(counts) ** 2 > MOST_LABELS:
        raise ErraiError(
            f"a network of {max(counts):,} buckets a round is too large; take {MOST_BUCKETS} or fewer"
        )
    joint = np.zeros((counts[0], counts[0]))
    pairs = [np.zeros((n * m, n * m)) for n, m in pairwise(counts)]
    ahead, met = np.zeros((counts[-1], counts[-1])), np.zeros((counts[-1], counts[-1]))
    seen = 0
    for weight, dealt in _deals(abstraction, first, runouts, seed, monitor):
        buckets = [_buckets(abstraction, of, round_, dealt) for round_ in range(first, last + 1)]
        live = of.live(np.array([dealt], np.uint8))[0]
        labels = [np.where(live, bucket, -1) for bucket in buckets]
        add_pairs(labels[0], of.pairs, of.deck.size, weight, joint)
        for number, (before, after) in enumerate(pairwise(buckets)):
            both = np.where(live, before * counts[number + 1] + after, -1)
            add_pairs(both, of.pairs, of.deck.size, weight, pairs[number])
        add_pairs(labels[-1], of.pairs, of.deck.size, weight, met)
        strength = strengths(of.cards, np.array(dealt, np.uint8), of.deck, of.ranking)
        order = np.flatnonzero(live)[np.argsort(strength[live], kind="stable")]
        add_ahead(labels[-1], strength, order, of.pairs, of.deck.size, weight, ahead)
        seen += 1
    share = np.divide(ahead, met, out=np.zeros_like(ahead), where=met > 0)
    steps = tuple(_given(of, n, m) for of, n, m in zip(pairs, counts, counts[1:], strict=False))
    return Network(joint / joint.sum(), steps, share, seen)


MOST_BUCKETS = 32  # of a round
MOST_LABELS = MOST_BUCKETS**2


def _given(pairs: Floats, n: int, m: int) -> Floats:
    """[n, n, m, m] from pairs of labels before * m + after."""
    joint = pairs.reshape(n, m, n, m).transpose(0, 2, 1, 3)
    total = joint.sum(axis=(2, 3), keepdims=True)
    return np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)


def _deals(
    abstraction: Abstraction, first: int, runouts: int, seed: int, monitor: Monitor
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Boards of the first round with their weights, each with some ways to deal the rest."""
    game, boards = abstraction.game, abstraction.rounds[first].boards
    random = np.random.default_rng(seed)
    more = game.board_sizes[-1] - game.board_sizes[first]
    deck = np.arange(game.deck_size)
    for number, (cards, weight) in enumerate(zip(boards.cards, boards.weight, strict=True)):
        if monitor.should_stop():
            raise StoppedError("stopped while counting buckets; nothing was kept")
        known = tuple(map(int, cards))
        left = np.setdiff1d(deck, cards)
        for _ in range(runouts if more else 1):
            following = random.choice(left, more, replace=False)
            yield float(weight), (*known, *map(int, following))
        if number % 100 == 0:
            monitor.step(f"pairs of buckets: {number:,} of {len(boards.cards):,} boards")


def _buckets(abstraction: Abstraction, of: Hands, round_: int, dealt: tuple[int, ...]) -> NDArray[np.int64]:
    """[N] the cell of every hand in a round."""
    return abstraction.rounds[round_].on(dealt[: abstraction.game.board_sizes[round_]])
