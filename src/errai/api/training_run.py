"""A training from its buckets to the saved strategy: begun or resumed, checkpointed, saved, measured, drawn.

folder/strategy.json, *.blocks      the strategy, when the training has ended or was stopped
folder/checkpoint/                  to resume from: every minute or so, at the end and when stopped
folder/convergence.png              what was measured on the way
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.saved import load_abstraction
from errai.blueprint.checkpoint import (
    checkpoint_bytes,
    is_on,
    load_training,
    measurements_json,
    save_measurements,
    save_training,
    tables_of,
)
from errai.blueprint.packing import save_on_layout
from errai.blueprint.training import BoardMeasurement, Plan, Training, new_training
from errai.blueprint.transfer import on_other_buckets
from errai.engine.progress import Measurement
from errai.errors import ErraiError
from errai.figure import draw_convergence
from errai.files.manifest import update_manifest
from errai.files.writing import require_room
from errai.games.catalogue import load_game
from errai.measure.quality import Quality, default_quality
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.strategy.kinds.buckets import BucketStrategy, open_buckets

FIGURE = "convergence.png"


@dataclass(frozen=True)
class TrainingResult:
    """A training that has ended or was stopped, and the folder that its strategy is in."""

    game: str
    abstraction: Path  # folder of its buckets
    preset: str
    buckets: tuple[int, ...]
    method: str
    kind: str  # "average" or "current"
    samples: int
    seconds: float
    finished: bool  # a limit was reached; not when the monitor stopped it
    saved: bool  # not when the disk was full
    boards: str  # on which it was measured
    measurements: tuple[BoardMeasurement, ...]
    folder: Path

    @property
    def strategy(self) -> BucketStrategy:
        """The strategy, read from the disk as it is queried."""
        return open_buckets(self.folder)

    def to_json(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "game": self.game,
            "abstraction": str(self.abstraction),
            "buckets": list(self.buckets),
            "method": self.method,
            "samples": self.samples,
            "seconds": self.seconds,
            "finished": self.finished,
            "looked_at": self.boards,
            "looks": [vars(measured) for measured in self.measurements],
            "out": str(self.folder),
        }


@dataclass(frozen=True)
class TrainingRun:
    """A training, the buckets it is on, where it goes and what it is measured on."""

    training: Training
    game: str  # as it was given
    tables: Path
    out: Path
    quality: Quality

    @property
    def boards(self) -> str:
        """The boards on which the quality is measured."""
        return self.quality.names(self.training.layout.abstraction.deck)

    def run(self, run: Run) -> TrainingResult:
        """Train, save, and then measure what was saved."""
        training = self.training
        # A checkpoint, the one before it, and the strategy: better to know now than after hours.
        require_room(self.out, 2 * checkpoint_bytes(training) + training.layout.numbers)
        run.checkpoint_with(lambda: save_training(self.out, training, self.tables))
        if training.done:
            limits = [f"{training.samples:,} samples", f"{training.seconds:,.0f} seconds"]
            run.monitor.say(f"nothing to do: {' and '.join(limits)} have been trained already")
        finished = training.run(run, self.quality)
        run.report(training.progress(self.boards, "saving a checkpoint"))
        run.checkpoint(now=True)
        saved = run.save("the strategy", self._save_strategy)
        if finished and not self._is_measured():
            run.report(training.progress(self.boards, "measuring"))
            if training.measure(self.quality, run.monitor) and saved:
                run.save("what was measured", self._save_measurements)
            run.report(training.progress(self.boards))
        if len(training.measurements) > 1:
            run.save("the plot", self._draw)
        return self._result(finished, saved and run.complete)

    def _is_measured(self) -> bool:
        measured = self.training.measurements
        return bool(measured) and measured[-1].samples == self.training.samples

    def _save_strategy(self) -> None:
        training = self.training
        save_on_layout(self.out, training.layout, training.probabilities(), self.about(), self.tables)

    def _save_measurements(self) -> None:
        update_manifest(self.out, about=self.about())
        save_measurements(self.out, self.training)

    def _draw(self) -> None:
        training, measured = self.training, self.training.measurements
        title = (
            f"{training.layout.game.name}, {training.plan.method}, on {self.boards}: "
            f"{measured[-1].exploitability_mbb:.3g} mbb/g after {training.samples:,} samples"
        )
        history = [
            Measurement(one.samples, one.seconds, one.exploitability_mbb, float("nan")) for one in measured
        ]
        draw_convergence(self.out / FIGURE, title, history)

    def _result(self, finished: bool, saved: bool) -> TrainingResult:
        training, abstraction = self.training, self.training.layout.abstraction
        return TrainingResult(
            game=training.layout.game.name,
            abstraction=self.tables,
            preset=abstraction.name,
            buckets=tuple(abstraction.counts),
            method=training.plan.method,
            kind=training.plan.strategy,
            samples=training.samples,
            seconds=training.seconds,
            finished=finished,
            saved=saved,
            boards=self.boards,
            measurements=tuple(training.measurements),
            folder=self.out,
        )

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
            "looks": measurements_json(training),
            "looked_at": self.boards,
            "seed": plan.seed,
            "threads": plan.threads,
        }

    @property
    def command(self) -> str:
        """The commands that train this strategy from the beginning."""
        plan, stages = self.training.plan, self.training.stages
        words = [["errai", "train", self.game, "--strategy", plan.strategy, "--seed", str(plan.seed)]]
        words[0] += ["--threads", str(plan.threads), "--out", str(self.out)]
        on, samples, seconds = None, 0, 0.0  # limits of a command are for it alone
        for number, stage in enumerate(stages):
            tables = next((later.tables for later in stages[number:] if later.tables), str(self.tables))
            words[-1] += ["--method", stage.method, "--samples", str(stage.samples - samples)]
            samples, seconds = stage.samples, stage.seconds or 0.0
            words[-1] += ["--abstraction", tables] if tables != on else []
            on = tables
            words.append(["errai", "train", "--resume", str(self.out)])
        words[-1] += ["--method", plan.method]
        words[-1] += ["--abstraction", str(self.tables)] if str(self.tables) != on else []
        words[-1] += [] if plan.seconds is None else ["--time", f"{plan.seconds - seconds:g}s"]
        words[-1] += [] if plan.samples is None else ["--samples", str(plan.samples - samples)]
        return " && ".join(map(shlex.join, words))


def begin(game: str, tables: Path, out: Path, plan: Plan, monitor: Monitor = SILENT) -> TrainingRun:
    """A training of a game, by name or file, on the buckets in a folder."""
    buckets = load_abstraction(tables)
    _same_game(game, buckets, tables)
    training = new_training(buckets.game, buckets, plan, monitor)
    return TrainingRun(training, game, tables, out, default_quality(training.layout))


def resume(
    folder: Path,
    game: str | None = None,
    tables: Path | None = None,
    out: Path | None = None,
    monitor: Monitor = SILENT,
    **changes: Any,
) -> TrainingRun:
    """The training of a folder, on its own buckets or on others, whose `tables` are given.

    `changes` are other seconds, samples, threads, method.
    """
    known = tables_of(folder)
    where = known if tables is None else tables
    if where is None:
        raise ErraiError(
            f"the checkpoint in {folder} does not name its buckets; give their folder",
            parameter="abstraction",
        )
    buckets = load_abstraction(where)
    if game is not None:
        _same_game(game, buckets, folder)
    if known is None or is_on(folder, buckets):
        training = load_training(folder, buckets, monitor, **changes)
    else:
        method = changes.pop("method", None)
        old = load_training(folder, load_abstraction(known), **changes)
        training = on_other_buckets(old, buckets, str(known), monitor)
        if method is not None:
            training.change_method(method)
    return TrainingRun(
        training, game or buckets.game.name, where, out or folder, default_quality(training.layout)
    )


def _same_game(game: str, buckets: Abstraction, folder: Path) -> None:
    if load_game(game) != buckets.game:
        raise ErraiError(f"{folder} is for {buckets.game.name} and not for {game}")
