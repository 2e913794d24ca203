"""Names of seats and rounds, boards, and parts of the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from errai.games.spot import Spot

ROUNDS = ("preflop", "flop", "turn", "river")
POSITIONS = ("big blind, out of position", "button, in position")  # of hold'em after the flop


def board_text(where: Spot) -> str:
    """The public cards, those of the flop from the highest down."""
    return where.deck.format_board(where.board)


def pot_shares(where: Spot, value: tuple[float, float]) -> tuple[float, float]:
    """What part of the pot each player takes: net chips and what the player has put in, of all that is in."""
    first = (value[0] + where.state.spent[0]) / where.pot
    return first, 1 - first
