"""What redoing a paper has found: facts beside the paper's, figures, and a page of both."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from errai.files.writing import make_folder, replacing_file


@dataclass(frozen=True)
class Fact:
    """One figure of a paper, and ours."""

    what: str
    paper: str
    ours: str
    how: str


@dataclass(frozen=True)
class Table:
    """Rows under a heading."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure in a file of the page's folder."""

    file: str
    caption: str


@dataclass
class Page:
    """All of a paper."""

    name: str
    title: str
    source: str  # authors, title, year
    facts: list[Fact] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    command: str = ""  # that made it
    made: str = ""  # by what machine, and how long it took

    def markdown(self) -> str:
        """The page as docs have it."""
        parts = [f"# {self.title}", self.source]
        parts += [f"    {self.command}"] if self.command else []
        parts += [self.made] if self.made else []
        parts.append(
            _rows(("", "paper", "ours", "how"), [(f.what, f.paper, f.ours, f.how) for f in self.facts])
        )
        for table in self.tables:
            parts += [f"## {table.heading}", _rows(table.columns, table.rows)]
            parts += [table.note] if table.note else []
        parts += [f"![{picture.caption}]({picture.file})" for picture in self.pictures]
        parts += ["## Where ours differs\n\n" + "\n\n".join(self.notes)] if self.notes else []
        return "\n\n".join(parts) + "\n"


def machine() -> str:
    """What this runs on, in words."""
    name = platform.processor() or platform.machine()
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    return f"{name}, {os.cpu_count()} cores"


def write_page(folder: Path, page: Page) -> Path:
    """folder/NAME.md; pictures are there already."""
    path = make_folder(folder) / f"{page.name}.md"
    with replacing_file(path) as new:
        new.write_text(page.markdown(), encoding="utf-8")
    return path


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])
