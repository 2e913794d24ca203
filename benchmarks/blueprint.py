"""The bars of strategies for all of hold'em: features, best response, opening and asking a strategy.

Called by benchmarks/run.py. Buckets at random cost the best response as much as real ones, and more than few.
"""

from __future__ import annotations

import os
import time

import numpy as np

import errai
from errai.abstraction.abstraction import Abstraction, RoundBuckets, lossless_round
from errai.abstraction.features import hands_of, last_boards, strengths_on
from errai.blueprint.layout import bucket_layout
from errai.blueprint.packing import to_bytes
from errai.blueprint.training import Plan, new_training
from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK
from errai.games.catalogue import load_game
from errai.measure.estimate import estimated, on_sample, sample_boards
from errai.measure.response import Response
from errai.measure.walk import walk
from errai.runs.monitor import SILENT

BUCKETS = 5000
FLOPS = 4
CORES = os.cpu_count() or 1


def strength_seconds() -> float:
    """River strength of all hands on all 134,459 boards, one core."""
    of = hands_of(load_game("holdem"))
    boards = last_boards(of).cards
    strengths_on(boards[:10], of)
    began = time.perf_counter()
    for low in range(0, len(boards), 512):
        strengths_on(boards[low : low + 512], of)
    return time.perf_counter() - began


def random_buckets() -> Abstraction:
    """As many buckets a round, and hands in them at random."""
    rng = np.random.default_rng(1)
    rounds = [lossless_round(FULL_DECK, 2, ())]
    for public in (3, 4, 5):
        boards = canonical_boards(FULL_DECK, 2, (public,))
        cells = rng.integers(0, BUCKETS, (len(boards.cards), 1326), dtype=np.uint16)
        rounds.append(RoundBuckets(BUCKETS, boards, cells))
    return Abstraction(load_game("holdem"), "random", tuple(rounds))


def response_core_hours() -> tuple[float, float]:
    """Core-hours of the whole best response at the rate of a few random flops, and core-seconds of these."""
    made = bucket_layout(load_game("holdem"), random_buckets())
    weights = np.random.default_rng(2).random(made.numbers + 32, np.float32)
    response = Response(made, to_bytes(made, weights, CORES))
    response.on_board(int(np.argmin(response.boards.weight)))  # compile
    boards = sample_boards(response, FLOPS, seed=3)
    done = walk(response, on_sample(response, boards), None, "", CORES, SILENT)
    assert done is not None
    found = estimated(response, boards, *done)
    return found.core_hours, found.seconds


def samples_a_second(method: str) -> float:
    """Boards that a training walks in a second, all cores, from the beginning."""
    training = new_training(load_game("holdem"), random_buckets(), Plan(method, seconds=20, threads=CORES))
    training.run()
    return training.samples / training.seconds


def open_and_ask() -> tuple[float, list[float]]:
    """Seconds to open the strategy that comes with Errai, and the median of questions on flop, turn and river."""
    began = time.perf_counter()
    opened = errai.load("holdem")
    opening = time.perf_counter() - began
    opened.prepare()
    rng = np.random.default_rng(4)
    medians = []
    for betting in ("rc/r", "rc/rc/r", "rc/rc/rc/r"):
        times = []
        for _ in range(100):
            cards = [int(card) for card in rng.choice(52, 5, replace=False)]
            board = (cards[:3], cards[3:4], cards[4:])[: betting.count("/")]
            began = time.perf_counter()
            opened.decision(betting, board)
            times.append(time.perf_counter() - began)
        medians.append(float(np.median(times)))
    return opening, medians
