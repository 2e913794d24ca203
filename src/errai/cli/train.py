"""`errai train`: a strategy on buckets for a game too large to solve hand by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json, Quiet, Resume, Threads

if TYPE_CHECKING:
    from errai.blueprint.training import Announce
    from errai.training_run import TrainingRun

DEFAULT_TIME = "60m"


def train(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="holdem, or the game or .game file that the buckets are for."),
    ] = None,
    abstraction: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Buckets that errai abstract made. With --resume, others to go on with."
        ),
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
            help="cfr+-br, against a best response on the last round; cfr-br, to go on with; linear-br and, on the "
            "last two rounds, linear-br2; or cfr+, linear, cfr, against itself.  [default: cfr+-br]",
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
      errai train holdem --abstraction out/buckets --method cfr+ --samples 100000 --out out/other
      errai train --resume out/blueprint --method cfr-br --time 90m
      errai train --resume out/blueprint --abstraction out/finer --out out/finer-blueprint --time 2h
    """
    from errai.cli.interrupt import Interrupt
    from errai.cli.output import print_json
    from errai.cli.train_progress import TrainingLine
    from errai.errors import ErraiError
    from errai.training_run import resume as resume_training

    if threads is not None and threads < 1:
        raise ErraiError(f"--threads must be 1 or more, not {threads}")
    limits: dict[str, Any] = {"seconds": None if time is None else parse_time(time), "samples": samples}
    with Interrupt() as interrupt, TrainingLine(quiet) as line:
        if resume is not None:
            for name, given in (("--strategy", strategy), ("--seed", seed)):
                if given is not None:
                    raise ErraiError(f"{name} comes from the checkpoint; leave it out with --resume")
            # New limits take the place of all the old ones, as with errai solve.
            changes = limits if any(limit is not None for limit in limits.values()) else {}
            changes = changes if threads is None else {**changes, "threads": threads}
            changes = changes if method is None else {**changes, "method": method}
            run = resume_training(resume, game, abstraction, out, line.announce, **changes)
        else:
            run = _begin(game, abstraction, out, limits, method, strategy, seed, threads, line.announce)
        line.begin(run.boards)
        finished = run.run(line, interrupt, line.tell)
    if json:
        print_json(_json(run, finished))
    else:
        _show(run, finished)
    if not finished:
        raise typer.Exit(_stopped(run.out))


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
) -> TrainingRun:
    from errai.blueprint.rules import DEFAULT_RULE
    from errai.blueprint.training import Plan, all_cores
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game
    from errai.training_run import begin

    if game is None:
        raise ErraiError("give a game and --abstraction DIR, or --resume DIR")
    if abstraction is None:
        raise ErraiError(
            f"training {load_game(game).name} needs buckets: make them with errai abstract small --out DIR, "
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
    return begin(game, abstraction, out, plan, announce)


def _json(run: TrainingRun, finished: bool) -> dict[str, Any]:
    training = run.training
    return {
        "game": training.layout.game.name,
        "abstraction": str(run.tables),
        "buckets": list(training.layout.abstraction.counts),
        "method": training.plan.method,
        "samples": training.samples,
        "seconds": training.seconds,
        "finished": finished,
        "looked_at": run.boards,
        "looks": run.about()["looks"],
        "out": str(run.out),
    }


def _show(run: TrainingRun, finished: bool) -> None:
    import shlex

    from errai.cli.output import duration, figure, print_rows

    training = run.training
    counts = " / ".join(f"{count:,}" for count in training.layout.abstraction.counts)
    rows = [
        ("game", training.layout.game.name),
        ("buckets", f"{training.layout.abstraction.name}: {counts}"),
        ("method", f"{training.plan.method}: {training.plan.rule.words}"),
        ("samples", f"{training.samples:,} in {duration(training.seconds)}"),
    ]
    if finished:
        rows.append(("strategy", f"{training.plan.strategy}, in {run.out}"))
        rows.append(("next", shlex.join(["errai", "exploit", str(run.out)])))
    print_rows(rows)
    if training.looks:
        print(f"\nBest response as if all flops were like {run.boards}: too high, good for comparing\n")
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
