"""A solver of an extensive game on disk, with the game, to be resumed as if it had never stopped.

folder/checkpoint/checkpoint.json    the tables of the game, the settings, how far it has come, and the arrays
folder/checkpoint/*.npy              the arrays of the game and of the solver, each with its checksum
"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from errai.engine.checkpoint import FOLDER, MANIFEST, checkpoint_bytes, read_loop, read_settings, write_loop
from errai.errors import ErraiError
from errai.files.pending import steadily
from errai.files.reading import (
    finite,
    fraction,
    load_array,
    read_json,
    read_manifest,
    understood,
    whole,
)
from errai.files.seal import sealed
from errai.files.writing import (
    make_folder,
    replacing_folder,
    require_room,
    surviving,
    write_array,
    write_json,
)
from errai.sequence.cfr import PlanSolver
from errai.sequence.form import sequence_form
from errai.sequence.soundness import require_tree
from errai.sequence.tree import ExtensiveGame, Number

KIND, VERSION = "extensive checkpoint", 2  # version 1 has no checksum of itself
_ARRAYS = (
    "player", "parent", "first_child", "children", "information_set", "label", "chance", "payoff", "set_player",
    "set_actions", "set_node",
)  # fmt: skip
_NUMBERS = ("probabilities", "payoffs")


def is_extensive_checkpoint(folder: Path) -> bool:
    """Whether a folder holds a checkpoint of an extensive game, and not one of the engine or none."""
    try:
        content = read_json(surviving(folder / FOLDER) / MANIFEST)
    except ErraiError:
        return False
    return content.get("format") == f"errai {KIND}"


def save_checkpoint(folder: Path, solver: PlanSolver) -> None:
    """Write folder/checkpoint; an older one stays until the new one is complete."""
    make_folder(folder)
    game = solver.form.game
    require_room(folder, checkpoint_bytes(solver) + sum(getattr(game, name).nbytes for name in _ARRAYS))
    with replacing_folder(folder / FOLDER) as new:
        content = {
            "format": f"errai {KIND}",
            "version": VERSION,
            "game": _described(game, new),
            **write_loop(new, solver),
        }
        write_json(new / MANIFEST, sealed(content))


def load_checkpoint(folder: Path, **changes: Any) -> PlanSolver:
    """The solver of folder/checkpoint. `changes` replace iterations, target or seconds; those from now on."""
    return steadily(lambda: surviving(folder / FOLDER) / MANIFEST, lambda: _load(folder, changes))


def _load(folder: Path, changes: dict[str, Any]) -> PlanSolver:
    where = surviving(folder / FOLDER)
    path = where / MANIFEST
    content = read_manifest(path, KIND, 1, VERSION, unsealed=(1,))
    with understood(path):
        settings = read_settings(content, changes)
        solver = PlanSolver(settings, sequence_form(_game(content["game"], where)))
        read_loop(where, content, solver)
    return solver


def _described(game: ExtensiveGame, folder: Path) -> dict[str, Any]:
    """Write the arrays of a game; returns the rest of it and what the arrays are."""
    arrays = {}
    for name in _ARRAYS:
        array = getattr(game, name)
        checksum = write_array(folder / f"game-{name}.npy", array)
        arrays[name] = {"dtype": array.dtype.name, "size": array.size, "crc32": checksum}
    rest = {field.name: getattr(game, field.name) for field in fields(game) if field.name not in _ARRAYS}
    for name in _NUMBERS:
        rest[name] = [_written(number) for number in rest[name]]
    return {**rest, "shift": _written(game.shift), "unit": str(game.unit), "arrays": arrays}


def _game(content: dict[str, Any], folder: Path) -> ExtensiveGame:
    parts = dict(content)
    arrays = parts.pop("arrays")
    if set(arrays) != set(_ARRAYS):
        raise ValueError(f"it has the arrays {', '.join(arrays)}, not {', '.join(_ARRAYS)}")
    for name, described in arrays.items():
        dtype = np.dtype(np.int8 if name in ("player", "set_player") else np.int32)
        path, shape = folder / f"game-{name}.npy", (whole(described["size"]),)
        parts[name] = load_array(path, dtype, shape, whole(described["crc32"]))
    for name in _NUMBERS:
        parts[name] = tuple(_read(number) for number in parts[name])
    for name in ("players", "set_names", "labels"):
        parts[name] = tuple(map(str, parts[name]))
    parts["shift"], parts["unit"] = _read(parts["shift"]), fraction(parts["unit"])
    game = ExtensiveGame(**parts)
    require_tree(game)
    return game


def _written(number: Number) -> str | float:
    return str(number) if isinstance(number, Fraction) else number


def _read(number: str | float) -> Number:
    return fraction(number) if isinstance(number, str) else finite(number)
