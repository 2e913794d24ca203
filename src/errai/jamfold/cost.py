"""What a tournament takes, before anything large is allocated: states, memory, time.

Memory is that of the plays of all states and of the linear equations between them, a square matrix. Time is that of
some hands, solved for the purpose by all threads, times the hands of the usual number of rounds, and that of solving
the equations and of the proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import gcd, sqrt

from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.errors import ErraiError
from errai.formatting import duration
from errai.jamfold.linear_program import Solver
from errai.jamfold.recursive_game import Tournament, divisors

BYTES_AT_ALL = 150_000_000  # Python, its libraries, the table of equities
BYTES_OF_A_STATE = 120_000  # plays and their proofs
BYTES_OF_AN_EQUATION = 24  # of one coefficient: the matrix, its copy, its factors
ROUNDS = 6  # usual; deep stacks take more
EQUATIONS = 20  # times that they are solved: in each round, and for the bounds
OF_A_PROOF = 5e-3  # seconds for each hand
RATE = 4e9  # additions and multiplications a second
SAMPLE = 4  # hands of each seat that each thread solves to see how long one takes
FEW = 64  # hands that take a second or two: nothing is measured


@dataclass(frozen=True)
class Cost:
    """An estimate."""

    hands: int
    memory: int  # bytes
    seconds: float | None  # None: too few hands to be worth measuring

    def __str__(self) -> str:
        took = "" if self.seconds is None else f", about {duration(self.seconds)}"
        return f"tournament: {self.hands:,} hands to solve in each round, {format_bytes(self.memory)} of memory{took}"


def memory_of(units: int) -> int:
    """Bytes that a tournament with so many units of chips takes."""
    states = 2 * (units + 1)
    return BYTES_AT_ALL + BYTES_OF_A_STATE * states + BYTES_OF_AN_EQUATION * states * states


def most_units(room: float) -> int:
    """Units of chips that so many bytes are enough for."""
    a, b, c = BYTES_OF_AN_EQUATION, BYTES_OF_A_STATE, BYTES_AT_ALL - room
    states = 0.0 if c >= 0 else (sqrt(b * b - 4 * a * c) - b) / (2 * a)
    return max(int(states / 2) - 1, 0)


def require_memory(tournament: Tournament) -> int:
    """The bytes that it takes; or one line that says what would fit."""
    need, room = memory_of(tournament.units), RESERVE * available_memory()
    if need <= room:
        return need
    most = most_units(room)
    larger = [step for step in steps(tournament) if tournament.chips // step <= most]
    if larger:
        advice = f"step={larger[0]} would fit"
    elif most * tournament.step > 0:
        advice = f"at most {most * tournament.step:,} chips would fit, or larger blinds and a larger step"
    else:
        advice = "free some memory"
    raise ErraiError(
        f"{tournament.chips:,} chips in steps of {tournament.step:,} are {tournament.states - 4:,} hands "
        f"that lead to each other, which need {format_bytes(need)} of memory, and {format_bytes(room)} can be had; "
        f"{advice}"
    )


def steps(tournament: Tournament) -> list[int]:
    """The steps that divide chips, blinds and ante, smallest first."""
    return divisors(gcd(tournament.chips, tournament.small_blind, tournament.big_blind, tournament.ante))


def estimate(
    tournament: Tournament, workers: Sequence[Solver], solve: Callable[[Solver, int], object]
) -> Cost:
    """What it takes; `solve` solves the hand of a state, as the rounds will."""
    memory, hands = require_memory(tournament), 2 * (tournament.units - 1)
    if hands <= FEW:
        return Cost(hands, memory, None)
    middle = tournament.units // 2

    def sample(worker: int) -> float:
        """Seconds of a hand that begins from its neighbour's basis; so the first one does not count."""
        spent = 0.0
        for seat in (0, 1):
            for place in range(SAMPLE + 1):
                began = time.perf_counter()
                solve(workers[worker], tournament.state(seat, max(1, middle - worker * SAMPLE - place)))
                spent += (time.perf_counter() - began) if place else 0.0
        return spent / (2 * SAMPLE)

    with ThreadPoolExecutor(len(workers), "errai") as pool:
        of_a_hand = sum(pool.map(sample, range(len(workers)))) / len(workers) ** 2
    equations = EQUATIONS * (2 * hands**3 / 3) / RATE
    return Cost(hands, memory, hands * (ROUNDS * of_a_hand + OF_A_PROOF) + equations)
