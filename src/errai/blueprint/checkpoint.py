"""A training on disk, to be resumed: its stores as they are, and a manifest that says what they are.

    folder/checkpoint/checkpoint.json   the game, the buckets and where they are, the plan, what has been reached
    folder/checkpoint/regret.npy        and average.npy, and rival.npy where there is one

With one thread a training that was resumed ends with the same numbers, bit for bit, as one that was not stopped.
"""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.saved import load_abstraction
from errai.blueprint.training import BoardMeasurement, Plan, Stage, Training, new_training
from errai.errors import ErraiError
from errai.files.pending import steadily
from errai.files.reading import finite, read_array, read_manifest, require_finite, understood, whole
from errai.files.seal import sealed
from errai.files.writing import (
    make_folder,
    replacing_file,
    replacing_folder,
    require_room,
    surviving,
    write_array,
    write_json,
)
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.kinds.buckets import tables_at

CHECKPOINT, MANIFEST = "checkpoint", "checkpoint.json"
KIND, VERSION = "training", 4  # version 3 has no checksum of itself
MOST_SAMPLES, MOST_THREADS = 1 << 50, 4096  # of a checkpoint that is believed
_MANIFEST_BYTES = 1 << 20


def checkpoint_bytes(training: Training) -> int:
    """What a checkpoint takes on the disk."""
    return sum(array.nbytes for array in _arrays(training).values()) + _MANIFEST_BYTES


def save_training(folder: Path, training: Training, tables: Path | None = None) -> None:
    """Write folder/checkpoint; an older one stays until the new one is complete.

    `tables` is the folder of the abstraction.
    """
    make_folder(folder)
    require_room(folder, checkpoint_bytes(training))
    abstraction = training.layout.abstraction
    with replacing_folder(folder / CHECKPOINT) as new:
        content = {
            "format": f"errai {KIND}",
            "version": VERSION,
            "game": abstraction.game.text(),
            "abstraction": {
                "name": abstraction.name,
                "folder": None if tables is None else Path(os.path.relpath(tables, folder)).as_posix(),
                "counts": list(abstraction.counts),
                "crc32": abstraction.fingerprint,
            },
            "plan": asdict(training.plan),
            "samples": training.samples,
            "seconds": training.seconds,
            "visit": training.visit.tolist(),
            "visit_until": training.visit_until,
            "stages": [asdict(stage) for stage in training.stages],
            "looks": measurements_json(training),
            "arrays": {
                name: write_array(new / f"{name}.npy", array) for name, array in _arrays(training).items()
            },
        }
        write_json(new / MANIFEST, sealed(content))


def measurements_json(training: Training) -> list[dict[str, Any]]:
    """What was measured on the way, as JSON holds it."""
    return [asdict(measured) for measured in training.measurements]


def save_measurements(folder: Path, training: Training) -> None:
    """Write what has been measured since the checkpoint was saved; its stores stay as they are."""
    path = _manifest(folder)
    content = _read(folder)
    with replacing_file(path) as new:
        write_json(new, sealed({**content, "version": VERSION, "looks": measurements_json(training)}))


def has_training(folder: Path) -> bool:
    """Whether there is something to resume."""
    return _manifest(folder).is_file()


def tables_of(folder: Path) -> Path | None:
    """The folder of the abstraction that the training of a folder is on, if it was saved with it."""
    content = _read(folder)
    with understood(_manifest(folder)):
        where = content["abstraction"]["folder"]
        return None if where is None else Path(os.path.normpath(tables_at(folder, where)))


def is_on(folder: Path, abstraction: Abstraction) -> bool:
    """Whether the training of a folder is on these buckets."""
    content = _read(folder)
    with understood(_manifest(folder)):
        known = content["abstraction"]
        return bool(known["counts"] == list(abstraction.counts) and known["crc32"] == abstraction.fingerprint)


def load_training(
    folder: Path, abstraction: Abstraction | None = None, monitor: Monitor = SILENT, **changes: Any
) -> Training:
    """The training of folder/checkpoint. `changes` replace seconds, samples, threads or the method of its plan.

    Seconds and samples are those from now on: with `samples=30` a training saved at 30 ends at 60.
    Without an `abstraction` the one that it began with is opened.
    """
    return steadily(lambda: _manifest(folder), lambda: _load(folder, abstraction, monitor, dict(changes)))


def _load(
    folder: Path, abstraction: Abstraction | None, monitor: Monitor, changes: dict[str, Any]
) -> Training:
    content, path = _read(folder), _manifest(folder)
    if abstraction is None:
        tables = tables_of(folder)
        if tables is None:
            raise ErraiError(
                f"{path} does not say where its buckets are; give their folder", parameter="abstraction"
            )
        abstraction = load_abstraction(tables)
    with understood(path):
        known = content["abstraction"]
        if content["game"] != abstraction.game.text() or not is_on(folder, abstraction):
            raise ErraiError(
                f"{path} was trained on other buckets, {known['name']}: {'/'.join(map(str, known['counts']))}; "
                "give the abstraction that it began with"
            )
        method = changes.pop("method", None)
        plan = Plan(**{**content["plan"], **changes})
        seconds, samples = finite(content["seconds"], 0), whole(content["samples"], 0, MOST_SAMPLES)
        for name, done in (("seconds", seconds), ("samples", samples)):
            if (given := changes.get(name)) is not None:
                plan = replace(plan, **{name: done + given})
        whole(plan.threads, 1, MOST_THREADS)
        training = new_training(abstraction.game, abstraction, plan, monitor)
        if "played" in content["arrays"]:
            training.played = np.zeros_like(training.first_round())
        arrays = _arrays(training)
        if set(content["arrays"]) != set(arrays):
            raise ValueError(f"it has the arrays {', '.join(content['arrays'])}, not {', '.join(arrays)}")
        for name, array in arrays.items():
            read_array(path.parent / f"{name}.npy", array, whole(content["arrays"][name]))
            require_finite(path.parent / f"{name}.npy", array)
        training.samples, training.seconds = samples, seconds
        training.visit = _visits(content["visit"], training)
        training.visit_until = whole(
            content["visit_until"], 0, 2 * MOST_SAMPLES if training.visit.size else 0
        )
        training.stages = [_stage(**stage) for stage in content["stages"]]
        training.measurements = [_measurement(**measured) for measured in content["looks"]]
    if method is not None:
        training.change_method(method)
    return training


def _manifest(folder: Path) -> Path:
    return surviving(folder / CHECKPOINT) / MANIFEST


def _read(folder: Path) -> dict[str, Any]:
    if not has_training(folder):
        state = "it has no checkpoint" if folder.is_dir() else "there is no such folder"
        raise ErraiError(f"there is no training to resume in {folder}: {state}")
    return read_manifest(_manifest(folder), KIND, 3, VERSION, unsealed=(3,))


def _visits(content: list[object], training: Training) -> NDArray[np.float64]:
    """[P] how often lines are walked; nothing before that was first decided."""
    visit = np.array([finite(share, 0) for share in content], np.float64)
    if len(visit) not in (0, training.layout.lines) or (visit > 1).any() or (visit == 0).any():
        raise ValueError(f"it does not say how often {training.layout.lines} lines are walked")
    return visit


def _stage(method: str, samples: int, tables: str | None = None, seconds: float | None = None) -> Stage:
    return Stage(
        str(method),
        whole(samples),
        None if tables is None else str(tables),
        None if seconds is None else finite(seconds, 0),
    )


def _measurement(samples: int, seconds: float, exploitability_mbb: float) -> BoardMeasurement:
    return BoardMeasurement(whole(samples), finite(seconds), finite(exploitability_mbb))


def _arrays(training: Training) -> dict[str, NDArray[np.float32]]:
    arrays = {"regret": training.regret, "average": training.average}
    if training.opponent_regret is not None:
        arrays["rival"] = training.opponent_regret
    if training.played.size:
        arrays["played"] = training.played
    return arrays
