"""One run of the solver from the command line: estimate, progress, Ctrl-C, and what to say afterwards."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from errai.cli.interrupt import Interrupt
from errai.cli.progress import ProgressLine
from errai.errors import ErraiError

if TYPE_CHECKING:
    from errai.games.definition import GameDefinition
    from errai.games.spot import Spot
    from errai.result import Result
    from errai.summary import Summary


@dataclass(frozen=True)
class Run:
    """The options of `solve` and `endgame` as they were given; None where they were not."""

    command: str
    method: str | None
    iterations: int | None
    target: float | None
    seconds: float | None
    threads: int | None
    precision: str | None
    strategy: str | None
    out: Path | None
    resume: Path | None
    no_isomorphism: bool
    quiet: bool

    def start(self, where: Spot) -> Outcome[Result]:
        """Solve a spot from the beginning."""
        settings = {
            **self.given("method", "precision", "strategy", "iterations", "target", "seconds", "threads"),
            "isomorphism": not self.no_isomorphism,
        }
        with self.watched() as (line, interrupt):
            from errai.api import solve

            # When nobody named a folder, the work of a stopped run is still worth one.
            rescue = Path(f"errai-{where.game.name}-checkpoint")
            result = solve(
                where,
                **settings,
                out=self.out,
                rescue=rescue,
                progress=line or silent,
                wish_to_stop=interrupt,
                announce=line.announce if line is not None else silent,
            )
            folder = self.out if result.finished else self.out or rescue
            return Outcome(result, folder, self.command)

    def go_on(self, **others: object) -> Outcome[Result]:
        """Go on from the checkpoint of --resume. `others` are options of the command that come from there."""
        assert self.resume is not None
        fixed = {
            **others,
            "--method": self.method,
            "--precision": self.precision,
            "--strategy": self.strategy,
            "--no-isomorphism": self.no_isomorphism or None,
        }
        for name, given in fixed.items():
            if given is not None:
                raise ErraiError(f"{name} comes from the checkpoint; leave it out with --resume")
        from errai.api import resume

        limits = self.given("iterations", "target", "seconds", "threads")
        with self.watched() as (line, interrupt):
            result = resume(
                self.resume,
                **limits,
                out=self.out,
                progress=line or silent,
                wish_to_stop=interrupt,
                announce=line.announce if line is not None else silent,
            )
        return Outcome(result, self.out or self.resume, self.command)

    def given(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    @contextmanager
    def watched(self, unit: str = "mbb/g") -> Iterator[tuple[ProgressLine | None, Interrupt]]:
        """The progress line, unless it should be quiet, and Ctrl-C as a wish."""
        with Interrupt() as interrupt, warnings.catch_warnings():
            warnings.simplefilter("always")
            if self.quiet:
                warnings.showwarning = _warner(lambda text: print(text, file=sys.stderr))
                yield None, interrupt
            else:
                with ProgressLine(self.seconds, interrupt, unit=unit) as line:
                    warnings.showwarning = _warner(line.say)
                    yield line, interrupt


SummaryT = TypeVar("SummaryT", bound="Summary", covariant=True)


@dataclass(frozen=True)
class Outcome(Generic[SummaryT]):
    """A result and the folder that it was written to."""

    result: SummaryT
    folder: Path | None
    command: str

    def code(self) -> int:
        """The exit code; a run that was stopped by wish also says how to go on."""
        if self.result.finished:
            return 0
        words = ["errai", self.command, "--resume", str(self.folder)]
        print(f"stopped; a checkpoint is in {self.folder}. To go on:\n  {shlex.join(words)}", file=sys.stderr)
        return 130


def saved_spot(folder: Path) -> tuple[GameDefinition, bool] | None:
    """The game of a checkpoint, and whether it starts with the first card; None where there is none."""
    from errai.engine.checkpoint import FOLDER, MANIFEST, VERSION, has_checkpoint
    from errai.files.reading import read_manifest, understood
    from errai.files.writing import surviving
    from errai.games.definition import parse_game

    if not has_checkpoint(folder):
        return None  # which going on with it will say better
    path = surviving(folder / FOLDER) / MANIFEST
    with understood(path):
        saved = read_manifest(path, "checkpoint", VERSION)["spot"]
        return parse_game(saved["game"], name=saved["name"]), not (saved["betting"] or saved["board"])


def silent(anything: object) -> None:
    pass


def _warner(say: Callable[[str], None]) -> Callable[..., None]:
    """Warnings of the library as one line each."""
    return lambda message, *rest: say(f"errai: warning: {message}")
