"""`errai solve` on extensive games: .efg files, games of OpenSpiel, and linear programs of Errai's own games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errai.cli.options import LINEAR
from errai.cli.output import duration, print_json, print_rows
from errai.cli.report import Rows, quality_rows, value_rows
from errai.cli.running import Outcome, Run, silent
from errai.errors import ErraiError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from errai.sequence import Solution

MOST_SHOWN = 30  # information sets of a strategy that is printed in full
MOST_IN_JSON = 1_000
MOST_ACTIONS = 8  # of one information set, all shown
LONGEST_FRACTION = 9


def concerns(game: str | None, method: str | None, resume: Path | None) -> bool:
    """Whether a command line is about an extensive game."""
    if resume is not None:
        from errai.sequence.checkpoint import is_extensive_checkpoint

        return is_extensive_checkpoint(resume)
    if method is not None and method.lower() in LINEAR:
        return True
    return game is not None and (game.startswith("openspiel:") or game.lower().endswith(".efg"))


def solve_extensive(run: Run, game: str | None, most_nodes: int | None, json: bool) -> int:
    """Solve, print, and return the exit code."""
    for option, given in (
        ("--threads", run.threads),
        ("--precision", run.precision),
        ("--no-isomorphism", run.no_isomorphism or None),
    ):
        if given is not None:
            raise ErraiError(f"{option} is for CFR on Errai's own poker games; leave it out here")
    outcome = _go_on(run, game) if run.resume is not None else _start(run, game, most_nodes)
    solution = outcome.result
    if json:
        print_json(_content(outcome))
        return outcome.code()
    print_rows(_rows(outcome))
    if solution.information_sets <= MOST_SHOWN:
        print()
        for line in strategy_lines(solution):
            print(line)
    return outcome.code()


def _start(run: Run, game: str | None, most_nodes: int | None) -> Outcome[Solution]:
    if game is None:
        raise ErraiError("give a game: a name, FILE.game, FILE.efg or openspiel:NAME")
    from errai.sequence import solve

    settings: dict[str, Any] = run.given("iterations", "target", "seconds", "strategy")
    if most_nodes is not None:
        if not game.startswith("openspiel:"):
            raise ErraiError("--most-nodes is for games of OpenSpiel; leave it out here")
        if most_nodes < 1:
            raise ErraiError(f"--most-nodes must be 1 or more, not {most_nodes}")
        settings["most_nodes"] = most_nodes
    rescue = Path(f"errai-{_short(game)}-checkpoint")
    with run.watched("thousandths") as (line, interrupt):
        tell = line.tell if line is not None else silent
        solution = solve(
            game,
            run.method or "",
            **settings,
            out=run.out,
            rescue=rescue,
            progress=line or silent,
            tell=tell,
            count=lambda nodes: tell(f"reading the game: {nodes:,} nodes"),
            wish_to_stop=interrupt,
        )
    return Outcome(solution, run.out if solution.finished else run.out or rescue, "solve")


def _go_on(run: Run, game: str | None) -> Outcome[Solution]:
    for option, given in (("the game", game), ("--method", run.method), ("--strategy", run.strategy)):
        if given is not None:
            raise ErraiError(f"{option} comes from the checkpoint; leave it out with --resume")
    from errai.sequence import resume

    assert run.resume is not None
    with run.watched("thousandths") as (line, interrupt):
        solution = resume(
            run.resume,
            **run.given("iterations", "target", "seconds"),
            out=run.out,
            progress=line or silent,
            wish_to_stop=interrupt,
        )
    return Outcome(solution, run.out or run.resume, "solve")


def _content(outcome: Outcome[Solution]) -> dict[str, Any]:
    from errai.sequence.export import tables

    solution = outcome.result
    shown = tables(solution.profile) if solution.information_sets <= MOST_IN_JSON else None
    return {**solution.to_json(), "strategies": shown, "out": outcome.folder and str(outcome.folder)}


def _rows(outcome: Outcome[Solution]) -> Rows:
    solution = outcome.result
    form = solution.profile.form
    names = form.game.players
    rows: Rows = [("game", solution.game or "untitled")]
    if solution.certificate is not None:
        rows += [
            ("value", f"{solution.certificate.value} for {names[0]}, exactly"),
            ("", f"= {solution.value[0]:.15g}"),
            ("proof", "both best responses win exactly that, checked in rationals"),
        ]
    else:
        rows += value_rows(solution, names, "")
        rows += quality_rows(solution)[: 1 if solution.method in LINEAR else 2]
    S, T = form.sequences
    rows.append(("information sets", f"{solution.information_sets:,}"))
    rows.append(("sequence form", f"{S:,} x {T:,} sequences, {form.entries:,} payoff entries"))
    simplex = "simplex iterations" if solution.method in LINEAR else "iterations"
    rows.append(
        ("method", f"{solution.method}: {solution.iterations:,} {simplex} in {duration(solution.seconds)}")
    )
    if outcome.folder is not None:
        rows.append(("files", str(outcome.folder)))
    elif solution.certificate is not None:
        rows.append(("certificate", "not saved; add --out DIR, then errai verify DIR checks it"))
    return rows


def strategy_lines(solution: Solution) -> Iterator[str]:
    """A small strategy, one line an information set; in fractions where they are known and short."""
    game, proof = solution.profile.form.game, solution.certificate
    listed = list(solution.profile.rows())
    width = min(max((len(name) for _, name, _ in listed), default=0), 40)
    for player in (0, 1):
        yield f"strategy of {game.players[player]}"
        for owner, name, row in listed:
            if owner != player:
                continue
            shown = {action: f"{share:.4f}" for action, share in row.items()}
            if proof is not None:
                exact = {action: str(number) for action, number in proof.strategies[player][name].items()}
                if max(map(len, exact.values())) <= LONGEST_FRACTION:
                    shown = exact
            if len(row) > MOST_ACTIONS:
                shown = {action: text for action, text in shown.items() if row[action] > 0}
            yield f"  {name:<{width}}  " + "  ".join(f"{action} {text}" for action, text in shown.items())
        never = sum(len(row) > MOST_ACTIONS for owner, _, row in listed if owner == player)
        if never:
            yield f"  (where there are more than {MOST_ACTIONS} actions, those never taken are left out)"


def _short(game: str) -> str:
    """A name for a folder."""
    name = (
        Path(game).stem
        if game.lower().endswith(".efg")
        else game.removeprefix("openspiel:").partition("(")[0]
    )
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name) or "game"
