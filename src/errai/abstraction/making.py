"""A part of an abstraction in the making, saved as it grows: what was killed in the middle of one loses little of it.

    folder/.making/river_cells.cells.rows     rows of a table, as many as are done, one behind the other
    folder/.making/river_cells.cells.json     how many there are, and the checksum of each stretch
    folder/.making/flop_centres.rounds/       arrays that are saved as a whole: centres and how far they have come

Rows are appended, so a large table costs no more than it is long. It goes by the schedule of the run (errai.runs);
the last good state stays if the disk is full. What is damaged, or of another abstraction, is made again.
"""

from __future__ import annotations

import os
import shutil
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.reading import read_array, read_manifest, understood, whole
from errai.files.seal import sealed
from errai.files.writing import (
    explained,
    make_folder,
    replacing_file,
    replacing_folder,
    settle_folder,
    write_array,
    write_json,
)
from errai.runs.run import Run

FOLDER = ".making"
KIND, VERSION = "part in the making", 1
_STATE = "state.json"

Arrays = dict[str, NDArray[Any]]


class Making:
    """What has been done of one part. `mark` tells abstractions apart."""

    def __init__(self, run: Run, folder: Path, part: str, mark: str) -> None:
        self._run, self._folder, self._part = run, folder / FOLDER, Path(part).stem
        self.head = {"format": f"errai {KIND}", "version": VERSION, "mark": mark}
        self._rows: list[Rows] = []
        self._state: tuple[str, Arrays] | None = None

    def rows(self, what: str, table: NDArray[Any]) -> Rows:
        """A table that is filled row by row from the first on; rows that were saved are there at once."""
        rows = Rows(self._path(what, ".rows"), self._path(what, ".json"), self.head, table)
        self._rows.append(rows)
        return rows

    def state(self, what: str, arrays: Arrays) -> bool:
        """Arrays that are saved as a whole, from now on; filled with what was saved of them, if anything was."""
        self._state = (what, arrays)
        folder = self._path(what)
        with suppress(ErraiError):
            settle_folder(folder)
            content = read_manifest(folder / _STATE, KIND, VERSION)
            with understood(folder / _STATE):
                if content["mark"] != self.head["mark"]:
                    return False
                read = {name: np.empty_like(array) for name, array in arrays.items()}
                for name, array in read.items():
                    read_array(folder / f"{name}.npy", array, whole(content["arrays"][name]))
            for name, array in read.items():
                arrays[name][...] = array
            return True
        return False

    def checkpoint(self) -> None:
        """Save what has been done, if it is time. Call it between two steps."""
        self._run.checkpoint_with(self._save)
        self._run.checkpoint()

    def done(self) -> None:
        """The part is complete and saved."""
        for path in self._folder.glob(f"{self._part}.*"):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
        with suppress(OSError):
            self._folder.rmdir()

    def _save(self) -> None:
        make_folder(self._folder)
        for rows in self._rows:
            rows.save()
        if self._state is not None:
            what, arrays = self._state
            with replacing_folder(self._path(what)) as new:
                checksums = {name: write_array(new / f"{name}.npy", array) for name, array in arrays.items()}
                write_json(new / _STATE, sealed({**self.head, "arrays": checksums}))

    def _path(self, what: str, suffix: str = "") -> Path:
        return self._folder / f"{self._part}.{what}{suffix}"


class Rows:
    """The first rows of a table, `done` so far."""

    def __init__(self, path: Path, manifest: Path, head: dict[str, Any], table: NDArray[Any]) -> None:
        self._path, self._manifest, self._table = path, manifest, table
        self._about = {**head, "dtype": table.dtype.str, "shape": list(table.shape)}
        self._stretches: list[tuple[int, int]] = []  # (row after the last, CRC-32)
        with suppress(ErraiError):
            self._load()
        self.done = self._saved

    def __len__(self) -> int:
        return len(self._table)

    @property
    def _saved(self) -> int:
        return self._stretches[-1][0] if self._stretches else 0

    def save(self) -> None:
        """Append the rows that were done since they were last saved."""
        if self.done == self._saved:
            return
        rows = np.ascontiguousarray(self._table[self._saved : self.done]).reshape(-1).view(np.uint8).data
        with explained(self._path), self._path.open("r+b" if self._path.exists() else "wb") as file:
            file.seek(self._saved * self._row_bytes)
            file.write(rows)
            file.flush()
            os.fsync(file.fileno())
        stretches = [*self._stretches, (self.done, zlib.crc32(rows))]
        with replacing_file(self._manifest) as new:
            write_json(new, sealed({**self._about, "stretches": stretches}))
        self._stretches = stretches

    @property
    def _row_bytes(self) -> int:
        return self._table[:1].nbytes if len(self._table) else 0

    def _load(self) -> None:
        content = read_manifest(self._manifest, KIND, VERSION)
        with understood(self._manifest), explained(self._path):
            if any(content[key] != value for key, value in self._about.items()):
                return
            with self._path.open("rb") as file:
                for stop, checksum in content["stretches"]:
                    first = self._saved
                    if not first < whole(stop) <= len(self._table):
                        return
                    rows = np.empty((stop - first, *self._table.shape[1:]), self._table.dtype)
                    read = file.readinto(rows.reshape(-1).view(np.uint8).data)
                    if read != rows.nbytes or zlib.crc32(rows.reshape(-1).view(np.uint8).data) != checksum:
                        return
                    self._table[first:stop] = rows
                    self._stretches.append((stop, whole(checksum)))
