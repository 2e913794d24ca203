"""How exploitable a strategy on buckets is in the real game, exactly: flop by flop.

Every canonical board of the second round is walked, one by one and line by line; what is found is kept in a folder,
so that a run that was stopped or killed is resumed, even in the middle of a board. A sample of them is walked in the
same way, some of its lines not on every board (errai.measure.estimate).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
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
from errai.runs.monitor import PREPARING, Progress
from errai.runs.run import Run

MANIFEST = "response.json"
PATIENCE = 1.0  # seconds between two looks at the boards that are being walked
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
    saved: bool = True  # all that was to be kept is; not when the disk was full


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
        return self.share

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
    run: Run,
) -> tuple[Found, Spent] | None:
    """What every board gives, from the folder or by walking it, and how long that took; None when stopped.

    `mark` tells one strategy from another. What was found is saved by the schedule of the run, board by board and, of
    those that are being walked, line by line.
    """
    monitor = run.monitor
    monitor.step(PREPARING)
    response.prepare()
    kept = Kept(folder, mark, response)
    run.checkpoint_with(kept.save)
    for board in wanted:
        kept.load(board)
    todo = [board for board in wanted if not kept.complete(board, wanted[board])]
    lines = {board: float(response.boards.weight[board]) for board in wanted}  # the work of a line
    total = sum(lines[board] * int(walked.sum()) for board, walked in wanted.items())
    before, began = _work(kept, wanted, lines), time.monotonic()
    parts = sum(kept.lines(board, wanted[board]) for board in todo)
    if len(todo) < len(wanted) or parts:
        monitor.say(f"resumed: {len(wanted) - len(todo):,} boards and {parts:,} lines of others are known")

    def one(board: int) -> tuple[int, bool, float]:
        start = time.thread_time()
        values = response.on_board(
            board, should_stop=monitor.should_stop, walked=wanted[board], found=kept.values(board)
        )
        return board, values is not None, time.thread_time() - start

    def report() -> None:
        spent, done = time.monotonic() - began, _work(kept, wanted, lines)
        left = spent * (total - done) / (done - before) if done > before else None
        boards = len(wanted) - len(unfinished)
        monitor.report(
            WalkProgress(boards=boards, of=len(wanted), share=done / total, seconds=spent, left=left)
        )

    unfinished = set(todo)
    report()
    with ThreadPoolExecutor(threads, "errai") as pool:
        running: set[Future[tuple[int, bool, float]]] = set()
        queue = iter(todo)
        while True:
            while len(running) < threads and not monitor.should_stop():
                following = next(queue, None)
                if following is None:
                    break
                running.add(pool.submit(one, following))
            if not running:
                break
            finished, running = wait(running, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            for job in finished:
                board, whole, seconds = job.result()
                kept.add_time(board, seconds)
                if whole:
                    unfinished.discard(board)
            report()
            run.checkpoint()
    run.checkpoint(now=True)
    if unfinished:
        return None
    return {board: kept.values(board) for board in wanted}, {board: kept.seconds(board) for board in wanted}


def _work(kept: Kept, wanted: Wanted, lines: Mapping[int, float]) -> float:
    """How much of what is wanted is done."""
    return sum(lines[board] * kept.lines(board, walked) for board, walked in wanted.items())


class Kept:
    """What was found on boards, whole or in part; in a folder one small file each, or in memory only.

    Threads fill in the values of a board line by line; the first number of a line comes last. A file is never written
    twice: when more lines are known it has another name, and the manifest says which.
    """

    def __init__(self, folder: Path | None, mark: str, response: Response) -> None:
        self._folder, self._mark, self._response = folder, mark, response
        self._found: Found = {}
        self._times: dict[int, float] = {}
        self._files: dict[int, tuple[int, int]] = {}  # checksum, and how many lines there are
        self._all = 2 * response.layout.lines
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
                for board, (seconds, checksum, *lines) in content["boards"].items():
                    self._times[int(board)] = finite(seconds, 0)
                    self._files[int(board)] = (
                        whole(checksum),
                        whole(lines[0], 0, self._all) if lines else self._all,
                    )

    def load(self, board: int) -> None:
        """Read what is known of a board."""
        if self._folder is not None and board in self._files:
            checksum, lines = self._files[board]
            values = self._response.nothing()
            read_array(self._folder / self._name(board, lines), values, checksum)
            if lines == int((~np.isnan(values[:, :, 0])).sum()):  # earlier versions did not count them
                self._found[board] = values
            else:
                del self._files[board]

    def values(self, board: int) -> NDArray[np.float64]:
        """[2, P, C] of a board, to be filled."""
        if board not in self._found:
            self._found[board] = self._response.nothing()
        return self._found[board]

    def lines(self, board: int, wanted: NDArray[np.bool_]) -> int:
        """How many of the lines that are wanted are known."""
        if board not in self._found:
            return 0
        return int((~np.isnan(self._found[board][:, :, 0]))[wanted].sum())

    def complete(self, board: int, wanted: NDArray[np.bool_]) -> bool:
        """Whether all of them are."""
        return self.lines(board, wanted) == int(wanted.sum())

    def add_time(self, board: int, seconds: float) -> None:
        """Seconds of one core that were spent on a board."""
        self._times[board] = self.seconds(board) + seconds

    def seconds(self, board: int) -> float:
        return self._times.get(board, 0.0)

    def save(self) -> None:
        """Write the boards on which something new was found, and then the manifest that names them."""
        assert self._folder is not None
        files = dict(self._files)
        for board in list(self._found):
            values = self._found[board].copy()
            values[np.isnan(values[:, :, 0])] = np.nan  # a line that is only being put in
            known = int((~np.isnan(values[:, :, 0])).sum())
            if known > files.get(board, (0, 0))[1]:
                with replacing_file(self._folder / self._name(board, known)) as new:
                    files[board] = write_array(new, values), known
        if files == self._files and (self._folder / MANIFEST).exists():
            return
        with replacing_file(self._folder / MANIFEST) as new:
            content: dict[str, Any] = {"format": "errai response", "version": VERSION, "strategy": self._mark}
            boards = {str(board): [self.seconds(board), *files[board]] for board in sorted(files)}
            write_json(new, sealed({**content, "boards": boards}))
        self._files = files
        named = {self._name(board, lines) for board, (_, lines) in files.items()}
        for path in self._folder.glob("[0-9]*.npy"):
            if path.name not in named:
                with suppress(OSError):
                    path.unlink(missing_ok=True)

    def _name(self, board: int, lines: int) -> str:
        return f"{board}.npy" if lines == self._all else f"{board}.{lines}.npy"


def exactly(response: Response, found: Found, spent: Spent) -> Exploitability:
    """The best response from all boards."""
    seconds = sum(spent.values())
    # In one order, whichever was walked first: a run that was stopped gives the same number, to the last digit.
    evaluation = response.evaluation(np.sum([found[board] for board in sorted(found)], axis=0))
    of = len(response.boards.cards)
    return Exploitability(evaluation, True, len(found), of, None, None, seconds, seconds / 3600)
