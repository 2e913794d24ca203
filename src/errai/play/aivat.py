"""Estimates with less luck in them, of hands between agents of whom at least one is known.

    estimator = Estimator(game, (a, b), values)
    estimator.of(played).aivat              [n] chips of the first agent, hand by hand
    estimator.of(played).ranges             the same without corrections for deals and decisions

A known agent looks up what it does, so that it is known for all hands that it could have held. See
errai.play.kernels.aivat for the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK, Deck
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.play.batch import BatchAgent, Ints, Played
from errai.play.betting_arrays import betting_of
from errai.play.kernels.aivat import aivat, first_values
from errai.play.kernels.public_state import UNKNOWN, Game
from errai.play.lookup import LookupAgent, RuleAgent
from errai.play.public import Known, alike, in_parts, read, seated, working
from errai.play.values import HANDS, learn_values, own_values
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.value_function import ValueFunction

PAIR = (
    10_000  # hands of hold'em between two that play otherwise, from which values are learned before a match
)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimates:
    """[n] chips of the first of two agents, hand by hand."""

    aivat: Floats
    ranges: Floats


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
        by = next((agent for agent in agents if isinstance(agent, LookupAgent)), None)
        if by is None:
            raise ErraiError("AIVAT needs a player that looks up what it does with its hands")
        self._game, self._agents, self._threads = game, tuple(agents), threads
        self._seatings = [
            _Seating(game, agents if first == 0 else agents[::-1], by, values[first]) for first in (0, 1)
        ]

    def of(self, played: Played) -> Estimates:
        """Of hands that were played, whoever sat where."""
        read(self._agents, played)
        found = np.empty((2, len(played.round)))
        for first, seating in enumerate(self._seatings):
            these = np.flatnonzero(played.first == first)
            if len(these):
                found[:, these] = seating.of(played, these, self._threads) * (1 if first == 0 else -1)
        return Estimates(found[0], found[1])


class _Seating:
    """Who sits where, and what is the same in all hands."""

    def __init__(
        self, game: GameDefinition, by_seat: Sequence[Known], by: LookupAgent, values: ValueFunction
    ) -> None:
        self._game, self._by_seat, self._work = game, by_seat, working(game)
        self._kernel: Game = seated(game, by_seat, by, values)
        deck = Deck(game.ranks, game.suits)
        self._boards = [
            canonical_boards(deck, game.hole_cards, dealt) for dealt in ((), game.board_cards[1:2])
        ]
        self._moves = self._boards[0].hand_moves
        self._unknown = next((seat for seat in (1, 0) if self._kernel.plays[seat].kind == UNKNOWN), None)
        self._first_deals: dict[int, Floats] = {}

    def of(self, played: Played, these: Ints, threads: int) -> Floats:
        """[2, n] AIVAT and ranges, of seat 0."""
        hands, boards = played.dealt.hands[these], played.dealt.boards[these]
        ends: list[NDArray[Any]] = [
            played.round[these],
            played.fold[these],
            played.ending[these],
            played.context[these],
        ]
        held = hands[:, self._unknown] if self._unknown is not None else np.zeros(len(these), np.int64)
        dealt = self._dealt()[held]
        first_deals = np.zeros(len(these))
        K = int(betting_of(self._game).contexts[1])
        after = np.where(ends[0] > 0, ends[3] % K, -1)
        for context in np.unique(after[after >= 0]).tolist():
            here = after == context
            first_deals[here] = self._first_deal(context)[held[here]]
        found = np.empty((2, len(these)))

        def part(number: int, chosen: Ints) -> None:
            low, high = chosen[0], chosen[-1] + 1
            aivat(
                self._kernel, boards[low:high], hands[low:high], *(end[low:high] for end in ends),
                dealt[low:high], first_deals[low:high], working(self._game), found[0, low:high],
                found[1, low:high],
            )  # fmt: skip

        in_parts(part, len(these), threads, threads)
        return found

    def _dealt(self) -> Floats:
        """[N] the correction for the hand that was dealt to a player who is not known."""
        if self._unknown is None:
            return np.zeros(len(self._moves[0]))
        value, met, _ = self._values(0, 0)
        return value.sum() / met.sum() - value / met

    def _first_deal(self, context: int) -> Floats:
        """[N] the guess after the first public cards on average, by the hand of a player who is not known."""
        if context not in self._first_deals:
            value, met, own = self._values(1, context)
            if self._unknown is None:
                found = np.full_like(met, (own * value).sum() / (own * met).sum())
            else:  # of hands that nobody can come here against it is never asked
                found = np.divide(value, met, out=np.zeros_like(met), where=met > 0)
            left = self._game.deck_size - 2 * self._game.hole_cards
            self._first_deals[context] = found / comb(left, self._game.board_cards[1])
        return self._first_deals[context]

    def _values(self, round_: int, context: int) -> tuple[Floats, Floats, Floats]:
        """[N] what seat 0 wins at the beginning of a round, summed over all boards, what hands meet, their range.

        By the hands of the player who is not known, or of seat 0.
        """
        boards, seat = self._boards[round_], self._unknown or 0
        value, met, own = np.zeros((3, len(self._moves[0])))
        weight = boards.weight.astype(np.float64)
        first_values(self._kernel, seat, round_, context, boards.cards, weight, self._work, value, met, own)
        # One board stands for all that suits make alike: as many as move each hand to any of its images.
        return value[self._moves].mean(axis=0) * (1 if seat == 0 else -1), met, own


def estimator_of(
    game: GameDefinition, agents: Sequence[BatchAgent | None], threads: int = 1, monitor: Monitor = SILENT
) -> Estimator | None:
    """The estimator of a match, after it has learned from hands; None where no player looks up its hands."""
    known: list[Known] = [agent if isinstance(agent, LookupAgent | RuleAgent) else None for agent in agents]
    looks_up = next((agent for agent in known if isinstance(agent, LookupAgent)), None)
    if looks_up is None or game.rounds < 2 or game.board_cards[0]:
        return None
    own = own_values(looks_up, threads, monitor)
    pair = [looks_up if agent is None else agent for agent in known]
    if alike(*pair):
        return Estimator(game, known, (own, own), threads)
    hands = min(
        HANDS, PAIR * FULL_DECK.size * (FULL_DECK.size - 1) // (2 * len(looks_up.arrays.hand_moves[0]))
    )
    first, second = (
        learn_values(looks_up, by_seat, hands, like=own, threads=threads, monitor=monitor)
        for by_seat in (pair, pair[::-1])
    )
    return Estimator(game, known, (first, second), threads)
