"""What a player won, told apart from the luck of the cards, in hands between people and programs of any kind.

    found = luck_of(hands, player, strategy)
    found.won, found.adjusted       Estimates in mbb/g, and found.how the second was found

Where the opponent plays a strategy that can be looked up, by AIVAT (errai.play.aivat). Otherwise nothing is known of
how either plays, but cards are dealt at random all the same: for any function V of the cards and the betting so far,

    won - sum over deals of (V after the deal - the mean of V over all cards that could have been dealt)

has the mean of what is won. Here V = growth x stake x (chance to win - chance to lose) at a showdown: what is in so
far, as much larger as pots grow on average from there on. That needs the cards of both players in all
hands, also in those that ended by a fold; where they are known only when shown, just the luck of the player's own
first cards is taken out, against any hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hand_class_of, hand_index
from errai.cards.strength import RANKINGS
from errai.games.definition import GameDefinition
from errai.games.state import HandState, start
from errai.jamfold.equities import BOARDS, equities
from errai.play.agent import StrategyAgent
from errai.play.aivat import estimator_of
from errai.play.batch import Dealt, played_hands
from errai.play.history import is_limit_holdem
from errai.play.kernels.hands import showdowns
from errai.play.reading import FoundHand
from errai.play.score import Estimate, Tally
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.strategy import Strategy

GROWTH = (
    1.3,
    1.8,
    2.1,
    3.2,
)  # of stakes until the end, by deals of public cards to come; it need not be right
MOST_DEALS = 20_000  # boards that are enumerated; of more, so many are drawn
DRAWN = 4_000
WORDS = {
    "aivat": "the opponent plays the strategy",
    "deals": "both players' cards and the board",
    "first cards": "the player's own first cards",
}


@dataclass(frozen=True)
class Luck:
    """What a player won per hand."""

    won: Estimate
    adjusted: Estimate | None  # without luck; None where the cards cannot tell
    how: str = ""  # aivat, deals or first cards


def luck_of(
    hands: Sequence[FoundHand], player: str, strategy: Strategy, threads: int = 1, monitor: Monitor = SILENT
) -> Luck:
    """Of the hands that a player is in."""
    own = [hand for hand in hands if player in hand.players]
    game = strategy.game
    seats = np.array([hand.players.index(player) for hand in own])
    won = np.array([hand.won[seat] for hand, seat in zip(own, seats.tolist(), strict=True)], np.float64)
    plain = _estimate(won, game)
    if game.betting != "limit" or not own:
        return Luck(plain, None)
    if all(hand.all_known for hand in own):
        found = _aivat(own, seats, player, strategy, threads, monitor)
        if found is not None:
            return Luck(plain, _estimate(found, game), "aivat")
        lucky = [_deals(hand.state, number) for number, hand in enumerate(own)]
        signs = np.where(seats == 0, 1, -1)
        return Luck(plain, _estimate(won - signs * np.array(lucky), game), "deals")
    known = [hand.state.hole[seat] for hand, seat in zip(own, seats.tolist(), strict=True)]
    if is_limit_holdem(game) and None not in known:
        lucky = [_first_cards(game, cards) for cards in known if cards is not None]
        return Luck(plain, _estimate(won - np.array(lucky), game), "first cards")
    return Luck(plain, None)


def _estimate(chips: NDArray[np.float64], game: GameDefinition) -> Estimate:
    tally = Tally()
    tally.add(chips)
    return tally.estimate(game.unit)


def _aivat(
    hands: Sequence[FoundHand],
    seats: NDArray[np.int64],
    player: str,
    strategy: Strategy,
    threads: int,
    monitor: Monitor,
) -> NDArray[np.float64] | None:
    """[n] chips of the player, if the opponent goes by the name of the strategy and can be looked up."""
    name = strategy.saved.folder.name if strategy.saved else ""
    others = {other for hand in hands for other in hand.players if other != player}
    if others != {name}:
        return None
    found = StrategyAgent(name, strategy).batch()
    estimator = None if found is None else estimator_of(strategy.game, (None, found), threads, monitor)
    if estimator is None:
        return None
    game = strategy.game
    cards = np.array([_all_cards(hand.state) for hand in hands], np.uint8)
    dealt = Dealt(game, np.arange(len(hands)), cards)
    return estimator.of(played_hands(dealt, [hand.state for hand in hands], seats)).aivat


def _all_cards(state: HandState) -> list[int]:
    """Both hands and a whole board: what was not dealt any more is any card that is left."""
    known = [*(state.hole[0] or ()), *(state.hole[1] or ()), *state.cards]
    wanted = 2 * state.game.hole_cards + state.game.board_sizes[-1]
    return known + [card for card in range(state.deck.size) if card not in known][: wanted - len(known)]


def _deals(end: HandState, number: int) -> float:
    """Chips of seat 0 that the cards dealt in a hand were worth more than cards on average."""
    game = end.game
    random = np.random.Generator(np.random.PCG64(number))
    luck = GROWTH[_deals_after(game, 0)] * max(game.blinds) * _margin(end, 0, random, exact=False)
    state, margin = start(game, end.hole), None
    for action in end.actions:
        state = state.act(action)
        known = game.board_sizes[state.round]
        before = game.board_sizes[state.round - 1] if state.round else 0
        if state.acted == 0 and known > before and not state.over:
            margin = _margin(end, before, random) if margin is None else margin
            after = _margin(end, known, random)
            luck += GROWTH[_deals_after(game, state.round)] * min(state.spent) * (after - margin)
            margin = after
    return luck


def _deals_after(game: GameDefinition, round_: int) -> int:
    """How often public cards are dealt after those of a round."""
    return min(sum(cards > 0 for cards in game.board_cards[round_ + 1 :]), len(GROWTH) - 1)


def _margin(end: HandState, known: int, random: np.random.Generator, exact: bool = True) -> float:
    """The chance of seat 0 to win less that to lose in a showdown, from so many public cards on.

    Of many boards some are drawn. Before the first public cards it may also be that of hands alike but for suits.
    """
    game = end.game
    held = [*(end.hole[0] or ()), *(end.hole[1] or ())]
    if not exact and is_limit_holdem(game):
        first, second = (hand_class_of()[hand_index(cards or ())] for cards in end.hole)
        return float(_class_margins()[first, second])
    shown = [*held, *end.cards[:known]]
    free = np.setdiff1d(np.arange(end.deck.size), shown)
    due = game.board_sizes[-1] - known
    count = comb(len(free), due)
    if count <= MOST_DEALS:
        boards = np.array(list(combinations(free.tolist(), due)), np.uint8).reshape(count, due)
    else:
        boards = free[random.random((DRAWN, len(free))).argpartition(due, axis=1)[:, :due]].astype(np.uint8)
    cards = np.empty((len(boards), len(shown) + due), np.uint8)
    cards[:, : len(shown)], cards[:, len(shown) :] = shown, boards
    out = np.empty(len(cards), np.int64)
    showdowns(cards, game.hole_cards, game.suits, game.ranks, RANKINGS[game.ranking], out)
    return float(out.mean())


def _first_cards(game: GameDefinition, hand: Sequence[int]) -> float:
    """Chips that a hand is worth more than any hand, against any hand."""
    counts = equities()
    of_class = hand_class_of()[hand_index(hand)]
    deals = int(counts.pairs[of_class].sum()) * BOARDS
    margin = int(counts.wins[of_class].sum() - counts.losses[of_class].sum()) / deals
    return GROWTH[-1] * max(game.blinds) * margin


@cache
def _class_margins() -> NDArray[np.float64]:
    """[169, 169] the chance of a class of hands to win less that to lose against another."""
    counts = equities()
    return np.asarray((counts.wins - counts.losses) / (np.maximum(counts.pairs, 1) * BOARDS))
