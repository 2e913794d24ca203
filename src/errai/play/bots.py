"""Simple players that know their cards and nothing else, to measure others against.

    win-rate    calls with a chance to win of more than half against any hand, and folds otherwise (seed: Bildman)
    pot-odds    bets its strong hands and draws, calls where the pot pays for its chance to win, folds the rest: the
                kind of rules that programs had before equilibria

Both are one function of the situation and of the chances of hands (errai.play.chances), so they play hand by hand and
in batches alike. In no-limit games a raise of theirs is as large as the pot (errai.play.sizes).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hand_index
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree, bettings_of
from errai.games.state import HandState, MatchState, parse_state
from errai.games.template import Node
from errai.play.agent import Agent, Shares
from errai.play.batch import Dealt, Ints
from errai.play.batch import Shares as ManyShares
from errai.play.chances import win_chances
from errai.play.sizes import pot_raise

Chances = NDArray[np.float32]  # [n, 2] win and promise

RAISES_WITH, MORE_FOR_EACH_BET = 0.62, 0.07
RESPECT = 0.35  # how much a bet of the opponent takes from the chance to win, of what is missing to certainty


@dataclass(frozen=True)
class Situation:
    """What a rule knows of a decision but the cards."""

    legal: str
    bets: int  # of this round
    raised: int  # how often the opponent has bet or raised in the hand
    price: float  # the share of the pot that a call pays

    @classmethod
    def of(cls, state: HandState) -> Situation:
        price = state.to_call / (state.pot + state.to_call)
        return cls(state.legal(), state.bets, _raises_of(state, 1 - state.player), price)


Rule = Callable[[Situation, Chances], NDArray[np.int64]]  # -> [n] the action: its place among those allowed


def win_rate(here: Situation, chances: Chances) -> NDArray[np.int64]:
    """Check or call above one half; below, fold, or check where that is free."""
    return np.where(chances[:, 0] > 0.5, here.legal.index("c"), 0)


def pot_odds(here: Situation, chances: Chances) -> NDArray[np.int64]:
    """Raise with promise, call by the price, fold the rest."""
    win, promise = chances[:, 0].astype(np.float64), chances[:, 1].astype(np.float64)
    believed = win * (1 - RESPECT * (1 - win)) ** here.raised
    taken = np.where(believed >= here.price, here.legal.index("c"), 0)
    if "r" in here.legal:
        strong = promise > RAISES_WITH + MORE_FOR_EACH_BET * here.bets
        taken = np.where(strong, here.legal.index("r"), taken)
    return taken


RULES: dict[str, Rule] = {"win-rate": win_rate, "pot-odds": pot_odds}


class CardAgent(Agent):
    """A rule that looks at its cards."""

    def __init__(self, name: str, game: GameDefinition) -> None:
        if name not in RULES:
            raise ErraiError(f"unknown bot {name!a}: choose {', '.join(RULES)}")
        super().__init__(name, game)
        self.rule, self.chances = RULES[name], win_chances(game)

    def probabilities(self, view: MatchState) -> Shares:
        state, hand = view.state, view.state.hole[view.seat]
        if hand is None:
            raise ErraiError(f"{self.name} does not know its own cards in seat {view.seat}")
        board = np.array([state.cards], np.uint8).reshape(1, -1)
        chances = self.chances.of(board, np.array([[hand_index(hand)]]))[0]
        action = state.legal()[int(self.rule(Situation.of(state), chances)[0])]
        return {pot_raise(state) if action == "r" else action: 1.0}

    def batch(self) -> _Many | None:
        return _Many(self) if self.game.betting == "limit" else None


class _Many:
    """The same for many hands at once."""

    def __init__(self, agent: CardAgent) -> None:
        self.name, self._agent = agent.name, agent
        self._bettings = bettings_of(betting_tree(agent.game))
        self._situations: dict[tuple[int, str, int], Situation] = {}

    def seat(self, dealt: Dealt) -> _Seated:
        return _Seated(self._agent, self, dealt)

    def situation(self, round_: int, node: Node, context: int) -> Situation:
        key = round_, node.betting, context
        if key not in self._situations:
            betting = self._bettings[round_][context] + node.betting
            self._situations[key] = Situation.of(parse_state(self._agent.game, betting))
        return self._situations[key]


class _Seated:
    """With the chances of a batch, which are found round by round."""

    def __init__(self, agent: CardAgent, many: _Many, dealt: Dealt) -> None:
        self._agent, self._many, self._dealt = agent, many, dealt
        self._chances = np.zeros((len(dealt.deal), 2, 2), np.float32)  # [n, seats, win and promise]
        self._round = np.full(len(dealt.deal), -1)

    def shares(self, round_: int, node: Node, hands: Ints, contexts: Ints) -> ManyShares:
        new = hands[self._round[hands] < round_]
        if len(new):
            boards = self._dealt.boards[new, : self._agent.game.board_sizes[round_]]
            self._chances[new] = self._agent.chances.of(boards, self._dealt.hands[new])
            self._round[new] = round_
        found = np.zeros((len(hands), len(node.actions)))
        order = np.argsort(contexts, kind="stable")
        present, first = np.unique(contexts[order], return_index=True)
        for context, here in zip(present.tolist(), np.split(order, first[1:]), strict=True):
            situation = self._many.situation(round_, node, context)
            taken = self._agent.rule(situation, self._chances[hands[here], node.player])
            found[here, taken] = 1.0
        return found


def _raises_of(state: HandState, seat: int) -> int:
    """How often a seat has bet or raised in the hand: in a round the seats act in turn."""
    rounds = re.sub("[0-9]", "", state.betting).split("/")
    return sum(
        actions[(seat - first) % 2 :: 2].count("r")
        for actions, first in zip(rounds, state.game.first_player, strict=False)
    )
