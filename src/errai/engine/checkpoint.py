"""A solver on disk, to go on with later as if it had never stopped.

    folder/checkpoint/checkpoint.json    the spot, the settings, how far it has come, and what the arrays are
    folder/checkpoint/regret.npy ...     the arrays of the store, each with its checksum in the manifest

A new checkpoint is written beside the old one and takes its place when it is complete. Iterations depend on
nothing but the store and the number of the iteration, so 30 iterations, a checkpoint and 30 more are bit for
bit 60 iterations.
"""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from errai.engine.evaluation import Evaluation
from errai.engine.fingerprint import fingerprint
from errai.engine.solver import Announce, Point, Settings, Solver, prepare, unannounced
from errai.errors import ErraiError
from errai.games.spot_json import RANGES, load_spot, spot_to_json
from errai.reading import read_array, read_manifest, understood
from errai.writing import make_folder, replacing_folder, require_room, surviving, write_array, write_json

VERSION = 1
FOLDER, MANIFEST = "checkpoint", "checkpoint.json"
CHANGEABLE = ("iterations", "target", "seconds", "threads")
_MANIFEST_BYTES = 1 << 20


def checkpoint_bytes(solver: Solver) -> int:
    """What a checkpoint takes on the disk."""
    return sum(array.nbytes for array in solver.store.arrays().values()) + _MANIFEST_BYTES


def has_checkpoint(folder: Path) -> bool:
    """Whether there is something to go on with."""
    return (surviving(folder / FOLDER) / MANIFEST).is_file()


def save_checkpoint(folder: Path, solver: Solver) -> None:
    """Write folder/checkpoint; an older one stays until the new one is complete."""
    make_folder(folder)
    require_room(folder, checkpoint_bytes(solver))
    with replacing_folder(folder / FOLDER) as new:
        arrays = {
            name: {
                "dtype": array.dtype.name,
                "size": array.size,
                "crc32": write_array(new / f"{name}.npy", array),
            }
            for name, array in solver.store.arrays().items()
        }
        spot, ranges = spot_to_json(solver.spot)
        content = {
            "format": "errai checkpoint",
            "version": VERSION,
            "spot": spot,
            "ranges_crc32": None if ranges is None else write_array(new / RANGES, ranges),
            "settings": asdict(solver.settings),
            "iteration": solver.iteration,
            "seconds": solver.seconds,
            "history": [list(asdict(point).values()) for point in solver.history],
            "evaluation": None if solver.evaluation is None else asdict(solver.evaluation),
            "layout": fingerprint(solver.layout),
            "arrays": arrays,
        }
        write_json(new / MANIFEST, content)


def load_checkpoint(folder: Path, announce: Announce = unannounced, **changes: Any) -> Solver:
    """The solver of folder/checkpoint. `changes` replace iterations, target, seconds or threads.

    Limits count from the beginning of the solution: with `iterations=60` a solver saved at 30 does 30 more.
    """
    where = surviving(folder / FOLDER)
    path = where / MANIFEST
    if not path.is_file():
        state = "there is no checkpoint in it" if folder.is_dir() else "there is no such folder"
        raise ErraiError(f"cannot go on with {folder}: {state}; give the folder that a solution was saved to")
    content = read_manifest(path, "checkpoint", VERSION)
    with understood(path):
        spot = load_spot(where, content["spot"], content["ranges_crc32"])
        known = {setting.name for setting in fields(Settings)}
        if set(content["settings"]) != known:
            raise ValueError("its settings are not those of this version")
        settings = _changed(Settings(**content["settings"]), changes)
    solver = prepare(spot, settings, announce)
    with understood(path):
        if content["layout"] != fingerprint(solver.layout):
            raise ErraiError(
                f"{path} was saved with another order of hands and boards; "
                "use the Errai that saved it, or solve again"
            )
        _fill(where, content["arrays"], solver)
        solver.iteration = int(content["iteration"])
        solver.seconds = float(content["seconds"])
        solver.history = [Point(*numbers) for numbers in content["history"]]
        solver.evaluation = _evaluation(content["evaluation"])
    return solver


def _changed(settings: Settings, changes: dict[str, Any]) -> Settings:
    for name, given in changes.items():
        if name not in CHANGEABLE:
            raise ErraiError(f"{name} of a checkpoint cannot be changed; {', '.join(CHANGEABLE)} can")
        if name == "iterations" and settings.rule.planned and given != settings.iterations:
            raise ErraiError(
                f"{settings.method} has planned its schedule for {settings.iterations} iterations; "
                f"they cannot become {given}"
            )
    return replace(settings, **changes)


def _fill(where: Path, described: dict[str, Any], solver: Solver) -> None:
    arrays = solver.store.arrays()
    if set(described) != set(arrays):
        raise ValueError(f"it has the arrays {', '.join(described)} and not {', '.join(arrays)}")
    for name, array in arrays.items():
        read_array(where / f"{name}.npy", array, described[name]["crc32"])


def _evaluation(content: dict[str, Any] | None) -> Evaluation | None:
    if content is None:
        return None
    value, best = content["value"], content["best_response"]
    return Evaluation((value[0], value[1]), (best[0], best[1]), content["unit"])
