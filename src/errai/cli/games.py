"""`errai games`: the built-in games and what solving each would take."""

from __future__ import annotations

from typing import Any

from errai.cli.options import Json


def games(json: Json = False) -> None:
    """List the built-in games, their sizes, and whether they fit into this machine's memory.

    Information sets are counted once for all renamings of suits. Memory is that of a solution with an average
    strategy in float32.

    \b
    Examples:
      errai games
      errai games --json
    """
    from errai.engine.memory import RESERVE, available_memory, estimate_game, format_bytes
    from errai.games.catalogue import builtin_names, describe, load_game
    from errai.games.sizes import information_sets

    available = available_memory()
    found: list[dict[str, Any]] = []
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
    if json:
        from errai.cli.output import print_json

        print_json({"available_bytes": available, "games": found})
        return

    from shutil import get_terminal_size
    from textwrap import fill

    width = get_terminal_size().columns
    print(f"{'game':<14}{'rounds':>7}{'information sets':>21}{'memory':>10}   fits here")
    for row in found:
        size = f"{row['information_sets']:>21,}{format_bytes(row['memory_bytes']):>10}"
        print(f"{row['name']:<14}{row['rounds']:>7}{size}   {'yes' if row['fits'] else 'no'}")
        print(fill(row["description"], width, initial_indent="  ", subsequent_indent="  "))
    print(f"\n{format_bytes(available)} of memory are available here.")
