"""From the public cards of a hand to the canonical board of their class, and the renaming that leads there.

Round after round the new cards are renamed as the earlier ones were; a table gives, for every canonical board and
every set of new cards, the child board and the permutation of the suits that takes the new cards to the child's. A
board that is dealt in one go, (5,) cards, is the unordered board: five cards whatever their order.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.boards import MOST_PUBLIC_CARDS, BoardTree
from errai.cards.notation import Deck
from errai.cards.suits import SuitPermutations


class BoardLookup(NamedTuple):
    """What `locate` reads. G permutations, level 0 is the empty board."""

    moves: NDArray[np.uint8]  # [G, deck] where each permutation takes a card
    compose: NDArray[np.uint8]  # [G, G] the permutation that does the second, then the first
    ways: NDArray[np.int64]  # [deck + 1, MOST_PUBLIC_CARDS + 1] binomial coefficients, to number card sets
    dealt: NDArray[np.int64]  # [levels - 1] cards of each deal
    levels: NDArray[np.int64]  # [levels + 1] first board of each level
    first_set: NDArray[np.int64]  # [levels] where a level's table of children begins
    child: NDArray[np.int32]  # [boards of a level, sets of new cards] for every level; -1 when blocked
    move: NDArray[np.uint8]  # likewise: the permutation that takes the new cards to the child's


@njit(cache=True, nogil=True)
def number_of_set(cards, ways):
    """Number of a set of cards among all of its size: sum of C(card_i, i + 1) over the cards, which it sorts."""
    for i in range(1, cards.size):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
    number = np.int64(0)
    for i in range(cards.size):
        number += ways[cards[i], i + 1]
    return number


@njit(cache=True, nogil=True)
def locate(cards, level, lookup):
    """(board within its level, permutation) of the public cards of the first `level` deals, in the order dealt.

    The cards are renamed in place to those of the canonical board.
    """
    deck = lookup.moves.shape[1]
    rename = 0
    board = 0
    at = 0
    for deal in range(level):
        n = lookup.dealt[deal]
        new = cards[at : at + n]
        for i in range(n):
            new[i] = lookup.moves[rename, new[i]]
        place = lookup.first_set[deal] + board * lookup.ways[deck, n] + number_of_set(new, lookup.ways)
        board = np.int64(lookup.child[place])
        move = lookup.move[place]
        # The board's earlier cards do not move: the permutation is one of its symmetries, as a set.
        for i in range(n):
            new[i] = lookup.moves[move, new[i]]
        rename = np.int64(lookup.compose[move, rename])
        at += n
    return board, rename


@njit(cache=True, nogil=True)
def _fill_children(cards, parent, known, dealt, groups, inverse, moves, ways, child, move):
    """Every set of new cards that the symmetries of the parent take to a child's, with the way back."""
    image = np.empty(dealt, np.int64)
    for board in range(cards.shape[0]):
        up = parent[board]
        # Backwards, so that the permutation that changes nothing has the last word.
        for g in range(moves.shape[0] - 1, -1, -1):
            if (groups[up] >> g) & 1:
                for i in range(dealt):
                    image[i] = moves[g, cards[board, known + i]]
                number = number_of_set(image, ways)
                child[up, number] = board
                move[up, number] = inverse[g]


def board_lookup(deck: Deck, moves: SuitPermutations, tree: BoardTree, dealt: tuple[int, ...]) -> BoardLookup:
    """The tables of a tree of boards that was made from the empty board with all symmetries."""
    G = len(moves.cards)
    # [G, G, deck] what the second and then the first permutation do to every card.
    both = moves.cards[np.arange(G)[:, None, None], moves.cards[None, :, :]]
    compose = (both[:, :, None, :] == moves.cards).all(axis=3).argmax(axis=2).astype(np.uint8)
    inverse = (compose == 0).argmax(axis=1).astype(np.int64)
    ways = np.array(
        [[comb(n, k) for k in range(MOST_PUBLIC_CARDS + 1)] for n in range(deck.size + 1)], np.int64
    )
    children, back = [], []
    bounds = [int(bound) for bound in tree.levels]
    for level, (low, high) in enumerate(pairwise(bounds[:-1])):
        child = np.full((high - low, comb(deck.size, dealt[level])), -1, np.int32)
        move = np.zeros(child.shape, np.uint8)
        below = slice(high, bounds[level + 2])
        _fill_children(
            tree.cards[below], tree.parent[below].astype(np.int64) - low, int(tree.public[level]),
            dealt[level], tree.group[low:high], inverse, moves.cards, ways, child, move,
        )  # fmt: skip
        children.append(child.ravel())
        back.append(move.ravel())
    return BoardLookup(
        moves=moves.cards,
        compose=compose,
        ways=ways,
        dealt=np.array(dealt, np.int64),
        levels=tree.levels,
        first_set=np.cumsum([0, *(len(table) for table in children)]).astype(np.int64),
        child=np.concatenate([np.empty(0, np.int32), *children]),
        move=np.concatenate([np.empty(0, np.uint8), *back]),
    )
