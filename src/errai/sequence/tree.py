"""A two-player zero-sum game in extensive form, as flat arrays.

Legend: N nodes, I information sets.

Node 0 is the root. A node comes before its children, and the children of a node lie side by side, so child a of
node n is `first_child[n] + a` and a single pass over the nodes in order carries anything from the root down.
Probabilities and payoffs are kept as numbers into small tables of fractions: a poker game has millions of
ends and a handful of different payoffs, and nothing is ever rounded.

Payoffs are those of seat 0. The payoffs of a game whose sum is a constant c are shifted by c/2 to add up to zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.sequence.kernels.walks import find_forgotten, own_sequences

CHANCE, END = 2, 3  # in the place of a player
NONE = -1
_MOST_BITS = 1 << 20  # of a denominator

Number = Fraction | float
Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ExtensiveGame:
    """The tree of a game. Make one with `GameBuilder`, or read one: see errai.sequence."""

    title: str
    players: tuple[str, str]
    player: NDArray[np.int8]  # [N] 0, 1, CHANCE or END
    parent: Ints  # [N] NONE at the root
    first_child: Ints  # [N]
    children: Ints  # [N] 0 at an end
    information_set: Ints  # [N] NONE where no player moves
    label: Ints  # [N] name of the action or branch that leads here, into `labels`
    chance: Ints  # [N] probability of the branch that leads here, into `probabilities`; 0 after a player
    payoff: Ints  # [N] what seat 0 wins at an end, into `payoffs`; 0 elsewhere
    set_player: NDArray[np.int8]  # [I] information sets in the order of their first nodes
    set_actions: Ints  # [I] how many actions
    set_node: Ints  # [I] first node
    set_names: tuple[str, ...]  # [I] unique within a player
    labels: tuple[str, ...]
    probabilities: tuple[Number, ...]  # probabilities[0] is 1
    payoffs: tuple[Number, ...]
    shift: Number = Fraction(0)  # was subtracted from the payoffs of both players
    unit: Fraction | int = 1  # one big blind, for milli-big-blinds; 1 where there is no such thing
    rules: str = ""  # a text that the game can be made from again: the .game text of a poker game

    @property
    def nodes(self) -> int:
        return len(self.player)

    @property
    def information_sets(self) -> int:
        return len(self.set_player)

    @property
    def exact(self) -> bool:
        """Whether all probabilities and payoffs are known as fractions."""
        return all(
            isinstance(number, Fraction) for number in (*self.probabilities, *self.payoffs, self.shift)
        )

    def actions(self, information_set: int) -> tuple[str, ...]:
        """The names of the actions of an information set."""
        return self.branches(int(self.set_node[information_set]))

    def branches(self, node: int) -> tuple[str, ...]:
        """The names of what can happen at a node."""
        first = int(self.first_child[node])
        return tuple(self.labels[code] for code in self.label[first : first + int(self.children[node])])

    def path(self, node: int) -> tuple[str, ...]:
        """The names of what happened on the way from the root to a node."""
        names: list[str] = []
        while node:
            names.append(self.labels[self.label[node]])
            node = int(self.parent[node])
        return tuple(reversed(names))

    def where(self, node: int) -> str:
        """A node in words, for messages."""
        return describe(node, self.path(node))

    @cached_property
    def sequences(self) -> Sequences:
        """The sequences of both players. A game without perfect recall has none: an ErraiError says where."""
        first = np.zeros(self.information_sets, np.int32)
        counts = [0, 0]
        for seat in (0, 1):
            own = np.flatnonzero(self.set_player == seat)
            ends = np.cumsum(self.set_actions[own], dtype=np.int64)
            first[own] = 1 + ends - self.set_actions[own]  # sequence 0 is the empty one
            counts[seat] = 1 + int(ends[-1]) if len(own) else 1
        at = own_sequences(self.player, self.parent, self.first_child, self.information_set, first)
        parent = np.full(self.information_sets, NONE, np.int32)
        node = find_forgotten(self.player, self.information_set, at, parent)
        if node != NONE:
            self._complain_of_forgetting(node)
        return Sequences(at, first, parent, (counts[0], counts[1]))

    def require_recall(self) -> None:
        """Refuse the game, by an ErraiError, unless both players have perfect recall."""
        _ = self.sequences

    def _complain_of_forgetting(self, node: int) -> None:
        which = int(self.information_set[node])
        seat = int(self.set_player[which])
        here, there = (self._memory(seat, at) for at in (node, int(self.set_node[which])))
        raise ErraiError(
            f"information set '{self.set_names[which]}' of {self.players[seat]} lacks perfect recall: "
            f"{self.where(node)} follows {here}, {self.where(int(self.set_node[which]))} follows {there}; "
            "players must remember what they did and knew"
        )

    def _memory(self, seat: int, node: int) -> str:
        """The last action of a player before a node, in words."""
        while node:
            before = int(self.parent[node])
            if self.player[before] == seat:
                name = self.set_names[self.information_set[before]]
                return f"the player's '{self.labels[self.label[node]]}' at '{name}'"
            node = before
        return "no action of the player"

    def preorder(self) -> Iterator[int]:
        """The nodes in prefix order, as .efg files list them."""
        stack = [0]
        while stack:
            node = stack.pop()
            yield node
            first = int(self.first_child[node])
            stack.extend(range(first + int(self.children[node]) - 1, first - 1, -1))


@dataclass(frozen=True, eq=False)
class Sequences:
    """The sequences of both players: the empty one is 0, then the actions of each information set side by side."""

    at: tuple[Ints, Ints]  # [N] each player's own sequence that leads to a node
    first: Ints  # [I] sequence of the first action
    parent: Ints  # [I] sequence that leads to the information set; before `first`
    count: tuple[int, int]


def require_simple(number: Number) -> None:
    """Refuse a fraction of so many digits that a whole game of its like would exhaust the machine."""
    if isinstance(number, Fraction) and number.denominator.bit_length() > _MOST_BITS:
        raise ErraiError(
            f"the fractions of the game have no common denominator below {_MOST_BITS:,} bits; write simpler numbers"
        )


def describe(node: int, path: tuple[str, ...]) -> str:
    """A node in words: its number and how to get there."""
    if not path:
        return f"node {node} (the root)"
    shown = path if len(path) <= 6 else (*path[:3], "...", *path[-2:])
    return f"node {node} (after {', '.join(name or '?' for name in shown)})"
