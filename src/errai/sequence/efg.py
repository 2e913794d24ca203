r"""Games from Gambit's `.efg` files (extensive game, version 2).

    EFG 2 R "title" { "player 1" "player 2" } "comment"
    c "node" 1 "set" { "branch" 1/2 "branch" 1/2 } 0                      chance: set, branches, outcome
    p "node" 1 1 "set" { "action" "action" } 0                            player, set, actions, outcome
    t "node" 1 "outcome" { 1, -1 }                                        an end: outcome, payoffs

The nodes are in prefix order. Sets are numbered for each player apart, and what has been said of a set or an outcome
may be left out when its number comes again. Outcome 0 pays nothing, and outcomes on the way add up. The comment is
optional, all white space is alike, and strings have \" and \\. Numbers are read as the fractions that they say.

A list in braces is one token, read once for each different text: files repeat the same few lists at most nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from errai.errors import ErraiError
from errai.sequence.builder import GameBuilder
from errai.sequence.tree import CHANCE, ExtensiveGame

_FIRST_BYTES = 65536  # what is looked at before a whole file is read

_TOKEN = re.compile(
    r"""[ \t\r\n\f\v]*+(?:
      (?P<string>"(?:[^"\\]++|\\.)*+")
    | (?P<list>\{(?:[^{}"]++|"(?:[^"\\]++|\\.)*+")*+\})
    | (?P<number>[+-]?[0-9.][^ \t\r\n\f\v{}",]*+)
    | (?P<word>[A-Za-z]\w*+)
    | (?P<comma>,)
    | (?P<end>\Z)
    | (?P<stray>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r'\\(["\\])')
# Bounded, so that 1e999999999 is refused and not worked out.
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,999}/[0-9]{1,999}|(?:[0-9]{1,999}\.?[0-9]{0,999}|\.[0-9]{1,999})(?:[eE][+-]?[0-9]{1,3})?)"
)
_WHOLE = re.compile(r"[0-9]{1,18}")

_Payoffs = tuple[Fraction, Fraction]
_NOTHING: _Payoffs = (Fraction(0), Fraction(0))


def read_efg(path: Path) -> ExtensiveGame:
    """The game of an `.efg` file."""
    source = str(path) if str(path).isprintable() else ascii(str(path))
    return parse_efg(_content(path, source), source)


def parse_efg(text: str, source: str = "the text") -> ExtensiveGame:
    """The game that the text of an `.efg` file states. Errors call the text `source`."""
    return _Reader(text, source).game()


def _content(path: Path, source: str) -> str:
    no_text = f"{source} is not UTF-8 text; an .efg file is plain text that begins with EFG 2 R"
    try:
        with path.open("rb") as file:
            # A wrong path (a disk image, a device) costs nothing.
            content = file.read(_FIRST_BYTES)
            if b"\0" in content:
                raise ErraiError(no_text)
            content += file.read()
    except FileNotFoundError:
        raise ErraiError(f"{source} does not exist; give the path of an .efg file") from None
    except IsADirectoryError:
        raise ErraiError(f"{source} is a directory; give the path of an .efg file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ErraiError(f"{source} cannot be read: {reason}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ErraiError(no_text) from None


class _Set(NamedTuple):
    """An information set of a player, or the chance moves of one number."""

    player: int
    number: int
    name: str
    written: tuple[str, ...]  # names of actions or branches in the file
    chances: tuple[Fraction, ...]  # none at a player's
    labels: tuple[str, ...]  # the names in the game
    start: int  # of their list

    def __str__(self) -> str:
        return f"information set {self.number} of {_owner(self.player)}"

    def listed(self) -> str:
        """What the file lists, for messages."""
        names = map(_shown, self.written)
        items = map("{} {}".format, names, self.chances) if self.chances else names
        return f"{{ {' '.join(items)} }}"


class _Outcome(NamedTuple):
    payoffs: _Payoffs
    start: int


class _Open(NamedTuple):
    """A node some of whose children are still to come."""

    start: int
    children: Iterator[tuple[int, str]]  # place and label
    won: _Payoffs  # on the way


class _Reader:
    """A text and the token at which it is read."""

    def __init__(self, text: str, source: str) -> None:
        self._text, self._source = text, source
        self._kind, self._value, self._start, self._end = "", "", 0, 0
        self._sets: dict[tuple[int, int], _Set] = {}
        self._outcomes: dict[int, _Outcome] = {}
        self._known_payoffs: dict[str, _Payoffs] = {}
        self._step()

    def game(self) -> ExtensiveGame:
        builder = self._header()
        stack = [_Open(0, iter([(GameBuilder.root, "")]), _NOTHING)]
        while stack:
            above = stack[-1]
            child = next(above.children, None)
            if child is None:
                stack.pop()
                continue
            place, label = child
            start = self._start
            if self._kind == "end":
                raise self._cut_off(above, label, first=place == GameBuilder.root)
            moving, outcome = self._node()
            won = above.won
            if outcome is not _NOTHING:
                won = outcome if won is _NOTHING else (won[0] + outcome[0], won[1] + outcome[1])
            try:
                if moving is None:
                    builder.end(place, *won)
                    continue
                if moving.player == CHANCE:
                    places = builder.chance(place, zip(moving.labels, moving.chances, strict=True))
                else:
                    places = builder.decision(place, moving.player, moving.number, moving.labels, moving.name)
            except ErraiError as error:
                raise self._error(start, str(error)) from None
            stack.append(_Open(start, zip(places, moving.labels, strict=True), won))
        if self._kind != "end":
            raise self._error(
                self._start,
                f"{self._found()} after the last node; the tree is complete, remove what follows it",
            )
        try:
            return builder.build()
        except ErraiError as error:
            raise ErraiError(_one_line(f"{self._source}: {error}")) from None

    def _header(self) -> GameBuilder:
        if self._kind == "end":
            raise self._error(0, "the file is empty; an .efg file begins with EFG 2 R")
        for wanted in (("EFG",), ("2",), ("R", "D")):
            if self._value not in wanted:
                raise self._unexpected("EFG 2 R or EFG 2 D, with which an .efg file begins,")
            self._step()
        title = _unquoted(self._take("string", "the title of the game in quotes"))
        start = self._start
        players = self._strings('the list of players, { "Ann" "Bob" },')
        if len(players) != 2:
            count = f"{len(players)} player{'' if len(players) == 1 else 's'}"
            raise self._error(start, f"{count}; Errai solves games of two")
        if self._kind == "string":
            self._step()
        return GameBuilder(title, players)

    def _node(self) -> tuple[_Set | None, _Payoffs]:
        """Who moves at the node, or None at an end, and the payoffs of its own outcome."""
        if self._value not in ("c", "p", "t"):
            raise self._unexpected("a node, which begins with c, p or t,")
        letter = self._step()
        self._take("string", "the name of the node in quotes, which may be empty,")
        moving: _Set | None = None
        if letter == "c":
            moving = self._set(CHANCE)
        elif letter == "p":
            start = self._start
            player = self._whole("the number of the player who moves")
            if player not in (1, 2):
                raise self._error(start, f"there is no player {player}; the players are 1 and 2")
            moving = self._set(player - 1)
        return moving, self._outcome()

    def _set(self, player: int) -> _Set:
        start = self._start
        number = self._whole("the number of an information set")
        known = self._sets.get((player, number))
        name, named_at = None, self._start
        if self._kind == "string":
            name = _unquoted(self._step())
            if known is not None and name != known.name:
                raise self._error(
                    named_at,
                    f"{known} is called {_shown(known.name)} on line {self._line(known.start)} and "
                    f"{_shown(name)} here; give another number or the same name",
                )
        if name is None or (known is not None and self._kind != "list"):
            if known is None:
                wanted = "branches" if player == CHANCE else "actions"
                raise self._error(
                    start,
                    f"information set {number} of {_owner(player)} is not known yet; "
                    f"give its name and its {wanted} where its number first appears",
                )
            return known
        start, written = self._start, self._value
        if known is not None and self._text.startswith(written, known.start):
            self._step()
            return known
        names, chances = (
            self._branches() if player == CHANCE else (self._strings("the list of actions, { ... },"), ())
        )
        labels = names if player == CHANCE else _different(names)
        here = _Set(player, number, name, names, chances, labels, start)
        if known is None:
            self._sets[player, number] = here
        elif (known.written, known.chances) != (names, chances):
            raise self._error(
                start,
                f"{known} has {known.listed()} on line {self._line(known.start)} and {here.listed()} here; "
                "give another number or the same list",
            )
        return known or here

    def _outcome(self) -> _Payoffs:
        start = self._start
        number = self._whole("the number of an outcome, 0 for none,")
        named = self._kind == "string"
        if named:
            self._step()
        known = self._outcomes.get(number)
        if not named and self._kind != "list":
            if number == 0:
                return _NOTHING
            if known is None:
                raise self._error(
                    start,
                    f"outcome {number} is not known yet; give its payoffs where its number first appears",
                )
            return known.payoffs
        if number == 0:
            raise self._error(
                start, "outcome 0 pays nothing; give another number to one with a name or payoffs"
            )
        start = self._start
        payoffs = self._payoffs()
        if known is None:
            self._outcomes[number] = _Outcome(payoffs, start)
        elif known.payoffs != payoffs:
            before, here = (" ".join(map(str, pair)) for pair in (known.payoffs, payoffs))
            raise self._error(
                start,
                f"outcome {number} has {{ {before} }} on line {self._line(known.start)} and {{ {here} }} here; "
                "give another number or the same payoffs",
            )
        return payoffs

    def _payoffs(self) -> _Payoffs:
        known = self._known_payoffs.get(self._value)
        if known is not None:
            self._step()
            return known
        start, written = self._start, self._value
        numbers: list[Fraction] = []
        comma_fits = False
        for kind, value, at in self._items("the list of payoffs, { 1, -1 },"):
            if kind == "comma" and comma_fits:
                comma_fits = False
                continue
            numbers.append(self._number(kind, value, at, "a payoff"))
            comma_fits = True
        if len(numbers) != 2:
            count = f"{len(numbers)} payoff{'' if len(numbers) == 1 else 's'}"
            raise self._error(start, f"{count}; give one for each of the two players")
        payoffs = numbers[0], numbers[1]
        self._known_payoffs[written] = payoffs
        return payoffs

    def _branches(self) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        names: list[str] = []
        chances: list[Fraction] = []
        closing = "", "}", self._end - 1
        items = self._items("the list of branches with their probabilities, { ... },")
        for kind, value, at in items:
            if kind != "string":
                raise self._misplaced(value, at, "the name of a branch in quotes")
            names.append(_unquoted(value))
            chances.append(self._number(*next(items, closing), f"the probability of {_shown(names[-1])}"))
        return tuple(names), tuple(chances)

    def _strings(self, wanted: str) -> tuple[str, ...]:
        strings: list[str] = []
        for kind, value, at in self._items(wanted):
            if kind != "string":
                raise self._misplaced(value, at, "a name in quotes")
            strings.append(_unquoted(value))
        return tuple(strings)

    def _number(self, kind: str, value: str, at: int, wanted: str) -> Fraction:
        if kind != "number":
            raise self._misplaced(value, at, wanted)
        if not _NUMBER.fullmatch(value):
            raise self._error(at, f"{_shown(value)} is not a number; write 3, 0.5, 1e-3 or 1/3")
        try:
            return Fraction(value)
        except ZeroDivisionError:
            raise self._error(at, f"{_shown(value)} divides by zero; write 3, 0.5, 1e-3 or 1/3") from None

    def _step(self) -> str:
        """Advance to the next token; returns the one that was here."""
        left = self._value
        match = _TOKEN.match(self._text, self._end)
        assert match is not None
        assert match.lastgroup is not None
        self._kind, self._end = match.lastgroup, match.end()
        self._value = match[self._kind]
        self._start = self._end - len(self._value)
        return left

    def _items(self, wanted: str) -> Iterator[tuple[str, str, int]]:
        """Kind, text and position of each token in the list that is here."""
        if self._kind != "list":
            raise self._unexpected(wanted)
        at, end = self._start + 1, self._end - 1
        self._step()
        while (match := _TOKEN.match(self._text, at, end)) and (kind := match.lastgroup) and kind != "end":
            yield kind, match[kind], match.start(kind)
            at = match.end()

    def _take(self, kind: str, wanted: str) -> str:
        if self._kind != kind:
            raise self._unexpected(wanted)
        return self._step()

    def _whole(self, wanted: str) -> int:
        if self._kind != "number" or not _WHOLE.fullmatch(self._value):
            raise self._unexpected(wanted)
        return int(self._step())

    def _found(self) -> str:
        if self._kind == "stray" and self._value in ('"', "{"):
            return f"{self._value} without its closing {'}' if self._value == '{' else self._value}"
        return _shown(self._value)

    def _unexpected(self, wanted: str) -> ErraiError:
        if self._kind == "end":
            return self._error(
                self._start, f"the file ends where {wanted.rstrip(',')} is expected; it is cut off"
            )
        return self._error(self._start, f"found {self._found()}; {wanted} is expected")

    def _misplaced(self, value: str, at: int, wanted: str) -> ErraiError:
        return self._error(at, f"found {_shown(value)}; {wanted} is expected")

    def _cut_off(self, above: _Open, label: str, first: bool) -> ErraiError:
        if first:
            return self._error(self._start, "the file ends where the first node is expected; it is cut off")
        line = self._line(above.start)
        return self._error(
            self._start,
            f"the file ends where the node after {_shown(label)} of line {line} is expected; "
            f"it is cut off, or line {line} lists too many",
        )

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _error(self, at: int, complaint: str) -> ErraiError:
        column = at - self._text.rfind("\n", 0, at)
        return ErraiError(_one_line(f"{self._source}:{self._line(at)}:{column}: {complaint}"))


def _owner(player: int) -> str:
    return "chance" if player == CHANCE else f"player {player + 1}"


def _unquoted(string: str) -> str:
    inside = string[1:-1]
    return _ESCAPED.sub(r"\1", inside) if "\\" in inside else inside


def _different(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with the place of each that is empty or was there before: "#1", "raise #3"."""
    written, made = set(names), dict[str, None]()
    for place, name in enumerate(names, start=1):
        different = name or f"#{place}"
        while different in made or (different != name and different in written):
            different = f"{different} #{place}"
        made[different] = None
    return tuple(made)


def _shown(content: str) -> str:
    """A piece of somebody's file as an error shows it: quoted, printable and short."""
    return ascii(content if len(content) <= 40 else content[:37] + "...")


def _one_line(message: str) -> str:
    return " ".join(message.splitlines())
