"""A push/fold chart: the stacks at which each hand is jammed, and at which it calls a jam.

    folder/strategy.json        the manifest: from which stack to which, step, ante
    folder/chart.csv            one line a hand (errai.jamfold.chart), which a tournament compares with others

A chart is read, not queried: what one stack needs is a hand of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from errai.errors import ErraiError
from errai.files.manifest import MANIFEST
from errai.files.reading import finite, understood
from errai.games.definition import GameDefinition
from errai.games.state import HandState
from errai.jamfold.chart import CSV, KIND
from errai.jamfold.hand import Hand
from errai.strategy.kinds.jamfold import no_limit_game
from errai.strategy.strategy import Decision, Rows, Saved, Strategy


@dataclass(frozen=True, eq=False)
class ChartStrategy(Strategy):
    """A chart that was saved."""

    kind = KIND
    described = "a push/fold chart"

    low: float
    high: float
    step: float
    ante: float
    saved: Saved | None = field(default=None, repr=False)

    @property
    def game(self) -> GameDefinition:
        stack, ante = (Fraction(amount).limit_denominator(1000) for amount in (self.high, self.ante))
        return no_limit_game(Hand((stack, stack), Fraction(1, 2), Fraction(1), ante))[0]

    @property
    def title(self) -> str:
        ante = f", ante {self.ante:g}" if self.ante else ""
        return f"jam or fold from {self.low:g} to {self.high:g} big blinds{ante}"

    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        raise self.cannot(f"be queried: read {CSV}, or solve one stack with errai jamfold")

    def info(self) -> Rows:
        return [("game", self.title), ("kind", f"a push/fold chart in steps of {self.step:g}: read {CSV}")]

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> ChartStrategy:
        """The chart of a folder."""
        with understood(folder / MANIFEST):
            low, high, step, ante = (finite(content[name]) for name in ("low", "high", "step", "ante"))
            if not (0 < low <= high < 1e9 and 0 < step < 1e9 and 0 <= ante < low):
                raise ErraiError(f"{folder / MANIFEST} is damaged: its stacks are those of no chart")
            saved = Saved(folder, content)
            saved.read(CSV)  # which is checked
            return cls(low, high, step, ante, saved)
