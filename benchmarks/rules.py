"""Which rule is best? Iterations and seconds to 10, 1 and 0.1 mbb/g for every rule, as a Markdown table.

    python benchmarks/rules.py [leduc] [rhode-island] [turn] .. [--rules dcfr,sdcfr] [--most N] [--threads N]

A spot is a built-in game or one of those named below, with all hands, narrow or wide ranges.

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
from errai.engine.rules import RULES, Rule, rule_named
from errai.engine.store import new_store
from errai.engine.walker import Walker
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game

TARGETS = (10.0, 1.0, 0.1)
GAMES = ("leduc", "rhode-island", "turn")
NARROW = ("22-JJ,AQ", "QQ+,AK")
WIDE = (
    "22+,A2s+,K2s+,Q6s+,J7s+,T7s+,96s+,86s+,75s+,64s+,53s+,A5o+,K9o+,Q9o+,J9o+,T8o+,98o",
    "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,86s+,76s,65s,A7o+,KTo+,QTo+,JTo",
)
ALL = (None, None)
SPOTS = {
    "turn": ("Ks7h2d 5c", "rc/rc", ALL),
    "turn-flush-draw": ("Ks7s2d 5c", "rc/rc", ALL),
    "turn-two-flush-draws": ("Ks7s2d 5d", "rc/rc", ALL),
    "turn-narrow": ("Ts8h3d 2c", "rrc/rc", NARROW),
    "turn-wide": ("Js9s4d Ah", "rc/rc", WIDE),
    "turn-paired": ("KsKd6s 6c", "rc/rc", WIDE),
    "river": ("Ks7h2d 5c 9h", "rc/rc/rc", ALL),
    "river-narrow": ("Ts8h3d 2c Qs", "rrc/rc/rc", NARROW),
    "river-wide": ("Js9s4d Ah 7s", "rc/rc/rc", WIDE),
}


def the_spot(name: str) -> Spot:
    if name in SPOTS:
        return spot(load_game("holdem"), *SPOTS[name])
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
    parser.add_argument("--rules", default=",".join(RULES), help="with commas between them")
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
        for rule in map(rule_named, options.rules.split(",")):
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
