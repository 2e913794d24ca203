"""A hand in words: who did what on which board, names of rounds, and parts of the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from errai.games.state import parse_state

if TYPE_CHECKING:
    from errai.games.spot import Spot
    from errai.games.state import HandState

_BY_CARDS = {3: "flop", 4: "turn", 5: "river"}


def board_text(where: Spot) -> str:
    """The public cards, those of the flop from the highest down."""
    return where.deck.format_board(where.board)


def history(state: HandState, seats: tuple[str, str]) -> str:
    """button raises, big blind calls; flop Ks 7h 2d: big blind bets"""
    rounds = [_round_text(state, round_) for round_ in range(state.round + 1)]
    did: list[list[str]] = [[] for _ in rounds]
    before = parse_state(state.game)
    for action in state.actions:
        did[before.round].append(f"{seats[before.player]} {before.verb(action)}")
        before = before.act(action)
    parts = [
        ": ".join(part for part in (name, ", ".join(acts)) if part)
        for name, acts in zip(rounds, did, strict=True)
    ]
    return "; ".join(part for part in parts if part)


def pot_text(chips: float, big_blinds: float | None = None) -> str:
    """pot 50 chips = 5 bb"""
    blinds = "" if big_blinds is None else f" = {big_blinds:.4g} bb"
    return f"pot {chips:g} chip{'' if chips == 1 else 's'}{blinds}"


def pot_shares(where: Spot, value: tuple[float, float]) -> tuple[float, float]:
    """What part of the pot each player takes: net chips and what the player has put in, of all that is in."""
    first = (value[0] + where.state.spent[0]) / where.pot
    return first, 1 - first


def _round_text(state: HandState, round_: int) -> str:
    """flop Ks 7h 2d; nothing for a round without public cards."""
    size, new = state.game.board_sizes[round_], state.game.board_cards[round_]
    if not new:
        return ""
    name = _BY_CARDS.get(size, "board") if state.game.hole_cards == 2 else "board"
    dealt = state.cards[size - new : size]
    return f"{name} {state.deck.format_board([dealt])}".strip()
