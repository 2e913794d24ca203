"""The tree of public cards, one board of each class.

A board's children are the sets of cards that can be dealt next. The symmetries of a board (the permutations
of the suits that keep every round's cards) map children onto each other; only the smallest of each orbit is
kept, with the number of boards that it stands for and with the symmetries that remain.

Boards are numbered level by level; the children of a board are neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
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


class _Level(NamedTuple):
    """The boards of one level, as in the tree; a parent is counted within its level."""

    cards: NDArray[np.uint8]
    group: NDArray[np.int64]
    orbit: NDArray[np.int32]
    parent: NDArray[np.int32]


@njit(cache=True, nogil=True)
def popcount(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def _expand(parents, count, dealt, moves, out):
    """Children of boards of `count` cards; with empty outputs it only counts them. Returns the number."""
    filling = out.group.size > 0
    cards, deck_size = parents.cards, moves.shape[1]
    total = 0
    live = np.empty(deck_size, np.int64)
    pick = np.empty(dealt, np.int64)
    for board in range(len(cards)):
        n = 0
        for card in range(deck_size):
            free = True
            for i in range(count):
                if cards[board, i] == card:
                    free = False
            if free:
                live[n] = card
                n += 1
        group = parents.group[board]
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
                        out.cards[total, i] = cards[board, i]
                    for i in range(dealt):
                        out.cards[total, count + i] = live[pick[i]]
                    out.group[total] = stabiliser
                    out.orbit[total] = order // popcount(stabiliser)
                    out.parent[total] = board
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


def board_tree(
    deck: Deck, moves: SuitPermutations, root: tuple[int, ...], dealt: tuple[int, ...], group: int
) -> BoardTree:
    """All canonical boards from `root` on, with `dealt` new cards a round and the root's symmetries."""
    cards = np.zeros((1, MOST_PUBLIC_CARDS), np.uint8)
    cards[0, : len(root)] = root
    return board_forest(moves, cards, np.array([group], np.int64), len(root), dealt)


def board_forest(
    moves: SuitPermutations,
    roots: NDArray[np.uint8],
    groups: NDArray[np.int64],
    public: int,
    dealt: tuple[int, ...],
    kept: Callable[[NDArray[np.uint8]], NDArray[np.bool_]] | None = None,
) -> BoardTree:
    """The same below several boards of `public` cards, each with its symmetries; they have no parents.

    With `kept`, which is given cards [B, MOST_PUBLIC_CARDS], only some boards of the first level below are there.
    """
    card_moves = moves.cards.astype(np.int64)
    count = len(groups)
    levels = [0, count]
    counts = [public]
    boards = [_Level(roots, groups, np.ones(count, np.int32), np.full(count, -1, np.int32))]
    for new in dealt:
        parents = boards[-1]
        size = len(parents.group)
        if new == 0:
            same = np.arange(size, dtype=np.int32)
            grown = _Level(parents.cards.copy(), parents.group.copy(), np.ones(size, np.int32), same)
        else:
            grown = _room(_expand(parents, counts[-1], new, card_moves, _room(0)))
            _expand(parents, counts[-1], new, card_moves, grown)
        if kept is not None and len(boards) == 1:
            chosen = kept(grown.cards)
            cards, group, orbit, parent = grown
            grown = _Level(cards[chosen], group[chosen], orbit[chosen], parent[chosen])
        boards.append(grown._replace(parent=(grown.parent + levels[-2]).astype(np.int32)))
        levels.append(levels[-1] + len(grown.parent))
        counts.append(counts[-1] + new)
    all_cards, all_groups, orbits, parent = (np.concatenate(pieces) for pieces in zip(*boards, strict=True))
    children = np.bincount(parent[count:], minlength=len(parent)).astype(np.int32)
    first_child = (np.cumsum(children) - children + count).astype(np.int32)
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


def _room(boards: int) -> _Level:
    return _Level(
        np.zeros((boards, MOST_PUBLIC_CARDS), np.uint8),
        np.empty(boards, np.int64),
        np.empty(boards, np.int32),
        np.empty(boards, np.int32),
    )
