"""Cards and private hands: how they are written, and the integers the kernels know them by.

A card is the integer `rank * suits + suit`, so cards sort by rank first: in the full deck `2c` is 0 and
`As` is 51. A smaller deck keeps the lowest ranks and the first suits: Leduc hold'em is `Deck(3, 2)` with the
cards `2c 2d 3c 3d 4c 4d`.

The private hands of a game are numbered without gaps. With one hole card the index is the card; with two
cards a < b it is

    index(a, b) = b (b - 1) / 2 + a

so that the hands of a smaller deck are a prefix of those of a larger one.

The 1326 hold'em hands fall into 169 classes, drawn as a grid: aces top left, pairs on the diagonal, suited
hands above it and offsuit hands below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError

RANKS = "23456789TJQKA"
SUITS = "cdhs"

_SEPARATORS = ",/"
_SUIT_SYMBOLS = dict(zip("♣♦♥♠♧♢♡♤", SUITS + SUITS, strict=True))
_EMOJI_SELECTOR = "\ufe0f"  # trails a suit symbol that was typed as an emoji


@dataclass(frozen=True)
class Deck:
    """The lowest `ranks` ranks in the first `suits` suits."""

    ranks: int = 13
    suits: int = 4

    def __post_init__(self) -> None:
        if not 1 <= self.ranks <= len(RANKS):
            raise ErraiError(f"a deck of {self.ranks} ranks: it must have 1 to {len(RANKS)}")
        if not 1 <= self.suits <= len(SUITS):
            raise ErraiError(f"a deck of {self.suits} suits: it must have 1 to {len(SUITS)}")

    @property
    def size(self) -> int:
        return self.ranks * self.suits

    def format(self, card: int) -> str:
        """The card's two letters, as in `As`."""
        if not 0 <= card < self.size:
            raise ErraiError(f"card {card} is not in this deck: its cards are 0 to {self.size - 1}")
        rank, suit = divmod(int(card), self.suits)
        return RANKS[rank] + SUITS[suit]

    def format_cards(self, cards: Sequence[int] | NDArray[np.uint8], sep: str = "") -> str:
        return sep.join(self.format(card) for card in cards)

    def format_board(self, board: Sequence[Sequence[int]]) -> str:
        """The public cards of each deal, those of one deal from the highest down: Ks 7h 2d 5c."""
        return " ".join(self.format_cards(sorted(dealt, reverse=True), " ") for dealt in board if dealt)

    def parse(self, text: str) -> tuple[int, ...]:
        """The cards of a text such as `AsKh`, `10h, 9♠` or `Qs Jd 2c/3h`, in the order written.

        Cards may touch or be parted by spaces, commas or slashes; letters may be of either case.
        """
        cards: list[int] = []
        at = 0
        while at < len(text):
            if _parts_cards(text[at]):
                at += 1
                continue
            card, end = self._parse_card(text, at)
            if card in cards:
                raise ErraiError(
                    f"card '{self.format(card)}' at position {at + 1} of {text!r} is there twice: "
                    "name each card once"
                )
            cards.append(card)
            at = end
        return tuple(cards)

    def _parse_card(self, text: str, start: int) -> tuple[int, int]:
        """The card that begins at `start`, and where the text goes on after it."""
        ranks, suits = RANKS[: self.ranks], SUITS[: self.suits]
        rank_end = start + (2 if text.startswith("10", start) else 1)
        rank_text = text[start:rank_end]
        where = f"at position {start + 1} of {text!r}"
        rank = ranks.find("T" if rank_text == "10" else rank_text.upper())
        if rank < 0:
            raise ErraiError(f"rank {rank_text!r} {where} is not in this deck: its ranks are {ranks}")
        if rank_end == len(text) or _parts_cards(text[rank_end]):
            raise ErraiError(f"card '{rank_text}' {where} has no suit: follow the rank with one of {suits}")
        suit_text = text[rank_end]
        suit = suits.find(_SUIT_SYMBOLS.get(suit_text, suit_text.lower()))
        if suit < 0:
            raise ErraiError(
                f"suit {suit_text!r} of card {rank_text + suit_text!r} {where} is not in this deck: "
                f"its suits are {suits}"
            )
        end = rank_end + 1
        if text.startswith(_EMOJI_SELECTOR, end):
            end += 1
        return rank * self.suits + suit, end


FULL_DECK = Deck()


def _parts_cards(character: str) -> bool:
    return character.isspace() or character in _SEPARATORS


def hand_count(deck_size: int, hole_cards: int) -> int:
    """How many private hands of one or two cards a deck holds."""
    if hole_cards not in (1, 2):
        raise ErraiError(f"hands of {hole_cards} hole cards: only 1 or 2 are supported")
    return comb(deck_size, hole_cards)


def hands(deck_size: int, hole_cards: int) -> NDArray[np.uint8]:
    """All private hands in the order of their index, the lower card first: uint8 [N, hole_cards]."""
    count = hand_count(deck_size, hole_cards)
    if hole_cards == 1:
        cards = np.arange(deck_size)
    else:
        high, low = np.tril_indices(deck_size, -1)
        cards = np.column_stack([low, high])
    return cards.astype(np.uint8).reshape(count, hole_cards)


def hand_index(cards: Sequence[int] | NDArray[np.uint8]) -> int:
    """The index of a private hand, its one or two cards in any order."""
    if len(cards) == 1:
        return int(cards[0])
    if len(cards) != 2:
        raise ErraiError(f"a hand of {len(cards)} hole cards: only 1 or 2 are supported")
    low, high = sorted(int(card) for card in cards)
    if low == high:
        raise ErraiError(f"a hand holds card {low} twice: its two cards must differ")
    return high * (high - 1) // 2 + low


def hand_class_name(a: int, b: int) -> str:
    """The class of two cards of the full deck: `AA`, `AKs` or `AKo`."""
    (low, low_suit), (high, high_suit) = sorted((divmod(int(a), 4), divmod(int(b), 4)))
    name = RANKS[high] + RANKS[low]
    if high == low:
        return name
    return name + ("s" if high_suit == low_suit else "o")


def _grid_name(row: int, column: int) -> str:
    """Row and column count down from the ace."""
    first, second = RANKS[::-1][min(row, column)], RANKS[::-1][max(row, column)]
    if row == column:
        return first + second
    return first + second + ("s" if row < column else "o")


GRID: list[list[str]] = [[_grid_name(row, column) for column in range(13)] for row in range(13)]


def hand_class_of() -> NDArray[np.int16]:
    """For each hand index the cell `row * 13 + column` of GRID: int16 [1326]."""
    rank, suit = np.divmod(hands(FULL_DECK.size, 2), np.uint8(4))
    line = 12 - rank.astype(np.int16)
    low, high = line[:, 0], line[:, 1]
    suited = suit[:, 0] == suit[:, 1]
    return np.where(suited, high * np.int16(13) + low, low * np.int16(13) + high)
