"""A spot as JSON, to be saved with a solution and rebuilt from it exactly.

The rules are saved as their `.game` text, so that a solution needs no other file. Ranges are saved beside
the JSON as one array, number by number; the usual case, every hand that the board allows, is just "uniform".
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hand_count, hands
from errai.errors import ErraiError
from errai.files.pending import located
from errai.files.reading import load_array
from errai.games.definition import parse_game
from errai.games.spot import Spot, spot, whole_game

RANGES = "ranges.npy"
UNIFORM = "uniform"


def spot_to_json(where: Spot) -> tuple[dict[str, Any], NDArray[np.float64] | None]:
    """A JSON object, and the ranges [2, N] when they are not uniform."""
    uniform = _allowed(where)
    given = not all(np.array_equal(weights, uniform) for weights in where.ranges)
    content = {
        "name": where.game.name,
        "game": where.game.text(),
        "betting": where.betting,
        "board": where.deck.format_cards(where.cards, " "),
        "ranges": RANGES if given else UNIFORM,
    }
    return content, np.stack(where.ranges) if given else None


def spot_from_json(content: dict[str, Any], ranges: NDArray[np.float64] | None = None) -> Spot:
    """The spot of `spot_to_json`."""
    game = parse_game(content["game"], name=content["name"])
    betting, board = content["betting"], content["board"]
    pair = (None, None) if ranges is None else (ranges[0].copy(), ranges[1].copy())
    if betting or board:
        return spot(game, board, betting, pair)
    start = whole_game(game)
    return start if pair[0] is None or pair[1] is None else replace(start, ranges=(pair[0], pair[1]))


def load_spot(folder: Path, content: dict[str, Any], checksum: int | None) -> Spot:
    """The spot of a JSON object, with the ranges beside it in RANGES, which must have this CRC-32."""
    if content["ranges"] == UNIFORM:
        return spot_from_json(content)
    game = parse_game(content["game"], name=content["name"])
    shape = (2, hand_count(game.deck_size, game.hole_cards))
    path = located(folder, RANGES, checksum)
    ranges = load_array(path, np.dtype(np.float64), shape, int(checksum or 0))
    if not (np.isfinite(ranges) & (ranges >= 0)).all():
        raise ErraiError(f"{path} is damaged: it has weights that are none")
    return spot_from_json(content, ranges)


def _allowed(where: Spot) -> NDArray[np.float64]:
    """[N] 1 for every hand that the board allows."""
    holes = hands(where.deck.size, where.game.hole_cards)
    dealt = np.isin(holes, np.array(where.cards, dtype=holes.dtype)).any(axis=1)
    return np.where(dealt, 0.0, 1.0)
