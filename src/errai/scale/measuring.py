"""What a divided game costs per number, measured on subgames of the game itself.

A subgame is played for some iterations with its codes in memory, which tells what the kernels take and how its chunks
grow; then for a few more with its chunks on a disk, which tells what everything takes; then best responses are
computed. All of it is CPU time of this process, and bytes of real files.

How the subgames are entered decides how much there is to keep, so the reach must be real. There are two ways to it:

    played      the game, or the game with one flop, is played as a whole, trunk and all its subgames
    given       a strategy tells both players' reach, which stays as it is while a subgame is played: then a sample
                of subgames will do, of any game
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from errai.engine.layout import Layout
from errai.engine.memory import BYTES_OF_A_HAND_CLASS, available_memory
from errai.engine.rules import Rule
from errai.engine.walker import most_hands, workspace_numbers
from errai.errors import StoppedError
from errai.games.sizes import game_sizes
from errai.games.spot import Spot
from errai.runs.monitor import PREPARING, SILENT, Monitor
from errai.scale.codes import Grids, code_bytes
from errai.scale.division import Division, Subgame, divide
from errai.scale.playing import Bench, Given, Played, Reach, order_of
from errai.scale.sampling import drawn_flop, drawn_subgame, place_of
from errai.scale.solver import PLAYERS
from errai.scale.stores import DiskStore, MemoryStore

SEED = 1755
RUN = 0  # of the chunks, which nobody else reads
LARGEST_WHOLE, LARGEST_FLOP = 300_000_000, 1_000_000_000  # numbers of games that are played as a whole
SAMPLE_SECONDS = 20.0  # for each subgame of a sample
FEWEST, MOST = 2, 40  # subgames of a sample
FEWEST_ITERATIONS, MOST_ITERATIONS = 10, 200
WEIGHED = (5, 10, 20, 40, 80, 160)  # iterations after which the chunks are weighed, besides the last
ON_DISK = 2  # iterations that are measured with chunks on a disk, after one that is not
AFTERWARDS = 10  # what follows the iterations in memory takes as long as so many of them, about
PACKED = 1.5  # buffers of a thread for packing, over those for codes, at most


@dataclass(frozen=True)
class Sample:
    """Some subgames, measured. Seconds are of one core, and for one number of their stores."""

    where: str
    numbers: int
    iterations: int
    kernel: float  # seconds of an iteration with codes in memory
    seconds: float  # of an iteration with chunks on a disk
    response: float  # of a best response for both players, with the value
    stored: float  # bytes on the disk when all was done
    peak: float  # and at most on the way
    read: float  # bytes in one iteration
    written: float
    buffers: int  # bytes of memory for one core


@dataclass(frozen=True)
class Measurement:
    """All that was measured."""

    samples: tuple[Sample, ...]
    strategy: str  # that is kept: average or current
    method: str
    reach: str  # where it comes from, in words
    whole: bool  # the samples are the whole game
    flops: int  # that were looked at; 0 where the game was not cut
    seconds: float  # that it took
    trunk: float  # seconds of a pass through the trunk, for one number of the border
    border: float  # and of what crosses it

    def mean(self, what: str) -> float:
        """Of all samples."""
        return float(np.mean(self._of(what)))

    def error(self, what: str) -> float | None:
        """The standard error of the mean: 0 for the whole game, None where there is but one sample of more."""
        if self.whole:
            return 0.0
        found = self._of(what)
        return float(np.std(found, ddof=1)) / sqrt(len(found)) if len(found) > 1 else None

    def _of(self, what: str) -> list[float]:
        return [float(getattr(sample, what)) for sample in self.samples]

    @property
    def iterations(self) -> tuple[int, int]:
        """The fewest and the most of a sample."""
        counts = [sample.iterations for sample in self.samples]
        return min(counts), max(counts)

    @property
    def numbers(self) -> int:
        return sum(sample.numbers for sample in self.samples)

    @property
    def buffers(self) -> int:
        return max(sample.buffers for sample in self.samples)


def measure(
    spot: Spot,
    reach: tuple[str, Reach] | None,
    seconds: float,
    monitor: Monitor = SILENT,
    seed: int = SEED,
    strategy: str = "average",
) -> tuple[Measurement, Division]:
    """Measure a whole game for about so many seconds; also returns a division with its betting.

    `reach` is that of a strategy, with its name. Without one the game is played, or, where even one flop is too large
    for that, all hands are taken to go everywhere, which compresses worse than what is real.
    """
    generator = np.random.default_rng(seed)
    numbers = sum(size.actions * size.hands for size in game_sizes(spot.game))
    whole = numbers <= LARGEST_WHOLE and _has_room(numbers)
    division = divide(spot, flops=None if whole else drawn_flop(spot, generator))
    monitor.step(PREPARING)
    _warm_up(division, strategy)
    began = time.perf_counter()
    samples: list[Sample] = []
    flops = {division.flops}
    if whole or (reach is None and _one_flop_will_do(division)):
        words = f"of the game as it was played{'' if whole else ' on that flop'}"
        bench = Bench(division, division.subgames, Played(division), strategy)
        samples.append(_measured(bench, seconds, monitor, spot.game.name))
    else:
        name, given = reach or ("", lambda betting, cards, player: np.ones(len(spot.held)))
        words = f"of the strategy {name}" if reach else "of all hands everywhere, which is too much"
        count = int(np.clip(seconds / SAMPLE_SECONDS, FEWEST, MOST))
        start = generator.random()
        for number in range(count):
            if number:
                division = divide(spot, flops=drawn_flop(spot, generator))
                flops.add(division.flops)
            subgame = drawn_subgame(division, generator, (number + start) / count)
            left = (seconds - (time.perf_counter() - began)) / (count - number)
            title = f"subgame {number + 1} of {count}, {place_of(division, subgame)}"
            bench = Bench(division, (subgame,), Given(division, (subgame,), given), strategy)
            samples.append(_measured(bench, left, monitor, title))
    trunk, border = _trunk_work(division, bench.rule)
    measurement = Measurement(
        tuple(samples),
        strategy,
        bench.rule.name,
        words,
        whole,
        0 if whole else len(flops),
        time.perf_counter() - began,
        trunk,
        border,
    )
    return measurement, division


def _warm_up(division: Division, strategy: str) -> None:
    """Compile the kernels, or load them, so that nobody waits for that while something is measured."""
    subgame = division.subgames[-1]
    bench = Bench(division, (subgame,), Played(division), strategy)
    memory = MemoryStore(bench.grids, RUN)
    bench.iterate(memory, 1)
    with TemporaryDirectory(prefix="errai-plan-") as name:
        memory.save(subgame, division.layout(subgame), Path(name), 2)
        with closing(DiskStore(Path(name), bench.grids, RUN)) as store:
            bench.iterate(store, 2)
            bench.respond(store, 2)


def _measured(bench: Bench, seconds: float, monitor: Monitor, title: str) -> Sample:
    """One sample, in about so many seconds."""
    division, subgames = bench.division, bench.subgames
    layouts = [division.layout(subgame) for subgame in subgames]
    numbers = sum(layout.shape.numbers for layout in layouts)
    with TemporaryDirectory(prefix="errai-plan-") as name:
        folder = Path(name)
        spent, sizes = _in_memory(bench, folder, seconds, monitor, title)
        iteration = len(spent) + 1
        with closing(DiskStore(folder, bench.grids, RUN)) as store:
            bench.iterate(store, iteration)  # buffers grow, kernels are loaded
            before = store.traffic.read, store.traffic.written
            on_disk = []
            for _ in range(ON_DISK):
                iteration += 1
                _report(monitor, f"{title}: iteration {iteration:,}, on the disk")
                on_disk.append(bench.iterate(store, iteration))
            read, written = store.traffic.read - before[0], store.traffic.written - before[1]
            sizes.append(_bytes_in(folder))
            response = min(bench.respond(store, iteration) for _ in range(2))
    built = _build_seconds(division, subgames)
    return Sample(
        where=title if len(subgames) > 1 else place_of(division, subgames[0]),
        numbers=numbers,
        iterations=iteration,
        kernel=float(np.mean(spent[1:])) / numbers,
        seconds=(float(np.mean(on_disk)) + 2 * built) / numbers,
        response=(response + built) / numbers,
        stored=sizes[-1] / numbers,
        peak=max(sizes) / numbers,
        read=read / ON_DISK / numbers,
        written=written / ON_DISK / numbers,
        buffers=max(_buffers(layout, bench.grids) for layout in layouts),
    )


def _in_memory(
    bench: Bench, folder: Path, seconds: float, monitor: Monitor, title: str
) -> tuple[list[float], list[int]]:
    """CPU seconds of every iteration, and bytes of the chunks now and then; the last are left in the folder."""
    began = time.perf_counter()
    store = MemoryStore(bench.grids, RUN)
    spent: list[float] = []
    sizes: list[int] = []
    while True:
        spent.append(bench.iterate(store, len(spent) + 1))
        elapsed = time.perf_counter() - began
        _report(monitor, f"{title}: iteration {len(spent):,}")
        enough = elapsed * (1 + AFTERWARDS / len(spent)) >= seconds or len(spent) >= MOST_ITERATIONS
        last = enough and len(spent) >= FEWEST_ITERATIONS
        if last or len(spent) in WEIGHED:
            for subgame in bench.subgames:
                store.save(subgame, bench.division.layout(subgame), folder, 2 * len(spent))
            sizes.append(_bytes_in(folder))
        if last:
            return spent, sizes


def _build_seconds(division: Division, subgames: tuple[Subgame, ...]) -> float:
    """CPU seconds to find boards and hands of subgames, which a worker with little memory does in every pass."""
    anew = divide(division.spot, division.isomorphism, division.flops)
    start = time.process_time()
    for subgame in subgames:
        anew.layout(subgame)
    return time.process_time() - start


def _buffers(layout: Layout, grids: Grids) -> int:
    """What a core needs for one subgame."""
    codes = int(PACKED * code_bytes(layout.shape.numbers, grids))
    workspaces = 12 * workspace_numbers(layout.betting, most_hands(layout))
    return codes + workspaces + BYTES_OF_A_HAND_CLASS * layout.shape.hand_classes


def _trunk_work(division: Division, rule: Rule) -> tuple[float, float]:
    """CPU seconds of a pass for one number of the border: through the trunk, and across the border."""
    source = Played(division)
    subgames = division.subgames
    trunk = border = 0.0
    for counted in (False, True):  # the first time kernels are loaded
        start = time.thread_time()
        order = order_of(PLAYERS[0], 1, rule)
        source.down(order)
        between = time.thread_time()
        for subgame in subgames:
            source.take(subgame, source.reach(subgame, order.player))
        after = time.thread_time()
        source.up(order)
        if counted:
            trunk, border = time.thread_time() - start - (after - between), after - between
    shape, first = division.trunk.shape, division.first_border
    numbers = int(shape.classes[first:].sum()) * shape.contexts[division.level]
    return trunk / numbers, border / numbers


def _one_flop_will_do(division: Division) -> bool:
    return division.numbers <= LARGEST_FLOP and _has_room(division.numbers)


def _has_room(numbers: int) -> bool:
    """Whether all codes of regrets and averages can be in memory, with 16 bits each, and half as much again."""
    return PACKED * 2 * 2 * numbers < available_memory()


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _report(monitor: Monitor, words: str) -> None:
    if monitor.should_stop():
        raise StoppedError("stopped before the plan was made; nothing was saved")
    monitor.step(words)
