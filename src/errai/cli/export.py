"""`errai export`: a game as a Gambit file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json

# Of a file that is written, measured on games of poker.
BYTES_OF_A_NODE, SECONDS_OF_A_NODE = 32, 2.5e-6
WORTH_SAYING = 5.0  # seconds


def export(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A built-in game, FILE.game, FILE.efg or openspiel:NAME.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE.efg", help="The file to write.")],
    json: Json = False,
) -> None:
    """Write a small game as an extensive-form file (.efg), as Gambit and errai solve read it.

    Every card, branch and information set is written out, so this is for games of up to a few million nodes.

    \b
    Examples:
      errai export leduc leduc.efg
      errai export openspiel:liars_dice dice.efg
    """
    from errai.cli.output import print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.engine.memory import format_bytes
    from errai.errors import ErraiError
    from errai.files.writing import make_folder, require_room
    from errai.formatting import duration
    from errai.sequence import extensive_game, write_efg
    from errai.sequence.poker import canonical_information_sets, sets_text

    if file.suffix.lower() != ".efg":
        raise ErraiError(f"{file} must end in .efg, the one format that games are exported to")
    with Terminal() as terminal:
        tree = extensive_game(game, monitor=terminal)
        size, seconds = BYTES_OF_A_NODE * tree.nodes, SECONDS_OF_A_NODE * tree.nodes
        require_room(make_folder(file.parent), size)
        if seconds > WORTH_SAYING:
            terminal.say(
                f"estimate: {tree.nodes:,} nodes, {format_bytes(size)} on disk, about {duration(seconds)}"
            )
        terminal.step(f"writing {tree.nodes:,} nodes")
        write_efg(tree, file)
    if json:
        print_json(
            {
                "game": tree.title,
                "nodes": tree.nodes,
                "information_sets": canonical_information_sets(tree),
                "tree_information_sets": tree.information_sets,
                "file": str(file),
            }
        )
        return
    print_rows(
        [
            ("game", tree.title or "untitled"),
            ("nodes", f"{tree.nodes:,}"),
            ("information sets", sets_text(tree)),
            ("file", str(file)),
        ]
    )
