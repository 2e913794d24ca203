"""A guess of what every hand is worth in every public state, learned from hands that were played.

Hands are put into bins by their chance to win against any hand, as hands of their bucket have won. What those of a
bin have won on average after a state is their value there, a little drawn towards what they would win if the betting
ended now:

    value = (chips won + n0 x (2 chance - 1) x stake) / (hands + n0)

It need not be right: AIVAT is unbiased with any guess, and the better the guess, the smaller its variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from errai.play.batch import BatchAgent, Dealt, Ints, Played, play_batch
from errai.play.betting_arrays import betting_of
from errai.play.dealing import Dealer
from errai.play.kernels.aivat import Betting, Guess
from errai.play.kernels.learning import add_hands
from errai.play.lookup import LookupAgent
from errai.runs.monitor import SILENT, Monitor

BINS = 40
DRAWN = 8.0  # n0
HANDS = 400_000
BLOCK = 20_000


@dataclass(frozen=True, eq=False)
class ValueFunction:
    """Values by round, state, context, seat and bin; see errai.play.kernels.aivat.Guess."""

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
    by_seat: Sequence[BatchAgent] | None = None,
    hands: int = HANDS,
    seed: int = 1,
    bins: int = BINS,
    monitor: Monitor = SILENT,
) -> ValueFunction:
    """By the buckets of an agent, from so many hands between two by seat, or of the agent against itself."""
    game, betting = agent.game, betting_of(agent.game)
    players = by_seat or (agent, agent)
    counts = [count for _, count, _ in agent.shapes]
    first_bin = np.cumsum([0, *counts])
    blocks: list[tuple[Played, Ints]] = []
    won, met = np.zeros(first_bin[-1]), np.zeros(first_bin[-1])
    dealer = Dealer(game, seed)
    for low in range(0, hands, BLOCK):
        size = min(BLOCK, hands - low)
        dealt = Dealt(game, np.arange(low, low + size), dealer.deal(size))
        buckets = buckets_by_round(agent, dealt)
        played = play_batch(players, dealt, np.zeros(size, np.int64), seed)
        for round_, of in enumerate(buckets):
            for seat, sign in ((0, 1), (1, -1)):
                at = first_bin[round_] + of[:, seat]
                won += np.bincount(at, (1 + sign * dealt.better) / 2, len(won))
                met += np.bincount(at, minlength=len(met))
        blocks.append((played, buckets))
        monitor.step(f"learning what hands are worth: {low + size:,} of {hands:,} hands")
    chance = (won + 0.5) / (met + 1)
    bin_of, typical = _binned(chance, met, first_bin, bins)
    first, prior = _prior(betting, typical, bins)
    total, count = np.zeros(len(prior)), np.zeros(len(prior))
    for played, buckets in blocks:
        placed = np.stack([bin_of[first_bin[r] + of] for r, of in enumerate(buckets)])
        add_hands(
            betting, first, bins, placed, played.round, played.fold, played.ending, played.context, played.chips,
            total, count,
        )  # fmt: skip
    value = ((total + DRAWN * prior) / (count + DRAWN)).astype(np.float32)
    return ValueFunction(bins, value, first, bin_of, first_bin[:-1])


def buckets_by_round(agent: LookupAgent, dealt: Dealt) -> Ints:
    """[rounds, n, seats] the buckets of both hands on all their boards, whether they were seen or not."""
    everybody = np.arange(len(dealt.deal))
    found = [np.zeros((len(everybody), 2), np.int64)]
    for round_ in range(agent.game.rounds):
        found.append(agent.buckets(dealt, everybody, round_, found[-1]))
    return np.stack(found[1:])


def _binned(
    chance: NDArray[np.float64], met: NDArray[np.float64], first: Ints, bins: int
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
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


def _prior(betting: Betting, typical: NDArray[np.float64], bins: int) -> tuple[Ints, NDArray[np.float64]]:
    """(where the values of a round begin, (2 chance - 1) x what each has put in before the round)."""
    parts, first = [], [0]
    for round_ in range(len(betting.contexts)):
        K = int(betting.contexts[round_])
        states = int(betting.nodes[round_]) + betting.leaf.shape[1]
        start = int(betting.first_stake[round_])
        stake = np.maximum(betting.stake[start : start + K], 1)
        one = np.broadcast_to((2 * typical[round_] - 1) * stake[None, :, None, None], (states, K, 2, bins))
        parts.append(one.reshape(-1))
        first.append(first[-1] + len(parts[-1]))
    return np.array(first[:-1], np.int64), np.concatenate(parts)
