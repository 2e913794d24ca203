"""Logs of matches, as the dealer of the ACPC writes them.

    # name/game/hands/seed mymatch holdem 1000 0
    STATE:0:cc/rf:5d5c|9hQd/8dAs8s:10|-10:Alice|Bob          hand by hand, cards, chips and names by seat
    SCORE:195|-195:Alice|Bob                                 at the end

A log is written block by block and is whole after each: whoever reads it after a crash has all blocks before, and at
most one line that was cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

from errai.errors import ErraiError
from errai.files.writing import explained


class MatchLog:
    """A log that is being written. Without a path it writes nothing, and no file is there before its first line."""

    def __init__(self, path: Path | None, overwrite: bool = False) -> None:
        self.path = path
        self._file: TextIO | None = None
        if path is not None and path.exists() and not overwrite:
            raise ErraiError(
                f"{path} is there already; choose another name, or overwrite it", parameter="overwrite"
            )

    def comment(self, *lines: str) -> None:
        """Lines that readers of hands skip."""
        self.write(f"#{'' if line.startswith('--') else ' '}{line}" for line in lines)

    def write(self, lines: Iterable[str]) -> None:
        """Some whole lines."""
        if self.path is None:
            return
        with explained(self.path):
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self.path.open("w", encoding="ascii", errors="backslashreplace", newline="\n")
            self._file.write("".join(f"{line}\n" for line in lines))
            self._file.flush()

    def score(self, chips: Sequence[float], names: Sequence[str]) -> None:
        """The last line: chips won in all, by player."""
        self.write(
            [f"SCORE:{'|'.join(f'{won:.6f}'.rstrip('0').rstrip('.') for won in chips)}:{'|'.join(names)}"]
        )

    def __enter__(self) -> MatchLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
