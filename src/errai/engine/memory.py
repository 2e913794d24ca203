"""How much memory a solution takes, before anything large is allocated."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from errai.engine.kernels.matching import SEGMENT
from errai.engine.store import store_bytes
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.sizes import game_sizes

BYTES_OF_A_HAND_CLASS = 48  # all arrays of errai.cards.hand_classes
BYTES_OF_A_BOARD = 80  # all arrays of errai.cards.boards and their places
# What to do about a game that is too large; an endgame of hold'em has the name of the game too.
INSTEAD = {
    "holdem": "errai query holdem asks the strategy that comes with Errai, errai train finds one on buckets, and "
    "errai endgame solves a turn or a river, or a flop with narrow ranges"
}
RESERVE = 0.93  # of the available memory, the rest is for everything else


@dataclass(frozen=True)
class Memory:
    """Bytes, by what they are for."""

    store: int
    tables: int
    workspaces: int

    @property
    def total(self) -> int:
        return self.store + self.tables + self.workspaces

    def __str__(self) -> str:
        return (
            f"{format_bytes(self.total)} (regrets and strategy {format_bytes(self.store)}, "
            f"boards and hands {format_bytes(self.tables)}, workspaces {format_bytes(self.workspaces)})"
        )


def format_bytes(size: float) -> str:
    """1.9 GB, 340 MB, 12 kB."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if size < 999.5 or unit == "TB":
            return f"{size:.0f} {unit}" if size >= 100 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


@dataclass(frozen=True)
class Choice:
    """What a store is to hold."""

    precision: str = "float32"
    average: bool = True
    prediction: bool = False


def estimate(numbers: int, classes: int, boards: int, workspaces: int, choice: Choice) -> Memory:
    """From the sizes of a layout: numbers of one store, hand classes, boards, bytes of the workspaces."""
    blocks = numbers // (2 * SEGMENT) + boards * 16
    return Memory(
        store_bytes(choice.precision, numbers, blocks, choice.average, choice.prediction),
        classes * BYTES_OF_A_HAND_CLASS + boards * BYTES_OF_A_BOARD,
        workspaces,
    )


def estimate_game(game: GameDefinition, choice: Choice | None = None) -> Memory:
    """From the sizes of a whole game, by counting alone."""
    sizes = game_sizes(game)
    numbers = sum(size.actions * size.hands for size in sizes)
    return estimate(
        numbers, sum(size.hands for size in sizes), sum(size.boards for size in sizes), 0, choice or Choice()
    )


def available_memory() -> int:
    """Bytes that can be had without swapping."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 62


def refuse_if_too_large(
    name: str, numbers: int, classes: int, boards: int, workspaces: int, choice: Choice
) -> Memory:
    """The estimate; or, where it does not fit, one clear line instead of an exhausted machine."""
    room = RESERVE * available_memory()
    wanted = estimate(numbers, classes, boards, workspaces, choice)
    if wanted.total <= room:
        return wanted
    advice = INSTEAD.get(name, "errai abstract and errai train find a strategy on buckets of hands")
    for smaller, words in (
        (replace(choice, average=False), 'strategy="current"'),
        (replace(choice, precision="int16"), 'precision="int16"'),
        (replace(choice, precision="int16", average=False), 'precision="int16" strategy="current"'),
    ):
        need = estimate(numbers, classes, boards, workspaces, smaller).total
        if need <= room and not choice.prediction:
            advice = f"with {words} it needs {format_bytes(need)}"
            break
    raise ErraiError(
        f"{name} needs {format_bytes(wanted.total)} of memory and {format_bytes(room)} can be had; {advice}"
    )
