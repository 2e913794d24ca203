"""What hands are worth in every public state when a strategy plays itself: a guess, learned once and kept beside it.

    values = load_values(folder, strategy)              learned by errai.play.values
    values.of(round_, state, context, seat)             [buckets] chips that a hand of each bucket wins from there on

Hands of a bucket share the value of its bin. States are the decisions of a round's template, then its leaves.

    folder/values.json      format, version, identity of the strategy, bins, hands learned from, files, crc32
    folder/values.npy       float32, round by round [states, contexts, seats, bins]
    folder/bins.npy         uint8, round by round [buckets]
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.manifest import check_file
from errai.files.reading import load_array, read_manifest, require_finite, understood, whole
from errai.files.seal import sealed
from errai.files.writing import replacing_folder, surviving, write_array, write_json
from errai.games.lookup import BettingTree
from errai.strategy.limit import LimitStrategy

VALUES = "values"  # folder, within that of the strategy
MANIFEST = "values.json"
MOST_BINS = 255
_KIND, _VERSION = "value function", 1
_ARRAYS = {"values.npy": np.float32, "bins.npy": np.uint8}


@dataclass(frozen=True, eq=False)
class ValueFunction:
    """Values by round, state, context, seat and bin, one round after the other."""

    bins: int
    value: NDArray[np.float32]
    bin_of: NDArray[np.uint8]  # bucket -> bin
    first: NDArray[np.int64]  # [L] where the values of a round begin
    first_bin: NDArray[np.int64]  # [L] where its buckets begin
    contexts: tuple[int, ...]
    hands: int  # that it was learned from

    def of(self, round_: int, state: int, context: int, seat: int) -> NDArray[np.float32]:
        """[buckets] chips that a hand of a seat wins from a state on."""
        at = int(self.first[round_]) + ((state * self.contexts[round_] + context) * 2 + seat) * self.bins
        ends = [*self.first_bin.tolist(), len(self.bin_of)]
        return self.value[at : at + self.bins][self.bin_of[ends[round_] : ends[round_ + 1]]]


def places(tree: BettingTree, bins: int) -> tuple[NDArray[np.int64], int]:
    """(where the values of each round begin, how many there are)."""
    sizes = [
        (len(template.nodes) + len(template.leaves)) * K * 2 * bins
        for template, K in zip(tree.templates, tree.contexts, strict=True)
    ]
    ends = np.cumsum([0, *sizes])
    return ends[:-1].astype(np.int64), int(ends[-1])


def value_function(
    tree: BettingTree,
    counts: Sequence[int],
    bins: int,
    value: NDArray[np.float32],
    bin_of: NDArray[np.uint8],
    hands: int,
) -> ValueFunction:
    """Of arrays of the right sizes, for a game with so many buckets in each round."""
    first, numbers = places(tree, bins)
    starts = np.cumsum([0, *counts]).astype(np.int64)
    if value.shape != (numbers,) or bin_of.shape != (int(starts[-1]),) or int(bin_of.max(initial=0)) >= bins:
        raise ErraiError("the values are not those of this game and its buckets")
    return ValueFunction(bins, value, bin_of, first, starts[:-1], tuple(tree.contexts), hands)


def save_values(folder: Path, values: ValueFunction, strategy: LimitStrategy) -> None:
    """Write the values of a saved strategy into a folder of their own, in place of any that were there."""
    with replacing_folder(folder) as new:
        arrays: dict[str, NDArray[Any]] = {"values.npy": values.value, "bins.npy": values.bin_of}
        files = {name: write_array(new / name, array) for name, array in arrays.items()}
        head = {"format": f"errai {_KIND}", "version": _VERSION, "identity": identity(strategy)}
        about = {"bins": values.bins, "hands": values.hands, "sizes": [len(a) for a in arrays.values()]}
        write_json(new / MANIFEST, sealed({**head, **about, "files": files}))


def load_values(folder: Path, strategy: LimitStrategy, counts: Sequence[int]) -> ValueFunction:
    """The values of a saved strategy; those that are damaged or of another strategy are refused."""
    here = surviving(folder)
    content, arrays = _read(here)
    if content.get("identity") != identity(strategy):
        raise ErraiError(f"{folder} holds the values of another strategy; they must be learned again")
    with understood(here / MANIFEST):
        bins, hands = whole(content["bins"], 1, MOST_BINS), whole(content["hands"], 1)
        require_finite(here / "values.npy", arrays["values.npy"])
        value, bin_of = arrays["values.npy"], arrays["bins.npy"]
        return value_function(strategy.tree, counts, bins, value, bin_of, hands)


def check_values(folder: Path) -> bool:
    """Read the values in a folder, if there are any; damage is an ErraiError."""
    here = surviving(folder)
    if not here.is_dir():
        return False
    content = read_manifest(here / MANIFEST, _KIND, _VERSION)
    with understood(here / MANIFEST):
        for name in _ARRAYS:
            check_file(here / name, whole(content["files"][name]))
    return True


def identity(strategy: LimitStrategy) -> int:
    """What tells a saved strategy from any other: a checksum of its files and of the buckets that they are for."""
    if strategy.saved is None:
        raise ErraiError("values are kept of saved strategies; save this one first")
    content = strategy.saved.content
    known = {key: content.get(key) for key in ("kind", "game", "files", "abstraction")}
    return zlib.crc32(json.dumps(known, sort_keys=True).encode())


def _read(here: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    content = read_manifest(here / MANIFEST, _KIND, _VERSION)
    with understood(here / MANIFEST):
        arrays = {
            name: load_array(here / name, np.dtype(dtype), (whole(size),), whole(content["files"][name]))
            for (name, dtype), size in zip(_ARRAYS.items(), content["sizes"], strict=True)
        }
    return content, arrays
