"""Solve any two-player zero-sum game with perfect recall, by one of several methods.

lp            the linear program of the sequence form, by HiGHS
exact         the same in rationals, with a certificate
normal-form   the linear program of the matrix of pure strategies, for tiny games
cfr+, dcfr .. CFR on the sequence form, by the rules of the engine
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from errai.engine.checkpoint import CHECKPOINT_EVERY, Checkpoints, checkpoint_bytes
from errai.engine.loop import Progress, Wish, never, silent
from errai.engine.memory import format_bytes
from errai.engine.rules import RULES
from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.files.writing import make_folder, require_room
from errai.games.definition import GameDefinition
from errai.sequence.certificate import certify
from errai.sequence.cfr import PlanSolver
from errai.sequence.checkpoint import load_checkpoint, save_checkpoint
from errai.sequence.exact import exact_optimum, to_floats
from errai.sequence.form import SequenceForm, sequence_form
from errai.sequence.normal import solve_normal_form
from errai.sequence.openspiel import MOST_NODES
from errai.sequence.poker import BYTES_OF_A_NODE
from errai.sequence.profile import profile_of_plans
from errai.sequence.program import Tell, optimum, program, untold
from errai.sequence.solution import Solution, solution_of
from errai.sequence.sources import extensive_game, uncounted
from errai.sequence.tree import ExtensiveGame

LINEAR = ("lp", "exact", "normal-form")
METHODS = (*LINEAR, *RULES)
SMALL = 200_000  # payoff entries up to which the linear program is the default
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
    checkpoint_every: float | None = CHECKPOINT_EVERY,
    progress: Progress = silent,
    tell: Tell = untold,
    count: Callable[[int], None] = uncounted,
    wish_to_stop: Wish = never,
    rescue: str | Path | None = None,
) -> Solution:
    """Solve an extensive game, or whatever `extensive_game` makes one of.

    Without a `method` a small game is solved by lp, and a larger one, or one with limits, by dcfr. The limits are
    for CFR: a number of `iterations`, a `target` of exploitability in thousandths of a payoff (of a big blind in a
    poker game), a number of `seconds`. `progress` is told how CFR goes, `tell` in words what else is being
    done, `count` how many nodes have been read.

    With `out` the strategies, the result, and for exact the certificate are saved there, and for CFR also a
    checkpoint on the way, every `checkpoint_every` seconds. Without `out` a CFR solution that is stopped by wish
    leaves a checkpoint in the folder `rescue`, if one is given.
    """
    limits = {"iterations": iterations, "target": target, "seconds": seconds}
    limited = any(limit is not None for limit in limits.values())
    chosen = method.lower()
    if chosen and chosen not in METHODS:
        raise ErraiError(f"unknown method '{method}': choose one of {', '.join(METHODS)}")
    if chosen in LINEAR and (limited or strategy != "average" or delay):
        raise ErraiError(
            f"{chosen} ends by itself; limits and kinds of strategy are for cfr+, dcfr and the like"
        )
    settings = Settings(
        method="" if chosen in LINEAR else chosen,
        iterations=iterations, target=target, seconds=seconds, strategy=strategy, delay=delay, precision="float64",
    )  # fmt: skip
    folder = None if out is None else make_folder(Path(out))
    tree = extensive_game(game, most_nodes=most_nodes, progress=count)
    tell(
        f"sequence form of {tree.nodes:,} nodes: about {format_bytes(BYTES_OF_A_NODE * tree.nodes)} of memory"
    )
    form = sequence_form(tree)
    if not chosen:
        small = form.entries <= SMALL and not limited and strategy == "average" and not delay
        chosen = "lp" if small else settings.method
    if chosen in LINEAR:
        solution = _solve_linear(form, chosen, tell, wish_to_stop)
        if folder is not None:
            solution.save(folder)
        return solution
    return _run(PlanSolver(settings, form), folder, checkpoint_every, progress, wish_to_stop, rescue)


def resume(
    folder: str | Path,
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    out: str | Path | None = None,
    checkpoint_every: float | None = CHECKPOINT_EVERY,
    progress: Progress = silent,
    wish_to_stop: Wish = never,
) -> Solution:
    """Go on with a CFR solution that was saved with `out`, to its own limits or to new ones.

    New limits take the place of all the old ones, and count from the beginning of the solution.
    """
    limits = {"iterations": iterations, "target": target, "seconds": seconds}
    changes = limits if any(limit is not None for limit in limits.values()) else {}
    solver = load_checkpoint(Path(folder), **changes)
    destination = make_folder(Path(folder if out is None else out))
    return _run(solver, destination, checkpoint_every, progress, wish_to_stop, None)


def _solve_linear(form: SequenceForm, method: str, tell: Tell, wish: Wish) -> Solution:
    began = time.perf_counter()
    _refuse_if_too_large(form, method)
    certificate = None
    if method == "normal-form":
        profile, iterations = solve_normal_form(form, tell, wish)
    else:
        if method == "exact":
            assert form.exact_payoff  # before the work: a game without fractions has no exact solution
        tell(f"linear program: {form.entries:,} payoff entries")
        found = optimum(program(form), tell, wish)
        plans, iterations = found.plans, found.iterations
        if method == "exact":
            exact = exact_optimum(form, found, tell, wish)
            tell("exact: writing the certificate")
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
    better = "lp or cfr+" if method == "exact" and form.entries <= MOST_ENTRIES["lp"] else "cfr+"
    raise ErraiError(
        f"{form.game.title or 'this game'} has {form.entries:,} payoff entries in sequence form; "
        f"{method} is for up to {most:,}, --method {better} would do"
    )


def _run(
    solver: PlanSolver,
    folder: Path | None,
    every: float | None,
    progress: Progress,
    wish: Wish,
    rescue: str | Path | None,
) -> Solution:
    if folder is not None:
        require_room(folder, 3 * checkpoint_bytes(solver))
        if every is not None:
            wish = Checkpoints(lambda: save_checkpoint(folder, solver), every, wish)
    finished = solver.run(progress, wish)
    if folder is not None:
        save_checkpoint(folder, solver)
    elif rescue is not None and not finished:
        save_checkpoint(Path(rescue), solver)
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
    if folder is not None:
        solution.save(folder)
    return solution
