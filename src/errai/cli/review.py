"""`errai review`: a player's hands against a strategy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json, Quiet, Threads


def review(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="ACPC logs, PHH, or texts of rooms.")],
    strategy: Annotated[
        str, typer.Option(metavar="S", help="Who judges: a saved strategy, or one with a name.")
    ] = "holdem",
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose decisions.  [default: who is in all hands]")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")
    ] = False,
    samples: Annotated[
        int,
        typer.Option(metavar="N", help="Sampled boards for losses before the turn; 0 leaves them unknown."),
    ] = 50,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write all of it as one HTML page, with grids."),
    ] = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Look at every decision of a player: what the strategy does there, and what the player's choice lost.

    FILES are logs of the ACPC, PHH files, or texts of rooms such as PokerStars for limit hold'em of two players. The
    loss of a decision is exact on the turn and the river, with both ranges as the strategy plays them; before, it is
    estimated from sampled boards, with a standard error. Hands that cannot be read are counted and skipped.

    \b
    Examples:
      errai review me.log --player you
      errai review hands/*.txt --html review.html
      errai review hands.phhs --player Alice --samples 400 --json
    """
    from errai.api.parameters import thread_count
    from errai.api.reviewing import with_tables_made
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal
    from errai.errors import ErraiError
    from errai.files.writing import replacing_file
    from errai.play.reading import read_logs
    from errai.play.review import review as look
    from errai.strategy.files import open_strategy
    from errai.views.review_page import review_page
    from errai.views.reviews import review_json, review_lines

    if html is not None and html.is_dir():
        raise ErraiError(f"{html} is a folder; give the name of a file", parameter="html")
    opened = with_tables_made(open_strategy(strategy))
    found = read_logs(files, opened.game, strict)
    with Terminal(quiet) as terminal:
        for fault in found.faults[:5]:
            terminal.warn(fault)
        if len(found.faults) > 5:
            terminal.warn(f"and {len(found.faults) - 5:,} more hands that cannot be read")
        done = look(opened, found.hands, player, thread_count(threads), terminal, samples)
        stopped = terminal.should_stop()
    if html is not None:
        with replacing_file(html) as new:
            new.write_text(review_page(done, opened, strategy, found.faults), encoding="utf-8")
    if json:
        print_json(review_json(done, found.faults))
    else:
        print("\n".join(review_lines(done)))
    if stopped:
        print("stopped; these are the hands until then", file=sys.stderr)
        raise typer.Exit(130)
