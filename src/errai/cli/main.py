"""The `errai` command: which commands there are, and how each of them fails.

A problem that the user can act on costs one line on standard error and exit code 2. Heavy libraries are
imported inside the commands, so that help is there at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from errai.cli import (
    abstract,
    bench,
    cluster,
    dealer,
    endgame,
    exploit,
    export,
    games,
    jamfold,
    match,
    papers,
    plan,
    play,
    query,
    review,
    solve,
    strategy,
    tiers,
    tournament,
    train,
    verify,
)
from errai.cli.progress import say_when_compiling
from errai.cli.shown import guarded
from errai.cli.translation import options_of, translated
from errai.errors import ErraiError, StoppedError

FAILED, INTERRUPTED, PIPE_CLOSED = 2, 130, 141

# Typer carries Click within itself or beside itself, depending on its version. The parent of its BadParameter
# is Click's error for any wrong use, wherever that lives.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="errai",
    help="Errai solves two-player games, limit poker above all, and proves how good each solution is.",
    epilog="Every command explains itself and gives examples: errai COMMAND --help",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command(short_help="The built-in games and their sizes.")(games.games)
app.command(short_help="Solve a game and prove how good the solution is.")(solve.solve)
app.command(short_help="Solve a hold'em flop, turn or river; show a grid of hands.")(endgame.endgame)
app.command(short_help="Put hands into buckets, for games too large to solve.")(abstract.abstract)
app.command(short_help="Train a strategy on buckets of hands.")(train.train)
app.command(short_help="How exploitable a strategy is in the real game.")(exploit.exploit)
app.command(short_help="What a saved strategy does with a hand.")(query.query)
app.add_typer(strategy.app, short_help="Look at a saved strategy, or write it as a table.")
app.command(short_help="A no-limit hand by jam or fold, and push/fold charts.")(jamfold.jamfold)
app.command(short_help="A heads-up no-limit tournament by jam or fold, with proofs.")(tournament.tournament)
app.command(short_help="Check the proof of an exact solution.")(verify.verify)
app.command(short_help="Write a game as a Gambit .efg file.")(export.export)
app.command(short_help="Play against a strategy in the terminal.")(play.play)
app.command(short_help="Play a match between two agents.")(match.match)
app.command(short_help="What a player's decisions cost, by a strategy.")(review.review)
app.command(short_help="Players in tiers, skill told from luck.")(tiers.tiers)
app.command(short_help="Deal a match to players who connect (ACPC).")(dealer.dealer)
app.command(short_help="Play at a dealer of the ACPC.")(dealer.agent)
app.command(short_help="Redo a paper's programs, tables and figures.")(papers.papers)
app.command(short_help="What solving a game would cost on a cluster.")(plan.plan)
app.add_typer(cluster.app, short_help="Look at the machines of a cluster, and a solve on it.")
app.command(short_help="A signature of the engine's results, and its speed.")(bench.bench)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"errai {version('errai')}")
        raise typer.Exit


@app.callback()
def _errai(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    with guarded():
        say_when_compiling()
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    try:
        code = app(args=list(arguments) or ["--help"], prog_name="errai", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except ErraiError as error:
        failed = _fail(translated(error, options_of(typer.main.get_command(app), arguments)))
        return INTERRUPTED if isinstance(error, StoppedError) else failed
    except _UsageError as error:
        return _fail(_usage(error))
    except MemoryError:
        return _fail("out of memory; try --precision int16, --strategy current or a smaller game")
    except BrokenPipeError:
        # Whoever read our output is gone; point it elsewhere, so that the last flush does not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        return _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted; nothing was saved")
        return INTERRUPTED


def _fail(message: str) -> int:
    print("errai:", " ".join(message.split()), file=sys.stderr)
    return FAILED


def _usage(error: Exception) -> str:
    """What Click says about a wrong use, and where to read on."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "errai"
    text = message.strip().rstrip(".")
    return f"{text[:1].lower()}{text[1:]} (see {command} --help)"


def main() -> None:
    """The entry point of the `errai` program."""
    sys.exit(run(sys.argv[1:]))
