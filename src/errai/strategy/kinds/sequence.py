"""A solution of the sequence form, by a linear program, in fractions or by CFR: every information set by its name.

The files are those of errai.sequence.solution. A poker game is queried by a state, like any other strategy: its
information sets are called `seat:betting:hand|board`. A game without cards (a Gambit file, a game of OpenSpiel) is
queried by the name of an information set.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hands
from errai.engine.evaluation import Evaluation
from errai.errors import ErraiError
from errai.files.manifest import MANIFEST, file_checksum
from errai.files.reading import understood
from errai.games.definition import GameDefinition, parse_game
from errai.games.lookup import BettingTree, betting_tree, bettings_of
from errai.games.spot import Spot, whole_game
from errai.games.state import HandState
from errai.games.template import Node
from errai.sequence import export
from errai.sequence.certificate import NAME, Certificate, load_certificate
from errai.sequence.efg import parse_efg
from errai.sequence.exact import to_floats
from errai.sequence.form import SequenceForm, sequence_form
from errai.sequence.poker import poker_game
from errai.sequence.profile import Profile, profile_of_table
from errai.sequence.solution import CSV, EFG, KIND
from errai.sequence.tree import ExtensiveGame
from errai.strategy.info import made_by, measured_text, not_below_value
from errai.strategy.limit import Board, LimitStrategy
from errai.strategy.strategy import Decision, Rows, Saved, Strategy, live_hands

Table = dict[str, dict[str, float]]  # information set -> action -> probability


@dataclass(frozen=True, eq=False)
class Solved:
    """What a folder holds: the probabilities of both players, and where the game is found."""

    title: str
    players: tuple[str, str]
    tables: tuple[Table, Table]
    rules: str  # of a poker game; empty for others
    saved: Saved

    @cached_property
    def form(self) -> SequenceForm:
        """The sequence form of the game."""
        return sequence_form(self._game())

    @property
    def profile(self) -> Profile:
        """The probabilities, sequence by sequence."""
        return profile_of_table(self.form, self.tables)

    @cached_property
    def certificate(self) -> Certificate | None:
        """The proof, where there is one."""
        if NAME not in self.saved.content["files"]:
            return None
        return load_certificate(self.saved.folder / NAME, known=self.saved.read(NAME))

    def evaluate(self) -> Evaluation:
        """Value and best responses in the game with payoffs that add up to zero; exactly, where there is a proof."""
        if self.certificate is None:
            return not_below_value(self.profile.evaluate())
        form = sequence_form(self.certificate.game)
        self.certificate.verify(form)
        value = float(to_floats([self.certificate.value])[0]) - float(form.game.shift)
        return Evaluation((value, -value), (value, -value), float(form.game.unit))

    def row(self, name: str) -> tuple[int, dict[str, float]]:
        """(player, action -> probability) of an information set."""
        owners = [player for player in (0, 1) if name in self.tables[player]]
        if not owners:
            some = ", ".join(list(self.tables[0])[:3])
            raise ErraiError(f"there is no information set {name!a}; there are {some} and others")
        return owners[0], self.tables[owners[0]][name]

    def info(self) -> Rows:
        """Without the game's name."""
        about = self.saved.content["about"]
        count = len(self.tables[0]) + len(self.tables[1])
        proof = "the value is proven in fractions: errai verify checks it" if self.certificate else ""
        return [
            ("kind", f"sequence form: {count:,} information sets of its tree by name"),
            *made_by(about),
            ("exploitability", measured_text(about)),
            *([("proof", proof)] if proof else []),
        ]

    def _game(self) -> ExtensiveGame:
        if self.rules:
            return poker_game(parse_game(self.rules, name=self.title))
        if self.certificate is not None:
            return self.certificate.game
        if EFG not in self.saved.content["files"]:
            raise ErraiError(
                f"{self.saved.folder} holds no game: {self.title} was too large to be saved with it"
            )
        return parse_efg(self.saved.read(EFG).decode(), str(self.saved.folder / EFG))


@dataclass(frozen=True, eq=False)
class SequenceStrategy(LimitStrategy):
    """A solution of a poker game, every card told apart."""

    kind = KIND
    described = "a solution of the sequence form"
    precision = np.float64
    symmetric = False  # a vertex of a linear program need not treat suits alike

    solved: Solved
    saved: Saved | None = field(default=None, repr=False)

    @cached_property
    def _spot(self) -> Spot:
        return whole_game(parse_game(self.solved.rules, name=self.solved.title))

    @property
    def spot(self) -> Spot:
        return self._spot

    @cached_property
    def _tree(self) -> BettingTree:
        return betting_tree(self.game)

    @property
    def tree(self) -> BettingTree:
        return self._tree

    @cached_property
    def bettings(self) -> list[list[str]]:
        """By round and context, the betting that leads there."""
        return bettings_of(self.tree)

    def on_board(self, board: Board) -> _OnBoard:
        return _OnBoard(self, board)

    def boards(self, level: int) -> Iterator[list[int]]:
        def below(known: list[int], round_: int) -> Iterator[list[int]]:
            if round_ > level:
                yield known
                return
            left = [card for card in range(self.game.deck_size) if card not in known]
            for dealt in combinations(left, self.game.board_cards[round_]):
                yield from below([*known, *dealt], round_ + 1)

        yield from below([], 0)

    def board_count(self, level: int) -> int:
        left, count = self.game.deck_size, 1
        for dealt in self.game.board_cards[: level + 1]:
            count *= comb(left, dealt)
            left -= dealt
        return count

    def information_set(self, name: str) -> tuple[int, dict[str, float]]:
        return self.solved.row(name)

    def evaluate(self, threads: int = 1) -> Evaluation:
        return self.solved.evaluate()

    def info(self) -> Rows:
        return [("game", self.solved.title), *self.solved.info()]

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> Strategy:
        """The solution of a folder, of a poker game or of any other."""
        saved = Saved(folder, content)
        with understood(folder / MANIFEST):
            players = (str(content["players"][0]), str(content["players"][1]))
            if CSV in content["files"]:
                with understood(folder / CSV):
                    tables = _read_tables(saved.read(CSV).decode(), players)
            else:
                tables = _tables_of(load_certificate(folder / NAME, known=saved.read(NAME)))
            solved = Solved(str(content["title"]), players, tables, str(content["rules"]), saved)
        if solved.rules.startswith("GAMEDEF"):
            return cls(solved, saved)
        return ExtensiveStrategy(solved, saved)

    @staticmethod
    def from_table(folder: Path) -> dict[str, Any]:
        """The manifest of a folder of an earlier version, which has none: its certificate says the same."""
        if not (folder / NAME).is_file():
            raise ErraiError(
                f"{folder} was saved by an earlier Errai and without its game; solve the game again"
            )
        game = load_certificate(folder / NAME).game
        return {
            "kind": KIND,
            "files": {NAME: file_checksum(folder / NAME)},
            "title": game.title,
            "players": list(game.players),
            "rules": game.rules,
            "about": {"exploitability_mbb": 0.0},
        }


@dataclass(frozen=True, eq=False)
class ExtensiveStrategy(Strategy):
    """A solution of a game without cards, queried by the names of its information sets."""

    kind = KIND
    described = "a solution of a game without cards"
    units = ("payoff", "thousandths")

    solved: Solved
    saved: Saved | None = field(default=None, repr=False)

    @property
    def title(self) -> str:
        return self.solved.title or "untitled"

    @property
    def seats(self) -> tuple[str, str]:
        return self.solved.players

    @property
    def game(self) -> GameDefinition:
        raise self.cannot("be queried by a state of a hand; give the name of an information set")

    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        raise self.cannot("be queried by a state of a hand; give the name of an information set")

    def information_set(self, name: str) -> tuple[int, dict[str, float]]:
        return self.solved.row(name)

    def evaluate(self, threads: int = 1) -> Evaluation:
        return self.solved.evaluate()

    def info(self) -> Rows:
        return [("game", self.title), *self.solved.info()]

    def export(self, path: Path) -> int:
        (export.export_csv if path.suffix.lower() == ".csv" else export.export_json)(
            self.solved.profile, path
        )
        return sum(map(len, self.solved.tables))


class _OnBoard:
    """The probabilities of one board, hand by hand."""

    def __init__(self, strategy: SequenceStrategy, board: Board) -> None:
        deck = strategy.spot.deck
        holes = hands(deck.size, strategy.game.hole_cards)
        self._strategy, self._round = strategy, len(board) - 1
        self._ends = [
            f":{deck.format_cards(hole)}|{''.join(deck.format_cards(sorted(dealt)) for dealt in board)}"
            for hole in holes
        ]
        self.live = live_hands(strategy.game, (card for dealt in board for card in dealt))

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        rows = sum(len(node.actions) for node in nodes)
        found = np.zeros((rows, len(self.live), len(contexts)))
        with understood(self._strategy.solved.saved.folder / CSV):
            self._fill(found, nodes, contexts)
        return found

    def _fill(self, found: NDArray[Any], nodes: Sequence[Node], contexts: Sequence[int]) -> None:
        tables = self._strategy.solved.tables
        for k, context in enumerate(contexts):
            before, first = self._strategy.bettings[self._round][context], 0
            for node in nodes:
                begins = f"{node.player}:{before}{node.betting}"
                last = first + len(node.actions)
                for hand in np.flatnonzero(self.live):
                    row = tables[node.player][begins + self._ends[hand]]
                    found[first:last, hand, k] = [row[action] for action in node.actions]
                first = last


def _read_tables(text: str, players: tuple[str, str]) -> tuple[Table, Table]:
    """The probabilities of strategy.csv."""
    tables: tuple[Table, Table] = ({}, {})
    lines = csv.reader(io.StringIO(text, newline=""))
    try:
        next(lines)
        for player, name, action, probability in lines:
            tables[players.index(player)].setdefault(name, {})[action] = _probability(probability)
    except csv.Error as error:
        raise ValueError(f"it is not CSV: {error}") from error
    return tables


def _probability(text: str) -> float:
    if not 0 <= (found := float(text)) <= 1:
        raise ValueError(f"{text!a} is no probability")
    return found


def _tables_of(certificate: Certificate) -> tuple[Table, Table]:
    first, second = (
        {
            name: dict(zip(row, to_floats(list(row.values())).tolist(), strict=True))
            for name, row in table.items()
        }
        for table in certificate.strategies
    )
    return first, second
