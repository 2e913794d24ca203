"""Strategies on disk: one manifest for all, and the weights of exact solutions.

    folder/strategy.json    what it is: the game, the spot, the precision, how it was found and how good it is
    folder/strategy.npy     its weights as they are, in the order of the layout
    folder/ranges.npy       the players' ranges, where they are not uniform

Weights are mapped, not read: a strategy of many gigabytes opens at once, and asking it about a decision
reads the pages of that decision only. They keep their type, so a loaded strategy is worth exactly what the
saved one was. This is version 1 of the manifest; version 2 is a strategy on buckets (errai.strategy.blueprint), and
`open_strategy` opens either.
"""

from __future__ import annotations

import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from errai.cards.suits import TRIVIAL_GROUP
from errai.engine.fingerprint import fingerprint
from errai.engine.layout import layout
from errai.engine.store import PRECISIONS
from errai.errors import ErraiError
from errai.files.reading import map_array, read_manifest, understood
from errai.files.writing import make_folder, replacing_file, require_room, write_array, write_json
from errai.games.spot_json import RANGES, load_spot, spot_to_json
from errai.strategy import blueprint
from errai.strategy.blueprint import Blueprint
from errai.strategy.shipped import folder_of
from errai.strategy.strategy import Strategy

VERSION = 1
MANIFEST, WEIGHTS = "strategy.json", "strategy.npy"
_MANIFEST_BYTES = 1 << 20
_PIECE = 1 << 24  # bytes checked at a time


def strategy_bytes(strategy: Strategy) -> int:
    """What a strategy takes on the disk."""
    return int(strategy.weights.nbytes) + _MANIFEST_BYTES


def save_strategy(folder: Path, strategy: Strategy, about: dict[str, Any]) -> None:
    """Write a strategy to a folder; `about` says how it was found and how good it is."""
    make_folder(folder)
    require_room(folder, strategy_bytes(strategy))
    with ExitStack() as files:
        # The manifest takes its place last, when everything it speaks of is there.
        manifest = files.enter_context(replacing_file(folder / MANIFEST))
        weights = files.enter_context(replacing_file(folder / WEIGHTS))
        weights_crc32 = write_array(weights, strategy.weights)
        spot, ranges = spot_to_json(strategy.spot)
        ranges_crc32 = None
        if ranges is not None:
            ranges_crc32 = write_array(files.enter_context(replacing_file(folder / RANGES)), ranges)
        content = {
            "format": "errai strategy",
            "version": VERSION,
            "spot": spot,
            "ranges_crc32": ranges_crc32,
            "weights_crc32": weights_crc32,
            "precision": strategy.weights.dtype.name,
            "isomorphism": _has_symmetries(strategy),
            "layout": fingerprint(strategy.layout),
            "about": about,
        }
        write_json(manifest, content)


def _has_symmetries(strategy: Strategy) -> bool:
    return int(strategy.layout.shape.tree.group[0]) != TRIVIAL_GROUP


def load_strategy(folder: Path) -> Strategy:
    """The strategy of a folder, its weights mapped from the disk."""
    path = folder / MANIFEST
    content = _exact(path)
    with understood(path):
        spot = load_spot(folder, content["spot"], content["ranges_crc32"])
        dtype = np.dtype(PRECISIONS[content["precision"]])
        places = layout(spot, isomorphism=bool(content["isomorphism"]))
        if content["layout"] != fingerprint(places):
            raise ErraiError(
                f"{path} was saved with another order of hands and boards; "
                "use the Errai that saved it, or solve again"
            )
    return Strategy(places, map_array(folder / WEIGHTS, dtype, (places.shape.numbers,)))


def open_strategy(strategy: Path | str) -> Strategy | Blueprint:
    """The strategy of a folder, or of a name that comes with the package: an exact solution or one on buckets."""
    folder = folder_of(strategy)
    if manifest_of(folder)["version"] == blueprint.VERSION:
        return blueprint.open_blueprint(folder)
    return load_strategy(folder)


def manifest_of(folder: Path) -> dict[str, Any]:
    """The manifest of a saved strategy of either kind."""
    return read_manifest(folder / MANIFEST, "strategy", VERSION, blueprint.VERSION)


def about(folder: Path) -> dict[str, Any]:
    """How the strategy of a folder was found and how good it is, as it was saved."""
    with understood(folder / MANIFEST):
        return dict(manifest_of(folder)["about"])


def verify_weights(folder: Path) -> int | None:
    """Check the weights of an exact solution; returns their CRC-32, or None if there was none to check against."""
    wanted = _exact(folder / MANIFEST).get("weights_crc32")
    strategy = load_strategy(folder)
    if wanted is None:
        return None
    content = strategy.weights.reshape(-1).view(np.uint8).data
    found = 0
    for start in range(0, len(content), _PIECE):
        found = zlib.crc32(content[start : start + _PIECE], found)
    if found != wanted:
        raise ErraiError(f"{folder / WEIGHTS} is damaged: its checksum is {found:08x} and not {wanted:08x}")
    return found


def _exact(path: Path) -> dict[str, Any]:
    content = manifest_of(path.parent)
    if content["version"] != VERSION:
        raise ErraiError(f"{path.parent} holds a strategy on buckets and not an exact solution")
    return content
