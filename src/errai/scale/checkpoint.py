"""A divided solver: how it begins, and how it is resumed.

    scratch/checkpoint/         the trunk, the settings, how far it has come; replaced as a whole after every pass
    scratch/chunks/             the subgames: see errai.scale.chunk

A solver that keeps its subgames in memory has checkpoints of its own: then the chunks are in the checkpoint.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from errai.engine.checkpoint import FOLDER, MANIFEST, VERSION, read_loop, read_settings, write_loop
from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.files.reading import read_manifest, understood, whole
from errai.files.seal import sealed
from errai.files.writing import (
    make_folder,
    replacing_folder,
    require_room,
    surviving,
    write_array,
    write_json,
)
from errai.games.spot import Spot
from errai.games.spot_json import RANGES, load_spot, spot_to_json
from errai.runs.monitor import SILENT, Monitor
from errai.scale.cluster import ray_crew
from errai.scale.codes import grids_for
from errai.scale.crew import Crew, LocalCrew
from errai.scale.division import divide
from errai.scale.memory import needed
from errai.scale.solver import DividedSolver, refuse_rule
from errai.scale.stores import DiskStore, MemoryStore, pass_of, remove_left_behind

CHUNKS = "chunks"
Flops = tuple[tuple[int, ...], ...] | None


@dataclass(frozen=True)
class Where:
    """Where the subgames of a solution are, and what may be used for them."""

    scratch: Path | None = None  # in memory, if there is none
    memory: int | None = None  # bytes; what can be had, if nothing is said
    cluster: str | None = None  # threads of this process, if nothing is said


def prepare_divided(
    spot: Spot, settings: Settings, flops: Flops = None, where: Where | None = None, monitor: Monitor = SILENT
) -> DividedSolver:
    """A new solver, after making sure that it fits. The monitor is told the estimate first."""
    where = where or Where()
    refuse_rule(settings.rule, settings.strategy)
    division = divide(spot, settings.isomorphism, flops)
    with_average = settings.strategy == "average"
    grids = grids_for(spot.game, division.numbers, with_average, signed=not settings.rule.floor)
    run = division.fingerprint()
    solver = DividedSolver(
        settings,
        spot,
        division,
        grids,
        crew=None,  # type: ignore[arg-type]
        regret=np.zeros(division.trunk_numbers, np.float32),
        average=np.zeros(division.trunk_numbers, np.float32) if with_average else None,
        durable=where.scratch is not None,
    )
    need = needed(division, division.numbers, solver.threads, grids, where.scratch is not None, where.memory)
    monitor.say(f"memory: {need}")
    division.keep_layouts(need.layouts)
    if where.scratch is not None and where.cluster is None and not (where.scratch / CHUNKS).exists():
        require_room(make_folder(where.scratch), need.least_disk)
    solver.crew = _crew(solver, where, run, need.held, monitor)
    if where.scratch is not None:
        folder = where.scratch
        solver.commit = lambda: save(folder, solver)
    return solver


def _crew(solver: DividedSolver, where: Where, run: int, room: int, monitor: Monitor) -> Crew:
    if where.scratch is None:
        return LocalCrew(solver.division, MemoryStore(solver.grids, run), solver.threads)
    remove_left_behind(make_folder(where.scratch / CHUNKS))
    if where.cluster is not None:
        folder = where.scratch / CHUNKS
        return ray_crew(solver.division, solver.grids, run, folder, where.cluster, room, monitor)
    store = DiskStore(where.scratch / CHUNKS, solver.grids, run, room=room)
    return LocalCrew(solver.division, store, solver.threads)


def save(folder: Path, solver: DividedSolver) -> None:
    """Write folder/checkpoint; an older one stays until the new one is complete."""
    make_folder(folder)
    with replacing_folder(folder / FOLDER) as new:
        spot, ranges = spot_to_json(solver.spot)
        flops = solver.division.flops
        content = {
            "format": "errai checkpoint",
            "version": VERSION,
            "spot": spot,
            "ranges_crc32": None if ranges is None else write_array(new / RANGES, ranges),
            "division": {
                "fingerprint": solver.division.fingerprint(),
                "flops": None if flops is None else [list(flop) for flop in flops],
                "passes": solver.passes,
                "on_disk": solver.durable,
            },
            **write_loop(new, solver),
        }
        if not solver.durable:
            solver.crew.save(new / CHUNKS, solver.passes)
        write_json(new / MANIFEST, sealed(content))


def is_divided(folder: Path) -> bool:
    """Whether the checkpoint of a folder is one of a divided solver."""
    path = surviving(folder / FOLDER) / MANIFEST
    if not path.is_file():
        return False
    return "division" in read_manifest(path, "checkpoint", 1, VERSION, unsealed=(1,))


def load(folder: Path, where: Where, monitor: Monitor = SILENT, **changes: Any) -> DividedSolver:
    """The solver of folder/checkpoint. `changes` replace iterations, target, seconds or threads."""
    source = surviving(folder / FOLDER)
    path = source / MANIFEST
    content = read_manifest(path, "checkpoint", VERSION)
    with understood(path):
        described = content["division"]
        spot = load_spot(source, content["spot"], content["ranges_crc32"])
        settings = read_settings(content, changes)
        passes = whole(described["passes"])
        flops = described["flops"]
        chosen = (
            None if flops is None else tuple(tuple(whole(card, 0, 51) for card in flop) for flop in flops)
        )
        on_disk = bool(described["on_disk"])
    where = replace(where, scratch=folder if on_disk else None)
    solver = prepare_divided(spot, settings, chosen, where, monitor)
    with understood(path):
        if described["fingerprint"] != solver.division.fingerprint():
            raise ErraiError(
                f"{path} was saved with another order of hands and boards; "
                "use the Errai that saved it, or solve again"
            )
        read_loop(source, content, solver)
    solver.passes = passes
    solver.iteration = passes // 2
    solver.begun = on_disk and _begun(folder / CHUNKS, solver)
    if not on_disk:
        assert isinstance(solver.crew, LocalCrew)
        store = solver.crew.store
        assert isinstance(store, MemoryStore)
        for subgame in solver.division.subgames:
            store.restore(subgame, solver.division.layout(subgame), source / CHUNKS, passes)
    return solver


def _begun(chunks: Path, solver: DividedSolver) -> bool:
    """Whether any subgame has been through the pass that comes next. What is damaged is found when it is used."""
    seat, run = (solver.passes + 1) % 2, solver.division.fingerprint()
    for subgame in solver.division.subgames:
        with suppress(ErraiError):
            if pass_of(chunks, run, subgame.number, seat) > solver.passes:
                return True
    return False
