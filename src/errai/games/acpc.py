"""Lines of the ACPC (Annual Computer Poker Competition) as text: their fields, and their names of cards.

    MATCHSTATE:0:0:cc/:5d5c|/8dAs8s                               to a player: seat, hand, betting, cards
    STATE:0:cr300c/r900f:5d5c|9hQd/8dAs8s:300|-300:Alice|Bob      in a log: hand, betting, cards, chips won, players

Cards are the hole cards by seat with `|` between them, empty where they are hidden, then the public cards of
each round after a `/`. The ACPC takes a smaller deck from the high end: the three ranks of its Kuhn poker are
Q, K and A, where ours (`errai.cards.notation`) are 2, 3 and 4. The games are the same, and cards are renamed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from errai.cards.notation import FULL_DECK
from errai.errors import ErraiError
from errai.games.definition import GameDefinition

_CARDS = re.compile(r"([2-9TJQKA][cdhs])*", re.IGNORECASE)


class Dealt(NamedTuple):
    """The cards of a line."""

    hole: tuple[tuple[int, ...] | None, ...]  # by seat, None where hidden
    board: tuple[int, ...]  # in the order dealt


class MatchLine(NamedTuple):
    """The fields of a MATCHSTATE line."""

    seat: int
    hand_number: int
    betting: str
    cards: Dealt


class LogLine(NamedTuple):
    """The fields of a STATE line; chips and players are empty when the line ends before them."""

    hand_number: int
    betting: str
    cards: Dealt
    chips: tuple[float, ...]  # won by each seat
    players: tuple[str, ...]  # their names, by seat


def read_match_line(game: GameDefinition, text: str) -> MatchLine:
    """The fields of `MATCHSTATE:seat:hand:betting:cards`."""
    fields = text.strip().split(":")
    form = "MATCHSTATE:seat:hand:betting:cards"
    if fields[0] != "MATCHSTATE" or len(fields) != 5:
        raise ErraiError(f"{_shown(text)} is no match state; it has the form {form}")
    seat = _number(text, fields[1], "seat")
    if seat >= game.players:
        raise ErraiError(f"{_shown(text)}: seat {seat} does not exist; seats are 0 to {game.players - 1}")
    return MatchLine(seat, _number(text, fields[2], "hand"), fields[3], read_cards(game, fields[4]))


def read_log_line(game: GameDefinition, text: str) -> LogLine:
    """The fields of `STATE:hand:betting:cards:chips:players`."""
    fields = text.strip().split(":", 5)
    form = "STATE:hand:betting:cards:chips:players"
    if fields[0] != "STATE" or len(fields) not in (4, 6):
        raise ErraiError(f"{_shown(text)} is no state of a log; it has the form {form}")
    chips: tuple[float, ...] = ()
    players: tuple[str, ...] = ()
    if len(fields) == 6:
        try:
            chips = tuple(float(value) for value in fields[4].split("|"))
        except ValueError:
            raise ErraiError(
                f"{_shown(text)}: chips {fields[4]!a} are not numbers with '|' between"
            ) from None
        players = tuple(fields[5].split("|"))
        if (len(chips), len(players)) != (game.players, game.players):
            raise ErraiError(f"{_shown(text)}: needs {game.players} numbers of chips and as many players")
    return LogLine(_number(text, fields[1], "hand"), fields[2], read_cards(game, fields[3]), chips, players)


def read_cards(game: GameDefinition, text: str) -> Dealt:
    """The cards of `5d5c|9hQd/8dAs8s/2c`."""
    dealt, *later = text.split("/")
    by_seat = dealt.split("|")
    if len(by_seat) != game.players:
        raise ErraiError(f"cards {text!a}: hole cards are written as seat 0|seat 1, empty where hidden")
    last = _parse(game, by_seat[-1])
    # Public cards of the first round follow the hole cards of the last seat without a mark.
    at = max(len(last) - game.board_cards[0], 0)
    hole = [*(_parse(game, cards) for cards in by_seat[:-1]), last[:at]]
    board = [last[at:], *(_parse(game, cards) for cards in later)]
    for seat, cards in enumerate(hole):
        if len(cards) not in (0, game.hole_cards):
            raise ErraiError(f"cards {text!a}: seat {seat} has {len(cards)} cards, not {game.hole_cards}")
    for round_, cards in enumerate(board):
        wanted = game.board_cards[round_] if round_ < game.rounds else 0
        if len(cards) != wanted:
            raise ErraiError(f"cards {text!a}: round {round_ + 1} deals {wanted} cards, not {len(cards)}")
    return Dealt(tuple(cards or None for cards in hole), tuple(card for cards in board for card in cards))


def write_cards(
    game: GameDefinition, hole: Sequence[Sequence[int] | None], board: Sequence[Sequence[int]]
) -> str:
    """Hole cards by seat, None where hidden, and the public cards of each round so far."""
    ranks, suits = game.ranks, game.suits
    seats = tuple([() if cards is None else tuple(cards) for cards in hole])
    return _written(ranks, suits, "|", seats) + _written(ranks, suits, "/", tuple(map(tuple, board)))


@lru_cache(1 << 10)  # cards are written with every state of a hand
def _written(ranks: int, suits: int, between: str, parts: tuple[tuple[int, ...], ...]) -> str:
    names = _names(ranks, suits)
    return between.join(["".join([names[card] for card in part]) for part in parts])


@cache
def _names(ranks: int, suits: int) -> tuple[str, ...]:
    """By card of a deck of so many ranks and suits, its name in the ACPC."""
    lowest_rank, first_suit = FULL_DECK.ranks - ranks, FULL_DECK.suits - suits
    return tuple(
        FULL_DECK.format((lowest_rank + rank) * FULL_DECK.suits + first_suit + suit)
        for rank in range(ranks)
        for suit in range(suits)
    )


def _parse(game: GameDefinition, text: str) -> tuple[int, ...]:
    if not _CARDS.fullmatch(text):
        raise ErraiError(f"cards {text!a} are not written as the ACPC does, such as 8dAs8s")
    lowest_rank, first_suit = FULL_DECK.ranks - game.ranks, FULL_DECK.suits - game.suits
    cards = []
    for card in FULL_DECK.parse(text):
        rank, suit = card // FULL_DECK.suits - lowest_rank, card % FULL_DECK.suits - first_suit
        if rank < 0 or suit < 0:
            low = FULL_DECK.format(lowest_rank * FULL_DECK.suits + first_suit)
            raise ErraiError(
                f"card {FULL_DECK.format(card)} is not in the deck of {game.name}: "
                f"in the ACPC its {game.deck_size} cards are {low} to As"
            )
        cards.append(rank * game.suits + suit)
    return tuple(cards)


def _number(text: str, field: str, name: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", field):
        raise ErraiError(f"{_shown(text)}: {name} {field!a} is no number")
    return int(field)


def _shown(text: str) -> str:
    """Somebody's line as an error shows it: quoted, printable and short."""
    line = text.strip()
    return ascii(line if len(line) <= 80 else line[:77] + "...")
