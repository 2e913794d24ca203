"""Errai from Python for games too large to solve: buckets, a strategy on them, how exploitable it is.

    import errai

    errai.abstract("small", "out/buckets")
    trained = errai.train("holdem", "out/buckets", "out/blueprint", seconds=3600)
    trained.probabilities("AhQd", "rc/r", "Ks7h2d")                 {"f": .., "c": .., "r": ..}
    errai.exploit(trained, flops=20).evaluation.exploitability_mbb

Nothing is printed; pass a `progress` to be told how it goes. What a user did wrong is an ErraiError.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from errai import training_run
from errai.abstraction.abstraction import Abstraction
from errai.abstraction.build import build
from errai.blueprint.rules import DEFAULT_RULE
from errai.blueprint.training import Announce, Plan, Progress, all_cores, unannounced
from errai.engine.loop import Wish, never, silent
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.measure.exploitability import exploitability
from errai.measure.walk import Exploitability
from errai.measure.walk import Progress as Walking
from errai.strategy.files import open_strategy
from errai.strategy.kinds.buckets import BucketStrategy, open_buckets
from errai.strategy.strategy import Strategy

__all__ = ["abstract", "exploit", "resume_training", "train"]


def abstract(
    preset: str,
    out: str | Path,
    *,
    game: str | Path | GameDefinition = "holdem",
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
    wish_to_stop: Wish | None = None,
) -> Abstraction:
    """Make buckets of hands in the folder `out`, or go on with those that were begun there.

    `preset` is a name such as "small", or a text such as "lossless/emd:5000/emd:5000/ranges:5000".
    """
    rules = game if isinstance(game, GameDefinition) else load_game(game)
    return build(rules, preset, out, seed, threads or all_cores(), progress, wish_to_stop)


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
    progress: Progress = silent,
    wish_to_stop: Wish = never,
    announce: Announce = unannounced,
) -> BucketStrategy | None:
    """Train a strategy on the buckets in the folder `abstraction`, for a time or a number of sampled boards.

    The strategy and a checkpoint to go on with are saved in the folder `out`. None when stopped by wish, with the
    checkpoint. `method` is cfr+-br, cfr-br, linear-br, linear-br2, cfr+, linear or cfr.
    """
    plan = Plan(method, seconds, samples, seed, threads or all_cores(), strategy)
    begun = training_run.begin(str(game), Path(abstraction), Path(out), plan, announce)
    return open_buckets(out) if begun.run(progress, wish_to_stop, silent) else None


def resume_training(
    folder: str | Path,
    *,
    abstraction: str | Path | None = None,
    out: str | Path | None = None,
    seconds: float | None = None,
    samples: int | None = None,
    method: str | None = None,
    threads: int | None = None,
    progress: Progress = silent,
    wish_to_stop: Wish = never,
    announce: Announce = unannounced,
) -> BucketStrategy | None:
    """Go on with a training of `train`, to its own limits or to new ones, which count from its beginning.

    The `method` may change, from cfr+-br to cfr-br above all. So may the buckets, from few to many: what
    was learned is carried over to those in the folder `abstraction`. The strategy is saved in `out`, or where it was.
    """
    changes: dict[str, Any] = {}
    if seconds is not None or samples is not None:
        changes = {"seconds": seconds, "samples": samples}
    if threads is not None:
        changes["threads"] = threads
    if method is not None:
        changes["method"] = method
    tables = None if abstraction is None else Path(abstraction)
    begun = training_run.resume(
        Path(folder), None, tables, None if out is None else Path(out), announce, **changes
    )
    return open_buckets(begun.out) if begun.run(progress, wish_to_stop, silent) else None


def exploit(
    strategy: str | Path | Strategy,
    *,
    flops: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    work: str | Path | None = None,
    progress: Walking = silent,
    wish_to_stop: Wish = never,
) -> Exploitability | None:
    """How exploitable a strategy is, by a best response in the real game; None when stopped by wish.

    A strategy on buckets is walked flop by flop, all of them or a sample of `flops`; finished ones are kept in the
    folder `work`, if it is given, and not walked again.
    """
    measured = open_strategy(strategy) if isinstance(strategy, str | Path) else strategy
    folder = None if work is None else Path(work)
    return exploitability(measured, flops, seed, threads or all_cores(), folder, progress, wish_to_stop)
