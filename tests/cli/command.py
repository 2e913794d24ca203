"""Runs the `errai` command as a user does, inside this process or as one of its own."""

import subprocess
import sys
from typing import NamedTuple

import pytest

from errai.cli.main import run

RIVER = ["endgame", "--board", "Ks7h2d 5c 9h", "--betting", "rc/rc/rc"]


class Finished(NamedTuple):
    code: int
    out: str
    err: str


def errai(capsys: pytest.CaptureFixture[str], *arguments: object) -> Finished:
    """The command's exit code and what it wrote."""
    capsys.readouterr()
    code = run([str(argument) for argument in arguments])
    written = capsys.readouterr()
    return Finished(code, written.out, written.err)


def process(*arguments: object, **options: object) -> subprocess.Popen:
    """The command as a process with text pipes."""
    return subprocess.Popen(
        [sys.executable, "-m", "errai", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
