"""`errai endgame`: one hold'em spot, solved and shown as a grid of hands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import (
    Iterations,
    Json,
    Method,
    NoIsomorphism,
    Out,
    Overwrite,
    Precision,
    Quiet,
    Resume,
    Seconds,
    StrategyKind,
    Target,
    Threads,
)
from errai.views.seats import POSITIONS, ROUNDS, board_text, pot_shares

if TYPE_CHECKING:
    from pathlib import Path

    from errai.api.result import Result
    from errai.cli.decision import FirstDecision
    from errai.cli.solving import Given
    from errai.engine.equity import Equity
    from errai.games.spot import Spot


GAME = "holdem"


def endgame(
    board: Annotated[
        str | None, typer.Option(metavar="CARDS", help='The public cards, as in "Ks7h2d 5c": 3, 4 or 5.')
    ] = None,
    betting: Annotated[
        str | None,
        typer.Option(
            metavar="ACTIONS",
            help='The betting so far, as in "rc/rc": r raise or bet, c call or check, / a next round. '
            "The button acts first before the flop, the big blind after it.",
        ),
    ] = None,
    oop: Annotated[
        str | None,
        typer.Option(
            metavar="RANGE",
            help="Hands of the big blind, who is out of position, as in 'QQ+, AKs, A5s:0.5'.  [default: all]",
        ),
    ] = None,
    ip: Annotated[
        str | None,
        typer.Option(metavar="RANGE", help="Hands of the button, who is in position.  [default: all]"),
    ] = None,
    method: Method = None,
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    threads: Threads = None,
    precision: Precision = None,
    strategy: StrategyKind = None,
    out: Out = None,
    overwrite: Overwrite = False,
    resume: Resume = None,
    no_isomorphism: NoIsomorphism = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a flop, turn or river of heads-up limit hold'em (blinds 5 and 10, bets 10 and 20).

    The first decision is shown as a 13 x 13 grid: pairs on the diagonal, suited hands above it, offsuit hands
    below, and in each cell how often the hand raises and calls. EV is net of all that was put in during the
    hand; equity is the chance to win when nothing more is bet. --out saves the whole solution.

    \b
    Examples:
      errai endgame --board "Ks7h2d 5c 9h" --betting "rc/rc/rc"
      errai endgame --board "Ks7h2d 5c" --betting rc/crc --oop 22+,A2s+ --ip TT+,AJ+
      errai endgame --board Ks7h2d5c9h --betting rc/rc/rc --json
      errai endgame --resume errai-holdem-checkpoint
    """
    from errai.cli.decision import first_decision
    from errai.cli.ending import leave
    from errai.cli.solving import Given
    from errai.engine.equity import equity

    given = Given(
        method, iterations, target, seconds, threads, precision, strategy, out, overwrite, resume,
        no_isomorphism, quiet,
    )  # fmt: skip
    result = _solved(given, board, betting, oop, ip)
    where = result.strategy.spot
    cores = threads or os.cpu_count() or 1
    chances = equity(where, cores)
    decision = first_decision(result.strategy, chances, cores)
    if json:
        from errai.cli.output import print_json

        print_json(_json(result, where, chances, decision))
    else:
        _show(result, where, chances, decision)
    if result.folder is not None and result.finished:
        _draw(result.folder, result, where, decision)
    leave("endgame", result.finished, result.saved, result.folder)


def _solved(given: Given, board: str | None, betting: str | None, oop: str | None, ip: str | None) -> Result:
    from errai.api.solving import endgame, resume
    from errai.cli.progress import Terminal
    from errai.engine.checkpoint import checkpoint_game
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game

    if given.resume is not None:
        if (saved := checkpoint_game(given.resume)) and (saved[1] or saved[0] != load_game(GAME)):
            start = " from its first card" if saved[1] else ""
            raise ErraiError(
                f"{given.resume} holds {saved[0].name}{start}; resume it with errai solve --resume {given.resume}"
            )
        given.refuse_with_resume(**{"--board": board, "--betting": betting, "--oop": oop, "--ip": ip})
        with Terminal(given.quiet) as terminal:
            return resume(given.resume, **given.changes(), monitor=terminal)
    for name, text in (("--board", board), ("--betting", betting)):
        if text is None or not text.strip():
            raise ErraiError(f"{name} is missing: endgame needs --board and --betting, or --resume DIR")
    assert board is not None
    assert betting is not None
    with Terminal(given.quiet) as terminal:
        aside = f"errai-{GAME}-checkpoint"
        return endgame(
            board, betting, oop, ip, game=GAME, **given.settings(), stopped_to=aside, monitor=terminal
        )


def _draw(folder: Path, result: Result, where: Spot, decision: FirstDecision) -> None:
    """The grid as a picture beside the saved solution."""
    from errai.figure import draw_grid

    player = ("big blind", "button")[decision.player]
    title = f"{board_text(where)}, {where.betting}, {player}: {result.exploitability_mbb:.2f} mbb/g"
    cells = {name: cell.shares for name, cell in decision.hands.items()}
    draw_grid(folder / "grid.png", title, cells, decision.names)


def _json(result: Result, where: Spot, chances: Equity, decision: FirstDecision) -> dict[str, Any]:
    shares = pot_shares(where, result.value)
    seats = ("oop", "ip")
    return {
        **result.to_json(),
        "out": result.folder and str(result.folder),
        "board": board_text(where),
        "betting": where.betting,
        "pot": where.pot,
        "exploitability_pot": result.exploitability / where.pot,
        "equity": dict(zip(seats, chances.seats, strict=True)),
        "ev": {
            seat: {"chips": chips, "pot_share": share}
            for seat, chips, share in zip(seats, result.value, shares, strict=True)
        },
        "first_decision": decision.to_json(),
    }


def _show(result: Result, where: Spot, chances: Equity, decision: FirstDecision) -> None:
    from errai.cli.grid import COLOURS, ORDER, grid, legend
    from errai.cli.output import console, print_rows
    from errai.views.rows import quality_rows, value_rows, work_rows

    shown = console()
    board = board_text(where)
    shown.print(f"{ROUNDS[where.state.round]} {board}   betting {where.betting}   pot {where.pot} chips")
    shown.print(f"{POSITIONS[decision.player]}: {legend(decision.names)}\n")
    shown.print(grid({name: cell.shares for name, cell in decision.hands.items()}))
    overall = [(letter, decision.overall[letter]) for letter in ORDER if letter in decision.overall]
    from rich.text import Text

    parts = [
        Text(f" {decision.names[letter]} {100 * share:.1f}% ", style=COLOURS[letter])
        for letter, share in overall
    ]
    shown.print(Text(f"{'overall':<16}") + Text(" ").join(parts))
    shares = pot_shares(where, result.value)
    shown.print(f"\n{'':<17}{'out of position':>16}{'in position':>16}")
    for label, cells in (
        ("equity", [f"{100 * chance:.2f}%" for chance in chances.seats]),
        ("EV, chips", [f"{chips:+.3f}" for chips in result.value]),
        ("EV, of the pot", [f"{100 * share:.2f}%" for share in shares]),
    ):
        shown.print(f"{label:<17}{cells[0]:>16}{cells[1]:>16}")
    shown.print()
    names = ("the big blind", "the button")
    print_rows([*value_rows(result, names), *quality_rows(result, where.pot), *work_rows(result)])
