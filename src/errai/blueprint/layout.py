"""A game and its buckets as the kernels take them.

Below the first round every line, that is every way in which it ends, is a game of its own: in hold'em 7 lines with
1, 9 and 81 contexts on flop, turn and river. The leaves of a round are put in order of their raises, so that the
contexts of a chunk are about equally likely. A store keeps, round by round and line by line, [chunks, buckets, A,
K]: the rows of one bucket for the K contexts of a chunk lie together, because hands take them from everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.blueprint.kernels.arrays import Deal, SampleWorkspace, Thread
from errai.blueprint.kernels.buckets import Buckets
from errai.blueprint.kernels.nodes import BLOCK, NodeScratch
from errai.blueprint.kernels.runouts import Runouts
from errai.cards.board_lookup import BoardLookup
from errai.cards.notation import hands
from errai.cards.strength import RANKINGS
from errai.engine.kernels.arrays import Betting, Boards
from errai.engine.layout import betting_arrays
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.template import Template, fresh_round, round_template
from errai.kernels.lanes import W

RUNOUTS = 8  # of every board of a sample, for the control variate


@dataclass(frozen=True, eq=False)
class BucketLayout:
    """Templates, contexts and buckets of a game. L rounds, P lines."""

    game: GameDefinition
    abstraction: Abstraction
    templates: tuple[Template, ...]  # leaves in order of their raises, but for the first round
    leaf_order: tuple[tuple[int, ...], ...]  # for each round the leaves of the rules' template in this order
    contexts: tuple[int, ...]  # of one line: 1, 1, 9, 81
    betting: Betting
    deal: Deal

    @property
    def lines(self) -> int:
        return len(self.templates[0].leaves)

    @property
    def rounds(self) -> int:
        return len(self.templates)

    @property
    def numbers(self) -> int:
        """How many numbers one store holds."""
        return int(self.deal.first[-1])

    def before(self, round_: int) -> int:
        """How many of them lie before a round."""
        return int(self.deal.first[round_])

    def hands_on(self, round_: int) -> int:
        """How many hands a board of a round allows."""
        return comb(self.game.deck_size - int(self.deal.public[round_]), self.game.hole_cards)

    def place(self, round_: int, context: int) -> tuple[int, int, int]:
        """(line, chunk, lane) of a context as the engine counts them, leaf * K + the context before."""
        line, c, width = 0, 0, 1
        for before in range(round_):
            context, leaf = divmod(context, len(self.templates[before].leaves))
            if before == 0:
                line = leaf
            else:
                c += self.leaf_order[before].index(leaf) * width
                width *= len(self.templates[before].leaves)
        chunk, lane = divmod(c, int(self.betting.chunk[round_]))
        return line, chunk, lane

    def new_store(self, numbers: int | None = None) -> NDArray[np.float32]:
        return np.zeros((self.numbers if numbers is None else numbers) + 2 * W, np.float32)

    def view(self, store: NDArray[np.generic], round_: int) -> NDArray[np.generic]:
        """[lines, chunks, buckets, A, K] of one round; one line and chunk in the first."""
        lines = self.lines if round_ else 1
        K, chunk = self.contexts[round_], int(self.betting.chunk[round_])
        low, high = self.deal.first[round_], self.deal.first[round_ + 1]
        A, count = self.templates[round_].rows, self.abstraction.counts[round_]
        return store[low:high].reshape(lines, K // chunk, count, A, chunk)


def has_lines(game: GameDefinition) -> bool:
    """Whether a game can be taken apart after its first round: a later one follows, each with public cards."""
    return game.rounds > 1 and not game.board_cards[0] and min(game.board_cards[1:]) > 0


def bucket_layout(game: GameDefinition, abstraction: Abstraction) -> BucketLayout:
    """The layout of a limit game of two rounds or more whose first round deals no public cards."""
    if not has_lines(game):
        raise ErraiError(
            f"{game.name} cannot be trained on buckets: that needs two rounds or more, each but the first with cards"
        )
    natural = [round_template(fresh_round(game, r)) for r in range(game.rounds)]
    orders = [
        _by_raises(template) if r else range(len(template.leaves)) for r, template in enumerate(natural)
    ]
    templates = tuple(
        replace(template, leaves=tuple(template.leaves[leaf] for leaf in order))
        for template, order in zip(natural, orders, strict=True)
    )
    contexts = [1, 1]
    for template in templates[1:-1]:
        contexts.append(contexts[-1] * len(template.leaves))
    public = np.cumsum(game.board_cards).astype(np.int64)
    N = comb(game.deck_size, game.hole_cards)
    widest = comb(game.deck_size - int(public[-1]), game.hole_cards)
    betting = betting_arrays(game, templates, tuple(contexts), public, widest)
    stakes = [np.zeros(1), np.zeros(1)]
    for template in templates[1:-1]:
        stakes.append(np.concatenate([stakes[-1] + leaf.amount for leaf in template.leaves]))
    counts = np.array(abstraction.counts, np.int64)
    lines = len(templates[0].leaves)
    sizes = [
        (lines if r else 1) * contexts[r] * int(counts[r]) * templates[r].rows for r in range(game.rounds)
    ]
    deal = Deal(
        hole=hands(game.deck_size, game.hole_cards),
        public=public,
        suits=game.suits,
        ranks=game.ranks,
        ranking=RANKINGS[game.ranking],
        buckets=bucket_arrays(abstraction, N),
        counts=counts,
        first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        line_stake=np.array([leaf.amount for leaf in templates[0].leaves], np.float64),
        stake=np.concatenate(stakes),
    )
    leaf_order = tuple(tuple(order) for order in orders)
    return BucketLayout(game, abstraction, templates, leaf_order, tuple(contexts), betting, deal)


def _by_raises(template: Template) -> list[int]:
    leaves = template.leaves
    return sorted(range(len(leaves)), key=lambda leaf: leaves[leaf].betting.count("r"))


def bucket_arrays(abstraction: Abstraction, N: int) -> Buckets:
    rounds = abstraction.rounds
    small = max(int(round_.cells.max(initial=0)) for round_ in rounds) < 1 << 16
    cells = [round_.cells.reshape(-1) for round_ in rounds]
    refine = [np.empty(0, np.int32) if r.refine is None else r.refine.reshape(-1) for r in rounds]
    starts = np.cumsum([0, *(len(table) for table in refine)])
    deals = [len(round_.boards.dealt) for round_ in rounds]
    return Buckets(
        cells=np.concatenate(cells, dtype=np.uint16, casting="unsafe"),
        high=np.concatenate([np.empty(0, np.uint16)] if small else [_upper(of) for of in cells]),
        first_cell=np.cumsum([0, *(len(table) for table in cells[:-1])]).astype(np.int64),
        lookup=_joined([round_.boards.lookup for round_ in rounds]),
        first_deal=np.cumsum([0, *(deal + 1 for deal in deals[:-1])]).astype(np.int64),
        deals=np.array(deals, np.int64),
        hand_moves=rounds[0].boards.hand_moves,
        refine=np.concatenate(refine),
        first_refine=np.array(
            [-1 if r.refine is None else s for r, s in zip(rounds, starts[:-1], strict=True)], np.int64
        ),
        cell_count=np.array([0 if r.refine is None else r.refine.shape[1] for r in rounds], np.int64),
    )


def _upper(cells: NDArray[np.unsignedinteger]) -> NDArray[np.uint16]:
    return (cells.astype(np.uint32) >> 16).astype(np.uint16)


def _joined(lookups: Sequence[BoardLookup]) -> BoardLookup:
    """The tables of several rounds one after the other; deals and where their sets begin take a place more each."""
    starts = np.cumsum([0, *(len(of.child) for of in lookups[:-1])])
    first = [
        np.append(of.first_set[: len(of.dealt)] + start, 0) for of, start in zip(lookups, starts, strict=True)
    ]
    return lookups[0]._replace(
        dealt=np.concatenate([np.append(of.dealt, 0) for of in lookups]).astype(np.int64),
        first_set=np.concatenate(first).astype(np.int64),
        child=np.concatenate([of.child for of in lookups]),
        move=np.concatenate([of.move for of in lookups]),
    )


def card_shares(game: GameDefinition, count: int) -> NDArray[np.float32]:
    """[count, 2] how much of a hand goes with each of two cards: all, or nothing where a hand has only one."""
    share = np.ones((count, 2), np.float32)
    share[:, game.hole_cards :] = 0
    return share


def run_of_boards(layout: BucketLayout, last_boards: int = 1) -> Boards:
    """Arrays of a run of boards, one a round and `last_boards` of the last, each with all hands that it allows."""
    game, L = layout.game, layout.rounds
    level = np.array([*range(L - 1), *[L - 1] * last_boards], np.int64)
    H = [layout.hands_on(round_) for round_ in level.tolist()]
    first = np.concatenate([[0], np.cumsum(H)]).astype(np.int64)
    classes = int(first[-1])
    card = np.full((classes, 2), game.deck_size, np.uint8)
    nothing = np.zeros(len(level) + 1, np.int64)
    return Boards(
        level=level,
        parent=(level - 1).astype(np.int32),
        first_child=(level + 1).astype(np.int32),
        children=np.array([*[1] * (L - 2), last_boards, *[0] * last_boards], np.int32),
        first_hand=first,
        card=card,
        share=card_shares(game, classes),
        size=np.ones(classes, np.int32),
        up=np.zeros(classes, np.int32),
        up_weight=np.ones(classes, np.float64),
        ties=np.zeros(last_boards * H[-1], np.int32),
        first_tie=np.zeros(last_boards + 1, np.int64),
        last_level=L - 1,
        first_last=L - 1,
        offset=nothing,
        block=nothing,
    )


def sampled_betting(layout: BucketLayout) -> Betting:
    """The betting arrays for sampled boards: a board is weighted by its chance over the chance of drawing it."""
    game, public = layout.game, layout.deal.public
    chance = [1.0]
    for before, now in pairwise(public):
        new = int(now - before)
        drawn = comb(game.deck_size - int(before), new)
        chance.append(drawn / comb(game.deck_size - 2 * game.hole_cards - int(before), new))
    return layout.betting._replace(
        chance=np.array(chance),
        stake=layout.deal.stake.copy(),
        first_context=np.cumsum([0, *layout.contexts[:-1]]).astype(np.int64),
    )


def sample_workspace(layout: BucketLayout, runouts: int = RUNOUTS, last_boards: int = 1) -> SampleWorkspace:
    """What one thread of a training works in; a sample has so many boards of the last round."""
    N, L, public = len(layout.deal.hole), layout.rounds, layout.deal.public
    H = [layout.hands_on(round_) for round_ in range(L)]
    hands = sum(H[:-1]) + last_boards * H[-1]
    chunk, contexts = layout.betting.chunk, layout.contexts
    nodes = [len(template.nodes) for template in layout.templates]
    leaves = H[-2] * contexts[-2] * len(layout.templates[-2].leaves)
    several = last_boards > 1
    chosen = (last_boards, contexts[-1] // int(chunk[-1]), nodes[-1] * H[-1] * int(chunk[-1]))
    return SampleWorkspace(
        hands=np.zeros(hands, np.int64),
        bucket=np.zeros(hands, np.int64),
        place=np.zeros((L - 1 + last_boards, N), np.int64),
        work=np.zeros((3, N), np.int64),
        cards=np.zeros((2, int(public[-2] + last_boards * (public[-1] - public[-2]))), np.int64),
        nodes=node_scratch(H, chunk),
        random=np.zeros(1, np.uint64),
        runouts=_runouts(layout, H, runouts, last_boards),
        choice=np.zeros(chosen, np.uint8),
        choice_before=np.zeros(nodes[-2] * H[-2] * contexts[-2] if several else 0, np.uint8),
        leaf=np.zeros((last_boards + 1, leaves if several else 0), np.float32),
    )


def node_scratch(H: list[int], chunk: NDArray[np.int64]) -> NodeScratch:
    """For boards with so many hands and contexts at a time, level by level."""
    widest = max(h * int(k) for h, k in zip(H, chunk, strict=True))
    rows = max(BLOCK, int(chunk.max())) + 2 * W
    return NodeScratch(np.zeros(widest + W, np.float32), np.zeros((3, rows), np.float32))


def training_thread(layout: BucketLayout, last_boards: int = 1) -> Thread:
    """What one thread trains with, beside the workspaces of the engine."""
    boards = run_of_boards(layout, last_boards)
    return Thread(
        sampled_betting(layout), boards, layout.deal, sample_workspace(layout, last_boards=last_boards)
    )


def _runouts(layout: BucketLayout, H: list[int], count: int, last_boards: int) -> Runouts:
    """Arrays of `count` run-outs of the board of every round but the first and the last."""
    L, N = layout.rounds, len(layout.deal.hole)
    counts = [0, *([count] * (L - 2)), last_boards if count else 0]
    R = sum(counts)
    lanes = [
        -(-len(template.leaves) * K // W) * W
        for template, K in zip(layout.templates[:-1], layout.contexts[:-1], strict=True)
    ]
    numbers = max(h * width for h, width in zip(H[:-1], lanes, strict=True))
    return Runouts(
        first=np.cumsum([0, *counts]).astype(np.int64),
        hand=np.zeros((R, H[-1]), np.int64),
        card=np.full((R, H[-1], 2), layout.game.deck_size, np.uint8),
        ties=np.zeros((R, H[-1]), np.int32),
        tie_count=np.zeros(R, np.int64),
        share=card_shares(layout.game, H[-1]),
        size=np.ones(H[-1], np.int32),
        reach=np.zeros(numbers, np.float32),
        gain=np.zeros(numbers, np.float32),
        importance=np.ones((2, max(*lanes, layout.contexts[-1])), np.float32),
        keys=np.zeros(N, np.int64),
        strength=np.zeros(N, np.int32),
    )
