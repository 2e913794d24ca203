"""Simple players that know their cards and nothing else, to measure others against.

    win-rate    calls with a chance to win of more than half against any hand, and folds otherwise (seed: Bildman)
    pot-odds    bets its strong hands and draws, calls where the pot pays for its chance to win, folds the rest: the
                kind of rules that programs had before equilibria

Both are one function of the state and of the chances of hands (errai.play.chances), so they play hand by hand and in
batches alike. Their bets have one size: they are for limit games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hand_index
from errai.errors import ErraiError
from errai.games.definition import GameDefinition, require_limit
from errai.games.lookup import betting_tree, bettings_of
from errai.games.state import HandState, MatchState, parse_state
from errai.games.template import Node
from errai.play.agent import Agent, Shares
from errai.play.batch import Dealt, Ints
from errai.play.batch import Shares as ManyShares
from errai.play.chances import Chances, WinChances

Rule = Callable[[HandState, Chances], NDArray[np.int64]]  # -> [n] the action: its place in state.legal()

RAISES_WITH, MORE_FOR_EACH_BET = 0.62, 0.07
RESPECT = 0.35  # how much a bet of the opponent takes from the chance to win, of what is missing to certainty


def win_rate(state: HandState, chances: Chances) -> NDArray[np.int64]:
    """Check or call above one half; below, fold, or check where that is free."""
    legal = state.legal()
    stays = chances[:, 0] > 0.5
    return np.where(stays, legal.index("c"), 0)


def pot_odds(state: HandState, chances: Chances) -> NDArray[np.int64]:
    """Raise with promise, call by the price, fold the rest."""
    legal = state.legal()
    win, promise = chances[:, 0].astype(np.float64), chances[:, 1].astype(np.float64)
    raised = _raises_of(state, 1 - state.player)
    believed = win * (1 - RESPECT * (1 - win)) ** raised
    price = state.to_call / (state.pot + state.to_call)
    taken = np.where(believed >= price, legal.index("c"), 0)
    if "r" in legal:
        strong = promise > RAISES_WITH + MORE_FOR_EACH_BET * state.bets
        taken = np.where(strong, legal.index("r"), taken)
    return taken


RULES: dict[str, Rule] = {"win-rate": win_rate, "pot-odds": pot_odds}


class CardAgent(Agent):
    """A rule that looks at its cards."""

    def __init__(self, name: str, game: GameDefinition) -> None:
        if name not in RULES:
            raise ErraiError(f"unknown bot {name!a}: choose {', '.join(RULES)}")
        require_limit(game)
        super().__init__(name, game)
        self.rule, self.chances = RULES[name], WinChances(game)

    def probabilities(self, view: MatchState) -> Shares:
        state, hand = view.state, view.state.hole[view.seat]
        if hand is None:
            raise ErraiError(f"{self.name} does not know its own cards in seat {view.seat}")
        taken = int(self.rule(state, self.chances.on(state.cards)[[hand_index(hand)]])[0])
        return {action: float(place == taken) for place, action in enumerate(state.legal())}

    def batch(self) -> _Many:
        return _Many(self)


class _Many:
    """The same for many hands at once."""

    def __init__(self, agent: CardAgent) -> None:
        self.name, self._agent = agent.name, agent
        self._bettings = bettings_of(betting_tree(agent.game))
        self.state = lru_cache(None)(self._state)

    def seat(self, dealt: Dealt) -> _Seated:
        return _Seated(self._agent, self, dealt)

    def _state(self, round_: int, context: int, node: Node) -> HandState:
        return parse_state(self._agent.game, self._bettings[round_][context] + node.betting)


class _Seated:
    """With the chances of a batch, which are found round by round."""

    def __init__(self, agent: CardAgent, many: _Many, dealt: Dealt) -> None:
        self._agent, self._many, self._dealt = agent, many, dealt
        self._chances = np.zeros((len(dealt.deal), 2, 2), np.float32)  # [n, seats, win and promise]
        self._round = np.full(len(dealt.deal), -1)

    def shares(self, round_: int, node: Node, hands: Ints, contexts: Ints) -> ManyShares:
        public = self._agent.game.board_sizes[round_]
        for hand in hands[self._round[hands] < round_].tolist():
            board = tuple(self._dealt.boards[hand, :public].tolist())
            self._chances[hand] = self._agent.chances.on(board)[self._dealt.hands[hand]]
            self._round[hand] = round_
        found = np.zeros((len(hands), len(node.actions)))
        for context in np.unique(contexts).tolist():
            here = np.flatnonzero(contexts == context)
            state = self._many.state(round_, context, node)
            taken = self._agent.rule(state, self._chances[hands[here], node.player])
            found[here, taken] = 1.0
        return found


def _raises_of(state: HandState, seat: int) -> int:
    """How often a seat has bet or raised in the hand."""
    before, count = parse_state(state.game), 0
    for action in state.actions:
        count += int(action[0] == "r" and before.player == seat)
        before = before.act(action)
    return count
