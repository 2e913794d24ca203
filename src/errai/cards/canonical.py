"""The canonical boards of one round, numbered, and the way from any cards to their number.

Boards are told apart by the deals that `dealt` names: (3, 1, 1) is a river whose order matters, 2,554,656 of them in
hold'em; (5,) is one as a set of five cards, 134,459 of them. What is known of a hand on a board is kept in a table
[B, N], board by board and hand by hand, and read at

    table[board, hand_moves[move, hand]]        board, move = locate(cards, level, lookup)

Of a set of cards the canonical board is the one, among its images under all permutations of the suits, that is the
smallest number with a bit for each card; and the boards are in the order of their cards. So one set is found by a
binary search in the list of boards, without the tables that `locate` reads: half a second of work for the river.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from errai.cards.board_lookup import BoardLookup, board_lookup, locate
from errai.cards.boards import BoardTree, board_tree
from errai.cards.notation import Deck
from errai.cards.suits import SuitPermutations, suit_permutations, whole_group
from errai.errors import ErraiError


@dataclass(frozen=True, eq=False)
class CanonicalBoards:
    """B boards of one round; N hands in the order of `errai.cards.notation.hands`; G permutations of the suits.

    What takes long to find is found when it is first asked for.
    """

    deck: Deck
    hole_cards: int
    dealt: tuple[int, ...]
    known: NDArray[np.uint8] | None = field(default=None, repr=False)  # `cards`, if they are on the disk

    @cached_property
    def cards(self) -> NDArray[np.uint8]:
        """[B, public cards] in the order dealt"""
        if self.known is not None:
            return self.known
        return self._tree.cards[self._last, : sum(self.dealt)].copy()

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """[B] the permutations that keep the board, a mask"""
        return self._tree.group[self._last].copy()

    @cached_property
    def weight(self) -> NDArray[np.int64]:
        """[B] boards that this one stands for"""
        tree = self._tree
        weight = np.ones(len(tree.parent), np.int64)
        for low, high in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
            weight[low:high] = tree.orbit[low:high] * weight[tree.parent[low:high]]
        return weight[self._last].copy()

    @cached_property
    def lookup(self) -> BoardLookup:
        return board_lookup(self.deck, self._moves, self._tree, self.dealt)

    @cached_property
    def hand_moves(self) -> NDArray[np.int32]:
        """[G, N] where each permutation takes a hand"""
        return np.ascontiguousarray(self._moves.hands, dtype=np.int32)

    def open(self) -> None:
        """Read what `find` needs, where it was kept."""
        if self.known is not None:
            _ = self.hand_moves, self._inverse

    def find(self, cards: tuple[int, ...]) -> tuple[int, int]:
        """(board, permutation) for public cards in the order dealt."""
        if len(self.dealt) > 1:
            board, move = locate(np.array(cards, np.int64), len(self.dealt), self.lookup)
            return int(board), int(move)
        move, smallest = self._smallest(cards)
        board = bisect_left(range(len(self.cards)), smallest, key=lambda b: self.cards[b].tobytes())
        if board == len(self.cards) or self.cards[board].tobytes() != smallest:
            raise ErraiError(f"{list(cards)} are not {sum(self.dealt)} cards of this deck")
        return board, move

    def find_many(self, cards: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """([n], [n]) the same for many sets [n, public cards]; of several permutations the first."""
        if len(self.dealt) > 1:
            raise ErraiError(f"boards of {self.dealt} cards in the order dealt are found one by one")
        images = np.zeros((len(cards), len(self._moves.cards)), np.uint64)
        for column in cards.T:
            images |= np.uint64(1) << self._moves.cards[:, column].astype(np.uint64).T
        move = images.argmin(axis=1)
        known, place = self._by_bits
        number = np.minimum(np.searchsorted(known, images.min(axis=1)), len(known) - 1)
        if not np.array_equal(known[number], images.min(axis=1)):
            raise ErraiError(f"these are not sets of {sum(self.dealt)} cards of this deck")
        return place[number], move

    @cached_property
    def _by_bits(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """The boards as sets of bits, sorted, and their numbers."""
        bits = np.bitwise_or.reduce(np.uint64(1) << self.cards.astype(np.uint64), axis=1, initial=0)
        place = bits.argsort()
        return bits[place], place

    def alike(self, board: int) -> NDArray[np.int32]:
        """[N] the first of the hands that the board's symmetries make alike."""
        images = self._images(tuple(self.cards[board].tolist()))
        first: NDArray[np.int32] = self.hand_moves[images == images[0]].min(axis=0)
        return first

    def _images(self, cards: tuple[int, ...]) -> NDArray[np.uint64]:
        """[G] what each permutation makes of a set of cards, a bit for each card."""
        bits: NDArray[np.uint64] = np.bitwise_or.reduce(
            np.uint64(1) << self._moves.cards[:, list(cards)].astype(np.uint64), axis=1, initial=0
        )
        return bits

    def _smallest(self, cards: tuple[int, ...]) -> tuple[int, bytes]:
        """(permutation, canonical cards) of a set; of several permutations the one that `lookup` has."""
        if any(not 0 <= card < self.deck.size for card in cards):
            return 0, b""
        images = self._images(cards)
        ways = np.flatnonzero(images == images.min())
        move = int(ways[self._inverse[ways].argmin()])
        return move, bytes(sorted(self._moves.cards[move, list(cards)].tolist()))

    @cached_property
    def _moves(self) -> SuitPermutations:
        return suit_permutations(self.deck, self.hole_cards)

    @cached_property
    def _inverse(self) -> NDArray[np.intp]:
        """[G] the permutation that undoes each"""
        return (self._moves.cards.argsort(axis=1)[:, None, :] == self._moves.cards).all(axis=2).argmax(axis=1)

    @cached_property
    def _tree(self) -> BoardTree:
        return board_tree(self.deck, self._moves, (), self.dealt, whole_group(self._moves))

    @property
    def _last(self) -> slice:
        return slice(int(self._tree.levels[-2]), int(self._tree.levels[-1]))


def canonical_boards(
    deck: Deck, hole_cards: int, dealt: tuple[int, ...], known: NDArray[np.uint8] | None = None
) -> CanonicalBoards:
    """All canonical boards after these deals; () is the one empty board. `known` are their cards, if kept."""
    return CanonicalBoards(deck, hole_cards, dealt, known)
