"""Compiled kernels kept on the disk, for every kind of CPU and every state of the sources in a folder of its own.

Numba's own cache knows a kernel by its file: it does not see that a kernel which is called from another file has
changed, and it lists what was compiled in one index that every process rewrites. Two kinds of machines that share a
folder can then undo each other's entries, or load code for the other's CPU and crash. Here nothing is shared:

    kernels/znver4-1f0c52/errai.engine.kernels-7a31bd9c20e4/passes.run-9d1c0b72f6aa.nbc
            CPU and its   package and a hash of its sources and kernel and a hash of
            features      of those that its kernels call    the types of its arguments

A file is written under another name and then renamed, so a process finds all of it or nothing; it begins with its own
SHA-256, so that damaged code is never run. Folders of old sources are removed after a while. The place is
NUMBA_CACHE_DIR if that is set, else `__pycache__` of the package, else, where that cannot be written, the user's
folder for caches. Where nothing can be, kernels are compiled at every start.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import secrets
import shutil
import sys
import time
import uuid
from functools import lru_cache
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

from errai.kernels.compiling import watch

KEPT = 4  # folders of other sources of a package that stay, the last used first
_DIGEST = hashlib.sha256().digest_size
_DAY = 86_400.0  # what was used within a day stays too: a process may be at it
_HOUSE = Path(__file__).parents[1]
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # of a function among the arguments: another one in every process
_digests: dict[Path, str] = {}


def discard_stale(package: Path, *others: Path) -> None:
    """Use compiled kernels of a package only as long as its sources, and those of others it calls, are the same."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {sys.version}".encode())
    digest.update(Path(__file__).read_bytes())
    for folder in (package, *others):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.read_bytes())
    _digests[package] = digest.hexdigest()[:12]


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel, as a Numba dispatcher uses it."""

    def __init__(self, kernel: FunctionType) -> None:
        self._name = repr(kernel)
        self._py_func = kernel
        self._source = Path(kernel.__code__.co_filename)
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(_place())

    def flush(self) -> None:
        """Nothing of what is kept can be out of date."""

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        path = self._path(sig, target_context.codegen()) if self._enabled else None
        # Whatever is wrong with a file, its kernel is compiled anew.
        with contextlib.suppress(Exception):
            content = None if path is None else path.read_bytes()
            if content is not None and content[:_DIGEST] == _digest(content[_DIGEST:]):
                known, reduced = pickle.loads(content[_DIGEST:])
                if known == sig:
                    return CompileResult._rebuild(target_context, *reduced)
        return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        path = self._path(sig, data.codegen) if self._enabled else None
        if path is None or data.lifted or data.library.has_dynamic_globals:
            return
        new = path.with_name(f".{uuid.uuid4().hex}.new")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                content = dumps((sig, data._reduce()))
                new.write_bytes(_digest(content) + content)
                new.replace(path)
            finally:
                new.unlink(missing_ok=True)

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        package = self._source.parent
        if package not in _digests:
            discard_stale(package)
        folder = _folder(package, _digests[package], codegen.magic_tuple())
        if folder is None:
            return None
        types = _ADDRESS.sub("", str(sig))
        key = (types, self._py_func.__code__.co_firstlineno, *self._index_key(sig, codegen)[1:])
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        return folder / f"{self._source.stem}.{self._py_func.__qualname__}-{digest}.nbc"


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


@lru_cache
def _place() -> Path | None:
    """The folder for all compiled kernels, if one can be written."""
    places = [_HOUSE / "__pycache__" / "kernels", Path(AppDirs("errai", False).user_cache_dir) / "kernels"]
    if given := config.CACHE_DIR:  # type: ignore[attr-defined]
        places = [Path(given) / "errai" / "kernels"]
    for place in places:
        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            if os.access(place, os.W_OK | os.X_OK):
                return place
    return None


@lru_cache
def _folder(package: Path, digest: str, target: tuple[str, str, str]) -> Path | None:
    """The folder of a package's kernels for one target (triple, CPU, features); asked for once in a process."""
    place = _place()
    if place is None:
        return None
    cpu = place / f"{target[1]}-{hashlib.sha256(repr(target).encode()).hexdigest()[:6]}"
    name = ".".join((_HOUSE.name, *package.relative_to(_HOUSE).parts))
    folder = cpu / f"{name}-{digest}"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    _tidy(cpu, name, folder)
    return folder


def _tidy(cpu: Path, name: str, own: Path) -> None:
    """Remove the folders of a package's other sources, but for those that were used last."""
    found = []
    for other in cpu.glob(f"{name}-*"):
        with contextlib.suppress(OSError):
            if other != own:
                found.append((other.stat().st_mtime, other))
    for used, other in sorted(found, reverse=True)[KEPT:]:
        if used < time.time() - _DAY:
            shutil.rmtree(other, ignore_errors=True)


_numbas_own = Dispatcher.enable_caching


def _enable_caching(dispatcher: Any) -> None:
    """What `cache=True` does: for kernels of this house this cache, for all others Numba's own."""
    kernel = dispatcher.py_func
    if Path(kernel.__code__.co_filename).is_relative_to(_HOUSE):
        dispatcher._cache = KernelCache(kernel)
    else:
        _numbas_own(dispatcher)


# Numba counts the functions that it compiles, from 1 in every process, and makes the count a part of their names
# in compiled code. Kernels of two processes can then hold different functions of one name (parts of array.sort
# and of np.argsort), and a process that loads both calls one for the other: silently wrong, or a crash. Counted from
# a random number, no names are alike.
FunctionIdentity._unique_ids = count(secrets.randbits(62))

watch()
Dispatcher.enable_caching = _enable_caching  # type: ignore[assignment, method-assign]
