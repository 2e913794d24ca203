"""One hand of no-limit hold'em by jam or fold, queried by a state of the no-limit game.

    folder/strategy.json    the manifest: stacks, blinds, ante, and who may only jam or fold
    folder/hand.csv         how often each of the 169 hands jams, calls and limps

Seat 0 is the big blind and seat 1 the small blind, who is on the button. Chips are counted in whole numbers, so a
stack of 10 big blinds is one of 20 chips with blinds of 1 and 2. An ante is a part of the blind: both post it.

    the small blind's hand      ""  fold or jam                 "r20"   the big blind folds or calls
    the big blind's hand        ""  the small blind folds or limps   "c"   check or jam   "cr20"  fold or call
                                "r20"  fold or call, with the hands that would have jammed

Where the big blind's strategy folds and checking is free, it checks, which is worth at least as much; the value that
is given is that of the fold. What answers an open jam of the small blind has no value: that strategy never does it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from errai.cards.notation import hand_class_of
from errai.engine.evaluation import Evaluation
from errai.errors import ErraiError
from errai.files.manifest import MANIFEST
from errai.files.reading import fraction, understood
from errai.files.writing import replacing_file, write_json
from errai.games.definition import UNLIMITED_RAISES, GameDefinition
from errai.games.state import HandState
from errai.jamfold.equities import CLASSES, HANDS, class_number
from errai.jamfold.hand import Hand
from errai.jamfold.linear_program import action_values, ceiling, guarantee
from errai.jamfold.matrix_game import CALL, GIVE, PASS, Floats, MatrixGame, shares, terms
from errai.jamfold.single import CSV, KIND, described, matrix_game_of
from errai.strategy.info import not_below_value
from errai.strategy.strategy import Decision, Rows, Saved, Strategy

BIG, SMALL = 0, 1  # seats


def no_limit_game(hand: Hand) -> tuple[GameDefinition, int]:
    """The rules of a hand in whole chips, and how many of them are one of the hand's own."""
    amounts = (*hand.stacks, hand.small_blind, hand.big_blind, hand.ante)
    scale = lcm(*(Fraction(amount).denominator for amount in amounts))
    small, big = (int(amount * scale) for amount in hand.posted)
    stacks = (int(hand.stacks[1] * scale), int(hand.stacks[0] * scale))
    game = GameDefinition(
        name="no-limit hold'em",
        betting="nolimit",
        blinds=(big, small),
        raise_sizes=(),
        first_player=(SMALL, BIG, BIG, BIG),
        max_raises=(UNLIMITED_RAISES,) * 4,
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
        stacks=stacks,
    )
    return game, scale


def by_hand(table: Floats) -> Floats:
    """[1326, ...] of a table [169, ...] of the classes."""
    return np.asarray(table[hand_class_of()])


@dataclass(frozen=True, eq=False)
class JamFoldStrategy(Strategy):
    """Optimal strategies of both players, [169] by class of hands."""

    kind = KIND
    described = "a jam-or-fold strategy"

    hand: Hand
    by: str  # "small" or "big": who may only jam or fold
    unit: str  # of the hand's chips: "big blinds" or "chips"
    jam: Floats
    call: Floats  # the opponent calls the jam; in the big blind's hand, limps and calls it
    limp: Floats | None  # in the big blind's hand, the small blind does not fold at once
    saved: Saved | None = field(default=None, repr=False)

    @cached_property
    def _game(self) -> tuple[GameDefinition, int]:
        return no_limit_game(self.hand)

    @property
    def game(self) -> GameDefinition:
        return self._game[0]

    @property
    def big_blind(self) -> float:
        return float(self.hand.big_blind * self._game[1])

    @property
    def seats(self) -> tuple[str, str]:
        return "big blind", "small blind"

    @property
    def title(self) -> str:
        return f"{self.game.name}, {described(self.hand, self.unit)}"

    def share_of(self, state: HandState, action: str) -> Floats:
        """Where nothing is to be decided, because all that can be lost is in, every hand goes on."""
        betting = "".join(known[0] for known in state.actions)
        return (
            super().share_of(state, action) if betting in self._decisions else np.ones(len(hand_class_of()))
        )

    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        all_in = f"r{state.stacks[state.player]}"
        betting = "".join("r" if action[0] == "r" else action for action in state.actions)
        known = self._decisions
        if betting not in known or any(
            action[0] == "r" and not _is_jam(state, action) for action in state.actions
        ):
            jam = f"r{state.stacks[SMALL]}" if self.by == "small" else f"cr{state.stacks[BIG]}"
            raise ErraiError(
                f"betting {state.betting!a} is no decision by jam or fold here; those are '' and {jam!a}"
                + (" and 'c'" if self.by == "big" else "")
            )
        letters, often, worth = known[betting]
        actions = tuple(all_in if letter == "r" else letter for letter in letters)
        if "r" in letters and "r" not in state.legal():
            actions = tuple("c" if letter == "r" else letter for letter in letters)
        chips = by_hand(worth * self._game[1]) if values else None
        return Decision(state.player, actions, by_hand(np.stack([1 - often, often], axis=1)), chips)

    @cached_property
    def _decisions(self) -> dict[str, tuple[str, Floats, Floats]]:
        """Betting -> the two actions, [169] how often the second is taken, [169, 2] what both win."""
        return (_small_blinds if self.by == "small" else _big_blinds)(self)

    @property
    def answer(self) -> dict[str, Floats]:
        """The opponent's plans: to give, to pass, to call."""
        if self.limp is None:
            return {PASS: 1 - self.call, CALL: self.call}
        return {GIVE: 1 - self.limp, PASS: self.limp - self.call, CALL: self.call}

    @cached_property
    def matrix_game(self) -> MatrixGame[float]:
        """The payoffs of the player who jams or folds, in the unit of the hand."""
        return matrix_game_of(self.hand, self.by)

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Value and best responses in the game of jam or fold, in chips."""
        folded, jammed = action_values(self.matrix_game, self.answer)
        value = float((jammed if folded is None else self.jam * jammed + (1 - self.jam) * folded).sum())
        most, least = ceiling(self.matrix_game, self.answer), guarantee(terms(self.matrix_game), self.jam)
        scale = self._game[1]
        values, best = (value * scale, -value * scale), (most * scale, -least * scale)
        if self.by == "small":  # the jammer is in seat 1
            values, best = values[::-1], best[::-1]
        return not_below_value(Evaluation(values, best, self.big_blind))

    def info(self) -> Rows:
        found = self.evaluate()
        return [
            ("game", self.title),
            ("kind", f"jam or fold from the {self.by} blind, in {CLASSES} classes of hands"),
            ("exploitability", f"{found.exploitability_mbb:.3g} mbb/g in the game of jam or fold"),
        ]

    def export(self, path: Path) -> int:
        columns = {"jam": self.jam, "call": self.call, **({} if self.limp is None else {"limp": self.limp})}
        return export_classes(path, self.title, columns)

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> JamFoldStrategy:
        """The hand of a folder."""
        with understood(folder / MANIFEST):
            hand = Hand(
                (fraction(content["stacks"][0]), fraction(content["stacks"][1])),
                fraction(content["small_blind"]), fraction(content["big_blind"]), fraction(content["ante"]),
            )  # fmt: skip
            by, unit = str(content["seat"]), str(content["unit"])
            saved = Saved(folder, content)
        with understood(folder / CSV):
            read = _columns(saved.read(CSV).decode())
            if by not in ("small", "big") or (by == "big") != ("limp" in read):
                raise ValueError(f"it is not of the {by} blind")
            return cls(hand, by, unit, read["jam"], read["call"], read.get("limp"), saved)


def _small_blinds(of: JamFoldStrategy) -> dict[str, tuple[str, Floats, Floats]]:
    game, dealt = of.matrix_game, shares().pairs.sum(axis=1)
    folded, jammed = action_values(game, of.answer)
    found = {}
    if folded is not None:
        found[""] = ("fr", of.jam, np.stack([folded / dealt, jammed / dealt], axis=1))
    if game.stolen is not None:
        found["r"] = ("fc", of.call, _facing_a_jam(of))
    return found


def _big_blinds(of: JamFoldStrategy) -> dict[str, tuple[str, Floats, Floats]]:
    game, pairs = of.matrix_game, shares().pairs
    assert of.limp is not None
    found = {}
    staying = 1 - of.answer[GIVE]
    if game.given is not None:
        dealt = pairs.sum(axis=0)
        # What the small blind wins by limping: folding to the jam or calling it, as the strategy does.
        base = 0.0 if game.folded is None else (1 - of.jam) @ pairs * game.folded
        passed = base + (0.0 if game.stolen is None else of.jam @ pairs * game.stolen)
        called = base + of.jam @ _showdown(game)
        calls = _share(of.call, of.limp)
        limped = -((1 - calls) * passed + calls * called) / dealt
        found[""] = ("fc", of.limp, np.stack([np.full(CLASSES, -game.given), limped], axis=1))
    if game.folded is not None:
        met = pairs @ staying
        jammed = _showdown(game) @ of.call
        if game.stolen is not None:
            jammed = jammed + pairs @ of.answer[PASS] * game.stolen
        worth = np.stack([np.full(CLASSES, game.folded), _ratio(jammed, met)], axis=1)
        found["c"] = ("cr", of.jam, worth)
        found["r"] = ("fc", of.jam, np.full((CLASSES, 2), np.nan))
    if game.stolen is not None:
        found["cr"] = ("fc", _share(of.call, of.limp), _facing_a_jam(of))
    return found


def _facing_a_jam(of: JamFoldStrategy) -> Floats:
    """[169, 2] what folding and calling win for the player who faces the jam."""
    game = of.matrix_game
    assert game.stolen is not None
    called = -_ratio(of.jam @ _showdown(game), of.jam @ shares().pairs)
    return np.stack([np.full(CLASSES, -game.stolen), called], axis=1)


def _showdown(game: MatrixGame[float]) -> Floats:
    """[169, 169] what the jammer wins at a showdown of two classes, times its probability."""
    of = shares()
    return of.wins * game.won + of.losses * game.lost + of.ties * game.tied


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)


def _share(part: Floats, whole: Floats) -> Floats:
    """Of `whole` the `part`; none where there is nothing."""
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def _is_jam(state: HandState, action: str) -> bool:
    """Whether a raise puts in all that the shorter stack has."""
    return int(action[1:]) >= min(state.stacks)


def _columns(text: str) -> dict[str, Floats]:
    try:
        lines = list(csv.DictReader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise ValueError(f"it is not CSV: {error}") from error
    names = [name for name in ("jam", "call", "limp") if name in lines[0]]
    found = {name: np.full(CLASSES, np.nan) for name in names}
    for line in lines:
        for name in names:
            found[name][class_number(line["hand"])] = float(line[name])
    if not all(((column >= 0) & (column <= 1)).all() for column in found.values()):
        raise ValueError(f"it does not have probabilities of all {CLASSES} hands")
    return found


def export_classes(path: Path, title: str, columns: Mapping[str, Floats]) -> int:
    """A table of the 169 classes, .csv or .json; returns how many rows it has."""
    with replacing_file(path) as new:
        if path.suffix.lower() == ".json":
            table = {name: dict(zip(HANDS, column.tolist(), strict=True)) for name, column in columns.items()}
            write_json(new, {"game": title, **table})
        else:
            with new.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(["hand", *columns])
                writer.writerows(zip(HANDS, *(column.tolist() for column in columns.values()), strict=True))
    return CLASSES
