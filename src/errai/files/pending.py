"""Several files that take their places together, and readers that see the old ones or the new ones.

A file system renames one file at a time. So a manifest decides: it names every file of its folder with a checksum,
and to replace the manifest, one rename, is to replace all of them.

    1   every new file is written as  .pending.1f0c93d2.strategy.npy  , with its checksum, and is on the disk
    2   the manifest is replaced
    3   every pending file is renamed to its plain name

A reader who wants the file with a checksum takes the pending one if it is there, else the plain one (`located`).
Between 1 and 2 the manifest asks for the old files, which are at their plain names; between 2 and 3 for the new ones,
wherever they are. A writer who was killed in between leaves it so, and the next one finishes it
(errai.files.manifest.settle). A reader who was overtaken by a writer, and so may have met files of both, reads again
(`steadily`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from errai.errors import ErraiError
from errai.files.reading import open_file

T = TypeVar("T")

_PENDING = ".pending."
_NAME = re.compile(r"^\.pending\.([0-9a-f]{8})\.(.+)$", re.DOTALL)
_COMPARED = 1 << 20  # bytes of a manifest
_TRIES = 20  # a writer that replaces a folder faster than it is read, so often in a row, does nothing else


def pending_path(folder: Path, name: str, checksum: int) -> Path:
    """Where a file waits for its manifest."""
    return folder / f"{_PENDING}{checksum:08x}.{name}"


def pending_files(folder: Path) -> dict[Path, tuple[str, int]]:
    """Path -> (name, checksum) of all files of a folder that wait."""
    found = {}
    for path in folder.glob(f"{_PENDING}*"):
        if (known := _NAME.match(path.name)) is not None:
            found[path] = (known[2], int(known[1], 16))
    return found


def located(folder: Path, name: str, checksum: int | None) -> Path:
    """Where the file is that a manifest speaks of: it waits, or is at its place."""
    if checksum is not None and 0 <= checksum < 1 << 32:
        waiting = pending_path(folder, name, checksum)
        if waiting.exists():
            return waiting
    return folder / name


def steadily(manifest: Callable[[], Path], read: Callable[[], T]) -> T:
    """What `read` makes of the files that a manifest names, all of one state of the folder.

    If the manifest was replaced meanwhile, it is read again, whatever came out; what fails though nothing has changed
    is an error. `manifest` says where the manifest is, which may change, too.
    """
    for _ in range(_TRIES):
        before = _state(manifest())
        waiting = set(pending_files(manifest().parent))
        try:
            found = read()
        except ErraiError:
            if before == _state(manifest()) and waiting == set(pending_files(manifest().parent)):
                raise
        else:
            if before == _state(manifest()):
                return found
    raise ErraiError(f"{manifest().parent} is being replaced all the time; wait until that has ended")


def _state(manifest: Path) -> tuple[int, int, int, bytes] | None:
    """What changes when a manifest is replaced."""
    try:
        with open_file(manifest) as file:
            about = os.fstat(file.fileno())
            return about.st_ino, about.st_mtime_ns, about.st_size, file.read(_COMPARED)
    except OSError:
        return None
