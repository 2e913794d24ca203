"""What a divided game takes of memory and disk, before anything large is made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from errai.engine.memory import BYTES_OF_A_HAND_CLASS, RESERVE, available_memory, format_bytes
from errai.engine.walker import most_hands, workspace_numbers
from errai.errors import ErraiError
from errai.scale.codes import Grids, code_bytes
from errai.scale.division import Division

LIKELY = 10.0  # compression that is reckoned with
BEST = 25.0  # and that is thought possible: more than this must fit
_LEAST_CACHE = 1 << 26
_BESIDE = 600 << 20  # the program itself, kernels, chunks on their way: what is not counted on its own
_PACKED = 1.75  # buffers of a thread for packing, over those for codes, at most


@dataclass(frozen=True)
class Need:
    """Bytes, by what they are for."""

    trunk: int
    threads: int  # codes and workspaces of the subgames in hand
    layouts: int  # of subgames that are kept
    codes: int  # of all subgames, in memory as they are
    floats: int  # the same as 32-bit floats, which is what compression is told against
    on_disk: bool
    held: int = 0  # of subgames on a disk that stay in memory as well

    @property
    def memory(self) -> int:
        return self.trunk + self.threads + self.layouts + (self.held if self.on_disk else self.codes)

    @property
    def disk(self) -> int:
        return int(self.floats / LIKELY)

    @property
    def least_disk(self) -> int:
        """What even the best compression leaves."""
        return int(self.floats / BEST)

    def __str__(self) -> str:
        parts = [f"trunk {format_bytes(self.trunk)}", f"subgames in hand {format_bytes(self.threads)}"]
        parts += [f"their layouts {format_bytes(self.layouts)}"]
        if self.held:
            parts.append(
                f"{min(100, 100 * self.held // self.codes)}% of all subgames {format_bytes(self.held)}"
            )
        if not self.on_disk:
            parts.append(f"regrets and strategy {format_bytes(self.codes)}")
        disk = f"; disk: about {format_bytes(self.disk)}, compressed {LIKELY:g}:1" if self.on_disk else ""
        return f"{format_bytes(self.memory)} ({', '.join(parts)}){disk}"


def needed(
    division: Division, numbers: int, threads: int, grids: Grids, on_disk: bool, limit: int | None
) -> Need:
    """What a division takes with so many threads; refused where it does not fit. Layouts get what is left."""
    room = int(RESERVE * available_memory()) if limit is None else limit
    trunk, border = division.trunk, division.first_border
    width = trunk.shape.classes * trunk.betting.contexts[trunk.boards.level]
    inner = int(width[:border].sum()) * (
        2 * int(trunk.betting.sequences.max()) + int(trunk.betting.leaves.max())
    )
    # of the update (4 bytes) and of three passes of an evaluation (8 bytes)
    above = (inner + int(width[border:].sum())) * (4 + 3 * 8)
    above += (
        4 * division.trunk_numbers * (1 + grids.with_average)
        + BYTES_OF_A_HAND_CLASS * trunk.shape.hand_classes
    )
    first = division.layout(division.subgames[0])
    threads_bytes = threads * (
        int(_PACKED * code_bytes(division.largest, grids))
        + 12 * workspace_numbers(first.betting, most_hands(first))
    )
    codes = code_bytes(numbers, grids)
    fixed = above + threads_bytes + (0 if on_disk else codes)
    layouts = min(max(room - fixed, _LEAST_CACHE), BYTES_OF_A_HAND_CLASS * division.hand_classes)
    floats = 4 * numbers * (1 + grids.with_average)
    held = min(max(room - fixed - int(layouts) - _BESIDE, 0), codes) if on_disk else 0
    need = Need(above, threads_bytes, int(layouts), codes, floats, on_disk, held)
    if need.memory > room:
        name = division.spot.game.name
        instead = "use fewer threads" if on_disk else "keep it on a disk with scratch=DIR"
        said = "of memory were given" if limit is not None else "can be had"
        raise ErraiError(
            f"{name} needs {format_bytes(need.memory)} of memory and {format_bytes(room)} {said}; {instead}",
            parameter="memory" if limit is not None else None,
        )
    return need


def parse_bytes(text: str) -> int:
    """8GB, 500 MB, 2TB: a number and a unit of a thousand times the one before."""
    units = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "pb": 10**15}
    words = text.strip().lower().replace(" ", "")
    digits = words.rstrip("abcdefghijklmnopqrstuvwxyz")
    try:
        size = float(digits) * units[words[len(digits) :] or "b"]
    except (ValueError, KeyError):
        raise ErraiError(f"'{text}' is no size: give one such as 8GB or 500MB") from None
    if not np.isfinite(size) or size <= 0:
        raise ErraiError(f"'{text}' is no size: give one such as 8GB or 500MB")
    return int(size)
