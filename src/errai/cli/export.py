"""`errai export`: a game as a Gambit file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json


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
    from errai.errors import ErraiError
    from errai.sequence import extensive_game, write_efg

    if file.suffix.lower() != ".efg":
        raise ErraiError(f"{file} must end in .efg, the one format that games are exported to")
    with Terminal() as terminal:
        tree = extensive_game(game, monitor=terminal)
        terminal.step(f"writing {tree.nodes:,} nodes")
        write_efg(tree, file)
    if json:
        content = {"game": tree.title, "nodes": tree.nodes, "information_sets": tree.information_sets}
        print_json({**content, "file": str(file)})
        return
    print_rows(
        [
            ("game", tree.title or "untitled"),
            ("nodes", f"{tree.nodes:,}"),
            ("information sets", f"{tree.information_sets:,}"),
            ("file", str(file)),
        ]
    )
