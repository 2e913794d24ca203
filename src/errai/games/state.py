"""One hand: the cards, the betting, the seats and the pot, action by action, by the rules of the ACPC dealer.

    state = start(game, hole=("5d5c", None))        the blinds are in, nobody has acted
    state.legal()                                   "fcr"
    state = state.act("c").act("c")                 a limp and a check: the flop is due
    state = state.deal("8dAs8s")
    state.betting, state.player, state.pot          "cc/", 0, 20

A state never changes; `act` and `deal` return the next one. Actions are written as in the ACPC:

- `f` folds, and only when there is a bet to match.
- `c` matches the larger amount spent, or as much of it as the stack holds: a call when there is a bet to
  match, a check when not.
- `r` bets or raises. In limit games it adds the round's raise size to the larger amount spent. In no-limit games
  `r300` makes 300 the total that this player has put in over the whole hand; a raise is at least as large as
  the last raise of the round and as the big blind, and going all-in is always allowed. Blinds are not raises.

A round ends with the first `c` that is not its first action, or that answers an all-in. So the big blind may
still check or raise after the button calls, and every raise is answered. Betting is written as these actions with
`/` between rounds: `crc/cc/` is a limp, a raise and a call, then two checks, with the third round about to
begin. When a call leaves nobody with chips to bet, the remaining rounds are empty: `r20000c///`. People may write the
same in words and with spaces (errai.games.betting): `limp raise call / check check`.

A hand may be followed with or without its public cards. While no public card is dealt, betting alone leads from
round to round, and `deal` may later give the whole board at once. As soon as one public card is dealt, each round
waits for its cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from errai.cards.notation import Deck
from errai.errors import ErraiError
from errai.games.acpc import Dealt, read_log_line, read_match_line, write_cards
from errai.games.betting import Written, written_actions
from errai.games.definition import MOST_CHIPS, GameDefinition

Cards = str | Sequence[int] | Sequence[Sequence[int]]  # "Ks7h2d 5c", card numbers, or those of each round
Hole = tuple[str | Sequence[int] | None, str | Sequence[int] | None]  # by seat, None for a hand not seen

_ACTION = re.compile(r"[fc]|r[0-9]*")


@dataclass(frozen=True)
class HandState:
    """A point of one hand. The seats are 0 and 1; `start` makes the first state, `act` and `deal` the others."""

    game: GameDefinition
    round: int
    player: int  # the seat to act; without meaning when the hand is over
    spent: tuple[int, int]  # chips put in so far in the whole hand, by seat
    least_raise: int  # by how much a no-limit raise must raise at least
    betting: str = ""  # canonical ACPC text, "rc/r" or "r300c/"
    raises: int = 0  # in this round
    acted: int = 0  # actions so far in this round
    folded: int | None = None  # the seat that folded
    over: bool = False  # a seat folded, or nothing is left but the showdown
    cards: tuple[int, ...] = ()  # all public cards in the order dealt
    hole: tuple[tuple[int, ...] | None, tuple[int, ...] | None] = (None, None)  # by seat, None: not seen

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions so far, without the ends of rounds: ("r300", "c")."""
        return tuple(_ACTION.findall(self.betting))

    @property
    def pot(self) -> int:
        """All chips put in so far."""
        return sum(self.spent)

    @property
    def facing_bet(self) -> bool:
        """Whether the player to act must pay to stay in the hand."""
        return self.to_call > 0

    @property
    def to_call(self) -> int:
        """What a call costs the player to act: 0 when checking is free or the hand is over."""
        if self.over:
            return 0
        spent, stacks = self.spent, self.stacks
        return min(max(spent), stacks[self.player]) - spent[self.player]

    @property
    def bets(self) -> int:
        """Bets so far in this round, blinds that differ being the first one and antes none: a 3-bet is the third."""
        return self.raises + int(self.round == 0 and self.game.blinds[0] != self.game.blinds[1])

    @property
    def stacks(self) -> tuple[int, int]:
        """What each seat may put in over the whole hand; in limit games stacks never matter."""
        if self.game.stacks is None or self.game.betting == "limit":
            return MOST_CHIPS, MOST_CHIPS
        return self.game.stacks[0], self.game.stacks[1]

    @property
    def deck(self) -> Deck:
        return _deck(self.game.ranks, self.game.suits)

    @property
    def board(self) -> tuple[tuple[int, ...], ...]:
        """The public cards of each round dealt so far; () for a round that has none."""
        return _by_round(self.cards, self.game.board_sizes[: self.round + 1])

    @property
    def awaits_cards(self) -> int:
        """How many public cards are due before the next action, or before the showdown."""
        return 0 if self.folded is not None else self._missing_cards

    def legal(self) -> str:
        """The allowed actions in the order f, c, r; empty when the hand is over or waits for cards."""
        if self.over or self._waits:
            return ""
        return ("f" if self.facing_bet else "") + "c" + ("r" if self._may_raise else "")

    def raise_range(self) -> tuple[int, int] | None:
        """The least and the most that a raise may make this player's total; None when raising is not allowed."""
        if "r" not in self.legal():
            return None
        if self.game.betting == "limit":
            total = max(self.spent) + self.game.raise_sizes[self.round]
            return total, total
        most = self.stacks[self.player]
        return min(max(self.spent) + self.least_raise, most), most

    def act(self, action: str) -> HandState:
        """The state after one action: in the same round, at the start of a later one, or at the end of the hand.

        It is written as errai.games.betting says: c, k, check.
        """
        if action in ("f", "c") or (action == "r" and self.game.betting == "limit"):
            plain = action if action in self.legal() else None
        else:
            found = list(written_actions(action))
            plain = self._plain(found[0]) if len(found) == 1 else None
        if plain is None:
            raise ErraiError(f"action {action!a} is not allowed; {self._allowed()}")
        return self._after(plain)

    def follow(self, betting: str) -> HandState:
        """The state after a written betting that begins here, such as `c/rc` or `check / bet, call`.

        `/` stands exactly where a round ends; at the end of the text it may be left out.
        """
        state, text = self, betting.strip()
        # How many `/` may come next; in the middle of the text they must.
        slashes = self.game.rounds - 1 if self.over and not self.actions else 0
        for written in written_actions(text):
            where = f"betting {text!a}, position {written.position}"
            if written.action == "/":
                if not slashes:
                    rest = state._allowed() if state.over else f"the round has not ended, {state._allowed()}"
                    raise ErraiError(f"{where}: {written.text!a} does not belong here; {rest}")
                slashes -= 1
                continue
            if state.over:
                end = "showdown" if state.folded is None else "fold"
                raise ErraiError(
                    f"{where}: {written.text!a} follows the {end} that ends the hand; nothing is allowed here"
                )
            if slashes:
                raise ErraiError(
                    f"{where}: {written.text!a} follows the end of a round; '/' is needed before it"
                )
            action = state._plain(written)
            if action is None:
                raise ErraiError(f"{where}: {written.described} is not allowed; {state._allowed()}")
            following = state._after(action)
            showdown = following.over and following.folded is None
            slashes = max(following.round - state.round, int(showdown))
            state = following
        return state

    def deal(self, cards: Cards) -> HandState:
        """The state with the public cards that are due, of one round or of several at once."""
        given = card_numbers(self.deck, cards)
        if not self.awaits_cards:
            end = "the hand is over" if self.over else f"round {self.round + 1} has all its cards"
            raise ErraiError(f"no public cards are due: {end}")
        if len(given) != self._missing_cards:
            sizes = self.game.board_sizes[: self.round + 1]
            allowed = sorted({size - len(self.cards) for size in sizes if size > len(self.cards)})
            if len(given) not in allowed:
                due = " or ".join(map(str, allowed))
                raise ErraiError(f"{_counted(len(given))} dealt; round {self.round + 1} needs {due}")
        return self._with_cards(given)

    def on_board(self, cards: Cards) -> HandState:
        """The same betting with this board, which must have exactly the cards of the present round."""
        given = card_numbers(self.deck, cards)
        wanted = self.game.board_sizes[self.round]
        if len(given) != wanted:
            raise ErraiError(
                f"betting '{self.betting}' leads to round {self.round + 1}, which has {wanted} board cards, "
                f"but the board '{self.deck.format_cards(given, ' ')}' has {len(given)}"
            )
        return self._changed(cards=())._with_cards(given)

    def seen_by(self, seat: int) -> HandState:
        """What a seat knows: the opponent's cards are hidden until a showdown."""
        if self.over and self.folded is None:
            return self
        return self._changed(hole=(self.hole[0], None) if seat == 0 else (None, self.hole[1]))

    def action_name(self, action: str) -> str:
        """What players call an action here: fold, check, call, bet or raise; an all-in raise is a jam.

        Blinds are bets: the big blind who acts after a limp raises. Antes are not.
        """
        if action[1:] and int(action[1:]) >= self.stacks[self.player]:
            return "jam"
        called = "call" if self.facing_bet else "check"
        return {"f": "fold", "c": called, "r": "raise" if self.bets else "bet"}.get(action[:1], action)

    def verb(self, action: str) -> str:
        """What a player does who takes an action here: limps, raises, 3-bets, caps, or raises to 300."""
        name = self.action_name(action)
        if name == "call" and self._may_limp:
            return "limps"
        if name == "raise" and self.game.betting == "nolimit":
            return f"raises to {int(action[1:])}"
        if name == "raise" and self.bets >= 2:
            return "caps" if self._is_cap else f"{self.bets + 1}-bets"
        return f"{name}s"

    def payoff(self) -> tuple[int, int]:
        """Chips won by each seat, negative for a loss, when the hand is over and its winner known."""
        if not self.over:
            raise ErraiError(f"the hand is not over after {self.betting!a}; nobody has won yet")
        if self.folded is not None:
            won = self.spent[self.folded]
            return (-won, won) if self.folded == 0 else (won, -won)
        # What the opponent could not match goes back to whoever bet it.
        won = min(self.spent) * self._better_hand()
        return won, -won

    def match_state(self, seat: int, hand_number: int = 0) -> str:
        """The line that the ACPC dealer sends to a seat: the opponent's cards are shown at a showdown only."""
        if not 0 <= seat < self.game.players:
            raise ErraiError(f"seat {seat} does not exist; seats are 0 to {self.game.players - 1}")
        showdown = self.over and self.folded is None
        self._require_hole(seat)
        if showdown:
            self._require_hole(1 - seat)
        shown = self.hole if showdown else (self.hole[0], None) if seat == 0 else (None, self.hole[1])
        return f"MATCHSTATE:{seat}:{hand_number}:{self.betting}:{self._cards_line(shown)}"

    def log_line(self, hand_number: int = 0, players: Sequence[str] = ()) -> str:
        """The line of a hand in a log of the ACPC dealer: all cards, and at the end chips won and names by seat."""
        for owner in (0, 1):
            self._require_hole(owner)
        line = f"STATE:{hand_number}:{self.betting}:{self._cards_line(self.hole)}"
        if not players:
            return line
        return f"{line}:{'|'.join(map(str, self.payoff()))}:{'|'.join(players)}"

    @property
    def _missing_cards(self) -> int:
        return self.game.board_sizes[self.round] - len(self.cards)

    @property
    def _waits(self) -> bool:
        """Whether the board is followed and the cards of this round are due."""
        return bool(self.cards) and self._missing_cards > 0

    @property
    def _may_raise(self) -> bool:
        if self.raises >= self.game.max_raises[self.round]:
            return False
        if self.game.betting == "limit":
            return True
        both_have_chips = all(spent < stack for spent, stack in zip(self.spent, self.stacks, strict=True))
        return both_have_chips and self.stacks[self.player] > max(self.spent)

    @property
    def _may_limp(self) -> bool:
        """Whether a call here only completes the blind."""
        return self.round == 0 and self.acted == 0 and self.facing_bet

    @property
    def _is_cap(self) -> bool:
        """Whether a raise here is the last one of a limit game."""
        return self.raises + 1 == self.game.max_raises[self.round]

    def _plain(self, written: Written) -> str | None:
        """f, c, r or r300 for an action that is allowed here, however it is written; otherwise None."""
        letter, size = self._letter(written.action), written.size
        if letter is None or letter not in self.legal():
            return None
        if letter == "r" and self.game.betting == "nolimit":
            if written.action == "jam":
                return f"r{self.stacks[self.player]}"
            if not re.fullmatch("[0-9]{1,10}", size):
                return None
            least, most = self.raise_range() or (1, 0)
            return f"r{int(size)}" if least <= int(size) <= most else None
        return None if size else letter

    def _letter(self, action: str) -> str | None:
        """f, c or r for a letter or a word that says what is the case here; otherwise None."""
        if action in ("f", "c", "r"):
            return action
        facing, limit = self.facing_bet, self.game.betting == "limit"
        meanings = {
            "fold": ("f", True),
            "k": ("c", not facing),
            "x": ("c", not facing),
            "check": ("c", not facing),
            "call": ("c", facing),
            "limp": ("c", self._may_limp),
            "b": ("r", not facing),
            "bet": ("r", not facing),
            "raise": ("r", self.bets > 0),
            "cap": ("r", limit and self._is_cap),
            f"{self.bets + 1}-bet": ("r", self.bets > 0),
            "jam": ("r", not limit),
        }
        letter, fits = meanings.get(action, (None, False))
        return letter if fits else None

    def _after(self, action: str) -> HandState:
        """The state after an allowed action in its plain form."""
        if action == "f":
            betting = self.betting + action
            return self._changed(betting=betting, acted=self.acted + 1, folded=self.player, over=True)
        return self._called() if action == "c" else self._raised(action)

    def _raised(self, action: str) -> HandState:
        before = max(self.spent)
        if self.game.betting == "limit":
            total = before + self.game.raise_sizes[self.round]
        else:
            total = int(action[1:])
        return self._changed(
            player=1 - self.player,
            spent=self._spent(total),
            least_raise=max(self.least_raise, total - before),
            betting=self.betting + action,
            raises=self.raises + 1,
            acted=self.acted + 1,
        )

    def _called(self) -> HandState:
        opponent, stacks, betting = 1 - self.player, self.stacks, self.betting + "c"
        spent = self._spent(min(max(self.spent), stacks[self.player]))
        if self.acted == 0 and self.spent[opponent] < stacks[opponent]:
            return self._changed(player=opponent, spent=spent, betting=betting, acted=1)
        last = self.game.rounds - 1
        if self.round == last or spent[0] >= stacks[0] or spent[1] >= stacks[1]:
            betting += "/" * (last - self.round)
            return self._changed(round=last, spent=spent, betting=betting, acted=self.acted + 1, over=True)
        following = self.round + 1
        return self._changed(
            round=following,
            player=self.game.first_player[following],
            spent=spent,
            least_raise=max(self.game.blinds),
            betting=betting + "/",
            raises=0,
            acted=0,
        )

    def _changed(self, **changes: Any) -> HandState:
        """The same state but for these fields: as dataclasses.replace, in a tenth of its time."""
        new = object.__new__(HandState)
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        return new

    def _spent(self, total: int) -> tuple[int, int]:
        return (total, self.spent[1]) if self.player == 0 else (self.spent[0], total)

    def _with_cards(self, new: tuple[int, ...]) -> HandState:
        held = [card for cards in self.hole if cards for card in cards]
        _require_different(self.deck, [*held, *self.cards, *new])
        return self._changed(cards=self.cards + new)

    def _better_hand(self) -> int:
        """1 when seat 0 has the better hand, -1 when seat 1 has, 0 for a tie."""
        # Numba takes long to load, and nothing else here needs it.
        import numpy as np

        from errai.cards.strength import RANKINGS, strengths

        held = [self._require_hole(seat) for seat in (0, 1)]
        self._require_board()
        ranked = strengths(np.array(held, np.uint8), self.cards, self.deck, RANKINGS[self.game.ranking])
        mine, other = (int(strength) for strength in ranked)
        return (mine > other) - (mine < other)

    def _cards_line(self, hole: Sequence[Sequence[int] | None]) -> str:
        self._require_board()
        return write_cards(self.game, hole, self.board)

    def _require_hole(self, seat: int) -> tuple[int, ...]:
        cards = self.hole[seat]
        if cards is None:
            raise ErraiError(f"the cards of seat {seat} are not known")
        return cards

    def _require_board(self) -> None:
        if self._missing_cards:
            wanted = self.game.board_sizes[self.round]
            raise ErraiError(f"the board has {_counted(len(self.cards))}; this needs all {wanted}")

    def _allowed(self) -> str:
        if self.over:
            return "the hand is over"
        if self._waits:
            return f"{_counted(self._missing_cards)} must be dealt first"
        named = [f"{action} ({self.action_name(action)})" for action in self.legal()]
        sizes = self.raise_range()
        if self.game.betting == "nolimit" and sizes is not None:
            least, most = sizes
            span = f"r{least}" if least == most else f"r{least} to r{most}"
            named[-1] = f"{span} ({self.action_name('r')})"
        return "allowed: " + ", ".join(named)


class MatchState(NamedTuple):
    """What a MATCHSTATE line says."""

    state: HandState
    seat: int  # of the player to whom it was sent
    hand_number: int


class LoggedHand(NamedTuple):
    """What a STATE line of a log says."""

    state: HandState
    hand_number: int
    players: tuple[str, ...]  # names by seat; empty when the line does not say
    chips: tuple[float, ...] = ()  # won by each seat, as the line says


def start(game: GameDefinition, hole: Hole = (None, None)) -> HandState:
    """The hand before the first action: hole cards dealt, blinds in. Hole cards are text or numbers, by seat."""
    first, second = game.blinds
    deck = _deck(game.ranks, game.suits)
    held = tuple(None if cards is None else _hole_cards(game, deck, cards) for cards in hole)
    if len(held) != game.players:
        raise ErraiError(f"hole cards of {len(held)} seats; {game.name} has {game.players}")
    _require_different(deck, [card for cards in held if cards for card in cards])
    state = HandState(
        game=game,
        round=0,
        player=game.first_player[0],
        spent=(first, second),
        least_raise=max(game.blinds),
        hole=(held[0], held[1]),
    )
    stacks = state.stacks
    if state.spent[state.player] < stacks[state.player]:
        return state
    # A blind has taken the whole stack: the opponent acts alone, unless it has taken theirs too.
    if state.spent[1 - state.player] < stacks[1 - state.player]:
        return state._changed(player=1 - state.player)
    last = game.rounds - 1
    return state._changed(round=last, betting="/" * last, over=True)


def parse_state(
    game: GameDefinition, betting: str = "", board: Cards = "", hole: Hole = (None, None)
) -> HandState:
    """The state that a written betting such as `rc/rc` leads to; `HandState.follow` says how it is written.

    The board has exactly the cards of the round that the betting leads to, or none: then the hand is followed by
    its betting alone.
    """
    state = start(game, hole).follow(betting)
    cards = card_numbers(state.deck, board)
    return state.on_board(cards) if cards else state


def from_match_state(game: GameDefinition, text: str) -> MatchState:
    """The state of a line that the ACPC dealer sends, with the seat and the number of the hand."""
    line = read_match_line(game, text)
    return MatchState(_from_line(game, line.betting, line.cards), line.seat, line.hand_number)


def from_log_line(game: GameDefinition, text: str) -> LoggedHand:
    """The state of a STATE line in a log of the ACPC dealer, with the players' names where it gives them."""
    line = read_log_line(game, text)
    state = _from_line(game, line.betting, line.cards)
    decided = state.folded is not None or None not in state.hole
    if line.chips and not decided and sum(line.chips):
        raise ErraiError(f"hand {line.hand_number} of the log: its chips do not sum to zero")
    if line.chips and decided and line.chips != state.payoff():
        logged, won = ("|".join(f"{chips:g}" for chips in pair) for pair in (line.chips, state.payoff()))
        raise ErraiError(
            f"hand {line.hand_number} of the log says {logged} chips; its betting and cards say {won}"
        )
    return LoggedHand(state, line.hand_number, line.players, line.chips)


def _from_line(game: GameDefinition, betting: str, cards: Dealt) -> HandState:
    state = parse_state(game, betting, cards.board, (cards.hole[0], cards.hole[1]))
    state._require_board()
    return state


def card_numbers(deck: Deck, cards: Cards) -> tuple[int, ...]:
    """Cards given as text, as numbers or as the numbers of each round, in the order dealt."""
    if isinstance(cards, str):
        return deck.parse(cards)
    if type(cards) is tuple and all(type(card) is int for card in cards):
        return cards
    numbers: list[int] = []
    for card in cards:
        numbers += map(int, card) if isinstance(card, Iterable) else [int(card)]
    return tuple(numbers)


def _hole_cards(game: GameDefinition, deck: Deck, cards: str | Sequence[int]) -> tuple[int, ...]:
    held = card_numbers(deck, cards)
    if len(held) != game.hole_cards:
        raise ErraiError(f"a hand of {game.name} has {_counted(game.hole_cards)}, not {len(held)}")
    return held


@lru_cache(1 << 10)  # a board is asked for in every state of its round
def _by_round(cards: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    starts, known = (0, *sizes), len(cards)
    return tuple(cards[a:b] for a, b in zip(starts, sizes, strict=False) if b <= known)


@cache
def _deck(ranks: int, suits: int) -> Deck:
    return Deck(ranks, suits)


def _require_different(deck: Deck, cards: Sequence[int]) -> None:
    if len(set(cards)) == len(cards) and (not cards or (min(cards) >= 0 and max(cards) < deck.size)):
        return
    for position, card in enumerate(cards):
        if card in cards[:position]:
            raise ErraiError(f"the card {deck.format(card)} is dealt twice")
        deck.format(card)  # which says when a number is no card


def _counted(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"
