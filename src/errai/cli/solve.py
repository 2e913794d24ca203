"""`errai solve`: a whole game, solved and proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from errai.cli.options import (
    Cluster,
    Flops,
    Iterations,
    Json,
    MemoryLimit,
    MostNodes,
    NoIsomorphism,
    Out,
    Overwrite,
    Precision,
    Quiet,
    Resume,
    SampleFlops,
    Scratch,
    Seconds,
    SolveMethod,
    StrategyKind,
    Target,
    Threads,
)

if TYPE_CHECKING:
    from errai.api.result import Result
    from errai.cli.solving import Given


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
    overwrite: Overwrite = False,
    resume: Resume = None,
    no_isomorphism: NoIsomorphism = False,
    scratch: Scratch = None,
    memory: MemoryLimit = None,
    cluster: Cluster = None,
    flops: Flops = None,
    sample_flops: SampleFlops = None,
    most_nodes: MostNodes = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a game, and prove by a best response how good the solution is.

    It stops at the first limit that is reached. With --out a checkpoint is written every minute or so. Ctrl-C stops
    too, after writing a checkpoint into --out, or into errai-GAME-checkpoint when there is no --out; a second Ctrl-C
    stops at once.

    \b
    Examples:
      errai solve leduc
      errai solve rhode-island --target 1 --out out/rhode-island
      errai solve my.game --method cfr+ --iterations 1000 --precision float64
      errai solve --resume out/rhode-island --target 0.1
      errai solve leduc --method exact --out out/leduc-exact
      errai solve royal --scratch out/scratch --memory 8GB --target 10 --out out/royal
      errai solve holdem --flops Ks7h2d --scratch out/scratch --iterations 100
      errai solve royal --scratch out/scratch --cluster local:2
      errai solve game.efg
      errai solve openspiel:liars_dice --method lp
    """
    from errai.cli.ending import leave
    from errai.cli.extensive import concerns, solve_extensive
    from errai.cli.options import LINEAR, METHODS
    from errai.cli.output import print_json, print_rows
    from errai.cli.solving import Given
    from errai.errors import ErraiError
    from errai.views.rows import solution_rows

    given = Given(
        method, iterations, target, seconds, threads, precision, strategy, out, overwrite, resume,
        no_isomorphism, quiet, scratch, memory, cluster, flops, sample_flops,
    )  # fmt: skip
    if method is not None and method.lower() not in (*LINEAR, *METHODS):
        raise ErraiError(f"unknown method '{method}': choose one of {', '.join((*METHODS, *LINEAR))}")
    divided = [scratch, memory, cluster, flops, sample_flops]
    if any(option is not None for option in divided) and precision not in (None, "int16"):
        raise ErraiError("--scratch, --flops and --cluster keep regrets as int16; leave out --precision")
    if concerns(game, method, resume):
        if any(option is not None for option in divided):
            raise ErraiError("--scratch, --memory, --cluster and --flops are for limit poker solved by CFR")
        solve_extensive(given, game, most_nodes, json)
        return
    if most_nodes is not None:
        raise ErraiError("--most-nodes is for games of OpenSpiel; leave it out here")
    result = _solved(given, game)
    if json:
        print_json({**result.to_json(), "out": result.folder and str(result.folder)})
    else:
        print_rows(solution_rows(result))
    leave("solve", result.finished, result.saved, result.folder)


def _solved(given: Given, game: str | None) -> Result:
    from errai.api.solving import resume, solve
    from errai.cli.progress import Terminal
    from errai.engine.checkpoint import checkpoint_game
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game

    if given.resume is not None:
        if game is not None and (saved := checkpoint_game(given.resume)) and saved[0] != load_game(game):
            raise ErraiError(f"the checkpoint in {given.resume} is of {saved[0].name} and not of {game}")
        given.refuse_with_resume()
        with Terminal(given.quiet) as terminal:
            return resume(given.resume, **given.changes(), monitor=terminal)
    if game is None:
        raise ErraiError("give a game or --resume DIR; errai games lists the built-in games")
    rules = load_game(game)
    with Terminal(given.quiet) as terminal:
        # When nobody named a folder, the work of a stopped run is still worth one.
        aside = f"errai-{rules.name}-checkpoint"
        return solve(rules, **given.settings(), stopped_to=aside, monitor=terminal)
