"""Strategies that need no cards: always fold, call or raise, or any action as often as any other."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.errors import ErraiError
from errai.files.manifest import MANIFEST, saving
from errai.files.reading import understood
from errai.games.definition import GameDefinition, parse_game
from errai.games.lookup import BettingTree, betting_tree
from errai.games.spot import Spot, whole_game
from errai.games.template import Node
from errai.sequence import sequence_form
from errai.sequence.poker import poker_game
from errai.sequence.profile import profile_of_table
from errai.strategy.limit import Board, LimitStrategy
from errai.strategy.strategy import Rows, Saved, live_hands

# Name -> the action that it takes, the first that is allowed; none: all alike.
RULES = {"always-fold": "fc", "always-call": "c", "always-raise": "rc", "uniform": ""}


def chosen(rule: str, actions: str) -> str:
    """The actions that a rule takes among those that are allowed, each as often as the others."""
    return next((action for action in RULES[rule] if action in actions), actions)


@dataclass(frozen=True, eq=False)
class RuleStrategy(LimitStrategy):
    """One of the rules, in one game."""

    kind = "rule"
    described = "a rule"
    looks_ahead = 1

    name: str
    rules: GameDefinition
    saved: Saved | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise ErraiError(f"unknown strategy {self.name!a}: choose {', '.join(RULES)}")

    @cached_property
    def _spot(self) -> Spot:
        return whole_game(self.rules)

    @property
    def spot(self) -> Spot:
        return self._spot

    @cached_property
    def _tree(self) -> BettingTree:
        return betting_tree(self.rules)

    @property
    def tree(self) -> BettingTree:
        return self._tree

    @property
    def fingerprint(self) -> str:
        """What tells a strategy from any other."""
        return f"{self.name} {zlib.crc32(self.rules.text().encode()):08x}"

    def taken(self, node: Node) -> str:
        """The actions that it takes at a decision, each as often as the others."""
        return chosen(self.name, node.actions)

    def on_board(self, board: Board) -> _OnBoard:
        return _OnBoard(self, live_hands(self.rules, (card for dealt in board for card in dealt)))

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Value and best responses in a game that is small enough to be written down as a tree."""
        form = sequence_form(poker_game(self.rules))
        tables: tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]] = ({}, {})
        for which in range(form.game.information_sets):
            actions = form.game.actions(which)
            taken = chosen(self.name, "".join(actions))
            row = {action: float(action in taken) / len(taken) for action in actions}
            tables[int(form.game.set_player[which])][form.game.set_names[which]] = row
        return profile_of_table(form, tables).evaluate()

    def info(self) -> Rows:
        return [("game", self.game.name), ("kind", f"the rule {self.name}, whatever the cards are")]

    def save(self, folder: Path) -> None:
        """Write it to a folder: nothing but a manifest."""
        with saving(folder) as new:
            new.commit(self.kind, rule=self.name, name=self.rules.name, game=self.rules.text(), about={})

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> RuleStrategy:
        """The rule of a folder."""
        with understood(folder / MANIFEST):
            game = parse_game(content["game"], name=content["name"])
            return cls(str(content["rule"]), game, Saved(folder, content))


@dataclass(frozen=True)
class _OnBoard:
    strategy: RuleStrategy
    live: NDArray[np.bool_]

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        row = [float(action in self.strategy.taken(node)) for node in nodes for action in node.actions]
        shape = (len(row), len(self.live), len(contexts))
        return np.broadcast_to(np.array(row, np.float32)[:, None, None], shape)
