"""Strategies of limit games, known board by board: all that they share.

A limit game from a root on is a tree of templates (errai.games.lookup). A kind of strategy says what is played on
one board, for some decisions of its round in some contexts at once, as weights

    [A, N, K]       A  actions of the decisions, one decision after the other
                    N  hands
                    K  contexts

and everything else follows from it: decisions, expected values, tables.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from errai.cards.canonical import canonical_boards
from errai.cards.counting import canonical_deals
from errai.engine.layout import Layout
from errai.engine.store import Numbers
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.lookup import BettingTree, DecisionPoint, find_state
from errai.games.spot import Spot
from errai.games.state import Cards, HandState, card_numbers
from errai.games.template import Node
from errai.strategy.strategy import Decision, Strategy, decidable

Board = tuple[tuple[int, ...], ...]  # the public cards of each round up to now


class OnBoard(Protocol):
    """What is played on one board."""

    @property
    def live(self) -> NDArray[np.bool_]:
        """[N] the hands that can be held."""

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        """[A, N, K] probabilities are proportional to the positive part; anything for hands that are not live."""


class LimitStrategy(Strategy):
    """A strategy of a limit game, or of a spot in one."""

    looks_ahead: int | None = None  # expected values are computed up to so many deals ahead; None: any number
    precision: DTypeLike = np.float32  # of weights
    symmetric: bool = (
        True  # suits may be renamed: hands and boards that differ by that alone are played alike
    )

    @property
    @abstractmethod
    def spot(self) -> Spot:
        """Where the strategy begins."""

    @property
    @abstractmethod
    def tree(self) -> BettingTree:
        """The betting from there on."""

    @abstractmethod
    def on_board(self, board: Board) -> OnBoard:
        """What is played on a board, whose rounds are those of the whole hand."""

    @property
    def game(self) -> GameDefinition:
        return self.spot.game

    def state(self, betting: HandState | str = "", board: Cards = ()) -> HandState:
        """The state of a decision. A written betting and its board count from the root of the strategy."""
        if isinstance(betting, HandState):
            state = super().state(betting)
            self._require_below_root(state)
            return state
        reached = self.betting_alone.follow(betting)
        if reached.over:
            return decidable(reached)
        known, new = self.spot.cards, card_numbers(self.spot.deck, board)
        wanted = self.game.board_sizes[reached.round] - len(known)
        if len(new) != wanted:
            kind = f"{'more ' if known else ''}board card{'' if wanted == 1 else 's'}"
            raise ErraiError(f"this decision needs {wanted} {kind}, not {len(new)}")
        return reached.on_board((*known, *new))

    @property
    def betting_alone(self) -> HandState:
        """The root of the strategy, to be followed by its betting alone."""
        return replace(self.spot.state, cards=())

    def _require_below_root(self, state: HandState) -> None:
        root = self.spot.state.actions
        same_board = all(set(a) == set(b) for a, b in zip(state.board, self.spot.board, strict=False))
        if state.actions[: len(root)] != root or not same_board:
            board = self.spot.deck.format_board(self.spot.board)
            raise ErraiError(
                f"the strategy begins after the betting {self.spot.betting!a} on the board {board!a}; "
                "give the betting and the board of the whole hand"
            )

    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        point = find_state(self.tree, state)
        shares = self.shares(point, state.board)
        worth = None
        if values:
            from errai.strategy.values import action_values

            worth = action_values(self, state, threads)
        return Decision(point.node.player, tuple(point.node.actions), shares, worth)

    def shares(self, point: DecisionPoint, board: Board) -> NDArray[np.float64]:
        """[N, actions] the probabilities at a decision on the board of its round."""
        here = self.on_board(board)
        weights = np.maximum(here.weights([point.node], [point.context])[:, :, 0].T.astype(np.float64), 0)
        total = weights.sum(axis=1, keepdims=True)
        even = np.full_like(weights, 1 / len(point.node.actions))
        shares = np.divide(weights, total, out=even, where=total > 0)
        shares[~here.live] = np.nan
        return shares

    def hand_number(self, hand: Sequence[int] | str, state: HandState) -> int:
        number = super().hand_number(hand, state)
        if not self.spot.held[number]:
            deck = self.spot.deck
            shown = deck.format_cards(deck.parse(hand) if isinstance(hand, str) else hand)
            raise ErraiError(f"the hand {shown} is in neither player's range")
        return number

    def range_of(self, player: int) -> NDArray[np.float64]:
        return self.spot.ranges[player]

    def beginning(self) -> tuple[str, str]:
        return self.spot.betting, self.spot.deck.format_cards(self.spot.cards)

    def whole(self, state: HandState) -> tuple[Layout, Numbers] | None:
        """The layout from a state on and the weights in it, where they are at hand as they are; otherwise None."""
        return None

    def boards(self, level: int) -> Iterator[list[int]]:
        """All public cards of each board of a level of the tree: one of each class under renaming of suits."""
        dealt = self._deals(level)
        for cards in canonical_boards(self.spot.deck, self.game.hole_cards, dealt).cards:
            yield [int(card) for card in cards]

    def board_count(self, level: int) -> int:
        """How many boards a level has."""
        return canonical_deals(self.game.ranks, self.game.suits, self._deals(level))

    def export(self, path: Path) -> int:
        from errai.strategy.export import export_table

        return export_table(self, path)

    def _deals(self, level: int) -> tuple[int, ...]:
        return tuple(cards for cards in self.game.board_cards[: level + 1] if cards)
