"""A training from its buckets to the saved strategy: begun or gone on with, looked at, checkpointed, drawn.

    folder/strategy.json, *.blocks      the strategy, when the training is finished
    folder/checkpoint/                  to go on with, every quarter of an hour, at the end and when stopped
    folder/convergence.png              what was measured on the way

The command line and Python both train in this way.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.saved import load_abstraction
from errai.blueprint.checkpoint import checkpoint_bytes, is_on, load_training, save_training, tables_of
from errai.blueprint.packing import save_on_layout
from errai.blueprint.training import Announce, Plan, Progress, Training, Wish, new_training, unannounced
from errai.blueprint.transfer import on_other_buckets
from errai.engine.loop import Point
from errai.errors import ErraiError
from errai.files.writing import make_folder, require_room
from errai.games.catalogue import load_game
from errai.measure.quality import Quality, default_quality


@dataclass(frozen=True)
class TrainingRun:
    """A training, the buckets it is on, where it goes and what it is looked at on."""

    training: Training
    game: str  # as it was given
    tables: Path
    out: Path
    quality: Quality

    @property
    def boards(self) -> str:
        """The boards on which the quality is measured."""
        return self.quality.names(self.training.layout.abstraction.deck)

    @property
    def command(self) -> str:
        """The commands that train this strategy from the beginning."""
        plan, stages = self.training.plan, self.training.stages
        words = [["errai", "train", self.game, "--strategy", plan.strategy, "--seed", str(plan.seed)]]
        words[0] += ["--threads", str(plan.threads), "--out", str(self.out)]
        on = None
        for number, stage in enumerate(stages):
            tables = next((later.tables for later in stages[number:] if later.tables), str(self.tables))
            words[-1] += ["--method", stage.method, "--samples", str(stage.samples)]
            words[-1] += ["--abstraction", tables] if tables != on else []
            on = tables
            words.append(["errai", "train", "--resume", str(self.out)])
        words[-1] += ["--method", plan.method]
        words[-1] += ["--abstraction", str(self.tables)] if str(self.tables) != on else []
        words[-1] += [] if plan.seconds is None else ["--time", f"{plan.seconds:g}s"]
        words[-1] += [] if plan.samples is None else ["--samples", str(plan.samples)]
        return " && ".join(map(shlex.join, words))

    def about(self) -> dict[str, Any]:
        """How the strategy was made, as it is saved with it."""
        training, plan = self.training, self.training.plan
        methods = [*(stage.method for stage in training.stages), plan.method]
        return {
            "algorithm": ", then ".join(method for method, _ in groupby(methods)),
            "iterations": training.samples,
            "seconds": training.seconds,
            "command": self.command,
            "strategy": plan.strategy,
            "looks": [asdict(look) for look in training.looks],
            "looked_at": self.boards,
            "seed": plan.seed,
            "threads": plan.threads,
        }

    def run(self, progress: Progress, wish_to_stop: Wish, tell: Callable[[str], None]) -> bool:
        """Train, measure and save; False when stopped by wish, with a checkpoint in any case."""
        training = self.training
        # A checkpoint, the one before it, and the strategy: better to know now than after hours.
        require_room(make_folder(self.out), 2 * checkpoint_bytes(training) + training.layout.numbers)

        def save() -> None:
            save_training(self.out, training, self.tables)

        finished = training.run(progress, wish_to_stop, self.quality, save)
        if finished and (not training.looks or training.looks[-1].samples < training.samples):
            training.look(self.quality, progress, wish_to_stop)
        tell("saving a checkpoint")
        save()
        if finished:
            tell("saving the strategy")
            save_on_layout(self.out, training.layout, training.probabilities(), self.about(), self.tables)
            self._draw()
        return finished

    def _draw(self) -> None:
        from errai.figure import draw_convergence

        looks = self.training.looks
        if len(looks) < 2:
            return
        title = (
            f"{self.training.layout.game.name}, {self.training.plan.method}, on {self.boards}: "
            f"{looks[-1].exploitability_mbb:.3g} mbb/g after {self.training.samples:,} samples"
        )
        points = [Point(look.samples, look.seconds, look.exploitability_mbb, float("nan")) for look in looks]
        draw_convergence(self.out / "convergence.png", title, points)


def begin(game: str, tables: Path, out: Path, plan: Plan, announce: Announce = unannounced) -> TrainingRun:
    """A training of a game, by name or file, on the buckets in a folder."""
    buckets = load_abstraction(tables)
    _same_game(game, buckets, tables)
    training = new_training(buckets.game, buckets, plan, announce)
    return TrainingRun(training, game, tables, out, default_quality(training.layout))


def resume(
    folder: Path,
    game: str | None = None,
    tables: Path | None = None,
    out: Path | None = None,
    announce: Announce = unannounced,
    **changes: Any,
) -> TrainingRun:
    """The training of a folder, on its own buckets or on others, whose `tables` are given.

    `changes` are other seconds, samples, threads, method.
    """
    known = tables_of(folder)
    where = known if tables is None else tables
    if where is None:
        raise ErraiError(f"the checkpoint in {folder} does not name its buckets; give --abstraction DIR")
    buckets = load_abstraction(where)
    if game is not None:
        _same_game(game, buckets, folder)
    if known is None or is_on(folder, buckets):
        training = load_training(folder, buckets, announce, **changes)
    else:
        method = changes.pop("method", None)
        old = load_training(folder, load_abstraction(known), **changes)
        training = on_other_buckets(old, buckets, str(known), announce)
        if method is not None:
            training.go_on_by(method)
    return TrainingRun(
        training, game or buckets.game.name, where, out or folder, default_quality(training.layout)
    )


def _same_game(game: str, buckets: Abstraction, folder: Path) -> None:
    if load_game(game) != buckets.game:
        raise ErraiError(f"{folder} is for {buckets.game.name} and not for {game}")
