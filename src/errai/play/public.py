"""Agents at a table as kernels that follow public states take them (errai.play.kernels.public_state)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree
from errai.play.batch import Ints, Played
from errai.play.betting_arrays import betting_of, deck_of
from errai.play.kernels.public_state import BY_HAND, MOST_ACTIONS, RULE, UNKNOWN, Game, Guess, Plays, Work
from errai.play.lookup import LookupAgent, RuleAgent
from errai.strategy.kinds.rule import RuleStrategy
from errai.strategy.value_function import ValueFunction

Known = LookupAgent | RuleAgent | None  # None: not known


def seated(game: GameDefinition, by_seat: Sequence[Known], by: LookupAgent, values: ValueFunction) -> Game:
    """Agents by seat, and values by the buckets of one that looks up its hands."""
    guess = Guess(values.value, values.first, values.bins, values.bin_of, values.first_bin, 0)
    looking = [by, *(a for a in by_seat if isinstance(a, LookupAgent) and a.arrays is not by.arrays)]
    first, second = _plays_of(game, by_seat[0], by), _plays_of(game, by_seat[1], by)
    arrays = (looking[0].arrays, looking[-1].arrays)
    return Game(betting_of(game), deck_of(game), arrays, len(looking), (first, second), guess)


def working(game: GameDefinition) -> Work:
    """Room for one thread."""
    deck = deck_of(game)
    N = len(deck.hole)

    def floats(*shape: int) -> NDArray[np.float64]:
        return np.zeros((*shape, N))

    def whole(*shape: int) -> Ints:
        return np.zeros((*shape, N), np.int64)

    return Work(
        ranges=floats(2), met=floats(), won=floats(), part=floats(), value=floats(), shares=floats(MOST_ACTIONS),
        sums=np.zeros((2, deck.size + 1)), live=whole(), bucket=whole(2), place=whole(2), before=whole(),
        bins=whole(game.rounds), buckets=whole(game.rounds), strength=np.zeros(N, np.int32),
        keys=whole(), order=whole(), ties=np.zeros(N, np.int32),
    )  # fmt: skip


def read(agents: Sequence[Known], played: Played) -> None:
    """Have all that lookup agents did on the way in memory."""
    for round_, K in enumerate(played.tree.contexts):
        here = played.round >= round_
        contexts = np.unique(played.context[here] % K) if here.any() else np.zeros(0, np.int64)
        for agent in agents:
            if isinstance(agent, LookupAgent):
                agent.read(round_, contexts)


def in_parts(work: Callable[[int, Ints], None], n: int, parts: int, threads: int) -> None:
    """Do the work of n hands in so many parts, work(number of the part, its hands), on several threads."""
    cut = [(part, hands) for part, hands in enumerate(np.array_split(np.arange(n), parts)) if len(hands)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda one: work(*one), cut))


def alike(first: Known, second: Known) -> bool:
    """Whether two agents are known to play alike."""
    if isinstance(first, LookupAgent) and isinstance(second, LookupAgent):
        return first.flat is second.flat
    return first is second


def _plays_of(game: GameDefinition, agent: Known, by: LookupAgent) -> Plays:
    nothing = np.zeros(game.rounds, np.int64)
    small, wide = np.zeros(0, np.uint8), np.zeros(0, np.float32)
    if agent is None:
        return Plays(small, wide, nothing, nothing, nothing, UNKNOWN, 0)
    if isinstance(agent, RuleAgent):
        small, first = _rule_rows(game, agent.strategy)
        return Plays(small, wide, first, nothing, nothing, RULE, 0)
    if agent.flat.dtype == np.uint8:
        small = agent.flat
    else:
        wide = agent.flat
    rows, counts = np.array([(A, count) for _, count, A in agent.shapes], np.int64).T.copy()
    return Plays(small, wide, agent.first, rows, counts, BY_HAND, int(agent.arrays is not by.arrays))


def _rule_rows(game: GameDefinition, rule: RuleStrategy) -> tuple[NDArray[np.uint8], Ints]:
    """The rows of a rule, one for each action of every round's template."""
    parts = []
    for template in betting_tree(game).templates:
        rows = np.zeros(template.rows, np.uint8)
        for node in template.nodes:
            taken = rule.taken(node)
            rows[node.row : node.row + len(node.actions)] = [action in taken for action in node.actions]
        parts.append(rows)
    first = np.cumsum([0, *map(len, parts[:-1])]).astype(np.int64)
    return np.concatenate(parts), first
