"""Whether all of a saved folder is as it was saved: the strategy, its buckets, and the checkpoint beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from errai.engine.checkpoint import FOLDER, MANIFEST
from errai.files.manifest import check_file
from errai.files.pending import steadily
from errai.files.reading import inside, read_json, understood, whole
from errai.files.seal import KEY, require_seal
from errai.files.writing import surviving
from errai.games.spot_json import RANGES
from errai.strategy.strategy import Strategy
from errai.strategy.value_function import VALUES, check_values


def check_folder(strategy: Strategy) -> str | None:
    """Read all files of a strategy's folder; says what was checked, None where nothing was saved.

    The first that is damaged is an ErraiError that names it.
    """
    said = strategy.check()
    if said is None or strategy.saved is None:
        return said
    folder = strategy.saved.folder
    arrays = steadily(lambda: _manifest(folder), lambda: _check_checkpoint(_manifest(folder)))
    if arrays:
        said = f"{said}; so is the checkpoint with {arrays} arrays"
    return f"{said}; so is what hands are worth" if check_values(folder / VALUES) else said


def _manifest(folder: Path) -> Path:
    return surviving(folder / FOLDER) / MANIFEST


def _check_checkpoint(path: Path) -> int:
    """Read every array that a checkpoint names, of whichever solver; returns how many there are."""
    if not path.is_file():
        return 0
    content = read_json(path, "checkpoint")
    if KEY in content:  # which older ones lack
        require_seal(path, content)
    with understood(path):
        arrays = {f"{name}.npy": _checksum(of) for name, of in content["arrays"].items()}
        if type(game := content.get("game")) is dict:
            arrays |= {f"game-{name}.npy": _checksum(of) for name, of in game["arrays"].items()}
        if (ranges := content.get("ranges_crc32")) is not None:
            arrays[RANGES] = whole(ranges)
    for name, checksum in arrays.items():
        check_file(inside(path.parent, name), checksum)
    return len(arrays)


def _checksum(of: Any) -> int:
    return whole(of["crc32"] if type(of) is dict else of)
