"""A solved tournament on disk: bounds and strategies as tables, the figures of the paper, and the proof.

The folder is one of a strategy (errai.files.manifest), whose numbers are in strategies.npy as they are.
"""

from __future__ import annotations

import csv
from dataclasses import asdict
from pathlib import Path

from errai.errors import ErraiError
from errai.files.manifest import saving
from errai.files.writing import replacing_file, write_json
from errai.jamfold import figures
from errai.jamfold.compare import hand_for_hand
from errai.jamfold.equities import HANDS
from errai.jamfold.recursive_game import Tournament
from errai.jamfold.tournament import TournamentSolution
from errai.jamfold.tournament_proof import NAME, proof_of

KIND = "tournament"  # of a saved strategy
BOUNDS, STRATEGIES, RESULT, ARRAY = "bounds.csv", "strategies.csv", "result.json", "strategies.npy"
FIGURES = (1, 2, 3, 6, 8)  # as the paper numbers them
FORMATS = ("png", "svg", "pdf")


def save_tournament(
    folder: Path, solution: TournamentSolution, form: str = "png", exact: bool = False
) -> None:
    """Write everything to a folder; with `exact` also the proof in whole numbers."""
    if form not in FORMATS:
        raise ErraiError(f"figures are {', '.join(FORMATS)}, not {form}")
    with saving(folder) as new:
        new.array(ARRAY, solution.play.jam)
        if exact:
            with new.file(NAME) as path:
                proof_of(solution).save(path)
        with new.beside(BOUNDS) as path:
            _save_bounds(path, solution)
        with new.beside(STRATEGIES) as path:
            _save_strategies(path, solution)
        with new.beside(RESULT) as path:
            write_json(path, solution.to_json())
        for number in FIGURES:
            with new.beside(f"figure-{number}.{form}") as path:
                draw(path, solution, number)
        gap = float(solution.gap.max())
        new.commit(KIND, tournament=asdict(solution.tournament), about={"largest_gap": gap})


def draw(path: Path, solution: TournamentSolution, number: int) -> None:
    """A figure of the paper: 1 advantage, 2 bounds, 3 gap, 6 a single hand, 8 a hand of the tournament."""
    stacks, rules = solution.stacks, solution.tournament
    if number == 1:
        figures.draw_advantage(path, described(rules), stacks, solution.lower(0), solution.lower(1))
    elif number == 2:
        figures.draw_bounds(path, described(rules), stacks, solution.lower(0), solution.upper(0))
    elif number == 3:
        figures.draw_gap(path, described(rules), stacks, solution.gap)
    elif number in (6, 8):
        half = rules.units // 2
        states = [rules.state(seat, half) for seat in (0, 1)]
        jam = hand_for_hand(rules, states) if number == 6 else solution.play.jam
        own, other = stacks[half], rules.chips - stacks[half]
        chips = f"{own:,} chips each" if own == other else f"{own:,} chips against {other:,}"
        when = "A single hand for its chips" if number == 6 else "A hand of the tournament"
        ante = f", ante {rules.ante:,}" if rules.ante else ""
        title = (
            f"{when}: {chips}, blinds {rules.small_blind:,} and {rules.big_blind:,}{ante}, before the flop"
        )
        figures.draw_strategies(path, title, jam[states[0]], jam[states[1]])
    else:
        raise ErraiError(f"there is no figure {number}; choose one of {', '.join(map(str, FIGURES))}")


def described(rules: Tournament) -> str:
    """8,000 chips, blinds 300 and 600, ante 25; heads-up no-limit hold'em"""
    ante = f", ante {rules.ante:,}" if rules.ante else ""
    blinds = f"blinds {rules.small_blind:,} and {rules.big_blind:,}"
    return f"heads-up tournament of {rules.chips:,} chips, {blinds}{ante}, no-limit hold'em"


def _save_bounds(path: Path, solution: TournamentSolution) -> None:
    bounds = [solution.lower(0), solution.upper(0), solution.lower(1), solution.upper(1), solution.gap]
    with replacing_file(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["stack", "small_blind_lower", "small_blind_upper", "big_blind_lower", "big_blind_upper", "gap"]
        )
        for units, stack in enumerate(solution.stacks):
            writer.writerow([stack, *(float(bound[units]) for bound in bounds)])


def _save_strategies(path: Path, solution: TournamentSolution) -> None:
    rules = solution.tournament
    with replacing_file(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["blind", "stack", *HANDS])
        for seat, blind in enumerate(("small", "big")):
            for units in range(1, rules.units):
                jam = solution.play.jam[rules.state(seat, units)]
                writer.writerow([blind, solution.stacks[units], *(f"{share:.6g}" for share in jam)])
