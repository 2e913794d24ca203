"""The rules of a game, and the `.game` text of the ACPC (Annual Computer Poker Competition) that states them.

    GAMEDEF
    limit                     or nolimit
    numPlayers = 2
    numRounds = 2
    blind = 1 1               one value a seat
    raiseSize = 2 4           one value a round
    firstPlayer = 1 1         one value a round, seats counted from 1
    maxRaises = 2 2           one value a round; blinds are not raises
    numSuits = 2
    numRanks = 3
    numHoleCards = 1
    numBoardCards = 0 1       new public cards, one value a round
    END GAMEDEF

Keys may be in any case and order, and a line that starts with `#` is a comment. One key is ours:
`handRanking`, either `acpc` (straights and flushes need five cards) or `three-card` (straight flush, three of
a kind, straight, flush, pair, high card: the hands of Rhode Island hold'em).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate

from errai.errors import ErraiError

RANKINGS = ("acpc", "three-card")
MOST_RAISES = 20
MOST_CARDS = 7  # of a hand with its board, as errai.cards.strength ranks them
UNLIMITED_RAISES = 255
MOST_ROUNDS = 4
MOST_CHIPS = 2**31 - 1


class _FaultError(ErraiError):
    """A rule that no game can have, under the key that states it in a `.game` text."""

    def __init__(self, where: str, key: str, complaint: str) -> None:
        super().__init__(f"{where}: {key} {complaint}")
        self.key = key
        self.complaint = complaint


@dataclass(frozen=True)
class GameDefinition:
    """The rules of one two-player game. Games are equal when their rules are; the name is only a name."""

    name: str = field(compare=False)
    betting: str  # "limit" or "nolimit"
    blinds: tuple[int, ...]  # by seat
    raise_sizes: tuple[int, ...]  # by round; () in no-limit games
    first_player: tuple[int, ...]  # by round, seats counted from 0
    max_raises: tuple[int, ...]  # by round
    suits: int
    ranks: int
    hole_cards: int
    board_cards: tuple[int, ...]  # new public cards, by round
    stacks: tuple[int, ...] | None = None  # by seat
    ranking: str = "acpc"
    players: int = 2

    def __post_init__(self) -> None:
        _check(self)

    @property
    def rounds(self) -> int:
        return len(self.board_cards)

    @property
    def deck_size(self) -> int:
        return self.suits * self.ranks

    @cached_property
    def board_sizes(self) -> tuple[int, ...]:
        """Public cards on the table in each round: 0, 3, 4, 5 in hold'em."""
        return tuple(accumulate(self.board_cards))

    @property
    def seat_names(self) -> tuple[str, str]:
        """The seats by their blinds, where these differ."""
        first, second = self.blinds
        if first == second:
            return "seat 0", "seat 1"
        return ("big blind", "button") if first > second else ("button", "big blind")

    @property
    def unit(self) -> int:
        """The big blind of "milli-big-blinds": the first round's bet; in no-limit games the larger blind."""
        return self.raise_sizes[0] if self.raise_sizes else max(self.blinds)

    @property
    def most_chips(self) -> int:
        """What one hand can cost a player; in a limit game a stack of this size never matters."""
        if self.betting == "nolimit":
            return min(self.stacks) if self.stacks else MOST_CHIPS
        raised = sum(size * most for size, most in zip(self.raise_sizes, self.max_raises, strict=True))
        return max(self.blinds) + raised

    @property
    def suits_matter(self) -> bool:
        """Whether a flush can be held; otherwise cards of one rank are all the same."""
        flush = 3 if self.ranking == "three-card" else 5
        return min(self.hole_cards + sum(self.board_cards), self.ranks) >= flush

    def text(self) -> str:
        """A `.game` text that parses back to these rules; ACPC programs read it if the ranking is theirs."""

        def row(key: str, values: Sequence[int]) -> str:
            return f"{key} = {' '.join(map(str, values))}"

        lines = ["GAMEDEF", self.betting, f"numPlayers = {self.players}", f"numRounds = {self.rounds}"]
        if self.stacks is not None:
            lines.append(row("stack", self.stacks))
        lines.append(row("blind", self.blinds))
        if self.raise_sizes:
            lines.append(row("raiseSize", self.raise_sizes))
        lines += [
            row("firstPlayer", [seat + 1 for seat in self.first_player]),
            row("maxRaises", self.max_raises),
            f"numSuits = {self.suits}",
            f"numRanks = {self.ranks}",
            f"numHoleCards = {self.hole_cards}",
            row("numBoardCards", self.board_cards),
        ]
        if self.ranking != "acpc":
            lines.append(f"handRanking = {self.ranking}")
        return "\n".join([*lines, "END GAMEDEF", ""])


def require_limit(game: GameDefinition) -> None:
    """Refuse a no-limit game, which can be read and played but not solved."""
    if game.betting != "limit":
        raise ErraiError(f"{game.name}: no-limit betting is not supported; Errai solves only limit games")


def _check(game: GameDefinition) -> None:
    """Raise the first fault of the rules, those that others rest on first."""

    def require(sound: bool, key: str, complaint: str) -> None:
        if not sound:
            raise _FaultError(game.name, key, complaint)

    def require_count(values: Sequence[int], key: str, wanted: int) -> None:
        require(len(values) == wanted, key, _count_complaint(key, len(values), wanted))

    limit = game.betting == "limit"
    require(limit or game.betting == "nolimit", "betting", f"is {game.betting!r}; it is limit or nolimit")
    _check_shape(game.name, game.players, game.rounds)

    require_count(game.blinds, "blind", game.players)
    require(min(game.blinds) >= 0, "blind", f"{min(game.blinds)} is negative; a blind is 0 chips or more")
    require(max(game.blinds) > 0, "blind", "is 0 for both seats; without chips in the pot there is no game")
    if limit:
        require_count(game.raise_sizes, "raiseSize", game.rounds)
        smallest = min(game.raise_sizes)
        require(smallest > 0, "raiseSize", f"{smallest} is no raise; it is 1 chip or more")
    else:
        require(not game.raise_sizes, "raiseSize", "belongs to limit games; leave it out of a nolimit game")
    require_count(game.first_player, "firstPlayer", game.rounds)
    for seat in game.first_player:
        seated = 0 <= seat < game.players
        require(seated, "firstPlayer", f"{seat + 1} is no seat; seats are 1 to {game.players}")
    require_count(game.max_raises, "maxRaises", game.rounds)
    most = MOST_RAISES if limit else UNLIMITED_RAISES
    for raises in game.max_raises:
        require(0 <= raises <= most, "maxRaises", f"{raises} is out of range; it is 0 to {most}")

    require(1 <= game.suits <= 4, "numSuits", f"is {game.suits}; it is 1 to 4")
    require(2 <= game.ranks <= 13, "numRanks", f"is {game.ranks}; it is 2 to 13")
    require(game.hole_cards in (1, 2), "numHoleCards", f"is {game.hole_cards}; it is 1 or 2")
    fewest = min(game.board_cards)
    require(fewest >= 0, "numBoardCards", f"{fewest} is negative; a round deals 0 public cards or more")
    dealt = game.players * game.hole_cards + sum(game.board_cards)
    too_many = f"makes {dealt} cards dealt in all; the deck has {game.deck_size}"
    require(dealt <= game.deck_size, "numBoardCards", too_many)

    named = game.ranking in RANKINGS
    require(named, "handRanking", f"is {game.ranking!a}; it is {' or '.join(RANKINGS)}")
    held = game.hole_cards + sum(game.board_cards)
    rankable = f"makes hands of {held} hole and board cards; hands of more than {MOST_CARDS} are not ranked"
    require(held <= MOST_CARDS, "numBoardCards", rankable)
    three = game.ranking != "three-card" or held == 3
    require(three, "handRanking", f"three-card needs 3 hole and board cards in all; this game has {held}")

    if game.stacks is not None:
        require_count(game.stacks, "stack", game.players)
        for stack, blind in zip(game.stacks, game.blinds, strict=True):
            least = max(blind, 1)
            require(stack >= least, "stack", f"{stack} is too small; it is {least} or more, to pay the blind")
        for stack in game.stacks if limit else ():
            require(
                stack >= game.most_chips,
                "stack",
                f"{stack} can run out, and all-in limit games are not supported; "
                f"give {game.most_chips} or more, which never matters, or leave stack out",
            )


def _check_shape(where: str, players: int, rounds: int) -> None:
    if players != 2:
        raise _FaultError(where, "numPlayers", f"is {players}; Errai solves two-player games")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise _FaultError(where, "numRounds", f"is {rounds}; it is 1 to {MOST_ROUNDS}")


def _count_complaint(key: str, found: int, wanted: int) -> str:
    each = "" if _KEYS[key] == "game" else f", one for each {_KEYS[key]}"
    return f"has {found} value{'' if found == 1 else 's'}; it needs {wanted}{each}"


# The keys of a `.game` text and how many values each takes.
_KEYS = {
    "numPlayers": "game",
    "numRounds": "game",
    "blind": "seat",
    "raiseSize": "round",
    "firstPlayer": "round",
    "maxRaises": "round",
    "numSuits": "game",
    "numRanks": "game",
    "numHoleCards": "game",
    "numBoardCards": "round",
    "stack": "seat",
    "handRanking": "game",
}
_SPELLING = {key.lower(): key for key in _KEYS}
_REQUIRED = ("numPlayers", "numRounds", "blind", "numSuits", "numRanks", "numHoleCards", "numBoardCards")


@dataclass(frozen=True)
class _Entry:
    line: int
    words: list[str]


def parse_game(text: str, source: str = "game", name: str | None = None) -> GameDefinition:
    """The rules that a `.game` text states. Errors call the text `source`, and so is the game if nameless."""
    betting, entries, end = _read_entries(text, source)
    try:
        return _build(source if name is None else name, betting, entries)
    except _FaultError as fault:
        line = entries[fault.key].line if fault.key in entries else end
        raise ErraiError(f"{source}, line {line}: {fault.key} {fault.complaint}") from None


def _build(name: str, betting: str, entries: dict[str, _Entry]) -> GameDefinition:
    for key in _REQUIRED if betting == "nolimit" else (*_REQUIRED, "raiseSize"):
        if key not in entries:
            each = "" if _KEYS[key] == "game" else f" for each {_KEYS[key]}"
            raise _FaultError(name, key, f"is missing; give one value{each}")
    if betting == "limit" and "maxRaises" not in entries:
        raise _FaultError(
            name,
            "maxRaises",
            "is missing, and a limit game with unlimited raises has an infinite tree; "
            f"give 0 to {MOST_RAISES} for each round",
        )

    def numbers(key: str, wanted: int) -> tuple[int, ...]:
        words = entries[key].words
        if len(words) != wanted:
            raise _FaultError(name, key, _count_complaint(key, len(words), wanted))
        for word in words:
            if not re.fullmatch(r"[+-]?[0-9]{1,10}", word) or abs(int(word)) > MOST_CHIPS:
                hint = "; a comment needs a line of its own" if word.startswith("#") else ""
                raise _FaultError(name, key, f"has {_shown(word)}, no whole number up to {MOST_CHIPS}{hint}")
        return tuple(map(int, words))

    def number(key: str) -> int:
        return numbers(key, 1)[0]

    players, rounds = number("numPlayers"), number("numRounds")
    # Every count of values below rests on these two.
    _check_shape(name, players, rounds)
    ranking = entries["handRanking"].words if "handRanking" in entries else ["acpc"]
    if len(ranking) != 1:
        raise _FaultError(name, "handRanking", f"has {len(ranking)} values; it is {' or '.join(RANKINGS)}")
    first = numbers("firstPlayer", rounds) if "firstPlayer" in entries else (1,) * rounds
    return GameDefinition(
        name=name,
        betting=betting,
        blinds=numbers("blind", players),
        raise_sizes=numbers("raiseSize", rounds) if "raiseSize" in entries else (),
        first_player=tuple(seat - 1 for seat in first),
        max_raises=numbers("maxRaises", rounds) if "maxRaises" in entries else (UNLIMITED_RAISES,) * rounds,
        suits=number("numSuits"),
        ranks=number("numRanks"),
        hole_cards=number("numHoleCards"),
        board_cards=numbers("numBoardCards", rounds),
        stacks=numbers("stack", players) if "stack" in entries else None,
        ranking=ranking[0].lower(),
        players=players,
    )


def _read_entries(text: str, source: str) -> tuple[str, dict[str, _Entry], int]:
    """The betting word, the values of each key with their line, and the line of END GAMEDEF."""
    betting: tuple[str, int] | None = None
    entries: dict[str, _Entry] = {}
    begun = ended = 0
    line = 0
    for line, raw in enumerate(text.splitlines(), start=1):
        content = raw.strip()
        where = f"{source}, line {line}"
        if not content or content.startswith("#"):
            continue
        word = " ".join(content.lower().split())
        if ended:
            raise ErraiError(f"{where}: {_shown(content)} after END GAMEDEF; only comments may follow it")
        if not begun:
            if word != "gamedef":
                raise ErraiError(
                    f"{where}: {_shown(content)} before GAMEDEF; a definition begins with GAMEDEF"
                )
            begun = line
        elif word == "gamedef":
            raise ErraiError(
                f"{where}: a second GAMEDEF, the first is on line {begun}; a text states one game"
            )
        elif word == "end gamedef":
            ended = line
        elif word in ("limit", "nolimit"):
            if betting is not None:
                raise ErraiError(f"{where}: {word} again, line {betting[1]} says {betting[0]}; say it once")
            betting = word, line
        else:
            key, words = _read_entry(content, where)
            if key in entries:
                raise ErraiError(
                    f"{where}: {key} again, it is already on line {entries[key].line}; give it once"
                )
            entries[key] = _Entry(line, words)
    if not begun:
        raise ErraiError(f"{source}, line {max(line, 1)}: no GAMEDEF; a definition begins with GAMEDEF")
    if not ended:
        raise ErraiError(f"{source}, line {line}: no END GAMEDEF; a definition ends with END GAMEDEF")
    # Like the ACPC dealer, a text that names no betting is a limit game.
    return betting[0] if betting else "limit", entries, ended


def _read_entry(content: str, where: str) -> tuple[str, list[str]]:
    written, equals, values = content.partition("=")
    spelled = _SPELLING.get(written.strip().lower())
    if spelled is not None and equals:
        return spelled, values.split()
    if not equals:
        raise ErraiError(
            f"{where}: {_shown(content)} is not understood; write key = values, limit or nolimit"
        )
    near = get_close_matches(written.strip().lower(), _SPELLING, n=1)
    hint = f"did you mean {_SPELLING[near[0]]}?" if near else f"the keys are {', '.join(_KEYS)}"
    raise ErraiError(f"{where}: unknown key {_shown(written.strip())}; {hint}")


def _shown(content: str) -> str:
    """A piece of somebody's file as an error shows it: quoted, printable and short."""
    return ascii(content if len(content) <= 40 else content[:37] + "...")
