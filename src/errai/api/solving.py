"""Solve a game or a spot, resume it, save it, load it.

import errai

result = errai.solve("leduc", target=1)
result.bounds                                   the game's value, proven, for seat 0
result.strategy.probabilities("4c", "cr")       {"f": .., "c": .., "r": ..}
result.save("out/leduc")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from errai.api.result import Result, result_of
from errai.api.scaling import Divided, can_divide, default_method, is_divided, resume_divided, solve_divided
from errai.cards.ranges import parse_range
from errai.engine.checkpoint import checkpoint_bytes, load_checkpoint, save_checkpoint
from errai.engine.settings import Settings
from errai.engine.solver import Solver, prepare
from errai.errors import ErraiError
from errai.files.writing import require_room
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, spot, whole_game
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run, resumed, save_aside
from errai.runs.schedule import EVERY
from errai.strategy.files import open_strategy
from errai.strategy.strategy import Strategy

__all__ = ["Options", "Range", "endgame", "endgame_spot", "load", "resume", "solve"]

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
    scratch: str | Path | None
    memory: str | int | None
    cluster: str | None
    flops: str | Sequence[str] | None
    sample_flops: int | None
    out: str | Path | None
    overwrite: bool
    stopped_to: str | Path | None
    checkpoint_every: float | None
    monitor: Monitor


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
    scratch: str | Path | None = None,
    memory: str | int | None = None,
    cluster: str | None = None,
    flops: str | Sequence[str] | None = None,
    sample_flops: int | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    stopped_to: str | Path | None = None,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> Result:
    """Solve a game: the name of a built-in one, a .game file, rules, or a spot within a hand.

    `strategy` says what to save: the "average" of all iterations, or the "current" one, which takes half the
    memory. Without a `method` the best for it is used: dcfr or cfr+.

    It stops at the first limit: a number of `iterations`, a `target` of exploitability in mbb/g, a number of
    `seconds`, or when the `monitor` says so, which is asked a few times a second. Without limits the target is
    1 mbb/g. The monitor is told the memory it takes before it takes it.

    A game that is too large for memory is solved in subgames (errai.scale): with a folder `scratch`, regrets and
    averages are in compressed chunks there, and no more `memory` ("8GB", or bytes) is taken than is given. A
    `cluster` ("local:4", or the address of a Ray cluster) works on the subgames instead of threads. With `flops`
    ("Ks7h2d,8h8d3s") or a number of `sample_flops` the game is played as if there were no other flops.

    With `out` the strategy is saved there, and a checkpoint to resume from, which is also written on the way: every
    `checkpoint_every` seconds, but so rarely that it takes less than 2% of the time (None: only at the end). A folder
    with other work in it is refused, unless it is to `overwrite` that. Without `out` a solution that is stopped
    leaves a checkpoint in the folder `stopped_to`, if one is given, or in one beside it.
    """
    where = _spot_of(game)
    divided = Divided(scratch, memory, cluster, flops, sample_flops)
    in_subgames = divided.wanted or (precision == "int16" and can_divide(where))
    if in_subgames:
        method, precision = method or default_method(strategy), "int16"
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
    with Run(out, monitor, overwrite=overwrite, checkpoint_every=checkpoint_every) as run:
        if in_subgames:
            return solve_divided(where, settings, divided, run, overwrite)
        return _run(run, prepare(where, settings, monitor), stopped_to)


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
    return solve(endgame_spot(board, betting, oop, ip, game), **options)


def endgame_spot(
    board: str,
    betting: str,
    oop: Range = None,
    ip: Range = None,
    game: str | Path | GameDefinition = "holdem",
) -> Spot:
    """The spot of an endgame."""
    rules = game if isinstance(game, GameDefinition) else load_game(game)
    where = spot(rules, board, betting)
    weights = [_weights(where, name, given) for name, given in (("oop", oop), ("ip", ip))]
    return spot(rules, board, where.betting, (weights[0], weights[1]))


def _weights(where: Spot, name: str, given: Range) -> Range:
    """A range as weights, so that whatever is wrong with it can be said of its parameter."""
    full_deck = (where.game.suits, where.game.ranks, where.game.hole_cards) == (4, 13, 2)
    if not (isinstance(given, str) and full_deck):
        return given
    try:
        return parse_range(given, where.cards)
    except ErraiError as error:
        raise ErraiError(str(error), parameter=name) from None


def resume(
    folder: str | Path,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    cluster: str | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> Result:
    """Resume a solution that was saved with `out`, or one in a folder `scratch`, to its own limits or to new ones.

    New limits take the place of all the old ones, and are for this run: so many `iterations` or `seconds` more. The
    result is saved to the same folder, or to `out`. What is on a disk may be resumed with other `memory`, or on
    another `cluster`.
    """
    source = Path(folder)
    limits = {"iterations": iterations, "target": target, "seconds": seconds}
    changes: dict[str, float | int | None] = {}
    if any(limit is not None for limit in limits.values()):
        changes.update(limits)
    if threads is not None:
        changes["threads"] = threads
    with resumed(source, out, monitor, overwrite=overwrite, checkpoint_every=checkpoint_every) as run:
        if is_divided(source):
            return resume_divided(source, run, monitor, Divided(source, memory, cluster), changes)
        if memory is not None or cluster is not None:
            raise ErraiError(f"{source} is not solved in subgames; leave out memory and cluster", "memory")
        return _run(run, load_checkpoint(source, monitor, **changes))


def load(strategy: str | Path, game: str | Path | GameDefinition | None = None) -> Strategy:
    """A strategy of any kind, by its folder or by name: one that comes with Errai, or a rule such as always-call.

    What it holds stays on the disk and is read when it is queried. A rule plays the `game`, hold'em if none is given.
    """
    return open_strategy(strategy, game)


def _spot_of(game: str | Path | GameDefinition | Spot) -> Spot:
    if isinstance(game, Spot):
        return game
    return whole_game(game if isinstance(game, GameDefinition) else load_game(game))


def _run(run: Run, solver: Solver, stopped_to: str | Path | None = None) -> Result:
    folder = run.folder
    if folder is not None:
        # The strategy, a checkpoint, and the one before it: better to know now than after hours.
        require_room(folder, 3 * checkpoint_bytes(solver))
        run.checkpoint_with(lambda: save_checkpoint(folder, solver))
    if solver.iteration and solver.done:
        run.monitor.say(f"nothing to do: {solver.iteration:,} iterations have reached the limits already")
    finished = solver.run(run)
    checkpointed = run.checkpoint(now=True)
    result = result_of(solver, finished)
    if folder is None and stopped_to is not None and not finished:
        kept = save_aside(Path(stopped_to), run.monitor, lambda aside: save_checkpoint(aside, solver))
        return replace(result, folder=kept)
    if folder is not None:
        saved = run.save("the strategy", partial(result.save, folder))
        there = saved or (checkpointed and not finished)
        return replace(result, folder=folder if there else None, saved=run.complete)
    return result
