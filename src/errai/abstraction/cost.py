"""What it takes to make buckets, before anything is made: memory, disk, time.

The rates were measured on hold'em: the strengths of the last round are a sweep for each board, the features of
earlier rounds many of them, and each hand of a round on k-means looks for the nearest of its centres, which takes the
longer the more there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from errai.abstraction.features import hands_of
from errai.abstraction.grouping import FEWEST_POINTS, POINTS_PER_CENTRE
from errai.abstraction.presets import Preset
from errai.abstraction.saved import boards_of
from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.errors import ErraiError
from errai.formatting import duration
from errai.games.definition import GameDefinition

STRENGTH = 2e-8  # core-seconds for a hand on a board of the last round
FEATURE = 1e-6  # for one of an earlier round
NEAREST = 6e-7  # for one that looks among MANY centres
MANY = 5_000
KMEANS_ROUNDS = 30
BYTES_OF_A_POINT = 400  # of k-means: a histogram, its copies and its place


@dataclass(frozen=True)
class Cost:
    """An estimate."""

    memory: int  # bytes
    disk: int
    core_seconds: float

    def text(self, threads: int) -> str:
        """In words, for so many threads."""
        return (
            f"estimate: {format_bytes(self.memory)} of memory, {format_bytes(self.disk)} on disk, "
            f"about {duration(self.core_seconds / threads)} on {threads} thread{'' if threads == 1 else 's'}"
        )


def estimate(game: GameDefinition, preset: Preset) -> Cost:
    """What a preset takes in a game; one that does not fit into memory is refused."""
    of, sizes = hands_of(game), game.board_sizes
    hands, last = len(of.cards), boards_of(of, (of.last,))
    cells, points, seconds = last * hands, 0, last * hands * STRENGTH
    for round_, plan in enumerate(preset.rounds):
        rows = boards_of(of, plan.dealt(sizes, round_)) * hands
        cells += rows
        if sizes[round_] < of.last and plan.method != "lossless":
            seconds += rows * FEATURE
        if plan.grouping == "kmeans" and not plan.centres:
            sampled = max(POINTS_PER_CENTRE * plan.buckets, FEWEST_POINTS)
            points = max(points, min(sampled, rows))
            seconds += (rows + KMEANS_ROUNDS * min(sampled, rows)) * NEAREST * sqrt(plan.buckets / MANY)
    cost = Cost(2 * cells + points * BYTES_OF_A_POINT, 2 * cells, seconds)
    room = RESERVE * available_memory()
    if cost.memory > room:
        raise ErraiError(
            f"preset {preset.name} needs {format_bytes(cost.memory)} of memory in {game.name} and "
            f"{format_bytes(room)} can be had; take fewer buckets"
        )
    return cost
