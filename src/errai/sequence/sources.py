"""Where extensive games come from: a file, a name, the rules of a poker game, or OpenSpiel."""

from __future__ import annotations

from pathlib import Path

from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.runs.monitor import SILENT, Monitor
from errai.sequence.efg import read_efg
from errai.sequence.openspiel import MOST_NODES, read_openspiel
from errai.sequence.poker import poker_game
from errai.sequence.tree import ExtensiveGame

OPENSPIEL, EFG = "openspiel:", ".efg"


def is_extensive(source: str | Path) -> bool:
    """Whether a name can only mean an extensive game: an .efg file or a game of OpenSpiel."""
    return str(source).startswith(OPENSPIEL) or str(source).lower().endswith(EFG)


def extensive_game(
    source: str | Path | GameDefinition | ExtensiveGame,
    *,
    most_nodes: int = MOST_NODES,
    monitor: Monitor = SILENT,
) -> ExtensiveGame:
    """The tree of a game: an .efg file, `openspiel:NAME`, a built-in poker game, a .game file, or rules.

    A game of OpenSpiel is read node by node, up to `most_nodes`; the monitor is told how many there are so far.
    """
    if isinstance(source, ExtensiveGame):
        return source
    if isinstance(source, GameDefinition):
        return poker_game(source, monitor)
    name = str(source)
    if name.startswith(OPENSPIEL):
        return read_openspiel(name.removeprefix(OPENSPIEL), most_nodes, monitor)
    if name.lower().endswith(EFG):
        return read_efg(Path(source))
    return poker_game(load_game(source), monitor)
