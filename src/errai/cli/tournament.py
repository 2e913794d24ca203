"""`errai tournament`: a whole heads-up no-limit tournament by jam or fold, with proven bounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json, Quiet

if TYPE_CHECKING:
    from errai.jamfold.compare import Guarantee
    from errai.jamfold.tournament import TournamentSolution


def tournament(
    chips: Annotated[int, typer.Option(metavar="N", help="Chips of both players together.")],
    sb: Annotated[int, typer.Option(metavar="N", help="Small blind.")],
    bb: Annotated[int, typer.Option(metavar="N", help="Big blind.")],
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
    from errai.cli.output import print_json
    from errai.cli.tournament_report import show
    from errai.errors import ErraiError
    from errai.files.writing import make_folder

    if form not in ("png", "svg", "pdf"):
        raise ErraiError(f"--format must be png, svg or pdf, not {form}")
    if exact and out is None:
        raise ErraiError("--exact saves a proof: give a folder for it with --out")
    if threads is not None and threads < 1:
        raise ErraiError(f"--threads must be 1 or more, not {threads}")
    if out is not None:
        make_folder(out)
    solution, others = _solve(chips, sb, bb, ante, step, compare, chart, threads, quiet)
    if out is not None:
        solution.save(out, form, exact)
    if json:
        content: dict[str, Any] = {**solution.to_json(), "out": out and str(out)}
        content["compared"] = {
            other.name: {
                "gap": other.gap,
                "loss": [other.loss(solution.lower(seat), seat) for seat in (0, 1)],
            }
            for other in others
        }
        print_json(content)
    else:
        show(solution, others, out)


def _solve(
    chips: int,
    sb: int,
    bb: int,
    ante: int,
    step: int | None,
    compare: bool,
    chart: Path | None,
    threads: int | None,
    quiet: bool,
) -> tuple[TournamentSolution, list[Guarantee]]:
    from errai.cli.interrupt import Interrupt
    from errai.cli.progress import working
    from errai.jamfold.compare import always_jam, by_chart, guarantee, hand_for_hand
    from errai.jamfold.tournament import solve

    own = None
    if chart is not None:
        from errai.jamfold.strategy_csv import read_chart

        own = read_chart(chart)
    with Interrupt() as interrupt, working(quiet) as tell:

        def rounds(round_: int, change: float, share: float) -> None:
            moved = "" if change == float("inf") else f", moved {change:.1e} in the last"
            tell(f"round {round_}: {100 * share:.0f}% of the hands{moved}")

        solution = solve(chips, sb, bb, ante, step, threads=threads, tell=rounds, wish_to_stop=interrupt)
        others = []
        if compare:
            tell("always jamming")
            others.append(guarantee("always jam", solution.tournament, always_jam(solution.tournament)))
            tell("playing hand for hand")
            others.append(guarantee("hand for hand", solution.tournament, hand_for_hand(solution.tournament)))
        if own is not None and chart is not None:
            tell(f"playing by {chart}")
            jam = by_chart(solution.tournament, own.jam_at, own.call_at)
            others.append(guarantee(chart.name, solution.tournament, jam))
    return solution, others
