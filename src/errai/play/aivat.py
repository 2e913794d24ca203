"""Estimates with less luck in them, of hands between agents of whom at least one is known.

    estimator = Estimator(game, (a, b), values)
    estimator.of(played).aivat              [n] chips of the first agent, hand by hand
    estimator.of(played).ranges             the same without corrections for deals and decisions

A known agent looks up what it does, so that it is known for all hands that it could have held. See
errai.play.kernels.aivat for the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.canonical import canonical_boards
from errai.cards.notation import Deck
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree
from errai.play.batch import BatchAgent, Ints, Played
from errai.play.betting_arrays import betting_of, deck_of
from errai.play.kernels.aivat import Game, Plays, Work, aivat, expected_first_deals
from errai.play.lookup import LookupAgent, RuleAgent
from errai.play.values import ValueFunction, learn_values
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.kinds.rule import RuleStrategy

Known = LookupAgent | RuleAgent | None  # None: not known


@dataclass(frozen=True)
class Estimates:
    """[n] chips of the first of two agents, hand by hand."""

    aivat: NDArray[np.float64]
    ranges: NDArray[np.float64]


class Estimator:
    """For hands between two agents, with a guess of values by the buckets of the first that looks up its hands.

    The values are by the seat of the first agent: who sits where makes a difference.
    """

    def __init__(
        self,
        game: GameDefinition,
        agents: Sequence[Known],
        values: tuple[ValueFunction, ValueFunction],
        threads: int = 1,
    ) -> None:
        by_buckets = [agent for agent in agents if isinstance(agent, LookupAgent)]
        if not by_buckets:
            raise ErraiError("AIVAT needs a player that looks up what it does with its hands")
        self._game, self._agents, self._threads = game, tuple(agents), threads
        self._betting, self._deck = betting_of(game), deck_of(game)
        self._values, self._by_buckets = values, by_buckets
        self._first_deals: dict[tuple[int, int, int], float] = {}
        self._plays = [self._plays_of(agent, by_buckets[0].flat.dtype) for agent in agents]

    def of(self, played: Played) -> Estimates:
        """Of hands that were played, whoever sat where."""
        self._read(played)
        found = np.empty((2, len(played.round)))
        for first in (0, 1):
            these = np.flatnonzero(played.first == first)
            if len(these):
                found[:, these] = self._seated(first, played, these) * (1 if first == 0 else -1)
        return Estimates(found[0], found[1])

    def _seated(self, first: int, played: Played, these: Ints) -> NDArray[np.float64]:
        """[2, n] AIVAT and ranges, of seat 0, where the first agent has this seat."""
        game = self._kernel_game(first)
        hands = played.dealt.hands[these]
        first_deals = self._expected_first(game, first, played, these)
        found = np.empty((2, len(these)))

        def part(chosen: Ints) -> None:
            aivat(
                game, played.dealt.boards[these][chosen], hands[chosen], played.round[these][chosen],
                played.fold[these][chosen], played.ending[these][chosen], played.context[these][chosen],
                first_deals[chosen], self._work(), *(into := np.empty((2, len(chosen)))),
            )  # fmt: skip
            found[:, chosen] = into

        parts = [chosen for chosen in np.array_split(np.arange(len(these)), self._threads) if len(chosen)]
        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(part, parts))
        return found

    def _expected_first(self, game: Game, first: int, played: Played, these: Ints) -> NDArray[np.float64]:
        """[n] the mean of the guess after the first public cards; what it was found for once is kept."""
        out = np.zeros(len(these))
        K = int(self._betting.contexts[1]) if self._game.rounds > 1 else 1
        unknown = [seat for seat in (0, 1) if not game.plays[seat].known]
        for place, hand in enumerate(these.tolist()):
            if played.round[hand] < 1:
                continue
            context = int(played.context[hand]) % K
            held = played.dealt.hands[hand]
            key = (first, context, _alike(self._game, int(held[unknown[0]])) if unknown else -1)
            if key not in self._first_deals:
                self._first_deals[key] = expected_first_deals(game, context, held, self._work())
            out[place] = self._first_deals[key]
        return out

    def _kernel_game(self, first: int) -> Game:
        sources = (self._by_buckets[0].arrays, self._by_buckets[-1].arrays)
        plays = (self._plays[first], self._plays[1 - first])
        return Game(self._betting, self._deck, sources, plays, self._values[first].guess(0))

    def _plays_of(self, agent: Known, dtype: Any) -> Plays:
        rounds = np.arange(self._game.rounds)
        if isinstance(agent, LookupAgent):
            source = 0 if agent is self._by_buckets[0] else 1
            rows = np.array([A for _, _, A in agent.shapes])
            counts = np.array([count for _, count, _ in agent.shapes])
            return Plays(agent.flat, agent.first, rows, counts, True, True, source)
        rule = None if agent is None else agent.strategy
        weights, first = _rule_rows(self._game, rule)
        return Plays(weights.astype(dtype), first, np.zeros_like(rounds), rounds, False, agent is not None, 0)

    def _read(self, played: Played) -> None:
        """Have all that known agents did on the way in memory."""
        for round_ in range(self._game.rounds):
            K = int(self._betting.contexts[round_])
            here = played.round >= round_
            contexts = np.unique(played.context[here] % K) if here.any() else np.zeros(0, np.int64)
            for agent in self._by_buckets:
                agent.read(round_, contexts)

    def _work(self) -> Work:
        N, deck = len(self._deck.hole), self._deck.size
        return Work(
            ranges=np.zeros((2, N)),
            after=np.zeros((2, N)),
            bucket=np.zeros((2, N), np.int64),
            before=np.zeros((2, N), np.int64),
            trial=np.zeros(N, np.int64),
            bins=np.zeros(N, np.uint8),
            trial_bins=np.zeros(N, np.uint8),
            sums=np.zeros(deck + 1),
            strength=np.zeros(N, np.int32),
            keys=np.zeros(N, np.int64),
            order=np.zeros(N, np.int64),
            ties=np.zeros(N, np.int32),
        )


def _alike(game: GameDefinition, hand: int) -> int:
    """A number that hands have in common which differ by the names of suits alone."""
    moves = canonical_boards(Deck(game.ranks, game.suits), game.hole_cards, ()).hand_moves
    return int(moves[:, hand].min())


def _rule_rows(game: GameDefinition, rule: RuleStrategy | None) -> tuple[NDArray[np.float64], Ints]:
    """The rows of a rule, one for each action of every round's template; of nobody, rows that are never read."""
    parts = []
    for template in betting_tree(game).templates:
        rows = np.zeros(template.rows)
        for node in template.nodes if rule is not None else ():
            taken = rule.taken(node) if rule is not None else ""
            rows[node.row : node.row + len(node.actions)] = [action in taken for action in node.actions]
        parts.append(rows)
    first = np.cumsum([0, *map(len, parts[:-1])]).astype(np.int64)
    return np.concatenate(parts), first


def estimator_of(
    game: GameDefinition, agents: Sequence[BatchAgent | None], threads: int = 1, monitor: Monitor = SILENT
) -> Estimator | None:
    """The estimator of a match, after it has learned from hands; None where no player looks up its hands."""
    known: list[Known] = [agent if isinstance(agent, LookupAgent | RuleAgent) else None for agent in agents]
    looks_up = next((agent for agent in known if isinstance(agent, LookupAgent)), None)
    if looks_up is None or game.rounds < 2 or game.board_cards[0]:
        return None
    able = [agent for agent in agents if agent is not None]
    pair = able if len(able) == 2 else [looks_up, looks_up]
    first = learn_values(looks_up, pair, monitor=monitor)
    second = first if pair[0] is pair[1] else learn_values(looks_up, pair[::-1], monitor=monitor)
    return Estimator(game, known, (first, second), threads)
