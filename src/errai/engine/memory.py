"""How much memory a solution takes, before anything large is allocated."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from errai.engine.kernels.matching import SEGMENT
from errai.engine.store import store_bytes
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.sizes import game_sizes

BYTES_OF_A_HAND_CLASS = 48  # all arrays of errai.cards.holdings
BYTES_OF_A_BOARD = 80  # all arrays of errai.cards.boards and their places
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


def estimate(
    numbers: int, classes: int, boards: int, workspaces: int, precision: str, average: bool, foresight: bool
) -> Memory:
    """From the sizes of a layout."""
    blocks = numbers // (2 * SEGMENT) + boards * 16
    return Memory(
        store_bytes(precision, numbers, blocks, average, foresight),
        classes * BYTES_OF_A_HAND_CLASS + boards * BYTES_OF_A_BOARD,
        workspaces,
    )


def estimate_game(game: GameDefinition, precision: str, average: bool, foresight: bool) -> Memory:
    """From the sizes of a whole game, by counting alone."""
    sizes = game_sizes(game)
    return estimate(
        numbers=sum(size.actions * size.hands for size in sizes),
        classes=sum(size.hands for size in sizes),
        boards=sum(size.boards for size in sizes),
        workspaces=0,
        precision=precision,
        average=average,
        foresight=foresight,
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


def refuse_if_too_large(name: str, memory: Memory, precision: str, average: bool) -> None:
    """One clear line instead of an exhausted machine."""
    available = available_memory()
    if memory.total > RESERVE * available:
        advice = []
        if precision != "int16":
            advice.append("--precision int16")
        if average:
            advice.append("--strategy current")
        hint = f"; try {' and '.join(advice)}" if advice else ""
        raise ErraiError(
            f"{name} needs {format_bytes(memory.total)} of memory and {format_bytes(available)} are available{hint}"
        )
