"""`errai endgame`: one hold'em spot, solved and shown as a grid of hands."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import (
    All,
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
from errai.errors import ErraiError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from errai.api.result import Result
    from errai.api.solving import Range
    from errai.cli.decision import FirstDecision
    from errai.cli.solving import Given
    from errai.engine.equity import Equity
    from errai.games.definition import GameDefinition
    from errai.games.spot import Spot
    from errai.strategy.query import Query


GAME = "holdem"


def endgame(
    board: Annotated[
        str | None, typer.Option(metavar="CARDS", help='The public cards, as in "Ks7h2d 5c": 3, 4 or 5.')
    ] = None,
    betting: Annotated[
        str | None,
        typer.Option(
            metavar="ACTIONS",
            help='The betting so far, as in "raise call / bet call" or "rc/rc": r raise or bet, c call or check, / a '
            "next round. The button acts first before the flop, the big blind after it.",
        ),
    ] = None,
    oop: Annotated[
        str | None,
        typer.Option(
            metavar="RANGE",
            help="Hands of the big blind, who is out of position, as in 'QQ+, AKs, A5s:50%', or @FILE with such a "
            "text.  [default: all, or those of --from]",
        ),
    ] = None,
    ip: Annotated[
        str | None,
        typer.Option(
            metavar="RANGE",
            help="Hands of the button, who is in position.  [default: all, or those of --from]",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="STRATEGY",
            help="Both ranges as a strategy gets here: holdem, or the folder of a saved one. What it does here is "
            "shown beside the solution.",
        ),
    ] = None,
    everything: All = False,
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

    Ranges are given, or come from a strategy of the whole game, which then plays the hand up to this point, and an
    exact solution the rest of it.

    The first decision is shown as a 13 x 13 grid: pairs on the diagonal, suited hands above it, offsuit hands
    below, and in each cell how often the hand raises and calls. EV is net of all that was put in during the
    hand; equity is the chance to win when nothing more is bet. --out saves the whole solution.

    \b
    Examples:
      errai endgame --board "Ks7h2d 5c 9h" --betting "rc/rc/rc"
      errai endgame --board "Ks7h2d 5c" --betting rc/crc --oop 22+,A2s+ --ip TT+,AJ+
      errai endgame --board "Ks7h2d 5c" --betting "raise call / bet call" --from holdem
      errai endgame --board Ks7h2d5c9h --betting rc/rc/rc --json
      errai endgame --resume errai-holdem-checkpoint
    """
    from errai.cli.decision import draw_view, first_decision
    from errai.cli.ending import leave
    from errai.cli.solving import Given
    from errai.engine.equity import equity
    from errai.formatting import figure
    from errai.strategy.kinds.exact import ExactStrategy

    given = Given(
        method, iterations, target, seconds, threads, precision, strategy, out, overwrite, resume,
        no_isomorphism, quiet,
    )  # fmt: skip
    blueprint = None
    if resume is None:
        for name, text in (("--board", board), ("--betting", betting)):
            if text is None or not text.strip():
                raise ErraiError(f"{name} is missing: endgame needs --board and --betting, or --resume DIR")
        blueprint = None if source is None else _blueprint(source, board, betting)
    result = _solved(given, board, betting, oop, ip, source, blueprint)
    if not isinstance(result.strategy, ExactStrategy):
        raise ErraiError(f"{resume} is solved in subgames; resume it with errai solve --resume")
    where = result.strategy.spot
    cores = threads or os.cpu_count() or 1
    chances = equity(where, cores)
    decision = first_decision(result.strategy, chances, cores)
    if json:
        from errai.cli.output import print_json

        print_json(_json(result, where, chances, decision, source, blueprint))
    else:
        _show(result, where, chances, decision, everything, source, blueprint)
    if result.folder is not None and result.finished:
        quality = f"exploitable for {figure(result.exploitability_mbb)} mbb/g"
        draw_view(result.folder / "grid.png", decision.grid, everything, quality)
    leave("endgame", result.finished, result.saved, result.folder)


def _solved(
    given: Given,
    board: str | None,
    betting: str | None,
    oop: str | None,
    ip: str | None,
    source: str | None,
    blueprint: Query | None,
) -> Result:
    from errai.api.solving import endgame, resume
    from errai.cli.options import range_option
    from errai.cli.progress import Terminal
    from errai.engine.checkpoint import checkpoint_game
    from errai.games.catalogue import load_game

    if given.resume is not None:
        if (saved := checkpoint_game(given.resume)) and (saved[1] or saved[0] != load_game(GAME)):
            start = " from its first card" if saved[1] else ""
            raise ErraiError(
                f"{given.resume} holds {saved[0].name}{start}; resume it with errai solve --resume {given.resume}"
            )
        given.refuse_with_resume(
            **{"--board": board, "--betting": betting, "--oop": oop, "--ip": ip, "--from": source}
        )
        with Terminal(given.quiet) as terminal:
            return resume(given.resume, **given.changes(), monitor=terminal)
    assert board is not None
    assert betting is not None
    ranges: list[Range] = [range_option("oop", oop), range_option("ip", ip)]
    game: str | GameDefinition = GAME
    if blueprint is not None:
        game = blueprint.state.game
        for seat in (0, 1):
            if ranges[seat] is None:
                ranges[seat] = _range_of(blueprint, seat)
    with Terminal(given.quiet) as terminal:
        aside = f"errai-{GAME}-checkpoint"
        return endgame(
            board, betting, *ranges, game=game, **given.settings(), stopped_to=aside, monitor=terminal
        )


def _blueprint(source: str, board: str | None, betting: str | None) -> Query:
    """The decision of a strategy at this point of the hand."""
    from errai.strategy.files import open_strategy
    from errai.strategy.query import query

    opened = open_strategy(source)
    if opened.game.betting != "limit" or (opened.game.deck_size, opened.game.hole_cards) != (52, 2):
        raise ErraiError(f"--from needs a strategy of limit hold'em; {source} plays {opened.title}")
    return query(opened, betting, board)


def _range_of(blueprint: Query, seat: int) -> NDArray[np.float64]:
    found = blueprint.range_of(seat)
    if not found.any():
        who, option = blueprint.strategy.seats[seat], ("--oop", "--ip")[seat]
        raise ErraiError(f"the {who} never gets here as the strategy of --from plays; give {option} RANGE")
    return found


def _of_blueprint(blueprint: Query, decision: FirstDecision) -> dict[str, float]:
    """Action letter -> how often the strategy of --from takes it, with the ranges that were solved."""
    import numpy as np

    from errai.strategy.query import weighted_mean

    known = np.where(np.isnan(blueprint.decision.probabilities).any(axis=1), 0.0, decision.weights)
    shares = weighted_mean(blueprint.decision.probabilities, known)
    return dict(zip(blueprint.decision.actions, shares, strict=True))


def _json(
    result: Result,
    where: Spot,
    chances: Equity,
    decision: FirstDecision,
    source: str | None,
    blueprint: Query | None,
) -> dict[str, Any]:
    from errai.views.seats import board_text, pot_shares

    shares = pot_shares(where, result.value)
    seats = ("oop", "ip")
    content = {
        **result.to_json(),
        "out": result.folder and str(result.folder),
        "board": board_text(where),
        "betting": where.betting,
        "pot": where.pot,
        "pot_bb": where.pot / where.game.unit,
        "combos": {seat: float(weights.sum()) for seat, weights in zip(seats, where.ranges, strict=True)},
        "exploitability_pot": result.exploitability / where.pot,
        "equity": dict(zip(seats, chances.seats, strict=True)),
        "ev": {
            seat: {"chips": chips, "pot_share": share}
            for seat, chips, share in zip(seats, result.value, shares, strict=True)
        },
        "first_decision": decision.to_json(),
    }
    if blueprint is not None:
        played = decision.named(_of_blueprint(blueprint, decision))
        content["from"] = {"strategy": source, "frequencies": played}
    return content


def _show(
    result: Result,
    where: Spot,
    chances: Equity,
    decision: FirstDecision,
    everything: bool,
    source: str | None,
    blueprint: Query | None,
) -> None:
    from errai.cli.decision import show_grid
    from errai.cli.output import console, print_rows
    from errai.views.rows import quality_rows, value_rows, work_rows
    from errai.views.seats import pot_shares

    shown = console()
    lines = None
    if blueprint is not None:
        played = _of_blueprint(blueprint, decision)
        lines = {"exact solution": decision.grid.overall, Path(str(source)).name[:15]: played}
    show_grid(decision.grid, everything, lines)
    shares = pot_shares(where, result.value)
    shown.print(f"\n{'':<15}{'big blind':>12}{'button':>12}")
    for label, cells in (
        ("combos", [f"{weights.sum():,.1f}" for weights in where.ranges]),
        ("equity", [f"{100 * chance:.2f}%" for chance in chances.seats]),
        ("EV, chips", [f"{chips:+.3f}" for chips in result.value]),
        ("EV, bb", [f"{chips / where.game.unit:+.4f}" for chips in result.value]),
        ("EV, of the pot", [f"{100 * share:.2f}%" for share in shares]),
    ):
        shown.print(f"{label:<15}{cells[0]:>12}{cells[1]:>12}")
    shown.print()
    names = ("the big blind", "the button")
    print_rows([*value_rows(result, names), *quality_rows(result, where.pot), *work_rows(result)])
