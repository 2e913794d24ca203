"""A guess of what every hand is worth in every public state, learned from hands that were played.

Hands are put into bins by their chance to win against any hand. What those of a bin have won on average after a state
is their value there, a little drawn towards what such hands win at this point of a round whatever was bet before:

    value = (chips won + n0 x stake x share) / (hands + n0)

It need not be right: AIVAT is unbiased with any guess, and the better the guess, the smaller its variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from errai.play.batch import Dealt, Ints, Played, play_batch
from errai.play.betting_arrays import betting_of
from errai.play.dealing import Dealer
from errai.play.kernels.learning import add_chances, add_hands
from errai.play.kernels.public_state import Betting, Guess
from errai.play.lookup import LookupAgent, RuleAgent
from errai.play.public import in_parts, read, seated, working
from errai.runs.monitor import SILENT, Monitor

BINS = 40
DRAWN = 2.0  # n0
HANDS = 40_000
BLOCK = 4_000
PARTS = 4  # each with sums of its own, so that the number of threads makes no difference

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ValueFunction:
    """Values by round, state, context, seat and bin; see errai.play.kernels.public_state.Guess."""

    bins: int
    value: NDArray[np.float32]
    first: Ints
    bin_of: NDArray[np.uint8]
    first_bin: Ints

    def guess(self, source: int) -> Guess:
        """For kernels; `source` is whose buckets they are."""
        return Guess(self.value, self.first, self.bins, self.bin_of, self.first_bin, source)


def learn_values(
    agent: LookupAgent,
    by_seat: Sequence[LookupAgent | RuleAgent] | None = None,
    hands: int = HANDS,
    seed: int = 1,
    bins: int = BINS,
    threads: int = 1,
    monitor: Monitor = SILENT,
) -> ValueFunction:
    """By the buckets of an agent, from so many hands between two by seat, or of the agent against itself."""
    game, betting = agent.game, betting_of(agent.game)
    players = by_seat or (agent, agent)
    first_bin = np.cumsum([0, *(count for _, count, _ in agent.shapes)])
    first, numbers = _places(betting, bins)
    nothing = Guess(np.zeros(0, np.float32), first, bins, np.zeros(first_bin[-1], np.uint8), first_bin[:-1], 0)
    kernel = seated(game, players, agent, nothing)
    works = [working(game) for _ in range(PARTS)]
    won, met = np.zeros((2, PARTS, first_bin[-1]))
    blocks: list[Played] = []
    dealer = Dealer(game, seed)
    for low in range(0, hands, BLOCK):
        size = min(BLOCK, hands - low)
        dealt = Dealt(game, np.arange(low, low + size), dealer.deal(size))
        blocks.append(play_batch(players, dealt, np.zeros(size, np.int64), seed))
        boards = dealt.boards

        def chances(part: int, some: Ints) -> None:
            add_chances(kernel, boards[some], works[part], won[part], met[part])

        in_parts(chances, size, PARTS, threads)
        monitor.step(f"learning which hands are alike: {low + size:,} of {hands:,} hands")
    chance, seen = (won.sum(axis=0) + 0.5) / (met.sum(axis=0) + 1), met.sum(axis=0)
    bin_of, typical = _binned(chance, seen, first_bin, bins)
    kernel = seated(game, players, agent, nothing._replace(bin_of=bin_of))
    total, count = np.zeros((2, PARTS, numbers))
    done = 0
    for played in blocks:
        read(players, played)
        boards, size = played.dealt.boards, len(played.round)

        def sums(part: int, some: Ints) -> None:
            ends = (played.round[some], played.fold[some], played.ending[some], played.context[some])
            add_hands(kernel, boards[some], *ends, works[part], total[part], count[part])

        in_parts(sums, size, PARTS, threads)
        done += size
        monitor.step(f"learning what hands are worth: {done:,} of {hands:,} hands")
    value = _drawn(betting, bins, typical, first, total.sum(axis=0), count.sum(axis=0))
    return ValueFunction(bins, value, first, bin_of, first_bin[:-1])


def _binned(
    chance: Floats, met: Floats, first: Ints, bins: int
) -> tuple[NDArray[np.uint8], Floats]:
    """(bucket -> bin, [rounds, bins] the chance that is typical of a bin): equally many hands in each, by chance."""
    bin_of = np.zeros(len(chance), np.uint8)
    typical = np.full((len(first) - 1, bins), 0.5)
    for round_, (low, high) in enumerate(pairwise(first)):
        order = np.argsort(chance[low:high], kind="stable")
        weight = met[low:high][order] + 1e-9
        middle = (np.cumsum(weight) - weight / 2) / weight.sum()
        placed = np.minimum((middle * bins).astype(np.int64), bins - 1)
        bin_of[low + order] = placed
        hands = np.bincount(placed, weight, bins)
        sums = np.bincount(placed, weight * chance[low:high][order], bins)
        typical[round_] = np.where(hands > 0, sums / np.maximum(hands, 1e-9), 0.5)
    return bin_of, typical


def _places(betting: Betting, bins: int) -> tuple[Ints, int]:
    """(where the values of each round begin, how many there are)."""
    sizes = [len(np.zeros(0))] + [
        (int(betting.nodes[r]) + betting.leaf.shape[1]) * int(betting.contexts[r]) * 2 * bins
        for r in range(len(betting.contexts))
    ]
    ends = np.cumsum(sizes)
    return ends[:-1].astype(np.int64), int(ends[-1])


def _drawn(
    betting: Betting, bins: int, typical: Floats, first: Ints, total: Floats, count: Floats
) -> NDArray[np.float32]:
    """The values, drawn towards what hands win as a share of the stake at the same point of the round."""
    out = np.empty(len(total), np.float32)
    for r, (low, high) in enumerate(pairwise([*first.tolist(), len(total)])):
        K, start = int(betting.contexts[r]), int(betting.first_stake[r])
        shape = (-1, K, 2, bins)
        won, hands = total[low:high].reshape(shape), count[low:high].reshape(shape)
        stake = np.maximum(betting.stake[start : start + K], 1)[:, None, None].astype(np.float64)
        shares = (won / stake).sum(axis=1, keepdims=True) + DRAWN * (2 * typical[r] - 1)
        shares = shares / (hands.sum(axis=1, keepdims=True) + DRAWN)
        out[low:high] = ((won + DRAWN * stake * shares) / (hands + DRAWN)).reshape(-1)
    return out
