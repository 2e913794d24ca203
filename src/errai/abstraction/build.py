"""Making an abstraction, part by part, so that a run that was cut off is resumed where it was.

The order is: the strengths of the last round on all its boards, from which the spreads of the earlier rounds come;
the clusters of opponents if a round asks for OCHS; then for each round its boards, its rule, its cells and, for
perfect recall, what refines the buckets of the round before. Each is a file of the folder, written once it is
complete; one that takes long is saved in the making, too (errai.abstraction.making). The strengths, half of all, go
when the rest is there.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction, lossless_round
from errai.abstraction.features import BINS, CLUSTERS, LastStrengths, hands_of, strengths_on, unordered
from errai.abstraction.grouping import Cells, Features, cells_of_rule, find_rule, in_chunks, opponent_clusters
from errai.abstraction.kernels.recall import Recalled, count_joint, fill_buckets
from errai.abstraction.making import Making
from errai.abstraction.percentile import joined_buckets, nested_buckets
from errai.abstraction.presets import Preset, RoundPlan, known_before, parse_preset
from errai.abstraction.recall import recalled
from errai.abstraction.saved import (
    CLUSTERS_FILE,
    KIND,
    MANIFEST,
    STRENGTHS_FILE,
    VERSION,
    Parts,
    boards_of,
    file_of,
    load_abstraction,
    open_parts,
    round_name,
)
from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.errors import ErraiError, StoppedError
from errai.files.writing import make_folder, require_room
from errai.games.definition import GameDefinition
from errai.runs.monitor import SILENT, Monitor, Part
from errai.runs.run import Run

_BOARDS = 16384  # in the order dealt, on which pairs of buckets are counted at a time


def build(
    game: GameDefinition,
    preset: Preset | str,
    folder: Path | str,
    seed: int = 0,
    threads: int = 2,
    monitor: Monitor = SILENT,
    run: Run | None = None,
) -> Abstraction:
    """Make the buckets of a game in a folder, or resume those that were begun there; what is done is not redone.

    The `monitor` is told what is being done. If it stops it, that is a StoppedError; all complete parts are kept.
    Parts in the making are saved by the schedule of the `run`, or every minute or so.
    """
    preset = parse_preset(preset) if isinstance(preset, str) else preset
    folder = Path(folder)
    check_plan(game, preset)
    parts = begin(game, preset, make_folder(folder), seed)
    _Build(game, preset, parts, seed, threads, monitor, run or Run(folder, monitor)).run()
    return load_abstraction(folder)


def make_tables(
    game: GameDefinition,
    preset: Preset,
    parts: Parts,
    seed: int,
    threads: int = 2,
    monitor: Monitor = SILENT,
    run: Run | None = None,
) -> None:
    """The boards and cells of every round that are not there, from the rules, which are."""
    made = _Build(game, preset, parts, seed, threads, monitor, run or Run(parts.folder, monitor))
    for round_, plan in enumerate(preset.rounds):
        made.tables(round_, plan)


def check_plan(game: GameDefinition, preset: Preset) -> None:
    """Refuse a preset that this game cannot have."""
    if len(preset.rounds) != game.rounds:
        raise ErraiError(
            f"preset {preset.name} is for {len(preset.rounds)} rounds and {game.name} has {game.rounds}; "
            "spell one out with a method for each round, parted by /"
        )
    sizes = game.board_sizes
    for round_, plan in enumerate(preset.rounds):
        last = sizes[round_] == sizes[-1]
        name = round_name(game, round_)
        if plan.method == "ochs" and not last:
            raise ErraiError(
                f"ochs on the {name}: it is the strength once all cards are out; use emd or ranges"
            )
        if plan.method == "ranges" and sizes[round_] == 0:
            raise ErraiError(f"ranges on the {name}: there is no round before; use lossless or emd")
        if plan.method == "emd" and last:
            raise ErraiError(
                f"emd on the {name}: no card is to come, so there is no distribution; use ranges or ochs"
            )


def begin(game: GameDefinition, preset: Preset, folder: Path, seed: int, anew: bool = False) -> Parts:
    """The manifest of the folder, which must be of this abstraction, or a new one; always a new one if `anew`."""
    about = {
        "format": f"errai {KIND}",
        "version": VERSION,
        "name": preset.name,
        "preset": preset.text,
        "game_name": game.name,
        "game": game.text(),
        "seed": seed,
        "bins": BINS,
        "clusters": CLUSTERS,
    }
    if (folder / MANIFEST).exists() and not anew:
        parts = open_parts(folder)
        for key, value in about.items():
            if key not in ("name", "game_name", "version") and parts.content.get(key) != value:
                raise ErraiError(
                    f"{folder} holds another abstraction: its {key} is not the one asked for; "
                    "choose another folder or remove this one"
                )
        return parts
    of = hands_of(game)
    sizes = game.board_sizes
    boards = sum(boards_of(of, plan.dealt(sizes, r)) for r, plan in enumerate(preset.rounds))
    strengths = boards_of(of, (of.last,))
    require_room(folder, 2 * (boards + strengths) * len(of.cards))
    parts = Parts(folder, {**about, "finished": False, "rounds": [], "parts": {}})
    parts.save()
    return parts


class _Build:
    def __init__(
        self,
        game: GameDefinition,
        preset: Preset,
        parts: Parts,
        seed: int,
        threads: int,
        monitor: Monitor,
        run: Run,
    ) -> None:
        self.game, self.preset, self.parts = game, preset, parts
        self.seed, self.threads, self.monitor, self._run = seed, threads, monitor, run
        self.of = hands_of(game)
        self._mark = f"{preset.text} {seed} {zlib.crc32(game.text().encode()):08x}"

    def run(self) -> None:
        if self._complete():
            self.parts.drop(STRENGTHS_FILE)
            return
        rounds: list[dict[str, Any]] = []
        for round_, plan in enumerate(self.preset.rounds):
            cells = self.tables(round_, plan)
            count = int(cells.max()) + 1 if plan.method == "lossless" else self._cell_count(round_, plan)
            if plan.recall == "perfect" and round_ > 0:
                count = self._refined(round_, plan, count, [int(about["count"]) for about in rounds])
            rounds.append({"name": round_name(self.game, round_), "plan": plan.text, "count": count})
        self.parts.finish(rounds)

    def _complete(self) -> bool:
        """Whether a finished abstraction has all parts that it names and that it is used with."""
        wanted = {
            file_of(self.game, r, what) for r in range(self.game.rounds) for what in ("boards", "cells")
        }
        wanted |= {
            file_of(self.game, r, "refine")
            for r, plan in enumerate(self.preset.rounds)
            if r > 0 and plan.recall == "perfect"
        }
        wanted |= set(self.parts.content["parts"]) - {STRENGTHS_FILE}
        return bool(self.parts.content.get("finished")) and all(map(self.parts.sound, wanted))

    def tables(self, round_: int, plan: RoundPlan) -> NDArray[Any]:
        """The boards and the cells of a round; returns the cells."""
        boards = self._boards(round_, plan)
        self._part(file_of(self.game, round_, "boards"), lambda monitor, making: boards.cards)
        return self._cells(round_, plan)

    def _boards(self, round_: int, plan: RoundPlan) -> CanonicalBoards:
        return canonical_boards(self.of.deck, self.of.hole_cards, plan.dealt(self.game.board_sizes, round_))

    def _part(self, name: str, make: Callable[[Monitor, Making], NDArray[Any]]) -> NDArray[Any]:
        """A part that is there, or is made now."""
        if self.parts.sound(name):
            return self.parts.map(name)
        started = time.perf_counter()
        words = name.removesuffix(".npy").replace("_", " ")
        self.monitor.step(words)
        making = Making(self._run, self.parts.folder, name, self._mark)
        array = make(Part(self.monitor, words), making)
        added = self.parts.add(name, array, seconds=round(time.perf_counter() - started, 2))
        making.done()
        return added

    @cached_property
    def _last(self) -> LastStrengths:
        boards = unordered(self.of, self.of.last)

        def make(monitor: Monitor, making: Making) -> NDArray[np.uint16]:
            table = np.empty((len(boards.cards), len(self.of.cards)), np.uint16)

            def fill(some: slice) -> None:
                table[some] = strengths_on(boards.cards[some], self.of)

            rows = making.rows("strengths", table)
            in_chunks(fill, rows, "ochs", self.threads, monitor, "strengths", making)
            return table

        return LastStrengths(self.of, boards, self._part(STRENGTHS_FILE, make))

    @cached_property
    def _cluster(self) -> NDArray[np.uint8]:
        none = np.empty((1, 0), np.uint8)
        return self._part(
            CLUSTERS_FILE,
            lambda monitor, making: opponent_clusters(
                self._last.spread(none), CLUSTERS, self.seed, self.threads
            ),
        )

    def _features(self, round_: int, plan: RoundPlan) -> Features:
        cluster = self._cluster if plan.method == "ochs" else None
        known = known_before(self.game.board_sizes, round_)
        return Features(plan, self.of, lambda boards: self._last.spread(boards), cluster, known)

    def _rule(self, round_: int, plan: RoundPlan) -> NDArray[Any]:
        boards = self._boards(round_, plan)
        return self._part(
            file_of(self.game, round_, "centres"),
            lambda monitor, making: find_rule(
                self._features(round_, plan),
                boards,
                round_ > 0,
                self.seed,
                self.threads,
                monitor,
                making,
            ),
        )

    def _cell_count(self, round_: int, plan: RoundPlan) -> int:
        return cells_of_rule(plan, self._rule(round_, plan))

    def _cells(self, round_: int, plan: RoundPlan) -> NDArray[Any]:
        public = self.game.board_sizes[round_]
        name = file_of(self.game, round_, "cells")
        if plan.method == "lossless":
            dealt = (public,) if public else ()

            def all_of_them(monitor: Monitor, making: Making) -> NDArray[Any]:
                made = lossless_round(self.of.deck, self.of.hole_cards, dealt)
                return made.cells.astype(np.uint16 if made.count <= 65536 else np.uint32)

            return self._part(name, all_of_them)
        return self._part(
            name,
            lambda monitor, making: Cells(self._features(round_, plan), self._rule(round_, plan)).table(
                self._boards(round_, plan), self.threads, monitor, making
            ),
        )

    def _refined(self, round_: int, plan: RoundPlan, cells: int, counts: list[int]) -> int:
        """Makes `refine` of a round, from how often each bucket of the round before gets each cell."""

        def make(monitor: Monitor, making: Making) -> NDArray[Any]:
            joint = np.zeros((counts[-1], cells), np.int64)
            before = self._buckets_before(round_)
            self._count(round_, before, joint, monitor, making)
            nested = plan.grouping == "percentile" and plan.method != "potential"
            return nested_buckets(joint, plan.buckets)[0] if nested else joined_buckets(joint)[0]

        return int(self._part(file_of(self.game, round_, "refine"), make).max()) + 1

    def _buckets_before(self, round_: int) -> NDArray[np.int32]:
        """[B, N] buckets of the round before on its boards in the order dealt."""
        parent = np.zeros((1, len(self.of.cards)), np.int32)
        for earlier in range(round_):
            parent = self._fill(earlier, parent)
        return parent

    def _count(
        self,
        round_: int,
        parent: NDArray[np.int32],
        joint: NDArray[np.int64],
        monitor: Monitor,
        making: Making,
    ) -> None:
        """Counts pairs of a bucket before and a cell, some ordered boards at a time."""
        boards, of = self._recalled(round_, parent)
        done = np.zeros(1, np.int64)
        making.state("joint", {"joint": joint, "done": done})
        for start in range(int(done[0]), len(boards.cards), _BOARDS):
            some = slice(start, min(start + _BOARDS, len(boards.cards)))
            count_joint(boards.cards[some], boards.weight[some], of, joint)
            done[0] = some.stop
            monitor.step(f"refining: {some.stop:,} of {len(boards.cards):,} boards")
            making.checkpoint()
            self._refuse_if_stopped()

    def _fill(self, round_: int, parent: NDArray[np.int32]) -> NDArray[np.int32]:
        """[B, N] the buckets of a round on its boards in the order dealt."""
        self._refuse_if_stopped()
        boards, of = self._recalled(round_, parent)
        name = file_of(self.game, round_, "refine")
        refine = self.parts.map(name) if name in self.parts else np.empty((0, 0), np.int32)
        out = np.empty((len(boards.cards), len(self.of.cards)), np.int32)
        fill_buckets(boards.cards, of, refine, out)
        return out

    def _refuse_if_stopped(self) -> None:
        if self.monitor.should_stop():
            raise StoppedError("stopped while refining buckets; what was done is kept")

    def _recalled(self, round_: int, parent: NDArray[np.int32]) -> tuple[CanonicalBoards, Recalled]:
        cells = self.parts.map(file_of(self.game, round_, "cells"))
        return recalled(self.game, self.of, round_, parent, cells)
