"""`errai train`: a strategy on buckets for a game too large to solve hand by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json, Overwrite, Quiet, Resume, Threads

if TYPE_CHECKING:
    from errai.api.training import TrainingResult
    from errai.cli.progress import Terminal


def train(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="holdem, or the game or .game file that the buckets are for."),
    ] = None,
    abstraction: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Buckets that errai abstract made. With --resume, others to change to."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the strategy, its checkpoint and its plot.")
    ] = None,
    overwrite: Overwrite = False,
    seconds: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TIME",
            help="Train for so long, with --resume so much longer: 90s, 60m, 2h or seconds.  "
            "[default: 60m, unless --samples is given; with --resume, what is left]",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Stop after N sampled boards; with --resume, after N more."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="cfr+-br, against a best response on the last round; cfr-br, to change to later; linear-br and, "
            "on the last two rounds, linear-br2; or cfr+, linear, cfr, against itself.  [default: cfr+-br]",
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
    strategy in the real game. A checkpoint is written every minute or so, at the end and on Ctrl-C, which leaves a
    strategy to query, too; a second Ctrl-C stops at once.

    \b
    Examples:
      errai abstract small --out out/buckets
      errai train holdem --abstraction out/buckets --time 60m --out out/blueprint
      errai train holdem --abstraction out/buckets --method cfr+ --samples 100000 --out out/other
      errai train --resume out/blueprint --method cfr-br --time 30m
      errai train --resume out/blueprint --abstraction out/finer --out out/finer-blueprint --time 2h
    """
    from errai.cli.ending import leave
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal

    limits = {"seconds": None if seconds is None else parse_time(seconds), "samples": samples}
    common = {**limits, "threads": threads, "out": out, "overwrite": overwrite}
    with Terminal(quiet) as terminal:
        if resume is not None:
            trained = _resume(resume, game, abstraction, method, strategy, seed, common, terminal)
        else:
            trained = _train(game, abstraction, method, strategy, seed, common, terminal)
    if json:
        print_json(trained.to_json())
    else:
        _show(trained)
    leave("train", trained.finished, trained.saved, trained.folder)


def _train(
    game: str | None,
    abstraction: Path | None,
    method: str | None,
    strategy: str | None,
    seed: int | None,
    common: dict[str, Any],
    terminal: Terminal,
) -> TrainingResult:
    from errai.api.training import train
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game

    if game is None:
        raise ErraiError("give a game and --abstraction DIR, or --resume DIR")
    if abstraction is None:
        raise ErraiError(
            f"training {load_game(game).name} needs buckets: make them with errai abstract small --out DIR, "
            "then give --abstraction DIR"
        )
    if common["out"] is None:
        raise ErraiError("give a folder for the strategy with --out DIR")
    chosen: dict[str, Any] = {"method": method, "strategy": strategy, "seed": seed, **common}
    given = {name: value for name, value in chosen.items() if value is not None}
    return train(game, abstraction, **given, monitor=terminal)


def _resume(
    folder: Path,
    game: str | None,
    abstraction: Path | None,
    method: str | None,
    strategy: str | None,
    seed: int | None,
    common: dict[str, Any],
    terminal: Terminal,
) -> TrainingResult:
    from errai.api.training import resume_training
    from errai.errors import ErraiError

    for name, given in (("--strategy", strategy), ("--seed", seed)):
        if given is not None:
            raise ErraiError(f"{name} comes from the checkpoint; leave it out with --resume")
    return resume_training(
        folder, game=game, abstraction=abstraction, method=method, **common, monitor=terminal
    )


def parse_time(text: str) -> float:
    """Seconds of 90s, 60m, 2h or 3600."""
    from math import isfinite

    from errai.errors import ErraiError
    from errai.sequence.builder import number

    words = text.strip().lower()
    unit = {"s": 1, "m": 60, "h": 3600}.get(words[-1:])
    try:
        seconds = float(number(words[:-1])) * unit if unit else float(number(words))
    except (ErraiError, OverflowError):
        raise ErraiError(f"--time {text!r} is not a time; write 90s, 60m, 2h or seconds") from None
    if not (isfinite(seconds) and seconds > 0):
        raise ErraiError(f"--time must be above 0, not {text}")
    return seconds


def _show(trained: TrainingResult) -> None:
    import shlex

    from errai.cli.output import print_rows
    from errai.views.training import measurement_table, training_rows

    rows = training_rows(trained)
    if trained.saved:
        rows.append(("next", shlex.join(["errai", "exploit", str(trained.folder)])))
    print_rows(rows)
    if trained.measurements:
        print(f"\nBest response as if all flops were like {trained.boards}: too high, good for comparing\n")
        for time, samples, mbb in measurement_table(trained):
            print(f"{time:>10}{samples:>12}{mbb:>10}")
