"""Every speed and memory bar of the engine, measured in one run.

    python benchmarks/run.py [--only WORD] [--with-flop]

Prints the figure, the bar and, where there is one, the ratio to a peer measured in the same run. Kernels are
compiled before the clock starts; the best of several repeats counts. Close other programs first. The flop
endgame takes 11 GB and some minutes, so it is asked for.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import pyspiel

from errai import sequence
from errai.engine.bench import CONTEXTS, river_throughput
from errai.engine.settings import Settings
from errai.engine.solver import Solver, prepare
from errai.engine.walker import Walker
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game
from errai.jamfold import tournament
from errai.jamfold.chart import chart
from errai.jamfold.equities import compute_wins
from errai.jamfold.hand import Hand
from errai.jamfold.linear_program import Solver as HandSolver
from errai.jamfold.matrix_game import big_blinds_hand, small_blinds_hand
from errai.jamfold.tournament_proof import proof_of
from errai.jamfold.tree import solve_exactly
from errai.sequence import SequenceForm, extensive_game, sequence_form
from errai.sequence.cfr import PlanSolver
from errai.sequence.program import optimum, program

CORES = os.cpu_count() or 1
TURN = ("Ks7h2d 5c", "rc/rc")
FLOP = ("Ks7h2d", "rc")
CEPHEUS_RHODE_ISLAND = (
    0.30  # seconds of the original program, one thread, no compression, same kind of machine
)


@dataclass(frozen=True)
class Figure:
    what: str
    measured: float
    unit: str
    bar: float | None = None
    more_is_better: bool = False
    note: str = ""

    def __str__(self) -> str:
        verdict = ""
        if self.bar is not None:
            met = self.measured >= self.bar if self.more_is_better else self.measured <= self.bar
            verdict = f"bar {self.bar:g}: {'met' if met else 'MISSED'}"
        return f"{self.what:52s} {self.measured:9.4g} {self.unit:10s} {verdict:22s} {self.note}"


def best_of(repeats: int, job: Callable[[], object]) -> float:
    """Seconds of the fastest repeat."""
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        job()
        best = min(best, time.perf_counter() - began)
    return best


def seconds_an_iteration(solver: Solver, threads: int, count: int, repeats: int = 5) -> float:
    rule = solver.settings.rule
    walker = Walker(solver.layout, threads)
    kernels = solver.store.for_kernels()
    walker.iterations(kernels, rule.rates(1, 1, 100), 1)
    rates = rule.rates(2, count, 100)
    best = best_of(repeats, lambda: walker.iterations(kernels, rates, 2))
    walker.close()
    return best / count


def hold_em(board: str, betting: str) -> Spot:
    return spot(load_game("holdem"), board, betting)


def river() -> Iterator[Figure]:
    bars = {1: 25.0, 9: 45.0, 81: 100.0}
    for contexts in CONTEXTS:
        found = river_throughput(contexts, 3.0)
        yield Figure(
            f"river round, {contexts} contexts, one core",
            found.updates_per_second / 1e6,
            "M/s",
            bars.get(contexts),
            more_is_better=True,
        )


def leduc() -> Iterator[Figure]:
    solver = prepare(whole_game(load_game("leduc")), Settings("cfr+", iterations=1000, threads=1))
    ours = seconds_an_iteration(solver, 1, 1000)
    theirs = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
    peer = best_of(5, lambda: [theirs.evaluate_and_update_policy() for _ in range(10)]) / 10
    note = f"OpenSpiel C++ CFR+ {1e3 * peer:.3g} ms: {peer / ours:.0f} x"
    yield Figure("leduc, 1000 iterations of CFR+, one core", 1e6 * ours, "ms", 60, note=note)


def rhode_island() -> Iterator[Figure]:
    where = whole_game(load_game("rhode-island"))
    solver = prepare(where, Settings(iterations=100))
    for threads in (1, CORES):
        took = seconds_an_iteration(solver, threads, 10)
        bar = 0.05 if threads == 1 else None
        note = f"the Cepheus program, not run here, {CEPHEUS_RHODE_ISLAND} s: {CEPHEUS_RHODE_ISLAND / took:.0f} x"
        yield Figure(f"rhode-island, an iteration, {threads} threads", took, "s", bar, note=note)
    yield to_target("rhode-island to 1 mbb/g, best responses included", where, 30)


def to_target(what: str, where: Spot, bar: float) -> Figure:
    solver = prepare(where, Settings(target=1.0))
    solver.run()
    assert solver.evaluation is not None
    note = f"{solver.iteration} iterations, {solver.evaluation.exploitability_mbb:.3f} mbb/g"
    return Figure(what, solver.seconds, "s", bar, note=note)


def resident(*arguments: str) -> float:
    """Gigabytes that a command holds at its peak, everything included."""
    program = (
        "import resource, sys; from errai.cli.main import run; run(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True
    )
    return int(done.stderr.split()[-1]) * 1024 / 1e9


def holdem_2_4() -> Iterator[Figure]:
    solver = prepare(whole_game(load_game("holdem-2-4")), Settings(iterations=100))
    yield Figure("holdem-2-4, an iteration", seconds_an_iteration(solver, CORES, 2, 4), "s", 2.5)
    note = f"estimated {solver.memory.total / 1e9:.2f}"
    del solver
    peak = resident("solve", "holdem-2-4", "--iterations", "2")
    yield Figure("holdem-2-4, resident with average and best response", peak, "GB", 3.5, note=note)


def turn() -> Iterator[Figure]:
    solver = prepare(hold_em(*TURN), Settings(iterations=100))
    yield Figure("turn endgame, an iteration", seconds_an_iteration(solver, CORES, 10), "s", 0.06)
    yield to_target("turn endgame to 1 mbb/g, best responses included", hold_em(*TURN), 30)


def flop() -> Iterator[Figure]:
    solver = prepare(hold_em(*FLOP), Settings(iterations=100, precision="int16", strategy="current"))
    note = f"estimated {solver.memory.total / 1e9:.2f}"
    yield Figure("flop endgame, an iteration", seconds_an_iteration(solver, CORES, 1, 3), "s", 30)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9
    yield Figure("flop endgame, resident with int16, current", held, "GB", 16, note=note)


def command_line() -> Iterator[Figure]:
    def call(*arguments: str) -> None:
        subprocess.run([sys.executable, "-m", "errai", *arguments], check=True, capture_output=True)

    call("solve", "leduc", "--iterations", "100")
    yield Figure("errai --help", best_of(7, lambda: call("--help")), "s", 0.4)
    yield Figure("a second errai solve leduc", best_of(3, lambda: call("solve", "leduc")), "s", 2)


def sequence_form_of_leduc() -> Iterator[Figure]:
    form = sequence_form(extensive_game("leduc"))
    took = best_of(5, lambda: optimum(program(form)))
    yield Figure("leduc in sequence form, LP", took, "s", 1)
    took = best_of(3, lambda: sequence.solve("leduc", "exact").certificate.verify())
    yield Figure("leduc, exact, certificate made and verified twice", took, "s", 30)
    ours = seconds_of_plans(form, 1000)
    theirs = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
    peer = best_of(5, lambda: [theirs.evaluate_and_update_policy() for _ in range(10)]) / 10
    note = f"OpenSpiel C++ CFR+ {1e3 * peer:.3g} ms"
    yield Figure("leduc in sequence form, an iteration of CFR+", 1e6 * ours, "us", 30, note=note)
    yield Figure("   times OpenSpiel", peer / ours, "x", 100, more_is_better=True)


def sequence_form_of_millions() -> Iterator[Figure]:
    rules = replace(load_game("leduc"), name="leduc with 52 cards", suits=4, ranks=13)
    began = time.perf_counter()
    form = sequence_form(extensive_game(rules))
    took = time.perf_counter() - began
    note = f"{form.entries:,} payoff entries, {form.game.nodes:,} nodes"
    yield Figure("leduc with 52 cards, tree and sequence form", took, "s", 60, note=note)
    yield Figure("   an iteration of CFR+, one core", seconds_of_plans(form, 5), "s", 0.1)


def seconds_of_plans(form: SequenceForm, count: int, repeats: int = 7) -> float:
    solver = PlanSolver(Settings("cfr+", iterations=count, precision="float64"), form)
    rates = solver.settings.rule.rates(2, count, count)
    with solver.working() as work:
        work.iterate(rates, 2)
        return best_of(repeats, lambda: work.iterate(rates, 2)) / count


def jam_or_fold() -> Iterator[Figure]:
    ten = Hand((Fraction(10), Fraction(10)), Fraction(1, 2), Fraction(1))
    for name, game in (("small", small_blinds_hand), ("big", big_blinds_hand)):
        took = best_of(5, lambda game=game: HandSolver()(game(ten, float)))
        found = HandSolver()(game(ten, float))
        note = f"value between two numbers that differ by {found.ceiling - found.guarantee:.1g}"
        yield Figure(f"a jam/fold hand at 10 big blinds, {name} blind", 1e3 * took, "ms", 50, note=note)
    took = best_of(2, lambda: solve_exactly(ten))
    yield Figure("   exact, with certificate", took, "s", 10)
    yield Figure("a chart of jams and calls", best_of(2, chart), "s", 10)
    began = time.perf_counter()
    found = tournament.solve(8000, 300, 600)
    took = time.perf_counter() - began
    note = f"bounds to {found.to_json()['jam_fold_error']:.1e}, proven in exact arithmetic; aim 10"
    yield Figure("the paper's tournament", took, "s", 60, note=note)
    proof = proof_of(found)
    yield Figure("   its proof checked again", best_of(2, proof.verify), "s", 300)
    compute_wins()  # compiles
    yield Figure("table of equities, all 169 x 169", best_of(1, compute_wins), "s", 180)


def whole_game_of_holdem() -> Iterator[Figure]:
    from blueprint import FLOPS, open_and_ask, response_core_hours, samples_a_second, strength_seconds

    yield Figure("river strength on all 134,459 boards, one core", strength_seconds(), "s", 60)
    hours, seconds = response_core_hours()
    note = f"from {FLOPS} random flops, {seconds:.0f} core-seconds; 2011: 1,824"
    yield Figure("best response in the unabstracted game, all flops", hours, "core-hours", 40, note=note)
    for method in ("cfr+", "cfr+-br"):
        yield Figure(f"training by {method}, all cores", samples_a_second(method), "boards/s")
    opening, asking = open_and_ask()
    yield Figure("opening the strategy that comes with Errai", opening, "s", 0.3)
    for street, seconds in zip(("flop", "turn", "river"), asking, strict=True):
        yield Figure(f"a query of a {street}, median of 100", 1e3 * seconds, "ms", 5)


PARTS = {
    "command line": command_line,
    "river": river,
    "leduc": leduc,
    "sequence form of leduc": sequence_form_of_leduc,
    "sequence form of millions": sequence_form_of_millions,
    "jam or fold": jam_or_fold,
    "rhode-island": rhode_island,
    "turn": turn,
    "holdem-2-4": holdem_2_4,
    "blueprint": whole_game_of_holdem,
    "flop": flop,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="parts whose name contains this")
    parser.add_argument("--with-flop", action="store_true", help="the flop endgame too: 11 GB, some minutes")
    options = parser.parse_args()
    for name, part in PARTS.items():
        if options.only in name and (name != "flop" or options.with_flop or options.only == "flop"):
            for figure in part():
                print(figure, flush=True)


if __name__ == "__main__":
    main()
