"""How exploitable a strategy is in the real game, by a true best response.

import errai

errai.exploit("holdem", flops=60).interval_mbb          an estimate from a sample of flops
errai.exploit("out/blueprint", work="out/response")     exactly; resumed when it is called again
"""

from __future__ import annotations

from pathlib import Path

from errai.api.parameters import check_flops, check_seed, thread_count
from errai.errors import ErraiError, StoppedError
from errai.games.definition import GameDefinition
from errai.measure.exploitability import exploitability, in_memory, record
from errai.measure.walk import Exploitability
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.strategy.files import open_strategy
from errai.strategy.shipped import is_shipped
from errai.strategy.strategy import Strategy

__all__ = ["exploit", "measurable", "work_folder"]

WORK = "response"  # folder of finished boards, within that of the strategy


def exploit(
    strategy: str | Path | Strategy,
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
    if in_memory(opened) and (flops is not None or folder is not None):
        name = "work" if flops is None else "flops"
        raise ErraiError(
            f"{name} is for strategies on buckets; {opened.described} is measured in memory", parameter=name
        )
    with Run(folder, monitor, resume=folder is not None and folder.is_dir()):
        monitor.step("reading the strategy")
        found = exploitability(opened, flops, seed, cores, folder, monitor)
    if found is None:
        kept = "nothing was kept" if folder is None else f"finished boards are in {folder}"
        raise StoppedError(f"stopped before the strategy was measured; {kept}")
    own = work_folder(opened)
    if save and opened.saved is not None and own is not None and not is_shipped(opened.saved.folder):
        _save(opened, opened.saved.folder, found, monitor)
    return found


def _save(strategy: Strategy, folder: Path, found: Exploitability, monitor: Monitor) -> None:
    try:
        with Run(folder, monitor, resume=True):
            record(strategy, found)
    except ErraiError as error:
        monitor.warn(f"the figure was not written into {folder}: {error}")


def measurable(strategy: str | Path | Strategy, game: str | Path | GameDefinition | None = None) -> Strategy:
    """What `exploit` measures, opened."""
    return strategy if isinstance(strategy, Strategy) else open_strategy(strategy, game)


def work_folder(strategy: Strategy) -> Path | None:
    """Where finished boards of a saved strategy belong; None for what has no folder or is measured in memory."""
    if strategy.saved is None or in_memory(strategy):
        return None
    folder = strategy.saved.folder
    return Path("out", folder.name, WORK) if is_shipped(folder) else folder / WORK
