"""A run: one long piece of work, in a folder of its own or in memory, watched by a monitor.

    with Run(folder, monitor) as run:               claim the folder; refuse other work in it
        solver = ...                                begin or resume
        run.checkpoint_with(lambda: save(solver))
        while working and not run.should_stop():
            ...
            run.report(progress)
            run.checkpoint()                        saves when it is time
        run.checkpoint(now=True)                    saved
        ...                                         before it is measured
        run.save("the strategy", ...)               finished

What cannot be saved costs a warning and never the work: the last good checkpoint stays, and the run goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path

from errai.errors import ErraiError
from errai.files.manifest import MANIFEST, LeftOutError, names_in
from errai.files.writing import make_folder
from errai.runs.claim import Claim
from errai.runs.contents import CHECKPOINT, OVERWRITING, refuse_work, remove_work, settle_work, work_in
from errai.runs.monitor import SILENT, Monitor, Progress
from errai.runs.schedule import EVERY, Schedule

_ASIDE = 1000  # folders for stopped runs, one beside the other


class Run:
    """Work that takes long. Without a folder nothing is saved on the way.

    A folder with work in it is refused, unless the run is to `resume` that work, or to `overwrite` it: then what was
    there goes once what has come out is saved in its place, by this run or one that resumes it. Checkpoints are
    `checkpoint_every` seconds apart or more (see errai.runs.schedule); None is for none on the way.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        monitor: Monitor = SILENT,
        *,
        overwrite: bool = False,
        resume: bool = False,
        checkpoint_every: float | None = EVERY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = None if folder is None else Path(folder)
        self.monitor = monitor
        self._overwrite, self._resume = overwrite and not resume, resume
        self._schedule = Schedule(checkpoint_every, clock)
        self._checkpoint: Callable[[], None] | None = None
        self._claim: Claim | None = None
        self._made = False
        self._no_checkpoint = self._missing = False
        self._new: set[str] = set()  # what this run has saved on the way

    def __enter__(self) -> Run:
        if self.folder is not None and (self.folder.is_dir() or not self._resume):
            self._made = not self.folder.exists()
            self._claim = Claim(make_folder(self.folder))
            try:
                if not (self._resume or self._overwrite):
                    refuse_work(self.folder)
                settle_work(self.folder)
                if self._resume and (self.folder / OVERWRITING).exists():
                    self._overwrite = True
                    self._new.add(CHECKPOINT)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *error: object) -> None:
        if self.folder is None or self._claim is None:
            return
        self._claim.release()
        self._claim = None
        if self._made and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def checkpoint_with(self, save: Callable[[], None]) -> None:
        """How to save what has been done so far, in the middle of the work."""
        self._checkpoint = save

    def checkpoint(self, now: bool = False) -> bool:
        """Save a checkpoint if it is time, or `now`; whether there is one. Call it between two steps."""
        if self.folder is None or self._checkpoint is None or not (now or self._schedule.due):
            return False
        try:
            self._schedule.save(self._checkpoint)
        except ErraiError as error:
            self._no_checkpoint = True
            self.monitor.warn(f"no checkpoint was saved: {error}")
            return False
        self._no_checkpoint = False
        self._new.add(CHECKPOINT)
        if self._overwrite:
            with suppress(OSError):
                (self.folder / OVERWRITING).touch()
        return True

    def save(self, what: str, save: Callable[[], None], names: Collection[str] | None = None) -> bool:
        """Save `what` has come out; whether that worked. It has these names, or is a strategy with its manifest."""
        if self.folder is None:
            return False
        self.monitor.step(f"saving {what}")
        try:
            save()
        except LeftOutError as error:
            self._missing = True
            self.monitor.warn(f"{what} was {error}")
        except ErraiError as error:
            self._missing = True
            self.monitor.warn(f"{what} was not saved: {error}")
            return False
        self.replaced([MANIFEST, *names_in(self.folder)] if names is None else names)
        return True

    def replaced(self, names: Collection[str]) -> None:
        """What was to be overwritten goes, but for these names and a checkpoint, which are new; `save` calls it."""
        if self._overwrite and self.folder is not None:
            self._overwrite = False
            remove_work(self.folder, {*names, *self._new})

    @property
    def complete(self) -> bool:
        """Whether all that was to be saved at the end could be."""
        return not (self._missing or self._no_checkpoint)

    def report(self, progress: Progress) -> None:
        """Tell the monitor how far it has come."""
        self.monitor.report(progress)

    def should_stop(self) -> bool:
        """Whether the monitor wants to stop."""
        return self.monitor.should_stop()


def resumed(
    source: Path,
    out: str | Path | None,
    monitor: Monitor,
    *,
    overwrite: bool = False,
    checkpoint_every: float | None = EVERY,
) -> Run:
    """A run that resumes the work of a folder, there or with its results in another."""
    there = out is None or Path(out).resolve() == source.resolve()
    return Run(
        source if there else out,
        monitor,
        overwrite=overwrite,
        resume=there,
        checkpoint_every=checkpoint_every,
    )


def save_aside(folder: Path, monitor: Monitor, save: Callable[[Path], None]) -> Path | None:
    """Save what a stopped run without a folder has done, to a folder or one beside it; None if that fails."""
    for number in range(1, _ASIDE):
        beside = folder if number == 1 else folder.with_name(f"{folder.name}-{number}")
        if work_in(beside) is not None:
            continue
        try:
            with Run(beside, monitor) as run:
                return beside if run.save("a checkpoint", partial(save, beside)) else None
        except ErraiError as error:  # another one that was stopped is at it
            if number == _ASIDE - 1:
                monitor.warn(f"no checkpoint was saved: {error}")
    return None
