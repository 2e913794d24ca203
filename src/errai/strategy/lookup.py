"""From cards to a place in the layout.

A board as it was dealt is renamed, suit by suit, into the canonical board of its class; the hand is renamed with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from errai.cards.hand_classes import classify
from errai.cards.notation import hands
from errai.engine.layout import Layout
from errai.errors import ErraiError
from errai.games.lookup import BettingTree


@dataclass(frozen=True)
class Place:
    """A board of the layout, and how the cards of the real one are renamed."""

    board: int
    cards: NDArray[np.int64]  # [deck] real card -> card of the layout


def find_board(layout: Layout, dealt: Sequence[Sequence[int]], root: Place | None = None) -> Place:
    """The canonical board for the cards of each round after the root, or one of the roots."""
    tree, moves = layout.shape.tree, layout.shape.moves.cards.astype(np.int64)
    root = root or Place(0, np.arange(layout.spot.deck.size))
    board, rename = root.board, root.cards
    for level, cards in enumerate(dealt):
        new = sorted(int(rename[card]) for card in cards)
        known = int(tree.public[level])
        group = int(tree.group[board])
        images = {
            tuple(sorted(int(moves[g][card]) for card in new)): g
            for g in reversed(range(len(moves)))
            if group >> g & 1
        }
        first = int(tree.first_child[board])
        for child in range(first, first + int(tree.children[board])):
            found = images.get(tuple(int(card) for card in tree.cards[child, known : known + len(new)]))
            if found is not None:
                rename = moves[found][rename]
                board = child
                break
        else:
            text = layout.spot.deck.format_cards(list(cards), " ")
            raise ErraiError(f"the cards '{text}' cannot be dealt here")
    return Place(board, rename)


def classes_of(layout: Layout, place: Place) -> NDArray[np.int64]:
    """[N] place of every real hand among the board's H classes, -1 for hands that cannot be held there."""
    spot, tree, moves = layout.spot, layout.shape.tree, layout.shape.moves
    holes = hands(spot.deck.size, spot.game.hole_cards)
    N = len(holes)
    class_of, first, size = (np.empty(N, np.int32) for _ in range(3))
    level = int(layout.boards.level[place.board])
    classify(
        tree.cards[place.board], int(tree.public[level]), int(tree.group[place.board]), holes, moves.hands,
        spot.held, class_of, first, size,
    )  # fmt: skip
    low, high = layout.hand_classes.first[place.board], layout.hand_classes.first[place.board + 1]
    rank = np.full(N, -1, np.int64)  # class number, by the class's first hand, to place in the layout
    rank[layout.hand_classes.hand[low:high]] = np.arange(high - low)
    images = place.cards[holes.astype(np.int64)]
    if spot.game.hole_cards == 1:
        renamed = images[:, 0]
    else:
        a, b = images.min(axis=1), images.max(axis=1)
        renamed = b * (b - 1) // 2 + a
    owner = class_of[renamed]
    return np.where(owner >= 0, rank[first[np.maximum(owner, 0)]], -1)


def tree_of(layout: Layout) -> BettingTree:
    """The betting tree of a layout, from its root on."""
    spot, shape = layout.spot, layout.shape
    return BettingTree(spot.state, shape.templates, shape.contexts)
