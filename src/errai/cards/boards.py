"""The tree of public cards, one board of each class.

A board's children are the sets of cards that can be dealt next. The symmetries of a board (the permutations
of the suits that keep every round's cards) map children onto each other; only the smallest of each orbit is
kept, with the number of boards that it stands for and with the symmetries that remain.

Boards are numbered level by level; the children of a board are neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.notation import Deck
from errai.cards.suits import SuitPermutations

MOST_PUBLIC_CARDS = 16


class BoardTree(NamedTuple):
    """Public cards, level by level. B boards; level 0 is the root."""

    levels: NDArray[np.int64]  # [levels + 1] first board of each level
    cards: NDArray[np.uint8]  # [B, MOST_PUBLIC_CARDS] in the order dealt, each round's cards ascending
    public: NDArray[np.int64]  # [levels] public cards on a board of each level
    group: NDArray[np.int64]  # [B] symmetries that remain, a mask over the permutations
    orbit: NDArray[np.int32]  # [B] boards of its parent's children that this one stands for
    parent: NDArray[np.int32]  # [B] -1 for the root
    first_child: NDArray[np.int32]  # [B]
    children: NDArray[np.int32]  # [B] how many


@njit(cache=True, nogil=True)
def popcount(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def _expand(cards, count, groups, dealt, deck_size, moves, children):
    """Fill the children of the boards; only counts them where there is no place for them. Returns the number."""
    out_cards, out_group, out_orbit, out_parent = children
    filling = out_group.size > 0
    total = 0
    live = np.empty(deck_size, np.int64)
    pick = np.empty(dealt, np.int64)
    for board in range(groups.size):
        n = 0
        for card in range(deck_size):
            free = True
            for i in range(count):
                if cards[board, i] == card:
                    free = False
            if free:
                live[n] = card
                n += 1
        group = groups[board]
        order = popcount(group)
        for i in range(dealt):
            pick[i] = i
        while True:
            mask = np.uint64(0)
            for i in range(dealt):
                mask |= np.uint64(1) << np.uint64(live[pick[i]])
            stabiliser = np.int64(1)
            smallest = True
            if order > 1:
                for move in range(1, moves.shape[0]):
                    if (group >> move) & 1:
                        image = np.uint64(0)
                        for i in range(dealt):
                            image |= np.uint64(1) << np.uint64(moves[move, live[pick[i]]])
                        if image < mask:
                            smallest = False
                            break
                        if image == mask:
                            stabiliser |= np.int64(1) << move
            if smallest:
                if filling:
                    for i in range(count):
                        out_cards[total, i] = cards[board, i]
                    for i in range(dealt):
                        out_cards[total, count + i] = live[pick[i]]
                    out_group[total] = stabiliser
                    out_orbit[total] = order // popcount(stabiliser)
                    out_parent[total] = board
                total += 1
            place = dealt - 1
            while place >= 0 and pick[place] == n - dealt + place:
                place -= 1
            if place < 0:
                break
            pick[place] += 1
            for i in range(place + 1, dealt):
                pick[i] = pick[i - 1] + 1
    return total


class _Children(NamedTuple):
    """Boards of the next level."""

    cards: NDArray[np.uint8]  # [n, MOST_PUBLIC_CARDS]
    group: NDArray[np.int64]  # [n]
    orbit: NDArray[np.int32]  # [n]
    parent: NDArray[np.int32]  # [n] counted within its level


def _place_for(count: int) -> _Children:
    """Place for so many."""
    cards = np.zeros((count, MOST_PUBLIC_CARDS), np.uint8)
    return _Children(cards, np.empty(count, np.int64), np.empty(count, np.int32), np.empty(count, np.int32))


def board_tree(
    deck: Deck, moves: SuitPermutations, root: tuple[int, ...], dealt: tuple[int, ...], group: int
) -> BoardTree:
    """All canonical boards from `root` on, with `dealt` new cards a round and the root's symmetries."""
    card_moves = moves.cards.astype(np.int64)
    cards = np.zeros((1, MOST_PUBLIC_CARDS), np.uint8)
    cards[0, : len(root)] = root
    levels = [0, 1]
    counts = [len(root)]
    one = np.ones(1, np.int32)
    boards = [_Children(cards, np.array([group], np.int64), one, -one)]
    for new in dealt:
        parents, groups = boards[-1].cards, boards[-1].group
        if new == 0:
            number = np.arange(len(groups), dtype=np.int32)
            grown = _Children(parents.copy(), groups.copy(), np.ones(len(groups), np.int32), number)
        else:
            given = (parents, counts[-1], groups, new, deck.size, card_moves)
            grown = _place_for(_expand(*given, _place_for(0)))
            _expand(*given, grown)
        boards.append(grown._replace(parent=(grown.parent + levels[-2]).astype(np.int32)))
        levels.append(levels[-1] + len(grown.parent))
        counts.append(counts[-1] + new)
    all_cards, all_groups, orbits, parent = (np.concatenate(pieces) for pieces in zip(*boards, strict=True))
    children = np.bincount(parent[1:], minlength=len(parent)).astype(np.int32)
    first_child = (np.cumsum(children) - children + 1).astype(np.int32)
    return BoardTree(
        levels=np.array(levels, np.int64),
        cards=all_cards,
        public=np.array(counts, np.int64),
        group=all_groups,
        orbit=orbits,
        parent=parent,
        first_child=first_child,
        children=children,
    )
