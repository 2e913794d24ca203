"""Runs that were measured, and how many iterations another game would take, judged by them.

On a plot with logarithms on both axes the exploitability of a run is about a straight line once the first
iterations are over,

    exploitability = c * iterations^-slope

so a line through the last two thirds of a run's points tells when it gets to a target that it has not reached. A
target that it has reached is read off between two points. No two games take the same number of iterations: for a
game without a record of its own the likely number is the geometric mean over all records, and the lowest and
the highest of them are said beside it, unless a run of the game itself has got to the target.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, exp, fsum, log

Points = tuple[tuple[int, float], ...]  # iterations and mbb/g, in ascending order of iterations


@dataclass(frozen=True)
class Record:
    """The exploitability of one run as a best response has shown it."""

    game: str
    what: str  # that was solved
    method: str
    precision: str
    points: Points


# To add a run, append the (iteration, mbb/g) pairs that `history` of its result.json has; see docs/storage.md.
RECORDS: tuple[Record, ...] = (
    Record(
        "rhode-island",
        "rhode-island",
        "sdcfr+",
        "float32",
        ((10, 567.47), (21, 106.16), (43, 25.66), (87, 13.84), (175, 2.177), (241, 0.905), (318, 0.465)),
    ),
    Record(
        "holdem-2-4",
        "holdem-2-4",
        "sdcfr+",
        "int16",
        ((10, 258.271), (21, 50.343), (43, 25.824), (87, 3.611), (146, 1.521), (191, 1.048), (199, 0.989)),
    ),
    Record(
        "royal",
        "royal",
        "sdcfr+",
        "int16",
        ((10, 1698.0), (21, 310.73), (43, 87.38), (87, 26.85), (159, 9.594)),
    ),
    Record(
        "holdem",
        "holdem with one flop",
        "sdcfr+",
        "int16",
        ((10, 2283.8), (21, 410.64), (43, 116.92), (87, 28.802), (90, 27.181)),
    ),
    Record(
        "holdem",
        "turn Ks7h2d 5c of holdem",
        "sdcfr+",
        "int16",
        ((120, 3.13), (180, 1.79), (270, 1.17), (300, 1.05)),
    ),
)
# CFR+ and its current strategy are what solved hold'em in 2015, so there the two methods can be compared.
YARDSTICK = Record(
    "rhode-island",
    "rhode-island",
    "cfr+",
    "float32",
    (
        (10, 533.21), (21, 187.81), (43, 64.52), (87, 26.52), (175, 11.85), (352, 5.243), (707, 2.709),
        (1419, 1.519), (2011, 1.259), (2454, 1.096), (2604, 1.061),
    ),
)  # fmt: skip
OF_CURRENT: tuple[Record, ...] = (
    YARDSTICK,
    Record(
        "holdem-2-4",
        "holdem-2-4",
        "cfr+",
        "float32",
        ((43, 40.989), (87, 8.748), (175, 2.731), (322, 1.135), (356, 1.011), (358, 1.003)),
    ),
)
WHOLE = ("rhode-island", "holdem-2-4", "royal")  # games whose record is of the game itself


@dataclass(frozen=True)
class Cepheus:
    """The solution of heads-up limit hold'em by Bowling, Burch, Johanson and Tammelin (2015)."""

    iterations: int = 1579
    target: float = 0.986  # mbb/g
    core_years: float = 900.0
    days: float = 68.5
    cores: int = 4800
    disk_bytes: float = 10.9e12


CEPHEUS = Cepheus()


@dataclass(frozen=True)
class Projection:
    """Iterations to a target: the likely number, the lowest and the highest, and where they come from."""

    target: float
    likely: int
    low: int
    high: int
    by_record: tuple[tuple[str, int, bool], ...]  # what was solved, iterations, whether the run got there

    @property
    def reached(self) -> bool:
        """Whether any of the runs got to the target."""
        return any(reached for _, _, reached in self.by_record)


def slope_of(points: Points) -> tuple[float, float]:
    """(slope, log c) of the power law through the last two thirds of the points, at least two of them."""
    kept = points[-max(2, ceil(len(points) * 2 / 3)) :]
    x, y = [log(iteration) for iteration, _ in kept], [log(mbb) for _, mbb in kept]
    middle, height = fsum(x) / len(x), fsum(y) / len(y)
    spread = fsum((a - middle) ** 2 for a in x)
    slope = -fsum((a - middle) * (b - height) for a, b in zip(x, y, strict=True)) / spread
    return slope, height + slope * middle


def iterations_to(points: Points, target: float) -> tuple[float, bool]:
    """Iterations of a run until the target, and whether it got there."""
    for (before, above), (after, below) in pairwise(points):
        if above > target >= below:
            share = (log(above) - log(target)) / (log(above) - log(below))
            return exp(log(before) + share * (log(after) - log(before))), True
    if points[0][1] <= target:
        return float(points[0][0]), True
    slope, height = slope_of(points)
    if slope <= 0:
        raise ValueError("the exploitability of a record must fall")
    return max(exp((height - log(target)) / slope), float(points[-1][0])), False


def projection(
    game: str,
    target: float,
    strategy: str = "average",
    records: tuple[Record, ...] | None = None,
    of_holdem: bool = False,
) -> Projection:
    """Iterations of a game to a target in mbb/g, for the average or the current strategy.

    `of_holdem` adds what Cepheus took: as it is for the current strategy, which was found by the same rule, and
    by the ratio of the methods for the average.
    """
    if records is None:
        records = RECORDS if strategy == "average" else OF_CURRENT
    found = [(record, *iterations_to(record.points, target)) for record in records]
    by_record = [(record.what, round(count), reached) for record, count, reached in found]
    if of_holdem and strategy == "current":
        count = round(CEPHEUS.iterations * (CEPHEUS.target / target))
        by_record.append(("Cepheus by the same rule", count, target >= CEPHEUS.target))
    elif of_holdem:
        ours = next(record for record in RECORDS if record.game == YARDSTICK.game)
        at, _ = iterations_to(ours.points, target)
        theirs, _ = iterations_to(YARDSTICK.points, CEPHEUS.target)
        by_record.append(
            ("Cepheus by the ratio in rhode-island", round(CEPHEUS.iterations * at / theirs), False)
        )
    counts = [count for _, count, _ in by_record]
    own = [round(count) for record, count, _ in found if record.game == game and game in WHOLE]
    if of_holdem and strategy == "current":
        own = counts[-1:]
    likely = own[0] if own else round(exp(fsum(map(log, counts)) / len(counts)))
    if any(record.game == game and game in WHOLE and reached for record, _, reached in found):
        counts = own
    return Projection(target, likely, min(counts), max(counts), tuple(by_record))
