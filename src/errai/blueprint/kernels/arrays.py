"""The arrays that the training kernels work on, grouped.

Legend: L rounds, P lines, N hands, H hands of a board, K contexts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.kernels.buckets import Buckets
from errai.blueprint.kernels.nodes import NodeScratch
from errai.blueprint.kernels.runouts import Runouts
from errai.engine.kernels.arrays import Betting, Boards, Ints


class Deal(NamedTuple):
    """What boards and hands are made of, and where the rows of a bucket lie."""

    hole: NDArray[np.uint8]  # [N, hole cards]
    public: Ints  # [L]
    suits: int
    ranks: int
    ranking: int
    buckets: Buckets
    counts: Ints  # [L] buckets
    first: Ints  # [L] where a round begins in a store
    line_stake: NDArray[np.float64]  # [P] chips that each player has put in when a line begins
    stake: NDArray[np.float64]  # [contexts of all levels] counted from the beginning of the line


class SampleWorkspace(NamedTuple):
    """The hands of a sample's boards, and what one thread works in beside the workspaces of the engine."""

    hands: Ints  # [sum of H]
    bucket: Ints  # [sum of H]
    place: Ints  # [B, N] of a hand on a board
    work: Ints  # [3, N]
    cards: Ints  # [2, public cards of a sample] those of the sample, and scratch
    nodes: NodeScratch
    random: NDArray[np.uint64]  # [1] the state of the random numbers
    runouts: Runouts
    choice: NDArray[
        np.uint8
    ]  # [last boards, chunks, nodes * H * K] of the CFR-BR opponent on the last boards
    choice_before: NDArray[np.uint8]  # [nodes * H * K] in the round before
    leaf: NDArray[
        np.float32
    ]  # [last boards + 1, H * leaves * K] the opponent's values before each; their sum


class Thread(NamedTuple):
    """What one thread trains with."""

    betting: Betting  # with the stakes of the line that is walked
    boards: Boards  # of the sample that is walked
    deal: Deal
    sample: SampleWorkspace


class Stores(NamedTuple):
    """What is learned, shared by all threads: each works on lines of its own."""

    regret: NDArray[np.float32]
    opponent_regret: NDArray[np.float32]  # of the CFR-BR opponent; empty where the strategy meets itself
    average: NDArray[np.float32]


class Batch(NamedTuple):
    """Samples that all meet the same first round, which learns when all of their lines have been walked."""

    first: int  # sample
    last: int  # the one after
    played: Stores  # the first round as it is played, and no average
    leaf: NDArray[np.float32]  # [samples, seats, 2 workspaces, P, N] what the lines return to the first round
    task: Ints  # [tasks, 3] line, first seat, the one after the last: in the order in which they are taken


class Visits(NamedTuple):
    """How likely parts of the tree are walked in a sample."""

    line: NDArray[np.float64]  # [P]
    chunk: NDArray[np.float64]  # [chunks of the last round]


class Schedule(NamedTuple):
    """How samples weigh: sample t by (t / 1000) ** power."""

    regret_power: int
    average_power: int
    floor: float  # of the regrets, -inf where there is none
    seed: int  # of the boards


class SampleWeights(NamedTuple):
    """What one sample adds to the stores."""

    regret: float
    average: float
    floor: float
