"""A match between two agents: so many hands, the seats exchanged after each, and what it shows.

    score = play_match(game, (a, b), hands=100_000, seed=1)
    score.best.mean_mbb, score.best.ci95_mbb

Agents that look up what they do play in batches (errai.play.batch), all others hand by hand (errai.play.table); the
same cards and random numbers lead to the same hands. In a duplicate match every deal is played twice in a row, with
the seats exchanged. If a match is stopped, its score is that of the hands played so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

import numpy as np

from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.errors import ErraiError, StoppedError
from errai.formatting import duration
from errai.games.acpc import write_cards
from errai.games.definition import GameDefinition
from errai.games.state import HandState
from errai.play.agent import Agent, StrategyAgent
from errai.play.aivat import estimator_of
from errai.play.batch import BatchAgent, Dealt, Ints, Played, play_batch, played_hands
from errai.play.dealing import Dealer, as_deal
from errai.play.log import MatchLog
from errai.play.lookup import tables_of
from errai.play.score import Estimate, Score
from errai.play.table import at_random, play_hand
from errai.runs.monitor import SILENT, Monitor, Progress

BLOCK = 8192  # hands of a batch; an even number
SECONDS = 0.5  # between two reports of hands that are played one by one


@dataclass(frozen=True)
class MatchProgress(Progress):
    """How far a match has come."""

    hands: int = 0
    planned: int = 0
    seconds: float = 0.0
    best: Estimate | None = None

    @property
    def mark(self) -> object:
        return self.hands

    def line(self, waited: float) -> str:
        seconds = self.seconds + waited
        rate = self.hands / seconds if seconds else 0.0
        left = duration((self.planned - self.hands) / rate) if rate else "?"
        shown = (
            "" if self.best is None else f"   {self.best.mean_mbb:+,.1f} ± {self.best.ci95_mbb:,.1f} mbb/g"
        )
        return f"hand {self.hands:,} of {self.planned:,}{shown}   {duration(seconds)}, about {left} left"


@dataclass(frozen=True, eq=False)
class Block:
    """Some hands that were played, in order."""

    won: Ints  # [n] by the first of the two agents
    first: Ints  # [n] its seat
    lines: Iterator[str]  # of the log
    played: Played | None = None  # the same hands for estimators, of limit games


def play_match(
    game: GameDefinition,
    agents: Sequence[Agent],
    hands: int,
    *,
    seed: int = 0,
    duplicate: bool = False,
    aivat: bool = False,
    threads: int = 1,
    log: MatchLog | None = None,
    monitor: Monitor = SILENT,
) -> Score:
    """The score of the first of two agents over so many hands, or over those until the monitor stops it.

    With `aivat` luck is taken out of it, where one of them looks up what it does.
    """
    check_hands(hands, duplicate)
    log, began = log or MatchLog(None), perf_counter()
    score = Score(game, hands, duplicate)
    deals = Deals(game, seed, duplicate)
    batch = _batch_agents(agents, monitor)
    able = [agent for agent in batch if agent is not None]
    blocks = (
        in_batches(deals, able, hands, seed, [agent.name for agent in agents])
        if len(able) == len(agents)
        else one_by_one(deals, agents, hands, seed, monitor)
    )
    limit = game.betting == "limit"
    estimator = estimator_of(game, batch, threads, monitor) if aivat and limit else None
    for block in blocks:
        reduced = None if estimator is None or block.played is None else estimator.of(block.played)
        score.add(block.won, block.first, reduced)
        log.write(block.lines if log.path else ())
        spent = perf_counter() - began
        monitor.report(MatchProgress("", score.hands.samples, hands, spent, score.best))
        if monitor.should_stop():
            break
    total = score.hands.total
    log.score((total, -total), [agent.name for agent in agents])
    return score


def check_hands(hands: int, duplicate: bool) -> None:
    """Refuse numbers of hands that no match has."""
    if hands < 1:
        raise ErraiError(f"hands must be 1 or more, not {hands}", parameter="hands")
    if duplicate and hands % 2:
        raise ErraiError(f"hands must be an even number in a duplicate match, not {hands}", parameter="hands")


class Deals:
    """The cards of the hands of a match."""

    def __init__(self, game: GameDefinition, seed: int, duplicate: bool) -> None:
        self.game, self.duplicate = game, duplicate
        self._dealer, self._hand = Dealer(game, seed), 0

    def next(self, hands: int) -> Dealt:
        """Those of the next hands, an even number of them unless they are the last."""
        low, self._hand = self._hand, self._hand + hands
        numbers = np.arange(low, low + hands)
        if not self.duplicate:
            return Dealt(self.game, numbers, self._dealer.deal(hands))
        cards = self._dealer.deal(-(-hands // 2))
        return Dealt(self.game, numbers // 2, np.repeat(cards, 2, axis=0)[:hands])


def _batch_agents(agents: Sequence[Agent], monitor: Monitor) -> list[BatchAgent | None]:
    """The same for many hands at once, where they can; those that play one strategy share its tables."""
    need = tables_of([agent.strategy for agent in agents if isinstance(agent, StrategyAgent)])
    room = RESERVE * available_memory()
    if need > room:
        monitor.warn(
            f"the tables of both strategies need {format_bytes(need)} of memory and {format_bytes(room)} can be "
            "had: hands are played one by one"
        )
        return [None for _ in agents]
    first = agents[0].batch()
    return [first, first if agents[0].plays_as(agents[1]) else agents[1].batch()]


def in_batches(
    deals: Deals, agents: Sequence[BatchAgent], hands: int, seed: int, names: Sequence[str] = ()
) -> Iterator[Block]:
    """Hands side by side, block by block; the log has these names, or those of the agents."""
    names = names or [agent.name for agent in agents]
    for low in range(0, hands, BLOCK):
        dealt = deals.next(min(BLOCK, hands - low))
        first = np.arange(low, low + len(dealt.deal)) % 2
        played = play_batch(agents, dealt, first, seed)
        yield Block(played.won, first, _lines(played, low, names), played)


def one_by_one(
    deals: Deals, agents: Sequence[Agent], hands: int, seed: int, monitor: Monitor
) -> Iterator[Block]:
    """One hand after the other, in blocks that take about as long as people wait for a report."""
    game, step, low = deals.game, 2, 0
    while low < hands:
        began = perf_counter()
        count = min(step, hands - low)
        dealt = deals.next(count)
        ends: list[HandState] = []
        for offset in range(count):
            if monitor.should_stop():
                break
            hand = low + offset
            by_seat = list(agents) if hand % 2 == 0 else list(agents[::-1])
            deal = as_deal(game, int(dealt.deal[offset]), dealt.cards[offset])
            try:
                ends.append(play_hand(game, by_seat, deal, at_random(seed, deal.number), hand))
            except StoppedError:  # a player was waited for
                break
        first = np.arange(low, low + len(ends)) % 2
        yield _block(ends, first, dealt.first(len(ends)), low, [agent.name for agent in agents])
        low += count
        spent = perf_counter() - began
        step = max(2, min(BLOCK, 2 * step if spent < SECONDS else step // 4 * 2))


def _block(ends: Sequence[HandState], first: Ints, dealt: Dealt, low: int, names: Sequence[str]) -> Block:
    """Hands that were played one by one, the first of them with the number `low`."""
    if dealt.game.betting == "limit":
        played = played_hands(dealt, ends, first)
        return Block(played.won, first, _lines(played, low, names), played)
    won = [end.payoff()[seat] for end, seat in zip(ends, first.tolist(), strict=True)]
    lines = (
        end.log_line(hand, names if hand % 2 == 0 else names[::-1]) for hand, end in enumerate(ends, low)
    )
    return Block(np.array(won, np.int64), first, lines)


def _lines(played: Played, low: int, names: Sequence[str]) -> Iterator[str]:
    """The hands of a batch as errai.games.state.HandState.log_line writes them, the first with the number `low`."""
    dealt = played.dealt
    game, size = dealt.game, dealt.game.hole_cards
    ends = [0, *game.board_sizes]
    rows = zip(
        played.bettings(), dealt.cards.tolist(), played.chips.tolist(), played.round.tolist(), strict=True
    )
    for number, (betting, cards, won, round_) in enumerate(rows, low):
        public = cards[2 * size :]
        board = [public[a:b] for a, b in pairwise(ends[: round_ + 2])]
        shown = write_cards(game, (cards[:size], cards[size : 2 * size]), board)
        by_seat = names if number % 2 == 0 else names[::-1]
        yield f"STATE:{number}:{betting}:{shown}:{won}|{-won}:{'|'.join(by_seat)}"
