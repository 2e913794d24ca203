"""`errai abstract`: buckets of hands that are played alike, for games too large to hold every hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errai.cli.options import Json, Overwrite, Quiet

if TYPE_CHECKING:
    from errai.abstraction.abstraction import Abstraction
    from errai.abstraction.report import RoundReport


def abstract(
    preset: Annotated[
        str,
        typer.Argument(
            metavar="PRESET",
            help="tiny, small, medium, large, huge, psopti, bildman, percentile-8, "
            "or a method for each round parted by /.",
        ),
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for the buckets; a run that was stopped is resumed.")
    ],
    game: Annotated[str, typer.Option(metavar="GAME", help="A built-in game or a .game file.")] = "holdem",
    seed: Annotated[int, typer.Option(metavar="N", help="Of k-means and its sample of hands.")] = 0,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads to use.  [default: all cores]")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put hands that are alike into buckets, round by round, and say how alike they are.

    A round is METHOD:BUCKETS. Methods: lossless; ehs, expected strength; ehs2, its expected square; potential,
    strength and one bucket of draws; emd, distributions of strength by earth mover's distance; ochs, strength against
    clusters of opponent hands, on the last round; ranges, strength against weak to strong parts of the opponent's
    hands by their worth one round before. ehs:0.2,0.5,0.8 takes the nearest of these strengths. Add :percentile or
    :kmeans to choose the grouping, and :perfect for perfect recall.

    \b
    Examples:
      errai abstract tiny --out out/tiny
      errai abstract medium --out out/medium --threads 2
      errai abstract lossless/emd:20000/emd:30000/ranges:40000 --out out/buckets
      errai abstract ehs:5:perfect/ehs:5:perfect --game leduc --out out/leduc --json
    """
    from errai.abstraction.build import check_plan
    from errai.abstraction.cost import estimate
    from errai.abstraction.presets import parse_preset
    from errai.abstraction.report import report, report_json
    from errai.api.parameters import thread_count
    from errai.api.training import abstract as make
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal
    from errai.games.catalogue import load_game

    asked = parse_preset(preset)
    rules, cores = load_game(game), thread_count(threads)
    check_plan(rules, asked)
    expected = estimate(rules, asked)
    with Terminal(quiet) as terminal:
        terminal.say(expected.text(cores))
        made = make(preset, out, game=game, seed=seed, threads=threads, overwrite=overwrite, monitor=terminal)
        terminal.step("report")
        rounds = report(made)
    if json:
        print_json(
            {
                "out": str(out),
                "game": made.game.name,
                "preset": asked.name,
                "text": asked.text,
                "seed": seed,
                "rounds": report_json(rounds),
            }
        )
    else:
        _show(made, rounds, out)


def _show(made: Abstraction, rounds: list[RoundReport], out: Path) -> None:
    from errai.cli.output import print_rows

    print_rows([("game", made.game.name), ("preset", made.name), ("saved in", str(out))])
    print()
    print(
        f"{'round':<10}{'buckets':>10}{'boards':>10}{'smallest':>11}{'median':>11}{'largest':>11}{'spread':>9}"
    )
    for one in rounds:
        shares = "".join(f"{100 * share:>10.4f}%" for share in (one.smallest, one.median, one.largest))
        print(f"{one.name:<10}{one.buckets:>10,}{one.boards:>10,}{shares}{one.spread:>9.4f}")
    print("\nShares are of all deals. Spread is the deviation of the strength within a bucket.")
    for one in rounds[1:] or rounds:
        print(f"\n{one.name}, from weak to strong")
        for example in one.examples:
            print(f"  {example.bucket:>8,}  strength {example.strength:.3f}  {', '.join(example.hands)}")
