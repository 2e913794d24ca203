"""Strategies of the reference as weights of a layout, and weights of a layout as strategies of the reference."""

from functools import cache
from itertools import product

import numpy as np

from errai.cards.notation import Deck, hands
from errai.cards.suits import suit_permutations
from errai.engine.layout import Layout
from errai.games.template import Node
from errai.strategy.kinds.exact import ExactStrategy
from tests import naive
from tests.games_strategies import random_strategy


def first_betting(layout: Layout) -> str:
    """The betting before the root as the reference writes it, with a "/" after every finished round."""
    spot = layout.spot
    return spot.betting + ("/" if spot.betting and spot.state.acted == 0 else "")


def contexts(layout: Layout) -> list[list[str]]:
    """For each level the betting that leads to each of its contexts."""
    found = [[first_betting(layout)]]
    for template in layout.shape.templates[:-1]:
        end = "/" if template.nodes else ""
        found.append([before + leaf.betting + end for leaf, before in product(template.leaves, found[-1])])
    return found


def rows_at(layout: Layout, board: int, context: int, node: Node):
    """([actions] first numbers, stride) of a node's weights by hand class: weights[first + class * stride]."""
    level = int(layout.boards.level[board])
    H = int(layout.shape.classes[board])
    chunk = int(layout.betting.chunk[level])
    n = H * chunk
    rows = int(layout.betting.rows[level])
    start = int(layout.boards.offset[board]) + context // chunk * rows * n + context % chunk
    return start + (node.row + np.arange(len(node.actions))) * n, chunk


def boards(layout: Layout) -> list[naive.Board]:
    """The public cards of every board, round by round."""
    game, tree = layout.spot.game, layout.shape.tree
    written = []
    for board, level in enumerate(layout.boards.level):
        cards = [int(card) for card in tree.cards[board, : tree.public[level]]]
        round_ = level + game.rounds - layout.levels
        rounds, at = [], 0
        for new in game.board_cards[: round_ + 1]:
            rounds.append(tuple(cards[at : at + new]))
            at += new
        written.append(tuple(rounds))
    return written


def places(layout: Layout):
    """(seat, hole, board, betting) and where its weights are, for every information set of the layout."""
    holes = [tuple(map(int, hole)) for hole in hands(layout.spot.deck.size, layout.spot.game.hole_cards)]
    reached = contexts(layout)
    for board, cards in enumerate(boards(layout)):
        level = int(layout.boards.level[board])
        low, high = layout.hand_classes.first[board], layout.hand_classes.first[board + 1]
        for context, before in enumerate(reached[level]):
            for node in layout.shape.templates[level].nodes:
                first, stride = rows_at(layout, board, context, node)
                for place, hand in enumerate(layout.hand_classes.hand[low:high]):
                    key = (node.player, holes[hand], cards, before + node.betting)
                    yield key, first + place * stride


def weights_of(layout: Layout, strategy: naive.Strategy, dtype="float64", scale: float = 1.0):
    """The strategy in the layout, asked once for each class of hands."""
    weights = np.full(int(layout.boards.offset[-1]), -1.0)
    for key, at in places(layout):
        assert (weights[at] == -1).all(), "two information sets share a place"
        weights[at] = strategy(*key)
    assert (weights >= 0).all(), "a place belongs to no information set"
    return (weights * scale).astype(dtype)


def strategy_of(layout: Layout, weights) -> naive.Strategy:
    """What the weights say, asked for any cards and betting as they come."""
    solution = ExactStrategy(layout, weights)
    skipped = len(layout.spot.board)
    before = first_betting(layout)

    @cache
    def decision(board: naive.Board, betting: str):
        assert betting.startswith(before)
        return solution.decision(betting[len(before) :], board[skipped:])

    def strategy(seat: int, hole: naive.Hole, board: naive.Board, betting: str) -> list[float]:
        found = decision(board, betting)
        assert found.player == seat
        hand = hole[0] if len(hole) == 1 else hole[1] * (hole[1] - 1) // 2 + hole[0]
        return [float(p) for p in found.probabilities[hand]]

    return strategy


def symmetric_strategy(game, seed: int) -> naive.Strategy:
    """A random strategy that plays alike whatever the symmetries of the game make alike."""
    moves = suit_permutations(Deck(game.ranks, game.suits), game.hole_cards, game.suits_matter).cards.tolist()
    anything = random_strategy(game, seed)

    @cache
    def strategy(seat: int, hole: naive.Hole, board: naive.Board, betting: str):
        hole, *board = min(
            tuple(tuple(sorted(move[card] for card in group)) for group in (hole, *board)) for move in moves
        )
        return anything(seat, hole, tuple(board), betting)

    return strategy


def ranges_of(spot) -> naive.Weights:
    """The ranges of a spot as the reference wants them."""
    holes = [tuple(map(int, hole)) for hole in hands(spot.deck.size, spot.game.hole_cards)]
    first, second = (
        {hole: float(w) for hole, w in zip(holes, weights, strict=True) if w > 0} for weights in spot.ranges
    )
    return first, second


def start_of(layout: Layout) -> naive.Spot:
    return naive.Spot(layout.spot.board, first_betting(layout))
