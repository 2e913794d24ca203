"""Which hands, and which seat, a player means.

Hands are written as cards (AhQd, 4c) or, in hold'em, as a range: AKs, A5o, 77, "AQ+, 99-66". In a game of one hole
card they are a list of cards, and a rank alone stands for all its suits. Seats go by their blinds, as button and
big blind, or by position: oop is out of position, first to act in the last round, and ip is in position.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import FULL_DECK, RANKS
from errai.cards.ranges import parse_range
from errai.errors import ErraiError
from errai.games.state import HandState
from errai.strategy.strategy import Strategy

_ALSO = {
    "big blind": ("bb",),
    "button": ("btn", "bu", "small blind", "sb"),
    "small blind": ("sb", "button", "btn", "bu"),
}


def chosen_hands(strategy: Strategy, state: HandState, text: str) -> NDArray[np.int64]:
    """The numbers of the hands that a text names and that can be held at a state."""
    game, deck = state.game, state.deck
    try:
        count = len(deck.parse(text))
    except ErraiError:
        count = 0
    if count == game.hole_cards:
        listed = [text]
    elif game.hole_cards == 1:
        listed = _cards_of(state, text)
    elif deck == FULL_DECK and count != 1:
        return _hands_of_range(strategy, state, text)
    else:
        listed = [text]  # for its complaint
    return np.array([strategy.hand_number(one, state) for one in listed], np.int64)


def _cards_of(state: HandState, text: str) -> list[str]:
    """The hands of one card in a list of cards and ranks."""
    deck, found = state.deck, []
    for item in re.findall(r"[^\s,]+", text) or [text]:
        rank = RANKS[: deck.ranks].find(item.upper()) if len(item) == 1 else -1
        cards = range(rank * deck.suits, (rank + 1) * deck.suits) if rank >= 0 else ()
        live = [deck.format(card) for card in cards if card not in state.cards]
        found += live or [item]
    return list(dict.fromkeys(found))


def _hands_of_range(strategy: Strategy, state: HandState, text: str) -> NDArray[np.int64]:
    try:
        weights = parse_range(text, state.cards)
    except ErraiError as error:
        raise ErraiError(f"hand: {error}", parameter="hand") from None
    if not np.isin(weights, (0.0, 1.0)).all():
        raise ErraiError(f"hands to look at have no weights: leave out the ':' of {text!a}", parameter="hand")
    held = (strategy.range_of(0) > 0) | (strategy.range_of(1) > 0)
    if not (held & (weights > 0)).any():
        raise ErraiError(f"no hand of {text!a} is in either player's range", parameter="hand")
    return np.flatnonzero(held & (weights > 0))


def seat_of(strategy: Strategy, text: str) -> int:
    """The seat that a word means: button, big-blind, oop, ip, or the number of a seat."""
    first = strategy.game.first_player[-1]
    known: dict[str, int] = {}
    for seat, name in enumerate(strategy.seats):
        position = "oop" if seat == first else "ip"
        for word in (name, *_ALSO.get(name, ()), position, str(seat), f"seat {seat}"):
            known.setdefault(_plain(word), seat)
    if _plain(text) not in known:
        names = ", ".join(name.replace(" ", "-") for name in strategy.seats)
        raise ErraiError(f"unknown seat {text!a}: choose {names}, oop or ip", parameter="seat")
    return known[_plain(text)]


def _plain(word: str) -> str:
    return re.sub(r"[\s_-]", "", word.lower())
