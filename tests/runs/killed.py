"""A long run that is killed in the middle, without a word: `python -m tests.runs.killed KIND FOLDER REPORTS`."""

import os
import signal
import sys
from pathlib import Path

import errai
from errai.runs import schedule
from errai.runs.monitor import Progress

PRESET = "lossless/lossless/ehs2:40/ehs2:40"
ITERATIONS, SAMPLES = 60, 120


class Killer(errai.Monitor):
    """Kills its own process at a report."""

    def __init__(self, reports: int) -> None:
        self.left = reports

    def report(self, progress: Progress) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def begin(kind: str, folder: Path, out: Path, monitor: errai.Monitor) -> object:
    """A run from its beginning; `folder` has the game, the buckets and the strategy that others have made."""
    game, buckets = folder / "ten.game", folder / "buckets"
    if kind == "solve":
        limits = {"iterations": ITERATIONS, "checkpoint_every": 0.0}
        return errai.solve("leduc", threads=1, out=out, monitor=monitor, **limits)
    if kind == "abstract":
        return errai.abstract(PRESET, out, game=game, threads=1, monitor=monitor)
    if kind == "train":
        limits = {"samples": SAMPLES, "checkpoint_every": 0.0}
        return errai.train(game, buckets, out, threads=1, monitor=monitor, **limits)
    return errai.exploit(folder / "blueprint", threads=1, work=out, monitor=monitor)


if __name__ == "__main__":
    schedule.SHARE = 0.0  # every step is saved
    kind, folder, out, reports = sys.argv[1:]
    begin(kind, Path(folder), Path(out), Killer(int(reports)))
