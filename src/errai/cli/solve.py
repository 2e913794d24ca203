"""`errai solve`: a whole game, solved and proven."""

from __future__ import annotations

from typing import Annotated

import typer

from errai.cli.options import (
    Iterations,
    Json,
    MostNodes,
    NoIsomorphism,
    Out,
    Precision,
    Quiet,
    Resume,
    Seconds,
    SolveMethod,
    StrategyKind,
    Target,
    Threads,
)


def solve(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME|FILE|openspiel:NAME",
            help="A built-in game (see errai games), a .game file of rules in the format of the Annual Computer "
            "Poker Competition, an .efg file of Gambit, or a game of OpenSpiel.",
        ),
    ] = None,
    method: SolveMethod = None,
    iterations: Iterations = None,
    target: Target = None,
    seconds: Seconds = None,
    threads: Threads = None,
    precision: Precision = None,
    strategy: StrategyKind = None,
    out: Out = None,
    resume: Resume = None,
    no_isomorphism: NoIsomorphism = False,
    most_nodes: MostNodes = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a game, and prove by a best response how good the solution is.

    It stops at the first limit that is reached. Ctrl-C stops too, after writing a checkpoint into --out, or
    into errai-GAME-checkpoint when there is no --out; a second Ctrl-C stops at once.

    \b
    Examples:
      errai solve leduc
      errai solve rhode-island --target 1 --out out/rhode-island
      errai solve my.game --method cfr+ --iterations 1000 --precision float64
      errai solve --resume out/rhode-island --target 0.1
      errai solve leduc --method exact --out out/leduc-exact
      errai solve game.efg
      errai solve openspiel:liars_dice --method lp
    """
    from errai.cli.extensive import concerns, solve_extensive
    from errai.cli.options import LINEAR, METHODS
    from errai.cli.output import print_json, print_rows
    from errai.cli.report import quality_rows, value_rows, work_rows
    from errai.cli.running import Run, saved_spot
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game
    from errai.games.spot import whole_game

    run = Run(
        "solve", method, iterations, target, seconds, threads, precision, strategy, out, resume,
        no_isomorphism, quiet,
    )  # fmt: skip
    if method is not None and method.lower() not in (*LINEAR, *METHODS):
        raise ErraiError(f"unknown method '{method}': choose one of {', '.join((*METHODS, *LINEAR))}")
    if concerns(game, method, resume):
        if code := solve_extensive(run, game, most_nodes, json):
            raise typer.Exit(code)
        return
    if most_nodes is not None:
        raise ErraiError("--most-nodes is for games of OpenSpiel; leave it out here")
    if resume is not None:
        if game is not None and (saved := saved_spot(resume)) and saved[0] != load_game(game):
            raise ErraiError(f"the checkpoint in {resume} is of {saved[0].name} and not of {game}")
        outcome = run.go_on()
    elif game is None:
        raise ErraiError("give a game or --resume DIR; errai games lists the built-in games")
    else:
        outcome = run.start(whole_game(load_game(game)))
    if json:
        print_json({**outcome.result.to_json(), "out": outcome.folder and str(outcome.folder)})
    else:
        result = outcome.result
        rows = [("game", result.game), *value_rows(result), *quality_rows(result), *work_rows(outcome)]
        print_rows(rows)
    if code := outcome.code():
        raise typer.Exit(code)
