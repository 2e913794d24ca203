"""Solve any two-player zero-sum game with perfect recall, by one of several methods.

lp            the linear program of the sequence form, by HiGHS
exact         the same in rationals, with a certificate
normal-form   the linear program of the matrix of pure strategies, for tiny games
cfr+, dcfr .. CFR on the sequence form, by the rules of the engine
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from errai.engine.checkpoint import checkpoint_bytes
from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.engine.rules import RULES
from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.files.writing import require_room
from errai.formatting import duration
from errai.games.definition import GameDefinition
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run, resumed, save_aside
from errai.runs.schedule import EVERY
from errai.sequence.certificate import certify
from errai.sequence.cfr import PlanSolver
from errai.sequence.checkpoint import load_checkpoint, save_checkpoint
from errai.sequence.exact import exact_optimum, to_floats
from errai.sequence.form import SequenceForm, sequence_form
from errai.sequence.normal import solve_normal_form
from errai.sequence.openspiel import MOST_NODES
from errai.sequence.poker import BYTES_OF_A_NODE
from errai.sequence.profile import profile_of_plans
from errai.sequence.program import optimum, program
from errai.sequence.solution import Solution, solution_of
from errai.sequence.sources import extensive_game
from errai.sequence.tree import ExtensiveGame

LINEAR = ("lp", "exact", "normal-form")
METHODS = (*LINEAR, *RULES)
SMALL = 200_000  # payoff entries up to which the linear program is the default
CALIBRATED, LP_SECONDS, EXACT_SECONDS = 95_000, 6.0, 4.0  # payoff entries of a game, and what it took
BYTES_OF_AN_ENTRY = 600
WORTH_SAYING = 5.0  # seconds
MOST_ENTRIES = {"lp": 3_000_000, "exact": 500_000}


def solve(
    game: str | Path | GameDefinition | ExtensiveGame,
    method: str = "",
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    strategy: str = "average",
    delay: int = 0,
    most_nodes: int = MOST_NODES,
    out: str | Path | None = None,
    overwrite: bool = False,
    stopped_to: str | Path | None = None,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> Solution:
    """Solve an extensive game, or whatever `extensive_game` makes one of.

    Without a `method` a small game is solved by lp, and a larger one, or one with limits, by dcfr. The limits are
    for CFR: a number of `iterations`, a `target` of exploitability in thousandths of a payoff (of a big blind in a
    poker game), a number of `seconds`. The `monitor` is told how it goes and may stop it.

    With `out` the strategies, the result, and for exact the certificate are saved there, and for CFR also a
    checkpoint on the way (see `errai.solve`). Without `out` a CFR solution that is stopped leaves a checkpoint in the
    folder `stopped_to`, if one is given. A linear program that is stopped is a StoppedError.
    """
    limits = {"iterations": iterations, "target": target, "seconds": seconds}
    limited = any(limit is not None for limit in limits.values())
    chosen = method.lower()
    if chosen and chosen not in METHODS:
        raise ErraiError(f"unknown method '{method}': choose one of {', '.join(METHODS)}", parameter="method")
    if chosen in LINEAR and (limited or strategy != "average" or delay):
        raise ErraiError(
            f"{chosen} ends by itself; limits and kinds of strategy are for cfr+, dcfr and the like"
        )
    settings = Settings(
        method="" if chosen in LINEAR else chosen,
        iterations=iterations, target=target, seconds=seconds, strategy=strategy, delay=delay, precision="float64",
    )  # fmt: skip
    with Run(out, monitor, overwrite=overwrite, checkpoint_every=checkpoint_every) as run:
        tree = extensive_game(game, most_nodes=most_nodes, monitor=monitor)
        monitor.step(
            f"sequence form of {tree.nodes:,} nodes: "
            f"about {format_bytes(BYTES_OF_A_NODE * tree.nodes)} of memory"
        )
        form = sequence_form(tree)
        if not chosen:
            small = form.entries <= SMALL and not limited and strategy == "average" and not delay
            chosen = "lp" if small else settings.method
        if chosen in LINEAR:
            return _saved(run, _solve_linear(form, chosen, monitor))
        return _run(run, PlanSolver(settings, form), stopped_to)


def resume(
    folder: str | Path,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    checkpoint_every: float | None = EVERY,
    monitor: Monitor = SILENT,
) -> Solution:
    """Resume a CFR solution that was saved with `out`, to its own limits or to new ones.

    New limits take the place of all the old ones, and are for this run: so many `iterations` or `seconds` more. The
    result is saved to the same folder, or to `out`.
    """
    limits = {"iterations": iterations, "target": target, "seconds": seconds}
    changes = limits if any(limit is not None for limit in limits.values()) else {}
    source = Path(folder)
    with resumed(source, out, monitor, overwrite=overwrite, checkpoint_every=checkpoint_every) as run:
        return _run(run, load_checkpoint(source, **changes))


def _solve_linear(form: SequenceForm, method: str, monitor: Monitor) -> Solution:
    began = time.perf_counter()
    _refuse_if_too_large(form, method)
    certificate = None
    if method == "normal-form":
        profile, iterations = solve_normal_form(form, monitor)
    else:
        if method == "exact":
            assert form.exact_payoff  # before the work: a game without fractions has no exact solution
        _say_cost(form, method, monitor)
        monitor.step(f"linear program: {form.entries:,} payoff entries")
        found = optimum(program(form), monitor)
        plans, iterations = found.plans, found.iterations
        if method == "exact":
            exact = exact_optimum(form, found, monitor)
            monitor.step("exact: writing the certificate")
            certificate = certify(form, exact)
            certificate.verify(form)
            plans = to_floats(exact.plans[0]), to_floats(exact.plans[1])
        profile = profile_of_plans(form, plans)
    evaluation = profile.evaluate()
    if certificate is not None:
        # What the certificate proves, not what rounding it to floats makes of it.
        value = float(to_floats([certificate.value])[0]) - float(form.game.shift)
        evaluation = replace(evaluation, value=(value, -value), best_response=(value, -value))
    seconds = time.perf_counter() - began
    proven = certificate is not None
    return solution_of(
        profile, evaluation, method, iterations, seconds,
        target=0.0 if proven else None, converged=proven, certificate=certificate,
    )  # fmt: skip


def _refuse_if_too_large(form: SequenceForm, method: str) -> None:
    most = MOST_ENTRIES.get(method)
    if most is None or form.entries <= most:
        return
    better = (
        'method="lp" or method="cfr+"'
        if method == "exact" and form.entries <= MOST_ENTRIES["lp"]
        else 'method="cfr+"'
    )
    raise ErraiError(
        f"{form.game.title or 'this game'} has {form.entries:,} payoff entries in sequence form; "
        f"{method} is for up to {most:,}, {better} would do"
    )


def _say_cost(form: SequenceForm, method: str, monitor: Monitor) -> None:
    """Say what a long linear program will take, from what games of other sizes took; refuse what does not fit."""
    size = form.entries / CALIBRATED
    seconds = LP_SECONDS * size**1.6 + (EXACT_SECONDS * size**2 if method == "exact" else 0.0)
    need, room = BYTES_OF_AN_ENTRY * form.entries, RESERVE * available_memory()
    if need > room:
        raise ErraiError(
            f"the linear program of {form.game.title or 'this game'} needs {format_bytes(need)} of memory and "
            f'{format_bytes(room)} can be had; method="cfr+" would do'
        )
    if seconds > WORTH_SAYING:
        size_text = f"{form.entries:,} payoff entries, {format_bytes(need)} of memory"
        monitor.say(f"estimate: {size_text}, about {duration(seconds)} by {method}")


def _run(run: Run, solver: PlanSolver, stopped_to: str | Path | None = None) -> Solution:
    if run.folder is not None:
        folder = run.folder
        # The strategy, a checkpoint, and the one before it: better to know now than after hours.
        require_room(folder, 3 * checkpoint_bytes(solver))
        run.checkpoint_with(lambda: save_checkpoint(folder, solver))
    if solver.iteration and solver.done:
        run.monitor.say(f"nothing to do: {solver.iteration:,} iterations have reached the limits already")
    finished = solver.run(run)
    run.checkpoint(now=True)
    assert solver.evaluation is not None
    solution = solution_of(
        solver.profile(),
        solver.evaluation,
        solver.settings.rule.name,
        solver.iteration,
        solver.seconds,
        target=solver.settings.stop_at,
        converged=solver.converged,
        finished=finished,
        history=tuple(solver.history),
    )
    if run.folder is None and stopped_to is not None and not finished:
        kept = save_aside(Path(stopped_to), run.monitor, lambda folder: save_checkpoint(folder, solver))
        return replace(solution, folder=kept)
    return _saved(run, solution)


def _saved(run: Run, solution: Solution) -> Solution:
    if run.folder is None:
        return solution
    there = run.save("the solution", partial(solution.save, run.folder))
    return replace(solution, folder=run.folder if there else None, saved=run.complete)
