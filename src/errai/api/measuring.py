"""How exploitable a strategy is in the real game, by a true best response.

import errai

errai.exploit("holdem", flops=60).interval_mbb          an estimate from a sample of flops
errai.exploit("out/blueprint", work="out/response")     exactly; resumed when it is called again
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from errai.api.parameters import check_flops, check_seed, thread_count
from errai.errors import ErraiError, StoppedError
from errai.games.definition import GameDefinition
from errai.measure.exploitability import exploitability, in_memory, record
from errai.measure.walk import Exploitability
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.runs.schedule import EVERY
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
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> Exploitability:
    """How exploitable a strategy is, by a best response in the real game.

    `strategy` is one that is loaded, the folder of one, a name that comes with Errai, or always-fold, always-call,
    always-raise, uniform; those play the `game`, hold'em if none is given.

    A strategy on buckets is walked flop by flop, all of them or a sample of `flops`. What was walked is kept in the
    folder `work`, if it is given, and not walked again; it is written there every `checkpoint_every` seconds. With
    `save` the figure is written into the strategy's own folder, too. If it is stopped, that is a StoppedError.
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
    begun = folder is not None and folder.is_dir()
    with Run(folder, monitor, resume=begun, checkpoint_every=checkpoint_every) as run:
        monitor.step("reading the strategy")
        found = exploitability(opened, flops, seed, cores, run)
    if found is None:
        kept = "nothing was kept" if folder is None else f"what was walked is in {folder}"
        raise StoppedError(f"stopped before the strategy was measured; {kept}")
    own = work_folder(opened)
    if save and opened.saved is not None and own is not None and not is_shipped(opened.saved.folder):
        written = _save(opened, opened.saved.folder, found, monitor)
        return replace(found, saved=run.complete and written)
    return replace(found, saved=run.complete)


def _save(strategy: Strategy, folder: Path, found: Exploitability, monitor: Monitor) -> bool:
    """Write the figure into the strategy's folder; whether that worked, where it belongs there."""
    try:
        with Run(folder, monitor, resume=True):
            if not record(strategy, found):
                monitor.warn(
                    f"the figure was not written into {folder}: the strategy there is no longer the one measured"
                )
    except ErraiError as error:
        monitor.warn(f"the figure was not written into {folder}: {error}")
        return False
    return True


def measurable(strategy: str | Path | Strategy, game: str | Path | GameDefinition | None = None) -> Strategy:
    """What `exploit` measures, opened."""
    return strategy if isinstance(strategy, Strategy) else open_strategy(strategy, game)


def work_folder(strategy: Strategy) -> Path | None:
    """Where finished boards of a saved strategy belong; None for what has no folder or is measured in memory."""
    if strategy.saved is None or in_memory(strategy):
        return None
    folder = strategy.saved.folder
    return Path("out", folder.name, WORK) if is_shipped(folder) else folder / WORK
