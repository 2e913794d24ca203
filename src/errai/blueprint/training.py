"""Training a strategy on buckets: samples of boards on all threads until the time is over.

Threads share one store and take samples from one counter. Two of them may write to the same row at once and lose an
update, which is rare and harmless; with one thread a run is the same every time. The boards of a sample depend on the
seed and its number alone, so a run that was stopped goes on with the boards that it would have had. Which lines are
walked how often is decided anew at fixed numbers of samples, whatever the clock says.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.blueprint.kernels.arrays import Schedule, Stores, Visits
from errai.blueprint.kernels.sampling import train
from errai.blueprint.layout import BucketLayout, bucket_layout, training_thread
from errai.blueprint.own_reach import first_round_reach
from errai.blueprint.packing import to_bytes
from errai.blueprint.rules import TrainingRule, training_rule
from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.engine.walker import new_workspace
from errai.errors import ErraiError
from errai.games.definition import GameDefinition

STEP = 2.0  # seconds between looks at the clock and at the wish to stop
FIRST_LOOK = 120.0  # seconds until the quality is first measured, then twice as many each time
LEAST_VISITS = 0.15  # how often a chunk of the last round is walked that is hardly ever reached
CHUNK_VISITS = 0.4  # of a chunk whose contexts have had more raises, for each chunk before it
FIRST_VISITS = 16  # samples until that is first decided anew; later a quarter more
SAVE_EVERY = 900.0  # seconds
LAST_BOARDS = 8  # of a sample, against a CFR-BR opponent who responds best before the last round


@dataclass(frozen=True)
class Plan:
    """What to train, and for how long."""

    method: str
    seconds: float | None = None
    samples: int | None = None
    seed: int = 0
    threads: int = 1
    strategy: str = "average"

    def __post_init__(self) -> None:
        training_rule(self.method)
        for name in ("seconds", "samples"):
            given = getattr(self, name)
            if given is not None and not given > 0:
                raise ErraiError(f"{name} must be above 0, not {given}")
        if self.seconds is None and self.samples is None:
            raise ErraiError("training needs an end: give a time or a number of samples")
        if self.threads < 1 or not 0 <= self.seed < 1 << 62:
            raise ErraiError("threads must be 1 or more, and the seed 0 or more")
        if self.strategy not in ("average", "current"):
            raise ErraiError(f"unknown strategy '{self.strategy}': choose average or current")

    @property
    def rule(self) -> TrainingRule:
        return training_rule(self.method)


@dataclass(frozen=True)
class Look:
    """What was measured on the way: a best response on a few boards."""

    samples: int
    seconds: float
    exploitability_mbb: float


@dataclass(frozen=True)
class Stage:
    """A part of a training that is over: by another method or on other buckets."""

    method: str
    samples: int  # at its end
    tables: str | None = None  # the folder of its buckets, if they were others than those of the next stage


@dataclass(frozen=True)
class Status:
    """What a progress object is told."""

    samples: int
    seconds: float
    plan: Plan
    looks: tuple[Look, ...]
    doing: str = ""


Progress = Callable[[Status], None]
Wish = Callable[[], bool]


class Quality(Protocol):
    """What a training is measured by on its way (errai.measure.quality)."""

    def measure(
        self, layout: BucketLayout, probabilities: NDArray[np.uint8], threads: int, wish_to_stop: Wish
    ) -> float | None:
        """mbb/g; None when stopped by wish."""


@dataclass(frozen=True)
class TrainingMemory:
    """Bytes, by what they are for."""

    stores: int  # regrets, average and the CFR-BR opponent's regrets
    strategy: int  # as it is measured and saved
    buckets: int  # the tables of the abstraction

    @property
    def total(self) -> int:
        return self.stores + self.strategy + self.buckets

    def __str__(self) -> str:
        return (
            f"{format_bytes(self.total)} (regrets and average {format_bytes(self.stores)}, "
            f"the strategy to save {format_bytes(self.strategy)}, buckets {format_bytes(self.buckets)})"
        )


Announce = Callable[[TrainingMemory], None]


def training_memory(built: BucketLayout, rule: TrainingRule) -> TrainingMemory:
    """What a training takes."""
    stores = 4 * (2 * built.numbers + _opponent_numbers(built, rule))
    return TrainingMemory(stores, built.numbers, built.deal.buckets.cells.nbytes)


def _opponent_numbers(built: BucketLayout, rule: TrainingRule) -> int:
    """How many regrets the CFR-BR opponent learns by: those before the rounds where it responds best."""
    return built.before(built.rounds - rule.best_response) if rule.best_response else 0


def unannounced(memory: TrainingMemory) -> None:
    pass


@dataclass(eq=False)
class Training:
    """A strategy on its way."""

    layout: BucketLayout
    plan: Plan
    regret: NDArray[np.float32]
    average: NDArray[np.float32]
    opponent_regret: NDArray[np.float32] | None  # of the CFR-BR opponent
    samples: int = 0
    seconds: float = 0.0
    looks: list[Look] = field(default_factory=list)
    visit: NDArray[np.float64] = field(
        default_factory=lambda: np.empty(0)
    )  # [P] walked in this share of samples
    visit_until: int = 0  # the sample at which that is decided anew
    stages: list[Stage] = field(default_factory=list)  # before this one

    def run(
        self,
        progress: Progress,
        wish_to_stop: Wish,
        quality: Quality | None = None,
        save: Callable[[], None] | None = None,
        save_every: float = SAVE_EVERY,
    ) -> bool:
        """Train until the plan is fulfilled; False when stopped by wish before.

        `save` is called now and then, to keep what has been reached.
        """
        plan, rule = self.plan, self.plan.rule
        threads = [self._thread() for _ in range(plan.threads)]
        counter = np.array([self.samples], np.int64)
        chunk_visit = self.chunk_visits()
        pace = 4 * plan.threads
        saved = time.monotonic()
        next_look = FIRST_LOOK
        while next_look <= self.seconds:
            next_look *= 2
        opponent = np.empty(0, np.float32) if self.opponent_regret is None else self.opponent_regret
        stores = Stores(self.regret, opponent, self.average)
        schedule = Schedule(*rule.powers, rule.floor, plan.seed)
        progress(self._status("preparing kernels"))
        always = Visits(np.ones(self.layout.lines), chunk_visit)
        train(*threads[0], stores, always, schedule, counter, self.samples)
        with ThreadPoolExecutor(plan.threads, "errai") as pool:
            while not self._done():
                if wish_to_stop():
                    return False
                began = time.perf_counter()
                if self.samples >= self.visit_until:
                    self.visit = self.visits()
                    self.visit_until = self.samples + max(FIRST_VISITS, self.samples // 4)
                goal = min(self.samples + pace, self.visit_until)
                if plan.samples is not None:
                    goal = min(goal, plan.samples)
                counter[0] = self.samples
                visits = Visits(self.visit, chunk_visit)
                jobs = [
                    pool.submit(partial(train, *own, stores, visits, schedule, counter, goal))
                    for own in threads
                ]
                for job in jobs:
                    job.result()
                spent = time.perf_counter() - began
                pace = max(plan.threads, min(int((goal - self.samples) * STEP / spent), 4 * pace))
                self.samples = goal
                self.seconds += spent
                progress(self._status())
                if save is not None and time.monotonic() - saved > save_every:
                    progress(self._status("saving a checkpoint"))
                    save()
                    saved = time.monotonic()
                if quality is not None and self.seconds >= next_look and not self._done():
                    self.look(quality, progress, wish_to_stop)
                    next_look *= 2
        return True

    def go_on_by(self, method: str) -> None:
        """Change the method: to one whose opponent responds best on more rounds, or among those without one."""
        before, after = self.plan.rule, training_rule(method)
        if before.name == after.name:
            return
        wanted, known = _opponent_numbers(self.layout, after), _opponent_numbers(self.layout, before)
        if wanted > known or bool(wanted) != bool(known):
            raise ErraiError(
                f"a training by {before.name} cannot go on by {after.name}, which needs what it did not learn"
            )
        if self.opponent_regret is not None:
            kept = self.layout.new_store(wanted)
            kept[:wanted] = self.opponent_regret[:wanted]
            self.opponent_regret = kept
        if not self.stages or self.stages[-1].samples < self.samples:
            self.stages.append(Stage(before.name, self.samples))
        self.plan = replace(self.plan, method=after.name)
        self.visit_until = self.samples  # lines are visited by the new method's measure from now on

    def look(self, quality: Quality, progress: Progress, wish_to_stop: Wish = lambda: False) -> None:
        """Measure the strategy so far on the boards of `quality`. Does not count as training."""
        progress(self._status("measuring"))
        mbb = quality.measure(self.layout, self.probabilities(), self.plan.threads, wish_to_stop)
        if mbb is not None:
            self.looks.append(Look(self.samples, self.seconds, mbb))
        progress(self._status())

    def probabilities(self) -> NDArray[np.uint8]:
        """The strategy so far, as it would be saved."""
        weights = self.average if self.plan.strategy == "average" else self.regret
        return to_bytes(self.layout, weights, self.plan.threads)

    def visits(self) -> NDArray[np.float64]:
        """[P] in which share of the samples each line is walked: those that are played often, more often.

        Played by the strategy itself, or by the CFR-BR opponent against it, who goes where it is weak.
        """
        own = first_round_reach(self.layout, self.average)
        opponent = self.opponent_regret
        others = own if opponent is None else first_round_reach(self.layout, opponent)
        played = [
            max(
                own[0][leaf.sequences[0]].mean() * others[1][leaf.sequences[1]].mean(),
                others[0][leaf.sequences[0]].mean() * own[1][leaf.sequences[1]].mean(),
            )
            for leaf in self.layout.templates[0].leaves
        ]
        times, least = self.plan.rule.visits
        return np.clip(times * np.array(played), least, 1.0)

    def chunk_visits(self) -> NDArray[np.float64]:
        """[chunks of the last round] in which share of the samples each is walked: more raises, more rarely."""
        chunks = self.layout.contexts[-1] // int(self.layout.betting.chunk[-1])
        return np.maximum(CHUNK_VISITS ** np.arange(chunks), LEAST_VISITS)

    def _thread(self) -> tuple[Any, ...]:
        built = self.layout
        H = np.array([built.hands_on(round_) for round_ in range(built.rounds)])
        mine, theirs = (new_workspace(built.betting, built.game.deck_size, H) for _ in range(2))
        return training_thread(built, self.last_boards()), mine, theirs

    def last_boards(self) -> int:
        """Boards of the last round in a sample: several where the opponent responds best before it knows the last."""
        if self.plan.rule.best_response < 2:
            return 1
        public, game = self.layout.deal.public, self.layout.game
        left = game.deck_size - int(public[-2]) - 2 * game.hole_cards
        return max(2, min(LAST_BOARDS, left // int(public[-1] - public[-2])))

    def _done(self) -> bool:
        plan = self.plan
        return (plan.samples is not None and self.samples >= plan.samples) or (
            plan.seconds is not None and self.seconds >= plan.seconds
        )

    def _status(self, doing: str = "") -> Status:
        return Status(self.samples, self.seconds, self.plan, tuple(self.looks), doing)


def new_training(
    game: GameDefinition, abstraction: Abstraction, plan: Plan, announce: Announce = unannounced
) -> Training:
    """A training that begins, after making sure that it fits; `announce` is told what it takes before it does."""
    built = bucket_layout(game, abstraction)
    memory = training_memory(built, plan.rule)
    announce(memory)
    room_for = RESERVE * available_memory()
    wanted = memory.stores + memory.strategy  # the buckets are there already
    if wanted > room_for:
        raise ErraiError(
            f"buckets {'/'.join(map(str, abstraction.counts))} need {format_bytes(wanted)} of memory and "
            f"{format_bytes(room_for)} can be had; use fewer buckets, above all on the river"
        )
    if plan.rule.best_response >= built.rounds:
        raise ErraiError(
            f"{plan.method} needs {plan.rule.best_response + 1} rounds or more; {game.name} has {built.rounds}"
        )
    opponent = built.new_store(_opponent_numbers(built, plan.rule)) if plan.rule.best_response else None
    return Training(built, plan, built.new_store(), built.new_store(), opponent)


def all_cores() -> int:
    return os.cpu_count() or 1
