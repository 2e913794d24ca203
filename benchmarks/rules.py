"""Which rule is best? Iterations and seconds to 10, 1 and 0.1 mbb/g for every rule, as a Markdown table.

    python benchmarks/rules.py [leduc] [rhode-island] [turn] [--most N] [--threads N]

The exploitability is that of the average strategy, looked at after every tenth more iterations, so a number of
iterations is at most 10% too large. Seconds are of the iterations alone, without the best responses.
"""

from __future__ import annotations

import argparse
import math
import os
import time

from errai.engine.evaluation import Evaluator
from errai.engine.layout import layout
from errai.engine.rules import RULES, Rule
from errai.engine.store import new_store
from errai.engine.walker import Walker
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game

TARGETS = (10.0, 1.0, 0.1)
GAMES = ("leduc", "rhode-island", "turn")


def the_spot(name: str) -> Spot:
    if name == "turn":
        return spot(load_game("holdem"), "Ks7h2d 5c", "rc/rc")
    return whole_game(load_game(name))


def race(where: Spot, rule: Rule, most: int, threads: int) -> tuple[dict[float, tuple[int, float]], float]:
    """Target -> (iterations, seconds), and the exploitability at the end."""
    built = layout(where)
    store = new_store(
        "float32", int(built.boards.offset[-1]), int(built.boards.block[-1]), True, rule.prediction
    )
    walker, evaluator = Walker(built, threads), Evaluator(built, threads)
    done, seconds, reached = 0, 0.0, {}
    exploitability = math.inf
    while done < most and len(reached) < len(TARGETS):
        count = min(max(math.ceil(done * 0.1), 1), most - done)
        rates = rule.rates(done + 1, count, most)
        began = time.perf_counter()
        walker.iterations(store.for_kernels(), rates, done + 1)
        seconds += time.perf_counter() - began
        done += count
        exploitability = evaluator.evaluate(store.average).exploitability_mbb
        for target in TARGETS:
            if exploitability <= target and target not in reached:
                reached[target] = (done, seconds)
    walker.close()
    evaluator.close()
    return reached, exploitability


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="game")
    parser.add_argument("--most", type=int, default=2000, help="iterations at most")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    for name in options.games:
        where = the_spot(name)
        race(where, RULES["cfr+"], 2, options.threads)  # compile
        race(where, RULES["pcfr+"], 2, options.threads)
        print(f"\n{name}, {options.threads} threads, float32, at most {options.most} iterations\n")
        print("| rule | 10 mbb/g | 1 mbb/g | 0.1 mbb/g | mbb/g at the end |")
        print("|---|---|---|---|---|")
        for rule in RULES.values():
            reached, last = race(where, rule, options.most, options.threads)
            cells = []
            for target in TARGETS:
                if target in reached:
                    iterations, seconds = reached[target]
                    cells.append(f"{iterations} ({seconds:.3g} s)")
                else:
                    cells.append("-")
            print(f"| {rule.name} | {' | '.join(cells)} | {last:.3g} |", flush=True)


if __name__ == "__main__":
    main()
