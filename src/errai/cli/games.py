"""`errai games`: the built-in games and what solving each would take."""

from __future__ import annotations

from errai.cli.options import Json


def games(json: Json = False) -> None:
    """List the built-in games, their sizes, and whether they fit into this machine's memory.

    Games of no-limit betting are played at a table (errai match, dealer, agent) but not solved.

    Information sets are counted once for all renamings of suits. Memory is that of a solution with an average
    strategy in float32.

    \b
    Examples:
      errai games
      errai games --json
    """
    from errai.engine.memory import available_memory, format_bytes
    from errai.views.games import game_list, table_games

    available = available_memory()
    found = game_list(available)
    if json:
        from errai.cli.output import print_json

        print_json({"available_bytes": available, "games": found, "table_games": table_games()})
        return

    from shutil import get_terminal_size
    from textwrap import fill

    width = get_terminal_size().columns
    print(f"{'game':<14}{'rounds':>7}{'information sets':>21}{'memory':>10}   fits here")
    for row in found:
        size = f"{row['information_sets']:>21,}{format_bytes(row['memory_bytes']):>10}"
        print(f"{row['name']:<14}{row['rounds']:>7}{size}   {'yes' if row['fits'] else 'no'}")
        print(fill(row["description"], width, initial_indent="  ", subsequent_indent="  "))
    print("\nplayed at a table, not solved (errai match, dealer, agent)")
    for game in table_games():
        print(game["name"])
        print(fill(game["description"], width, initial_indent="  ", subsequent_indent="  "))
    print(f"\n{format_bytes(available)} of memory are available here.")
