"""Hands as poker rooms write them: PokerStars and those whose files look like its own, limit hold'em of two players.

    PokerStars Hand #1: Hold'em Limit ($1/$2 USD) - 2024/01/31 20:15:00 ET
    Table 'Altair' 2-max Seat #1 is the button
    Seat 1: Alice ($50 in chips)
    Seat 2: Bob ($40 in chips)
    Alice: posts small blind $0.50
    Bob: posts big blind $1
    *** HOLE CARDS ***
    Dealt to Alice [Ah Kd]
    Alice: raises $1 to $2
    Bob: folds
    Uncalled bet ($1) returned to Alice
    Alice collected $2 from pot

The opponent's cards are known only where they are shown. Full Tilt writes the same without the colon. Talk, time
banks and whatever else rooms write between is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState
from errai.play.history import Told

HEADER = re.compile(r"\S.{0,60}?\b(?:Hand|Game) #(?P<number>[0-9]{1,18})\b.*")
_LIMIT = re.compile(r"\blimit\b")
_OTHER = re.compile(r"\b(?:no|pot)[ -]?limit\b")
_AMOUNT = r"[^\d\s(]{0,3}(?P<amount>[0-9][0-9,]{0,14}(?:\.[0-9]{1,6})?)"
_SEAT = re.compile(r"Seat (?P<seat>\d+): (?P<name>.+?) \(" + _AMOUNT + r"[^)]*\)(?P<rest>.*)")
_DEALT = re.compile(r"Dealt to (?P<name>.+?) \[(?P<cards>[^\]]+)\]\s*")
_STREET = re.compile(r"\*\*\* (?P<street>[A-Z ]+?) \*\*\*(?P<rest>.*)")
_CARDS = re.compile(r"\[([^\]]*)\]")
_BLIND = re.compile(r"posts (?:the |a )?(?P<which>small|big) blind(?: of)? " + _AMOUNT)
_ACTION = re.compile(r"(?P<verb>folds|checks|calls|bets|raises|completes)\b(?P<rest>.*)")
_TO = re.compile(r"\bto " + _AMOUNT)
_PAID = re.compile(_AMOUNT)
_SHOWN = re.compile(r"(?:shows|showed|mucked|mucks|folds)\b[^\[]*\[(?P<cards>[^\]]+)\]")
_TAKEN = re.compile(r"(?:collected|collects|wins|won|ties for)\b[^\d]*?" + _AMOUNT)
_ROUNDS = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_LETTERS = {"folds": "f", "checks": "c", "calls": "c", "bets": "r", "raises": "r", "completes": "r"}


class RoomHand:
    """One hand, line by line. `line` is the number of the last that was read."""

    def __init__(self, game: GameDefinition, header: str, line: int) -> None:
        found = HEADER.fullmatch(header)
        assert found is not None
        self.number, self.line, self.hero = int(found["number"]), line, ""
        self._game, self._header, self._first = game, header, line
        self._told: Told | None = None
        self._seated: list[str] = []
        self._blinds: dict[str, Fraction] = {}
        self._hole: dict[str, str] = {}
        self._taken: dict[str, Fraction] = {}
        self._summary = False

    def read(self, lines: Iterable[tuple[int, str]]) -> tuple[HandState, tuple[str, str], tuple[int, int]]:
        """The end of the hand, its players and chips won, by seat."""
        if not _is_limit_holdem(self._header):
            raise ErraiError("no hand of limit hold'em")
        for self.line, line in lines:
            self._read(line)
        self.line = self._first
        told = self._begun()
        for name, cards in self._hole.items():
            told.hand(name, cards)
        state, won = told.end(self._taken)
        return state, told.players, won

    def _read(self, line: str) -> None:
        if found := _STREET.match(line):
            self._street(found["street"], found["rest"])
        elif self._summary:
            self._told_afterwards(line)
        elif self._told is None and (found := _SEAT.match(line)):
            if "sitting out" not in found["rest"] and "out of hand" not in found["rest"]:
                self._seated.append(found["name"])
        elif found := _DEALT.match(line):
            if found["name"] in self._seated and _is_hand(found["cards"]):
                self._holds(found["name"], found["cards"])
                self.hero = self.hero or found["name"]
        else:
            for name in sorted(self._seated, key=len, reverse=True):
                rest = line[len(name) :]
                if line.startswith(name) and rest[:1] in (":", " "):
                    self._player(name, rest.removeprefix(":").strip())
                    break

    def _player(self, name: str, did: str) -> None:
        """What a line says that somebody did."""
        if found := _BLIND.match(did):
            if name in self._blinds or self._told is not None:
                raise ErraiError(f"{name} posts a second blind")
            self._blinds[name] = _number(found["amount"])
        elif did.startswith("posts "):
            raise ErraiError(
                f"{name} {did}: only a small and a big blind are posted in the hands played here"
            )
        elif found := _ACTION.match(did):
            letter, rest = _LETTERS[found["verb"]], found["rest"]
            to, paid = _TO.search(rest), _PAID.search(rest) if found["verb"] in ("calls", "bets") else None
            if found["verb"] == "folds" or found["verb"] == "checks":
                to = None
            total = _number(to["amount"]) if to else None
            self._begun().act(name, letter, total, _number(paid["amount"]) if paid and not to else None)
        elif found := _TAKEN.match(did):
            self._taken[name] = self._taken.get(name, Fraction(0)) + _number(found["amount"])
        if (found := _SHOWN.match(did)) and _is_hand(found["cards"]):
            self._holds(name, found["cards"])

    def _street(self, street: str, rest: str) -> None:
        self._summary = self._summary or street == "SUMMARY"
        if street in _ROUNDS:
            known = self._begun().state.cards
            cards = "".join(_CARDS.findall(rest)).replace(" ", "")
            if len(cards) != 2 * _ROUNDS[street]:
                raise ErraiError(f"the {street.lower()} {rest.strip()!a} is not {_ROUNDS[street]} cards")
            deck = self._begun().state.deck
            if deck.parse(cards)[: len(known)] != known:
                raise ErraiError(f"the {street.lower()} {rest.strip()!a} changes cards dealt before")
            self._begun().deal(cards[2 * len(known) :])

    def _told_afterwards(self, line: str) -> None:
        """Seat 2: Bob (big blind) mucked [9d 8d]"""
        for name in self._seated:
            at = re.match(r"Seat \d+: " + re.escape(name) + r"(?: \([^)]*\))* ", line)
            found = _SHOWN.match(line[at.end() :]) if at else None
            if found and _is_hand(found["cards"]):
                self._holds(name, found["cards"])

    def _holds(self, name: str, cards: str) -> None:
        known = self._hole.setdefault(name, cards.replace(" ", ""))
        if sorted((known[:2], known[2:])) != sorted(cards.split()):
            raise ErraiError(f"{name} holds {known}, and later {cards}")

    def _begun(self) -> Told:
        """The hand, which begins when all blinds are posted."""
        if self._told is None:
            if len(self._seated) != 2:
                raise ErraiError(f"{len(self._seated)} players; only hands of two are played here")
            missing = [name for name in self._seated if name not in self._blinds]
            if missing:
                raise ErraiError(f"{missing[0]} posts no blind")
            self._told = Told(self._game, self._blinds)
        return self._told


def _is_limit_holdem(header: str) -> bool:
    words = header.lower()
    return "hold" in words and bool(_LIMIT.search(words)) and not _OTHER.search(words)


def _is_hand(cards: str) -> bool:
    return re.fullmatch(r"\w\w \w\w", cards) is not None


def _number(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))
