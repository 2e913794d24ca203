"""A profile as a table, keyed by information set, for spreadsheets, notebooks and other programs."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from errai.errors import ErraiError
from errai.files.writing import replacing_file, write_json
from errai.sequence.profile import Profile
from errai.sequence.tree import ExtensiveGame

MOST_ROWS = 200_000  # information sets of a JSON object, which must be held in memory as a whole


def player_names(game: ExtensiveGame) -> tuple[str, str]:
    """The names of the players, which a table must tell apart."""
    first, second = game.players
    return (first, second) if first != second else ("seat 0", "seat 1")


def export_csv(profile: Profile, path: Path) -> None:
    """Columns player, information set, action, probability; one line an action."""
    players = player_names(profile.form.game)
    with replacing_file(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["player", "information set", "action", "probability"])
        for player, name, row in profile.rows():
            writer.writerows([players[player], name, action, share] for action, share in row.items())


def export_json(profile: Profile, path: Path) -> None:
    """One object: the game, the players, and for each player information set -> action -> probability."""
    game = profile.form.game
    if game.information_sets > MOST_ROWS:
        raise ErraiError(
            f"{game.title or 'this game'} has {game.information_sets:,} information sets; a JSON table has at most "
            f"{MOST_ROWS:,}: export it as CSV"
        )
    with replacing_file(path) as new:
        content = {"game": game.title, "players": list(game.players), "strategies": tables(profile)}
        write_json(new, {"format": "errai table", **content})


def tables(profile: Profile) -> list[dict[str, Any]]:
    """For each player information set -> action -> probability."""
    out: list[dict[str, Any]] = [{}, {}]
    for player, name, row in profile.rows():
        out[player][name] = row
    return out
