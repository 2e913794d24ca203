"""What other jam/fold strategies guarantee in a tournament, each against the opponent that is worst for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.jamfold.equities import CLASSES
from errai.jamfold.linear_program import Solver
from errai.jamfold.matrix_game import Floats, big_blinds_hand, small_blinds_hand
from errai.jamfold.proven_bounds import D, proven, proven_lower
from errai.jamfold.recursive_game import FOLDED, NOWHERE, Tournament
from errai.jamfold.respond import worst_case

Chart = Callable[[float], Floats]  # a stack in big blinds -> [169] how often to play


@dataclass(frozen=True, eq=False)
class Guarantee:
    """A strategy, and the winning probability that it is proven to guarantee; numerators over D."""

    name: str
    tournament: Tournament
    jam: Floats  # [Z, 169]
    proven: NDArray[np.int64]  # [Z]

    def lower(self, seat: int) -> Floats:
        """[U + 1] by units of chips; seat 0 posts the small blind."""
        return proven(self.tournament.by_units(self.proven, seat))

    @property
    def gap(self) -> float:
        """The most that playing it can cost against an optimal player, anywhere: 1 minus both guarantees."""
        lower = [self.tournament.by_units(self.proven, seat) for seat in (0, 1)]
        return float((-proven((lower[0] + lower[1][::-1] - D)[1:-1])).max())

    def loss(self, best: Floats, seat: int) -> float:
        """The most that it guarantees less than another strategy, whose guarantees are `best` [U + 1]."""
        return float((best - self.lower(seat)).max())


def guarantee(name: str, tournament: Tournament, jam: Floats) -> Guarantee:
    """What a strategy guarantees, proven by Everett's first condition in exact arithmetic."""
    # Where there is nothing to decide every hand is played.
    jam = np.where(_may_fold(tournament)[:, None], jam, 1.0)
    values, play = worst_case(tournament, jam)
    return Guarantee(name, tournament, jam, proven_lower(tournament, play, values))


def always_jam(tournament: Tournament) -> Floats:
    """[Z, 169] every hand all in."""
    return np.ones((tournament.states, CLASSES))


def hand_for_hand(tournament: Tournament, states: Iterable[int] | None = None) -> Floats:
    """[Z, 169] each hand played as if chips were all that mattered: the best strategies of single hands.

    Only some `states` are filled in if they are given.
    """
    jam = np.ones((tournament.states, CLASSES))
    solver = Solver()
    for state in tournament.live if states is None else states:
        seat, units = divmod(int(state), tournament.units + 1)
        game = (small_blinds_hand, big_blinds_hand)[seat]
        jam[state] = solver(game(tournament.hand(seat, units), float)).jam
    return jam


def by_chart(tournament: Tournament, jam: Chart, call: Chart) -> Floats:
    """[Z, 169] by a chart of stacks in big blinds: `jam` for the small blind, `call` for the big blind."""
    out = np.ones((tournament.states, CLASSES))
    for state in tournament.live:
        seat, units = divmod(int(state), tournament.units + 1)
        effective = float(tournament.hand(seat, units).effective) / tournament.big_blind
        out[state] = (jam, call)[seat](effective)
    return out


def _may_fold(tournament: Tournament) -> NDArray[np.bool_]:
    return np.asarray(tournament.following[:, FOLDED] != NOWHERE)
