"""One row of the table: what was done, how often, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """`outcome` counts how trials ended, by name; `failures` has a line for every thing that must not happen."""

    what: str
    times: int
    outcome: dict[str, int]
    failures: list[str]
