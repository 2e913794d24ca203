"""How a command ends whose run was stopped or could not be saved: a line on standard error, and an exit code."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

INTERRUPTED, NOT_SAVED = 130, 2


def leave(
    finished: bool, folder: Path | None, asked: Path | None, resume: Sequence[str], what: str = "a checkpoint"
) -> None:
    """Leave with an exit code unless all went well; `folder` is where the work is, `asked` where it should be."""
    if not finished:
        if folder is None:
            print("errai: stopped; nothing was saved", file=sys.stderr)
        else:
            words = shlex.join(["errai", *resume])
            print(f"stopped; {what} is in {folder}. To resume:\n  {words}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if asked is not None and folder is None:
        raise typer.Exit(NOT_SAVED)  # a warning has said why
