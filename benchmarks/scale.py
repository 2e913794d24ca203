"""The bars of games that are larger than memory: time on a disk over time in memory, compression, workers, growth.

    python benchmarks/scale.py [disk] [codec] [workers] [growth] [rules] [--scratch DIR] [--repeats N]

disk      seconds of an iteration in memory (int16) and on the disk, and bytes, for holdem-2-4 and a sample of Royal
codec     bits and nanoseconds of a number for the packing of chunks, zstd and blosc2, on regrets as a run left them
workers   seconds of an iteration with one and with two workers of a local Ray
growth    time, memory and disk of an information set, from Leduc to Royal, as a table and as out/growth.png
rules     exploitability and bytes by rule, as a table

Kernels are compiled before the clock starts; the best of several repeats counts. Close other programs first.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from errai.api.scaling import sampled_flops
from errai.engine.kernels.arrays import Weights
from errai.engine.layout import Layout
from errai.engine.settings import Settings
from errai.games.catalogue import load_game
from errai.games.spot import Spot, spot, whole_game
from errai.scale.checkpoint import Where, prepare_divided
from errai.scale.chunk import AVERAGE, REGRET, SECTIONS, Chunk, Form
from errai.scale.codes import Room, packed, unpack_into
from errai.scale.kernels.packing import SPARE
from errai.scale.solver import DividedSolver

CORES = os.cpu_count() or 1
WARM = 100  # iterations before compression is looked at
FIGURE = Path("out/growth.png")
GROWTH = ("leduc", "rhode-island", "holdem-2-4", "turn", "royal:1", "holdem/8s8h8d", "royal:6")


def the_spot(name: str) -> tuple[Spot, tuple[tuple[int, ...], ...] | None]:
    """A game by its name, with a flop or a number of sampled flops if one is given; or a turn of hold'em."""
    if name == "turn":
        return spot(load_game("holdem"), "Ks7h2d 5c", "rc/rc", (None, None)), None
    if "/" in name:
        game, _, flop = name.partition("/")
        where = whole_game(load_game(game))
        return where, (tuple(where.deck.parse(flop)),)
    game, _, flops = name.partition(":")
    rules = load_game(game)
    return whole_game(rules), sampled_flops(rules, int(flops), 0) if flops else None


def solver_of(name: str, scratch: Path | None, threads: int, cluster: str | None = None) -> DividedSolver:
    if scratch is not None:
        shutil.rmtree(scratch, ignore_errors=True)
    where, flops = the_spot(name)
    settings = Settings(method="sdcfr+", iterations=10**5, precision="int16", threads=threads)
    return prepare_divided(where, settings, flops, Where(scratch, None, cluster))


def iterate(solver: DividedSolver, count: int) -> float:
    """Seconds of an iteration, the fastest of so many."""
    best = float("inf")
    with solver.working() as work:
        for _ in range(count):
            now = solver.iteration + 1
            began = time.perf_counter()
            work.iterate(solver.settings.rule.rates(now, 1, 10**6), now)
            best = min(best, time.perf_counter() - began)
            solver.iteration = now
    return best


def disk(scratch: Path, repeats: int) -> None:
    for name, warm in (("holdem-2-4", WARM), ("royal:1", WARM)):
        memory = solver_of(name, None, CORES)
        iterate(memory, 5)
        in_memory = iterate(memory, repeats)
        memory.close()
        for memory_too in (False, True):
            solver = solver_of(name, scratch, CORES)
            if not memory_too:
                solver.crew.store.room = 0  # type: ignore[attr-defined]
            iterate(solver, warm)
            before = solver.crew.traffic().written
            on_disk = iterate(solver, repeats)
            written = (solver.crew.traffic().written - before) / repeats
            numbers = 2 * solver.division.numbers
            print(
                f"{name}: an iteration {in_memory:.3f} s in memory, {on_disk:.3f} s on the disk, "
                f"{'all' if memory_too else 'nothing'} held in memory: {on_disk / in_memory:.2f} times (bar 1.5); "
                f"after {warm} iterations {written / 1e6:,.0f} MB, "
                f"{4 * numbers / written:.1f}:1 against 32-bit floats (bar 8, aim 15)",
                flush=True,
            )
            solver.close()


def workers(scratch: Path, repeats: int, name: str = "royal:6") -> None:
    times = {}
    for count in (1, 2):
        solver = solver_of(name, scratch, 1, f"local:{count}")
        iterate(solver, 3)
        times[count] = iterate(solver, repeats)
        solver.close()
    print(
        f"{name}: one worker {times[1]:.2f} s, two {times[2]:.2f} s: {times[1] / times[2]:.2f} times (bar 1.7)"
    )


def growth(scratch: Path, repeats: int) -> None:
    print("| game | information sets | in memory, ns | on disk, ns | bytes on disk | memory, MB |")
    print("|---|---|---|---|---|---|")
    rows = []
    for name in GROWTH:
        solver = solver_of(name, scratch, CORES)
        sets = solver.division.information_sets
        count = max(2, min(WARM, int(2e9 / sets)))
        iterate(solver, count)
        on_disk = iterate(solver, repeats)
        size = sum(file.stat().st_size for file in scratch.rglob("*.[01]"))
        solver.close()
        in_memory = float("nan")
        if solver.division.numbers < 2e9:
            solver = solver_of(name, None, CORES)
            iterate(solver, 3)
            in_memory = iterate(solver, repeats)
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        per = 1e9 * CORES / sets
        rows.append((name, sets, in_memory * per, on_disk * per, size / sets))
        print(
            f"| {name} | {sets:,} | {in_memory * per:.1f} | {on_disk * per:.1f} | {size / sets:.2f} | {held:,.0f} |",
            flush=True,
        )
    FIGURE.parent.mkdir(exist_ok=True)
    draw_growth(rows, FIGURE)


def draw_growth(rows: list[tuple[str, int, float, float, float]], path: Path) -> None:
    """Nanoseconds of a core and bytes on the disk of one information set, by game; tiny ones are left out."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shown = sorted((row for row in rows if row[1] > 1e6), key=lambda row: -row[1])
    figure = Figure(figsize=(7.2, 3.6), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    time_axes, bytes_axes = figure.subplots(1, 2, sharey=True, width_ratios=(2, 1))
    places = np.arange(len(shown))
    for column, offset, label, colour in (
        (2, 0.2, "in memory", "#1f5aa6"),
        (3, -0.2, "on the disk", "#c2571a"),
    ):
        widths = [row[column] for row in shown]
        bars = time_axes.barh(places + offset, widths, 0.38, color=colour, label=label)
        time_axes.bar_label(bars, ["" if np.isnan(w) else f"{w:.1f}" for w in widths], padding=3, fontsize=8)
    bars = bytes_axes.barh(places, [row[4] for row in shown], 0.5, color="#2e7d4f")
    bytes_axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=8)
    time_axes.set_yticks(places, [f"{row[0]}\n{row[1]:,}" for row in shown], fontsize=8)
    time_axes.set_title("ns of a core for an iteration", loc="left", fontsize=10)
    bytes_axes.set_title("bytes on the disk", loc="left", fontsize=10)
    time_axes.legend(frameon=False, fontsize=8, loc="lower right")
    figure.suptitle(
        "What one information set takes, by game and its information sets", fontsize=11, x=0.02, ha="left"
    )
    for axes in (time_axes, bytes_axes):
        axes.margins(x=0.15)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.savefig(path)


def codec(scratch: Path, repeats: int) -> None:
    """All codecs on the codes of some subgames, as they are after 10, 100 and 500 iterations; needs errai[bench]."""
    from errai.scale.stores import MemoryStore

    for name in ("holdem-2-4", "royal:1"):
        solver = solver_of(name, None, CORES)
        done = 0
        for iterations in (10, 100, 500) if name == "royal:1" else (10, 100):
            iterate(solver, iterations - done)
            done = iterations
            store = solver.crew.store  # type: ignore[attr-defined]
            assert isinstance(store, MemoryStore)
            chosen = solver.division.subgames[:: max(1, len(solver.division.subgames) // 4)][:4]
            layouts = [solver.division.layout(subgame) for subgame in chosen]
            held = [store._weights(subgame, of) for subgame, of in zip(chosen, layouts, strict=True)]
            for kind in ("regret", "average"):
                print(f"{name}, {kind}, {iterations} iterations")
                for what, bits, encode, decode in _codecs(layouts, held, kind, repeats):
                    print(
                        f"  {what:26s} {32 / bits:5.1f}:1  {encode:5.2f} ns in {decode:5.2f} ns out",
                        flush=True,
                    )
        solver.close()


def _codecs(
    layouts: list[Layout], held: list[Weights], kind: str, repeats: int
) -> Iterator[tuple[str, float, float, float]]:
    """Name, bits of a number, nanoseconds in and out."""
    import blosc2
    import zstandard

    codes = np.concatenate([getattr(weights, kind) for weights in held])

    def timed(what: str, encode: Callable[[], Any], decode: Callable[[Any], object]) -> Any:
        best_in = best_out = float("inf")
        for _ in range(repeats):
            began = time.perf_counter()
            made = encode()
            best_in = min(best_in, time.perf_counter() - began)
            began = time.perf_counter()
            decode(made)
            best_out = min(best_out, time.perf_counter() - began)
        size = sum(len(section) for sections in made for section in sections)
        return what, 8 * size / codes.size, 1e9 * best_in / codes.size, 1e9 * best_out / codes.size

    room, form, first = Room(), Form(False, codes.dtype == np.int8), AVERAGE if kind == "average" else REGRET

    def ours() -> list[list[Any]]:
        return [
            packed(
                layout,
                seat,
                getattr(weights, kind),
                getattr(weights, f"{kind}_scale"),
                form,
                room,
                f"{place}.{seat}",
            )[0]
            for place, (layout, weights) in enumerate(zip(layouts, held, strict=True))
            for seat in (0, 1)
        ]

    def ours_back(made: list[list[Any]]) -> None:
        for number, sections in enumerate(made):
            read = [
                np.frombuffer(bytes(section) + bytes(SPARE), np.uint8)[: len(section)] for section in sections
            ]
            everything = [*[b""] * first, *read, *[b""] * (SECTIONS - first - len(read))]
            chunk = Chunk(Path("a.chunk"), 0, 0, number % 2, 1, (form, form), tuple(everything))
            unpack_into(layouts[number // 2], number % 2, chunk, first, held[number // 2], room)

    yield timed("widths and payload (ours)", ours, ours_back)
    for level in (-3, 1, 3, 9):
        compressor, back = zstandard.ZstdCompressor(level=level), zstandard.ZstdDecompressor()
        yield timed(
            f"zstd {level}",
            lambda compressor=compressor: [[compressor.compress(codes)]],
            lambda made, back=back: back.decompress(made[0][0]),
        )
    for codec_name in ("LZ4", "ZSTD"):
        yield timed(
            f"blosc2 bitshuffle {codec_name.lower()}",
            lambda name=codec_name: [
                [
                    blosc2.compress2(
                        codes,
                        codec=getattr(blosc2.Codec, name),
                        clevel=1,
                        typesize=codes.itemsize,
                        filters=[blosc2.Filter.BITSHUFFLE],
                        nthreads=1,
                    )
                ]
            ],
            lambda made: blosc2.decompress2(made[0][0], nthreads=1),
        )


def rules(scratch: Path, repeats: int) -> None:
    """Exploitability by rule after 100 iterations of Royal on one flop, and what a number costs on the disk."""
    print("| game | rule | strategy | iterations | mbb/g | bits of a number, all arrays |")
    print("|---|---|---|---|---|---|")
    for name in ("royal:1",):
        for method, kind in (
            ("sdcfr+", "average"),
            ("sdcfr", "average"),
            ("dcfr", "average"),
            ("cfr+", "average"),
            ("cfr+", "current"),
        ):
            shutil.rmtree(scratch, ignore_errors=True)
            where, flops = the_spot(name)
            settings = Settings(method=method, iterations=WARM, precision="int16", strategy=kind)
            solver = prepare_divided(where, settings, flops, Where(scratch))
            solver.run()
            size = sum(file.stat().st_size for file in scratch.rglob("*.[01]"))
            assert solver.evaluation is not None
            print(
                f"| {name} | {method} | {kind} | {solver.iteration} | {solver.evaluation.exploitability_mbb:.3g} "
                f"| {8 * size / solver.division.numbers:.2f} |",
                flush=True,
            )
            solver.close()


PARTS = {"disk": disk, "codec": codec, "workers": workers, "growth": growth, "rules": rules}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=list(PARTS))
    parser.add_argument("--scratch", type=Path, default=Path("out/bench-scratch"))
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name in options.parts:
        PARTS[name](options.scratch, options.repeats)
    shutil.rmtree(options.scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
