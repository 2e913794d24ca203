"""The numbers of a subgame as codes, and codes of one seat as sections of a chunk and back.

Codes are 16-bit fixed point in small games, and roots of 8 bits in large ones (errai.engine.kernels.matching).
"""

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
from errai.scale.kernels.packing import SPARE, pack, pair_up, sizes, take_apart, unpack
from errai.scale.kernels.rows import BLOCK

Codes = NDArray[np.int8] | NDArray[np.int16]
DEFAULT_METHODS = {"average": "sdcfr+", "current": "cfr+"}  # by what is kept; see docs/storage.md
SMALL = 20_000_000  # numbers: games that need no space saved are rounded as finely as can be
LARGEST = 16128.0  # units of a root; rounding may make it the square of 127
REGRET_UNIT = 0.003  # of a regret of one big blind against every hand that the opponent may hold
AVERAGE_UNIT = 0.005  # of the weight of one iteration


@dataclass(frozen=True)
class Grids:
    """How finely codes are rounded, and whether an average is kept at all."""

    regret: Grid
    average: Grid
    with_average: bool
    signed: bool = False  # regrets may be below zero: those of a rule without a floor
    roots: bool = False  # of 8 bits, instead of 16-bit fixed point

    @property
    def type(self) -> type[np.int8 | np.int16]:
        """Of a code."""
        return np.int8 if self.roots else np.int16

    @property
    def forms(self) -> tuple[Form, Form]:
        """Of regrets and of the average, as chunks have them."""
        return Form(self.signed, self.roots), Form(False, self.roots)


def grids_for(game: GameDefinition, numbers: int, with_average: bool, signed: bool = False) -> Grids:
    """Those that cost little exploitability, for a game of so many numbers; see docs/storage.md."""
    if numbers < SMALL:
        return Grids(FINEST, FINEST, with_average, signed)
    hidden = game.deck_size - game.hole_cards - sum(game.board_cards)
    opposing = comb(hidden, game.hole_cards)
    regret = Grid(REGRET_UNIT * game.unit * opposing, LARGEST)
    return Grids(regret, Grid(AVERAGE_UNIT, LARGEST), with_average, signed, roots=True)


def new_weights(layout: Layout, grids: Grids) -> Weights:
    """All zero."""
    numbers, scales = int(layout.boards.offset[-1]), int(layout.boards.block[-1])
    average = grids.with_average
    return Weights(
        regret=np.zeros(numbers, grids.type),
        average=np.zeros(numbers, grids.type) if average else None,
        regret_scale=np.zeros(scales, np.float32),
        average_scale=np.zeros(scales, np.float32) if average else None,
        regret_grid=grids.regret,
        average_grid=grids.average,
    )


def code_bytes(numbers: int, grids: Grids) -> int:
    """What `new_weights` takes, but for the scales."""
    return np.dtype(grids.type).itemsize * numbers * (1 + grids.with_average)


def sizes_of(codes: Codes) -> NDArray[np.int16]:
    """What codes stand for, in units of their scales."""
    wide = codes.astype(np.int16)
    return wide * np.abs(wide) if codes.dtype == np.int8 else wide


class Room:
    """Buffers that grow with the largest subgame, for one thread."""

    def __init__(self) -> None:
        self._held: dict[str, NDArray[Any]] = {}

    def get(self, name: str, size: int, dtype: Any) -> NDArray[Any]:
        """So many numbers, with anything in them."""
        held = self._held.get(name)
        if held is None or held.size < size or held.dtype != dtype:
            self._held[name] = np.zeros(size, dtype)
        return self._held[name][:size]

    def weights(self, layout: Layout, grids: Grids) -> Weights:
        """Weights of a subgame, with anything in them."""
        numbers, scales = int(layout.boards.offset[-1]), int(layout.boards.block[-1])
        average = grids.with_average
        return Weights(
            regret=self.get("regret", numbers, grids.type),
            average=self.get("average", numbers, grids.type) if average else None,
            regret_scale=self.get("regret_scale", scales, np.float32),
            average_scale=self.get("average_scale", scales, np.float32) if average else None,
            regret_grid=grids.regret,
            average_grid=grids.average,
        )


def packed(
    layout: Layout,
    seat: int,
    codes: Codes,
    scales: NDArray[np.float32],
    form: Form,
    room: Room,
    name: str = "payload",
) -> tuple[list[Any], int]:
    """The codes of a seat as sections, and how many they are. The payload is in the buffer of that name."""
    count, blocks, pieces = map(int, sizes(layout.betting, layout.boards, seat, codes.itemsize))
    widths = room.get("widths", blocks, np.uint8)
    pairs = room.get("pairs", (blocks + 1) // 2, np.uint8)
    payload = room.get(name, BLOCK * blocks + SPARE, np.uint8)
    seat_scales = room.get("seat_scales", pieces, np.float32)
    used = pack(layout.betting, layout.boards, seat, codes, scales, form.signed, widths, payload, seat_scales)
    pair_up(widths, pairs)
    return [compressed(pairs), payload[: int(used)], compressed(seat_scales)], count


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
    _, blocks, pieces = map(int, sizes(layout.betting, layout.boards, seat, codes.itemsize))
    widths = room.get("widths", blocks, np.uint8)
    if chunk is None:
        widths[:] = 0
        payload, seat_scales = np.zeros(SPARE, np.uint8), np.zeros(pieces, np.float32)
        signed = False
    else:
        pairs = chunk.unpacked(first + WIDTHS, (blocks + 1) // 2)
        payload = chunk.sections[first + PAYLOAD]
        seat_scales = chunk.unpacked(first + SCALES, 4 * pieces).view(np.float32)
        signed, roots = chunk.forms[first != REGRET]
        if roots != (codes.dtype == np.int8):
            raise ErraiError(f"{chunk.path} is damaged: its codes are not those of this game")
        if take_apart(pairs, widths) != len(payload) or not np.isfinite(seat_scales).all():
            raise ErraiError(f"{chunk.path} is damaged: its sections do not belong together")
    unpack(layout.betting, layout.boards, seat, codes, scales, signed, widths, payload, seat_scales)
