"""All of PsOpti, built: buckets, their networks, the models solved, and the programs saved as strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.joint import Network, joint_buckets
from errai.api.training import abstract
from errai.games.catalogue import load_game
from errai.models.model import Model
from errai.models.network import network_model
from errai.models.preflop import preflop_model
from errai.papers.psopti import (
    BETS,
    FLOP,
    SEVEN,
    SIX,
    after_preflop,
    conditional_models,
    of_classes,
    psopti0,
    psopti1,
    psopti2,
    uniform_models,
)
from errai.papers.redo import Known, Redo
from errai.papers.solved import METHOD, Solved, solved_models

TARGET = 0.1  # mbb/g in the model
RUNOUTS, PREFLOP_DEALS = 16, 20_000  # ways to deal turn and river for every flop; all boards before the flop


@dataclass(frozen=True, eq=False)
class Made:
    """All that is built: the models' solutions, and the programs as folders."""

    seven: Abstraction
    six: Abstraction
    network: Network  # of seven buckets
    selby: Solved
    uniform: Solved
    preflop: Solved
    postflop: Solved
    folders: dict[str, Path]


def make(wanted: Redo, known: Known) -> Made:
    folder, game = wanted.work / "models", load_game("holdem")
    tables = {7: wanted.work / "buckets-7", 6: wanted.work / "buckets-6"}
    made = {}
    for n, preset in ((7, SEVEN), (6, SIX)):
        wanted.step(f"{n} buckets a round")
        made[n] = abstract(preset, tables[n], threads=wanted.threads, monitor=wanted.monitor)
    wanted.step("pairs of buckets")
    networks = {n: joint_buckets(made[n], FLOP, runouts=RUNOUTS, monitor=wanted.monitor) for n in made}
    before = joint_buckets(made[6], 0, FLOP + 1, runouts=PREFLOP_DEALS, monitor=wanted.monitor)

    def solved(models: Sequence[Model], name: str, target: float = TARGET) -> Solved:
        wanted.step(f"models ({name})")
        return solved_models(models, name, folder, known, target, wanted.threads, wanted.monitor)

    uniform = uniform_models(game, networks[7])
    selby = solved([preflop_model(game)], "preflop-holdem", TARGET / 10)
    pots = solved(list(uniform.values()), "postflop-7")
    preflop = solved([network_model(game, before, 0, bets=BETS)], "preflop-6")
    given = after_preflop(before, preflop.solvers[0])
    postflop = solved(conditional_models(game, networks[6], given), "postflop-6")
    by_stake = dict(zip(uniform, pots.solvers, strict=True))
    classes = of_classes(made[7], selby.solvers[0].strategy(0)[:, :, 0])
    folders = {}
    for program, n, parts in (
        (psopti1(made[7], by_stake, classes), 7, (selby, pots)),
        (psopti2(made[6], preflop.solvers[0], postflop.solvers), 6, (preflop, postflop)),
        (psopti0(made[7], by_stake), 7, (pots,)),
    ):
        wanted.step(f"{program.name} as a strategy")
        folders[program.name] = wanted.work / program.name
        program.save(folders[program.name], made[n], tables[n], _about(parts))
    return Made(made[7], made[6], networks[7], selby, pots, preflop, postflop, folders)


def _about(parts: Sequence[Solved]) -> dict[str, Any]:
    efforts = [effort for part in parts for effort in part.efforts]
    return {
        "algorithm": METHOD,
        "iterations": max(effort.iterations for effort in efforts),
        "seconds": sum(part.seconds for part in parts),
        "command": "errai papers psopti",
        "strategy": "average",
    }
