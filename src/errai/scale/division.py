"""A game cut in two: the trunk, which is always in memory, and the subgames below it, which are worked on in turn.

    trunk        the first rounds: preflop and flop of hold'em. Its last level is the first one of the subgames,
                 with hands and no numbers: there reach goes over, and values come back
    subgame      some boards of that level with some of its contexts, and all that lies below them

The layout of a subgame is a forest: its boards are roots, entered in K contexts with given stakes. It is built from
the cards of its boards alone, so the layout of the whole game never exists. How a game is divided depends on
the game and on nothing else, and so do the bits of a solution.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from errai.cards.boards import MOST_PUBLIC_CARDS, BoardTree, board_forest
from errai.cards.hand_classes import HandClasses, class_counts, hand_classes
from errai.cards.notation import Deck
from errai.cards.suits import TRIVIAL_GROUP, SuitPermutations, suit_permutations, symmetries
from errai.engine.kernels.arrays import Betting
from errai.engine.layout import Layout, Shape, betting_arrays, board_arrays, rounds_of
from errai.engine.memory import BYTES_OF_A_HAND_CLASS
from errai.errors import ErraiError
from errai.games.sizes import game_sizes
from errai.games.spot import Spot
from errai.games.template import Template

Flops = tuple[tuple[int, ...], ...]
BELOW = 2  # levels of a subgame, at most: turn and river
LARGEST, SMALLEST, COUNT = 1 << 26, 1 << 20, 64  # numbers of a subgame, and how many there should be
CACHED = 1 << 29  # bytes of layouts that are kept, unless it is said otherwise


@dataclass(frozen=True)
class Subgame:
    """Boards first to last of the trunk's last level, in K contexts from k on."""

    number: int
    first: int
    last: int
    k: int
    K: int

    @property
    def place(self) -> tuple[int, int, int, int]:
        """As kernels take it."""
        return self.first, self.last, self.k, self.K


@dataclass(frozen=True, eq=False)
class Division:
    """The trunk of a game, and its subgames."""

    spot: Spot
    isomorphism: bool
    flops: Flops | None  # the only boards of the first level that is dealt
    level: int  # the first level of the subgames
    templates: tuple[Template, ...]
    dealt: tuple[int, ...]
    trunk: Layout
    subgames: tuple[Subgame, ...]
    contexts: tuple[int, ...]  # of every level
    stakes: NDArray[np.float64]  # [contexts of `level`]
    _cache: list[int] = field(default_factory=lambda: [CACHED], repr=False)
    _held: list[int] = field(default_factory=lambda: [0], repr=False)
    _boards: OrderedDict[tuple[int, int], tuple[BoardTree, HandClasses]] = field(
        default_factory=OrderedDict, repr=False
    )
    _betting: dict[tuple[int, int], Betting] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def keep_layouts(self, size: int) -> None:
        """How many bytes of layouts are kept."""
        self._cache[0] = size

    @property
    def layout_bytes(self) -> int:
        """How many bytes of layouts are kept, as `keep_layouts` said."""
        return self._cache[0]

    @cached_property
    def _counts(self) -> tuple[int, int, int, int]:
        """Information sets and numbers of all subgames, numbers of the largest, hand classes of all."""
        if self._is_counted:
            sizes = game_sizes(self.spot.game)
            below = [
                (template, K, size.hands)
                for template, K, size in zip(self.templates, self.contexts, sizes, strict=True)
            ][self.level :]
            information_sets = sum(len(template.nodes) * K * hands for template, K, hands in below)
            numbers = sum(template.rows * K * hands for template, K, hands in below)
            return information_sets, numbers, min(LARGEST, numbers), sum(hands for _, _, hands in below)
        shapes = [self.layout(subgame).shape for subgame in self.subgames]
        boards = {
            (subgame.first, subgame.last): shape.hand_classes
            for subgame, shape in zip(self.subgames, shapes, strict=True)
        }
        return (
            sum(shape.information_sets for shape in shapes),
            sum(shape.numbers for shape in shapes),
            max(shape.numbers for shape in shapes),
            sum(boards.values()),
        )

    @property
    def _is_counted(self) -> bool:
        """Whether sizes are known by counting alone, without a layout of every subgame."""
        game = self.spot.game
        plain = self.spot.whole_game and self.flops is None and self.isomorphism
        return plain and game.suits_matter and not game.board_cards[0]

    @property
    def information_sets(self) -> int:
        """Of the whole game."""
        shape, above = self.trunk.shape, 0
        for level in range(self.level):
            a, b = shape.tree.levels[level : level + 2]
            above += len(shape.templates[level].nodes) * shape.contexts[level] * int(shape.classes[a:b].sum())
        return above + self._counts[0]

    @property
    def numbers(self) -> int:
        """How many numbers a store of all subgames holds."""
        return self._counts[1]

    @property
    def largest(self) -> int:
        """The numbers of the largest subgame, about."""
        return self._counts[2]

    @property
    def hand_classes(self) -> int:
        """Of all boards of all subgames."""
        return self._counts[3]

    @property
    def trunk_numbers(self) -> int:
        """How many numbers a store of the trunk holds."""
        return int(self.trunk.boards.offset[self.first_border])

    @property
    def first_border(self) -> int:
        """The first board of the trunk's last level."""
        return int(self.trunk.shape.tree.levels[self.level])

    def layout(self, subgame: Subgame) -> Layout:
        """The arrays of a subgame; boards and hands that were used last are kept."""
        with self._lock:
            betting = self._betting_of(subgame)
        tree, hands = self._boards_of(subgame)
        templates, moves = self.templates[self.level :], self.trunk.shape.moves
        shape = Shape(templates, _contexts(subgame, self), moves, tree, np.diff(hands.first))
        return Layout(self.spot, shape, hands, betting, board_arrays(shape, hands, betting))

    def _boards_of(self, subgame: Subgame) -> tuple[BoardTree, HandClasses]:
        """The boards of a subgame with their hand classes, which subgames with other contexts share."""
        key = (subgame.first, subgame.last)
        with self._lock:
            if key in self._boards:
                self._boards.move_to_end(key)
                return self._boards[key]
        game, above, moves = self.spot.game, self.trunk.shape.tree, self.trunk.shape.moves
        roots = slice(subgame.first, subgame.last)
        public = int(above.public[self.level])
        tree = board_forest(
            moves, above.cards[roots].copy(), above.group[roots].copy(), public, self.dealt[self.level :]
        )
        hands = hand_classes(tree, self.spot.deck, moves, game.hole_cards, game.ranking, self.spot.held)
        with self._lock:
            if key not in self._boards:
                self._boards[key] = tree, hands
                self._held[0] += len(hands.hand) * BYTES_OF_A_HAND_CLASS
            while self._held[0] > self._cache[0] and len(self._boards) > 1:
                _, (_, gone) = self._boards.popitem(last=False)
                self._held[0] -= len(gone.hand) * BYTES_OF_A_HAND_CLASS
        return tree, hands

    def _betting_of(self, subgame: Subgame) -> Betting:
        key = (subgame.k, subgame.K)
        if key not in self._betting:
            game, border = self.spot.game, int(self.trunk.shape.tree.public[self.level])
            public = np.cumsum([border, *self.dealt[self.level :]])
            widest = comb(self.spot.deck.size - int(public[-1]), game.hole_cards)
            stakes = self.stakes[subgame.k : subgame.k + subgame.K]
            contexts = _contexts(subgame, self)
            self._betting[key] = betting_arrays(
                game, self.templates[self.level :], contexts, public, widest, stakes
            )
        return self._betting[key]

    def fingerprint(self) -> int:
        """A checksum of all that decides what a number of a store means."""
        tree = self.trunk.shape.tree
        places = np.array([subgame.place for subgame in self.subgames], np.int64)
        checksum = 0
        hands, offsets = self.trunk.hand_classes.hand, self.trunk.boards.offset
        for array in (tree.cards, offsets, hands, places, self.stakes, *self.spot.ranges):
            checksum = zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data, checksum)
        return checksum


def _contexts(subgame: Subgame, division: Division) -> tuple[int, ...]:
    """K of every level of a subgame."""
    contexts = [subgame.K]
    for template in division.templates[division.level : -1]:
        contexts.append(contexts[-1] * len(template.leaves))
    return tuple(contexts)


def divide(spot: Spot, isomorphism: bool = True, flops: Flops | None = None) -> Division:
    """Trunk and subgames of a spot of two levels or more.

    With `flops`, boards of the second round of a whole game, it is played as if there were no others, each with all
    boards that differ from it only in the names of the suits. Hands that leave no flop possible split the pot there.
    """
    game, deck = spot.game, spot.deck
    templates, contexts, dealt = rounds_of(spot)
    if len(templates) == 1:
        raise ErraiError(f"{game.name} has one round from here on: there is nothing to keep on a disk")
    level = max(1, len(templates) - BELOW)
    moves = suit_permutations(deck, game.hole_cards, game.suits_matter)
    group = symmetries(moves, spot.board, spot.ranges) if isomorphism else TRIVIAL_GROUP
    root = np.zeros((1, MOST_PUBLIC_CARDS), np.uint8)
    root[0, : len(spot.cards)] = spot.cards
    known = len(spot.cards)
    if flops is not None and (known or len(templates) < 3):
        raise ErraiError("flops can be chosen in a whole game of three rounds or more", parameter="flops")
    chosen = None if flops is None else _named(moves, group, flops, deck, dealt[0])
    tree = board_forest(moves, root, np.array([group], np.int64), known, dealt[:level], chosen)
    classes = class_counts(tree, deck, moves, game.hole_cards, spot.held)
    last = level == len(templates) - 1
    hands = hand_classes(tree, deck, moves, game.hole_cards, game.ranking, spot.held, showdown=last)
    shape = Shape(templates[: level + 1], contexts[: level + 1], moves, tree, classes)
    betting = betting_arrays(game, shape.templates, shape.contexts, tree.public, int(classes.max()))
    if chosen is not None:
        a, b = tree.levels[1:3]
        there = int(tree.orbit[a:b].sum())
        flops = tuple(tuple(int(card) for card in cards[: dealt[0]]) for cards in tree.cards[a:b])
        chance = betting.chance.copy()
        chance[1] *= comb(deck.size - known, dealt[0]) / there
        betting = betting._replace(chance=chance)
    first = int(betting.first_context[level])
    stakes = betting.stake[first : first + contexts[level]].copy()
    trunk = Layout(spot, shape, hands, betting, board_arrays(shape, hands, betting))
    subgames = _cut(trunk, level, templates, dealt)
    return Division(spot, isomorphism, flops, level, templates, dealt, trunk, subgames, contexts, stakes)


def _named(
    moves: SuitPermutations, group: int, flops: Flops, deck: Deck, cards: int
) -> Callable[[NDArray[np.uint8]], NDArray[np.bool_]]:
    """Which boards of the first level that is dealt are among these, whatever suits they are given in."""
    images = set()
    if not flops:
        raise ErraiError("give one flop or more", parameter="flops")
    for flop in flops:
        if len(set(flop)) != cards or not all(0 <= card < deck.size for card in flop):
            raise ErraiError(f"a flop of this game is {cards} different cards of its deck", parameter="flops")
        renamings = [number for number in range(len(moves.cards)) if group >> number & 1]
        images |= {frozenset(int(moves.cards[g][card]) for card in flop) for g in renamings}

    def kept(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
        return np.array([frozenset(map(int, row[:cards])) in images for row in boards], np.bool_)

    return kept


def _cut(
    trunk: Layout, level: int, templates: tuple[Template, ...], dealt: tuple[int, ...]
) -> tuple[Subgame, ...]:
    """The boards of the border, joined or cut by contexts into subgames of about one size."""
    tree, spot = trunk.shape.tree, trunk.spot
    first, last = (int(bound) for bound in tree.levels[level : level + 2])
    contexts = trunk.shape.contexts[level]
    order = np.array([int(group).bit_count() for group in tree.group[first:last]])
    whole, boards, ratio, public = 0, 1, 1, int(tree.public[level])
    for below in range(level, len(templates)):
        if below > level:
            boards *= comb(spot.deck.size - public, dealt[below - 1])
            public += dealt[below - 1]
            ratio *= len(templates[below - 1].leaves)
        whole += templates[below].rows * ratio * boards * comb(spot.deck.size - public, spot.game.hole_cards)
    weight = -(-whole // order)  # numbers of a board in one context, about
    most = min(max(int(weight.sum()) * contexts // COUNT, SMALLEST), LARGEST)
    cut: list[Subgame] = []
    board = first
    while board < last:
        one = int(weight[board - first])
        if one * contexts > most:
            width = max(1, most // one)
            for k in range(0, contexts, width):
                cut.append(Subgame(len(cut), board, board + 1, k, min(width, contexts - k)))
            board += 1
            continue
        start, size = board, 0
        while board < last and size + int(weight[board - first]) * contexts <= most:
            size += int(weight[board - first]) * contexts
            board += 1
        cut.append(Subgame(len(cut), start, board, 0, contexts))
    return tuple(cut)
