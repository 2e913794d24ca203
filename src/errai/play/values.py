"""A guess of what every hand is worth in every public state, learned from hands that were played.

Hands are put into bins by their chance to win against any hand. What those of a bin have won on average after a state
is their value there, a little drawn towards what such hands win at this point of a round whatever was bet before:

    value = (chips won + n0 x stake x share) / (hands + n0)

It need not be right: AIVAT is unbiased with any guess, and the better the guess, the smaller its variance.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.games.lookup import BettingTree, betting_tree, stakes_of
from errai.play.batch import Dealt, Ints, Played, play_batch
from errai.play.dealing import Cards, Dealer
from errai.play.kernels.learning import learn
from errai.play.lookup import LookupAgent, RuleAgent
from errai.play.public import in_parts, read, seated, working
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.shipped import is_shipped
from errai.strategy.value_function import (
    VALUES,
    ValueFunction,
    load_values,
    places,
    save_values,
    value_function,
)

BINS = 40
DRAWN = 2.0  # n0
HANDS = 40_000
BLOCK = 4_000
PARTS = 4  # each with sums of its own, so that the number of threads makes no difference

Floats = NDArray[np.float64]


def own_values(agent: LookupAgent, threads: int = 1, monitor: Monitor = SILENT) -> ValueFunction:
    """What hands are worth when a strategy plays itself: what was kept beside it, or learned now and kept there.

    Kept values that are damaged or of another strategy are learned again, with a warning.
    """
    place = values_folder(agent)
    if place is not None and place.is_dir():
        try:
            return load_values(place, agent.strategy, agent.counts)
        except ErraiError as error:
            monitor.warn(f"what hands are worth is learned again: {error}")
    values = learn_values(agent, threads=threads, monitor=monitor)
    if place is not None and not monitor.should_stop():
        try:
            save_values(place, values, agent.strategy)
        except ErraiError as error:
            monitor.warn(f"what hands are worth was not kept: {error}")
    return values


def values_folder(agent: LookupAgent) -> Path | None:
    """Where the values of a saved strategy are kept: beside it, or in out/NAME where nothing is to be written."""
    saved = agent.strategy.saved
    if saved is None:
        return None
    folder = saved.folder
    elsewhere = is_shipped(folder) or not os.access(folder, os.W_OK)
    return (Path("out", folder.name) if elsewhere else folder) / VALUES


def learn_values(
    agent: LookupAgent,
    by_seat: Sequence[LookupAgent | RuleAgent] | None = None,
    hands: int = HANDS,
    seed: int = 1,
    bins: int = BINS,
    like: ValueFunction | None = None,
    threads: int = 1,
    monitor: Monitor = SILENT,
) -> ValueFunction:
    """By the buckets of an agent, from so many hands between two by seat, or of the agent against itself.

    With `like`, hands are put into the bins of other values of the agent.
    """
    game, tree, counts = agent.game, betting_tree(agent.game), agent.counts
    players = by_seat or (agent, agent)
    works = [working(game) for _ in range(PARTS)]

    def sums(values: ValueFunction, chances: bool, numbers: int, words: str) -> tuple[Floats, Floats]:
        """(what was won, how often) at so many places."""
        total, count = np.zeros((2, PARTS, numbers))
        kernel, done = seated(game, players, agent, values), 0
        for played in blocks:
            if monitor.should_stop():  # what was learned so far will do for the end of a match
                break
            read(players, played)
            boards, ends = played.dealt.boards, (played.round, played.fold, played.ending, played.context)

            def part(number: int, some: Ints, boards: Cards = boards, ends: tuple[Any, ...] = ends) -> None:
                into = (works[number], total[number], count[number])
                learn(kernel, chances, boards[some], *(end[some] for end in ends), *into)

            in_parts(part, len(boards), PARTS, threads)
            done += len(boards)
            monitor.step(f"learning {words}: {done:,} of {hands:,} hands")
        return total.sum(axis=0), count.sum(axis=0)

    blocks: list[Played] = []
    dealer = Dealer(game, seed)
    for low in range(0, hands, BLOCK):
        size = min(BLOCK, hands - low)
        dealt = Dealt(game, np.arange(low, low + size), dealer.deal(size))
        blocks.append(play_batch(players, dealt, np.zeros(size, np.int64), seed))
    empty = _nothing(tree, counts, like.bins if like else bins, like.bin_of if like else None)
    if like is None:
        won, met = sums(empty, True, len(empty.bin_of), "which hands are alike")
        empty = _nothing(tree, counts, bins, _binned((won + 0.5) / (met + 1), met, counts, bins))
    total, count = sums(empty, False, len(empty.value), "what hands are worth")
    value = _drawn(tree, empty, total, count)
    return value_function(tree, counts, empty.bins, value, empty.bin_of, hands)


def _nothing(
    tree: BettingTree, counts: Sequence[int], bins: int, bin_of: NDArray[np.uint8] | None
) -> ValueFunction:
    """Values of zero."""
    zeros = np.zeros(places(tree, bins)[1], np.float32)
    return value_function(
        tree, counts, bins, zeros, np.zeros(sum(counts), np.uint8) if bin_of is None else bin_of, 0
    )


def _binned(chance: Floats, met: Floats, counts: Sequence[int], bins: int) -> NDArray[np.uint8]:
    """Bucket -> bin: in each about as many hands, in order of their chance to win."""
    bin_of = np.zeros(len(chance), np.uint8)
    for low, high in pairwise(np.cumsum([0, *counts]).tolist()):
        order = np.argsort(chance[low:high], kind="stable")
        weight = met[low:high][order] + 1e-9
        middle = (np.cumsum(weight) - weight / 2) / weight.sum()
        bin_of[low + order] = np.minimum((middle * bins).astype(np.int64), bins - 1)
    return bin_of


def _drawn(tree: BettingTree, of: ValueFunction, total: Floats, count: Floats) -> NDArray[np.float32]:
    """The values, drawn towards what hands win as a share of the stake at the same point of the round.

    Where nobody has come to such a point, to what a hand of their bin would win if all of them met.
    """
    out = np.empty(len(total), np.float32)
    even = (2 * np.arange(of.bins) + 1) / of.bins - 1  # hands of bin b beat those below it
    bounds = [*of.first.tolist(), len(total)]
    for (low, high), K, stakes in zip(pairwise(bounds), of.contexts, stakes_of(tree), strict=True):
        shape = (-1, K, 2, of.bins)
        won, hands = total[low:high].reshape(shape), count[low:high].reshape(shape)
        stake = np.maximum(np.array(stakes, np.float64), 1)[:, None, None]
        shares = (won / stake).sum(axis=1, keepdims=True) + DRAWN * even
        shares = shares / (hands.sum(axis=1, keepdims=True) + DRAWN)
        out[low:high] = ((won + DRAWN * stake * shares) / (hands + DRAWN)).reshape(-1)
    return out
