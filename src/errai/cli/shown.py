"""The last door before the terminal: what a terminal would obey is shown, not sent.

Names of games, titles, labels, paths and arguments come from others. A character of theirs that a terminal acts on
(ESC, BEL, a carriage return, C1 codes, marks that turn the direction of text) is written as Python writes it, \\x1b.
Everything that a command prints goes through `guarded` streams; the colours that Errai itself gives its grids come
from a `console`, which looks at the words before they are coloured.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

_LAID_OUT = "\n\t"  # what Errai itself lays out its text with


def shown(text: str) -> str:
    """The text with everything that is not printable written out; new lines and tabs stay."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _LAID_OUT else ascii(letter)[1:-1] for letter in text
    )


class Guarded:
    """A stream of text that sends nothing but what is to be seen."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(shown(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Standard output and standard error as guarded streams."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, Guarded(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def console(stream: TextIO | None = None) -> Console:
    """A console of rich on a stream, standard output if none is given; in colour only on a terminal that wants it."""
    from rich.console import Console
    from rich.segment import Segment

    class Careful(Console):
        def render(self, renderable: Any, options: Any = None) -> Any:
            for segment in super().render(renderable, options):
                safe = segment.control or segment.text.isprintable()
                yield segment if safe else Segment(shown(segment.text), segment.style)

    wanted = stream or sys.stdout
    file = wanted.stream if isinstance(wanted, Guarded) else wanted
    return Careful(file=file, highlight=False, markup=False, emoji=False)
