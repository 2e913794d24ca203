"""The sequence form of a game (Romanovskii 1962; Koller, Megiddo and von Stengel 1994).

A sequence is the list of a player's own actions on the way to a node. Instead of probabilities of actions a
strategy is a *realisation plan*: x[s], the probability that the player contributes to the sequence s, the product of
the probabilities along it. Plans are exactly the solutions of linear equations,

    x >= 0,   x[empty] = 1,   the sum of x[s a] over the actions a of an information set = x[s that leads to it]

which are E x = e for seat 0 and F y = f for seat 1, and the payoff is bilinear, x'A y: A[s, t] is the sum of payoff
times probability of chance over the ends that the pair of sequences (s, t) leads to. The matrices are as large as
the tree, not exponential in it as the matrix of pure strategies is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.sequence.kernels.walks import chance_edges
from errai.sequence.tree import CHANCE, END, ExtensiveGame, Ints, Number, require_simple

_MOST_BITS = 62  # of a sum that is kept in an int64


class SparseMatrix(NamedTuple):
    """Compressed rows: the entries of row r are at start[r] to start[r + 1]. (data, column, start) suits scipy."""

    start: NDArray[np.int64]  # [rows + 1]
    column: Ints  # [entries]
    data: NDArray[Any]  # [entries] float64, or exact integers
    shape: tuple[int, int]

    def rows(self) -> Ints:
        """[entries] the row of each entry."""
        return np.repeat(np.arange(self.shape[0], dtype=np.int32), np.diff(self.start))

    def transposed(self) -> SparseMatrix:
        """The same matrix by columns."""
        order = np.argsort(self.column, kind="stable")
        return _compressed(self.column[order], self.rows()[order], self.data[order], self.shape[::-1])

    def for_kernels(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[Any]]:
        """(start, column, data) with unsigned indices, which kernels need not check for being negative."""
        return self.start.view(np.uint64), self.column.view(np.uint32), self.data

    def dense(self) -> NDArray[Any]:
        """As an ordinary array, for small matrices."""
        full = np.zeros(self.shape, self.data.dtype)
        full[self.rows(), self.column] = self.data
        return full


class Sets(NamedTuple):
    """The information sets of one player, parents before children. Kernels take it as it is."""

    first: Ints  # [sets] sequence of the first action; the others follow
    actions: Ints  # [sets]
    parent: Ints  # [sets] sequence that leads there


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """Payoffs and constraints of both players. S sequences of seat 0, T of seat 1."""

    game: ExtensiveGame
    sets: tuple[Sets, Sets]
    payoff: SparseMatrix  # [S, T] of seat 0, in float64
    numerator: (
        NDArray[Any] | None
    )  # the same entries times `denominator`, exact integers; None where not known
    denominator: int

    @property
    def sequences(self) -> tuple[int, int]:
        """S and T."""
        return self.payoff.shape

    @property
    def entries(self) -> int:
        """Entries of the payoff matrix that are not zero."""
        return len(self.payoff.data)

    @cached_property
    def payoffs(self) -> tuple[SparseMatrix, SparseMatrix]:
        """Seat 0's payoffs, by the sequences of seat 0 and by those of seat 1."""
        return self.payoff, self.payoff.transposed()

    @property
    def exact_payoff(self) -> SparseMatrix:
        """The payoffs as integers, to be divided by `denominator`."""
        if self.numerator is None:
            raise ErraiError(
                f"{self.game.title or 'this game'} has probabilities or payoffs that are not known as fractions; "
                'method="lp" or method="cfr+" solves it in floating point'
            )
        return self.payoff._replace(data=self.numerator)

    def constraints(self, seat: int) -> tuple[SparseMatrix, NDArray[np.float64]]:
        """The equations of a player's plans: (E, e) of seat 0 or (F, f) of seat 1."""
        first, actions, parent = self.sets[seat]
        own = np.repeat(np.arange(1, len(first) + 1, dtype=np.int32), actions)
        row = np.concatenate([[0], np.arange(1, len(first) + 1), own]).astype(np.int32)
        column = np.concatenate([[0], parent, np.arange(1, 1 + len(own))]).astype(np.int32)
        data = np.concatenate([[1.0], -np.ones(len(first)), np.ones(len(own))])
        order = np.argsort(row, kind="stable")
        right = np.zeros(len(first) + 1)
        right[0] = 1.0
        shape = (len(first) + 1, self.sequences[seat])
        return _compressed(row[order], column[order], data[order], shape), right


def sequence_form(game: ExtensiveGame) -> SequenceForm:
    """The sparse matrices of a game."""
    sequences = game.sequences
    S, T = sequences.count
    ends = np.flatnonzero(game.player == END)
    code, worth = _weighted_payoffs(game, ends)
    key = sequences.at[0][ends].astype(np.int64) * T + sequences.at[1][ends]
    order = np.argsort(key, kind="stable")
    key = key[order]
    begins = np.flatnonzero(np.diff(key, prepend=-1)) if len(key) else np.zeros(0, np.int64)
    summed, denominator = _summed(worth, code[order], begins)
    known = summed.dtype != np.float64
    data = _divided(summed, denominator) if known else summed
    # An entry of zero says nothing: chance never goes there, or wins and losses cancel.
    kept = np.flatnonzero(data != 0)
    row, column = np.divmod(key[begins][kept], T)
    payoff = _compressed(row.astype(np.int32), column.astype(np.int32), data[kept], (S, T))
    sets = []
    for seat in (0, 1):
        own = np.flatnonzero(game.set_player == seat)
        sets.append(Sets(sequences.first[own], game.set_actions[own], sequences.parent[own]))
    return SequenceForm(game, (sets[0], sets[1]), payoff, summed[kept] if known else None, denominator)


def _weighted_payoffs(game: ExtensiveGame, ends: NDArray[np.int64]) -> tuple[Ints, list[Number]]:
    """[ends] payoff times probability of chance, as numbers into a table of the different products."""
    edge, depth = chance_edges(game.player, game.parent)
    reach = np.zeros(game.nodes, np.int64)  # of nodes that chance leads to: into `chances`
    chances: list[Number] = [Fraction(1)]
    after_chance = np.flatnonzero(game.player[np.maximum(game.parent, 0)] == CHANCE)
    after_chance = after_chance[after_chance > 0]
    width = len(game.probabilities)
    after_chance = after_chance[np.argsort(depth[after_chance], kind="stable")]
    for nodes in np.split(after_chance, np.flatnonzero(np.diff(depth[after_chance])) + 1):
        pairs = reach[edge[game.parent[nodes]]] * width + game.chance[nodes]
        different, place = np.unique(pairs, return_inverse=True)
        reach[nodes] = len(chances) + place
        for pair in different.tolist():
            chances.append(chances[pair // width] * game.probabilities[pair % width])
            require_simple(chances[-1])
    width = len(game.payoffs)
    pairs = reach[edge[ends]] * width + game.payoff[ends]
    different, place = np.unique(pairs, return_inverse=True)
    worth = [chances[pair // width] * game.payoffs[pair % width] for pair in different.tolist()]
    return place.astype(np.int32), worth


def _summed(worth: list[Number], code: Ints, begins: NDArray[np.int64]) -> tuple[NDArray[Any], int]:
    """The sum of each run of codes: as integers over one denominator where all is known exactly, else float64."""
    if not all(isinstance(number, Fraction) for number in worth):
        table = np.array([float(number) for number in worth])
        return np.add.reduceat(table[code], begins) if len(begins) else np.zeros(0), 1
    fractions = [number for number in worth if isinstance(number, Fraction)]
    denominator = 1
    for number in fractions:
        denominator = lcm(denominator, number.denominator)
        require_simple(Fraction(1, denominator))
    numerators = [number.numerator * (denominator // number.denominator) for number in fractions]
    most = max((abs(number) for number in numerators), default=0) * max(len(code), 1)
    exact = np.array(numerators, np.int64 if most.bit_length() <= _MOST_BITS else object)
    return (np.add.reduceat(exact[code], begins) if len(begins) else exact[:0]), denominator


def _divided(numerators: NDArray[Any], denominator: int) -> NDArray[np.float64]:
    """The nearest floats of integers over a denominator."""
    different, place = np.unique(numerators, return_inverse=True)
    return np.array([int(number) / denominator for number in different])[place]


def _compressed(row: Ints, column: Ints, data: NDArray[Any], shape: tuple[int, ...]) -> SparseMatrix:
    """Compressed rows of entries that are sorted by row."""
    start = np.zeros(shape[0] + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=start[1:])
    return SparseMatrix(start, column, data, (shape[0], shape[1]))
