"""Hands from files as they are found: logs of the ACPC, PHH, and the text of rooms such as PokerStars.

    found = read_logs(paths, game)
    found.hands         what could be read, each with its file and line
    found.faults        what could not: a line that was cut off, a hand that breaks the rules

The format of a file is told by its content. In a log of the ACPC lines that are no hands (comments, SCORE, times,
messages of a dealer) are passed over, and so is the talk at the tables of rooms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState, from_log_line
from errai.play.phh import VARIANT, parts, read_phh
from errai.play.rooms import HEADER, RoomHand

LONGEST = 1 << 16  # bytes of a line that can be a hand
Line = tuple[int, str]  # its number, from 1 on


class Place(NamedTuple):
    """Where a line is."""

    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}"


class FoundHand(NamedTuple):
    """A hand that was played to its end."""

    state: HandState  # without the cards that are not known
    players: tuple[str, ...]  # by seat; empty where the log does not say
    number: int
    place: Place
    won: tuple[int, int]  # chips, by seat
    hero: str = ""  # who has written the hand down, where that is told

    @property
    def all_known(self) -> bool:
        """Whether both hands are known."""
        return None not in self.state.hole


@dataclass
class Found:
    """What some files hold."""

    hands: list[FoundHand] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class _Hand(NamedTuple):
    """A hand that is still to be read, and where it is; the place may change while it is read."""

    read: Callable[[], FoundHand]
    place: Callable[[], Place]


def read_logs(paths: Iterable[Path], game: GameDefinition, strict: bool = False) -> Found:
    """All hands of a game in some files; a fault is kept, or with `strict` raised."""
    found = Found()
    for path in paths:
        for hand in _hands(path, game):
            try:
                found.hands.append(hand.read())
            except ErraiError as error:
                fault = f"{hand.place()}: {error}"
                if strict:
                    raise ErraiError(fault) from None
                found.faults.append(fault)
    return found


def in_all(hands: Sequence[FoundHand]) -> set[str]:
    """The players who are in every one of some hands."""
    if not hands:
        raise ErraiError(
            "there are no hands to look at: none was found that is written as in logs of the ACPC, PHH or rooms"
        )
    return set(hands[0].players).intersection(*(hand.players for hand in hands))


def _hands(path: Path, game: GameDefinition) -> Iterator[_Hand]:
    """The hands of a file, by the first line that tells its format."""
    lines, passed = iter(_lines(path)), list[Line]()
    for line in lines:
        passed.append(line)
        for tells, hands in _FORMATS:
            if tells(line[1]):
                yield from hands(path, game, chain(passed, lines))
                return


def _acpc_hands(path: Path, game: GameDefinition, lines: Iterable[Line]) -> Iterator[_Hand]:
    for number, line in lines:
        if line.startswith("STATE:"):
            yield _Hand(partial(_acpc, game, line, Place(path, number)), partial(Place, path, number))


def _acpc(game: GameDefinition, line: str, place: Place) -> FoundHand:
    logged = from_log_line(game, line)
    state = logged.state
    if not state.over:
        raise ErraiError(f"the hand is not over after {state.betting!a}")
    if None in state.hole and state.folded is None and not logged.chips:
        raise ErraiError("the cards of a player are missing, and nothing says who won")
    if state.folded is not None or None not in state.hole:
        won = state.payoff()
    elif abs(logged.chips[0]) in (0, min(state.spent)):
        won = (int(logged.chips[0]), int(logged.chips[1]))
    else:
        raise ErraiError(f"a showdown after {state.betting!a} is not about {logged.chips[0]:g} chips")
    return FoundHand(state, logged.players, logged.hand_number, place, won)


def _phh_hands(path: Path, game: GameDefinition, lines: Iterable[Line]) -> Iterator[_Hand]:
    for count, (number, text) in enumerate(parts(lines), 1):
        yield _Hand(partial(_phh, game, text, Place(path, number), count), partial(Place, path, number))


def _phh(game: GameDefinition, text: str, place: Place, count: int) -> FoundHand:
    state, players, won, name = read_phh(game, text)
    return FoundHand(state, players, name if isinstance(name, int) else count, place, won)


def _room_hands(path: Path, game: GameDefinition, lines: Iterable[Line]) -> Iterator[_Hand]:
    kept: list[Line] = []
    for line in lines:
        if HEADER.fullmatch(line[1]) and kept:
            yield from _room_hand(path, game, kept)
            kept = []
        if kept or HEADER.fullmatch(line[1]):
            kept.append(line)
    if kept:
        yield from _room_hand(path, game, kept)


def _room_hand(path: Path, game: GameDefinition, lines: list[Line]) -> Iterator[_Hand]:
    told = RoomHand(game, lines[0][1], lines[0][0])

    def read() -> FoundHand:
        state, players, won = told.read(lines[1:])
        return FoundHand(state, players, told.number, Place(path, lines[0][0]), won, told.hero)

    yield _Hand(read, lambda: Place(path, told.line))


_Reader = Callable[[Path, GameDefinition, Iterable[Line]], Iterator[_Hand]]
_FORMATS: tuple[tuple[Callable[[str], object], _Reader], ...] = (
    (lambda line: line.startswith("STATE:"), _acpc_hands),
    (VARIANT.match, _phh_hands),
    (HEADER.fullmatch, _room_hands),
)


def _lines(path: Path) -> Iterator[Line]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), b""), 1):
                yield number, line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
    except OSError as error:
        raise ErraiError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
