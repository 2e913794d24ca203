"""Whole heads-up no-limit tournaments by jam or fold, with proven bounds (Miltersen and Sorensen 2007).

The best jam/fold strategy of the tournament is found by policy iteration: solve every hand with the winning
probabilities so far as payoffs, then compute exactly what the strategies found are worth when they are played for the
whole tournament, and again. Four or five rounds arrive at the last digit, where going from hand to hand as the
paper did takes many.

What player 1's strategy guarantees is a lower bound of what an unrestricted player can, postflop play included,
because the opponent was never restricted. One minus what it guarantees to the other player is an upper bound.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import gcd, log
from pathlib import Path
from typing import Any

import numpy as np

from errai.errors import ErraiError, StoppedError
from errai.jamfold.cost import estimate, require_memory
from errai.jamfold.equities import CLASSES
from errai.jamfold.linear_program import HandSolution, Solver
from errai.jamfold.matrix_game import CALL, GIVE, PASS, Floats
from errai.jamfold.proven_bounds import Bounds, D, proven, proven_bounds
from errai.jamfold.recursive_game import (
    MOST_CHIPS,
    StationaryProfile,
    Tournament,
    chances,
    divisors,
    values_of,
)
from errai.jamfold.respond import TOO_DEEP, worst_case
from errai.runs.monitor import SILENT, Monitor

MOST_ROUNDS = 60
SETTLED = 1e-12  # of the winning probabilities, between two rounds


@dataclass(frozen=True, eq=False)
class TournamentSolution:
    """Strategies for every state, and what they are worth. Winning probabilities by units of chips, 0 to U."""

    tournament: Tournament
    play: StationaryProfile
    values: Floats  # [Z] of the jam/fold game
    bounds: Bounds  # proven
    rounds: int
    seconds: float
    folder: Path | None = None  # where it was saved
    saved: bool = True  # all that was to be; not when the disk was full

    @property
    def stacks(self) -> list[int]:
        """Player 1's chips, from none to all."""
        return [units * self.tournament.step for units in range(self.tournament.units + 1)]

    def lower(self, seat: int) -> Floats:
        """[U + 1] proven: a jam/fold player wins at least so often; seat 0 posts the small blind."""
        return proven(self.tournament.by_units(self.bounds.lower, seat))

    def jam_fold_upper(self, seat: int) -> Floats:
        """[U + 1] proven: a jam/fold player cannot be sure to win more often."""
        return -proven(-self.tournament.by_units(self.bounds.upper, seat))

    def upper(self, seat: int) -> Floats:
        """[U + 1] proven: no player, postflop play included, can be sure to win more often."""
        return -proven(self.tournament.by_units(self.bounds.lower, 1 - seat)[::-1] - D)

    @property
    def gap(self) -> Floats:
        """[U + 1] what is left to gain for a player who posts the small blind."""
        lower = [self.tournament.by_units(self.bounds.lower, seat) for seat in (0, 1)]
        return -proven(lower[1][::-1] + lower[0] - D)

    def to_json(self) -> dict[str, Any]:
        """The bounds, as JSON holds them."""
        rules = self.tournament
        return {
            "chips": rules.chips,
            "sb": rules.small_blind,
            "bb": rules.big_blind,
            "ante": rules.ante,
            "step": rules.step,
            "stacks": self.stacks,
            "small_blind": {"lower": self.lower(0).tolist(), "upper": self.upper(0).tolist()},
            "big_blind": {"lower": self.lower(1).tolist(), "upper": self.upper(1).tolist()},
            "gap": self.gap.tolist(),
            "largest_gap": float(self.gap.max()),
            "jam_fold_error": self.bounds.width,
            "rounds": self.rounds,
            "seconds": self.seconds,
        }

    def save(self, folder: str | Path, form: str = "png", exact: bool = False) -> None:
        """Write bounds and strategies (CSV, JSON) and the figures of the paper; with `exact` also the proof."""
        from errai.jamfold.tournament_files import save_tournament

        save_tournament(Path(folder), self, form, exact)

    def plot(self, path: str | Path, figure: int = 1) -> None:
        """Draw a figure of the paper, 1, 2, 3, 6 or 8, to a .png, .svg or .pdf file."""
        from errai.jamfold.tournament_files import draw

        draw(Path(path), self, figure)


def solve(
    chips: int,
    small_blind: int,
    big_blind: int,
    ante: int = 0,
    step: int | None = None,
    *,
    threads: int | None = None,
    monitor: Monitor = SILENT,
) -> TournamentSolution:
    """The best jam/fold strategy of a tournament, with proven bounds.

    Without a `step` stacks are multiples of the number that divides the chips, the blinds and the ante and is nearest
    to a sixth of the small blind: 50 for the paper's 8000 chips with blinds of 300 and 600.
    """
    began = time.perf_counter()
    unit = default_step(chips, small_blind, big_blind, ante) if step is None else step
    tournament = Tournament(chips, small_blind, big_blind, ante, unit)
    workers = [Solver() for _ in range(threads or os.cpu_count() or 1)]
    require_memory(tournament)
    values = _relative_stacks(tournament)
    monitor.step("estimating time and memory")
    monitor.say(
        str(estimate(tournament, workers, lambda worker, state: _solved(tournament, values, worker, state)))
    )
    change = float("inf")
    for round_ in range(1, MOST_ROUNDS + 1):
        moved = "" if round_ == 1 else f", moved {change:.1e} in the last"
        play = _best_play(
            tournament, values, workers, f"round {round_}: {{:.0%}} of the hands{moved}", monitor
        )
        new = _evaluated(tournament, play, values, change)
        change, values = float(np.abs(new - values).max()), new
        if change < SETTLED:
            break
    else:
        raise ErraiError(TOO_DEEP)
    bounds = proven_bounds(tournament, play, values)
    return TournamentSolution(tournament, play, values, bounds, round_, time.perf_counter() - began)


def _evaluated(tournament: Tournament, play: StationaryProfile, values: Floats, change: float) -> Floats:
    """[Z] what a play is worth in the whole tournament.

    Both strategies against each other, which converges fastest. Where that moves further than the round before, and
    so might never settle, player 1's strategy against the opponent that is worst for it (Hoffman and Karp 1966): that
    only ever gains.
    """
    new = values_of(tournament, chances(play))
    if np.abs(new - values).max() < change and (new >= 0).all() and (new <= 1).all():
        return new
    return worst_case(tournament, play.jam)[0]


def default_step(chips: int, small_blind: int, big_blind: int, ante: int) -> int:
    """The step that divides everything and is nearest to a sixth of the small blind."""
    common = max(gcd(chips, small_blind, big_blind, ante), 1)
    if common > MOST_CHIPS:
        return 1  # of a tournament that is refused
    sixth = max(small_blind, 1) / 6
    return min(divisors(common), key=lambda step: abs(log(step / sixth)))


def _relative_stacks(tournament: Tournament) -> Floats:
    shares = np.arange(tournament.units + 1) / tournament.units
    return np.concatenate([shares, shares])


def _solved(tournament: Tournament, values: Floats, worker: Solver, state: int) -> HandSolution:
    """The hand of a state when its outcomes are worth `values`."""
    return worker(tournament.game(state).map(lambda target: float(values[target])))


def _best_play(
    tournament: Tournament,
    values: Floats,
    workers: list[Solver],
    words: str,
    monitor: Monitor,
) -> StationaryProfile:
    """The best play of every hand when its outcomes are worth `values`; `words` say how far it is."""
    jam, passes, calls, gives = (np.zeros((tournament.states, CLASSES)) for _ in range(4))
    done = 0

    def work(worker: int) -> None:
        nonlocal done
        # Neighbouring stacks one after the other: each starts from the basis of the one before.
        stretch = np.array_split(np.arange(1, tournament.units), len(workers))[worker]
        for seat in (0, 1):
            for units in stretch:
                if monitor.should_stop():
                    raise StoppedError("stopped before the tournament was solved; nothing was saved")
                state = tournament.state(seat, int(units))
                found = _solved(tournament, values, workers[worker], state)
                jam[state] = found.jam
                for option, into in ((PASS, passes), (CALL, calls), (GIVE, gives)):
                    into[state] = found.answer.get(option, 0.0)
                done += 1
                monitor.step(words.format(done / len(tournament.live)))

    with ThreadPoolExecutor(len(workers), "errai") as pool:
        list(pool.map(work, range(len(workers))))
    return StationaryProfile(jam, passes, calls, gives)
