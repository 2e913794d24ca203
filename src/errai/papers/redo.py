"""How a paper is redone: where the work is, how much of it, and what is kept between two runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errai.errors import StoppedError
from errai.files.reading import read_manifest
from errai.files.seal import sealed
from errai.files.writing import write_json
from errai.runs.monitor import SILENT, Monitor

KIND, VERSION = "figures of a paper", 1
FOUND = "found.json"  # in the folder of the work


@dataclass(frozen=True)
class Redo:
    """One run of `errai papers NAME`."""

    name: str
    work: Path  # where strategies, tables and figures that took long are kept
    pages: Path  # where the page and its pictures go
    full: bool = False
    threads: int = 1
    seed: int = 0
    monitor: Monitor = SILENT

    def step(self, what: str) -> None:
        """Say what comes next; a run that is to stop ends here, with all that was found before kept."""
        if self.monitor.should_stop():
            raise StoppedError(f"stopped before {what}; the same command resumes")
        self.monitor.step(what)


class Known:
    """Figures by name in a file of a folder, each found once: what is stopped is resumed where it was."""

    def __init__(self, work: Path) -> None:
        self._path = path = work / FOUND
        self._found: dict[str, Any] = {}
        if path.is_file():
            self._found = dict(read_manifest(path, KIND, VERSION)["found"])

    def find(self, name: dict[str, Any], find: Callable[[], Any]) -> Any:
        """What has this name, as JSON has it; found now, if it is not known."""
        key = _key(name)
        if key not in self._found:
            self._found[key] = find()
            write_json(
                self._path, sealed({"format": f"errai {KIND}", "version": VERSION, "found": self._found})
            )
        return self._found[key]

    def forget(self, name: dict[str, Any]) -> None:
        """What has this name is to be found anew."""
        self._found.pop(_key(name), None)


def _key(name: dict[str, Any]) -> str:
    return json.dumps(name, sort_keys=True)
