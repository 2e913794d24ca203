"""How exploitable a strategy on buckets is in the real game, exactly: flop by flop.

Every canonical board of the second round is walked, one by one; what is found on each is kept in a folder, so that a
run that was stopped is resumed. A sample of them is walked in the same way, some of its lines not on every board
(errai.measure.estimate).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation
from errai.errors import ErraiError
from errai.files.reading import finite, read_array, read_manifest, understood, whole
from errai.files.seal import sealed
from errai.files.writing import make_folder, replacing_file, write_array, write_json
from errai.formatting import duration, time_left
from errai.measure.response import Response
from errai.runs.monitor import PREPARING, Monitor, Progress

MANIFEST = "response.json"
VERSION = 2  # version 1 has no checksum of itself


@dataclass(frozen=True)
class Exploitability:
    """What was found."""

    evaluation: Evaluation
    exact: bool
    boards: int  # walked
    of: int  # boards in all
    interval_mbb: tuple[float, float] | None  # 95%, of a sample
    lower_mbb: float | None  # of a sample, first-round decisions chosen and counted on different halves
    seconds: float  # of one core, spent on the boards
    core_hours: float  # that all boards take at the rate of those that were walked completely


@dataclass(frozen=True, kw_only=True)
class WalkProgress(Progress):
    """How many boards are done."""

    boards: int
    of: int
    share: float  # of the work
    seconds: float  # since the beginning of this run
    left: float | None

    @property
    def mark(self) -> object:
        return self.boards

    def line(self, waited: float) -> str:
        """12 of 100 boards   11.9%   3:05   about 22:40 left"""
        parts = [f"{self.boards:,} of {self.of:,} boards", f"{100 * self.share:.1f}%"]
        return "   ".join([*parts, duration(self.seconds + waited), *time_left(self.left, waited)])


Wanted = Mapping[int, NDArray[np.bool_]]  # board -> [2 seats, P lines] what is walked there
Found = dict[int, NDArray[np.float64]]  # board -> [2, P, C], not a number where nothing was walked
Spent = dict[int, float]  # board -> seconds of one core


def all_boards(response: Response) -> Wanted:
    """Every board, those that take longest first."""
    everything = np.ones((2, response.layout.lines), np.bool_)
    return {int(board): everything for board in np.argsort(-response.boards.weight, kind="stable")}


def walk(
    response: Response,
    wanted: Wanted,
    folder: Path | None,
    mark: str,
    threads: int,
    monitor: Monitor,
) -> tuple[Found, Spent] | None:
    """What every board gives, from the folder or by walking it, and how long that took; None when stopped.

    `mark` tells one strategy from another.
    """
    monitor.step(PREPARING)
    response.prepare()
    kept = Kept(folder, mark, response)
    found = {board: values for board in wanted if (values := kept.load(board, wanted[board])) is not None}
    todo = [board for board in wanted if board not in found]
    work = {board: float(response.boards.weight[board] * walked.sum()) for board, walked in wanted.items()}
    total = sum(work.values())
    before = sum(work[board] for board in found)
    done, began = before, time.monotonic()

    def one(board: int) -> tuple[int, NDArray[np.float64] | None, float]:
        start = time.thread_time()
        values = response.on_board(board, should_stop=monitor.should_stop, walked=wanted[board])
        return board, values, time.thread_time() - start

    def report() -> None:
        spent = time.monotonic() - began
        left = spent * (total - done) / (done - before) if done > before else None
        monitor.report(
            WalkProgress(boards=len(found), of=len(wanted), share=done / total, seconds=spent, left=left)
        )

    report()
    with ThreadPoolExecutor(threads, "errai") as pool:
        running: set[Future[tuple[int, NDArray[np.float64] | None, float]]] = set()
        queue = iter(todo)
        while True:
            while len(running) < threads and not monitor.should_stop():
                board = next(queue, None)
                if board is None:
                    break
                running.add(pool.submit(one, board))
            if not running:
                break
            finished, running = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for job in finished:
                board, values, seconds = job.result()
                if values is not None:
                    kept.save(board, values, seconds)
                    found[board] = values
                    done += work[board]
            report()
    if len(found) < len(wanted):
        return None
    return found, {board: kept.seconds(board) for board in wanted}


class Kept:
    """Finished boards in a folder, one small file each; or in memory, without a folder."""

    def __init__(self, folder: Path | None, mark: str, response: Response) -> None:
        self._folder = folder
        self._shape = (2, response.layout.lines, response.classes)
        self._times: dict[int, float] = {}
        self._sums: dict[int, int] = {}
        if folder is None:
            return
        path = make_folder(folder) / MANIFEST
        if path.exists():
            content = read_manifest(path, "response", 1, VERSION, unsealed=(1,))
            with understood(path):
                if content["strategy"] != mark:
                    raise ErraiError(
                        f"{folder} holds the best response to another strategy; remove it or name another folder"
                    )
                self._times = {int(board): finite(of[0], 0) for board, of in content["boards"].items()}
                self._sums = {int(board): whole(of[1]) for board, of in content["boards"].items()}
        self._mark = mark

    def load(self, board: int, wanted: NDArray[np.bool_]) -> NDArray[np.float64] | None:
        """What was found on a board, if all that is wanted was walked there."""
        if self._folder is None or board not in self._sums:
            return None
        values = np.empty(self._shape)
        read_array(self._folder / f"{board}.npy", values, self._sums[board])
        return None if np.isnan(values[wanted]).any() else values

    def save(self, board: int, values: NDArray[np.float64], seconds: float) -> None:
        self._times[board] = seconds
        if self._folder is None:
            return
        with replacing_file(self._folder / f"{board}.npy") as new:
            self._sums[board] = write_array(new, values)
        with replacing_file(self._folder / MANIFEST) as new:
            content: dict[str, Any] = {"format": "errai response", "version": VERSION, "strategy": self._mark}
            boards = {str(b): [self._times[b], self._sums[b]] for b in sorted(self._sums)}
            write_json(new, sealed({**content, "boards": boards}))

    def seconds(self, board: int) -> float:
        return self._times.get(board, 0.0)


def exactly(response: Response, found: Found, spent: Spent) -> Exploitability:
    """The best response from all boards."""
    seconds = sum(spent.values())
    # In one order, whichever was walked first: a run that was stopped gives the same number, to the last digit.
    evaluation = response.evaluation(np.sum([found[board] for board in sorted(found)], axis=0))
    of = len(response.boards.cards)
    return Exploitability(evaluation, True, len(found), of, None, None, seconds, seconds / 3600)
