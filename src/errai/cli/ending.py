"""How a command ends whose run was stopped or could not be saved: a line on standard error, and an exit code."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import typer

INTERRUPTED, NOT_SAVED = 130, 2


def leave(command: str, finished: bool, saved: bool, folder: Path | None) -> None:
    """Leave with an exit code unless all went well: the run is `finished`, and `saved` if it was to be."""
    if not finished:
        if folder is None:
            print("errai: stopped; nothing was saved", file=sys.stderr)
        else:
            words = shlex.join(["errai", command, "--resume", str(folder)])
            print(f"stopped; a checkpoint is in {folder}. To resume:\n  {words}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if not saved:
        raise typer.Exit(NOT_SAVED)  # a warning has said why
