"""The arrays that the kernels work on, grouped. Numba takes named tuples as they are.

Legend: L levels (rounds from the root on), B boards, A rows, H hand classes, K contexts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Betting(NamedTuple):
    """The templates of all levels. Slots are, for each updating player, the opponent's sequences with endings."""

    first_node: Ints  # [L + 1]
    player: Ints  # [nodes]
    actions: Ints  # [nodes] 1 to 3
    row: Ints  # [nodes]
    sequence: Ints  # [nodes] the actor's sequence after the first action
    own: Ints  # [nodes] the actor's sequence that leads here
    assign: Ints  # [nodes] the first to write the value of `own`
    rows: Ints  # [L] A
    sequences: Ints  # [L, 2]
    contexts: Ints  # [L] K
    chunk: Ints  # [L] contexts worked on at a time
    leaves: Ints  # [L]
    first_context: Ints  # [L]
    stake: NDArray[np.float64]  # [contexts of all levels] chips each player has put in before the round
    chance: NDArray[np.float64]  # [L] probability of one board given its parent and both hands
    first_slot: Ints  # [L, 2 players]
    slots: Ints  # [L, 2]
    fold_slots: Ints  # [L, 2] slots with a fold: they come first
    leaf_slot: Ints  # [L, 2] first slot with a leaf: they come last
    slot_sequence: Ints  # [slots] the opponent's sequence
    fold_value: Ints  # [slots] my sequence at the fold
    fold_sign: NDArray[np.float64]  # [slots] +1 when the opponent folds, -1 when I do
    fold_amount: NDArray[np.float64]  # [slots]
    leaf_value: Ints  # [slots] my sequence at the leaf
    leaf_amount: NDArray[np.float64]  # [slots]
    leaf_assign: Ints  # [slots]
    leaf_index: Ints  # [slots] number of the leaf in the template
    leaf_sequence: Ints  # [L, 2, leaves] the player's sequence at each leaf
    two_cards: int  # 1 when hands have two cards


class Boards(NamedTuple):
    """The public tree with its hand classes, and where each board's arrays [A, H, K] lie in the store."""

    level: Ints  # [B]
    parent: NDArray[np.int32]  # [B]
    first_child: NDArray[np.int32]  # [B]
    children: NDArray[np.int32]  # [B]
    first_hand: Ints  # [B + 1]
    card: NDArray[np.uint8]  # [classes, 2]
    share: NDArray[np.float32]  # [classes, 2]
    size: NDArray[np.int32]  # [classes]
    up: NDArray[np.int32]  # [classes]
    up_weight: NDArray[np.float64]  # [classes]
    ties: NDArray[np.int32]
    first_tie: Ints  # [boards of the last level + 1]
    last_level: int
    first_last: int  # first board of the last level
    offset: Ints  # [B + 1] into the store
    block: Ints  # [B + 1] into the scales of a 16-bit store


class Chunk(NamedTuple):
    """Contexts k to k + K of a board: what is worked on at a time."""

    board: int
    level: int
    H: int
    k: int
    K: int


class Grid(NamedTuple):
    """How finely a store of codes is rounded. Fewer different codes take less space once compressed."""

    unit: float  # the smallest scale of the last level
    largest: float  # what a number is at most, in scales: what the type of the codes can hold, or less


FINEST = Grid(0.0, 32766.0)  # of 16-bit codes, since rounding may add one


class Weights(NamedTuple):
    """The numbers of a store, in the order of the layout; None where it does not have them."""

    regret: NDArray[Any]  # or an average that is evaluated
    prediction: NDArray[Any] | None = None
    average: NDArray[Any] | None = None
    regret_scale: NDArray[np.float32] | None = None
    average_scale: NDArray[np.float32] | None = None
    regret_grid: Grid = FINEST  # of regrets, if they are codes
    average_grid: Grid = FINEST  # and of averages


class Pass(NamedTuple):
    """What happens at the nodes: those of the player are updated, maximised or mixed."""

    player: int
    mode: int
    rates: NDArray[np.float64]  # [RATES]
    seed: int  # of rounding
    turn: int  # the iteration, from 1


class Workspace(NamedTuple):
    """What one thread needs for a walk: reach and values of one board of every level, and tiles."""

    reach: NDArray[np.floating]
    value: NDArray[np.floating]
    leaf: NDArray[np.floating]  # values of the leaves, [H, leaves * K]
    first_reach: Ints  # [L]
    first_value: Ints
    first_leaf: Ints
    sum_value: NDArray[np.floating]  # [H, K] a value that is to be added
    bases: Ints  # [W] where the stretches of a tile begin
    tile: NDArray[np.floating]  # [H + 1, W]
    out: NDArray[np.floating]  # [H + 1, W]
    sums: NDArray[np.floating]  # [cards + 2, W]
    amount: NDArray[np.floating]  # [2 * W]
    scratch: NDArray[np.floating]  # [SCRATCH, SEGMENT]


SCRATCH = 5

# Modes of a pass: what happens at the nodes of the player whose values are computed.
UPDATE, BEST, VALUE = 0, 1, 2

# Columns of the rates of one pass (see errai.engine.rules).
POSITIVE, NEGATIVE, WEIGHT, FLOOR, PREDICTION, AVERAGING, SHARPNESS = range(7)
RATES = 7
