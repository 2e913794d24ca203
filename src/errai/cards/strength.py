"""How strong a hand is at showdown: one int32, where more is better and equal is a tie.

A strength packs the category and two masks of ranks (bit 0 the deuce, bit 12 the ace):

    strength = category << 26 | made << 13 | kickers

`made` marks the ranks that make the hand and `kickers` the ranks that complete it; a full house keeps its
pair among the kickers. Comparing two masks that hold equally many ranks is comparing their highest rank, then
the next and so on, as poker does, so comparing strengths is comparing hands. Only hands of equally many cards
compare.

The kernels hold a set of cards in one int64: sixteen bits for each suit, one bit for each rank. Joining a
hand and a board is then a single `or`, and the ranks held at least twice or three times are a few `and`s and
`or`s of the four suits.

There are two rankings. `ACPC` is the best five of up to seven cards; with fewer than five, straights and
flushes do not exist and only the counts of ranks matter, which also serves Kuhn and Leduc. `THREE_CARD` is
for exactly three cards, as in Rhode Island hold'em, where trips beat a straight and a straight beats a flush.
The ace also plays low in a straight; a deck without all thirteen ranks has no ace, hence no such straight.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.notation import FULL_DECK, Deck
from errai.errors import ErraiError

ACPC = 0
THREE_CARD = 1
RANKINGS = {"acpc": ACPC, "three-card": THREE_CARD}

_CATEGORY_NAMES = {
    ACPC: (
        "high card",
        "pair",
        "two pair",
        "three of a kind",
        "straight",
        "flush",
        "full house",
        "four of a kind",
        "straight flush",
    ),
    THREE_CARD: ("high card", "pair", "flush", "straight", "three of a kind", "straight flush"),
}

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
THREE_CARD_FLUSH, THREE_CARD_STRAIGHT, THREE_CARD_TRIPS, THREE_CARD_STRAIGHT_FLUSH = range(2, 6)

CATEGORY_SHIFT = 26
MADE_SHIFT = 13
MOST_CARDS = 7
NO_STRENGTH = -1  # a hand that the board makes impossible

_SUIT_BITS = 16
_ALL_RANKS = (1 << 13) - 1
_MASKS = range(1 << 13)


def _highest_ranks(mask: int, most: int) -> int:
    """The `most` highest ranks of a mask, or all of them when there are fewer."""
    while mask.bit_count() > most:
        mask &= mask - 1
    return mask


def _straight_top(mask: int, length: int) -> int:
    """The highest card, as a mask of one rank, of the best straight in a mask of ranks; 0 without one."""
    with_low_ace = mask << 1 | mask >> 12
    run = (1 << length) - 1
    for top in range(12, length - 3, -1):
        if with_low_ace >> (top - length + 2) & run == run:
            return 1 << top
    return 0


def _table(of_mask: Callable[[int], int]) -> NDArray[np.int16]:
    return np.array([of_mask(mask) for mask in _MASKS], dtype=np.int16)


_HIGHEST_1 = _table(lambda mask: _highest_ranks(mask, 1))
_HIGHEST_2 = _table(lambda mask: _highest_ranks(mask, 2))
_HIGHEST_3 = _table(lambda mask: _highest_ranks(mask, 3))
_HIGHEST_5 = _table(lambda mask: _highest_ranks(mask, 5))
_STRAIGHT_OF_5 = _table(lambda mask: _straight_top(mask, 5))
_STRAIGHT_OF_3 = _table(lambda mask: _straight_top(mask, 3))
_SUITED_FIVE = _table(lambda mask: mask if mask.bit_count() >= 5 else 0)

# [suits - 1, card]: the one bit of a card in a set; a card past the deck's end is never looked up.
_CARD_BIT = np.array(
    [
        [1 << (card % suits * _SUIT_BITS + card // suits) for card in range(FULL_DECK.size)]
        for suits in range(1, FULL_DECK.suits + 1)
    ],
    dtype=np.int64,
)


@njit(cache=True, nogil=True)
def _pack(category: int, made: int, kickers: int) -> np.int32:
    return np.int32(category << CATEGORY_SHIFT | made << MADE_SHIFT | kickers)


@njit(cache=True, nogil=True)
def strength_of_set(card_set: int, count: int, ranking: int) -> np.int32:
    """The strength of a set of `count` cards, sixteen bits a suit."""
    a = card_set & _ALL_RANKS
    b = card_set >> _SUIT_BITS & _ALL_RANKS
    c = card_set >> 2 * _SUIT_BITS & _ALL_RANKS
    d = card_set >> 3 * _SUIT_BITS & _ALL_RANKS
    held = a | b | c | d
    twice = (a & b) | (c & d) | ((a | b) & (c | d))
    thrice = (a & b & (c | d)) | (c & d & (a | b))

    if ranking == THREE_CARD:
        if thrice:
            return _pack(THREE_CARD_TRIPS, thrice, 0)
        if twice:
            return _pack(PAIR, twice, held ^ twice)
        straight = int(_STRAIGHT_OF_3[held])
        if held in (a, b, c, d):
            if straight:
                return _pack(THREE_CARD_STRAIGHT_FLUSH, straight, 0)
            return _pack(THREE_CARD_FLUSH, 0, held)
        if straight:
            return _pack(THREE_CARD_STRAIGHT, straight, 0)
        return _pack(HIGH_CARD, 0, held)

    # Five different ranks leave two of seven cards: too few for a full house or quads as well.
    if count >= 5:
        suited_ranks = int(_SUITED_FIVE[a] | _SUITED_FIVE[b] | _SUITED_FIVE[c] | _SUITED_FIVE[d])
        if suited_ranks:
            straight = int(_STRAIGHT_OF_5[suited_ranks])
            if straight:
                return _pack(STRAIGHT_FLUSH, straight, 0)
            return _pack(FLUSH, 0, int(_HIGHEST_5[suited_ranks]))
        straight = int(_STRAIGHT_OF_5[held])
        if straight:
            return _pack(STRAIGHT, straight, 0)

    if twice == 0:
        return _pack(HIGH_CARD, 0, int(_HIGHEST_5[held]))
    if thrice == 0:
        pairs = int(_HIGHEST_2[twice])
        if pairs & (pairs - 1):
            return _pack(TWO_PAIR, pairs, int(_HIGHEST_1[held ^ pairs]))
        return _pack(PAIR, pairs, int(_HIGHEST_3[held ^ pairs]))
    quads = a & b & c & d
    if quads:
        return _pack(QUADS, quads, int(_HIGHEST_1[held ^ quads]))
    trips = int(_HIGHEST_1[thrice])
    if twice ^ trips:
        return _pack(FULL_HOUSE, trips, int(_HIGHEST_1[twice ^ trips]))
    return _pack(TRIPS, trips, int(_HIGHEST_2[held ^ trips]))


@njit(cache=True, nogil=True)
def evaluate(cards: NDArray[np.uint8], count: int, suits: int, ranks: int, ranking: int) -> np.int32:
    """The strength of the first `count` of `cards`, from a deck of `suits` suits and `ranks` ranks.

    `ranks` completes the deck's description; no step depends on it, as only a thirteenth rank is an ace.
    """
    card_set = 0
    for k in range(count):
        card_set |= int(_CARD_BIT[suits - 1, cards[k]])
    return strength_of_set(card_set, count, ranking)


@njit(cache=True, nogil=True)
def strengths_into(
    hands: NDArray[np.uint8],
    board: NDArray[np.uint8],
    suits: int,
    ranks: int,
    ranking: int,
    out: NDArray[np.int32],
) -> None:
    """Writes to out[N] the strength of each of hands[N, h] with board[b]; -1 where they share a card.

    out[n] = evaluate(hands[n] + board, h + b, suits, ranks, ranking)
    """
    board_set = 0
    for k in range(board.shape[0]):
        board_set |= int(_CARD_BIT[suits - 1, board[k]])
    hole_cards = hands.shape[1]
    count = hole_cards + board.shape[0]
    for n in range(hands.shape[0]):
        hand_set = 0
        for k in range(hole_cards):
            hand_set |= int(_CARD_BIT[suits - 1, hands[n, k]])
        if hand_set & board_set:
            out[n] = NO_STRENGTH
        else:
            out[n] = strength_of_set(hand_set | board_set, count, ranking)


@njit(cache=True, nogil=True)
def end_of_ties(strength: NDArray[np.int32], order: NDArray[Any], start: int, live: int) -> int:
    """Where the hands that are as strong as the one at `start` end, of `live` hands in order of strength."""
    end = start + 1
    while end < live and strength[order[end]] == strength[order[start]]:
        end += 1
    return end


@njit(cache=True, nogil=True)
def rank_hands(
    hands: NDArray[np.uint8],
    board: NDArray[np.uint8],
    suits: int,
    ranks: int,
    ranking: int,
    strength: NDArray[np.int32],
    keys: NDArray[np.int64],
    order: NDArray[np.int64],
    ties: NDArray[np.int32],
) -> tuple[int, int]:
    """Writes to `order` the hands that a board allows, the weakest first, and to `ties` where each tie ends.

    Returns how many hands and how many ties there are; strength[N] and keys[N] are scratch.
    """
    N = hands.shape[0]
    strengths_into(hands, board, suits, ranks, ranking, strength)
    n = 0
    for h in range(N):
        if strength[h] != NO_STRENGTH:
            keys[n] = np.int64(strength[h]) * N + h
            n += 1
    keys[:n].sort()
    tie = 0
    for i in range(n):
        order[i] = keys[i] % N
        if i == n - 1 or keys[i] // N != keys[i + 1] // N:
            ties[tie] = i + 1
            tie += 1
    return n, tie


def strengths(
    hands: NDArray[np.uint8],
    board: Sequence[int] | NDArray[np.uint8] = (),
    deck: Deck = FULL_DECK,
    ranking: int = ACPC,
) -> NDArray[np.int32]:
    """The strength of every hand with the board, int32 [N]; -1 for a hand that holds a card of the board."""
    hands = np.ascontiguousarray(hands, dtype=np.uint8)
    if hands.ndim != 2:
        raise ErraiError(f"hands of {hands.ndim} dimensions: give one row for each hand")
    if hands.size and hands.max() >= deck.size:
        raise ErraiError(f"a hand holds card {hands.max()}: the deck's cards are 0 to {deck.size - 1}")
    board_text = deck.format_cards(board)
    if len(set(board)) != len(board):
        raise ErraiError(f"board '{board_text}' holds a card twice: its cards must differ")
    count = hands.shape[1] + len(board)
    _check_ranking(ranking)
    if ranking == THREE_CARD and count != 3:
        raise ErraiError(f"a hand of {count} cards: the three-card ranking needs exactly 3")
    if not 1 <= count <= MOST_CARDS:
        raise ErraiError(f"a hand of {count} cards: 1 to {MOST_CARDS} can be ranked")
    out = np.empty(hands.shape[0], dtype=np.int32)
    strengths_into(hands, np.array(board, dtype=np.uint8), deck.suits, deck.ranks, ranking, out)
    return out


def category(strength: int) -> int:
    """The category's place in its ranking, 0 for a high card."""
    return int(strength) >> CATEGORY_SHIFT


def category_name(strength: int, ranking: int = ACPC) -> str:
    """The category in words, such as `two pair`."""
    _check_ranking(ranking)
    names = _CATEGORY_NAMES[ranking]
    place = category(strength)
    if not 0 <= place < len(names):
        raise ErraiError(f"{strength} is not a strength of the chosen ranking")
    return names[place]


def _check_ranking(ranking: int) -> None:
    if ranking not in _CATEGORY_NAMES:
        known = ", ".join(f"{code} ({name})" for name, code in RANKINGS.items())
        raise ErraiError(f"ranking {ranking} does not exist: choose one of {known}")
