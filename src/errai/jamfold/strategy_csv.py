"""A user's own chart from a CSV file, to compare it with others.

One line a hand, all 169 of them, in any order. Either probabilities, the same at every stack:

    hand,jam,call
    AA,1,1
    43s,0.7,0

or the largest stacks in big blinds at which a hand is played, `20+` for any stack and 0 for never:

    hand,jam_up_to,call_up_to
    AA,20+,20+
    43s,10.0,3.8

The second number may be missing, and other columns are not read. Charts and hands that Errai saves are such files.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from pathlib import Path

import numpy as np

from errai.errors import ErraiError
from errai.jamfold.equities import CLASSES, HANDS, class_number
from errai.jamfold.matrix_game import Floats

HAND, UP_TO = "hand", "_up_to"
ACTIONS = ("jam", "call")
EXAMPLES = "hand,jam,call or hand,jam_up_to,call_up_to"

_NAMED = 5  # missing hands that a message names

Stack = float | Fraction


@dataclass(frozen=True, eq=False)
class Column:
    """One action of a chart."""

    numbers: Floats  # [169] probabilities, or largest stacks in big blinds
    stacks: bool  # which of the two

    def at(self, stack: Stack) -> Floats:
        """[169] probabilities with an effective stack, in big blinds."""
        return (float(stack) <= self.numbers).astype(np.float64) if self.stacks else self.numbers.copy()


@dataclass(frozen=True, eq=False)
class UserChart:
    """How somebody plays, by effective stack in big blinds."""

    path: Path
    jam: Column
    call: Column | None

    def jam_at(self, stack_bb: Stack) -> Floats:
        """[169] how often each hand is jammed."""
        return self.jam.at(stack_bb)

    def call_at(self, stack_bb: Stack) -> Floats:
        """[169] how often each hand calls a jam."""
        if self.call is None:
            raise ErraiError(f"{self.path} says nothing about calls: add a column call or call_up_to")
        return self.call.at(stack_bb)


def read_chart(path: str | Path) -> UserChart:
    """A chart from a file; what is wrong in it is named with its line."""
    path = Path(path)
    lines = _lines(path)
    at, head = next(lines, (1, []))
    places = _places(f"{path}, line {at}", [name.strip().lower() for name in head])
    numbers = {name: np.zeros(CLASSES) for name in places if name != HAND}
    seen: dict[int, int] = {}
    for at, row in lines:
        where = f"{path}, line {at}"
        if len(row) != len(head):
            raise ErraiError(
                f"{where} has {len(row)} columns; the first line has {len(head)}: {','.join(head)}"
            )
        try:
            hand = class_number(row[places[HAND]])
        except ErraiError as error:
            raise ErraiError(f"{where}: {error}") from None
        if hand in seen:
            raise ErraiError(
                f"{where}: {HANDS[hand]} is there already, in line {seen[hand]}; give each hand one line"
            )
        seen[hand] = at
        for name, column in numbers.items():
            read = _stack if name.endswith(UP_TO) else _probability
            column[hand] = read(f"{where}, {name} of {HANDS[hand]}", row[places[name]].strip())
    _require_all(path, seen)
    jam, call = (_column(numbers, action) for action in ACTIONS)
    assert jam is not None
    return UserChart(path, jam, call)


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, with their numbers."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise ErraiError(
            f"{path} is not a text file; it must be CSV in UTF-8 with the columns {EXAMPLES}"
        ) from error
    rows = csv.reader(text.splitlines())
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield rows.line_num, row
    except csv.Error as error:
        raise ErraiError(f"{path}, line {rows.line_num} is not CSV: {error}") from error


def _places(where: str, head: Sequence[str]) -> dict[str, int]:
    """Column -> its place, for those that mean something."""
    known = [HAND, *(action + end for action in ACTIONS for end in ("", UP_TO))]
    for name in known:
        if head.count(name) > 1:
            raise ErraiError(f"{where}: the column {name} is there twice")
    places = {name: head.index(name) for name in known if name in head}
    for action in ACTIONS:
        if action in places and action + UP_TO in places:
            raise ErraiError(f"{where}: give one of the columns {action} and {action + UP_TO}, not both")
    if HAND not in places or not {"jam", "jam" + UP_TO} & set(places):
        raise ErraiError(f"{where} must name the columns: {EXAMPLES}")
    return places


def _column(numbers: dict[str, Floats], action: str) -> Column | None:
    for name in (action, action + UP_TO):
        if name in numbers:
            return Column(numbers[name], name.endswith(UP_TO))
    return None


def _probability(where: str, text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        raise ErraiError(f"{where}: {text!a} is not a number; write a probability from 0 to 1") from None
    if not 0 <= found <= 1:
        raise ErraiError(f"{where}: {text} is not a probability; it must be from 0 to 1")
    return found


def _stack(where: str, text: str) -> float:
    try:
        found = float(text.removesuffix("+"))
    except ValueError:
        raise ErraiError(f"{where}: {text!a} is not a stack; write big blinds, as in 7.5, 20+ or 0") from None
    if not (isfinite(found) and found >= 0):
        raise ErraiError(f"{where}: {text} is not a stack; it must be 0 or more big blinds")
    return inf if text.endswith("+") else found


def _require_all(path: Path, seen: dict[int, int]) -> None:
    missing = [name for number, name in enumerate(HANDS) if number not in seen]
    if missing:
        more = ", ..." if len(missing) > _NAMED else ""
        raise ErraiError(
            f"{path}: {len(missing)} of the 169 hands are missing: {', '.join(missing[:_NAMED])}{more}; "
            "give each hand a line"
        )
