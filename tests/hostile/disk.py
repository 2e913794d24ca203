"""A full disk: the first write of a command fails, then the second, then the third, until all of them have.

Whatever fails, the command says so in a line and in its exit code, prints what it has found, and leaves in its folder
the old solution or the new one. From a write on the disk is full, or only that one write fails. Disks are made full
by failing what Python asks of the operating system; where a file system may be mounted, there is a really small one,
too.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import errai
from errai.cli.main import run as command
from errai.runs import schedule
from errai.runs.run import Run
from tests.hostile.kills import PRESET, Place
from tests.hostile.row import Row
from tests.hostile.solutions import content_of, pairs

MOST_WRITES = 2000
BUFFER = 8192  # bytes that wait to be written
PAGE = 4096  # bytes of a small file system that are filled or left at a time
STARTED = ("cannot write", "cannot lock", "no room in")  # what a command says that could not even begin


def run(scale: float, seed: int) -> list[Row]:
    """Every write of every command at full scale; some of them at a smaller one."""
    every = max(1, round(3 / scale - 2))
    with tempfile.TemporaryDirectory(prefix="errai-disk-") as name:
        place = Place(Path(name))
        rows = [
            failing_writes(which, stays_full, every, seed % every)
            for number, which in enumerate(commands(place))
            for stays_full in (True, False)
            if scale >= 0.5 or stays_full == (number % 2 == 0)
        ]
        if scale >= 1.0:
            rows += [small_disk(which) for which in commands(place)]
    return rows


@dataclass(frozen=True)
class Command:
    """A command that writes into a folder, what was there before, and whether what is there now is in order."""

    name: str
    words: Callable[[Path], Sequence[object]]
    before: Callable[[Path], object]
    look: Callable[[Path], object]
    prints: bool = True  # a result, even if it cannot be saved


def commands(place: Place) -> list[Command]:
    """Whatever takes long or is worth keeping."""
    old = pairs()["sequence"][0]

    def trained(folder: Path) -> None:
        shutil.copytree(place.blueprint, folder, dirs_exist_ok=True)
        (folder.parent / place.buckets.name).symlink_to(place.buckets)  # where it looks for them

    over = ["--overwrite", "--quiet"]
    train = ["--abstraction", place.buckets, "--samples", 12, "--threads", 1]
    return [
        Command(
            "solve", lambda out: ["solve", "kuhn", "--iterations", 5, "--out", out, *over], old, content_of
        ),
        Command(
            "solve, exactly",
            lambda out: ["solve", "kuhn", "--method", "exact", "--out", out, *over],
            pairs()["exact"][0],
            content_of,
        ),
        Command("train", lambda out: ["train", place.game, *train, "--out", out, *over], trained, _opened),
        Command("jamfold", lambda out: ["jamfold", "--stack", 9, "--out", out, *over], old, content_of),
        Command(
            "tournament",
            lambda out: [
                "tournament",
                *("--chips", 400, "--sb", 50, "--bb", 100, "--step", 50),
                "--out",
                out,
                *over,
            ],
            old,
            content_of,
        ),
        Command(
            "exploit", lambda out: ["exploit", out, "--flops", 4, "--threads", 1, "--quiet"], trained, _opened
        ),
        Command(
            "abstract",
            lambda out: ["abstract", PRESET, "--game", place.game, "--out", out, "--threads", 1, "--quiet"],
            lambda out: None,
            lambda out: None,
            prints=False,
        ),
    ]


def _opened(folder: Path) -> object:
    """What the manifest of a strategy on buckets says, all of its files read."""
    opened = errai.load(folder)
    opened.check()
    assert opened.saved is not None
    return {
        key: value for key, value in opened.saved.content.items() if key not in ("exploitability", "crc32")
    }


def failing_writes(which: Command, stays_full: bool, every: int = 1, first: int = 0) -> Row:
    """Let the first write fail, the second, and so on, or `every` so many."""
    outcome: Counter[str] = Counter()
    failures: list[str] = []
    times = 0
    for number in range(1 + first, MOST_WRITES, every):
        with tempfile.TemporaryDirectory(prefix="errai-disk-") as name:
            out = Path(name, "out")
            which.before(out)
            known = which.look(out)
            disk = FullDisk(Path(name), number, stays_full)
            with disk.full(), always_due():
                ended = _called(which.words(out))
            times += 1
            where = f"{which.name}: write {number} fails{' and all after it' if stays_full else ''}"
            failures += [f"{where}: {wrong}" for wrong in judged(which, ended, out, known, disk.failed)]
            outcome[_outcome(which, ended, out, known)] += 1
            if not disk.failed:
                break
    else:
        failures.append(f"{which.name}: there was no end of writes")
    what = "the disk is full from" if stays_full else "one write fails:"
    return Row(f"{which.name}: {what} the first write, the second, ...", times, dict(outcome), failures)


def small_disk(which: Command) -> Row:
    """Run on a real file system with so many pages left, from none on, until all fits."""
    outcome: Counter[str] = Counter()
    failures: list[str] = []
    times, left = 0, 0
    what = f"{which.name}: on a small disk with more and more room"
    while True:
        with tempfile.TemporaryDirectory(prefix="errai-disk-") as name:
            if not _mounted(Path(name)):
                return Row(f"{what} (none could be mounted)", 0, {}, [])
            try:
                out = Path(name, "out")
                which.before(out)
                known = which.look(out)
                _fill(Path(name, "filler"), left * PAGE)
                with always_due(), unforeseen():
                    ended = _called(which.words(out))
                Path(name, "filler").unlink()
                times += 1
                failed = ended.code != 0
                where = f"{which.name}: {left} pages left"
                failures += [f"{where}: {wrong}" for wrong in judged(which, ended, out, known, failed)]
                outcome[_outcome(which, ended, out, known)] += 1
            finally:
                subprocess.run(["umount", "-l", name], check=False, capture_output=True)
        if not failed or left > 4096:
            return Row(what, times, dict(outcome), failures)
        left += max(1, left // 6)


def _mounted(folder: Path) -> bool:
    words = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    return shutil.which("mount") is not None and subprocess.run(words, capture_output=True).returncode == 0


def _fill(path: Path, left: int) -> None:
    """Leave so many bytes of a file system."""
    with path.open("wb", buffering=0) as file:
        free = shutil.disk_usage(path.parent).free - left
        with suppress(OSError):
            for start in range(0, free, 1 << 16):
                file.write(bytes(min(1 << 16, free - start)))


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def _called(words: Sequence[object]) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = command([str(word) for word in words])
        except BaseException as error:  # which must not be
            return Ended(-1, out.getvalue(), f"{err.getvalue()}\n{type(error).__name__}: {error}")
    return Ended(code, out.getvalue(), err.getvalue())


def judged(which: Command, ended: Ended, out: Path, known: object, failed: bool) -> Iterator[str]:
    """What must not be."""
    if ended.code not in (0, 2):
        yield f"it ended with {ended.code}: {ended.err.strip().splitlines()[-1]}"
    if "Traceback" in ended.err:
        yield "a traceback"
    if ended.code == 2 and "errai:" not in ended.err:
        yield "no line says why"
    began = (
        not any(words in ended.err.strip().splitlines()[-1:][0] for words in STARTED) if ended.err else True
    )
    if which.prints and began and not ended.out.strip():
        yield f"no result was printed: {ended.err.strip()}"
    if not failed and ended.code != 0:
        yield f"nothing failed and it ended with {ended.code}: {ended.err.strip()}"
    for moment in ("", "after the next writer has come, "):
        if moment and out.is_dir():
            with Run(out, resume=True):
                pass
        try:
            found = which.look(out)
        except errai.ErraiError as error:
            yield f"{moment}neither the old nor the new can be read: {error}"
            return
        if ended.code == 0 and which.name != "exploit" and which.prints and found == known:
            yield f"{moment}it ended well and the old solution is there"
    if not which.prints:
        again = _called(which.words(out))
        if again.code != 0:
            yield f"with room it cannot be resumed: {again.err.strip()}"


def _outcome(which: Command, ended: Ended, out: Path, known: object) -> str:
    if ended.code == 0:
        return "all saved"
    if not which.prints:
        return "said so, and was resumed"
    printed = "printed" if ended.out.strip() else "refused"
    with suppress(errai.ErraiError):
        return f"{printed}; the {'old' if which.look(out) == known else 'new'} one is there"
    return printed


class FullDisk:
    """The n-th write below a folder fails, and if it stays full all after it."""

    def __init__(self, folder: Path, fails_at: int, stays_full: bool) -> None:
        self._folder, self._fails_at, self._stays_full = str(folder), fails_at, stays_full
        self.writes = 0

    @property
    def failed(self) -> bool:
        return self.writes >= self._fails_at

    def step(self) -> None:
        """A write, or what needs room on the disk like one."""
        self.writes += 1
        if self.writes == self._fails_at or (self._stays_full and self.failed):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def concerns(self, path: Any) -> bool:
        return isinstance(path, str | os.PathLike) and str(path).startswith(self._folder)

    @contextmanager
    def full(self) -> Iterator[None]:
        """While it is entered."""
        plain_open, fsync = io.open, os.fsync

        def opened(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
            if not (self.concerns(file) and set(mode) & set("wax+")):
                return plain_open(file, mode, *arguments, **options)
            if "r" not in mode:
                self.step()
            return _File(plain_open(file, mode, *arguments, **options), self)

        def synced(number: int) -> None:
            self.step()
            fsync(number)

        def stepping(action: Callable[..., Any]) -> Callable[..., Any]:
            def taken(path: Any, *arguments: Any, **options: Any) -> Any:
                if self.concerns(path):
                    self.step()
                return action(path, *arguments, **options)

            return taken

        steps = {name: stepping(getattr(os, name)) for name in ("replace", "rename", "mkdir")}
        with (
            mock.patch.object(builtins, "open", opened),
            mock.patch.object(io, "open", opened),
            mock.patch.multiple(os, fsync=synced, **steps),
        ):
            yield


class _File:
    """A file whose writes may fail."""

    def __init__(self, file: Any, disk: FullDisk) -> None:
        self._file, self._disk = file, disk
        self._buffered = 0

    def write(self, content: Any) -> Any:
        self._buffered += len(content)
        if self._buffered >= BUFFER:
            self._buffered = 0
            self._disk.step()
        return self._file.write(content)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
        if error[0] is None and self._buffered:
            self._disk.step()  # what was buffered is written at last

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def unforeseen() -> Iterator[None]:
    """What a disk seems to have left is much, when a run begins."""
    much = shutil.disk_usage(".")._replace(free=1 << 50)
    with mock.patch.object(shutil, "disk_usage", return_value=much):
        yield


@contextmanager
def always_due() -> Iterator[None]:
    """A checkpoint at every opportunity."""
    with mock.patch.object(schedule.Schedule, "due", property(lambda self: True)):
        yield
