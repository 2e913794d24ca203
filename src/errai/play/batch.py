"""Many hands of a limit game side by side, between agents that look up what they do.

The hands of a batch walk down the template of a round together: those that have come to a node are asked for at once,
and split by what they do. A hand is then known by how it ended,

    round, ending (a fold, or a leaf of the last round), context

from which its betting, its chips and the way to it follow. Cards, random numbers and seats are those of
`errai.play.table`: hand by hand the same is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from errai.cards.strength import RANKINGS
from errai.games.definition import GameDefinition
from errai.games.lookup import BettingTree, betting_tree, bettings_of, stakes_of
from errai.games.state import HandState
from errai.games.template import Node
from errai.play.dealing import Cards
from errai.play.draws import draws
from errai.play.kernels.hands import hands_of, showdowns

Ints = NDArray[np.int64]
Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Dealt:
    """The cards of n hands."""

    game: GameDefinition
    deal: Ints  # [n] numbers of the deals
    cards: Cards  # [n, cards] hole cards of seat 0, of seat 1, the board

    def first(self, hands: int) -> Dealt:
        """The first of these hands."""
        return Dealt(self.game, self.deal[:hands], self.cards[:hands])

    @property
    def boards(self) -> Cards:
        """[n, public cards]"""
        return self.cards[:, 2 * self.game.hole_cards :]

    @cached_property
    def hands(self) -> Ints:
        """[n, seats] numbers of the hands held."""
        out = np.empty((len(self.cards), 2), np.int64)
        hands_of(self.cards, self.game.hole_cards, out)
        return out

    @cached_property
    def better(self) -> Ints:
        """[n] 1 when seat 0 would win a showdown, -1 when seat 1 would, 0 for a tie."""
        out, game = np.empty(len(self.cards), np.int64), self.game
        showdowns(self.cards, game.hole_cards, game.suits, game.ranks, RANKINGS[game.ranking], out)
        return out


class Seated(Protocol):
    """An agent with the cards of a batch before it."""

    def shares(self, round_: int, node: Node, hands: Ints, contexts: Ints) -> Shares:
        """[n, actions] probabilities at a decision of a round, for these hands of the batch and their contexts."""


class BatchAgent(Protocol):
    """An agent that many hands can ask at once."""

    name: str

    def seat(self, dealt: Dealt) -> Seated:
        """Look at the cards of a batch."""


@dataclass(frozen=True, eq=False)
class Played:
    """n hands that were played to their end."""

    dealt: Dealt
    tree: BettingTree
    first: Ints  # [n] the seat of the first of the two agents
    round: Ints  # [n] in which the hand ended
    ending: Ints  # [n] number of the fold, or of the leaf, in that round's template
    fold: NDArray[np.bool_]  # [n]
    context: Ints  # [n] of that round

    @cached_property
    def chips(self) -> Ints:
        """[n] won by seat 0."""
        won = np.empty(len(self.round), np.int64)
        for round_, (template, before) in enumerate(
            zip(self.tree.templates, stakes_of(self.tree), strict=True)
        ):
            stakes = np.array(before, np.int64)
            for endings, folded in ((template.folds, True), (template.leaves, False)):
                here = (self.round == round_) & (self.fold == folded)
                ending = self.ending[here]
                amount = np.array([end.amount for end in endings], np.int64)[ending]
                if folded:
                    sign = np.array([1 if end.loser else -1 for end in endings], np.int64)[ending]
                else:
                    sign = self.dealt.better[here]
                won[here] = sign * (stakes[self.context[here]] + amount)
        return won

    @property
    def won(self) -> Ints:
        """[n] won by the first of the two agents."""
        return np.where(self.first == 0, self.chips, -self.chips)

    def bettings(self) -> list[str]:
        """The betting of each hand, as the ACPC writes it."""
        before = bettings_of(self.tree)
        endings = [(template.leaves, template.folds) for template in self.tree.templates]
        rows = zip(
            self.round.tolist(), self.context.tolist(), self.fold.tolist(), self.ending.tolist(), strict=True
        )
        return [before[r][context] + endings[r][fold][ending].betting for r, context, fold, ending in rows]


def played_hands(dealt: Dealt, ends: Sequence[HandState], first: Ints) -> Played:
    """Hands of a limit game that were played to their end elsewhere."""
    known = _endings(dealt.game)
    rows = np.array([known[end.betting] for end in ends], np.int64).reshape(-1, 4)
    round_, ending, fold, context = rows.T
    tree = betting_tree(dealt.game)
    return Played(dealt, tree, first, round_, ending, fold.astype(np.bool_), context)


@lru_cache(8)
def _endings(game: GameDefinition) -> dict[str, tuple[int, int, int, int]]:
    """Every betting of a whole hand -> how it ended."""
    tree, found = betting_tree(game), {}
    last = game.rounds - 1
    for round_, (template, befores) in enumerate(zip(tree.templates, bettings_of(tree), strict=True)):
        for fold, endings in ((0, template.leaves if round_ == last else ()), (1, template.folds)):
            for number, ending in enumerate(endings):
                for context, before in enumerate(befores):
                    found[before + ending.betting] = (round_, number, fold, context)
    return found


def play_batch(agents: Sequence[BatchAgent], dealt: Dealt, first: Ints, seed: int) -> Played:
    """Play a batch between two agents; `first` [n] is the seat that the first of them has in each hand."""
    tree = betting_tree(dealt.game)
    seated = [agent.seat(dealt) for agent in agents]
    n = len(dealt.deal)
    round_of, ending, context = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    fold, decision = np.zeros(n, np.bool_), np.zeros(n, np.int64)
    going = np.arange(n)
    for round_, template in enumerate(tree.templates):
        folds = {end.betting: number for number, end in enumerate(template.folds)}
        leaves = {end.betting: number for number, end in enumerate(template.leaves)}
        at = {template.nodes[0].betting: going}
        ended = [going[:0]]  # nobody may come to the end of a round
        for node in template.nodes:
            hands = at.pop(node.betting, None)
            if hands is None or not len(hands):
                continue
            taken = _actions(
                seated, round_, node, hands, context, first, draws(seed, dealt.deal[hands], decision[hands])
            )
            decision[hands] += 1
            for number, action in enumerate(node.actions):
                these, betting = hands[taken == number], node.betting + action
                if betting in folds:
                    round_of[these], ending[these], fold[these] = round_, folds[betting], True
                elif betting in leaves:
                    round_of[these], ending[these] = round_, leaves[betting]
                    ended.append(these)
                else:
                    at[betting] = these
        going = np.sort(np.concatenate([going[:0], *ended]))
        if round_ + 1 < len(tree.templates):
            context[going] += ending[going] * tree.contexts[round_]
    return Played(dealt, tree, first, round_of, ending, fold, context)


def _actions(
    seated: Sequence[Seated],
    round_: int,
    node: Node,
    hands: Ints,
    context: Ints,
    first: Ints,
    drawn: NDArray[np.float64],
) -> Ints:
    """[n] the number of the action that each of these hands takes."""
    taken = np.empty(len(hands), np.int64)
    for number, agent in enumerate(seated):
        mine = (first[hands] == node.player) == (number == 0)
        if mine.any():
            shares = agent.shares(round_, node, hands[mine], context[hands[mine]])
            taken[mine] = _chosen(shares, drawn[mine])
    return taken


def _chosen(shares: Shares, drawn: NDArray[np.float64]) -> Ints:
    """[n] as `errai.play.agent.chosen`: the first action up to which the shares exceed the number drawn."""
    below = np.cumsum(shares, axis=1)
    number = (drawn[:, None] >= below).sum(axis=1)
    actions = shares.shape[1]
    last = actions - 1 - (shares[:, ::-1] > 0).argmax(axis=1)  # for what rounding leaves below 1
    return np.minimum(number, last)
