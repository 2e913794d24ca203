"""Features of hands by the definition: every opponent, every run-out, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from errai.abstraction.features import Hands
from errai.cards.strength import strengths


def free(of: Hands, taken: tuple[int, ...]) -> list[int]:
    return [card for card in range(of.deck.size) if card not in taken]


def score(of: Hands, board: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The strength of every hand that the board leaves possible."""
    ranked = strengths(of.cards, board, of.deck, of.ranking)
    return {
        tuple(map(int, hand)): int(value) for hand, value in zip(of.cards, ranked, strict=True) if value >= 0
    }


def share(
    of: Hands, board: tuple[int, ...], hand: tuple[int, ...], opponents: set[int] | None = None
) -> float:
    """Win + half tie of a hand against the hands (numbers in `opponents`, or all) that share no card with it."""
    by_hand = score(of, board)
    numbers = {tuple(map(int, cards)): n for n, cards in enumerate(of.cards)}
    won = against = 0.0
    for other, value in by_hand.items():
        if not set(other) & set(hand) and (opponents is None or numbers[other] in opponents):
            against += 1
            won += 1.0 if by_hand[hand] > value else 0.5 if by_hand[hand] == value else 0.0
    return won / against if against else share(of, board, hand)


def run_outs(of: Hands, board: tuple[int, ...], hand: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for more in combinations(free(of, board + hand), of.last - len(board)):
        yield board + more


def last_shares(of: Hands, board: tuple[int, ...], hand: tuple[int, ...]) -> np.ndarray:
    return np.array([share(of, end, hand) for end in run_outs(of, board, hand)])


def potential(of: Hands, board: tuple[int, ...], hand: tuple[int, ...]) -> float:
    """The share of opponents that are ahead now and behind at the end."""
    now = score(of, board)
    gained = pairs = 0
    for end in run_outs(of, board, hand):
        then = score(of, end)
        for other in then:
            if not set(other) & set(hand):
                pairs += 1
                gained += now[other] > now[hand] and then[other] < then[hand]
    return gained / pairs
