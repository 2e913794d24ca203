"""The private hands on every board of a tree, one of each class.

On a board with symmetries the hands fall into orbits; one class stands for an orbit of `size` hands. Sums over
the opponent's hands that avoid my cards become sums over classes, because reach is the same within a class:

    sum of r over hands that avoid hand h = total - C[x] - C[y] + r[h]
    total = sum_i size_i r_i          C[o] = sum_i (cards of class i in orbit o) size_i / |o| r_i

where x and y are the card orbits of h, and C[o] is the weight of the hands that hold one certain card of o.

Hands that neither player can hold are left out altogether: they are not in `live`.

A class of a child board belongs to one class of its parent. The value of a parent's hand is the sum over all
child boards; over one orbit of children this is the sum over the classes i that belong to it, each weighted
with  orbit * size_i / size_parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.boards import BoardTree, popcount
from errai.cards.notation import Deck, hands
from errai.cards.strength import RANKINGS, strengths_into
from errai.cards.suits import SuitPermutations


class HandClasses(NamedTuple):
    """Hand classes of all boards, one board after the other. Those of the last level ascend in strength."""

    first: NDArray[np.int64]  # [B + 1] first class of each board
    hand: NDArray[np.int32]  # [classes] the class's smallest hand
    size: NDArray[np.int32]  # [classes] hands in the class
    card: NDArray[np.uint8]  # [classes, 2] card orbits of the hand; a missing second card is deck_size
    share: NDArray[np.float32]  # [classes, 2] what the class adds to C of its two card orbits
    up: NDArray[np.int32]  # [classes] class of the parent board, counted within that board
    up_weight: NDArray[np.float64]  # [classes] orbit * size / size of the parent's class
    ties: NDArray[
        np.int32
    ]  # [ties + boards] ends of the runs of equal strength, within each last-level board
    first_tie: NDArray[np.int64]  # [last-level boards + 1]


class _Hands(NamedTuple):
    """The hands of a deck. G permutations of the suits."""

    hands: NDArray[np.uint8]  # [N, hole cards]
    live: NDArray[np.bool_]  # [N] those that can be held at all
    hand_moves: NDArray[np.int32]  # [G, N] where each permutation takes a hand
    card_moves: NDArray[np.uint8]  # [G, deck] and a card
    suits: int
    ranks: int
    ranking: int


class _Orbits(NamedTuple):
    """The hand classes of one board, in the order of their first hands."""

    class_of: NDArray[np.int32]  # [N] -1 for hands that are not live or share a card with the board
    representative: NDArray[np.int32]  # [N] the first hand of each class
    size: NDArray[np.int32]  # [N] hands in each class


@njit(cache=True, nogil=True)
def _orbits(N):
    return _Orbits(np.empty(N, np.int32), np.empty(N, np.int32), np.empty(N, np.int32))


@njit(cache=True, nogil=True)
def classify(board, count, group, hands, hand_moves, live, class_of, representative, size):
    """Orbits of the live hands that avoid the board; returns how many there are.

    class_of[hand] is -1 for the other hands; `representative` and `size` are each class's first hand and size.
    """
    n = 0
    order = popcount(group)
    for hand in range(hands.shape[0]):
        class_of[hand] = -1
        blocked = not live[hand]
        for i in range(count):
            for j in range(hands.shape[1]):
                if hands[hand, j] == board[i]:
                    blocked = True
        if blocked:
            continue
        smallest = hand
        fixed = 1
        if order > 1:
            for move in range(1, hand_moves.shape[0]):
                if (group >> move) & 1:
                    image = hand_moves[move, hand]
                    smallest = min(smallest, image)
                    fixed += image == hand
        if smallest == hand:
            representative[n] = hand
            size[n] = order // fixed
            class_of[hand] = n
            n += 1
        else:
            class_of[hand] = class_of[smallest]
    return n


@njit(cache=True, nogil=True)
def _classify(tree, level, board, of, out):
    class_of, representative, size = out
    return classify(
        tree.cards[board], tree.public[level[board]], tree.group[board], of.hands, of.hand_moves, of.live,
        class_of, representative, size,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _count(tree, level, of, out):
    found = _orbits(of.hands.shape[0])
    for board in range(tree.cards.shape[0]):
        out[board] = _classify(tree, level, board, of, found)


@njit(cache=True, nogil=True)
def _card_orbits(group, card_moves, orbit, orbit_size):
    """The smallest card of every card's orbit, and how many cards that orbit has; a missing card is its own."""
    deck_size = card_moves.shape[1]
    orbit[deck_size] = deck_size
    orbit_size[:] = 0
    for c in range(deck_size):
        smallest = c
        for move in range(1, card_moves.shape[0]):
            if (group >> move) & 1:
                smallest = min(smallest, np.int64(card_moves[move, c]))
        orbit[c] = smallest
        orbit_size[smallest] += 1


@njit(cache=True, nogil=True)
def _fill(tree, level, of, out, tie_count, last):
    """Fills `out` but for `first`, which is known; returns how many ties there are."""
    hands, (n, hole_cards), deck_size = of.hands, of.hands.shape, of.card_moves.shape[1]
    own, above = _orbits(n), _orbits(n)
    strength = np.empty(n, np.int32)
    orbit = np.empty(deck_size + 1, np.uint8)
    orbit_size = np.zeros(deck_size + 1, np.int32)
    known_parent = -1
    total_ties = 0
    for board in range(tree.cards.shape[0]):
        parent = tree.parent[board]
        if parent >= 0 and parent != known_parent:
            _classify(tree, level, parent, of, above)
            known_parent = parent
        count = tree.public[level[board]]
        H = _classify(tree, level, board, of, own)
        _card_orbits(tree.group[board], of.card_moves, orbit, orbit_size)
        base = out.first[board]
        order = np.arange(H)
        if level[board] == last:
            first_hands = hands[own.representative[:H]]
            strengths_into(
                first_hands, tree.cards[board, :count], of.suits, of.ranks, of.ranking, strength[:H]
            )
            order = np.argsort(strength[:H].astype(np.int64) * n + order)
        for i in range(H):
            k = order[i]
            h = own.representative[k]
            out.hand[base + i] = h
            out.size[base + i] = own.size[k]
            for j in range(2):
                o = orbit[hands[h, j]] if j < hole_cards else orbit[deck_size]
                out.card[base + i, j] = o
                out.share[base + i, j] = own.size[k] / orbit_size[o] if j < hole_cards else 0.0
            if parent >= 0:
                up = above.class_of[h]
                out.up[base + i] = up
                out.up_weight[base + i] = tree.orbit[board] * own.size[k] / above.size[up]
        if level[board] == last:
            found = 0
            for i in range(H):
                if i == H - 1 or strength[order[i]] != strength[order[i + 1]]:
                    out.ties[total_ties] = i + 1
                    total_ties += 1
                    found += 1
            tie_count[board - tree.levels[last]] = found
    return total_ties


def _hands(
    deck: Deck, moves: SuitPermutations, hole_cards: int, ranking: int, live: NDArray[np.bool_] | None
) -> _Hands:
    holes = hands(deck.size, hole_cards)
    live = np.ones(len(holes), np.bool_) if live is None else live
    return _Hands(holes, live, moves.hands, moves.cards, deck.suits, deck.ranks, ranking)


def level_of(tree: BoardTree) -> NDArray[np.int64]:
    """The level of every board."""
    return np.repeat(np.arange(len(tree.public)), np.diff(tree.levels)).astype(np.int64)


def class_counts(
    tree: BoardTree,
    deck: Deck,
    moves: SuitPermutations,
    hole_cards: int,
    live: NDArray[np.bool_] | None = None,
) -> NDArray[np.int64]:
    """H of every board. `live` are the hands that can be held at all, all of them if it is not given."""
    out = np.empty(len(tree.parent), np.int64)
    _count(tree, level_of(tree), _hands(deck, moves, hole_cards, 0, live), out)
    return out


def hand_classes(
    tree: BoardTree,
    deck: Deck,
    moves: SuitPermutations,
    hole_cards: int,
    ranking: str,
    live: NDArray[np.bool_] | None = None,
    showdown: bool = True,
) -> HandClasses:
    """Hand classes of every board of the tree, those of the last level in order of strength.

    Without a `showdown` the game goes on after the last level, whose classes are ordered like those of the others.
    """
    counts = class_counts(tree, deck, moves, hole_cards, live)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    total, last = int(first[-1]), len(tree.public) - 1
    tie_count = np.zeros(int(tree.levels[last + 1] - tree.levels[last]), np.int64)
    out = HandClasses(
        first=first,
        hand=np.empty(total, np.int32),
        size=np.empty(total, np.int32),
        card=np.empty((total, 2), np.uint8),
        share=np.empty((total, 2), np.float32),
        up=np.full(total, -1, np.int32),
        up_weight=np.zeros(total, np.float64),
        ties=np.empty(int(first[-1] - first[tree.levels[last]]), np.int32),
        first_tie=np.zeros(len(tie_count) + 1, np.int64),
    )
    of = _hands(deck, moves, hole_cards, RANKINGS[ranking], live)
    used = _fill(tree, level_of(tree), of, out, tie_count, last if showdown else -1)
    np.cumsum(tie_count, out=out.first_tie[1:])
    return out._replace(ties=out.ties[:used].copy())
