"""What a full solution of a game would cost on a cluster, judged by what is measured here.

import errai

plan = errai.plan("holdem", nodes=20, cores=64)
plan.likely.days, plan.disk_bytes, plan.fits
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import whole_game
from errai.games.state import parse_state
from errai.runs.monitor import SILENT, Monitor
from errai.scale.codes import DEFAULT_METHODS
from errai.scale.measuring import measure
from errai.scale.memory import parse_bytes
from errai.scale.plan import Cluster, Plan, planned
from errai.scale.playing import Reach
from errai.strategy.files import open_strategy
from errai.strategy.shipped import shipped
from errai.strategy.strategy import Strategy

__all__ = ["Plan", "plan"]

SECONDS = 240.0


def plan(
    game: str | Path | GameDefinition,
    *,
    nodes: int = 10,
    cores: int = 64,
    disk: str | int = "2TB",
    memory: str | int = "256GB",
    price: float = 0.03,
    disk_speed: float = 2.0,
    network: float | None = None,
    target: float = 1.0,
    strategy: str = "average",
    seconds: float = SECONDS,
    monitor: Monitor = SILENT,
) -> Plan:
    """What solving a game to an exploitability of `target` mbb/g would cost on a cluster.

    The cluster has `nodes` of so many `cores`, each with `disk` and `memory`; `price` is money for a core and an
    hour, `disk_speed` GB/s of a node's disk, `network` Gbit/s of the driver. The `strategy` that is kept is the
    "average", or the "current" one, which takes more iterations and about half of the disk. Subgames of the game are
    played here for about so many `seconds` and measured. If the monitor stops that, it is a StoppedError.
    """
    cluster = Cluster(
        _count("nodes", nodes),
        _count("cores", cores),
        _size("disk", disk),
        _size("memory", memory),
        _number("price", price, least=0),
        _number("disk_speed", disk_speed),
        None if network is None else _number("network", network),
    )
    _number("target", target)
    _number("seconds", seconds)
    if strategy not in DEFAULT_METHODS:
        raise ErraiError(f"unknown strategy '{strategy}': choose average or current", parameter="strategy")
    rules = game if isinstance(game, GameDefinition) else load_game(game)
    spot = whole_game(rules)
    monitor.step("preparing")
    measurement, division = measure(spot, _known_reach(rules), seconds, monitor, strategy=strategy)
    return planned(division, measurement, cluster, target)


def _known_reach(game: GameDefinition) -> tuple[str, Reach] | None:
    """The reach of a strategy of the game that comes with the package, with its name."""
    for name in shipped():
        strategy = open_strategy(name)
        if strategy.game == game:
            return name, _reach_of(strategy)
    return None


def _reach_of(strategy: Strategy) -> Reach:
    def reach(betting: str, cards: tuple[int, ...], player: int) -> NDArray[np.float64]:
        return strategy.reach(parse_state(strategy.game, betting, list(cards)), player)

    return reach


def _count(name: str, given: int) -> int:
    if given < 1:
        raise ErraiError(f"{name} must be 1 or more, not {given}", parameter=name)
    return given


def _number(name: str, given: float, least: float | None = None) -> float:
    if not math.isfinite(given) or given < (least or 0) or (least is None and given == 0):
        wanted = "above 0" if least is None else f"{least:g} or more"
        raise ErraiError(f"{name} must be {wanted}, not {given:g}", parameter=name)
    return given


def _size(name: str, given: str | int) -> int:
    try:
        return parse_bytes(given if isinstance(given, str) else f"{given}B")
    except ErraiError as error:
        raise ErraiError(str(error), parameter=name) from None
