"""The numbers of a subgame as 16-bit codes, and codes of one seat as sections of a chunk and back."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import FINEST, Grid, Weights
from errai.engine.layout import Layout
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.scale.chunk import PAYLOAD, REGRET, SCALES, WIDTHS, Chunk, Form, compressed
from errai.scale.kernels.packing import BLOCK, SPARE, pack, pair_up, sizes, take_apart, unpack

DEFAULT_METHODS = {"average": "sdcfr+", "current": "cfr+"}  # by what is kept; see docs/storage.md
SMALL = 20_000_000  # numbers: games that need no space saved are rounded as finely as can be
LARGEST = 32760.0  # of a code; rounding may make it the square of 181
REGRET_UNIT = 0.003  # of a regret of one big blind against every hand that the opponent may hold
AVERAGE_UNIT = 0.005  # of the weight of one iteration


@dataclass(frozen=True)
class Grids:
    """How finely codes of the last level are rounded, and whether an average is kept at all."""

    regret: Grid
    average: Grid
    with_average: bool
    signed: bool = False  # regrets may be below zero: those of a rule without a floor

    @property
    def forms(self) -> tuple[Form, Form]:
        """Of regrets and of the average, as chunks have them."""
        return Form(self.signed, self.regret.squares == 1), Form(False, self.average.squares == 1)


def grids_for(game: GameDefinition, numbers: int, with_average: bool, signed: bool = False) -> Grids:
    """Those that cost little exploitability, for a game of so many numbers; see docs/storage.md."""
    if numbers < SMALL:
        return Grids(FINEST, FINEST, with_average, signed)
    hidden = game.deck_size - game.hole_cards - sum(game.board_cards)
    opposing = comb(hidden, game.hole_cards)
    return Grids(
        Grid(REGRET_UNIT * game.unit * opposing, LARGEST, 1),
        Grid(AVERAGE_UNIT, LARGEST, 1),
        with_average,
        signed,
    )


def new_weights(layout: Layout, grids: Grids) -> Weights:
    """All zero."""
    numbers, scales = int(layout.boards.offset[-1]), int(layout.boards.block[-1])
    average = grids.with_average
    return Weights(
        regret=np.zeros(numbers, np.int16),
        average=np.zeros(numbers, np.int16) if average else None,
        regret_scale=np.zeros(scales, np.float32),
        average_scale=np.zeros(scales, np.float32) if average else None,
        regret_grid=grids.regret,
        average_grid=grids.average,
    )


def code_bytes(numbers: int, with_average: bool) -> int:
    """What `new_weights` takes, but for the scales."""
    return 2 * numbers * (1 + with_average)


class Room:
    """Buffers that grow with the largest subgame, for one thread."""

    def __init__(self) -> None:
        self._held: dict[str, NDArray[Any]] = {}

    def get(self, name: str, size: int, dtype: Any) -> NDArray[Any]:
        """So many numbers, with anything in them."""
        if name not in self._held or self._held[name].size < size:
            self._held[name] = np.zeros(size, dtype)
        return self._held[name][:size]

    def weights(self, layout: Layout, grids: Grids) -> Weights:
        """Weights of a subgame, with anything in them."""
        numbers, scales = int(layout.boards.offset[-1]), int(layout.boards.block[-1])
        average = grids.with_average
        return Weights(
            regret=self.get("regret", numbers, np.int16),
            average=self.get("average", numbers, np.int16) if average else None,
            regret_scale=self.get("regret_scale", scales, np.float32),
            average_scale=self.get("average_scale", scales, np.float32) if average else None,
            regret_grid=grids.regret,
            average_grid=grids.average,
        )


def packed(
    layout: Layout, seat: int, codes: NDArray[np.int16], scales: NDArray[np.float32], form: Form, room: Room
) -> tuple[list[bytes], int]:
    """The codes of a seat as sections, and how many they are."""
    count, blocks, pieces = map(int, sizes(layout.betting, layout.boards, seat))
    widths = room.get("widths", blocks, np.uint8)
    pairs = room.get("pairs", (blocks + 1) // 2, np.uint8)
    payload = room.get("payload", 2 * BLOCK * blocks + SPARE, np.uint8)
    seat_scales = room.get("seat_scales", pieces, np.float32)
    used = pack(layout.betting, layout.boards, seat, codes, scales, *form, widths, payload, seat_scales)
    pair_up(widths, pairs)
    return [compressed(pairs), payload[: int(used)].tobytes(), compressed(seat_scales)], count


def unpack_into(
    layout: Layout, seat: int, chunk: Chunk | None, first: int, weights: Weights, room: Room
) -> None:
    """The codes of a seat from the sections of a chunk that begin at `first`; all zero where there is no chunk.

    The first section says what they are: regrets or an average.
    """
    codes, scales = (
        (weights.regret, weights.regret_scale)
        if first == REGRET
        else (weights.average, weights.average_scale)
    )
    assert codes is not None
    assert scales is not None
    _, blocks, pieces = map(int, sizes(layout.betting, layout.boards, seat))
    widths = room.get("widths", blocks, np.uint8)
    if chunk is None:
        widths[:] = 0
        payload, seat_scales = np.zeros(SPARE, np.uint8), np.zeros(pieces, np.float32)
        form = Form(False, False)
    else:
        pairs = chunk.unpacked(first + WIDTHS, (blocks + 1) // 2)
        payload = chunk.sections[first + PAYLOAD]
        seat_scales = chunk.unpacked(first + SCALES, 4 * pieces).view(np.float32)
        form = chunk.forms[first != REGRET]
        if take_apart(pairs, widths) != len(payload) or not np.isfinite(seat_scales).all():
            raise ErraiError(f"{chunk.path} is damaged: its sections do not belong together")
    unpack(layout.betting, layout.boards, seat, codes, scales, *form, widths, payload, seat_scales)
