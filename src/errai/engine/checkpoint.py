"""A solver on disk, to be resumed as if it had never stopped.

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
from errai.engine.loop import Loop
from errai.engine.progress import Measurement
from errai.engine.settings import Settings
from errai.engine.solver import Solver, prepare
from errai.errors import ErraiError
from errai.files.pending import steadily
from errai.files.reading import finite, read_array, read_manifest, require_finite, understood, whole
from errai.files.seal import sealed
from errai.files.writing import (
    make_folder,
    replacing_folder,
    require_room,
    surviving,
    write_array,
    write_json,
)
from errai.games.definition import GameDefinition, parse_game
from errai.games.spot_json import RANGES, load_spot, spot_to_json
from errai.runs.monitor import SILENT, Monitor

VERSION = 2  # version 1 has no checksum of itself
FOLDER, MANIFEST = "checkpoint", "checkpoint.json"
MOST_ITERATIONS, MOST_THREADS = 1 << 40, 4096  # of a checkpoint that is believed
CHANGEABLE = ("iterations", "target", "seconds", "threads")
_MANIFEST_BYTES = 1 << 20


def checkpoint_bytes(solver: Loop) -> int:
    """What a checkpoint takes on the disk."""
    return sum(array.nbytes for array in solver.state().values()) + _MANIFEST_BYTES


def has_checkpoint(folder: Path) -> bool:
    """Whether there is something to resume."""
    return (surviving(folder / FOLDER) / MANIFEST).is_file()


def save_checkpoint(folder: Path, solver: Solver) -> None:
    """Write folder/checkpoint; an older one stays until the new one is complete."""
    make_folder(folder)
    require_room(folder, checkpoint_bytes(solver))
    with replacing_folder(folder / FOLDER) as new:
        spot, ranges = spot_to_json(solver.spot)
        content = {
            "format": "errai checkpoint",
            "version": VERSION,
            "spot": spot,
            "ranges_crc32": None if ranges is None else write_array(new / RANGES, ranges),
            "layout": fingerprint(solver.layout),
            **write_loop(new, solver),
        }
        write_json(new / MANIFEST, sealed(content))


def write_loop(folder: Path, loop: Loop) -> dict[str, Any]:
    """Write the arrays of a solver; returns what its manifest says of them and of how far it has come."""
    arrays = {
        name: {
            "dtype": array.dtype.name,
            "size": array.size,
            "crc32": write_array(folder / f"{name}.npy", array),
        }
        for name, array in loop.state().items()
    }
    return {
        "settings": asdict(loop.settings),
        "iteration": loop.iteration,
        "seconds": loop.seconds,
        "history": [list(asdict(measured).values()) for measured in loop.history],
        "evaluation": None if loop.evaluation is None else asdict(loop.evaluation),
        "arrays": arrays,
    }


def load_checkpoint(folder: Path, monitor: Monitor = SILENT, **changes: Any) -> Solver:
    """The solver of folder/checkpoint. `changes` replace iterations, target, seconds or threads.

    Iterations and seconds are those from now on: with `iterations=30` a solver saved at 30 ends at 60.
    """
    return steadily(lambda: surviving(folder / FOLDER) / MANIFEST, lambda: _load(folder, monitor, changes))


def _load(folder: Path, monitor: Monitor, changes: dict[str, Any]) -> Solver:
    where = surviving(folder / FOLDER)
    path = where / MANIFEST
    if not path.is_file():
        state = "there is no checkpoint in it" if folder.is_dir() else "there is no such folder"
        raise ErraiError(f"cannot resume {folder}: {state}; give the folder that a solution was saved to")
    content = read_manifest(path, "checkpoint", 1, VERSION, unsealed=(1,))
    with understood(path):
        spot = load_spot(where, content["spot"], content["ranges_crc32"])
        settings = read_settings(content, changes)
    solver = prepare(spot, settings, monitor)
    with understood(path):
        if content["layout"] != fingerprint(solver.layout):
            raise ErraiError(
                f"{path} was saved with another order of hands and boards; "
                "use the Errai that saved it, or solve again"
            )
        read_loop(where, content, solver)
    return solver


def read_settings(content: dict[str, Any], changes: dict[str, Any]) -> Settings:
    """The settings of a checkpoint with some limits changed; those that are given count from there on."""
    if set(content["settings"]) != {setting.name for setting in fields(Settings)}:
        raise ValueError("its settings are not those of this version")
    iteration, seconds = whole(content["iteration"], 0, MOST_ITERATIONS), finite(content["seconds"], 0)
    settings = Settings(**content["settings"])
    whole(settings.threads or 1, 1, MOST_THREADS)
    if others := [name for name in changes if name not in CHANGEABLE]:
        raise ErraiError(f"{others[0]} of a checkpoint cannot be changed; {', '.join(CHANGEABLE)} can")
    if settings.rule.planned and {"iterations", "target", "seconds"} & set(changes):
        left = (settings.iterations or 0) - iteration
        if changes.get("iterations") != left:
            raise ErraiError(
                f"{settings.method} has planned its schedule for {settings.iterations} iterations; "
                f"resume it for the {left} that are left, or without limits",
                parameter="iterations",
            )
    changed = replace(settings, **changes)
    done = {"iterations": iteration, "seconds": seconds}
    return replace(
        changed,
        **{name: done[name] + given for name in done if (given := changes.get(name)) is not None},
    )


def read_loop(folder: Path, content: dict[str, Any], loop: Loop) -> None:
    """Bring a new solver to where a saved one was."""
    described, arrays = content["arrays"], loop.state()
    if set(described) != set(arrays):
        raise ValueError(f"it has the arrays {', '.join(described)} and not {', '.join(arrays)}")
    for name, array in arrays.items():
        read_array(folder / f"{name}.npy", array, whole(described[name]["crc32"]))
        require_finite(folder / f"{name}.npy", array)
    loop.iteration = whole(content["iteration"], 0, MOST_ITERATIONS)
    loop.seconds = finite(content["seconds"], 0)
    loop.history = [_measurement(*numbers) for numbers in content["history"]]
    loop.evaluation = _evaluation(content["evaluation"])


def _measurement(iteration: object, *numbers: object) -> Measurement:
    seconds, exploitability, value = map(finite, numbers)
    return Measurement(whole(iteration), seconds, exploitability, value)


def _evaluation(content: dict[str, Any] | None) -> Evaluation | None:
    if content is None:
        return None
    value, best = content["value"], content["best_response"]
    return Evaluation(
        (finite(value[0]), finite(value[1])), (finite(best[0]), finite(best[1])), finite(content["unit"])
    )


def checkpoint_game(folder: Path) -> tuple[GameDefinition, bool] | None:
    """The game of a checkpoint, and whether it starts with the first card; None where there is no checkpoint."""
    if not has_checkpoint(folder):
        return None  # which resuming it will say better
    path = surviving(folder / FOLDER) / MANIFEST
    with understood(path):
        saved = read_manifest(path, "checkpoint", 1, VERSION, unsealed=(1,))["spot"]
        return parse_game(saved["game"], name=saved["name"]), not (saved["betting"] or saved["board"])
