"""Re-solving at the table: how long a decision takes, how good it is, and what a local best response wins.

    python benchmarks/resolve.py [speed] [gadgets] [blueprint] [local] [--spots N]

Spots are turns that the strategy that comes with Errai has come to in both seats, on cards of the ACPC's dealer.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import numpy as np

from errai.cards.notation import hands
from errai.engine.evaluation import Evaluator
from errai.engine.layout import Layout
from errai.games.state import HandState, start
from errai.play.agent import StrategyAgent, chosen, seen_by
from errai.play.dealing import Deal, Dealer
from errai.play.draws import draw
from errai.play.gadget import GADGETS
from errai.play.local import LocalBestResponse
from errai.play.resolving import ResolvingStrategy
from errai.play.score import Z95
from errai.play.subgame import Think
from errai.play.table import dealt
from errai.strategy.files import open_strategy
from errai.strategy.limit import LimitStrategy
from errai.strategy.strategy import live_hands
from errai.strategy.values import subgame

CORES = os.cpu_count() or 1
TURN = 2
TURN_BAR, RIVER_BAR = 3.0, 0.3
BLUEPRINT = open_strategy("holdem")
HOLES = hands(52, 2)
MBB = 1000 / BLUEPRINT.big_blind


def turns(count: int, seed: int = 1) -> Iterator[tuple[Deal, HandState, int]]:
    """Hands that come to the turn where both seats play the blueprint, and how many hands that took."""
    agent, dealer = StrategyAgent("holdem", BLUEPRINT), Dealer(BLUEPRINT.game, seed)
    found = hands = 0
    while found < count:
        deal, decision = dealer.next(), 0
        hands += 1
        state = dealt(start(BLUEPRINT.game, deal.hole), deal.board)
        while not state.over and state.round < TURN:
            shares = agent.probabilities(seen_by(state, state.player))
            state = dealt(state.act(chosen(shares, draw(seed, deal.number, decision))), deal.board)
            decision += 1
        if not state.over:
            found += 1
            yield deal, state, hands


def speed(spots: int) -> None:
    """Seconds of the first decision on the turn and on the river, all cores, and what the solutions are like."""
    seconds: dict[str, list[float]] = {"turn": [], "river": []}
    quality: dict[str, list[tuple[float, float]]] = {"turn": [], "river": []}
    warm = ResolvingStrategy(BLUEPRINT, Think(2), threads=CORES)
    for deal, state, _ in turns(spots):
        if not seconds["turn"]:
            warm.decide(state)
        strategy = ResolvingStrategy(BLUEPRINT, threads=CORES)
        river = dealt(state.act("c").act("c"), deal.board)
        for name, at in (("turn", state), ("river", river)):
            began = time.perf_counter()
            strategy.decide(at)
            seconds[name].append(time.perf_counter() - began)
            found = strategy.resolved(at, at.player)
            quality[name].append((found.won * MBB, found.conceded * MBB))
    for name, bar in (("turn", TURN_BAR), ("river", RIVER_BAR)):
        middle, most = float(np.median(seconds[name])), max(seconds[name])
        won, conceded = np.mean(quality[name], axis=0)
        met = "meets" if most < bar else "misses"
        print(f"{name} decision, {CORES} cores: {middle:.2f} s, at most {most:.2f} s; {met} {bar:g} s")
        print(f"    a best response wins {won:.1f} mbb less there, hands concede {conceded:.2f}")


def gadgets(spots: int) -> None:
    """What best responses win less after each gadget, and what hands concede."""
    for iterations in (30, 60, 120):
        found: dict[str, list[tuple[float, float, float]]] = {gadget: [] for gadget in GADGETS}
        for _, state, _ in turns(spots):
            for gadget in GADGETS:
                strategy = ResolvingStrategy(BLUEPRINT, Think(iterations), gadget=gadget, threads=CORES)
                resolved = strategy.resolved(state, state.player)
                most = float(resolved.gains.max())
                found[gadget].append((resolved.won * MBB, resolved.conceded * MBB, most * MBB))
        for gadget, rows in found.items():
            won, conceded, most = np.mean(rows, axis=0)
            print(
                f"{gadget:12s} {iterations:4d} iterations, {len(rows)} spots: won {won:7.1f} mbb, "
                f"conceded {conceded:6.2f}, by one hand {most:6.1f}",
                flush=True,
            )


def blueprint(spots: int) -> None:
    """What the solution of a turn wins from the blueprint, more than the blueprint wins from itself: exactly."""
    found, share = [], 0.0
    for number, (_, state, dealt_so_far) in enumerate(turns(spots)):
        seat = number % 2
        resolved = ResolvingStrategy(BLUEPRINT, threads=CORES).resolved(state, seat)
        solution = resolved.solution
        places, weights = subgame(BLUEPRINT, state, solution.spot)
        evaluator = Evaluator(places, CORES)
        lost = [
            np.nan_to_num(evaluator.hand_values(1 - seat, of))
            for of in (weights, _joined(places, solution.weights, weights, seat))
        ]
        H = len(lost[0])
        first, size = places.hand_classes.hand[:H], places.hand_classes.size[:H]
        likely = size * BLUEPRINT.reach(state, 1 - seat)[first] * evaluator.opposing_weight(1 - seat)
        evaluator.close()
        share = (number + 1) / dealt_so_far
        found.append((likely * (lost[0] - lost[1])).sum() / likely.sum() * MBB)
    _show("wins from the blueprint, more than itself", np.array(found))
    print(f"    {100 * share:.0f}% of hands come to the turn")


def _joined(places: Layout, mine: np.ndarray, other: np.ndarray, seat: int) -> np.ndarray:
    """The weights of one player for the nodes of a seat, of the other for the rest."""
    joined, boards = other.copy(), places.boards
    for board, level in enumerate(boards.level.tolist()):
        template, part = places.shape.templates[level], slice(*boards.offset[board : board + 2])
        shape = (-1, template.rows, int(places.shape.classes[board] * places.betting.chunk[level]))
        into, out_of = joined[part].reshape(shape), mine[part].reshape(shape)
        for node in template.nodes:
            if node.player == seat:
                rows = slice(node.row, node.row + len(node.actions))
                into[:, rows] = out_of[:, rows]
    return joined


def _show(name: str, values: np.ndarray) -> None:
    error = Z95 * values.std(ddof=1) / len(values) ** 0.5
    print(f"    {name:12s} {values.mean():8.1f} ± {error:.1f} mbb, {len(values)} spots", flush=True)


def local(spots: int, held: int = 20) -> None:
    """What a local best response wins from the turn on, of the blueprint and of what is solved again, in pairs.

    It holds hands of the blueprint's range; of each the expectation over all hands of the opponent is taken.
    """
    rng, before, after = np.random.default_rng(1), [], []
    resolving = ResolvingStrategy(BLUEPRINT, threads=CORES)
    for number, (deal, state, dealt_so_far) in enumerate(turns(spots)):
        seat = number % 2
        mine = BLUEPRINT.reach(state, seat)
        river = deal.board[-1]
        mine = mine * live_hands(BLUEPRINT.game, (river,))
        drawn = rng.choice(len(mine), held, p=mine / mine.sum())
        won = [
            np.mean([_worth(of, state, seat, int(hand), (*state.cards, river)) for hand in drawn])
            for of in (BLUEPRINT, resolving)
        ]
        before.append(won[0] * MBB)
        after.append(won[1] * MBB)
        if number % 5 == 4 or number == spots - 1:
            share = (number + 1) / dealt_so_far
            print(f"after {number + 1} spots, {100 * share:.0f}% of hands come to the turn:")
            for name, values in (
                ("blueprint", np.array(before)),
                ("solved again", np.array(after)),
                ("difference", np.array(before) - np.array(after)),
            ):
                _show(name, values)


def _worth(strategy: LimitStrategy, state: HandState, seat: int, hand: int, board: tuple[int, ...]) -> float:
    """Chips that a local best response wins from a state on with a hand."""
    cards = tuple(int(card) for card in HOLES[hand])
    player = LocalBestResponse("local", strategy.game, strategy)
    weights = player.range(state, 1 - seat, cards)
    return player.worth(state, seat, cards, board, weights / weights.sum())


def main() -> None:
    words = sys.argv[1:]
    spots = int(words[words.index("--spots") + 1]) if "--spots" in words else 10
    parts = {"speed": speed, "gadgets": gadgets, "blueprint": blueprint, "local": local}
    for name, part in parts.items():
        if name in words or not set(words) & set(parts):
            part(spots)


if __name__ == "__main__":
    main()
