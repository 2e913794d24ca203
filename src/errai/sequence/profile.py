"""A strategy profile: the strategies of both players, their value and the best responses to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.errors import ErraiError
from errai.sequence.form import SequenceForm
from errai.sequence.kernels.plans import behaviour_of, best_response, multiply, plan_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Profile:
    """What both players do: the probability of each action, by sequence.

    Where a player's own earlier actions make an information set impossible, its actions are equally likely.
    """

    form: SequenceForm
    behaviour: tuple[Floats, Floats]  # [S], [T]; that of the empty sequence is 1

    @property
    def plans(self) -> tuple[Floats, Floats]:
        """The realisation plans: products of probabilities along each sequence."""
        out = []
        for sets, behaviour in zip(self.form.sets, self.behaviour, strict=True):
            plan = np.empty_like(behaviour)
            plan_of(sets, behaviour, plan)
            out.append(plan)
        return out[0], out[1]

    def probabilities(self, player: int, information_set: str) -> dict[str, float]:
        """Action -> probability at one information set."""
        game = self.form.game
        places = np.flatnonzero(game.set_player == player)
        for which in places:
            if game.set_names[which] == information_set:
                return dict(self._row(int(which)))
        raise ErraiError(f"{game.players[player]} has no information set '{information_set}'")

    def rows(self) -> Iterator[tuple[int, str, dict[str, float]]]:
        """(player, information set, action -> probability) of every information set."""
        game = self.form.game
        for which in range(game.information_sets):
            yield int(game.set_player[which]), game.set_names[which], self._row(which)

    def _row(self, which: int) -> dict[str, float]:
        game = self.form.game
        first = int(game.sequences.first[which])
        numbers = self.behaviour[game.set_player[which]][first : first + int(game.set_actions[which])]
        return dict(zip(game.actions(which), map(float, numbers), strict=True))

    def evaluate(self) -> Evaluation:
        """The value of the profile and both best responses, in the game with payoffs that add up to zero."""
        return evaluate(self.form, self.plans)

    def best_responses(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """[sets] of each player: the action, counted from 0, that is best against the opponent's strategy."""
        plans = self.plans
        return _respond(self.form, 0, plans[1])[1], _respond(self.form, 1, plans[0])[1]


def evaluate(form: SequenceForm, plans: tuple[Floats, Floats]) -> Evaluation:
    """The value of two plans and what a best response to each wins."""
    gain = np.empty(form.sequences[0])
    multiply(form.payoff.for_kernels(), plans[1], 1.0, gain)
    value = fsum(gain * plans[0])
    best = _respond(form, 0, plans[1])[0], _respond(form, 1, plans[0])[0]
    return Evaluation((value, -value), best, float(form.game.unit))


def _respond(form: SequenceForm, seat: int, other: Floats) -> tuple[float, NDArray[np.int32]]:
    """What the best response of a seat to the opponent's plan wins, and its action at each set."""
    gain = np.empty(form.sequences[seat])
    multiply(form.payoffs[seat].for_kernels(), other, 1.0 - 2.0 * seat, gain)
    choice = np.zeros(len(form.sets[seat].first), np.int32)
    best_response(form.sets[seat], gain, choice)
    return float(gain[0]), choice


def profile_of_plans(form: SequenceForm, plans: tuple[Floats, Floats]) -> Profile:
    """The profile of two plans, or of weights that are proportional to plans."""
    out = []
    for sets, plan in zip(form.sets, plans, strict=True):
        behaviour = np.empty(len(plan))
        behaviour_of(sets, np.asarray(plan, np.float64), behaviour)
        out.append(behaviour)
    return Profile(form, (out[0], out[1]))


def uniform(form: SequenceForm) -> Profile:
    """Every action equally likely."""
    return profile_of_plans(form, (np.zeros(form.sequences[0]), np.zeros(form.sequences[1])))


def profile_of_table(form: SequenceForm, table: tuple[Mapping[str, Mapping[str, Any]], ...]) -> Profile:
    """The profile of one table a player: information set -> action -> probability."""
    behaviour = tuple(np.ones(count) for count in form.sequences)
    game = form.game
    for which in range(game.information_sets):
        seat, name = int(game.set_player[which]), game.set_names[which]
        if name not in table[seat]:
            raise ErraiError(f"the strategy of {game.players[seat]} lacks the information set '{name}'")
        row, names = table[seat][name], game.actions(which)
        if set(row) != set(names):
            raise ErraiError(
                f"information set '{name}' of {game.players[seat]} has the actions {', '.join(names)}, "
                f"and the strategy {', '.join(row)}"
            )
        first = int(game.sequences.first[which])
        numbers = np.array([float(row[action]) for action in names])
        if not ((numbers >= 0).all() and abs(numbers.sum() - 1) <= 1e-6):
            raise ErraiError(f"the probabilities at information set '{name}' do not add up to 1")
        behaviour[seat][first : first + len(names)] = numbers / numbers.sum()
    return Profile(form, (behaviour[0], behaviour[1]))
