"""A local best response: it knows its opponent's strategy, and looks one action ahead (Lisy and Bowling 2017).

From the opponent's strategy it knows the range w[h] with which the opponent has come to a decision. Of each of its
actions it reckons what it would win if both players checked and called from then on:

    fold     - what it has put in
    call     (2 W - 1) x what each has put in after the call          W  its share of the pot against w
    raise    F x what the opponent has put in                         F  the share of w that folds to the raise
             + (1 - F) (2 W' - 1) x the total raised to               W' against the hands that do not fold

and takes the best. It never wins more than a best response, so what it wins is a lower bound of the exploitability,
in games where the best response itself is out of reach.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, fsum

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import FULL_DECK, hand_class_of, hand_index, hands
from errai.cards.strength import NO_STRENGTH, RANKINGS, strengths_into
from errai.errors import ErraiError
from errai.games.definition import GameDefinition, require_limit
from errai.games.state import HandState, MatchState
from errai.jamfold.equities import BOARDS, equities
from errai.play.agent import Agent, Shares
from errai.strategy.strategy import Strategy, live_hands

Range = NDArray[np.float64]
KEPT = 4096  # hands on boards whose shares are kept
MOST_RUN_OUTS = 100_000  # boards that are gone through for one state


class LocalBestResponse(Agent):
    """Plays against one strategy, which it knows."""

    def __init__(self, name: str, game: GameDefinition, opponent: Strategy) -> None:
        require_limit(game)
        super().__init__(name, game)
        self.opponent = opponent
        self._shares = lru_cache(KEPT)(self._against_each)

    def probabilities(self, view: MatchState) -> Shares:
        state, hand = view.state, view.state.hole[view.seat]
        if hand is None:
            raise ErraiError(f"{self.name} does not know its own cards in seat {view.seat}")
        best = _best(self.values(state, hand))
        return {action: float(action == best) for action in state.legal()}

    def values(
        self, state: HandState, hand: tuple[int, ...], weights: Range | None = None
    ) -> dict[str, float]:
        """Action -> chips that it wins in the whole hand if nothing is bet after it, against this range [N]."""
        me, other, legal = state.player, 1 - state.player, state.legal()
        range_ = self.range(state, 1 - me, hand) if weights is None or not weights.any() else weights
        shares = self._shares(state.cards, tuple(sorted(hand)))
        found: dict[str, float] = {}
        if "f" in legal:
            found["f"] = -float(state.spent[me])
        found["c"] = (2 * _mean(shares, range_) - 1) * max(state.spent)
        if "r" in legal:
            raised = state.act("r")
            folds = self.opponent.share_of(raised, "f")
            stays = range_ * (1 - folds)
            share = fsum(range_ * folds) / fsum(range_)
            called = (2 * _mean(shares, stays) - 1) * raised.spent[me]
            found["r"] = share * state.spent[other] + (1 - share) * called
        return found

    def worth(
        self, state: HandState, seat: int, hand: tuple[int, ...], board: tuple[int, ...], weights: Range
    ) -> float:
        """Chips that it wins with a hand from a state on, on the board that will come: the sum over all hands of the
        opponent, with these weights [N], and all their choices. Nothing is left to luck but the board.
        """
        if state.over:
            if state.folded is not None:
                return fsum(weights) * (state.spent[1 - seat] if state.folded != seat else -state.spent[seat])
            shares = self._shares(state.cards, tuple(sorted(hand)))
            return fsum((2 * shares - 1) * weights) * state.spent[seat]
        if state.player == seat:
            after = self._after(state.act(_best(self.values(state, hand, weights))), board, hand, weights)
            return self.worth(after[0], seat, hand, board, after[1])
        found = self.opponent.decide(state)
        chosen = np.nan_to_num(found.probabilities)
        total = 0.0
        for number, action in enumerate(found.actions):
            taken = weights * chosen[:, number]
            if taken.any():
                after = self._after(state.act(action), board, hand, taken)
                total += self.worth(after[0], seat, hand, board, after[1])
        return total

    def _after(
        self, state: HandState, board: tuple[int, ...], hand: tuple[int, ...], weights: Range
    ) -> tuple[HandState, Range]:
        """The state with the cards that are due, and the weights of the hands that they leave.

        A board that is drawn from all cards but the hand's is likelier for hands that it leaves:
        by C(left, cards) / C(left - hole cards, cards).
        """
        due = state.awaits_cards
        if not due:
            return state, weights
        left = self.game.deck_size - len(state.cards) - len(hand)
        likelier = comb(left, due) / comb(left - self.game.hole_cards, due)
        after = state.deal(board[len(state.cards) : len(state.cards) + due])
        return after, weights * live_hands(self.game, after.cards) * likelier

    def range(self, state: HandState, other: int, hand: tuple[int, ...]) -> Range:
        """[N] how likely the opponent is to hold each hand; all alike where the strategy never comes."""
        apart = live_hands(self.game, (*state.cards, *hand)).astype(np.float64)
        known = self.opponent.range_of(other) * self.opponent.reach(state, other) * apart
        return known if known.any() else apart

    def _against_each(self, board: tuple[int, ...], hand: tuple[int, ...]) -> Range:
        """[N] the share of the pot that a hand wins from each other, over all boards that may follow.

        Before the flop of hold'em it is that of their classes, from the counts of all deals.
        """
        game = self.game
        holes = hands(game.deck_size, game.hole_cards)
        left = [card for card in range(game.deck_size) if card not in board and card not in hand]
        missing = game.board_sizes[-1] - len(board)
        if comb(len(left), missing) > MOST_RUN_OUTS:
            return _of_classes(game, hand)
        mine, strength = hand_index(hand), np.empty(len(holes), np.int32)
        won, met = np.zeros(len(holes)), np.zeros(len(holes))
        for rest in combinations(left, missing):
            full = np.array([*board, *rest], np.uint8)
            strengths_into(holes, full, game.suits, game.ranks, RANKINGS[game.ranking], strength)
            live = strength != NO_STRENGTH
            won += live * (0.5 + 0.5 * np.sign(strength[mine] - strength))
            met += live
        return np.divide(won, met, out=np.zeros(len(holes)), where=met > 0)


def _best(values: dict[str, float]) -> str:
    return max(values, key=lambda action: values[action])


def _mean(shares: Range, weights: Range) -> float:
    total = fsum(weights)
    return fsum(shares * weights) / total if total > 0 else 0.5


def _of_classes(game: GameDefinition, hand: tuple[int, ...]) -> Range:
    if (game.deck_size, game.hole_cards) != (FULL_DECK.size, 2):
        raise ErraiError(f"too many boards may follow in {game.name} for a local best response")
    known, classes = equities(), hand_class_of()
    mine = classes[hand_index(hand)]
    shares = (known.wins[mine] + known.ties[mine] / 2) / (np.maximum(known.pairs[mine], 1) * BOARDS)
    return np.asarray(shares[classes], np.float64)
