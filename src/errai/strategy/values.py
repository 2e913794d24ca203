"""What every action is worth at a decision, for every hand: exactly, with both ranges as the strategy plays them.

Walking the strategy from its root to the decision gives how likely each player is to hold each hand there,

    range[h] at the root x the product of the player's own probabilities on the way

The decision is then the root of a spot like any other: the opponent's range is this one, and the player may hold
anything, because a hand's value does not depend on how likely it is. The engine evaluates the strategy in this spot
once for each action, with the first decision fixed to it; later cards are all enumerated. Values are net chips over
the whole hand, given that the hand is held:

    value[h, a] = sum over opposing hands of reach x chips won  /  sum over opposing hands of reach
"""

from __future__ import annotations

from dataclasses import replace
from math import fsum

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hands
from errai.engine.evaluation import Evaluator
from errai.engine.layout import Layout, Shape, layout, shape
from errai.engine.memory import BYTES_OF_A_HAND_CLASS, RESERVE, available_memory, format_bytes
from errai.engine.store import Numbers
from errai.errors import ErraiError
from errai.games.lookup import bettings_of, find_state
from errai.games.spot import Spot, opposing_weights, spot
from errai.games.state import HandState
from errai.games.template import Node
from errai.strategy.limit import LimitStrategy
from errai.strategy.lookup import classes_of, find_board, tree_of
from errai.strategy.strategy import live_hands

# Of all the opponent's reach, what a hand must leave possible; less is lost in rounding.
LEAST_SHARE = 1e-9


def action_values(strategy: LimitStrategy, state: HandState, threads: int = 1) -> NDArray[np.float64]:
    """[N, actions] chips that the player to act wins on average; see errai.strategy.strategy.Decision."""
    ahead = sum(1 for cards in strategy.game.board_cards[state.round + 1 :] if cards)
    if strategy.looks_ahead is not None and ahead > strategy.looks_ahead:
        first = strategy.game.rounds - strategy.looks_ahead
        raise strategy.cannot(
            f"be evaluated action by action before round {first} of the hand; too many cards follow"
        )
    player, actions = state.player, state.legal()
    holes = hands(state.deck.size, strategy.game.hole_cards)
    held = np.where(live_hands(strategy.game, state.cards), _kinds_of_hands(strategy.spot), 0.0)
    opponent = strategy.range_of(1 - player) * strategy.reach(state, 1 - player)
    worth = np.full((len(holes), len(actions)), np.nan)
    total = fsum(opponent)
    if total <= 0:
        return worth
    opponent = opponent / total
    met = opposing_weights(holes, opponent) > LEAST_SHARE
    if not (met & (held > 0)).any():
        return worth
    ranges = (held, opponent) if player == 0 else (opponent, held)
    where = spot(strategy.game, state.deck.format_cards(state.cards), state.betting, ranges)
    places, weights = subgame(strategy, state, where)
    by_class = _by_action(places, weights, player, len(actions), threads)
    classes = classes_of(places, find_board(places, ()))
    known = met & (classes >= 0)
    worth[known] = by_class[classes[known]]
    if "f" in actions:
        worth[known, actions.index("f")] = -state.spent[player]  # without what rounding makes of it
    return worth


def subgame(strategy: LimitStrategy, state: HandState, where: Spot) -> tuple[Layout, Numbers]:
    """The layout of the spot at a state, and a copy of the strategy's weights in it."""
    if (whole := strategy.whole(state)) is not None:
        _require_memory(strategy, whole[0].shape)
        return whole[0], whole[1].copy()
    known = shape(where, strategy.symmetric)
    _require_memory(strategy, known)
    places = layout(where, known)
    weights = np.zeros(known.numbers, strategy.precision)
    decisions = _decisions(strategy, state, places)
    rounds = where.board
    sizes = strategy.game.board_sizes
    for board, level in enumerate(places.boards.level.tolist()):
        cards = known.tree.cards[board].tolist()
        later = range(state.round + 1, state.round + 1 + level)
        dealt = (*rounds, *(tuple(cards[sizes[r - 1] : sizes[r]]) for r in later))
        low, high = places.hand_classes.first[board], places.hand_classes.first[board + 1]
        hand = places.hand_classes.hand[low:high]
        found = strategy.on_board(dealt).weights(*decisions[level])[:, hand, :]
        rows, H, K = found.shape
        chunk = int(places.betting.chunk[level])
        into = weights[places.boards.offset[board] : places.boards.offset[board + 1]]
        pieces = found.reshape(rows, H, K // chunk, chunk).transpose(2, 0, 1, 3)
        into.reshape(K // chunk, rows, H, chunk)[:] = pieces
    return places, weights


def _kinds_of_hands(root: Spot) -> NDArray[np.float64]:
    """[N] a weight for every hand that can be held at all, the same for hands of the same weights at the root.

    The weights themselves do not matter. But suits that the root's ranges tell apart must stay apart: the strategy
    may play them differently, even where the opponent's reach has become the same.
    """
    _, number = np.unique(np.stack(root.ranges), axis=1, return_inverse=True)
    return np.where(root.held, 1.0 + number.reshape(-1), 0.0)


def _decisions(
    strategy: LimitStrategy, state: HandState, places: Layout
) -> list[tuple[list[Node], list[int]]]:
    """By level of a subgame, its nodes and contexts as the strategy numbers them."""
    tree, root = strategy.tree, replace(state, cards=())
    found = []
    for bettings, template in zip(bettings_of(tree_of(places)), places.shape.templates, strict=True):
        points = [find_state(tree, root.follow(betting)) for betting in bettings]
        here, level = points[0].node.betting, points[0].level
        by_betting = {node.betting: node for node in tree.templates[level].nodes}
        nodes = [by_betting[here + node.betting] for node in template.nodes]
        found.append((nodes, [point.context for point in points]))
    return found


def _by_action(
    places: Layout, weights: Numbers, player: int, actions: int, threads: int
) -> NDArray[np.float64]:
    """[H, actions] of the root, whose first decision is fixed to one action after the other; changes the weights."""
    H = int(places.hand_classes.first[1])
    first = weights[: actions * H].reshape(actions, H)
    values = np.empty((H, actions))
    evaluator = Evaluator(places, threads)
    try:
        for action in range(actions):
            first[:] = 0
            first[action] = 1
            values[:, action] = evaluator.hand_values(player, weights)
    finally:
        evaluator.close()
    return values


def _require_memory(strategy: LimitStrategy, known: Shape) -> None:
    """Refuse a subgame whose weights, copied, do not fit."""
    need = known.numbers * np.dtype(strategy.precision).itemsize + known.hand_classes * BYTES_OF_A_HAND_CLASS
    room = RESERVE * available_memory()
    if need > room:
        raise ErraiError(
            f"the values of this decision need {format_bytes(need)} of memory and {format_bytes(room)} can be had; "
            "query a decision later in the hand"
        )
