"""Two different solutions of every kind that is saved, and what tells them apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import errai
from errai.blueprint.packing import save_on_layout, to_bytes
from errai.jamfold import single, tournament
from errai.sequence import extensive_game, solve
from tests.blueprint.games import few_layout, random_weights

Save = Callable[[Path], object]
HOW = {"algorithm": "random", "iterations": 1, "seconds": 1.0, "command": "none", "strategy": "average"}


@cache
def pairs() -> dict[str, tuple[Save, Save]]:
    """Kind -> how to save one solution and another; the last ones replace a solution of another kind."""
    engine = [errai.solve("kuhn", iterations=count, threads=1).save for count in (8, 12)]
    proven = solve("kuhn", "exact").save
    program = solve("kuhn", "lp").save
    untitled = solve(extensive_game("openspiel:kuhn_poker"), "exact").save
    hand, other_hand = single.solve(10), single.solve(8, seat="big")
    small, larger = (tournament.solve(chips, 50, 100, step=50, threads=1) for chips in (400, 500))
    return {
        "exact": (engine[0], engine[1]),
        "sequence": (proven, program),
        "game without cards": (program, untitled),
        "jamfold": (hand.save, other_hand.save),
        "tournament": (lambda folder: small.save(folder, "svg", exact=True), larger.save),
        "buckets": (_buckets(1), _buckets(2)),
        "sequence by exact": (proven, engine[0]),
        "exact by tournament": (engine[1], larger.save),
    }


def _buckets(seed: int) -> Save:
    made = few_layout()
    shares = to_bytes(made, random_weights(made, seed))
    orders = [np.random.default_rng(seed).permutation(count) for count in made.abstraction.counts]
    return lambda folder: save_on_layout(folder, made, shares, HOW, None, orders)


def content_of(folder: Path) -> dict[str, Any]:
    """What a folder holds, all of its files read and compared with their checksums."""
    opened = errai.load(folder)
    assert opened.saved is not None
    if opened.kind == "buckets":  # whose buckets are not saved with it here
        for file in opened.files:  # type: ignore[attr-defined]
            for block in range(len(file)):
                file.check(block)
    else:
        opened.check()
    if opened.kind in ("exact", "sequence", "jamfold"):
        opened.evaluate()
    return opened.saved.content
