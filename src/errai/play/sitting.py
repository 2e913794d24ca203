"""A person at a table against a strategy, hand by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from errai.errors import ErraiError
from errai.games.state import HandState, MatchState
from errai.play.agent import Agent, Shares, StrategyAgent
from errai.play.aivat import Estimator
from errai.play.batch import Dealt, played_hands
from errai.play.coach import Judgement, judged
from errai.play.dealing import Dealer
from errai.play.log import MatchLog
from errai.play.score import Score
from errai.play.table import at_random, play_hand

Ask = Callable[[MatchState], str]  # what the person does
REMEMBERED = 10  # hands


class LeftError(Exception):
    """The person has left the table."""


class Person(Agent):
    """Somebody who is asked."""

    def __init__(self, name: str, opponent: StrategyAgent, ask: Ask) -> None:
        super().__init__(name, opponent.game)
        self._ask = ask
        self.decisions: list[tuple[MatchState, str]] = []  # of the present hand

    def probabilities(self, view: MatchState) -> Shares:
        while True:
            written = self._ask(view)
            try:
                action = view.state.act(written).actions[-1]
            except ErraiError:
                continue
            self.decisions.append((view, action))
            return {action: 1.0}


class Sitting:
    """Hands between a person and a strategy, the seats exchanged after each; `estimator` is of the person first."""

    def __init__(
        self,
        opponent: StrategyAgent,
        ask: Ask,
        *,
        name: str = "you",
        seed: int = 0,
        log: MatchLog | None = None,
        estimator: Estimator | None = None,
    ) -> None:
        self.game, self.opponent = opponent.game, opponent
        self.person = Person(name, opponent, ask)
        self.score = Score(self.game, 1_000_000)
        self.played: deque[tuple[HandState, int]] = deque(
            maxlen=REMEMBERED
        )  # the last hands, and the person's seat
        self._dealer, self._seed, self._hand = Dealer(self.game, seed), seed, 0
        self._log, self._estimator = log or MatchLog(None), estimator

    @property
    def seat(self) -> int:
        """Of the person in the next hand: the big blind first, as in the ACPC."""
        return self._hand % 2

    def play(self) -> HandState:
        """The next hand. A person who leaves has not played it."""
        seat, deal = self.seat, self._dealer.next()
        self.person.decisions = []
        agents: Sequence[Agent] = (self.person, self.opponent) if seat == 0 else (self.opponent, self.person)
        state = play_hand(self.game, agents, deal, at_random(self._seed, deal.number), self._hand)
        first = np.array([seat])
        reduced = None
        if self._estimator is not None:
            cards = np.array([[*deal.hole[0], *deal.hole[1], *deal.board]], np.uint8)
            dealt = Dealt(self.game, np.array([deal.number]), cards)
            reduced = self._estimator.of(played_hands(dealt, [state], first))
        self.score.add(np.array([state.payoff()[seat]]), first, reduced)
        self._log.write([state.log_line(self._hand, [agent.name for agent in agents])])
        self.played.append((state, seat))
        self._hand += 1
        return state

    def judgements(self, threads: int = 1) -> list[Judgement]:
        """The person's decisions of the hand that was played last."""
        strategy = self.opponent.strategy
        return [judged(strategy, view, action, threads) for view, action in self.person.decisions]
