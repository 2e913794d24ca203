"""A strategy that is solved again while it is played: a blueprint first, then the rest of the hand with both ranges.

    strategy = ResolvingStrategy(blueprint, Think(iterations=100))
    strategy.probabilities("AsKd", state)

The first rounds are played as the blueprint says. Where the last two begin (the turn of hold'em; never in the first
round) the rest of the hand is solved for every hand (errai.play.subgame): with the range that the player has by the
blueprint, that of the opponent as the blueprint plays, and the best responses to the blueprint as what the opponent
may win. Where the last round begins it is solved once more, from the ranges that were played and with the best
responses to the solution so far: what was safe stays safe, and a single board takes far fewer steps.

What is played in a seat depends on the betting, the board and the budget alone, so both seats are one strategy like
any other: it can be queried and, in small games, measured. Solutions are kept for the decisions that follow.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation, Evaluator
from errai.engine.layout import counted_sizes
from errai.errors import ErraiError
from errai.games.lookup import BettingTree, bettings_of, find_state
from errai.games.spot import Spot
from errai.games.state import HandState, start
from errai.games.template import Node
from errai.play.agent import StrategyAgent
from errai.play.batch import BatchAgent
from errai.play.subgame import Resolved, Think, resolve
from errai.strategy.limit import Board, LimitStrategy, OnBoard
from errai.strategy.strategy import Decision, Strategy
from errai.strategy.values import subgame

BACK = 2  # rounds that are solved again: the last ones
MOST_BOARDS = 10_000  # of a game whose subgames are all solved
KEPT = 1 << 28  # bytes of solutions

Key = tuple[str, Board, int]  # betting and board where a round begins, seat


class ResolvingStrategy(LimitStrategy):
    """A blueprint whose last rounds are solved again."""

    kind = "resolving"
    described = "a strategy that is solved again while it is played"

    def __init__(
        self,
        blueprint: Strategy,
        think: Think | None = None,
        *,
        gadget: str = "guarded",
        again: bool = True,
        threads: int = 1,
    ) -> None:
        """With `again` the last round is solved once more; otherwise the first solution is played to the end."""
        if not isinstance(blueprint, LimitStrategy) or blueprint.beginning() != ("", ""):
            raise ErraiError(f"{blueprint.described} cannot be solved again: give one of a whole limit game")
        if blueprint.game.rounds < 2:
            raise ErraiError(f"{blueprint.game.name} has one round: nothing is left to be solved again")
        self.blueprint: LimitStrategy = blueprint
        self.think = think or Think()
        self.first = max(1, blueprint.game.rounds - BACK)
        self._gadget, self._again, self._threads = gadget, again, threads
        self._kept: OrderedDict[Key, Resolved] = OrderedDict()

    @property
    def spot(self) -> Spot:
        return self.blueprint.spot

    @property
    def tree(self) -> BettingTree:
        return self.blueprint.tree

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        return self.blueprint.symmetric

    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        """Values are those of the solution: against an opponent who plays as it does."""
        if state.round < self.first:
            return self.blueprint.decide(state, values=values, threads=threads)
        return self.resolved(state, state.player).solution.decide(state, values=values, threads=threads)

    def resolved(self, state: HandState, seat: int) -> Resolved:
        """What a seat plays from the beginning of the state's round on, solved if it has not been."""
        root = _beginning(state)
        if root.round > self.first and not self._again:
            return self.resolved(_round_before(root), seat)
        key = (root.betting, root.board, seat)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        mine, other = self.reach(root, seat), self.blueprint.reach(root, 1 - seat)
        mine, other = self.range_of(seat) * mine, self.range_of(1 - seat) * other
        before, think = self.blueprint, self.think
        if root.round > self.first:
            before, think = self.resolved(_round_before(root), seat).solution, self.think.later
        ranges = (mine, other) if seat == 0 else (other, mine)
        found = resolve(before, root, seat, ranges, think, gadget=self._gadget, threads=self._threads)
        self._keep(key, found)
        return found

    def on_board(self, board: Board) -> OnBoard:
        known = self.blueprint.on_board(board)
        return known if len(board) <= self.first else _OnBoard(self, board, known.live)

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Every subgame is solved again: for small games."""
        _, _, boards = counted_sizes(self.spot)
        if boards > MOST_BOARDS:
            raise self.cannot(f"be measured by a best response in {self.game.name}: too many boards follow")
        places, weights = subgame(self, start(self.game), self.spot)
        evaluator = Evaluator(places, threads)
        try:
            return evaluator.evaluate(weights)
        finally:
            evaluator.close()

    def _keep(self, key: Key, found: Resolved) -> None:
        self._kept[key] = found
        held = [kept.solution.weights.nbytes for kept in self._kept.values()]
        while sum(held) > KEPT and len(held) > 1:
            self._kept.popitem(last=False)
            held.pop(0)


class ResolvingAgent(StrategyAgent):
    """Plays it hand by hand, so that only what comes up is solved."""

    def batch(self) -> BatchAgent | None:
        return None


class _OnBoard:
    """What is played on a board of a round that is solved again, in whatever contexts it is entered."""

    def __init__(self, strategy: ResolvingStrategy, board: Board, live: NDArray[np.bool_]) -> None:
        self.live = live
        self._strategy, self._board = strategy, board

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        strategy, cards = self._strategy, [card for dealt in self._board for card in dealt]
        round_ = len(self._board) - 1
        level = round_ + len(strategy.tree.templates) - strategy.game.rounds
        before, above = bettings_of(strategy.tree)[level], strategy.tree.contexts[level - 1]
        found = np.zeros(
            (sum(len(node.actions) for node in nodes), len(self.live), len(contexts)), np.float32
        )
        # In the order of the contexts before, so that a solution of the round before is used as long as it is kept.
        for k in sorted(range(len(contexts)), key=lambda k: contexts[k] % above):
            root = strategy.betting_alone.follow(before[contexts[k]]).on_board(cards)
            for player in (0, 1):
                playing, row = strategy.resolved(root, player).solution, 0
                on_board = playing.on_board(root.board)
                for node in nodes:
                    if node.player == player:
                        point = find_state(playing.tree, root.follow(node.betting))
                        new = on_board.weights([point.node], [point.context])[:, :, 0]
                        found[row : row + len(node.actions), :, k] = new
                    row += len(node.actions)
        return found


def _beginning(state: HandState) -> HandState:
    """The state where its round began, with the cards of each round in ascending order."""
    cards = [card for dealt in state.board for card in sorted(dealt)]
    return start(state.game).follow(state.betting[: state.betting.rfind("/") + 1]).on_board(cards)


def _round_before(state: HandState) -> HandState:
    """The state where the round before the state's round began."""
    betting = "".join(f"{round_}/" for round_ in state.betting.split("/")[: state.round - 1])
    return start(state.game).follow(betting).on_board(state.cards[: state.game.board_sizes[state.round - 1]])
