"""What actions are worth early in a hand, from a sample of the cards to come.

Before the turn too many cards follow for `errai.strategy.values`. But once all public cards are fixed, what is left
is betting, and both ranges can be played out exactly in some milliseconds. So the cards to come are sampled, and the
mean over them estimates the value, with a standard error. For a hand h, with opposing hands o of reach w,

    X(cards) = c sum over o without these cards of w v(h, o, cards) / sum over o of w        E X = value of h

v is what h wins against o with these cards as the strategy plays, and c the cards that could be dealt if only h were
known, over those if o were, too. Two numbers whose means are known exactly are taken along as control variates: the
same sum with v = 1, whose mean is 1, and with v = 1, 0, -1 for a showdown won, tied, lost: the equity. Their
coefficients are cross-fitted, each half of the sample with those of the other, so that the mean stays right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK, Deck, hand_class_of, hands
from errai.cards.strength import RANKINGS, strengths
from errai.engine.evaluation import Evaluator
from errai.engine.layout import Layout, layout, shape
from errai.engine.memory import RESERVE, available_memory
from errai.errors import StoppedError
from errai.games.lookup import bettings_of, find_state
from errai.games.spot import opposing_weights, spot
from errai.games.state import HandState
from errai.games.template import Node
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.kinds.buckets import BucketStrategy
from errai.strategy.limit import LimitStrategy
from errai.strategy.lookup import tree_of
from errai.strategy.strategy import live_hands

LEAST = 20  # samples, for a standard error that means something
MOST_DEALS = 20_000  # of the cards to come, that are enumerated for an equity
TOGETHER = 64  # contexts whose rows are read before they are laid side by side
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sampled:
    """n samples of what A actions are worth with one hand, in chips, and of C controls less their means."""

    actions: tuple[str, ...]
    values: Floats  # [n, A]
    controls: Floats  # [n, C]

    @cached_property
    def adjusted(self) -> Floats:
        """[n, A] the values less what the controls explain, by the coefficients of the other half."""
        found = np.empty_like(self.values)
        for half, other in self._halves():
            slopes = _slopes(self.controls[other], self.values[other])
            found[half] = self.values[half] - self.controls[half] @ slopes
        return found

    @property
    def means(self) -> Floats:
        """[A] chips"""
        return np.array(self.adjusted.mean(axis=0))

    @property
    def errors(self) -> Floats:
        """[A] standard errors"""
        return np.array(self.adjusted.std(axis=0, ddof=1) / sqrt(len(self.values)))

    def losses(self, action: str, shares: Mapping[str, float]) -> Floats:
        """[n] samples of what a mixture of actions wins more than one of them."""
        weights = np.array([shares[one] for one in self.actions])
        return np.array(self.adjusted @ weights - self.adjusted[:, self.actions.index(action)])

    def _halves(self) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        first, second = slice(0, None, 2), slice(1, None, 2)
        return (first, second), (second, first)


class RunOuts:
    """Samples of a strategy's values; those before the first public cards are kept, for all hands at once."""

    def __init__(
        self,
        strategy: LimitStrategy,
        samples: int,
        seed: int = 1,
        threads: int = 1,
        monitor: Monitor = SILENT,
    ) -> None:
        self.strategy, self.samples = strategy, samples
        self._seed, self._threads, self._monitor = seed, threads, monitor
        self._kept: dict[str, tuple[NDArray[np.int64], Floats, Floats]] = {}

    def of(self, state: HandState, hand: int) -> Sampled:
        """Of a hand by its number at a decision."""
        actions = tuple(state.legal())
        if state.cards:
            groups = np.full(len(self._holes), -1)
            groups[hand] = 0
            values, controls = self._sample(state, groups, hand)
            return Sampled(actions, values[:, 0], controls[:, 0])
        if state.betting not in self._kept:
            alike = _alike(self.strategy)
            groups = np.unique(alike, return_inverse=True)[1].reshape(-1)
            self._kept[state.betting] = (groups, *self._sample(state, groups, None))
        groups, values, controls = self._kept[state.betting]
        return Sampled(actions, values[:, groups[hand]], controls[:, groups[hand]])

    @property
    def _holes(self) -> NDArray[np.uint8]:
        game = self.strategy.game
        return hands(game.deck_size, game.hole_cards)

    def _sample(self, state: HandState, groups: NDArray[np.int64], hand: int | None) -> tuple[Floats, Floats]:
        """[n, groups, A] values and [n, groups, C] controls, each the mean over the hands of a group."""
        player, strategy = state.player, self.strategy
        reach = strategy.range_of(1 - player) * strategy.reach(state, 1 - player)
        own = () if hand is None else tuple(self._holes[hand].tolist())
        opponent = np.where(
            live_hands(strategy.game, own), reach, 0.0
        )  # with a hand in mind, those apart from it
        met = opposing_weights(self._holes, reach)
        played = _Played(strategy, state)
        deals = self._deals(state, own)
        unseen, due = state.deck.size - len(state.cards), deals.shape[1]
        factor = comb(unseen - len(own), due) / comb(unseen - 2 * strategy.game.hole_cards, due)
        scale = np.divide(factor, met, out=np.zeros_like(met), where=met > 1e-12 * max(reach.sum(), 1e-300))
        count = np.bincount(groups[groups >= 0])
        means = self._means(state, groups, hand, opponent, met)

        def mean(by_hand: Floats) -> Floats:
            chosen = groups >= 0
            return np.bincount(groups[chosen], (scale * by_hand)[chosen], len(count)) / count

        def one(deal: NDArray[np.int64]) -> tuple[Floats, Floats]:
            cards = (*state.cards, *deal.tolist())
            won, left = played.out(cards, reach)
            values = np.stack([mean(won[:, a]) for a in range(won.shape[1])], axis=1)
            known = [mean(left) - 1]
            if means is not None:
                known.append(mean(_showdown(strategy, cards, reach, groups >= 0)) - means)
            return values, np.stack(known, axis=1)

        found = []
        with ThreadPoolExecutor(self._threads) as pool:
            for number, result in enumerate(pool.map(one, deals), 1):
                found.append(result)
                if self._monitor.should_stop():
                    pool.shutdown(cancel_futures=True)
                    raise StoppedError("stopped while a decision was looked at")
                if number % 10 == 0:
                    where = state.betting or "the first decision"
                    self._monitor.step(f"{where}: {number:,} of {self.samples:,} sampled boards")
        values = np.stack([values for values, _ in found])
        if "f" in state.legal():
            values[:, :, state.legal().index("f")] = -state.spent[player]
        return values, np.stack([controls for _, controls in found])

    def _deals(self, state: HandState, own: Sequence[int]) -> NDArray[np.int64]:
        """[n, cards to come]"""
        free = np.setdiff1d(np.arange(state.deck.size), [*state.cards, *own])
        due = self.strategy.game.board_sizes[-1] - len(state.cards)
        random = np.random.Generator(np.random.PCG64([self._seed, *state.cards, *own]))
        return np.stack([free[random.permutation(len(free))[:due]] for _ in range(self.samples)])

    def _means(
        self, state: HandState, groups: NDArray[np.int64], hand: int | None, opponent: Floats, met: Floats
    ) -> Floats | None:
        """[groups] the equity less one half, times two; None where it would take too long."""
        game = self.strategy.game
        due = game.board_sizes[-1] - len(state.cards)
        if hand is None:
            full = state.deck == FULL_DECK and game.hole_cards == 2 and due == 5 and game.ranking == "acpc"
            return _class_equities(groups, opponent, met) if full else None
        own = self._holes[hand].tolist()
        free = np.setdiff1d(np.arange(state.deck.size), [*state.cards, *own]).tolist()
        if comb(len(free), due) > MOST_DEALS or met[hand] <= 0:
            return None
        ways = comb(len(free) - game.hole_cards, due)
        rank = RANKINGS[game.ranking]
        total = 0.0
        for deal in combinations(free, due):
            found = strengths(self._holes, (*state.cards, *deal), state.deck, rank)
            sign = np.sign(found[hand] - found, dtype=np.float64)
            total += float(np.where(found >= 0, opponent, 0.0) @ sign)
        return np.array([total / ways / met[hand]])


class _Played:
    """The betting from a state on, as a strategy plays it on boards that are known to the last card."""

    def __init__(self, strategy: LimitStrategy, state: HandState) -> None:
        self.strategy, self.state = strategy, state
        game = strategy.game
        last = game.board_sizes[-1]
        self.game = replace(
            game, board_cards=tuple(last if round_ == state.round else 0 for round_ in range(game.rounds))
        )
        self._levels: list[tuple[list[Node], list[int]]] = []
        self._rows: list[NDArray[np.uint8] | None] = []

    def out(self, cards: tuple[int, ...], opponent: Floats) -> tuple[Floats, Floats]:
        """[N, A] chips won with each hand times the opponent's reach, and [N] that reach, on a whole board."""
        state, strategy = self.state, self.strategy
        player, actions = state.player, len(state.legal())
        holes = hands(state.deck.size, strategy.game.hole_cards)
        won, left = np.zeros((len(holes), actions)), np.zeros(len(holes))
        live = live_hands(self.game, cards)
        range_ = np.where(live, opponent, 0.0)
        held = np.where(live, 1.0, 0.0)
        if not (opposing_weights(holes, range_) * held > 0).any():
            return won, left
        pair = (held, range_) if player == 0 else (range_, held)
        where = spot(self.game, state.deck.format_cards(cards), state.betting, pair)
        places = layout(where, shape(where, isomorphism=False))
        weights = self._weights(places, cards)
        H = int(places.hand_classes.first[1])
        hand = places.hand_classes.hand[:H]
        first = weights[: actions * H].reshape(actions, H)
        evaluator = Evaluator(places, 1)
        try:
            left[hand] = evaluator.opposing_weight(player)
            for action in range(actions):
                first[:] = 0
                first[action] = 1
                won[hand, action] = np.nan_to_num(evaluator.hand_values(player, weights)) * left[hand]
        finally:
            evaluator.close()
        return won, left

    def _weights(self, places: Layout, cards: tuple[int, ...]) -> NDArray[np.float32]:
        if not self._levels:
            self._prepare(places)
        sizes = (0, *self.strategy.game.board_sizes)
        dealt = tuple(cards[a:b] for a, b in pairwise(sizes))
        weights = np.zeros(places.shape.numbers, np.float32)
        for level, (nodes, contexts) in enumerate(self._levels):
            low, high = places.hand_classes.first[level], places.hand_classes.first[level + 1]
            hand = places.hand_classes.hand[low:high]
            board = dealt[: self.state.round + level + 1]
            rows = self._rows[level]
            if rows is None or not isinstance(self.strategy, BucketStrategy):
                found = self.strategy.on_board(board).weights(nodes, contexts)[:, hand, :]
            else:
                found = rows[:, self.strategy.buckets(board)[hand], :]
            A, H, K = found.shape
            chunk = int(places.betting.chunk[level])
            into = weights[places.boards.offset[level] : places.boards.offset[level + 1]]
            into.reshape(K // chunk, A, H, chunk)[:] = found.reshape(A, H, K // chunk, chunk).transpose(
                2, 0, 1, 3
            )
        return weights

    def _prepare(self, places: Layout) -> None:
        """Where the strategy has the decisions from here on, and what it does there, if that fits into memory."""
        tree, root = self.strategy.tree, replace(self.state, cards=())
        found = []
        for bettings, template in zip(bettings_of(tree_of(places)), places.shape.templates, strict=True):
            points = [find_state(tree, root.follow(betting)) for betting in bettings]
            here, level = points[0].node.betting, points[0].level
            by_betting = {node.betting: node for node in tree.templates[level].nodes}
            nodes = [by_betting[here + node.betting] for node in template.nodes]
            found.append((nodes, [point.context for point in points]))
        self._rows = [self._read(*level, self.state.round + number) for number, level in enumerate(found)]
        self._levels = found

    def _read(self, nodes: list[Node], contexts: list[int], round_: int) -> NDArray[np.uint8] | None:
        """[A, buckets, K] the probabilities of these decisions, in 255ths."""
        if not isinstance(self.strategy, BucketStrategy):
            return None
        chosen = np.concatenate([np.arange(node.row, node.row + len(node.actions)) for node in nodes])
        size = (len(chosen), self.strategy.counts[round_], len(contexts))
        if size[0] * size[1] * size[2] > RESERVE * available_memory():
            return None
        rows = np.empty(size, np.uint8)
        for low in range(0, len(contexts), TOGETHER):
            part = [
                self.strategy.context_rows(round_, context)[chosen]
                for context in contexts[low : low + TOGETHER]
            ]
            rows[:, :, low : low + TOGETHER] = np.stack(part).transpose(1, 2, 0)
        return rows


def _showdown(
    strategy: LimitStrategy, cards: tuple[int, ...], opponent: Floats, wanted: NDArray[np.bool_]
) -> Floats:
    """[N] the opponent's reach that a hand beats less that which beats it, for the hands wanted."""
    game = strategy.game
    deck = Deck(game.ranks, game.suits)
    holes = hands(game.deck_size, game.hole_cards)
    strength = strengths(holes, cards, deck, RANKINGS[game.ranking])
    live = strength >= 0
    found = np.zeros(len(holes))
    others = np.flatnonzero(live & (opponent > 0))
    these = np.flatnonzero(live & wanted)
    apart = np.ones((len(these), len(others)), np.bool_)
    for one, other in ((a, b) for a in range(game.hole_cards) for b in range(game.hole_cards)):
        apart &= holes[these, one][:, None] != holes[others, other][None, :]
    mine, theirs = strength[these][:, None], strength[others][None, :]
    won = (mine > theirs) & apart
    lost = (mine < theirs) & apart
    found[these] = won @ opponent[others] - lost @ opponent[others]
    return found


def _class_equities(groups: NDArray[np.int64], opponent: Floats, met: Floats) -> Floats:
    """[groups] the same mean for the 169 classes before the flop, from the exact counts of all deals."""
    from errai.jamfold.equities import BOARDS, equities

    counts = equities()
    of_class = hand_class_of()
    weight = np.bincount(of_class, opponent, len(counts.wins)) / np.bincount(of_class)
    margin = (counts.wins - counts.losses) @ weight / BOARDS
    by_class = margin / np.bincount(of_class, met)
    found = np.zeros(int(groups.max()) + 1)
    found[groups] = by_class[of_class]
    return found


def _alike(strategy: LimitStrategy) -> NDArray[np.int64]:
    """[N] the first of the hands that differ by the names of suits alone."""
    game = strategy.game
    moves = canonical_boards(Deck(game.ranks, game.suits), game.hole_cards, ()).hand_moves
    return np.asarray(moves.min(axis=0), np.int64)


def _slopes(controls: Floats, values: Floats) -> Floats:
    """[C, A] by least squares, with a constant."""
    centred = controls - controls.mean(axis=0)
    found, *_ = np.linalg.lstsq(centred, values - values.mean(axis=0), rcond=1e-9)
    return np.asarray(found)
