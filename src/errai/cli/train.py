"""`errai train`: a strategy on buckets for a game too large to solve hand by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json, Quiet, Resume, Threads

if TYPE_CHECKING:
    from errai.abstraction.abstraction import Abstraction
    from errai.blueprint.quality import Quality
    from errai.blueprint.training import Announce, Plan, Training
    from errai.cli.interrupt import Interrupt
    from errai.cli.train_progress import TrainingLine

DEFAULT_TIME = "60m"


def train(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="holdem, or the game or .game file that the buckets are for."),
    ] = None,
    abstraction: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Buckets that errai abstract made.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the strategy, its checkpoint and its plot.")
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Train for so long: 90s, 60m, 2h or seconds.  [default: 60m, unless --samples is given]",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Stop after N sampled boards, counted from the very first."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="linear-br, against a best response on the last round; or cfr, linear, cfr+, against itself.  "
            "[default: linear-br]",
        ),
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(metavar="KIND", help="What to save: average or current.  [default: average]")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Of the boards.  [default: 0]")] = None,
    threads: Threads = None,
    resume: Resume = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a strategy on buckets of hands by CFR on sampled boards, all hands of both players on each.

    On the way, a best response on two fixed flops says how good it is there; errai exploit measures the finished
    strategy in the real game. A checkpoint is written every 15 minutes, at the end and on Ctrl-C; a second Ctrl-C
    stops at once.

    \b
    Examples:
      errai abstract small --out out/buckets
      errai train holdem --abstraction out/buckets --time 60m --out out/blueprint
      errai train holdem --abstraction out/buckets --method linear --samples 100000 --out out/other
      errai train --resume out/blueprint --time 2h
    """
    from errai.cli.interrupt import Interrupt
    from errai.cli.output import print_json
    from errai.cli.train_progress import TrainingLine
    from errai.errors import ErraiError

    if threads is not None and threads < 1:
        raise ErraiError(f"--threads must be 1 or more, not {threads}")
    limits = {"seconds": None if time is None else parse_time(time), "samples": samples}
    with Interrupt() as interrupt, TrainingLine(quiet) as line:
        if resume is not None:
            for name, given in (("--method", method), ("--strategy", strategy), ("--seed", seed)):
                if given is not None:
                    raise ErraiError(f"{name} comes from the checkpoint; leave it out with --resume")
            course = _go_on(resume, game, abstraction, out, limits, threads, line.announce)
        else:
            course = _begin(game, abstraction, out, limits, method, strategy, seed, threads, line.announce)
        finished = _run(course, line, interrupt)
    if json:
        print_json(_json(course, finished))
    else:
        _show(course, finished)
    if not finished:
        raise typer.Exit(_stopped(course.out))


@dataclass(frozen=True)
class Course:
    """A training, the buckets it is on, where it goes and what it is looked at on."""

    training: Training
    game: str  # as it was given
    tables: Path
    out: Path
    quality: Quality

    @property
    def boards(self) -> str:
        """The boards on which the quality is measured."""
        return self.quality.names(self.training.frame.abstraction.deck)


def parse_time(text: str) -> float:
    """Seconds of 90s, 60m, 2h or 3600."""
    from math import isfinite

    from errai.errors import ErraiError

    words = text.strip().lower()
    unit = {"s": 1, "m": 60, "h": 3600}.get(words[-1:])
    try:
        seconds = float(words[:-1]) * unit if unit else float(words)
    except ValueError:
        raise ErraiError(f"--time {text!r} is not a time; write 90s, 60m, 2h or seconds") from None
    if not (isfinite(seconds) and seconds > 0):
        raise ErraiError(f"--time must be above 0, not {text}")
    return seconds


def _begin(
    game: str | None,
    abstraction: Path | None,
    out: Path | None,
    limits: dict[str, Any],
    method: str | None,
    strategy: str | None,
    seed: int | None,
    threads: int | None,
    announce: Announce,
) -> Course:
    from errai.abstraction.saved import load_abstraction
    from errai.blueprint.quality import default_quality
    from errai.blueprint.rules import DEFAULT_RULE
    from errai.blueprint.training import Plan, all_cores, new_training
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game

    if game is None:
        raise ErraiError("give a game and --abstraction DIR, or --resume DIR")
    played = load_game(game)
    if abstraction is None:
        raise ErraiError(
            f"training {played.name} needs buckets: make them with errai abstract small --out DIR, "
            "then give --abstraction DIR"
        )
    if out is None:
        raise ErraiError("give a folder for the strategy with --out DIR")
    if limits["seconds"] is None and limits["samples"] is None:
        limits = {**limits, "seconds": parse_time(DEFAULT_TIME)}
    plan = Plan(
        method or DEFAULT_RULE,
        **limits,
        seed=seed or 0,
        threads=threads or all_cores(),
        strategy=strategy or "average",
    )
    buckets = load_abstraction(abstraction)
    _same_game(game, buckets, abstraction)
    training = new_training(buckets.game, buckets, plan, announce)
    return Course(training, game, abstraction, out, default_quality(training.frame))


def _go_on(
    folder: Path,
    game: str | None,
    abstraction: Path | None,
    out: Path | None,
    limits: dict[str, Any],
    threads: int | None,
    announce: Announce,
) -> Course:
    from errai.abstraction.saved import load_abstraction
    from errai.blueprint.checkpoint import load_training, tables_of
    from errai.blueprint.quality import default_quality
    from errai.errors import ErraiError

    tables = tables_of(folder) if abstraction is None else abstraction
    if tables is None:
        raise ErraiError(f"the checkpoint in {folder} does not name its buckets; give --abstraction DIR")
    buckets = load_abstraction(tables)
    if game is not None:
        _same_game(game, buckets, folder)
    # New limits take the place of all the old ones, as with errai solve.
    changes = limits if any(limit is not None for limit in limits.values()) else {}
    if threads is not None:
        changes = {**changes, "threads": threads}
    training = load_training(folder, buckets, announce, **changes)
    return Course(training, game or buckets.game.name, tables, out or folder, default_quality(training.frame))


def _same_game(game: str, buckets: Abstraction, folder: Path) -> None:
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game

    if load_game(game) != buckets.game:
        raise ErraiError(f"{folder} is for {buckets.game.name} and not for {game}")


def _run(course: Course, line: TrainingLine, interrupt: Interrupt) -> bool:
    """Train, measure and save; False when stopped by wish, with a checkpoint in any case."""
    from errai.blueprint.checkpoint import checkpoint_bytes, save_training
    from errai.blueprint.packing import save_frame
    from errai.writing import make_folder, require_room

    training = course.training
    # A checkpoint, the one before it, and the strategy: better to know now than after hours.
    require_room(make_folder(course.out), 2 * checkpoint_bytes(training) + training.frame.numbers)
    line.begin(course.boards)

    def save() -> None:
        save_training(course.out, training, course.tables)

    finished = training.run(line, interrupt, course.quality, save)
    if finished and (not training.looks or training.looks[-1].samples < training.samples):
        training.look(course.quality, line, interrupt)
    line.tell("saving a checkpoint")
    save()
    if finished:
        line.tell("saving the strategy")
        save_frame(course.out, training.frame, training.probabilities(), _about(course), course.tables)
        _draw(course)
    return finished


def _about(course: Course) -> dict[str, Any]:
    from dataclasses import asdict

    training, plan = course.training, course.training.plan
    return {
        "algorithm": plan.method,
        "iterations": training.samples,
        "seconds": training.seconds,
        "command": _command(course),
        "strategy": plan.strategy,
        "looks": [asdict(look) for look in training.looks],
        "looked_at": course.boards,
        "seed": plan.seed,
        "threads": plan.threads,
    }


def _command(course: Course) -> str:
    """The command that trains this strategy from the beginning."""
    import shlex

    plan: Plan = course.training.plan
    words = ["errai", "train", course.game, "--abstraction", str(course.tables)]
    words += [] if plan.seconds is None else ["--time", f"{plan.seconds:g}s"]
    words += [] if plan.samples is None else ["--samples", str(plan.samples)]
    words += ["--method", plan.method, "--strategy", plan.strategy, "--seed", str(plan.seed)]
    return shlex.join([*words, "--threads", str(plan.threads), "--out", str(course.out)])


def _draw(course: Course) -> None:
    from errai.engine.loop import Point
    from errai.figure import draw_convergence

    training = course.training
    if len(training.looks) < 2:
        return
    title = (
        f"{training.frame.game.name}, {training.plan.method}, on {course.boards}: "
        f"{training.looks[-1].exploitability_mbb:.3g} mbb/g after {training.samples:,} samples"
    )
    points = [
        Point(look.samples, look.seconds, look.exploitability_mbb, float("nan")) for look in training.looks
    ]
    draw_convergence(course.out / "convergence.png", title, points)


def _json(course: Course, finished: bool) -> dict[str, Any]:
    training = course.training
    return {
        "game": training.frame.game.name,
        "abstraction": str(course.tables),
        "buckets": list(training.frame.abstraction.counts),
        "method": training.plan.method,
        "samples": training.samples,
        "seconds": training.seconds,
        "finished": finished,
        "looked_at": course.boards,
        "looks": _about(course)["looks"],
        "out": str(course.out),
    }


def _show(course: Course, finished: bool) -> None:
    import shlex

    from errai.cli.output import duration, figure, print_rows

    training = course.training
    counts = " / ".join(f"{count:,}" for count in training.frame.abstraction.counts)
    rows = [
        ("game", training.frame.game.name),
        ("buckets", f"{training.frame.abstraction.name}: {counts}"),
        ("method", f"{training.plan.method}: {training.plan.rule.words}"),
        ("samples", f"{training.samples:,} in {duration(training.seconds)}"),
    ]
    if finished:
        rows.append(("strategy", f"{training.plan.strategy}, in {course.out}"))
        rows.append(("next", shlex.join(["errai", "exploit", str(course.out)])))
    print_rows(rows)
    if training.looks:
        print(f"\nBest response after the first round, as if all flops were like {course.boards}\n")
        print(f"{'time':>10}{'samples':>12}{'mbb/g':>10}")
        for look in training.looks:
            mbb = figure(look.exploitability_mbb)
            print(f"{duration(look.seconds):>10}{look.samples:>12,}{mbb:>10}")


def _stopped(out: Path) -> int:
    import shlex
    import sys

    again = shlex.join(["errai", "train", "--resume", str(out)])
    print(f"stopped; a checkpoint is in {out}. To go on:\n  {again}", file=sys.stderr)
    return 130
