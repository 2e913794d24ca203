"""What kernels compute, as hashes of all bits: for this process, or for one that pretends to have another CPU.

    python -m tests.kernels.signatures matching nearest

prints them as JSON. Random inputs come from `random` and `integers` only, which are exact everywhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

import numpy as np

# What LLVM may use when it compiles for a CPU of this name
CPUS = {
    "generic": "",
    "x86-64-v2": "sse4.2 popcnt cx16",
    "x86-64-v3": "avx2 bmi bmi2 fma f16c lzcnt movbe",
    "znver3": "avx2 bmi bmi2 fma f16c lzcnt movbe adx sha vaes vpclmulqdq sse4a",
    "x86-64-v4": "avx2 bmi bmi2 fma avx512f avx512bw avx512cd avx512dq avx512vl",
    "skylake-avx512": "avx2 bmi bmi2 fma adx avx512f avx512bw avx512cd avx512dq avx512vl",
    "znver4": "avx2 bmi bmi2 fma adx sha vaes avx512f avx512bw avx512cd avx512dq avx512vl avx512vbmi "
    "avx512vbmi2 avx512vnni avx512ifma avx512bitalg avx512vpopcntdq avx512bf16 gfni vpclmulqdq sse4a",
}
RIVER = "Ks7h2d5c9h"


def digest(*arrays) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[
        :12
    ]


def numbers(shape, dtype=np.float32, seed=1):
    """From -500 to 500, a quarter of them zero."""
    generator = np.random.default_rng(seed)
    drawn = (generator.random(shape) - 0.5) * 1000
    drawn[generator.random(shape) < 0.25] = 0
    return drawn.astype(dtype)


def matching() -> str:
    from errai.engine.kernels import matching

    made = []
    for dtype in (np.float32, np.float64):
        w, v, number = numbers((3, 500), dtype), numbers((3, 500), dtype, 2), np.dtype(dtype).type
        split, mixed = np.empty((3, 500), dtype), np.empty(500, dtype)
        matching.split3(*w, np.abs(v[0]), *split)
        matching.mix3(*w, *v, mixed)
        matching.regret_step(w[0], v[0], mixed, number(0.9), number(0.5), number(1.1), number(-3e38))
        matching.accumulate(w[1], number(0.7), v[1])
        made += [split, mixed, w]
    return digest(*made)


def codes() -> str:
    """Numbers rounded to 16-bit fixed point and to roots of 8 bits, in several iterations."""
    from errai.engine.kernels import matching

    made, value = [], numbers(500)
    for turn in range(5):
        for scale in (np.float32(0.02), np.float32(1.7)):
            for encode, kind in ((matching.encode_fixed, np.int16), (matching.encode_roots, np.int8)):
                code = np.empty(500, kind)
                encode(value, scale, 7919, turn, code)
                made.append(code)
    return digest(*made)


def packing() -> str:
    """Codes of all boards of a small game in few bits, back again, and checksums of them."""
    from errai.engine.layout import layout
    from errai.kernels.checksum import checksum
    from errai.scale.kernels.packing import SPARE, pack, pair_up, sizes, take_apart, unpack
    from tests.scale.games import spot_of

    made, built = [], layout(spot_of("three rounds"))
    betting, boards = built.betting, built.boards
    fixed = numbers(int(boards.offset[-1]), np.int16)
    roots = (fixed % 127).astype(np.int8)
    scales = np.abs(numbers(int(boards.block[-1])))
    for codes_, signed in (
        (fixed, True),
        (np.abs(fixed), False),
        (roots - np.int8(60), True),
        (roots, False),
    ):
        again, scales_again = np.zeros_like(codes_), np.zeros_like(scales)
        for seat in (0, 1):
            _, blocks, pieces = map(int, sizes(betting, boards, seat, codes_.itemsize))
            widths, payload = (
                np.zeros(blocks, np.uint8),
                np.zeros(8 * blocks + SPARE, np.uint8),
            )
            pairs, kept = np.zeros((blocks + 1) // 2, np.uint8), np.zeros(pieces, np.float32)
            used = pack(betting, boards, seat, codes_, scales, signed, widths, payload, kept)
            pair_up(widths, pairs)
            assert take_apart(pairs, widths) == used
            unpack(betting, boards, seat, again, scales_again, signed, widths, payload[:used], kept)
            made += [pairs, payload[:used], kept, np.uint64(checksum(payload[:used]))]
        assert (again == codes_).all()
        made += [again, scales_again]
    return digest(*made)


def divided() -> str:
    """A solution in subgames."""
    from tests.scale.games import bits, solved, spot_of

    found = bits(solved(spot_of("three rounds"), iterations=10))
    return digest(*(np.frombuffer(found[name], np.uint8) for name in sorted(found)))


def terminal() -> str:
    """Folds and showdowns of all hands on a river, W contexts side by side: the lanes."""
    from errai.cards.notation import FULL_DECK, hands
    from errai.cards.strength import NO_STRENGTH, RANKINGS, strengths_into
    from errai.engine.kernels import terminal
    from errai.kernels.lanes import W

    board = np.array(FULL_DECK.parse(RIVER), np.uint8)
    holes = hands(52, 2)
    strength = np.empty(len(holes), np.int32)
    strengths_into(holes, board, 4, 13, RANKINGS["acpc"], strength)
    live = np.flatnonzero(strength != NO_STRENGTH)
    order = live[np.argsort(strength[live], kind="stable")]
    H, card = len(order), holes[order].astype(np.uint8)
    ties = np.flatnonzero(np.diff(strength[order])) + 1
    return _swept(terminal, H, card, np.array([*ties, H]), W)


def _swept(terminal, H, card, ties, W) -> str:
    made = []
    share, size = np.ones((H, 2), np.float32), np.ones(H, np.float32)
    for dtype in (np.float32, np.float64):
        reach = np.abs(numbers((H + 1) * W, dtype))
        sums = np.zeros(54 * W, dtype)
        fold, showdown = np.zeros((2, (H + 1) * W), dtype)
        terminal.card_sums(reach, H, card, share, size, sums)
        terminal.fold(reach, H, card, sums, fold)
        terminal.showdown(reach, H, card, share, size, ties, sums, showdown)
        made += [fold[: H * W], showdown[: H * W]]
    return digest(*made)


def nearest() -> str:
    """k-means and its nearest centres, by both distances."""
    from errai.abstraction.kmeans import Nearest, centres

    generator = np.random.default_rng(3)
    points = generator.random((3000, 1)) + 0.1 * generator.random((3000, 8))
    made = []
    for distance in ("l2", "emd"):
        near = np.cumsum(points, axis=1) if distance == "emd" else points
        near = (near / near.max()).astype(np.float32)
        found = centres(near, None, 200, distance, 0, rounds=3)
        labels, away = np.empty(3000, np.int32), np.empty(3000, np.float32)
        Nearest(found, distance).assign(near, labels, away)
        made += [found, labels, away]
    return digest(*made)


def buckets() -> str:
    """Of the shipped strategy, on some turns and rivers."""
    from tests.abstraction.shipped import shipped_checksums

    return digest(np.array(list(shipped_checksums().values()), np.int64))


def sequences() -> str:
    """CFR on the sequence form of Kuhn poker, with prediction."""
    from errai.engine.settings import Settings
    from errai.sequence import extensive_game, sequence_form
    from errai.sequence.cfr import PlanSolver

    solver = PlanSolver(
        Settings(method="pdcfr+", iterations=300, precision="float64"), sequence_form(extensive_game("kuhn"))
    )
    assert solver.run()
    return digest(*solver.regret, *solver.average)


def schedules() -> str:
    from errai.engine.rules import RULES

    return digest(*(rule.rates(1, 500, 700) for rule in RULES.values()))


def engine() -> str:
    from errai.engine.bench import signature

    return signature()


def training() -> str:
    """Of ten cards on seven buckets."""
    from tests.blueprint.games import few_layout, trained

    made = []
    for method in ("linear-br2", "cfr+-br"):
        training = trained(few_layout(), method, 200)
        made += [training.regret, training.average]
    return digest(*made)


def response() -> str:
    """Best responses in the unabstracted game of ten cards."""
    from tests.blueprint.games import few_layout, random_weights
    from tests.measure.test_response import by_boards

    return digest(np.array(by_boards(few_layout(), random_weights(few_layout())).best_response))


def models() -> str:
    from errai.models.solver import solve_model
    from tests.models.games import random_model

    made = []
    for buckets in ((3, 2), (3, 3)):
        solver = solve_model(random_model(buckets, seed=1), iterations=40)
        found = solver.evaluate()
        made += [solver.average, np.array([*found.value, *found.best_response])]
    return digest(*made)


QUICK = ("schedules", "matching", "codes", "packing", "terminal", "nearest", "buckets", "sequences")
WHOLE = (*QUICK, "engine", "divided", "training", "response", "models")


def signatures(names) -> dict[str, str]:
    return {name: globals()[name]() for name in names}


def as_on(cpu: str, names) -> dict[str, str]:
    """The same in a process whose kernels are compiled for another CPU, and whose libraries use no vector units."""
    environment = {**os.environ, "NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""}
    if cpu == "generic":
        found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
        environment |= {
            "NPY_DISABLE_CPU_FEATURES": " ".join(found),
            "OPENBLAS_CORETYPE": "Prescott",
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4",
        }
    done = subprocess.run(
        [sys.executable, "-m", "tests.kernels.signatures", *names],
        env=environment, capture_output=True, text=True, timeout=7200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def runnable() -> list[str]:
    """CPUs whose code this host can run, the plainest first."""
    from llvmlite import binding

    have = {name for name, has in binding.get_host_cpu_features().items() if has}
    return [name for name, needed in CPUS.items() if set(needed.split()) <= have]


if __name__ == "__main__":
    print(json.dumps(signatures(sys.argv[1:])))
