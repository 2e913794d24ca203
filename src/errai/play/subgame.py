"""A subgame solved again while it is played, hand by hand, behind a gadget (errai.play.gadget).

    resolved = resolve(base, state, seat, ranges, think)
    resolved.solution                  what `seat` plays from the state on, where a round begins
    resolved.won, resolved.conceded    chips that a best response wins less than before, and what hands win more

`base` is what was played before: a blueprint, or an earlier solution. A best response to it over the rest of the hand
gives what every hand of the opponent wins at best, c[h]. The subgame is then solved by CFR from the range of `seat`
and the reach of the gadget, which the opponent learns along the way; the average of `seat` is what is played.

If no hand of the opponent wins more than c[h] from it, and all of the hand before is played as in `base`, then no
opponent wins more than from `base`: the whole is never more exploitable. After a finite number of iterations some
hands do win a little more. A new solution that concedes more than it wins is not played, `base` is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum, isfinite
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluator
from errai.engine.layout import Layout
from errai.engine.rules import rule_named
from errai.engine.settings import DEFAULT_METHODS, MOST_ITERATIONS
from errai.engine.store import Numbers, new_store
from errai.engine.walker import Walker
from errai.errors import ErraiError
from errai.games.spot import spot
from errai.games.state import HandState
from errai.play.gadget import GADGETS, LEAST_SHARE
from errai.strategy.kinds.exact import ExactStrategy
from errai.strategy.limit import LimitStrategy
from errai.strategy.strategy import live_hands
from errai.strategy.values import subgame

Range = NDArray[np.float64]
RULE = rule_named(DEFAULT_METHODS["average"])
DEFAULT_ITERATIONS = 60
LEAST_OWN = (
    1e-6  # of the player's own range, given to all hands alike: hands that never come know what to do as well
)
FEWEST = 10  # iterations, however short the time
LATER = 8  # times as many iterations in a later round, whose subgames are so much smaller
LONGEST = 3600.0  # seconds


@dataclass(frozen=True)
class Think:
    """How much work goes into one solution: iterations, so that it is the same on every machine, or seconds."""

    iterations: int | None = DEFAULT_ITERATIONS
    seconds: float | None = None

    @property
    def later(self) -> Think:
        """For a later round, whose subgames have one board."""
        return self if self.iterations is None else Think(LATER * self.iterations)

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.seconds is not None else f"{self.iterations}"


def parse_think(text: str | float | None) -> Think:
    """`2s` and `300ms` are times, `100` is a number of iterations; with nothing given a number that suits hold'em."""
    if text is None:
        return Think()
    written = str(text).strip().lower()
    factor = next((f for unit, f in (("ms", 0.001), ("s", 1.0)) if written.endswith(unit)), None)
    number = written.removesuffix("s").removesuffix("m") if factor is not None else written
    try:
        value = float(number) * (factor or 1.0)
    except ValueError:
        value = float("nan")
    most = MOST_ITERATIONS if factor is None else LONGEST
    if not isfinite(value) or not 0 < value <= most or (factor is None and value != int(value)):
        raise ErraiError(
            f"think must be a time such as 2s or 300ms, or a number of iterations such as 100, not {str(text)!a}",
            parameter="think",
        )
    return Think(int(value), None) if factor is None else Think(None, value)


@dataclass(frozen=True, eq=False)
class Resolved:
    """A subgame that was solved again for one seat. H hand classes of its root."""

    seat: int
    state: HandState
    solution: ExactStrategy  # what is played: the new solution, or what was played before if that is better
    iterations: int
    gains: Range  # [H] chips that each of the opponent's hands wins at best, more than before, from the new solution
    weight: (
        Range  # [H] how likely the opponent's hands are thought, times the hands of `seat` that they may meet
    )

    @property
    def conceded(self) -> float:
        """Chips that a best response wins behind the gadget, more than by taking: the mean of max(gain, 0)."""
        return _mean(np.maximum(self.gains, 0), self.weight)

    @property
    def won(self) -> float:
        """Chips that a best response wins less than before, on average over the opponent's range."""
        return -_mean(self.gains, self.weight)

    @property
    def better(self) -> bool:
        """Whether the new solution is played: it wins more than it concedes."""
        return self.won > self.conceded


def resolve(
    base: LimitStrategy,
    state: HandState,
    seat: int,
    ranges: tuple[Range, Range],
    think: Think,
    *,
    gadget: str = "guarded",
    threads: int = 1,
) -> Resolved:
    """Solve the subgame that begins at a state, a round without any action, for one seat.

    `ranges` [N] are by seat; that of `seat` must be the one with which it has played so far. The other is what the
    opponent is thought to hold; every hand that can be held is guarded, whatever it says.
    """
    began, other = perf_counter(), 1 - seat
    where = spot(base.game, state.deck.format_cards(state.cards), state.betting, _rooted(state, seat, ranges))
    places, weights = subgame(base, state, where)
    known, opposing = best_response(places, weights, other, threads)
    H = int(places.hand_classes.first[1])
    first, size = places.hand_classes.hand[:H], places.hand_classes.size[:H].astype(np.float64)
    thought = where.ranges[other][first]
    values = np.where(opposing > 0, known, 0.0) * opposing
    choice = GADGETS[gadget](thought, values, size)
    boards = places.boards
    store = new_store("float32", int(boards.offset[-1]), int(boards.block[-1]), True, RULE.prediction)
    walker = Walker(places, threads, np.float32)
    try:
        walker.warm_up(store.for_kernels())
        done = 0
        while not _enough(think, done, began):
            rates = RULE.rates(done + 1, 1, MOST_ITERATIONS)[0]
            for player in (1, 0):
                walker.start_with(other, choice.reach())
                found = walker.update(player, store.for_kernels(), rates, done + 1)
                if player == other:
                    choice.update(found.astype(np.float64), rates[other])
            done += 1
    finally:
        walker.close()
    assert store.average is not None
    response, _ = best_response(places, store.average, other, threads)
    gains = np.nan_to_num(response - known)
    solved = Resolved(
        seat, state, ExactStrategy(places, store.average), done, gains, weight=size * thought * opposing
    )
    return solved if solved.better else replace(solved, solution=ExactStrategy(places, weights))


def best_response(places: Layout, weights: Numbers, seat: int, threads: int) -> tuple[Range, Range]:
    """[H] what each hand class of a seat wins at best, in chips, and the weight of the hands opposing it."""
    evaluator = Evaluator(places, threads)
    try:
        return evaluator.hand_values(seat, weights, best=True), evaluator.opposing_weight(seat)
    finally:
        evaluator.close()


def _mean(of_hand: Range, weight: Range) -> float:
    return fsum(weight * of_hand) / fsum(weight)


def _rooted(state: HandState, seat: int, ranges: tuple[Range, Range]) -> tuple[Range, Range]:
    """[N] both ranges with a sum of 1, in which every hand that can be held has a share."""
    live = live_hands(state.game, state.cards).astype(np.float64)
    even = live / live.sum()

    def shared(player: int, least: float) -> Range:
        total = fsum(ranges[player])
        return (1 - least) * (ranges[player] / total) + least * even if total > 0 else even

    first, second = (LEAST_OWN if player == seat else LEAST_SHARE for player in (0, 1))
    return shared(0, first), shared(1, second)


def _enough(think: Think, done: int, began: float) -> bool:
    """Whether the solution has had its time, or its iterations."""
    if think.iterations is not None:
        return done >= think.iterations
    assert think.seconds is not None
    spent = perf_counter() - began
    return done >= FEWEST and spent * (done + 1) >= think.seconds * done
