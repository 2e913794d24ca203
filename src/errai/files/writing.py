"""Writing files so that a failure never costs what was there before.

Everything is written under a temporary name of its own in the same parent and renamed when it is complete and on the
disk; on any failure the temporary is removed and the old file or folder stays as it was. Several files that belong
together take their places together, by a manifest (errai.files.manifest). What the operating system complains about
becomes one line that a user can act on.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError

_NEW = (
    ".new."  # a file or folder that is being written, with a number of its own: .new.1f0c93d2.strategy.json
)
_NEW_NAME = re.compile(r"^(\.new\.[0-9a-f]{8}\.)+")
_OLD = ".old."  # a folder on its way out
_PIECE = 1 << 24  # bytes written at a time

_ADVICE = {
    errno.ENOSPC: "free some space or choose another folder",
    errno.EDQUOT: "free some space or choose another folder",
    errno.EACCES: "choose a place that you may write to",
    errno.EPERM: "choose a place that you may write to",
    errno.EROFS: "choose a place that you may write to",
    errno.ENOTDIR: "a part of this path is a file; choose a path of folders",
    errno.EEXIST: "there is a file of this name; choose another name",
    errno.EISDIR: "there is a folder of this name; choose another name",
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns what goes wrong while writing `path` into an ErraiError."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error) or type(error).__name__).lower()
        advice = _ADVICE.get(error.errno or 0)
        raise ErraiError(f"cannot write {path}: {reason}{f'; {advice}' if advice else ''}") from error


def make_folder(folder: Path) -> Path:
    """The folder, made with its parents if it is not there, and writeable."""
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
    return folder


def require_room(folder: Path, size: int) -> None:
    """Refuse to begin what the disk of an existing folder cannot hold."""
    with explained(folder):
        free = shutil.disk_usage(folder).free
    if size > free:
        raise ErraiError(
            f"no room in {folder}: {_megabytes(size)} are needed and {_megabytes(free)} are free; "
            "free some space or choose another folder"
        )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


@contextmanager
def replacing_file(path: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` at the end. It keeps the suffix.

    Files that belong together take their places together by errai.files.manifest.saving.
    """
    make_folder(path.parent)
    new = temporary(path)
    try:
        with explained(_final(path)):
            yield new
            to_disk(new)
            os.replace(new, path)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """An empty folder to write into, which takes the place of `folder` at the end."""
    make_folder(folder.parent)
    new, old = temporary(folder), folder.with_name(_OLD + folder.name)
    try:
        with explained(folder):
            if folder.exists() and not folder.is_dir():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))
            new.mkdir()
            yield new
            for written in new.iterdir():
                if written.is_file():
                    to_disk(written)
            folder_to_disk(new)
            if folder.exists():
                # Two renames are not one. If the power fails in between, `surviving` finds the old folder.
                shutil.rmtree(old, ignore_errors=True)
                folder.rename(old)
            new.rename(folder)
            folder_to_disk(folder.parent)
            shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def surviving(folder: Path) -> Path:
    """The folder, or what it was before a replacement that was cut off between its two renames."""
    old = folder.with_name(_OLD + folder.name)
    return old if old.is_dir() and not folder.exists() else folder


def remove_folder(folder: Path) -> None:
    """Remove a folder so that nobody finds a part of it: it goes aside first, in one step."""
    aside = temporary(folder)
    with suppress(OSError):
        folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def settle_folder(folder: Path) -> None:
    """Finish what a killed process left of replacing a folder. Only whoever has claimed its parent may do that."""
    old = folder.with_name(_OLD + folder.name)
    if not old.is_dir():
        return
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
    else:
        with explained(folder):
            old.rename(folder)


def temporary(path: Path) -> Path:
    """A name that nobody else writes to; it keeps the suffix."""
    return path.with_name(f"{_NEW}{secrets.token_hex(4)}.{path.name}")


def _final(path: Path) -> Path:
    """The name that a file will have, for what users read."""
    return Path(*(_NEW_NAME.sub("", part) for part in path.parts))


def to_disk(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def folder_to_disk(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the operating system can do that."""
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # Windows opens no folders
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF):
            raise
    finally:
        os.close(number)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """One JSON object, as people read it."""
    text = json.dumps(content, indent=2, allow_nan=False)
    with explained(_final(path)):
        path.write_text(text + "\n", encoding="utf-8")


def write_array(path: Path, array: NDArray[Any]) -> int:
    """An .npy file; returns the CRC-32 of its numbers."""
    flat = np.ascontiguousarray(array)
    with explained(_final(path)), path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(flat))
        return _write_bytes(file, flat.reshape(-1).view(np.uint8).data)


def _write_bytes(file: BinaryIO, content: memoryview) -> int:
    checksum = 0
    for start in range(0, len(content), _PIECE):
        piece = content[start : start + _PIECE]
        file.write(piece)
        checksum = zlib.crc32(piece, checksum)
    return checksum
