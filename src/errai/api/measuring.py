"""How exploitable a strategy is in the real game, by a true best response.

import errai

errai.exploit("holdem", flops=60).interval_mbb          an estimate from a sample of flops
errai.exploit("out/blueprint", work="out/response")     exactly; resumed when it is called again
"""

from __future__ import annotations

from pathlib import Path

from errai.api.parameters import check_flops, check_seed, thread_count
from errai.errors import ErraiError, StoppedError
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.measure.exploitability import exploitability, record
from errai.measure.simple import SIMPLE, SimpleStrategy
from errai.measure.walk import Exploitability
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.strategy.blueprint import Blueprint
from errai.strategy.files import open_strategy
from errai.strategy.shipped import folder_of, is_shipped, shipped
from errai.strategy.strategy import Strategy

__all__ = ["exploit", "measurable", "work_folder"]

WORK = "response"  # folder of finished boards, within that of the strategy

Measurable = Strategy | Blueprint | SimpleStrategy


def exploit(
    strategy: str | Path | Measurable,
    *,
    flops: int | None = None,
    seed: int = 0,
    game: str | Path | GameDefinition | None = None,
    threads: int | None = None,
    work: str | Path | None = None,
    save: bool = False,
    monitor: Monitor = SILENT,
) -> Exploitability:
    """How exploitable a strategy is, by a best response in the real game.

    `strategy` is one that is loaded, the folder of one, a name that comes with Errai, or always-fold, always-call,
    always-raise, uniform; those play the `game`, hold'em if none is given.

    A strategy on buckets is walked flop by flop, all of them or a sample of `flops`. Finished ones are kept in the
    folder `work`, if it is given, and not walked again. With `save` the figure is written into the strategy's own
    folder, too. If it is stopped, that is a StoppedError.
    """
    cores = thread_count(threads)
    check_seed(seed)
    check_flops(flops)
    opened = measurable(strategy, game)
    folder = None if work is None else Path(work)
    if isinstance(opened, Strategy) and (flops is not None or folder is not None):
        name = "work" if flops is None else "flops"
        raise ErraiError(
            f"{name} is for strategies on buckets; an exact solution is measured in memory", parameter=name
        )
    with Run(folder, monitor, resume=folder is not None and folder.is_dir()):
        monitor.step("reading the strategy")
        found = exploitability(opened, flops, seed, cores, folder, monitor)
    if found is None:
        kept = "nothing was kept" if folder is None else f"finished boards are in {folder}"
        raise StoppedError(f"stopped before the strategy was measured; {kept}")
    if save and isinstance(opened, Blueprint) and not is_shipped(opened.folder):
        _save(opened, found, monitor)
    return found


def _save(strategy: Blueprint, found: Exploitability, monitor: Monitor) -> None:
    try:
        with Run(strategy.folder, monitor, resume=True):
            record(strategy, found)
    except ErraiError as error:
        monitor.warn(f"the figure was not written into {strategy.folder}: {error}")


def measurable(
    strategy: str | Path | Measurable, game: str | Path | GameDefinition | None = None
) -> Measurable:
    """What `exploit` measures, opened."""
    if not isinstance(strategy, str | Path):
        return strategy
    name = str(strategy)
    if name in SIMPLE:
        rules = game if isinstance(game, GameDefinition) else load_game(game or "holdem")
        return SimpleStrategy(name, rules)
    if game is not None:
        raise ErraiError(f"game is for {', '.join(SIMPLE)}; {name} knows its game", parameter="game")
    if not folder_of(strategy).exists():
        names = ", ".join((*shipped(), *SIMPLE))
        raise ErraiError(f"{name} is not a strategy: there is no such folder, and the names are {names}")
    return open_strategy(strategy)


def work_folder(strategy: Measurable) -> Path | None:
    """Where finished boards of a saved strategy on buckets belong; None for what has no folder or needs none."""
    if not isinstance(strategy, Blueprint):
        return None
    folder = strategy.folder
    return Path("out", folder.name, WORK) if is_shipped(folder) else folder / WORK
