"""How a solve on a cluster goes, in a file that others may read: scratch/status.json.

It is replaced as a whole every few seconds at most, and it is for people only: nothing is resumed from it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from errai.engine.checkpoint import FOLDER, MANIFEST, VERSION
from errai.errors import ErraiError
from errai.files.reading import finite, read_json, read_manifest, understood, whole
from errai.files.writing import surviving, temporary, write_json

STATUS = "status.json"
EVERY = 2.0  # seconds between two states of the file, at least


class StatusFile:
    """Writes the state of a solve when the last one is old enough. What cannot be written is left out."""

    def __init__(self, folder: Path, every: float = EVERY) -> None:
        self._path, self._every = folder / STATUS, every
        self._latest = -every

    def write(self, content: Callable[[], dict[str, Any]], now: bool = False) -> None:
        """The content is asked for only if it is time, or `now`."""
        if not now and time.monotonic() - self._latest < self._every:
            return
        new = temporary(self._path)
        with suppress(OSError, ErraiError):
            try:
                write_json(new, {"format": "errai status", "updated": time.time(), **content()})
                os.replace(new, self._path)
            finally:
                new.unlink(missing_ok=True)
        self._latest = time.monotonic()


def read_status(folder: Path) -> dict[str, Any]:
    """What a solve in a scratch folder has committed, and what its workers are at.

    `committed` is None before the first pass has ended, `status` where no cluster has worked.
    """
    manifest, path = surviving(folder / FOLDER) / MANIFEST, folder / STATUS
    committed = _committed(manifest) if manifest.is_file() else None
    status = _checked(path) if path.is_file() else None
    if committed is None and status is None:
        state = "it has neither a checkpoint nor a status" if folder.is_dir() else "there is no such folder"
        raise ErraiError(
            f"nothing is solved in {folder}: {state}; give the folder of a solution in subgames", "scratch"
        )
    return {"scratch": str(folder), "committed": committed, "status": status}


def _committed(manifest: Path) -> dict[str, Any]:
    content = read_manifest(manifest, "checkpoint", VERSION)
    if "division" not in content:
        raise ErraiError(f"{manifest.parent} is a checkpoint of a solve without subgames", "scratch")
    with understood(manifest):
        last = content["history"][-1] if content["history"] else None
        return {
            "game": str(content["spot"]["name"]),
            "iteration": whole(content["iteration"]),
            "passes": whole(content["division"]["passes"]),
            "seconds": finite(content["seconds"]),
            "measured": None
            if last is None
            else {
                "iteration": whole(last[0]),
                "seconds": finite(last[1]),
                "exploitability_mbb": finite(last[2]),
            },
        }


def _checked(path: Path) -> dict[str, Any]:
    content = read_json(path, "status")
    with understood(path):
        return {
            "state": str(content["state"]),
            "doing": str(content["doing"]),
            "updated": finite(content["updated"]),
            "pass": whole(content["pass"]),
            "iteration": whole(content["iteration"]),
            "subgames_done": whole(content["subgames_done"]),
            "subgames": whole(content["subgames"]),
            "bytes_read": whole(content["bytes_read"]),
            "bytes_written": whole(content["bytes_written"]),
            "compression": finite(content["compression"]),
            "workers": [
                {
                    "number": whole(worker["number"]),
                    "node": str(worker["node"]),
                    "pid": whole(worker["pid"]),
                    "subgames": whole(worker["subgames"]),
                    "done": whole(worker["done"]),
                    "mean_seconds": finite(worker["mean_seconds"]),
                    "replaced": whole(worker["replaced"]),
                }
                for worker in content["workers"]
            ],
        }
