"""The manifest of a saved strategy: what kind it is, which files belong to it, and checksums of all of them.

    folder/strategy.json
        format, version     "errai strategy", 3
        kind                "exact", "buckets", "sequence", ...: who can open it (errai.strategy.kinds)
        files               name -> crc32: of the numbers of an .npy file, of the index of a .blocks file (which has
                            the checksums of the blocks), of all bytes of any other file
        ...                 what the kind needs to know
        crc32               of the manifest itself, without this line

Solvers write their own folders (errai.sequence, errai.jamfold, errai.strategy) and all of them end with this file, so
whatever Errai saved is opened by one function, and damage is found in any of it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from errai.files.blocks import BlockFile
from errai.files.reading import npy_checksum, read_manifest, reading, require_checksum
from errai.files.seal import sealed
from errai.files.writing import replacing_file, write_json

MANIFEST = "strategy.json"
FORMAT, VERSION = "errai strategy", 3

_KIND = "strategy"
_PIECE = 1 << 24  # bytes read at a time

Files = Mapping[str, int]  # name -> CRC-32


@contextmanager
def replacing_manifest(folder: Path) -> Iterator[Callable[..., None]]:
    """A function that writes the manifest, which takes its place at the end of the `with`.

    Enter it before the files that it names: then it takes its place last, when all of them are there.
    """
    with replacing_file(folder / MANIFEST) as new:

        def write(kind: str, files: Files, **content: Any) -> None:
            head = {"format": FORMAT, "version": VERSION, "kind": kind}
            write_json(new, sealed({**head, **content, "files": dict(files)}))

        yield write


def read_strategy_manifest(folder: Path, *older: int) -> dict[str, Any]:
    """The manifest of a folder, undamaged, in this version or one of the `older` ones, which have no checksum."""
    return read_manifest(folder / MANIFEST, _KIND, *older, VERSION, unsealed=older)


def update_manifest(folder: Path, **changes: Any) -> None:
    """Write what became known later, such as an exploitability, into the manifest; the rest stays as it is."""
    content = {**read_strategy_manifest(folder, *range(1, VERSION)), **changes}
    with replacing_file(folder / MANIFEST) as new:
        write_json(new, sealed(content) if content["version"] == VERSION else content)


def file_checksum(path: Path) -> int:
    """The CRC-32 of all bytes of a file."""
    with reading(path), path.open("rb") as file:
        found = 0
        while piece := file.read(_PIECE):
            found = zlib.crc32(piece, found)
        return found


def check_file(path: Path, checksum: int) -> None:
    """Read a whole file and compare; damage is an ErraiError."""
    if path.suffix == ".blocks":
        blocks = BlockFile(path)
        found = blocks.checksum
        for block in range(len(blocks)):
            blocks.check(block)
    elif path.suffix == ".npy":
        found = npy_checksum(path)
    else:
        found = file_checksum(path)
    require_checksum(path, found, checksum)
