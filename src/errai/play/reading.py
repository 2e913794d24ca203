"""Hands from logs of the ACPC as they are found: with comments, CR LF, several matches in a file, without a score.

    found = read_logs(paths, game)
    found.hands         what could be read, each with its file and line
    found.faults        what could not: a line that was cut off, a hand that breaks the rules

Lines that are no hands (comments, SCORE, times, messages of a dealer) are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState, from_log_line

LONGEST = 1 << 16  # bytes of a line that can be a hand


class Place(NamedTuple):
    """Where a line is."""

    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}"


class FoundHand(NamedTuple):
    """A hand that was played to its end."""

    state: HandState
    players: tuple[str, ...]  # by seat; empty where the log does not say
    number: int
    place: Place


@dataclass
class Found:
    """What some files hold."""

    hands: list[FoundHand] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read_logs(paths: Iterable[Path], game: GameDefinition, strict: bool = False) -> Found:
    """All hands of a game in some files; a fault is kept, or with `strict` raised."""
    found = Found()
    for path in paths:
        for number, line in _lines(path):
            if not line.startswith("STATE:"):
                continue
            place = Place(path, number)
            try:
                found.hands.append(_hand(game, line, place))
            except ErraiError as error:
                fault = f"{place}: {error}"
                if strict:
                    raise ErraiError(fault) from None
                found.faults.append(fault)
    return found


def in_all(hands: Sequence[FoundHand]) -> set[str]:
    """The players who are in every one of some hands."""
    if not hands:
        raise ErraiError("there are no hands to look at")
    return set(hands[0].players).intersection(*(hand.players for hand in hands))


def _hand(game: GameDefinition, line: str, place: Place) -> FoundHand:
    logged = from_log_line(game, line)
    if not logged.state.over:
        raise ErraiError(f"the hand is not over after {logged.state.betting!a}")
    if None in logged.state.hole:
        raise ErraiError("the cards of a player are missing")
    return FoundHand(logged.state, logged.players, logged.hand_number, place)


def _lines(path: Path) -> Iterable[tuple[int, str]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
                yield number, line.decode("utf-8", "replace").strip()
    except OSError as error:
        raise ErraiError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
