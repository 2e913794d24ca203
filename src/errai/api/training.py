"""Games too large to solve: buckets of hands, and a strategy on them.

import errai

errai.abstract("small", "out/buckets")
trained = errai.train("holdem", "out/buckets", "out/blueprint", seconds=3600)
trained.strategy.probabilities("AhQd", "rc/r", "Ks7h2d")                 {"f": .., "c": .., "r": ..}
errai.exploit(trained.strategy, flops=20).evaluation.exploitability_mbb
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.build import begin, build, check_plan
from errai.abstraction.presets import parse_preset
from errai.abstraction.saved import MANIFEST
from errai.api import training_run
from errai.api.parameters import check_seed, thread_count
from errai.api.training_run import TrainingResult
from errai.blueprint.rules import DEFAULT_RULE
from errai.blueprint.training import Plan
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run, resumed
from errai.runs.schedule import EVERY

__all__ = ["TrainingResult", "abstract", "resume_training", "train"]

DEFAULT_SECONDS = 3600.0


def abstract(
    preset: str,
    out: str | Path,
    *,
    game: str | Path | GameDefinition = "holdem",
    seed: int = 0,
    threads: int | None = None,
    overwrite: bool = False,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> Abstraction:
    """Make buckets of hands in the folder `out`, or resume those that were begun there.

    `preset` is a name such as "small", or a text such as "lossless/emd:5000/emd:5000/ranges:5000". A folder with
    other work in it is refused, unless it is to `overwrite` that. If it is stopped, that is a StoppedError; the parts
    that are complete stay. What is being made is saved on the way, every `checkpoint_every` seconds.
    """
    cores = thread_count(threads)
    check_seed(seed)
    wanted = parse_preset(preset)
    rules = game if isinstance(game, GameDefinition) else load_game(game)
    folder = Path(out)
    begun = (folder / MANIFEST).is_file() and not overwrite
    with Run(folder, monitor, overwrite=overwrite, resume=begun, checkpoint_every=checkpoint_every) as run:
        check_plan(rules, wanted)
        begin(rules, wanted, folder, seed, anew=not begun)
        run.replaced({MANIFEST})
        return build(rules, wanted, folder, seed, cores, monitor, run)


def train(
    game: str | Path,
    abstraction: str | Path,
    out: str | Path,
    *,
    seconds: float | None = None,
    samples: int | None = None,
    method: str = DEFAULT_RULE,
    strategy: str = "average",
    seed: int = 0,
    threads: int | None = None,
    overwrite: bool = False,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> TrainingResult:
    """Train a strategy on the buckets in the folder `abstraction`, for a time or a number of sampled boards.

    Without a limit it is trained for an hour. The strategy and a checkpoint to resume from are saved in the folder
    `out`, also when the monitor stops it; then they are measured. A folder with other work in it is refused, unless
    it is to `overwrite` that. `method` is cfr+-br, cfr-br, linear-br, linear-br2, cfr+, linear or cfr.
    """
    if seconds is None and samples is None:
        seconds = DEFAULT_SECONDS
    plan = Plan(method, seconds, samples, seed, thread_count(threads), strategy)
    folder = Path(out)
    with Run(folder, monitor, overwrite=overwrite, checkpoint_every=checkpoint_every) as run:
        return training_run.begin(str(game), Path(abstraction), folder, plan, monitor).run(run)


def resume_training(
    folder: str | Path,
    *,
    game: str | Path | None = None,
    abstraction: str | Path | None = None,
    out: str | Path | None = None,
    seconds: float | None = None,
    samples: int | None = None,
    method: str | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> TrainingResult:
    """Resume a training of `train`, to its own limits or to new ones: so many `seconds` or `samples` more.

    The `method` may change, from cfr+-br to cfr-br above all. So may the buckets, from few to many: what
    was learned is carried over to those in the folder `abstraction`. The strategy is saved in `out`, or where it was.
    A `game` is only compared with that of the training.
    """
    changes: dict[str, Any] = {}
    if seconds is not None or samples is not None:
        changes = {"seconds": seconds, "samples": samples}
    if threads is not None:
        changes["threads"] = thread_count(threads)
    if method is not None:
        changes["method"] = method
    source, tables = Path(folder), None if abstraction is None else Path(abstraction)
    with resumed(source, out, monitor, overwrite=overwrite, checkpoint_every=checkpoint_every) as run:
        begun = training_run.resume(
            source, None if game is None else str(game), tables, run.folder, monitor, **changes
        )
        return begun.run(run)
