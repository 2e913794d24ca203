"""From a spot to arrays: templates x boards x hands x contexts, and where everything lies.

The store of a solution is flat. Board after board (level by level) it holds [A, H, K]: the template's actions,
the board's hand classes, the contexts, which are innermost. Where a last-level board has many contexts they
are cut into equal chunks, each an [A, H, K] of its own, so that reach and values of a chunk stay in the cache.
Contexts of the next level are numbered leaf * K + context, so that what leaves one board enters the next as it
lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.cards.boards import BoardTree, board_tree
from errai.cards.hand_classes import HandClasses, class_counts, hand_classes, level_of
from errai.cards.notation import Deck
from errai.cards.suits import TRIVIAL_GROUP, SuitPermutations, suit_permutations, symmetries
from errai.engine.kernels.arrays import Betting, Boards
from errai.engine.kernels.matching import SEGMENT
from errai.games.definition import GameDefinition
from errai.games.sizes import game_sizes
from errai.games.spot import Spot
from errai.games.template import Template, deal_only, fresh_round, round_template

CHUNK = 32768  # H * K worked on at a time: reach and values of all sequences stay in the cache


@dataclass(frozen=True)
class Shape:
    """What is known before anything large is built."""

    templates: tuple[Template, ...]
    contexts: tuple[int, ...]
    moves: SuitPermutations
    tree: BoardTree
    classes: NDArray[np.int64]  # [B] H

    @property
    def information_sets(self) -> int:
        return sum(
            len(template.nodes) * K * int(H)
            for template, K, H in zip(self.templates, self.contexts, self._hands(), strict=True)
        )

    @property
    def numbers(self) -> int:
        """How many numbers one store holds: A x H x K over all boards."""
        return sum(
            template.rows * K * int(H)
            for template, K, H in zip(self.templates, self.contexts, self._hands(), strict=True)
        )

    @property
    def hand_classes(self) -> int:
        return int(self.classes.sum())

    def _hands(self) -> list[int]:
        bounds = self.tree.levels
        return [int(self.classes[a:b].sum()) for a, b in pairwise(bounds)]


@dataclass(frozen=True)
class Layout:
    """A spot as arrays for the kernels."""

    spot: Spot
    shape: Shape
    hand_classes: HandClasses
    betting: Betting
    boards: Boards

    @property
    def levels(self) -> int:
        return len(self.shape.templates)

    @property
    def roots(self) -> int:
        """Boards of the first level: one, or those of a subgame."""
        return int(self.shape.tree.levels[1])

    @property
    def root_numbers(self) -> int:
        """Hands x contexts of all roots: what enters a layout from above, and what it returns."""
        return int(self.boards.first_hand[self.roots]) * self.shape.contexts[0]


def rounds_of(spot: Spot) -> tuple[tuple[Template, ...], tuple[int, ...], tuple[int, ...]]:
    """Templates and contexts of each level, and the public cards dealt before each level but the first."""
    game = spot.game
    rounds = range(spot.state.round, game.rounds)
    states = [spot.state, *(fresh_round(game, round_) for round_ in rounds[1:])]
    templates = tuple(round_template(state) for state in states)
    dealt = tuple(game.board_cards[round_] for round_ in rounds[1:])
    if spot.whole_game and game.board_cards[0]:
        templates, dealt = (deal_only(), *templates), (game.board_cards[0], *dealt)
    contexts = [1]
    for template in templates[:-1]:
        contexts.append(contexts[-1] * len(template.leaves))
    return templates, tuple(contexts), dealt


def counted_sizes(spot: Spot) -> tuple[int, int, int]:
    """Numbers of a store, hand classes and boards of a spot without a board, by counting, at least."""
    templates, contexts, _ = rounds_of(spot)
    sizes = game_sizes(spot.game)
    numbers = sum(
        template.rows * K * sizes[template.round].hands
        for template, K in zip(templates, contexts, strict=True)
        if template.rows
    )
    return numbers, sum(size.hands for size in sizes), sum(size.boards for size in sizes)


def shape(spot: Spot, isomorphism: bool = True) -> Shape:
    """Templates, contexts, boards and the number of hand classes of each board."""
    game, deck = spot.game, spot.deck
    templates, contexts, dealt = rounds_of(spot)
    moves = suit_permutations(deck, game.hole_cards, game.suits_matter)
    group = symmetries(moves, spot.board, spot.ranges) if isomorphism else TRIVIAL_GROUP
    tree = board_tree(deck, moves, spot.cards, dealt, group)
    classes = class_counts(tree, deck, moves, game.hole_cards, spot.held)
    return Shape(templates, contexts, moves, tree, classes)


def layout(spot: Spot, known: Shape | None = None, isomorphism: bool = True) -> Layout:
    """All arrays but the stores."""
    known = known or shape(spot, isomorphism)
    deck: Deck = spot.deck
    hands = hand_classes(known.tree, deck, known.moves, spot.game.hole_cards, spot.game.ranking, spot.held)
    widest = int(known.classes.max())
    betting = betting_arrays(spot.game, known.templates, known.contexts, known.tree.public, widest)
    return Layout(spot, known, hands, betting, board_arrays(known, hands, betting))


def _chunk(K: int, H: int) -> int:
    """The largest divisor of K that keeps H * K small: contexts worked on at a time on the last level."""
    return next(chunk for chunk in range(K, 0, -1) if K % chunk == 0 and (chunk == 1 or H * chunk <= CHUNK))


def betting_arrays(
    game: GameDefinition,
    templates: tuple[Template, ...],
    contexts: tuple[int, ...],
    public: NDArray[np.int64],
    widest: int,
    stakes: NDArray[np.float64] | None = None,
) -> Betting:
    """The templates as arrays. `public` has the board cards of each level, `widest` is the largest H.

    `stakes` are the chips that each player has put in before, by context of the first level; none by default.
    """
    L = len(templates)
    first_node = np.cumsum([0, *(len(t.nodes) for t in templates)])
    nodes = [node for template in templates for node in template.nodes]
    assign = np.zeros(len(nodes), np.int64)
    slots: dict[str, list[float]] = {name: [] for name in _SLOT_COLUMNS}
    first_slot, slot_count, fold_slots, leaf_slot = (np.zeros((L, 2), np.int64) for _ in range(4))
    leaf_sequence = np.zeros((L, 2, max(len(t.leaves) for t in templates)), np.int64)
    for level, template in enumerate(templates):
        for index, leaf in enumerate(template.leaves):
            leaf_sequence[level, :, index] = leaf.sequences
        for player in (0, 1):
            first_slot[level, player] = len(slots["sequence"])
            counts = _add_slots(template, player, slots)
            slot_count[level, player], fold_slots[level, player], leaf_slot[level, player] = counts
            written = {ending.sequences[player] for ending in (*template.folds, *template.leaves)}
            for index in reversed(range(len(template.nodes))):
                node = template.nodes[index]
                if node.player == player:
                    assign[first_node[level] + index] = node.own not in written
                    written.add(node.own)
    stake = [np.zeros(1) if stakes is None else stakes]
    for template in templates[:-1]:
        stake.append(np.concatenate([stake[-1] + leaf.amount for leaf in template.leaves]))
    hidden = game.deck_size - 2 * game.hole_cards
    chance = [1.0] + [1 / comb(int(hidden - a), int(b - a)) for a, b in pairwise(public)]
    return Betting(
        first_node=first_node.astype(np.int64),
        player=np.array([node.player for node in nodes], np.int64),
        actions=np.array([len(node.actions) for node in nodes], np.int64),
        row=np.array([node.row for node in nodes], np.int64),
        sequence=np.array([node.sequence for node in nodes], np.int64),
        own=np.array([node.own for node in nodes], np.int64),
        assign=assign,
        rows=np.array([t.rows for t in templates], np.int64),
        sequences=np.array([t.sequences for t in templates], np.int64),
        contexts=np.array(contexts, np.int64),
        chunk=np.array([*contexts[:-1], _chunk(contexts[-1], widest)], np.int64),
        leaves=np.array([len(t.leaves) for t in templates], np.int64),
        first_context=np.cumsum([0, *contexts[:-1]]).astype(np.int64),
        stake=np.concatenate(stake),
        chance=np.array(chance),
        first_slot=first_slot,
        slots=slot_count,
        fold_slots=fold_slots,
        leaf_slot=leaf_slot,
        slot_sequence=np.array(slots["sequence"], np.int64),
        fold_value=np.array(slots["fold_value"], np.int64),
        fold_sign=np.array(slots["fold_sign"], np.float64),
        fold_amount=np.array(slots["fold_amount"], np.float64),
        leaf_value=np.array(slots["leaf_value"], np.int64),
        leaf_amount=np.array(slots["leaf_amount"], np.float64),
        leaf_assign=np.array(slots["leaf_assign"], np.int64),
        leaf_index=np.array(slots["leaf_index"], np.int64),
        leaf_sequence=leaf_sequence,
        two_cards=int(game.hole_cards == 2),
    )


_SLOT_COLUMNS = (
    "sequence", "fold_value", "fold_sign", "fold_amount",
    "leaf_value", "leaf_amount", "leaf_assign", "leaf_index",
)  # fmt: skip


def _add_slots(template: Template, player: int, slots: dict[str, list[float]]) -> tuple[int, int, int]:
    """The opponent's sequences with endings: first those with a fold only, then both, then a leaf only.

    In this order the folds are the first slots, the leaves the last, and the value of one of my sequences is
    written by a fold before it is added to by a leaf. Returns how many there are, how many have a fold, and
    the first with a leaf.
    """
    opponent = 1 - player
    folds = {fold.sequences[opponent]: fold for fold in template.folds}
    leaves = {leaf.sequences[opponent]: (index, leaf) for index, leaf in enumerate(template.leaves)}
    assert len(folds) == len(template.folds)
    assert len(leaves) == len(template.leaves)
    order = sorted(folds.keys() | leaves.keys(), key=lambda s: (s in leaves, s not in folds, s))
    written = {fold.sequences[player] for fold in template.folds}
    assert len(written) == len(template.folds)
    for sequence in order:
        slots["sequence"].append(sequence)
        fold = folds.get(sequence)
        slots["fold_value"].append(fold.sequences[player] if fold else -1)
        slots["fold_sign"].append((-1 if fold.loser == player else 1) if fold else 0)
        slots["fold_amount"].append(fold.amount if fold else 0)
        index, leaf = leaves.get(sequence, (-1, None))
        slots["leaf_value"].append(leaf.sequences[player] if leaf else -1)
        slots["leaf_amount"].append(leaf.amount if leaf else 0)
        slots["leaf_assign"].append(leaf is not None and leaf.sequences[player] not in written)
        slots["leaf_index"].append(index)
        if leaf:
            written.add(leaf.sequences[player])
    with_fold = sum(sequence in folds for sequence in order)
    first_leaf = next((i for i, sequence in enumerate(order) if sequence in leaves), len(order))
    return len(order), with_fold, first_leaf


def board_arrays(known: Shape, hands: HandClasses, betting: Betting) -> Boards:
    tree = known.tree
    level = level_of(tree)
    H = known.classes
    K, chunk = betting.contexts[level], betting.chunk[level]
    numbers = betting.rows[level] * H * K
    pieces = K // chunk * np.diff(betting.first_node)[level] * -(-H * chunk // SEGMENT)
    last = len(tree.public) - 1
    return Boards(
        level=level,
        parent=tree.parent,
        first_child=tree.first_child,
        children=tree.children,
        first_hand=hands.first,
        card=hands.card,
        share=hands.share,
        size=hands.size,
        up=hands.up,
        up_weight=hands.up_weight,
        ties=hands.ties,
        first_tie=hands.first_tie,
        last_level=last,
        first_last=int(tree.levels[last]),
        offset=np.concatenate([[0], np.cumsum(numbers)]).astype(np.int64),
        block=np.concatenate([[0], np.cumsum(pieces)]).astype(np.int64),
    )
