"""What work a folder holds, so that nothing is replaced by accident."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from errai.errors import ErraiError
from errai.files.manifest import settle
from errai.files.writing import remove_folder, settle_folder

CHECKPOINT = "checkpoint"  # folder
# What tells that there is work in a folder.
KINDS = {
    "strategy.json": "a strategy",
    CHECKPOINT: "a checkpoint",
    ".old.checkpoint": "a checkpoint",
    "abstraction.json": "buckets",
    "certificate.json": "a certificate",
    "proof.json": "a proof",
    "result.json": "a result",
    "response.json": "a best response",
}
# All that belongs to such work; anything else in the folder is the user's own.
FILES = (
    *KINDS,
    "strategy.npy", "strategies.npy", "table.json",
    "ranges.npy", "strategy.csv", "*.blocks", "*.order.npy", "convergence.png", "grid.png",
    "abstraction", ".making", "*_boards.npy", "*_cells.npy", "*_centres.npy", "*_refine.npy", "opponent_clusters.npy",
    "last_strengths.npy", "response", "values", "[0-9]*.npy", "bounds.csv", "strategies.csv", "figure-[0-9].*",
    "hand.csv", "hand.png", "chart.csv", "chart.png", ".overwriting",
)  # fmt: skip
OVERWRITING = ".overwriting"  # says that a checkpoint is of a run that will replace all the rest
LEFT_BEHIND = ".new.*"  # by a process that was killed while it wrote


def work_in(folder: Path) -> str | None:
    """What a folder holds, in words; None if nothing would be lost by writing into it."""
    return next((words for name, words in KINDS.items() if (folder / name).exists()), None)


def refuse_work(folder: Path) -> None:
    """Refuse a folder with work in it."""
    if (words := work_in(folder)) is not None:
        resume = "resume it, " if (folder / CHECKPOINT).exists() else ""
        raise ErraiError(
            f"{folder} already holds {words}; {resume}choose another folder, or replace it with overwrite=True"
        )


def remove_work(folder: Path, keep: Collection[str] = ()) -> None:
    """Remove the work of a folder, but for what is to be kept of it, and nothing else."""
    if work_in(folder) is not None:
        _remove(folder, FILES, keep)


def settle_work(folder: Path) -> None:
    """Finish or undo what a killed process has left half written. Only whoever has claimed the folder may do that."""
    settle(folder)
    settle_folder(folder / CHECKPOINT)
    _remove(folder, (LEFT_BEHIND,))


def _remove(folder: Path, patterns: tuple[str, ...], keep: Collection[str] = ()) -> None:
    for pattern in patterns:
        for path in folder.glob(pattern):
            if path.name in keep or path.name.startswith(".") != pattern.startswith("."):
                continue  # what is hidden is meant by its name only: a file that waits for its place is none of these
            if path.is_dir() and not path.is_symlink():
                remove_folder(path)
            else:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
