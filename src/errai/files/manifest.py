"""The manifest of a saved strategy: what kind it is, which files belong to it, and checksums of all of them.

    folder/strategy.json
        format, version     "errai strategy", 3
        kind                "exact", "buckets", "sequence", ...: who can open it (errai.strategy.kinds)
        files               name -> crc32: of the numbers of an .npy file, of the index of a .blocks file (which has
                            the checksums of the blocks), of all bytes of any other file
        beside              name -> crc32 of all bytes: tables and pictures that were saved along with it, for people
        ...                 what the kind needs to know
        crc32               of the manifest itself, without this line

Solvers write their own folders (errai.sequence, errai.jamfold, errai.strategy) and all of them end with this file, so
whatever Errai saved is opened by one function, and damage is found in any of it. To replace it is to replace all that
it names (errai.files.pending):

    with saving(folder) as new:
        new.array("strategy.npy", weights)
        with new.beside("result.json") as path:
            write_json(path, result)
        new.commit("exact", precision="float32")
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.blocks import BlockFile, stream_blocks
from errai.files.pending import located, pending_files, pending_path
from errai.files.reading import compare, npy_header, open_file, read_manifest, reading
from errai.files.seal import sealed
from errai.files.writing import (
    explained,
    folder_to_disk,
    make_folder,
    replacing_file,
    temporary,
    to_disk,
    write_array,
    write_json,
)

MANIFEST = "strategy.json"
FORMAT, VERSION = "errai strategy", 3

_KIND = "strategy"
_PIECE = 1 << 24  # bytes read at a time

Files = Mapping[str, int]  # name -> CRC-32


class LeftOutError(ErraiError):
    """All was saved but for what accompanies a strategy: a table, a picture."""


class Saving:
    """A strategy on its way into a folder; `saving` makes one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._new: dict[str, Path] = {}  # name -> where it is being written
        self._files: dict[str, int] = {}
        self._beside: dict[str, int] = {}
        self._left_out: dict[str, ErraiError] = {}

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A path to write a file of the strategy to."""
        path = self._path(name)
        with explained(self.folder / name):
            yield path
            self._files[name] = file_checksum(path)

    def array(self, name: str, numbers: NDArray[Any]) -> None:
        """An .npy file of the strategy."""
        path = self._path(name)
        with explained(self.folder / name):
            self._files[name] = write_array(path, numbers)

    def blocks(self, name: str, blocks: Iterable[NDArray[Any]]) -> int:
        """A file of blocks of the strategy; returns its size."""
        path = self._path(name)
        with explained(self.folder / name):
            self._files[name] = stream_blocks(path, blocks)
            return path.stat().st_size

    @contextmanager
    def beside(self, name: str) -> Iterator[Path]:
        """A path to write to what accompanies the strategy. If that fails, the strategy is saved without it."""
        path = self._path(name)
        try:
            with explained(self.folder / name):
                yield path
                self._beside[name] = file_checksum(path)
        except ErraiError as error:
            self._left_out[name] = error
            path.unlink(missing_ok=True)
            del self._new[name]

    def commit(self, kind: str, **content: Any) -> None:
        """Put everything in its place, and remove what the strategy before had and this one has not.

        What could not be written beside it is a LeftOutError, after all the rest is there.
        """
        head = {"format": FORMAT, "version": VERSION, "kind": kind}
        whole = sealed({**head, **content, "files": self._files, "beside": self._beside})
        before = names_in(self.folder)
        with explained(self.folder / MANIFEST):
            waiting = {}
            for name, checksum in {**self._files, **self._beside}.items():
                to_disk(self._new[name])
                waiting[name] = pending_path(self.folder, name, checksum)
                os.replace(self._new.pop(name), waiting[name])
                self._new[name] = waiting[name]
            folder_to_disk(self.folder)
        _replace(self.folder, whole)
        self._new.clear()
        with suppress(OSError):  # it is done; the rest is tidying
            folder_to_disk(self.folder)
        for name in before - set(waiting):
            with suppress(OSError):
                (self.folder / name).unlink(missing_ok=True)
        for name, path in waiting.items():
            with suppress(OSError):  # it stays where readers find it, and the next writer tries again
                os.replace(path, self.folder / name)
        if self._left_out:
            raise LeftOutError(
                f"saved without {', '.join(self._left_out)}: {next(iter(self._left_out.values()))}"
            )

    def discard(self) -> None:
        """Remove what was written and not committed."""
        for path in self._new.values():
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        self._new[name] = temporary(self.folder / name)
        return self._new[name]


@contextmanager
def saving(folder: Path) -> Iterator[Saving]:
    """A strategy to be saved: write its files, then `commit`.

    Until then, and if anything fails, the folder has what it had (errai.files.pending).
    """
    new = Saving(make_folder(folder))
    try:
        yield new
    finally:
        new.discard()


def settle(folder: Path) -> None:
    """Finish what a killed writer began, or undo it. Only whoever has claimed the folder may do that."""
    waiting = pending_files(folder)
    if not waiting:
        return
    try:
        content = read_strategy_manifest(folder)
        wanted = {**content["files"], **content.get("beside", {})}
    except (ErraiError, KeyError, TypeError):
        wanted = {}
    for path, (name, checksum) in waiting.items():
        with explained(folder / name):
            if wanted.get(name) == checksum:
                os.replace(path, folder / name)
            else:
                path.unlink(missing_ok=True)


def names_in(folder: Path) -> set[str]:
    """The files that the manifest of a folder speaks of; none where it has none that is understood."""
    try:
        content = read_strategy_manifest(folder)
        names = [*content["files"], *content.get("beside", {})]
    except (ErraiError, KeyError, TypeError):
        return set()
    return {name for name in names if isinstance(name, str) and Path(name).name == name}


def named_file(folder: Path, name: str) -> Path | None:
    """Where a file of a folder is, by its name alone; None if there is a manifest that does not speak of it."""
    try:
        checksum = read_strategy_manifest(folder)["files"].get(name)
    except (ErraiError, KeyError, AttributeError):
        return folder / name
    return None if checksum is None else located(folder, name, int(checksum))


def read_strategy_manifest(folder: Path, *older: int) -> dict[str, Any]:
    """The manifest of a folder, undamaged, in this version or one of the `older` ones, which have no checksum."""
    return read_manifest(folder / MANIFEST, _KIND, *older, VERSION, unsealed=older)


def update_manifest(folder: Path, **changes: Any) -> None:
    """Write what became known later, such as an exploitability, into the manifest; the rest stays as it is.

    Only whoever has claimed the folder may do that.
    """
    content = {**read_strategy_manifest(folder, *range(1, VERSION)), **changes}
    _replace(folder, sealed(content) if content["version"] == VERSION else content)


def _replace(folder: Path, content: Mapping[str, Any]) -> None:
    with replacing_file(folder / MANIFEST) as new:
        write_json(new, dict(content))


def file_checksum(path: Path) -> int:
    """The CRC-32 of all bytes of a file."""
    with reading(path), open_file(path) as file:
        return _rest(file)


def check_file(path: Path, checksum: int) -> None:
    """Read a whole file and compare; damage is an ErraiError."""
    if path.suffix == ".blocks":
        blocks = BlockFile(path)
        for block in range(len(blocks)):
            blocks.check(block)
        compare(path, blocks.checksum, checksum)
        return
    with reading(path), open_file(path) as file:
        check_open_file(path, file, checksum)


def check_open_file(path: Path, file: BinaryIO, checksum: int) -> None:
    """The same for a file that is open, and may no longer be at its path. Files of blocks keep themselves open."""
    with reading(path):
        file.seek(0)
        if path.suffix == ".npy":
            npy_header(path, file)
        compare(path, _rest(file), checksum)


def _rest(file: BinaryIO) -> int:
    """The CRC-32 of what is left to read."""
    found = 0
    while piece := file.read(_PIECE):
        found = zlib.crc32(piece, found)
    return found
