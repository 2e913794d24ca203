"""The built-in games, and what solving each would take."""

from __future__ import annotations

from typing import Any

from errai.engine.memory import RESERVE, estimate_game
from errai.games.catalogue import builtin_names, describe, load_game, no_limit_names
from errai.games.sizes import information_sets


def game_list(available: int) -> list[dict[str, Any]]:
    """One object for each game, as JSON holds it; `available` is the memory in bytes."""
    found = []
    for name in builtin_names():
        game = load_game(name)
        memory = estimate_game(game).total
        found.append(
            {
                "name": name,
                "description": describe(name),
                "rounds": game.rounds,
                "information_sets": information_sets(game),
                "memory_bytes": memory,
                "fits": memory <= RESERVE * available,
            }
        )
    return found


def table_games() -> list[dict[str, str]]:
    """The built-in games that are played but not solved."""
    return [{"name": name, "description": describe(name)} for name in no_limit_names()]
