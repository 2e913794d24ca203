"""A player's hands against a strategy: every decision with what it lost, and where the losses are.

A loss is what the best action wins more than the one taken, in chips, by exact values with both ranges as the
strategy plays them. It is known where errai.play.coach knows it; the decisions before are counted, and those that the
strategy hardly ever makes are named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from errai.errors import ErraiError
from errai.games.state import HandState, start
from errai.play.agent import seen_by
from errai.play.coach import Judgement, judged
from errai.play.reading import FoundHand, in_all
from errai.play.table import dealt
from errai.runs.monitor import SILENT, Monitor
from errai.strategy.strategy import Strategy

RARE = 0.02  # an action that the strategy takes less often is worth a look


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


@dataclass(frozen=True)
class Review:
    """What was found in a player's hands."""

    player: str
    hands: int
    chips: int  # that the player won
    decisions: tuple[Reviewed, ...]
    unit: float

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
        return 1000 * self.loss / self.unit / self.hands if self.hands else 0.0

    def worst(self, count: int = 10) -> list[Reviewed]:
        """The costliest decisions."""
        known = [one for one in self.decisions if (one.judgement.loss or 0) > 0]
        return sorted(known, key=lambda one: -(one.judgement.loss or 0))[:count]

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
        found: dict[str, Leak] = {}
        for one in self.decisions:
            before, loss = found.get(of(one), Leak(0, 0, 0.0)), one.judgement.loss
            known = loss is not None
            found[of(one)] = Leak(before.decisions + 1, before.judged + known, before.loss + (loss or 0.0))
        return found


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
) -> Review:
    """The decisions of a player, or of the one who is in all hands; what was done when the monitor stops counts."""
    name = player or common_player(hands)
    found: list[Reviewed] = []
    count = chips = 0
    for number, hand in enumerate(hands):
        if name not in hand.players:
            continue
        if monitor.should_stop():
            break
        seat = hand.players.index(name)
        count, chips = count + 1, chips + hand.state.payoff()[seat]
        for state, action in decisions_of(hand.state, seat):
            found.append(Reviewed(hand, seat, judged(strategy, seen_by(state, seat), action, threads)))
        monitor.step(f"hand {number + 1:,} of {len(hands):,}, {len(found):,} decisions")
    if not count:
        known = sorted({one for hand in hands for one in hand.players})
        raise ErraiError(
            f"{name} is in none of the hands; their names are {', '.join(known)}", parameter="player"
        )
    return Review(name, count, chips, tuple(found), strategy.big_blind)


def decisions_of(end: HandState, seat: int) -> list[tuple[HandState, str]]:
    """(state, action) of every decision of a seat in a hand."""
    assert None not in end.hole
    state, found = start(end.game, end.hole), []
    for action in end.actions:
        state = dealt(state, end.cards)
        if state.player == seat:
            found.append((state, action))
        state = state.act(action)
    return found


def common_player(hands: Sequence[FoundHand]) -> str:
    """The player who is in all hands, if there is just one."""
    everywhere = in_all(hands)
    if len(everywhere) == 1:
        return everywhere.pop()
    names = sorted({one for hand in hands for one in hand.players})
    if not names:
        raise ErraiError("the hands do not say who played them")
    raise ErraiError(f"player: say whose decisions to look at, {', '.join(names)}", parameter="player")
