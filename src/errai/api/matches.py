"""Matches between agents, and what they show.

    import errai

    errai.match("holdem", "always-call", hands=100_000, duplicate=True).mean_mbb
    errai.match("holdem", "cmd:./bot.sh", hands=1_000, log="bot.log")

An agent is a saved strategy, a name such as holdem, always-call or win-rate, a strategy that is solved again while it
plays, such as holdem+resolve, or a program that speaks the ACPC protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import perf_counter

from errai.api.measuring import work_folder
from errai.api.parameters import thread_count
from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.errors import ErraiError, StoppedError
from errai.games.definition import GameDefinition
from errai.measure.exploitability import with_tables
from errai.play.agent import Agent, StrategyAgent
from errai.play.log import MatchLog
from errai.play.lookup import bucket_bytes, table_bytes
from errai.play.match import check_hands, play_match
from errai.play.opening import Table, open_agents
from errai.play.score import Estimate, Score, narrowest
from errai.play.subgame import parse_think
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run
from errai.strategy.kinds.buckets import TABLES, BucketStrategy
from errai.strategy.strategy import Strategy

__all__ = ["MatchResult", "cross_table", "match"]

WORTH_TABLES = 20_000  # hands: with fewer, buckets are found faster than their tables are made
Names = Sequence[str | Path]


@dataclass(frozen=True)
class MatchResult:
    """What a match has shown of the first of its players."""

    game: GameDefinition
    players: tuple[str, str]
    hands: int  # that were played
    planned: int
    seed: int
    duplicate: bool
    estimators: dict[str, Estimate]
    seats: tuple[Estimate, Estimate]  # plain, of the hands in each seat
    curve: tuple[tuple[int, float], ...]  # hands, chips won so far
    seconds: float

    @property
    def best(self) -> Estimate:
        """The estimate with the smallest interval."""
        return narrowest(self.estimators)

    @property
    def mean_mbb(self) -> float:
        return self.best.mean_mbb

    @property
    def ci95_mbb(self) -> float:
        return self.best.ci95_mbb

    @property
    def finished(self) -> bool:
        return self.hands == self.planned


def match(
    a: str | Path,
    b: str | Path,
    *,
    hands: int = 10_000,
    duplicate: bool = False,
    seed: int = 0,
    game: str | Path | GameDefinition | None = None,
    log: str | Path | None = None,
    overwrite: bool = False,
    aivat: bool = True,
    think: str | float | None = None,
    threads: int | None = None,
    monitor: Monitor = SILENT,
) -> MatchResult:
    """Play `hands` hands between two agents, the seats exchanged after each; with `duplicate` every deal twice.

    The cards are those that the ACPC's dealer deals with this `seed`. `game` is for agents that play any. The `log`
    is one of the ACPC, hand by hand. With `aivat` luck is taken out of the score, where a player is a strategy that
    can be looked up for all hands; that takes about a millisecond a hand in hold'em. `think` is how much a player
    such as holdem+resolve works on each solution: a number of iterations, or a time such as "2s". If the monitor
    stops the match, what was played so far counts.
    """
    check_hands(hands, duplicate)
    with MatchLog(None if log is None else Path(log), overwrite) as written:

        def tell(line: str) -> None:
            written.comment(line)
            monitor.warn(line)

        table = Table(
            hands,
            tell=tell,
            should_stop=monitor.should_stop,
            think=parse_think(think),
            threads=thread_count(threads),
        )
        agents = open_agents((a, b), game, table)
        try:
            agents = _ready(agents, hands, thread_count(threads), monitor)
            title = " ".join(("name/game/hands/seed", "match", agents[0].game.name, str(hands), str(seed)))
            written.comment(title)
            return _played(agents, hands, duplicate, seed, aivat, thread_count(threads), written, monitor)
        finally:
            for agent in agents:
                agent.close()


def cross_table(
    names: Names,
    *,
    hands: int = 10_000,
    duplicate: bool = False,
    seed: int = 0,
    game: str | Path | GameDefinition | None = None,
    aivat: bool = True,
    think: str | float | None = None,
    threads: int | None = None,
    monitor: Monitor = SILENT,
) -> dict[tuple[int, int], MatchResult]:
    """All pairs of some agents, by their places in the list; a pair that was stopped is left out."""
    check_hands(hands, duplicate)
    if len(names) < 2:
        raise ErraiError("a cross table needs two players or more", parameter="all_pairs")
    found: dict[tuple[int, int], MatchResult] = {}
    for first, second in combinations(range(len(names)), 2):
        played = match(
            names[first], names[second], hands=hands, duplicate=duplicate, seed=seed, game=game, aivat=aivat,
            think=think, threads=threads, monitor=monitor,
        )  # fmt: skip
        if not played.finished:
            break
        found[first, second] = played
    return found


def _played(
    agents: Sequence[Agent],
    hands: int,
    duplicate: bool,
    seed: int,
    aivat: bool,
    threads: int,
    log: MatchLog,
    monitor: Monitor,
) -> MatchResult:
    names = (agents[0].name, agents[1].name)
    if names[0] == names[1]:  # a log tells its players apart by their names
        names = (f"{names[0]}-1", f"{names[1]}-2")
        for agent, name in zip(agents, names, strict=True):
            agent.name = name
    began = perf_counter()
    score: Score = play_match(
        agents[0].game,
        agents,
        hands,
        seed=seed,
        duplicate=duplicate,
        aivat=aivat,
        threads=threads,
        log=log,
        monitor=monitor,
    )
    return MatchResult(
        agents[0].game, names, score.hands.samples, hands, seed, duplicate, score.estimators, score.by_seat(),
        tuple(score.curve), perf_counter() - began,
    )  # fmt: skip


def _ready(agents: Sequence[Agent], hands: int, threads: int, monitor: Monitor) -> list[Agent]:
    """The agents with the tables of their buckets, where they are there or worth making, once for each strategy."""
    tabled: dict[int, Strategy] = {}
    ready: list[Agent] = []
    for agent in agents:
        if isinstance(agent, StrategyAgent):
            key = id(agent.strategy)
            if key not in tabled:
                tabled[key] = _with_tables(agent, hands, threads, monitor)
            agent = StrategyAgent(agent.name, tabled[key])
        ready.append(agent)
    return ready


def _with_tables(agent: StrategyAgent, hands: int, threads: int, monitor: Monitor) -> Strategy:
    strategy = agent.strategy
    if not isinstance(strategy, BucketStrategy) or strategy.abstraction.has_tables:
        return strategy
    place = work_folder(strategy)  # where `exploit` keeps them, too
    if place is None or (hands < WORTH_TABLES and not (place / TABLES).is_dir()):
        return strategy
    need, room = bucket_bytes(strategy) + table_bytes(strategy), RESERVE * available_memory()
    if need > room:
        monitor.warn(
            f"the tables of {agent.name} need {format_bytes(need)} of memory and {format_bytes(room)} can be had: "
            "its buckets are found hand by hand"
        )
        return strategy
    monitor.say(f"estimate: {format_bytes(need)} of memory for the tables of {agent.name}")
    with Run(place, monitor, resume=place.is_dir()) as run:
        tabled = with_tables(strategy, place / TABLES, threads, run)
    if monitor.should_stop():
        raise StoppedError("stopped while the tables of the buckets were made")
    return tabled
