"""One writer in a folder at a time.

A claim is an exclusive lock (flock) on the file `.lock` of the folder. The operating system drops it when its process
ends, however it ends; a file that a killed process left behind locks nothing.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from errai.errors import ErraiError
from errai.files.writing import explained

try:
    import fcntl
except ImportError:  # Windows has no flock; there nobody is kept out
    fcntl = None  # type: ignore[assignment]

NAME = ".lock"
_HELD = (errno.EACCES, errno.EAGAIN)
_NO_LOCKS = (
    errno.ENOLCK,
    errno.ENOSYS,
    errno.EOPNOTSUPP,
)  # of a file system that has none: nobody is kept out


class Claim:
    """The lock of a folder, until it is released."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._file = -1
        while not self._locked(folder):
            pass

    def release(self) -> None:
        """Let others write."""
        if self._file >= 0:
            self._path.unlink(
                missing_ok=True
            )  # while it is locked: whoever opened it meanwhile will see that
            os.close(self._file)
            self._file = -1

    def _locked(self, folder: Path) -> bool:
        """Lock the file; False if it was removed in between, by the one who had locked it."""
        with explained(folder):
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(file)
            if not _is_at(self._path, file):
                os.close(file)
                return False
            os.ftruncate(file, 0)
            os.write(file, str(os.getpid()).encode())
        except OSError as error:
            holder = os.pread(file, 20, 0).decode("ascii", "replace").strip()
            os.close(file)
            if error.errno not in _HELD:
                raise ErraiError(f"cannot lock {folder}: {(error.strerror or str(error)).lower()}") from error
            who = f"process {holder}" if holder.isdecimal() else "another process"
            raise ErraiError(
                f"{folder} is in use by {who}; wait until that has ended, or choose another folder"
            ) from None
        self._file = file
        return True


def _lock(file: int) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file))
    except FileNotFoundError:
        return False
