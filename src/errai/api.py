"""Errai from Python: solve a game or a spot, go on with it, save it, load it, ask it.

    import errai

    result = errai.solve("leduc", target=1)
    result.bounds                                   the game's value, proven, for seat 0
    result.strategy.probabilities("4c", "cr")       {"f": .., "c": .., "r": ..}
    result.save("out/leduc")

Nothing is printed; pass a `progress` to be told how it goes. What a user did wrong is an ErraiError.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from errai.engine.checkpoint import (
    CHECKPOINT_EVERY,
    Checkpoints,
    checkpoint_bytes,
    has_checkpoint,
    load_checkpoint,
    save_checkpoint,
)
from errai.engine.loop import Progress, Wish, never, silent
from errai.engine.settings import Settings
from errai.engine.solver import Announce, Solver, prepare, unannounced
from errai.files.writing import make_folder, require_room
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, spot, whole_game
from errai.result import Result, result_of
from errai.strategy.files import open_strategy
from errai.strategy.strategy import Strategy

__all__ = ["Options", "Range", "Result", "endgame", "load", "resume", "solve"]

Range = str | NDArray[np.floating] | None


class Options(TypedDict, total=False):
    """What `solve` takes besides the game."""

    method: str
    iterations: int | None
    target: float | None
    seconds: float | None
    threads: int | None
    precision: str
    strategy: str
    isomorphism: bool
    delay: int
    out: str | Path | None
    checkpoint_every: float | None
    progress: Progress
    wish_to_stop: Wish
    announce: Announce
    rescue: str | Path | None


def solve(
    game: str | Path | GameDefinition | Spot,
    *,
    method: str = "",
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    precision: str = "float32",
    strategy: str = "average",
    isomorphism: bool = True,
    delay: int = 0,
    out: str | Path | None = None,
    checkpoint_every: float | None = CHECKPOINT_EVERY,
    progress: Progress = silent,
    wish_to_stop: Wish = never,
    announce: Announce = unannounced,
    rescue: str | Path | None = None,
) -> Result:
    """Solve a game: the name of a built-in one, a .game file, rules, or a spot within a hand.

    `strategy` says what to save: the "average" of all iterations, or the "current" one, which takes half the
    memory. Without a `method` the best for it is used: dcfr or cfr+.

    It stops at the first limit: a number of `iterations`, a `target` of exploitability in mbb/g, a number of
    `seconds`, or when `wish_to_stop` says so, which is asked a few times a second. Without limits the target is
    1 mbb/g. `announce` is told the memory it takes before it takes it.

    With `out` the strategy is saved there, and a checkpoint to go on with, which is also written every
    `checkpoint_every` seconds on the way (None: only at the end). Without `out` a solution that is stopped by
    wish is not lost if there is a folder to `rescue` it to: then a checkpoint is written there.
    """
    settings = Settings(
        method=method,
        iterations=iterations,
        target=target,
        seconds=seconds,
        threads=threads,
        precision=precision,
        strategy=strategy,
        isomorphism=isomorphism,
        delay=delay,
    )
    where = _spot_of(game)
    folder = None if out is None else make_folder(Path(out))
    solver = prepare(where, settings, announce)
    result = _run(solver, folder, checkpoint_every, progress, wish_to_stop)
    if folder is None and rescue is not None and not result.finished:
        save_checkpoint(make_folder(Path(rescue)), solver)
    return result


def endgame(
    board: str,
    betting: str,
    oop: Range = None,
    ip: Range = None,
    *,
    game: str | Path | GameDefinition = "holdem",
    **options: Unpack[Options],
) -> Result:
    """Solve a hold'em spot: the `board` ("Ks7h2d 5c"), the `betting` so far ("rc/rc/") and both ranges.

    `oop` is out of position: seat 0, the big blind, who acts first after the flop; `ip` is seat 1, the button.
    A range is a text such as "QQ+, AKs:0.5" or an array of a weight for each hand; without one every hand is
    equally likely. The options are those of `solve`.
    """
    rules = game if isinstance(game, GameDefinition) else load_game(game)
    return solve(spot(rules, board, betting, (oop, ip)), **options)


def resume(
    folder: str | Path,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    checkpoint_every: float | None = CHECKPOINT_EVERY,
    progress: Progress = silent,
    wish_to_stop: Wish = never,
    announce: Announce = unannounced,
) -> Result:
    """Go on with a solution that was saved with `out`, to its own limits or to new ones.

    New limits take the place of all the old ones, and count from the beginning of the solution. The result is
    saved to the same folder, or to `out`.
    """
    source = Path(folder)
    limits = {"iterations": iterations, "target": target, "seconds": seconds}
    changes: dict[str, float | int | None] = {}
    if any(limit is not None for limit in limits.values()):
        changes.update(limits)
    if threads is not None:
        changes["threads"] = threads
    destination = make_folder(source if out is None else Path(out)) if has_checkpoint(source) else None
    solver = load_checkpoint(source, announce, **changes)
    return _run(solver, destination, checkpoint_every, progress, wish_to_stop)


def load(strategy: str | Path, game: str | Path | GameDefinition | None = None) -> Strategy:
    """A strategy of any kind, by its folder or by name: one that comes with Errai, or a rule such as always-call.

    What it holds stays on the disk and is read when it is queried. A rule plays the `game`, hold'em if none is given.
    """
    return open_strategy(strategy, game)


def _spot_of(game: str | Path | GameDefinition | Spot) -> Spot:
    if isinstance(game, Spot):
        return game
    return whole_game(game if isinstance(game, GameDefinition) else load_game(game))


def _run(
    solver: Solver, folder: Path | None, checkpoint_every: float | None, progress: Progress, wish: Wish
) -> Result:
    if folder is None:
        return result_of(solver, solver.run(progress, wish))
    # The strategy, a checkpoint, and the one before it: better to know now than after hours.
    require_room(folder, 3 * checkpoint_bytes(solver))
    if checkpoint_every is not None:
        wish = Checkpoints(lambda: save_checkpoint(folder, solver), checkpoint_every, wish)
    finished = solver.run(progress, wish)
    save_checkpoint(folder, solver)
    result = result_of(solver, finished)
    result.save(folder)
    return result
