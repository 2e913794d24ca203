"""A heads-up no-limit tournament by jam or fold: one strategy for every stack, in both blinds.

    folder/strategy.json        the manifest: chips, blinds, ante, step
    folder/strategies.npy       [Z, 169] how often each hand jams, by who posts the small blind and by stack

A hand of it is queried by a state of the no-limit game with the stacks of that hand (`with_stacks`); both have half
of the chips if nothing is said. The strategy never limps. In the big blind it plays the same hands whatever the small
blind did: it calls a jam with them, and jams them after a limp.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from errai.errors import ErraiError
from errai.files.manifest import MANIFEST
from errai.files.pending import located
from errai.files.reading import load_array, understood, whole
from errai.games.definition import GameDefinition
from errai.games.state import HandState
from errai.jamfold.equities import CLASSES
from errai.jamfold.matrix_game import Floats
from errai.jamfold.recursive_game import Tournament
from errai.jamfold.tournament_files import ARRAY, KIND
from errai.jamfold.tournament_proof import saved_tournament
from errai.strategy.kinds.jamfold import BIG, SMALL, by_hand, export_classes, no_limit_game
from errai.strategy.strategy import Decision, Rows, Saved, Strategy


@dataclass(frozen=True, eq=False)
class TournamentStrategy(Strategy):
    """The strategy of one player, and a hand of it to be queried."""

    kind = KIND
    described = "a tournament strategy"

    tournament: Tournament
    jam: Floats  # [Z, 169]
    stacks: tuple[int, int]  # of the small blind and the big blind, in chips
    saved: Saved | None = field(default=None, repr=False)

    @cached_property
    def _game(self) -> GameDefinition:
        game, scale = no_limit_game(self.tournament.hand(0, self.stacks[0] // self.tournament.step))
        assert scale == 1
        return game

    @property
    def game(self) -> GameDefinition:
        return self._game

    @property
    def seats(self) -> tuple[str, str]:
        return "big blind", "small blind"

    @property
    def title(self) -> str:
        small, big = self.stacks
        return f"{_described(self.tournament)}, {small} against {big}"

    def with_stacks(self, stacks: tuple[int, int]) -> TournamentStrategy:
        rules = self.tournament
        if sum(stacks) != rules.chips or min(stacks) <= 0 or stacks[0] % rules.step:
            raise ErraiError(
                f"the stacks {stacks[0]} and {stacks[1]} are none of this tournament: they are multiples of "
                f"{rules.step} and {rules.chips} together"
            )
        return replace(self, stacks=stacks)

    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        if values:
            raise self.cannot("be evaluated in chips: its values are probabilities to win the tournament")
        raises = [action for action in state.actions if action[0] == "r"]
        jammed = len(raises) == 1 and int(raises[0][1:]) >= min(state.stacks)
        if not (state.actions in ((), ("c",)) or (len(state.actions) == 1 and jammed)):
            raise ErraiError(
                f"betting {state.betting!a} is no decision of a tournament by jam or fold; those are '', 'c' and "
                f"'r{state.stacks[SMALL]}'"
            )
        own = self.stacks[0 if state.player == SMALL else 1] // self.tournament.step
        often = self.jam[self.tournament.state(int(state.player == BIG), own)]
        legal = state.legal()
        actions = (legal[0], f"r{state.stacks[state.player]}" if "r" in legal and not jammed else "c")
        return Decision(state.player, actions, by_hand(np.stack([1 - often, often], axis=1)))

    def info(self) -> Rows:
        rules = self.tournament
        about = {} if self.saved is None else self.saved.content["about"]
        rows = [
            ("game", _described(rules)),
            ("kind", f"jam or fold at {rules.units - 1} stacks in both blinds, step {rules.step}"),
        ]
        if "largest_gap" in about:
            gap = f"at most {100 * about['largest_gap']:.2f}% less often than any strategy can be sure of"
            rows.append(("wins", gap))
        return rows

    def export(self, path: Path) -> int:
        """Every stack in both blinds, a column each."""
        rules = self.tournament
        columns = {
            f"{blind} {units * rules.step}": self.jam[rules.state(seat, units)]
            for seat, blind in enumerate(("small", "big"))
            for units in range(1, rules.units)
        }
        return export_classes(path, self.title, columns)

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> TournamentStrategy:
        """The tournament of a folder."""
        with understood(folder / MANIFEST):
            rules = saved_tournament(content["tournament"])
            checksum, shape = whole(content["files"][ARRAY]), (rules.states, CLASSES)
            path = located(folder, ARRAY, checksum)
            jam = load_array(path, np.dtype(np.float64), shape, checksum)
            if not ((jam >= 0) & (jam <= 1)).all():
                raise ErraiError(f"{path} is damaged: it has probabilities outside 0 to 1")
            half = rules.units // 2 * rules.step
            return cls(rules, jam, (half, rules.chips - half), Saved(folder, content))


def _described(rules: Tournament) -> str:
    return f"tournament of {rules.chips} chips, blinds {rules.small_blind} and {rules.big_blind}"
