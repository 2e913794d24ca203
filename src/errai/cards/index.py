"""Dense numbers for hands up to a renaming of the suits: 169 before the flop, 2,428,287,420 on the river.

A hand is the hole cards and the public cards of each round so far. Two hands have the same index when a
permutation of the suits takes one to the other, round by round; the order of cards within a round is no
matter. Every number below the size is the index of some hand, so an index is a place in an array.

Renaming goes in two steps. The board is renamed, round after round, into the canonical board of its class
(errai.cards.boards); a table gives the child board and the permutation for every set of new cards. What is
left is the group G of permutations that keep this board, and the hole cards belong to an orbit of G:

    index = first[board] + orbits of G that avoid the board and come before the orbit of the hole cards

Few groups occur but millions of boards, so orbits are counted by group, and those that the board blocks are
taken off again. With b and c cards of the board, and hands written by the smallest of their orbit,

    before(hand) = (orbits < hand) - sum over b (orbits < hand with b) + sum over b < c ({b, c} is one < hand)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.board_lookup import BoardLookup, board_lookup, locate, number_of_set
from errai.cards.boards import MOST_PUBLIC_CARDS, BoardTree, board_tree
from errai.cards.notation import Deck, hand_count, hands
from errai.cards.suits import SuitPermutations, suit_permutations, whole_group
from errai.errors import ErraiError

Hand = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]  # hole cards, public cards of each round


class _Tables(NamedTuple):
    """What the kernel reads. B boards, Q groups that occur, N hands."""

    lookup: BoardLookup
    first: NDArray[np.int64]  # [B] index of the board's first hand, from 0 in each level
    group: NDArray[np.uint8]  # [B] number of the group that keeps the board
    smallest: NDArray[np.int32]  # [Q, N] smallest hand of the orbit
    before: NDArray[np.int32]  # [Q, N + 1] orbits before a hand
    before_with: NDArray[np.int16]  # [Q, deck, N + 1] orbits before a hand whose smallest hand has the card


@njit(cache=True, nogil=True)
def _blocked(cards, count, hole_cards, q, hand, smallest, before_with):  # type: ignore[no-untyped-def]
    """Orbits before `hand` that a board of `count` cards blocks; those with two of its cards count once."""
    blocked = 0
    for i in range(count):
        blocked += before_with[q, cards[i], hand]
        for j in range(i if hole_cards == 2 else 0):
            low, high = np.int64(min(cards[i], cards[j])), np.int64(max(cards[i], cards[j]))
            pair = high * (high - 1) // 2 + low
            blocked -= pair < hand and smallest[q, pair] == pair
    return blocked


@njit(cache=True, nogil=True)
def _orbits_of_boards(cards, count, hole_cards, group, smallest, before, before_with, out):  # type: ignore[no-untyped-def]
    """How many orbits of hands every board has."""
    N = smallest.shape[1]
    for board in range(cards.shape[0]):
        q = group[board]
        out[board] = before[q, N] - _blocked(cards[board], count, hole_cards, q, N, smallest, before_with)


@njit(cache=True, nogil=True)
def _index_rows(rows, hole_cards, level, tables, out):  # type: ignore[no-untyped-def]
    """Indices of hands, one in each row: hole cards, then the cards of each deal. -1 where that is no hand."""
    deck = tables.lookup.moves.shape[1]
    renamed = np.empty(MOST_PUBLIC_CARDS, np.int64)
    hole = np.empty(hole_cards, np.int64)
    for row in range(rows.shape[0]):
        out[row] = -1
        good = True
        for i in range(rows.shape[1]):
            good &= 0 <= rows[row, i] < deck
            for j in range(i):
                good &= rows[row, i] != rows[row, j]
        if not good:
            continue
        count = rows.shape[1] - hole_cards
        for i in range(count):
            renamed[i] = rows[row, hole_cards + i]
        board, rename = locate(renamed, level, tables.lookup)
        board += tables.lookup.levels[level]
        for i in range(hole_cards):
            hole[i] = tables.lookup.moves[rename, rows[row, i]]
        hand = number_of_set(hole, tables.lookup.ways)
        q = tables.group[board]
        hand = tables.smallest[q, hand]
        blocked = _blocked(renamed, count, hole_cards, q, hand, tables.smallest, tables.before_with)
        out[row] = tables.first[board] + tables.before[q, hand] - blocked


class HandIndex:
    """Numbers every hand of every round, one number for all renamings of its suits.

    `rounds` has the new public cards of each round: (0, 3, 1, 1) in hold'em. `sizes` has the number of hands
    of each round, 169, 1286792, 55190538 and 2428287420 there.
    """

    def __init__(self, deck: Deck, hole_cards: int, rounds: Sequence[int]) -> None:
        self.deck, self.hole_cards, self.rounds = deck, hole_cards, tuple(int(new) for new in rounds)
        if not self.rounds or min(self.rounds) < 0 or sum(self.rounds) > MOST_PUBLIC_CARDS:
            raise ErraiError(
                f"rounds of {self.rounds} public cards cannot be indexed: give 0 or more for each round, "
                f"{MOST_PUBLIC_CARDS} in all at most"
            )
        if hand_count(deck.size, hole_cards) == 0 or hole_cards + sum(self.rounds) > deck.size:
            raise ErraiError(
                f"{hole_cards} hole cards and {sum(self.rounds)} public cards: the deck has only {deck.size}"
            )
        # A deal before the first round is a level of its own.
        self._dealt = self.rounds if self.rounds[0] else self.rounds[1:]
        self._before_first = len(self._dealt) - len(self.rounds) + 1
        levels = range(self._before_first, len(self._dealt) + 1)
        self._boards_of = [self._dealt[:level] for level in levels]  # what `index` takes in each round
        moves = suit_permutations(deck, hole_cards)
        tree = board_tree(deck, moves, (), self._dealt, whole_group(moves))
        self._cards = [
            tree.cards[low:high, :count].copy()
            for (low, high), count in zip(pairwise(tree.levels), tree.public, strict=True)
        ]
        self._holes = hands(deck.size, hole_cards)
        self._tables, sizes = _build(deck, hole_cards, moves, tree, self._dealt)
        self.sizes: tuple[int, ...] = tuple(sizes[self._before_first :])

    def index(self, hole: Sequence[int], boards: Sequence[Sequence[int]] = ()) -> int:
        """The index of a hand: hole cards, and the cards of each round so far.

        The first round is left out of `boards` when it deals none, as in hold'em.
        """
        given = tuple(len(cards) for cards in boards)
        if len(hole) != self.hole_cards or given not in self._boards_of:
            raise ErraiError(
                f"{len(hole)} hole cards and boards of {given} cards: this index has {self.hole_cards} hole "
                f"cards and boards of {self._dealt}"
            )
        cards = [int(card) for group in (hole, *boards) for card in group]
        return int(self.index_many(np.array([cards], np.int64))[0])

    def index_many(self, cards: NDArray[np.integer]) -> NDArray[np.int64]:
        """The indices of many hands of one round: [n, cards], hole cards first, then in the order dealt."""
        rows = np.asarray(cards)
        widths = [self.hole_cards + sum(boards) for boards in self._boards_of]
        if rows.ndim != 2 or rows.shape[1] not in widths:
            raise ErraiError(
                f"hands in an array of shape {rows.shape}: it must have a row for each hand, "
                f"of {' or '.join(map(str, sorted(set(widths))))} cards"
            )
        level = widths.index(rows.shape[1]) + self._before_first
        out = np.empty(len(rows), np.int64)
        _index_rows(np.ascontiguousarray(rows), self.hole_cards, level, self._tables, out)
        if len(out) and out.min() < 0:
            bad = rows[int(out.argmin())]
            raise ErraiError(
                f"cards {', '.join(map(str, bad))} are no hand: they must be different cards from 0 to "
                f"{self.deck.size - 1}"
            )
        return out

    def hand(self, round: int, index: int) -> Hand:
        """A hand of that index: hole cards, and the cards of each round as `index` takes them."""
        if not 0 <= round < len(self.sizes) or not 0 <= index < self.sizes[round]:
            raise ErraiError(f"no hand has index {index} in round {round}; the sizes are {self.sizes}")
        tables, level = self._tables, round + self._before_first
        bounds = tables.lookup.levels
        low, high = int(bounds[level]), int(bounds[level + 1])
        board = int(np.searchsorted(tables.first[low:high], index, side="right")) - 1
        cards = self._cards[level][board]
        group = int(tables.group[low + board])
        live = tables.smallest[group] == np.arange(len(self._holes))
        live &= ~np.isin(self._holes, cards).any(axis=1)
        hole = self._holes[np.flatnonzero(live)[index - int(tables.first[low + board])]]
        public = [int(card) for card in cards]
        boards, at = [], 0
        for new in self._dealt[:level]:
            boards.append(tuple(public[at : at + new]))
            at += new
        return tuple(int(card) for card in hole), tuple(boards)


def _build(
    deck: Deck, hole_cards: int, moves: SuitPermutations, tree: BoardTree, dealt: tuple[int, ...]
) -> tuple[_Tables, list[int]]:
    """The tables, and how many hands each level has."""
    masks, group = np.unique(tree.group, return_inverse=True)
    smallest, before, before_with = _orbits(deck, hole_cards, moves, masks)

    sizes = []
    first = np.empty(len(tree.group), np.int64)
    for level, (low, high) in enumerate(pairwise(tree.levels)):
        orbits = np.empty(high - low, np.int64)
        q = group[low:high].astype(np.int64)
        count = int(tree.public[level])
        _orbits_of_boards(tree.cards[low:high], count, hole_cards, q, smallest, before, before_with, orbits)
        first[low:high] = np.cumsum(orbits) - orbits
        sizes.append(int(orbits.sum()))
    tables = _Tables(
        lookup=board_lookup(deck, moves, tree, dealt),
        first=first,
        group=group.astype(np.uint8),
        smallest=smallest,
        before=before,
        before_with=before_with,
    )
    return tables, sizes


def _orbits(
    deck: Deck, hole_cards: int, moves: SuitPermutations, masks: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16]]:
    """For every group: the smallest hand of each orbit, and how many orbits come before a hand."""
    holes = hands(deck.size, hole_cards)
    N, Q = len(holes), len(masks)
    has = (holes[None, :, :] == np.arange(deck.size)[:, None, None]).any(axis=2)  # [deck, N]
    smallest = np.empty((Q, N), np.int32)
    before = np.zeros((Q, N + 1), np.int32)
    before_with = np.zeros((Q, deck.size, N + 1), np.int16)
    for q, mask in enumerate(masks):
        members = [g for g in range(len(moves.cards)) if int(mask) >> g & 1]
        smallest[q] = moves.hands[members].min(axis=0)
        stands = smallest[q] == np.arange(N)
        before[q, 1:] = np.cumsum(stands)
        before_with[q, :, 1:] = np.cumsum(has & stands, axis=1)
    return smallest, before, before_with
