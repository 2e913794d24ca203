"""The best response to a strategy on buckets, in the unabstracted game.

The opponent's reach at the end of the first round is the same on every board, so the game falls apart into boards of
the second round (the 1,755 flops of hold'em) and lines. On each the best response is exact: every hand on every board
below it, whatever the buckets. What a flop gives is the value of every hand class of the first round at every line,
summed over the flops that it stands for; when all are there, the first round is walked once with their sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.layout import BucketLayout, node_scratch
from errai.blueprint.own_reach import Weights, first_round_reach, first_round_shares
from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.cards.notation import Deck
from errai.engine import layout as engine_layout
from errai.engine.evaluation import Evaluation
from errai.engine.kernels.arrays import Betting
from errai.engine.layout import betting_arrays
from errai.engine.walker import new_workspace
from errai.games.spot import opposing_weights, spot
from errai.measure.kernels.respond import BucketStrategy, find_buckets, respond


@dataclass(frozen=True, eq=False)
class Response:
    """The unabstracted game against one strategy: P lines, N hands, C hand classes of the first round."""

    layout: BucketLayout
    weights: Weights  # regrets, averages or probabilities in the order of the layout, padded by W

    @cached_property
    def boards(self) -> CanonicalBoards:
        """The boards of the second round."""
        game = self.layout.game
        return canonical_boards(Deck(game.ranks, game.suits), game.hole_cards, (game.board_cards[1],))

    @cached_property
    def hand_class(self) -> NDArray[np.int64]:
        """[N] the first round's class of each hand: up to a renaming of the suits."""
        moves = self.boards.hand_moves
        return np.unique(moves.min(axis=0), return_inverse=True)[1].astype(np.int64)

    @property
    def classes(self) -> int:
        return int(self.hand_class.max()) + 1

    @cached_property
    def reach(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each seat [its sequences of the first round, N]: how likely a hand plays that sequence."""
        return first_round_reach(self.layout, self.weights)

    @cached_property
    def _betting(self) -> Betting:
        """Betting arrays of one line, from the second round on; the stake is filled in line by line."""
        layout, game = self.layout, self.layout.game
        widest = comb(game.deck_size - int(layout.deal.public[-1]), game.hole_cards)
        return betting_arrays(game, layout.templates[1:], layout.contexts[1:], layout.deal.public[1:], widest)

    def line_reach(self) -> NDArray[np.float64]:
        """[2 seats, P] the share of its hands with which the opponent of a seat plays so that a line is reached."""
        leaves = self.layout.templates[0].leaves
        return np.array(
            [[self.reach[1 - seat][leaf.sequences[1 - seat]].mean() for leaf in leaves] for seat in (0, 1)]
        )

    def prepare(self) -> None:
        """Find what all boards share, before threads ask for it at once."""
        _ = self.boards, self.hand_class, self.reach, self._betting

    def on_board(
        self,
        board: int,
        best_from: int = 1,
        should_stop: Callable[[], bool] = lambda: False,
        walked: NDArray[np.bool_] | None = None,
        found: NDArray[np.float64] | None = None,
        tell: Callable[[], None] = lambda: None,
    ) -> NDArray[np.float64] | None:
        """[2 seats, P, C] values of the hand classes at every line, summed over the flops of this class.

        Chips times the opponent's reach and the chance of the board. Rounds before `best_from` are played as the
        strategy plays them. Only what is `walked` [2, P] has numbers, if that is given. None when stopped.

        Lines are put into `found` one by one, if it is given, and what has numbers there is not walked again; `tell`
        is called after each.
        """
        layout, game, boards = self.layout, self.layout.game, self.boards
        cards = boards.deck.format_cards(boards.cards[board])
        below = engine_layout.layout(spot(game, cards, layout.templates[0].leaves[0].betting))
        hand_classes, tree = below.hand_classes, below.shape.tree
        hand = hand_classes.hand.astype(np.int64)
        root = int(hand_classes.first[1])
        bucket = np.empty(len(hand), np.int64)
        before = layout.abstraction.buckets(((),))[0][hand[:root]]
        find_buckets(layout.deal.buckets, below.boards, tree.cards, tree.public, hand, before, bucket)
        H = [
            int(below.shape.classes[low:high].max())
            for low, high in zip(tree.levels[:-1], tree.levels[1:], strict=True)
        ]
        workspace = new_workspace(self._betting, game.deck_size, np.array(H))
        chunk = self._betting.chunk
        strategy = BucketStrategy(self.weights, layout.deal.first[1:], layout.deal.counts[1:], bucket)
        scratch = node_scratch(H, chunk)
        chance = float(boards.weight[board]) / comb(game.deck_size - 2 * game.hole_cards, game.board_cards[1])
        out = self.nothing() if found is None else found
        result = np.empty(root, np.float32)
        share = hand_classes.size[:root] * chance
        for line, leaf in enumerate(layout.templates[0].leaves):
            betting = self._betting._replace(stake=self._betting.stake + leaf.amount)
            for seat in (0, 1):
                if should_stop():
                    return None
                if (walked is not None and not walked[seat, line]) or not np.isnan(out[seat, line, 0]):
                    continue
                own = np.zeros(self.classes)
                against = self.reach[1 - seat][leaf.sequences[1 - seat]][hand[:root]].astype(np.float32)
                if against.any():
                    respond(
                        betting, below.boards, strategy, line, seat, best_from - 1, against, workspace, scratch,
                        result,
                    )  # fmt: skip
                    np.add.at(own, self.hand_class[hand[:root]], share * result)
                # Backwards: whoever looks meanwhile at the first number sees a line that is all there.
                out[seat, line, ::-1] = own[::-1]
                tell()
        return out

    def nothing(self) -> NDArray[np.float64]:
        """[2 seats, P, C] of a board on which nothing was walked: not a number."""
        return np.full((2, self.layout.lines, self.classes), np.nan)

    def first_round(
        self, totals: NDArray[np.float64], best: bool = True, chosen_by: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each seat [N] what every hand wins, from the values of the lines [2, P, C] summed over all boards.

        Chips times the number of the opponent's hands. The best actions are chosen by the totals `chosen_by`, if
        they are given.
        """
        template = self.layout.templates[0]
        hole = self.layout.deal.hole
        size = np.bincount(self.hand_class)
        shares = first_round_shares(self.layout, self.weights)
        found = []
        for seat in (0, 1):
            # The totals that choose go along, last.
            both = [totals[seat]] if chosen_by is None else [totals[seat], chosen_by[seat]]
            value = np.zeros((template.sequences[seat], len(both), len(hole)))
            for fold in template.folds:
                sign = -1 if fold.loser == seat else 1
                against = self.reach[1 - seat][fold.sequences[1 - seat]]
                value[fold.sequences[seat]] += sign * fold.amount * opposing_weights(hole, against)
            for line, leaf in enumerate(template.leaves):
                for own, of in enumerate(both):
                    value[leaf.sequences[seat], own] += (of[line] / size)[self.hand_class]
            for node in reversed(template.nodes):
                if node.player != seat:
                    continue
                following = value[node.sequence : node.sequence + len(node.actions)]
                if best:
                    choice = following[:, -1].argmax(axis=0)
                    value[node.own] += np.take_along_axis(following, choice[None, None, :], axis=0)[0]
                else:
                    chosen = shares[:, node.row : node.row + len(node.actions)].T
                    value[node.own] += (chosen[:, None, :] * following).sum(axis=0)
            found.append(value[0, 0])
        return found[0], found[1]

    def evaluation(
        self,
        best: NDArray[np.float64],
        value: NDArray[np.float64] | None = None,
        chosen_by: NDArray[np.float64] | None = None,
        best_first: bool = True,
    ) -> Evaluation:
        """Both best responses from the totals of all boards; the value is not a number where it was not walked.

        Without `best_first` the first round is played as the strategy plays it.
        """
        pairs = float(opposing_weights(self.layout.deal.hole, np.ones(len(self.layout.deal.hole))).sum())
        won = tuple(float(chips.sum() / pairs) for chips in self.first_round(best, best_first, chosen_by))
        own = float("nan")
        if value is not None:
            own = float(self.first_round(value, best=False)[0].sum() / pairs)
        return Evaluation((own, -own), (won[0], won[1]), self.layout.game.unit)
