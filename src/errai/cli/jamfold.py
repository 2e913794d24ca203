"""`errai jamfold`: one hand by jam or fold, or a whole chart."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json, Overwrite, Quiet

if TYPE_CHECKING:
    from errai.jamfold.chart import Chart
    from errai.jamfold.hand import Hand
    from errai.jamfold.prove import Proof
    from errai.jamfold.single import HandSolution
    from errai.runs.run import Run
    from errai.sequence import Solution

RESULT = "result.json"


@dataclass(frozen=True)
class Output:
    """Where results go."""

    csv: Path | None
    plot: Path | None
    out: Path | None
    run: Run
    json: bool
    quiet: bool

    def save(
        self, result: HandSolution | Chart, what: str, names: list[str], into: Callable[[Path], None]
    ) -> list[Path]:
        """Write what was asked for, and say what was written; `into` writes files of these names into a folder."""
        from errai.files.manifest import MANIFEST

        files = []
        if self.csv is not None:
            result.save_csv(self.csv)
            files.append(self.csv)
        if self.plot is not None:
            result.plot(self.plot)
            files.append(self.plot)
        if self.out is not None and self.run.save(what, partial(into, self.out), names):
            shown = [name for name in names if name != MANIFEST]
            files += [self.out / name for name in shown if (self.out / name).exists()]
        return files


def jamfold(
    stack: Annotated[
        str | None, typer.Option(metavar="BB", help="The effective stack in big blinds; both have it.")
    ] = None,
    stacks: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="SB BB", help="The stacks of the small blind and of the big blind, in chips."),
    ] = None,
    sb: Annotated[str | None, typer.Option(metavar="CHIPS", help="The small blind, with --stacks.")] = None,
    bb: Annotated[str | None, typer.Option(metavar="CHIPS", help="The big blind, with --stacks.")] = None,
    ante: Annotated[
        str | None,
        typer.Option(
            metavar="CHIPS", help="What each posts besides: in chips with --stacks, else in big blinds."
        ),
    ] = None,
    big_blind: Annotated[
        bool,
        typer.Option("--big-blind", help="Jam or fold from the big blind, whatever the small blind does."),
    ] = False,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="HANDS",
            help="Only these: AKs, A5o, 77, AhKd, or several as in 'QQ+, A5s'; with their values.",
        ),
    ] = None,
    chart: Annotated[
        bool,
        typer.Option(
            "--chart", help="For every hand, the stacks at which it is jammed and at which it calls."
        ),
    ] = False,
    low: Annotated[
        str | None, typer.Option("--from", metavar="BB", help="The chart's shortest stack.  [default: 1]")
    ] = None,
    high: Annotated[
        str | None, typer.Option("--to", metavar="BB", help="The chart's longest stack.  [default: 20]")
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            metavar="BB",
            help="The chart's step; between stacks that differ it goes down to 0.01.  [default: 0.05]",
        ),
    ] = None,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove", help="Prove in exact arithmetic which hands every optimal strategy must jam."
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="The value as a fraction; --out saves its certificate for errai verify."
        ),
    ] = False,
    rebuild_equities: Annotated[
        bool,
        typer.Option(
            "--rebuild-equities", help="Count all showdowns anew and compare them with Errai's table."
        ),
    ] = False,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Save a table, as .csv.")] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw both grids, as .svg, .png or .pdf.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for all of it: result.json, a table, a picture."),
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Heads-up no-limit hold'em by jam or fold: the best strategy of one hand, or a chart.

    The small blind jams (goes all in) or folds, and the big blind calls or folds. Of all such strategies the one
    shown guarantees the most against any opponent, and its value is proven from both sides. Grids give how often
    each hand jams and calls. With --big-blind it is the big blind who jams or folds, whatever the small blind does.

    \b
    Examples:
      errai jamfold --stack 10
      errai jamfold --stack 10 --hand A5s
      errai jamfold --stacks 3000 5000 --sb 300 --bb 600 --ante 25
      errai jamfold --stack 8 --big-blind --plot big-blind.png
      errai jamfold --stacks 4000 4000 --sb 300 --bb 600 --prove
      errai jamfold --stack 10 --exact --out out/ten
      errai jamfold --chart --out out/chart
      errai jamfold --chart --from 5 --to 15 --ante 0.1 --json
    """
    from errai.cli.ending import leave
    from errai.cli.progress import Terminal
    from errai.errors import ErraiError
    from errai.figure import check_picture
    from errai.runs.run import Run

    for_hands = {"--stack": stack, "--stacks": stacks, "--sb": sb, "--bb": bb}
    for_charts = {"--from": low, "--to": high, "--step": step}
    kinds = {"--big-blind": big_blind, "--hand": hand, "--prove": prove, "--exact": exact}
    if csv is not None and csv.suffix.lower() != ".csv":
        raise ErraiError(f"--csv {csv}: the name of a table must end in .csv")
    if plot is not None:
        check_picture(plot)
    if rebuild_equities:
        others = {**for_hands, **for_charts, **kinds, "--ante": ante, "--chart": chart, "--out": out}
        _refuse({**others, "--csv": csv, "--plot": plot}, "--rebuild-equities")
        _rebuild(json, quiet)
        return
    if not chart and stack is None and stacks is None:
        raise ErraiError("give --stack BB, --stacks SB BB or --chart; see errai jamfold --help for examples")
    _refuse({**for_hands, **kinds} if chart else for_charts, "--chart", "with" if chart else "without")
    if stack is not None:
        _refuse({"--stacks": stacks, "--sb": sb, "--bb": bb}, "--stack")
    elif stacks is not None:
        for name, given in (("--sb", sb), ("--bb", bb)):
            if given is None:
                raise ErraiError(f"{name} is missing: --stacks needs --sb and --bb, in chips")
    if hand is not None:
        _check_hands(hand)
    with Run(out, Terminal(quiet), overwrite=overwrite) as run:
        output = Output(csv, plot, out, run, json, quiet)
        if chart:
            _chart(low, high, step, ante, output)
        else:
            dealt, unit = _hand(stack, stacks, sb, bb, ante)
            _single(dealt, unit, big_blind, prove, exact, hand, output)
    leave("jamfold", True, run.complete, out)


def _refuse(options: dict[str, Any], other: str, word: str = "with") -> None:
    from errai.errors import ErraiError

    for name, given in options.items():
        if given not in (None, False):
            raise ErraiError(f"{name} makes no sense {word} {other}; leave it out")


def _check_hands(text: str) -> None:
    """Refuse what names no hand, before anything is solved."""
    from errai.errors import ErraiError
    from errai.views.jamfold import asked_hands

    try:
        if asked_hands(text):
            return
    except ErraiError as error:
        raise ErraiError(f"--hand: {error}") from None
    raise ErraiError("--hand names no hand; write AKs, A5o, 77 or AhKd")


def _number(option: str, text: str) -> Any:
    """A number that a user typed, exactly."""
    from errai.errors import ErraiError
    from errai.sequence.builder import number

    try:
        return number(text)
    except ErraiError as error:
        raise ErraiError(f"{option}: {error}") from None


def _hand(
    stack: str | None, stacks: tuple[str, str] | None, sb: str | None, bb: str | None, ante: str | None
) -> tuple[Hand, str]:
    from errai.jamfold.single import hand_of

    forced = _number("--ante", ante or "0")
    if stacks is None:
        assert stack is not None
        return hand_of(_number("--stack", stack), None, None, None, forced)
    assert sb is not None
    assert bb is not None
    both = (_number("--stacks", stacks[0]), _number("--stacks", stacks[1]))
    return hand_of(None, both, _number("--sb", sb), _number("--bb", bb), forced)


def _single(
    hand: Hand, unit: str, big_blind: bool, prove: bool, exact: bool, asked: str | None, output: Output
) -> None:
    from errai.cli.jamfold_output import show_hand
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal
    from errai.files.manifest import MANIFEST
    from errai.jamfold.single import CSV, PICTURE, solve_hand
    from errai.sequence.certificate import NAME
    from errai.views.jamfold import asked_json

    proof: Proof | None = None
    fractions: Solution | None = None
    with Terminal(output.quiet) as terminal:
        terminal.step("solving the hand")
        began = time.perf_counter()
        solution = solve_hand(hand, "big" if big_blind else "small", unit)
        seconds = time.perf_counter() - began
        if exact:
            from errai.jamfold.tree import solve_exactly

            fractions = solve_exactly(hand, big_blind, terminal)
        if prove:
            from errai.jamfold.prove import prove as prove_hand

            terminal.step("proving what every optimal strategy must do")
            proof = prove_hand(hand, big_blind)
    content = {**solution.to_json(), "seconds": seconds}
    if fractions is not None:
        assert fractions.certificate is not None
        content["exact_value"] = str(fractions.certificate.value)
    if proof is not None:
        content["proof"] = {
            "value": str(proof.value),
            **{
                name: list(getattr(proof, name))
                for name in ("must_jam", "must_fold", "must_mix", "undecided")
            },
        }
    certificate = None if fractions is None else fractions.certificate
    names = [CSV, PICTURE, RESULT, *([] if certificate is None else [NAME]), MANIFEST]
    files = output.save(
        solution, "the hand", names, lambda folder: solution.save(folder, certificate, content)
    )
    if output.json:
        hands = {} if asked is None else {"hands": asked_json(solution, asked)}
        print_json({**content, **hands, "files": [str(file) for file in files]})
    else:
        show_hand(solution, seconds, fractions, proof, files, asked)


def _chart(low: str | None, high: str | None, step: str | None, ante: str | None, output: Output) -> None:
    from errai.cli.jamfold_output import show_chart
    from errai.cli.output import print_json
    from errai.cli.progress import Terminal
    from errai.files.manifest import MANIFEST
    from errai.jamfold.chart import CSV, PICTURE, chart

    options = {
        "low": ("--from", low),
        "high": ("--to", high),
        "step": ("--step", step),
        "ante": ("--ante", ante),
    }
    given = {name: _number(option, text) for name, (option, text) in options.items() if text is not None}
    with Terminal(output.quiet) as terminal:
        began = time.perf_counter()
        solved = chart(
            **given,
            progress=lambda share: terminal.step(f"solving stacks: {100 * share:.0f}%"),
            say=terminal.say,
        )
        seconds = time.perf_counter() - began
    content = {**solved.to_json(), "seconds": seconds}
    names = [CSV, PICTURE, RESULT, MANIFEST]
    files = output.save(solved, "the chart", names, lambda folder: solved.save(folder, content))
    if output.json:
        print_json({**content, "files": [str(file) for file in files]})
        return
    show_chart(solved, seconds, files)


def _rebuild(json: bool, quiet: bool) -> None:
    import numpy as np

    from errai.cli.output import duration, print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.errors import ErraiError
    from errai.jamfold.equities import PAIRS, compute_wins, equities

    with Terminal(quiet) as terminal:
        terminal.step("counting showdowns (the first time kernels are compiled: half a minute)")
        began = time.perf_counter()
        wins = compute_wins(
            progress=lambda share: terminal.step(f"counting showdowns: {100 * share:.0f}% of the boards")
        )
        seconds = time.perf_counter() - began
    if not np.array_equal(wins, equities().wins):
        raise ErraiError("the counts differ from the table that came with Errai; install Errai again")
    if json:
        print_json({"equal": True, "seconds": seconds, "pairs": PAIRS, "classes": len(wins)})
        return
    rows = [("counted", f"169 x 169 classes, {PAIRS:,} pairs of hands, every board")]
    print_rows([*rows, ("table", "equal to the one that came with Errai"), ("time", duration(seconds))])
