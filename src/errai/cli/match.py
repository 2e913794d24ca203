"""`errai match`: hands between two agents, and what they show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from errai.cli.options import Json, Quiet, ThinkTime, Threads

if TYPE_CHECKING:
    from errai.api.matches import MatchResult

PLAYERS = (
    "Two or more of: the folder of a saved strategy; holdem, which comes with Errai; always-call, always-raise, "
    "always-fold, random, win-rate, pot-odds, jam-or-fold (no-limit hold'em); STRATEGY+resolve, which solves the end "
    "of every hand again; local-best-response, which knows the strategy that it plays; cmd:PROGRAM, which is started "
    "as PROGRAM HOST PORT and speaks the ACPC protocol."
)


def match(
    players: Annotated[list[str], typer.Argument(metavar="A B ...", help=PLAYERS)],
    hands: Annotated[int, typer.Option(metavar="N", help="Hands of a match.")] = 10_000,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal twice, with the seats exchanged.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the cards, as in the ACPC's dealer.")] = 0,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="What players without a game of their own play: holdem, nolimit, a .game file, ...  "
            "[default: holdem; with jam-or-fold nolimit]",
        ),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every hand, as the ACPC does.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the winnings, or the cross table: .png, .svg or .pdf."),
    ] = None,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Every player against every other: a cross table.")
    ] = False,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the cross table as CSV.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the log that is there.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Only count chips: faster, and with wider intervals.")
    ] = False,
    think: ThinkTime = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play a match and say who wins, in milli-big-blinds a game with a 95% interval.

    Seats are exchanged after every hand. Ctrl-C ends a match early: its log is whole, and the score is printed.
    A strategy on buckets that comes without its tables gets them first in a long match, which takes minutes, once.

    \b
    Examples:
      errai match holdem always-call --hands 100000 --duplicate
      errai match out/leduc random --hands 1000000 --plot winnings.png
      errai match holdem cmd:./bot.sh --hands 1000 --log bot.log
      errai match holdem+resolve holdem --hands 200 --think 2s
      errai match local-best-response holdem --hands 2000
      errai match jam-or-fold random --game nolimit-10 --duplicate
      errai match always-call always-raise win-rate random --all-pairs --hands 20000
    """
    from errai.errors import ErraiError
    from errai.figure import check_picture

    if plot is not None:
        check_picture(plot)
    if all_pairs:
        if log is not None:
            raise ErraiError("log is for a match of two players; leave out all_pairs=True", parameter="log")
        _cross(players, hands, duplicate, seed, game, plot, csv, plain, think, threads, json, quiet)
        return
    if csv is not None:
        raise ErraiError("csv is for a cross table; give all_pairs=True, too", parameter="csv")
    if len(players) != 2:
        raise ErraiError(f"a match has two players, not {len(players)}; for more give all_pairs=True")
    from errai.api.matches import match as play
    from errai.cli.output import print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.views.matches import match_json, match_rows

    with Terminal(quiet) as terminal:
        played = play(
            players[0], players[1], hands=hands, duplicate=duplicate, seed=seed, game=game, log=log,
            overwrite=overwrite, aivat=not plain, think=think, threads=threads, monitor=terminal,
        )  # fmt: skip
    if json:
        print_json(match_json(played))
    else:
        print_rows(match_rows(played))
    if plot is not None and played.hands:
        _draw(plot, played)
    if not played.finished:
        _stopped(played)


def _draw(plot: Path, played: MatchResult) -> None:
    from errai.figure import Curve, draw_winnings
    from errai.play.score import Z95
    from errai.views.matches import estimate_text

    unit = played.game.unit
    hands, won = zip(*((hand, chips / unit) for hand, chips in played.curve), strict=True)
    plain = played.estimators["plain"]
    spread = plain.ci95_mbb / 1000 / Z95 * plain.samples**0.5 if plain.samples > 1 else 0.0
    first, second = played.players
    title = f"{first} against {second}: {estimate_text(played.best)}"
    draw_winnings(plot, title, Curve(hands, won), spread)


def _cross(
    players: list[str],
    hands: int,
    duplicate: bool,
    seed: int,
    game: str | None,
    plot: Path | None,
    csv: Path | None,
    plain: bool,
    think: str | None,
    threads: int | None,
    json: bool,
    quiet: bool,
) -> None:
    from errai.api.matches import cross_table
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal
    from errai.files.writing import replacing_file
    from errai.views.matches import cross_cells, cross_csv, cross_lines, match_json

    with Terminal(quiet) as terminal:
        played = cross_table(
            players,
            hands=hands,
            duplicate=duplicate,
            seed=seed,
            game=game,
            aivat=not plain,
            think=think,
            threads=threads,
            monitor=terminal,
        )
    names = [Path(player).name or player for player in players]
    if json:
        print_json({"players": names, "matches": [match_json(result) for result in played.values()]})
    else:
        print("\n".join(cross_lines(names, played)))
        print(
            f"mbb/g that the player of a row wins from that of a column, {hands:,} hands each, 95% intervals"
        )
    if csv is not None:
        with replacing_file(csv) as new:
            new.write_text(cross_csv(names, played), encoding="utf-8")
    if plot is not None and played:
        from errai.figure import draw_cross_table

        cells = cross_cells(names, played)
        texts = [
            ["" if c is None else f"{c.mean_mbb:+,.0f}\n± {c.ci95_mbb:,.0f}" for c in row] for row in cells
        ]
        signs = [[0 if c is None else c.sign for c in row] for row in cells]
        draw_cross_table(
            plot, f"mbb/g won by the player of the row, {hands:,} hands each", names, texts, signs
        )
    if len(played) < len(players) * (len(players) - 1) // 2:
        raise typer.Exit(130)


def _stopped(played: MatchResult) -> NoReturn:
    import sys

    print(f"stopped after {played.hands:,} of {played.planned:,} hands", file=sys.stderr)
    raise typer.Exit(130)
