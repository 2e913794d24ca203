"""`errai tournament`: a whole heads-up no-limit tournament by jam or fold, with proven bounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errai.cli.options import Json, Overwrite, Quiet

if TYPE_CHECKING:
    from errai.jamfold.compare import Guarantee
    from errai.jamfold.tournament import TournamentSolution


def tournament(
    chips: Annotated[int, typer.Option(metavar="N", help="Chips of both players together.")],
    small_blind: Annotated[int, typer.Option("--sb", metavar="N", help="Small blind.")],
    big_blind: Annotated[int, typer.Option("--bb", metavar="N", help="Big blind.")],
    ante: Annotated[int, typer.Option(metavar="N", help="Ante of each player.")] = 0,
    step: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Stacks are multiples of N chips; a player ignores what is odd.  [default: what divides chips, "
            "blinds and ante and is nearest to a sixth of the small blind]",
        ),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Also say what always jamming and playing hand for hand guarantee."),
    ] = False,
    chart: Annotated[
        Path | None,
        typer.Option(metavar="FILE.csv", help="Also say what your own chart of jams and calls guarantees."),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Save the proof of the bounds in whole numbers to --out, as proof.json; errai verify checks it.",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for bounds and strategies (CSV, JSON) and the figures."),
    ] = None,
    overwrite: Overwrite = False,
    form: Annotated[
        str, typer.Option("--format", metavar="TYPE", help="Of the figures in --out: png, svg or pdf.")
    ] = "png",
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads to use.  [default: all cores]")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The best jam/fold strategy of a heads-up tournament, and how often it wins, proven.

    For every stack and both seats: the probability of winning that the strategy guarantees against any opponent,
    and the most that any player, postflop play included, can be sure of. Bounds are checked in exact arithmetic by
    Everett's conditions for recursive games.

    \b
    Examples:
      errai tournament --chips 8000 --sb 300 --bb 600
      errai tournament --chips 8000 --sb 300 --bb 600 --compare --out out/tournament
      errai tournament --chips 3000 --sb 50 --bb 100 --ante 10 --step 10 --json
    """
    from errai.api.tournaments import tournament as solve
    from errai.cli.ending import leave
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal
    from errai.jamfold.compare import always_jam, by_chart, guarantee, hand_for_hand
    from errai.jamfold.strategy_csv import read_chart
    from errai.views.tournament import compared_json

    own = None if chart is None else read_chart(chart)
    others = []
    with Terminal(quiet) as terminal:
        solution = solve(
            chips, small_blind, big_blind, ante, step,
            threads=threads, out=out, overwrite=overwrite, form=form, exact=exact, monitor=terminal,
        )  # fmt: skip
        rules = solution.tournament
        if compare:
            terminal.step("always jamming")
            others.append(guarantee("always jam", rules, always_jam(rules)))
            terminal.step("playing hand for hand")
            others.append(guarantee("hand for hand", rules, hand_for_hand(rules)))
        if own is not None and chart is not None:
            terminal.step(f"playing by {chart}")
            others.append(guarantee(chart.name, rules, by_chart(rules, own.jam_at, own.call_at)))
    if json:
        folder = solution.folder
        content = {**solution.to_json(), "out": folder and str(folder)}
        print_json({**content, "compared": compared_json(solution, others)})
    else:
        _show(solution, others)
    leave("tournament", True, solution.saved, solution.folder)


def _show(solution: TournamentSolution, others: list[Guarantee]) -> None:
    """For people, within 80 columns."""
    from errai.cli.output import print_rows
    from errai.views.tournament import tournament_rows, tournament_table

    rows = tournament_rows(solution, others)
    print_rows(rows if solution.folder is None else [*rows, ("files", str(solution.folder))])
    print("\nprobability of winning, in per cent: guaranteed, and at most")
    for chips, small, big in tournament_table(solution):
        print(f"{chips:>10}   {small:>19}   {big:>19}")
