"""An extensive game built node by node.

    pennies = GameBuilder("Matching pennies", ("Even", "Odd"))
    for i, place in enumerate(pennies.decision(0, 0, "even", ("heads", "tails"))):
        for j, end in enumerate(pennies.decision(place, 1, "odd", ("heads", "tails"))):
            pennies.end(end, 1 if i == j else -1)
    game = pennies.build()

Place 0 is the root. Each node that is put in a place gives new places, one for each action or branch. A player
cannot tell the nodes of one information set apart.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Integral, Rational

import numpy as np

from errai.errors import ErraiError
from errai.sequence.tree import CHANCE, END, NONE, ExtensiveGame, Number, describe, require_simple

_OPEN = -2  # in the place of a player: not filled yet
_SIMPLE = 10**6  # the largest denominator of a fraction that is recognised behind a float
_ULPS = 4e-16
_SUM_TOLERANCE = 1e-9
_LONGEST = 400  # digits of a number, and the largest exponent: a longer one would be computed for hours
_WRITTEN = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+|/[0-9]+)?", re.IGNORECASE)
_MOST_PAID = 10**300

Given = int | float | str | Fraction | Decimal


def number(given: Given) -> Number:
    """A number as a fraction: exactly, or for a float the simple fraction that it stands for, if there is one.

    0.5 is 1/2 and 1/3 (as a float) is 1/3; a float with no simple fraction behind it stays a float.
    """
    if isinstance(given, Fraction):
        return given
    if isinstance(given, str | Decimal):
        return _written(str(given).strip())
    if isinstance(given, Integral | Rational):
        return Fraction(given)
    value = float(given)
    if not isfinite(value):
        raise ErraiError(f"{given!r} is not a finite number")
    simple = Fraction(value).limit_denominator(_SIMPLE)
    return simple if abs(float(simple) - value) <= _ULPS * abs(value) else value


def _written(text: str) -> Fraction:
    """The number that a text is."""
    if len(text) > _LONGEST:
        raise ErraiError(f"a number of {len(text):,} characters is too long; write 3, 0.5 or 1/3")
    if not _WRITTEN.fullmatch(text):
        raise ErraiError(f"{text!a} is not a number; write 3, 0.5 or 1/3")
    exponent = text.lower().partition("e")[2].lstrip("+-")
    if exponent and int(exponent) > _LONGEST:
        raise ErraiError(f"{text} is too large or too small a number; write 3, 0.5 or 1/3")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ErraiError(f"{text!a} is not a number; write 3, 0.5 or 1/3") from None


class _Table:
    """Different things in the order in which they were first seen."""

    def __init__(self) -> None:
        self.places: dict[Hashable, int] = {}

    def place(self, thing: Hashable) -> int:
        return self.places.setdefault(thing, len(self.places))

    def things(self) -> tuple:  # type: ignore[type-arg]
        return tuple(self.places)


class GameBuilder:
    """See the module."""

    root = 0

    def __init__(
        self, title: str = "", players: Sequence[str] = ("player 1", "player 2"), unit: int = 1
    ) -> None:
        if len(players) != 2:
            raise ErraiError(f"{title or 'the game'} has {len(players)} players; Errai solves games of two")
        self.title, self.players, self.unit = title, (str(players[0]), str(players[1])), unit
        self._player = array("b", [_OPEN])
        self._parent = array("i", [NONE])
        self._first_child = array("i", [0])
        self._children = array("i", [0])
        self._set = array("i", [NONE])
        self._label = array("i", [0])
        self._chance = array("i", [0])
        self._payoff = array("i", [0])
        self._labels, self._probabilities, self._payoffs = _Table(), _Table(), _Table()
        self._labels.place("")
        self._probabilities.place(Fraction(1))
        self._sets: dict[tuple[int, Hashable], int] = {}
        self._set_names: list[str] = []
        self._set_actions: list[tuple[tuple[str, ...], tuple[int, ...]]] = []  # names, labels
        self._known_branches: dict[tuple[Given, ...], tuple[int, ...]] = {}
        self._known_ends: dict[tuple[Given, Given | None], int] = {}
        self._sum: Number | None = None  # of both payoffs
        self._sum_at = 0

    @property
    def nodes(self) -> int:
        """Places so far, filled or not."""
        return len(self._player)

    def decision(
        self,
        place: int,
        player: int,
        information_set: Hashable,
        actions: Sequence[str],
        name: str | None = None,
    ) -> range:
        """A move of seat 0 or 1; the new places are in the order of the actions.

        The information set is called `name`, or else what it is.
        """
        if player not in (0, 1):
            raise ErraiError(
                f"{self._where(place)}: player {player} is neither 0 nor 1; Errai solves games of two"
            )
        names = tuple(actions)
        which = self._sets.setdefault((player, information_set), len(self._sets))
        if which == len(self._set_names):
            if not names or "" in actions:
                raise ErraiError(f"{self._where(place)}: a decision needs actions, each with a name")
            if len(set(names)) != len(names):
                raise ErraiError(
                    f"{self._where(place)}: two actions have the same name: {', '.join(actions)}"
                )
            self._set_names.append(str(information_set) if name is None else name)
            self._set_actions.append((names, tuple(map(self._labels.place, names))))
        elif self._set_actions[which][0] != names:
            there = ", ".join(self._set_actions[which][0])
            raise ErraiError(
                f"information set '{self._set_names[which]}' of {self.players[player]} has the actions {there}, "
                f"but at {self._where(place)} {', '.join(names)}"
            )
        labels = self._set_actions[which][1]
        new = self._fill(place, player, labels)
        self._set[place] = which
        self._chance.extend([0] * len(labels))
        return new

    def chance(self, place: int, branches: Mapping[str, Given] | Iterable[tuple[str, Given]]) -> range:
        """A move of chance: branch -> probability; the new places are in their order."""
        pairs = list(branches.items() if isinstance(branches, Mapping) else branches)
        given = tuple(probability for _, probability in pairs)
        codes = self._known_branches.get(given)
        if codes is None:
            codes = tuple(map(self._probabilities.place, self._checked_chances(place, given)))
            self._known_branches[given] = codes
        new = self._fill(place, CHANCE, tuple(self._labels.place(label) for label, _ in pairs))
        self._chance.extend(codes)
        return new

    def end(self, place: int, payoff: Given, other: Given | None = None) -> None:
        """The end of a game: what seat 0 wins, and what seat 1 does if it is not the same with another sign."""
        self._require_open(place)
        self._player[place] = END
        code = self._known_ends.get((payoff, other))
        if code is None:
            code = self._payoffs.place(self._checked_payoff(place, payoff, other))
            self._known_ends[payoff, other] = code
        self._payoff[place] = code

    def build(self) -> ExtensiveGame:
        """The game, when every place is filled and both players have perfect recall."""
        player = np.array(self._player, np.int8)
        if (player == _OPEN).any():
            left = int(np.flatnonzero(player == _OPEN)[0])
            raise ErraiError(f"{self._where(left)} is open; put a decision, a chance move or an end there")
        payoffs: tuple[Number, ...] = self._payoffs.things()
        shift = (self._sum or Fraction(0)) / 2
        sets = np.array(self._set, np.int32)
        # In the order of their first nodes, which is not always the order in which the sets were first named.
        found, nodes = np.unique(sets, return_index=True)
        known = found != NONE
        order = np.argsort(nodes[known])
        renumber = np.empty(len(order) + 1, np.int32)
        renumber[order] = np.arange(len(order))
        renumber[-1] = NONE
        first = nodes[known][order].astype(np.int32)
        old = found[known][order]
        game = ExtensiveGame(
            title=self.title,
            players=self.players,
            player=player,
            parent=np.array(self._parent, np.int32),
            first_child=np.array(self._first_child, np.int32),
            children=np.array(self._children, np.int32),
            information_set=renumber[sets],
            label=np.array(self._label, np.int32),
            chance=np.array(self._chance, np.int32),
            payoff=np.array(self._payoff, np.int32),
            set_player=player[first],
            set_actions=np.array([len(self._set_actions[which][0]) for which in old], np.int32),
            set_node=first,
            set_names=_unique(player[first].tolist(), [self._set_names[which] for which in old]),
            labels=self._labels.things(),
            probabilities=self._probabilities.things(),
            payoffs=tuple(payoff - shift for payoff in payoffs),
            shift=shift,
            unit=self.unit,
        )
        game.require_recall()
        return game

    def _require_open(self, place: int) -> None:
        if not 0 <= place < len(self._player):
            raise ErraiError(f"there is no place {place}; places are what decision and chance return")
        if self._player[place] != _OPEN:
            raise ErraiError(f"{self._where(place)} has been filled already")

    def _fill(self, place: int, player: int, labels: tuple[int, ...]) -> range:
        self._require_open(place)
        self._player[place] = player
        count, first = len(labels), len(self._player)
        self._first_child[place], self._children[place] = first, count
        self._player.extend([_OPEN] * count)
        self._parent.extend([place] * count)
        self._first_child.extend([0] * count)
        self._children.extend([0] * count)
        self._set.extend([NONE] * count)
        self._label.extend(labels)
        self._payoff.extend([0] * count)
        return range(first, first + count)

    def _checked_chances(self, place: int, given: tuple[Given, ...]) -> list[Number]:
        if not given:
            raise ErraiError(f"{self._where(place)}: a chance move needs at least one branch")
        chances = [number(probability) for probability in given]
        for probability in chances:
            if probability < Fraction(0):
                raise ErraiError(f"{self._where(place)}: a probability cannot be {probability}, below 0")
        total: Number = Fraction(0)
        for probability in chances:
            total += probability
            require_simple(total)
        if total == 1 and isinstance(total, Fraction):
            return chances
        rounded = any(isinstance(probability, float) for probability in given)
        if not rounded or _differ(float(total), 1.0):
            raise ErraiError(
                f"{self._where(place)}: the probabilities of chance add up to {total}, not to 1; write 1/3, not 0.333"
            )
        return [float(probability) for probability in given]

    def _checked_payoff(self, place: int, payoff: Given, other: Given | None) -> Number:
        won = number(payoff)
        for paid in (won, won if other is None else number(other)):
            if not -_MOST_PAID <= paid <= _MOST_PAID:
                raise ErraiError(f"{self._where(place)}: a payoff is beyond 1e300; count in larger units")
        total = Fraction(0) if other is None else won + number(other)
        if self._sum is None:
            self._sum, self._sum_at = total, place
        elif _differ(total, self._sum):
            raise ErraiError(
                f"this is a general-sum game: the payoffs of {self._where(place)} add up to {total}, those of "
                f"{self._where(self._sum_at)} to {self._sum}; Errai solves zero-sum and constant-sum games"
            )
        return won

    def _where(self, place: int) -> str:
        names: list[str] = []
        table = self._labels.things()
        node = place
        while node > 0:
            names.append(table[self._label[node]])
            node = self._parent[node]
        return describe(place, tuple(reversed(names)))


def _differ(one: Number, another: Number) -> bool:
    """Whether two numbers differ: at all if they are fractions, by more than rounding if not."""
    if isinstance(one, Fraction) and isinstance(another, Fraction):
        return one != another
    return abs(float(one) - float(another)) > _SUM_TOLERANCE


def _unique(players: list[int], given: list[str]) -> tuple[str, ...]:
    """The names, with a number where a player has two sets of one name or one without."""
    seen: set[tuple[int, str]] = set()
    names = []
    for count, (player, name) in enumerate(zip(players, given, strict=True), start=1):
        unique = name or f"#{count}"
        while (player, unique) in seen:
            unique = f"{unique} #{count}"
        seen.add((player, unique))
        names.append(unique)
    return tuple(names)
