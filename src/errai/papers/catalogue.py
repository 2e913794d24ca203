"""The papers by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from errai.errors import ErraiError
from errai.papers.page import Page
from errai.papers.redo import Redo


@dataclass(frozen=True)
class Paper:
    """What can be redone, and how long it takes on two cores."""

    title: str
    module: str  # with a function `redo`
    quick: str
    full: str

    def redo(self, wanted: Redo) -> Page:
        run: Callable[[Redo], Page] = import_module(self.module).redo
        return run(wanted)


PAPERS = {
    "bildman": Paper(
        "Bildman 2021: win-rate groups, separate rounds, CFR+",
        "errai.papers.bildman_page",
        quick="7 minutes",
        full="4 hours",
    ),
    "psopti": Paper(
        "Billings and others 2003: PsOpti, models of three rounds on joint buckets",
        "errai.papers.psopti_page",
        quick="40 minutes",
        full="6 hours",
    ),
    "tournament": Paper(
        "Miltersen and Sørensen 2007: a no-limit tournament by jam or fold",
        "errai.papers.tournament_page",
        quick="a minute",
        full="5 minutes",
    ),
}


def paper_named(name: str) -> Paper:
    """The paper of this name."""
    if name not in PAPERS:
        raise ErraiError(f"unknown paper {name!r}; the papers are {', '.join(PAPERS)}", parameter="name")
    return PAPERS[name]
