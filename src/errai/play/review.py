"""A player's hands against a strategy: every decision with what it lost, and where the losses are.

A loss is what the best action wins more than the one taken, in chips, with both ranges as the strategy plays them:
exact where errai.play.coach knows it; otherwise estimated from sampled run-outs, against what the strategy does.
Decisions that shared a sample are added up sample by sample before the error of a sum is taken,

    error^2 = sum over groups of the variance of (sum over its decisions of loss[i]) / n         i = 1 .. n samples

Decisions whose loss is not known are counted, and those that the strategy hardly ever makes are named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError, StoppedError
from errai.games.state import HandState, start
from errai.play.agent import seen_by
from errai.play.coach import Judgement, judged
from errai.play.luck import Luck, luck_of
from errai.play.reading import FoundHand, in_all
from errai.play.table import dealt
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.limit import LimitStrategy
from errai.strategy.run_outs import LEAST, RunOuts
from errai.strategy.strategy import Strategy

RARE = 0.02  # an action that the strategy takes less often is worth a look
SURE = 2.0  # standard errors above 0
SAMPLES = 50  # of the cards to come, where values cannot be exact


class Reviewed(NamedTuple):
    """One decision of the player."""

    hand: FoundHand
    seat: int
    judgement: Judgement


@dataclass(frozen=True)
class Leak:
    """All decisions of a kind."""

    decisions: int
    judged: int  # whose loss is known
    loss: float  # chips
    error: float  # the standard error of the loss, in chips


@dataclass(frozen=True)
class Review:
    """What was found in a player's hands."""

    player: str
    hands: int
    decisions: tuple[Reviewed, ...]
    luck: Luck
    unit: float
    hidden: int = 0  # hands in which the player's cards are not known

    @property
    def judged(self) -> int:
        return sum(one.judgement.loss is not None for one in self.decisions)

    @property
    def loss(self) -> float:
        """Chips lost by decisions whose loss is known."""
        return sum(one.judgement.loss or 0.0 for one in self.decisions)

    @property
    def loss_mbb(self) -> float:
        """The same in milli-big-blinds a hand."""
        return self.mbb(self.loss)

    @property
    def error_mbb(self) -> float:
        """Its standard error: that of the estimates among them."""
        return self.mbb(_error(self.decisions))

    def mbb(self, chips: float) -> float:
        """Chips in all, in milli-big-blinds a hand."""
        return 1000 * chips / self.unit / self.hands if self.hands else 0.0

    def worst(self, count: int = 10) -> list[Reviewed]:
        """The costliest decisions; of those estimated, the ones that are surely no noise."""
        found = [
            (loss, one)
            for one in self.decisions
            if (loss := one.judgement.loss) is not None
            and loss > max(SURE * (one.judgement.error or 0.0), 0.0)
        ]
        return [one for _, one in sorted(found, key=lambda pair: -pair[0])[:count]]

    def rare(self, count: int = 10) -> list[Reviewed]:
        """Decisions without a known loss that the strategy hardly ever makes, the rarest first."""
        found = [
            one
            for one in self.decisions
            if one.judgement.loss is None and one.judgement.shares.get(one.judgement.action, 0.0) < RARE
        ]
        return sorted(found, key=lambda one: one.judgement.shares.get(one.judgement.action, 0.0))[:count]

    def leaks(self, of: Callable[[Reviewed], str]) -> dict[str, Leak]:
        """Decisions by kind, in the order in which kinds are met."""
        kinds: dict[str, list[Reviewed]] = {}
        for one in self.decisions:
            kinds.setdefault(of(one), []).append(one)
        return {
            kind: Leak(
                len(those),
                sum(one.judgement.loss is not None for one in those),
                sum(one.judgement.loss or 0.0 for one in those),
                _error(those),
            )
            for kind, those in kinds.items()
        }


def _error(decisions: Sequence[Reviewed]) -> float:
    """The standard error of the sum of losses, in chips."""
    groups: dict[tuple[object, ...], NDArray[np.float64]] = {}
    for one in decisions:
        judgement = one.judgement
        if judgement.losses is None:
            continue
        # What decides which cards are drawn: see errai.strategy.run_outs.
        cards = judgement.state.cards
        group = (cards, one.hand.state.hole[one.seat] if cards else ())
        groups[group] = groups.get(group, np.zeros(len(judgement.losses))) + judgement.losses
    return sqrt(sum(float(losses.var(ddof=1)) / len(losses) for losses in groups.values()))


def situation(state: HandState) -> str:
    """What a player faces."""
    if not state.facing_bet:
        return "checked to" if state.acted else "first to act"
    if state.round == 0 and state.acted == 0:
        return "opening"
    return "facing a bet" if state.bets <= 1 else "facing a raise"


def review(
    strategy: Strategy,
    hands: Sequence[FoundHand],
    player: str | None = None,
    threads: int = 1,
    monitor: Monitor = SILENT,
    samples: int = SAMPLES,
) -> Review:
    """The decisions of a player, or of the one who is in all hands; what was done when the monitor stops counts.

    With `samples` of the cards to come, the losses of decisions are estimated that cannot be known exactly; 0: none.
    """
    if samples and samples < LEAST:
        raise ErraiError(f"samples must be 0, or {LEAST} or more, not {samples}", parameter="samples")
    name = player or common_player(hands)
    run_outs = None
    if samples and isinstance(strategy, LimitStrategy):
        run_outs = RunOuts(strategy, samples, threads=threads, monitor=monitor)
    found: list[Reviewed] = []
    looked_at: list[FoundHand] = []
    hidden = 0
    for number, hand in enumerate(hands):
        if name not in hand.players:
            continue
        if monitor.should_stop():
            break
        seat = hand.players.index(name)
        try:
            here = [
                Reviewed(hand, seat, judged(strategy, seen_by(state, seat), action, threads, run_outs))
                for state, action in decisions_of(hand.state, seat)
                if state.hole[seat] is not None
            ]
        except StoppedError:
            break
        looked_at.append(hand)
        hidden += hand.state.hole[seat] is None
        found += here
        monitor.step(f"hand {number + 1:,} of {len(hands):,}, {len(found):,} decisions")
    if not any(name in hand.players for hand in hands):
        known = sorted({one for hand in hands for one in hand.players})
        raise ErraiError(
            f"{name} is in none of the hands; their names are {', '.join(known)}", parameter="player"
        )
    luck = luck_of(looked_at, name, strategy, threads, monitor)
    return Review(name, len(looked_at), tuple(found), luck, strategy.big_blind, hidden)


def decisions_of(end: HandState, seat: int) -> list[tuple[HandState, str]]:
    """(state, action) of every decision of a seat in a hand."""
    state, found = start(end.game, end.hole), []
    for action in end.actions:
        state = dealt(state, end.cards)
        if state.player == seat:
            found.append((state, action))
        state = state.act(action)
    return found


def common_player(hands: Sequence[FoundHand]) -> str:
    """The player who is in all hands, if there is just one, or who has written all of them down."""
    everywhere = in_all(hands)
    heroes = {hand.hero for hand in hands}
    if len(heroes) == 1 and heroes <= everywhere:
        return heroes.pop()
    if len(everywhere) == 1:
        return everywhere.pop()
    names = sorted({one for hand in hands for one in hand.players})
    if not names:
        raise ErraiError("the hands do not say who played them")
    raise ErraiError(f"player: say whose decisions to look at, {', '.join(names)}", parameter="player")
