"""Training a strategy on buckets: samples of boards on all threads until the time is over.

Samples come in batches, in which the first round is played as it was when the batch began. So a thread has a line of
its own to walk, through all samples of the batch, and what is learned is the same for any number of threads
(errai.blueprint.kernels.sampling). Boards and all other random numbers depend on the seed and the number of the
sample alone, batches end at fixed samples, and which lines are walked how often is decided anew at fixed numbers of
samples, whatever the clock says: a run that was killed and is resumed learns what it would have learned.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction
from errai.blueprint.kernels.arrays import Batch, Schedule, Stores, Visits
from errai.blueprint.kernels.sampling import learn_first_round, walk_lines
from errai.blueprint.layout import BucketLayout, bucket_layout, training_thread
from errai.blueprint.own_reach import first_round_reach
from errai.blueprint.packing import to_bytes
from errai.blueprint.rules import TrainingRule, training_rule
from errai.cards.notation import Deck
from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.engine.walker import new_workspace
from errai.errors import ErraiError
from errai.formatting import duration, figure, time_left
from errai.games.definition import GameDefinition
from errai.kernels.lanes import W
from errai.runs.monitor import PREPARING, SILENT, Monitor, Progress
from errai.runs.run import Run

STEP = 0.5  # seconds between two reports
FIRST_MEASUREMENT = 120.0  # seconds until the quality is first measured, then twice as many each time
LEAST_VISITS = 0.15  # how often a chunk of the last round is walked that is hardly ever reached
CHUNK_VISITS = 0.4  # of a chunk whose contexts have had more raises, for each chunk before it
BATCH = 16  # samples that meet the same first round
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
                raise ErraiError(f"{name} must be above 0, not {given}", parameter=name)
        if self.seconds is None and self.samples is None:
            raise ErraiError("training needs an end: give a time or a number of samples")
        if self.threads < 1:
            raise ErraiError(f"threads must be 1 or more, not {self.threads}", parameter="threads")
        if not 0 <= self.seed < 1 << 62:
            raise ErraiError(f"seed must be 0 or more, not {self.seed}", parameter="seed")
        if self.strategy not in ("average", "current"):
            raise ErraiError(
                f"unknown strategy '{self.strategy}': choose average or current", parameter="strategy"
            )

    @property
    def rule(self) -> TrainingRule:
        return training_rule(self.method)


@dataclass(frozen=True)
class BoardMeasurement:
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
    seconds: float | None = None  # at its end


@dataclass(frozen=True, kw_only=True)
class TrainingProgress(Progress):
    """Samples, how fast they come, and what was last measured on the `boards`."""

    samples: int
    seconds: float
    plan: Plan
    pace: float | None = None  # samples a second in this run
    measurements: tuple[BoardMeasurement, ...] = ()
    boards: str = ""

    @property
    def mark(self) -> object:
        return self.samples

    @property
    def event(self) -> str:
        return self.doing or (f"measured {len(self.measurements)}" if self.measurements else "")

    @property
    def left(self) -> float | None:
        """Seconds until the first limit of the plan is met; not known before there is a sample of this run."""
        plan, left = self.plan, []
        if self.pace is None:
            return None
        if plan.seconds is not None:
            left.append(plan.seconds - self.seconds)
        if plan.samples is not None and self.pace > 0:
            left.append((plan.samples - self.samples) / self.pace)
        return max(min(left), 0.0) if left else None

    def line(self, waited: float) -> str:
        """12,300 samples   41.2/s   5:00 of 60:00   about 55:00 left   181.2 mbb/g on Ks7s2s 8h8d3s   measuring"""
        plan = self.plan
        parts = [f"{self.samples:,} samples"]
        if plan.samples is not None:
            parts[0] = f"{self.samples:,} of {plan.samples:,} samples"
        if self.pace is not None:
            parts.append(f"{figure(self.pace)}/s")
        planned = f" of {duration(plan.seconds)}" if plan.seconds is not None else ""
        trained = self.seconds if self.doing else self.seconds + waited
        parts.append(f"{duration(trained)}{planned}")
        parts += time_left(self.left, 0.0 if self.doing else waited)
        if self.measurements:
            parts.append(f"{figure(self.measurements[-1].exploitability_mbb)} mbb/g on {self.boards}")
        return "   ".join([*parts, self.doing] if self.doing else parts)


class Quality(Protocol):
    """What a training is measured by on its way (errai.measure.quality)."""

    def names(self, deck: Deck) -> str:
        """The boards on which it is measured."""

    def measure(
        self, layout: BucketLayout, probabilities: NDArray[np.uint8], threads: int, monitor: Monitor
    ) -> float | None:
        """mbb/g; None when the monitor stopped it."""


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


def training_memory(built: BucketLayout, rule: TrainingRule) -> TrainingMemory:
    """What a training takes."""
    stores = 4 * (2 * built.numbers + _opponent_numbers(built, rule))
    return TrainingMemory(
        stores, built.numbers, built.deal.buckets.cells.nbytes + built.deal.buckets.high.nbytes
    )


def _opponent_numbers(built: BucketLayout, rule: TrainingRule) -> int:
    """How many regrets the CFR-BR opponent learns by: those before the rounds where it responds best."""
    return built.before(built.rounds - rule.best_response) if rule.best_response else 0


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
    measurements: list[BoardMeasurement] = field(default_factory=list)
    visit: NDArray[np.float64] = field(
        default_factory=lambda: np.empty(0)
    )  # [P] walked in this share of samples
    visit_until: int = 0  # the sample at which that is decided anew
    stages: list[Stage] = field(default_factory=list)  # before this one
    # How the first round is played in a batch that is not over, [regrets and those of the opponent]; else nothing.
    played: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 0), np.float32))

    def run(self, run: Run | None = None, quality: Quality | None = None) -> bool:
        """Train until the plan is fulfilled; False when the monitor of the run stopped it before.

        On the way it is measured on the boards of `quality`, after 2 minutes of training, 4, 8 and so on.
        """
        run = run or Run()
        plan, rule = self.plan, self.plan.rule
        first = self.samples, self.seconds
        threads = [self._thread() for _ in range(min(plan.threads, len(self._tasks())))]
        chunk_visit = self.chunk_visits()
        measure_at = FIRST_MEASUREMENT
        while measure_at <= self.seconds:
            measure_at *= 2
        opponent = np.empty(0, np.float32) if self.opponent_regret is None else self.opponent_regret
        stores = Stores(self.regret, opponent, self.average)
        schedule = Schedule(*rule.powers, rule.floor, plan.seed)
        leaf = np.zeros((BATCH, 2, 2, self.layout.lines, len(self.layout.deal.hole)), np.float32)

        def walk(pool: ThreadPoolExecutor, last: int) -> None:
            batch = Batch(self.samples, last, self._playing(), leaf, self._tasks())
            visits, counter = Visits(self.visit, chunk_visit), np.zeros(1, np.int64)
            walks = [
                pool.submit(partial(walk_lines, *own, stores, batch, visits, schedule, counter))
                for own in threads
            ]
            for job in walks:
                job.result()
            learn_first_round(*threads[0], stores, batch, schedule)
            if last % BATCH == 0:
                self.played = self.played[:0]

        run.report(self._progress(quality, first, PREPARING))
        self._decide_visits()
        with ThreadPoolExecutor(len(threads), "errai") as pool:
            walk(pool, self.samples)  # no sample: the kernels are compiled
            reported = 0.0
            while not self.done:
                if run.should_stop():
                    return False
                began = time.perf_counter()
                self._decide_visits()
                goal = self._end_of_batch()
                walk(pool, goal)
                self.samples = goal
                self.seconds += time.perf_counter() - began
                if self.seconds >= reported + STEP or self.done:
                    run.report(self._progress(quality, first))
                    reported = self.seconds
                run.checkpoint()
                if quality is not None and self.seconds >= measure_at and not self.done:
                    run.report(self._progress(quality, first, "measuring"))
                    self.measure(quality, run.monitor)
                    run.report(self._progress(quality, first))
                    measure_at *= 2
        return True

    def _end_of_batch(self) -> int:
        """The next multiple of BATCH, or where the plan ends."""
        end = (self.samples // BATCH + 1) * BATCH
        return end if self.plan.samples is None else min(end, self.plan.samples)

    def _playing(self) -> Stores:
        """The first round as it was when the batch began; no average is taken of it on the way."""
        if not self.played.size:
            self.played = self.first_round()
        return Stores(self.played[0], self.played[1:].reshape(-1), np.empty(0, np.float32))

    def first_round(self) -> NDArray[np.float32]:
        """[1 or 2] the regrets of the first round, and those of the CFR-BR opponent, as they are now."""
        first = slice(self.layout.before(1) + 2 * W)
        learned = [self.regret] if self.opponent_regret is None else [self.regret, self.opponent_regret]
        return np.stack([store[first] for store in learned])

    def _tasks(self) -> NDArray[np.int64]:
        """What a thread walks at a time, (line, first seat, the one after), those that take longest first.

        Against the CFR-BR opponent a seat learns, and is learned against, by rows of its own; against itself, by what
        the other one has just learned.
        """
        lines = (
            np.argsort(-self.visit, kind="stable").tolist() if len(self.visit) else range(self.layout.lines)
        )
        seats = ((0, 2),) if self.opponent_regret is None else ((0, 1), (1, 2))
        return np.array([(line, *of) for line in lines for of in seats], np.int64)

    def _decide_visits(self) -> None:
        """Decide, when it is time, how often lines are walked: after 16 samples, then after a quarter more."""
        if self.samples >= self.visit_until or not len(self.visit):
            self.visit = self.visits()
            self.visit_until = (self.samples + max(BATCH, self.samples // 4)) // BATCH * BATCH

    def change_method(self, method: str) -> None:
        """Change the method: to one whose opponent responds best on more rounds, or among those without one."""
        before, after = self.plan.rule, training_rule(method)
        if before.name == after.name:
            return
        wanted, known = _opponent_numbers(self.layout, after), _opponent_numbers(self.layout, before)
        if wanted > known or bool(wanted) != bool(known):
            raise ErraiError(
                f"a training by {before.name} cannot change to {after.name}, which needs what it did not learn",
                parameter="method",
            )
        if self.opponent_regret is not None:
            kept = self.layout.new_store(wanted)
            kept[:wanted] = self.opponent_regret[:wanted]
            self.opponent_regret = kept
        if not self.stages or self.stages[-1].samples < self.samples:
            self.stages.append(Stage(before.name, self.samples, seconds=self.seconds))
        self.plan = replace(self.plan, method=after.name)
        self.visit_until = self.samples  # lines are visited by the new method's measure from now on
        self.played = self.played[:0]

    def measure(self, quality: Quality, monitor: Monitor = SILENT) -> bool:
        """Measure the strategy so far on the boards of `quality`; False when stopped. Does not count as training."""
        mbb = quality.measure(self.layout, self.probabilities(), self.plan.threads, monitor)
        if mbb is not None:
            self.measurements.append(BoardMeasurement(self.samples, self.seconds, mbb))
        return mbb is not None

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
        return np.maximum(np.cumprod([1.0] + [CHUNK_VISITS] * (chunks - 1)), LEAST_VISITS)

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

    @property
    def done(self) -> bool:
        """Whether the plan is fulfilled."""
        plan = self.plan
        return (plan.samples is not None and self.samples >= plan.samples) or (
            plan.seconds is not None and self.seconds >= plan.seconds
        )

    def progress(self, boards: str = "", doing: str = "", pace: float | None = None) -> TrainingProgress:
        """How far it has come; `boards` are those that it is measured on."""
        return TrainingProgress(
            doing,
            samples=self.samples,
            seconds=self.seconds,
            plan=self.plan,
            pace=pace,
            measurements=tuple(self.measurements),
            boards=boards,
        )

    def _progress(
        self, quality: Quality | None, first: tuple[int, float], doing: str = ""
    ) -> TrainingProgress:
        samples, seconds = self.samples - first[0], self.seconds - first[1]
        boards = "" if quality is None else quality.names(self.layout.abstraction.deck)
        return self.progress(boards, doing, samples / seconds if seconds else None)


def new_training(
    game: GameDefinition, abstraction: Abstraction, plan: Plan, monitor: Monitor = SILENT
) -> Training:
    """A training that begins, after making sure that it fits; the monitor is told what it takes before it does."""
    built = bucket_layout(game, abstraction)
    memory = training_memory(built, plan.rule)
    monitor.say(f"memory: {memory}")
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
