"""Small games in many subgames, solvers of them, and the bits of what they have solved."""

from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np

from errai.engine.settings import Settings
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, spot, whole_game
from errai.scale import division
from errai.scale.checkpoint import CHUNKS, Where, prepare_divided
from errai.scale.solver import DividedSolver
from errai.scale.stores import DiskStore, MemoryStore

TWO_ROUNDS = GameDefinition(
    "two rounds", "limit", (5, 2), (3, 7), (1, 0), (1, 1), suits=2, ranks=4, hole_cards=1, board_cards=(0, 1)
)
THREE_ROUNDS = GameDefinition(
    "three rounds", "limit", (1, 2), (2, 2, 4), (1, 0, 0), (2, 1, 1),
    suits=3, ranks=3, hole_cards=1, board_cards=(0, 1, 1), ranking="three-card",
)  # fmt: skip
TWO_CARDS = GameDefinition(
    "two cards", "limit", (2, 1), (2, 3, 4), (1, 0, 0), (1, 1, 1),
    suits=2, ranks=4, hole_cards=2, board_cards=(0, 1, 1),
)  # fmt: skip
FOUR_ROUNDS = GameDefinition(
    "four rounds", "limit", (2, 1), (2, 2, 4, 4), (1, 0, 0, 0), (1, 1, 1, 1),
    suits=2, ranks=4, hole_cards=1, board_cards=(0, 1, 1, 1),
)  # fmt: skip
FINE = 40  # numbers of a subgame: boards are cut by their contexts
COARSE = 2000  # boards are joined


def turn_endgame() -> Spot:
    """Two narrow ranges on a turn of hold'em."""
    return spot(load_game("holdem"), "Ks7h2d5c", "cc/cc", ("AA,KQs:0.5,76s,55", "QQ,KJs,A5s:0.25"))


def spot_of(name: str) -> Spot:
    """A game by its name; the small ones have names, too."""
    small = {game.name: game for game in (TWO_ROUNDS, THREE_ROUNDS, TWO_CARDS, FOUR_ROUNDS)}
    return turn_endgame() if name == "turn endgame" else whole_game(small.get(name) or load_game(name))


@contextmanager
def cut(numbers: int | None):
    """Subgames have about so many numbers, as if memory were small; None is for as many as they usually have."""
    if numbers is None:
        yield
        return
    with mock.patch.multiple(division, LARGEST=numbers, SMALLEST=1, COUNT=1):
        yield


def divided(where: Spot, folder: Path | None = None, numbers: int | None = FINE, **settings) -> DividedSolver:
    """A solver that has not begun; on a disk, if there is a folder, with so many bytes of `room` in memory."""
    flops, room = settings.pop("flops", None), settings.pop("room", 0)
    given = {"method": "sdcfr+", "iterations": 4, "threads": 2} | settings
    with cut(numbers):
        solver = prepare_divided(where, Settings(**given), flops, Where(scratch=folder))
    return holding(solver, room)


def holding(solver: DividedSolver, room: int) -> DividedSolver:
    """A solver whose store on a disk holds so many bytes of subgames in memory, too."""
    if isinstance(solver.crew.store, DiskStore):
        solver.crew.store.room = room
    return solver


def solved(where: Spot, folder: Path | None = None, numbers: int | None = FINE, **settings) -> DividedSolver:
    """A solver that has ended, and whose threads have."""
    solver = divided(where, folder, numbers, **settings)
    try:
        assert solver.run()
    finally:
        solver.close()
    return solver


def bits(solver: DividedSolver, folder: Path | None = None) -> dict[str, bytes]:
    """All that a solver has found, by name: the trunk, and codes and scales of every subgame."""
    held = {name: array.tobytes() for name, array in solver.state().items()}
    if folder is None:
        store = solver.crew.store
    else:
        store = MemoryStore(solver.grids, solver.division.fingerprint())
        for subgame in solver.division.subgames:
            store.restore(subgame, solver.division.layout(subgame), folder / CHUNKS, solver.passes)
    for subgame in solver.division.subgames:
        weights = store._weights(subgame, solver.division.layout(subgame))
        for name in ("regret", "average", "regret_scale", "average_scale"):
            array = getattr(weights, name)
            if array is not None:
                held[f"{name} of subgame {subgame.number}"] = array.tobytes()
    assert any(np.frombuffer(array, np.uint8).any() for array in held.values())
    return held
