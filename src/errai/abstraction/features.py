"""What a hand looks like, as numbers: the points that buckets are made of.

On the last round a hand has its strength (EHS), the share won against a uniform opponent hand; its OCHS, the shares
won against each of some clusters of opponent hands (Johanson, Burch, Valenzano and Bowling 2013); and the same
against equal parts of the opponent hands by what they were worth one round before: what the opponent would have
folded, called and raised with there. Before the last round it has the distribution of its last strength over all
boards that may follow: the mean E[HS], the mean square E[HS^2] and the cumulative histogram (the L1 distance of two
of them is the earth mover's distance); and of the shares against parts of the opponent hands, the means and
deviations.

Scalars are uint16, a share of 1 being 65535. Nothing here needs the whole deck: all works for any deck and any number
of public cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.kernels.potential import add_all_gains, add_gains
from errai.abstraction.kernels.strengths import (
    ONE,
    RankedHands,
    RunOuts,
    Spread,
    Sums,
    cluster_shares,
    cluster_spread,
    count_run_outs,
    finish,
    representatives,
    run_outs,
    shares,
    spread,
    spread_classes,
)
from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.cards.notation import Deck, hands
from errai.cards.strength import RANKINGS
from errai.games.definition import GameDefinition

BINS = 32
CLUSTERS = 8

Boards = NDArray[np.uint8]  # [B, public cards]


@dataclass(frozen=True, eq=False)
class Hands:
    """The hands of a game and what ranks them."""

    deck: Deck
    hole_cards: int
    ranking: int
    last: int  # public cards of the last round

    @cached_property
    def cards(self) -> NDArray[np.uint8]:
        """[N, hole cards]"""
        return hands(self.deck.size, self.hole_cards)

    @cached_property
    def pairs(self) -> NDArray[np.uint8]:
        """[N, 2]; a hand of one card holds a second one that nobody else holds."""
        if self.hole_cards == 2:
            return self.cards
        return np.column_stack([self.cards, np.full(len(self.cards), self.deck.size, np.uint8)])

    @property
    def for_kernels(self) -> RankedHands:
        deck = self.deck
        return RankedHands(self.cards, self.pairs, deck.size, deck.suits, deck.ranks, self.ranking)

    def run_outs(self, public: int) -> RunOuts:
        """Of a board of so many cards."""
        left, more = self.deck.size - public, self.last - public
        return RunOuts(comb(left, more), comb(left - self.hole_cards, more), self.last)

    def live(self, boards: Boards) -> NDArray[np.bool_]:
        """[B, N] whether the hand shares no card with the board."""
        held = np.zeros((len(boards), self.deck.size), bool)
        held[np.arange(len(boards))[:, None], boards] = True
        blocked: NDArray[np.bool_] = np.any(held[:, self.cards], axis=2)
        return ~blocked


def hands_of(game: GameDefinition) -> Hands:
    return Hands(Deck(game.ranks, game.suits), game.hole_cards, RANKINGS[game.ranking], game.board_sizes[-1])


def strengths_on(boards: Boards, of: Hands) -> NDArray[np.uint16]:
    """[B, N] strength now: win + half tie against a uniform hand, in fixed point; 0 where blocked."""
    out = np.empty((len(boards), len(of.cards)), np.uint16)
    shares(np.ascontiguousarray(boards, np.uint8), of.for_kernels, out)
    return out


def opponent_strengths(
    boards: Boards, of: Hands, cluster_of: NDArray[np.uint8], clusters: int
) -> NDArray[np.float32]:
    """[B, N, clusters] win + half tie against a uniform hand of each cluster of hands; 0 where blocked.

    `cluster_of` is [B, N], or [1, N] if hands are in the same on all boards.
    """
    out = np.empty((len(boards), len(of.cards), clusters), np.float32)
    cluster_shares(np.ascontiguousarray(boards, np.uint8), of.for_kernels, cluster_of, out)
    return out


def opponent_spreads(
    boards: Boards, of: Hands, cluster_of: NDArray[np.uint8], clusters: int
) -> NDArray[np.float32]:
    """[B, N, 2 * clusters] means and deviations of these strengths over all run-outs; `cluster_of` is [B, N]."""
    out = np.empty((len(boards), len(of.cards), 2 * clusters), np.float32)
    run_out = of.run_outs(boards.shape[1])
    cluster_spread(np.ascontiguousarray(boards, np.uint8), of.for_kernels, cluster_of, run_out, out)
    return out


def range_parts(worth: NDArray[np.float32], live: NDArray[np.bool_], parts: int) -> NDArray[np.uint8]:
    """[N] of equal parts of the live hands by what they are worth, weakest first, the one that each hand is in.

    Hands of the same worth are in the same part, so that it does not matter how suits are named.
    """
    values = np.sort(worth[live])
    below = np.searchsorted(values, worth, side="left") + np.searchsorted(values, worth, side="right")
    return np.minimum(below * parts // (2 * len(values)), parts - 1).astype(np.uint8)


def _empty_spread(boards: int, N: int, bins: int) -> Spread:
    return Spread(
        np.empty((boards, N, bins), np.float32),
        np.empty((boards, N), np.float32),
        np.empty((boards, N), np.float32),
    )


@dataclass(frozen=True, eq=False)
class LastStrengths:
    """The strength of every hand on every canonical board of the last round."""

    of: Hands
    boards: CanonicalBoards
    table: NDArray[np.uint16]  # [B, N]

    def spread(self, boards: Boards, bins: int = BINS) -> Spread:
        """The distributions after these boards, whose cards may come in any order; () is spread over hands."""
        if boards.shape[1] == 0:
            return self._spread_of_classes(bins)
        of = self.of
        out = _empty_spread(len(boards), len(of.cards), bins)
        run_out = of.run_outs(boards.shape[1])
        boards = np.ascontiguousarray(boards, np.uint8)
        spread(boards, of.for_kernels, run_out, self.boards.lookup, self.boards.hand_moves, self.table, out)
        return out

    def _spread_of_classes(self, bins: int) -> Spread:
        """Before the first public card: all boards count, as often as they are dealt."""
        of = self.of
        first, number = np.unique(self.boards.hand_moves.min(axis=0), return_inverse=True)
        sums = Sums(*(np.zeros(shape, np.int64) for shape in ((len(first), bins), len(first), len(first))))
        spread_classes(self.boards.cards, self.boards.weight, of.cards, self.table, number, sums)
        total = sums.histogram.sum(axis=1)
        return Spread(
            (sums.histogram.cumsum(axis=1) / total[:, None]).astype(np.float32)[None, number],
            (sums.first / (total * float(ONE))).astype(np.float32)[None, number],
            (sums.second / (total * float(ONE) ** 2)).astype(np.float32)[None, number],
        )


def spread_on(board: Boards, of: Hands, bins: int = BINS) -> Spread:
    """The distribution after one board [cards] without any table: equal to what `LastStrengths` says."""
    run_out, N = of.run_outs(len(board)), len(of.cards)
    board = np.ascontiguousarray(board, np.uint8)
    ends = np.empty((run_out.sets, of.last), np.uint8)
    run_outs(board, of.deck.size, np.empty(of.deck.size, np.int64), ends)
    out = _empty_spread(1, N, bins)
    sums = Sums(np.zeros((N, bins), np.int32), np.zeros(N, np.int64), np.zeros(N, np.int64))
    no_moves, same = np.zeros(run_out.sets, np.int64), np.arange(N, dtype=np.int32)[None]
    count_run_outs(np.arange(run_out.sets), no_moves, strengths_on(ends, of), same, sums)
    finish(board, of.cards, run_out, sums, out.cdf[0], out.mean[0], out.square[0])
    return out


def potential_on(boards: Boards, of: Hands) -> NDArray[np.uint16]:
    """[B, N] positive potential: the share of opponents that are ahead now and behind at the end; 0 where blocked.

    It is exact: all run-outs and all pairs of hands are counted, so that hands that are alike have the same. Before
    the first public card the run-outs are the canonical boards, as often as they are dealt.
    """
    known, N = boards.shape[1], len(of.cards)
    if known == of.last:
        return np.zeros((len(boards), N), np.uint16)
    gained, dealt = np.zeros((len(boards), N), np.int64), np.zeros((len(boards), N), np.int64)
    deck = of.deck
    if known == 0:
        ends = last_boards(of)
        none = np.empty(0, np.uint8)
        add_gains(none, ends.cards, ends.weight, of.for_kernels, gained[0], dealt[0])
        number = np.unique(ends.hand_moves.min(axis=0), return_inverse=True)[1]
        for sums in (gained, dealt):
            by_class = np.zeros(number.max() + 1, np.int64)
            np.add.at(by_class, number, sums[0])
            sums[0] = by_class[number]
    else:
        boards = np.ascontiguousarray(boards, np.uint8)
        add_all_gains(boards, of.for_kernels, of.run_outs(known), gained, dealt)
    opponents = comb(deck.size - of.last - of.hole_cards, of.hole_cards)
    return np.rint(ONE * gained / (float(opponents) * np.maximum(dealt, 1))).astype(np.uint16)


def fixed_point(share: NDArray[np.float32]) -> NDArray[np.uint16]:
    """A share from 0 to 1 as a uint16."""
    return np.rint(share.astype(np.float64) * ONE).astype(np.uint16)


def last_boards(of: Hands) -> CanonicalBoards:
    """The canonical boards of the last round as sets of cards."""
    return unordered(of, of.last)


def unordered(of: Hands, public: int, known: Boards | None = None) -> CanonicalBoards:
    """The canonical boards of so many public cards, whatever their order; `known` if they were kept."""
    return canonical_boards(of.deck, of.hole_cards, (public,) if public else (), known)


def first_of_orbit(boards: CanonicalBoards, chosen: slice, of: Hands) -> NDArray[np.int32]:
    """[boards, N] the first of the hands that a board's symmetries make alike; -1 where the board blocks it."""
    cards, group = boards.cards[chosen], boards.group[chosen]
    out = np.empty((len(cards), len(of.cards)), np.int32)
    for b in range(len(cards)):
        representatives(cards[b], group[b], of.cards, boards.hand_moves, out[b])
    return out
