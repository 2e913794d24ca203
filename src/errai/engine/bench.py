"""A signature of what the engine computes, and how fast its kernels are.

The signature is a hash of the regrets after fixed iterations of fixed games on one thread. It is the same on
every run and on every CPU, so a change to the engine either keeps it ("no functional change") or says the new one.

The throughput is that of the river round of hold'em with K contexts side by side. One iteration updates both
players, each of the template's 10 decisions once: 10 * H * K information sets.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, replace

import numpy as np

from errai.cards.hand_classes import hand_classes
from errai.engine.layout import Layout, betting_arrays, board_arrays, shape
from errai.engine.rules import RULES
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.engine.store import new_store
from errai.engine.walker import Walker
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game

RIVER = ("Ks7h2d5c9h", "rc/rc/rc")
CONTEXTS = (1, 7, 9, 81, 567)  # 81 contexts: a river after the turn of a flop; 567: of the whole game
SIGNED = (("leduc", 1000), ("rhode-island", 5), ("river", 200))  # game, iterations
SEED = 20


@dataclass(frozen=True)
class Throughput:
    """Information-set updates per second on one core."""

    contexts: int
    hands: int
    updates_per_second: float


def river_spot() -> Spot:
    """The river spot of the bench: a raise and a call in every round before, all hands."""
    return spot(load_game("holdem"), *RIVER)


def signature() -> str:
    """Twelve hexadecimal digits of all games' regrets."""
    return combined(signatures())


def combined(parts: dict[str, str]) -> str:
    """One signature of several."""
    return hashlib.sha256("".join(parts.values()).encode()).hexdigest()[:12]


def signatures() -> dict[str, str]:
    """Game -> twelve hexadecimal digits of its regrets after its fixed iterations."""
    found = {}
    for name, iterations in SIGNED:
        where = river_spot() if name == "river" else whole_game(load_game(name))
        solver = prepare(where, Settings(iterations=iterations, threads=1))
        rule = solver.settings.rule
        walker = Walker(solver.layout, 1)
        walker.iterations(solver.store.for_kernels(), rule.rates(1, iterations, iterations), 1)
        walker.close()
        # Sums are ordered by the layout alone; adding zero makes -0 and 0 the same bits.
        found[name] = hashlib.sha256((solver.store.regret + 0).tobytes()).hexdigest()[:12]
    return found


def river_layout(contexts: int) -> Layout:
    """The river board with so many contexts, as if so many betting histories led to it."""
    where = river_spot()
    known = replace(shape(where, isomorphism=False), contexts=(contexts,))
    hands = hand_classes(known.tree, where.deck, known.moves, where.game.hole_cards, where.game.ranking)
    stakes = np.linspace(0, 100, contexts)
    widest = int(known.classes.max())
    betting = betting_arrays(where.game, known.templates, known.contexts, known.tree.public, widest)
    betting = betting._replace(stake=stakes)
    return Layout(where, known, hands, betting, board_arrays(known, hands, betting))


def river_throughput(contexts: int, seconds: float = 1.0) -> Throughput:
    """The best of the repeats that fit into so many seconds, on one core with CFR+ in float32."""
    built = river_layout(contexts)
    H = int(built.shape.classes[0])
    walker = Walker(built, 1)
    chunk = int(built.betting.chunk[0])
    generator = np.random.default_rng(SEED)
    walker._root_reach = generator.random((2, H * chunk), dtype=np.float32)
    store = new_store("float32", int(built.boards.offset[-1]), int(built.boards.block[-1]), True, False)
    kernels, rule = store.for_kernels(), RULES["cfr+"]
    updates = len(built.shape.templates[0].nodes) * H * contexts
    count = max(1, round(2e7 / updates))  # iterations of one repeat, some tenths of a second
    walker.iterations(kernels, rule.rates(1, 1, count), 1)
    best, first = np.inf, 2
    began = time.perf_counter()
    while True:
        rates = rule.rates(first, count, count)
        start = time.perf_counter()
        walker.iterations(kernels, rates, first)
        now = time.perf_counter()
        best = min(best, now - start)
        first += count
        if now - began >= seconds:
            break
    walker.close()
    return Throughput(contexts, H, updates * count / best)
