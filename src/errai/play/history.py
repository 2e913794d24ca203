"""A hand as a history tells it, step by step, in the money of its table.

    told = Told(game, {"Alice": Fraction(1, 2), "Bob": Fraction(1)})    the blinds, which give the seats
    told.hand("Bob", "AhQd")                    cards may be told at any time, or never
    told.act("Alice", "r", Fraction(2))         to a total in this round, if the history says it
    told.deal("Ks7h2d")
    state, won = told.end()                     the state at the end, and chips won by seat

Whoever reads a format (errai.play.phh, errai.play.rooms) knows how it is written; what makes it a hand of limit
hold'em, and what does not, is known here: the order in which players act, the sizes of bets, the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState, start

CENT = Fraction(1, 100)
WORDS = {"f": "folds", "c": "checks or calls", "r": "bets or raises"}


class Told:
    """One hand of two players."""

    def __init__(self, game: GameDefinition, blinds: Mapping[str, Fraction]) -> None:
        """`blinds` by player."""
        if not is_limit_holdem(game):
            raise ErraiError(f"a hand of limit hold'em, where {game.name} is played")
        if len(blinds) != 2:
            raise ErraiError(f"{len(blinds)} players; only hands of two are played here")
        small, big = sorted(blinds, key=lambda name: blinds[name])
        if not 0 < blinds[small] < blinds[big]:
            raise ErraiError(f"blinds of {_money(blinds[small])} and {_money(blinds[big])}")
        self._chip = Fraction(max(game.blinds)) / blinds[big]  # chips of the game for one of the table
        wanted = min(game.blinds) / self._chip
        if abs(wanted - blinds[small]) >= CENT:
            raise ErraiError(
                f"blinds of {_money(blinds[small])} and {_money(blinds[big])}; in {game.name} the small blind is "
                f"{Fraction(min(game.blinds), max(game.blinds))} of the big blind"
            )
        seat = game.blinds.index(max(game.blinds))
        self.players: tuple[str, str] = (big, small) if seat == 0 else (small, big)
        self.hole: dict[str, str] = {}
        self._state = start(game)
        self._round_began = (0, 0)

    @property
    def state(self) -> HandState:
        return self._state

    def act(
        self, player: str, action: str, total: Fraction | None = None, paid: Fraction | None = None
    ) -> None:
        """Somebody folds (f), checks or calls (c), bets or raises (r).

        `total` is what the player has put in during the round afterwards, `paid` what this action puts in.
        """
        state, seat = self._state, self._seat(player)
        if state.over:
            raise ErraiError(f"{player} {WORDS[action]} after the end of the hand")
        if state.awaits_cards:
            raise ErraiError(f"{player} {WORDS[action]} before the cards of the round are dealt")
        if seat != state.player:
            raise ErraiError(f"{player} {WORDS[action]}, and it is the turn of {self.players[state.player]}")
        if action == "f" and not state.facing_bet:
            raise ErraiError(
                f"{player} folds where nothing is to be called; in {state.game.name} that is a check"
            )
        following = state.act(action)
        spent = following.spent[seat]
        for told, known, name in (
            (total, spent - self._round_began[seat], "to"),
            (paid, spent - state.spent[seat], "with"),
        ):
            if told is not None and not self._is(told, known):
                raise ErraiError(
                    f"{player} {WORDS[action]} {name} {_money(told)}; by the limit it is {_money(known / self._chip)}"
                    " (hands in which somebody is all in for less are not played here)"
                )
        if following.round != state.round:
            self._round_began = following.spent
        self._state = following

    def deal(self, cards: str) -> None:
        """The public cards of a round."""
        state = self._state
        if state.round == 0:
            raise ErraiError(f"the board {cards} is dealt before the betting has ended")
        self._state = state.deal(cards)

    def hand(self, player: str, cards: str) -> None:
        """The cards that somebody holds."""
        self._seat(player)
        known = self.hole.setdefault(player, cards)
        if sorted(self._state.deck.parse(known)) != sorted(self._state.deck.parse(cards)):
            raise ErraiError(f"{player} holds {known}, and later {cards}")

    def end(self, taken: Mapping[str, Fraction] | None = None) -> tuple[HandState, tuple[int, int]]:
        """The state at the end and chips won by seat. `taken` is what players took from the pot, as far as told."""
        state = self._state
        if not state.over:
            left = "the cards of the next round" if state.awaits_cards else self.players[state.player]
            raise ErraiError(f"the hand is not over after {state.betting!a}; it ends before {left}")
        if state.folded is None and state.awaits_cards:
            raise ErraiError("the hand is not over: the board is not complete")
        held = start(state.game, (self._hole(0), self._hole(1)))
        ended = held.follow(state.betting).on_board(state.cards)
        return ended, self._won(ended, taken or {})

    def _won(self, state: HandState, taken: Mapping[str, Fraction]) -> tuple[int, int]:
        takers = [seat for seat, name in enumerate(self.players) if taken.get(name, 0) > 0]
        if state.folded is not None or None not in state.hole:
            won = state.payoff()
            if len(takers) == 1 and won[takers[0]] <= 0:
                name = self.players[takers[0]]
                raise ErraiError(f"{name} takes the pot, and by the cards and the betting does not win it")
            return won
        if not takers:
            raise ErraiError("who won the hand is not told, and not all cards are known")
        lost = 0 if len(takers) == 2 else min(state.spent)
        return (lost, -lost) if takers[0] == 0 else (-lost, lost)

    def _hole(self, seat: int) -> str | None:
        return self.hole.get(self.players[seat])

    def _seat(self, player: str) -> int:
        if player not in self.players:
            raise ErraiError(f"{player} is not at the table")
        return self.players.index(player)

    def _is(self, told: Fraction, chips: int) -> bool:
        """Whether an amount is so many chips; a blind that is no whole number of cents was rounded."""
        return abs(told - chips / self._chip) < CENT


def is_limit_holdem(game: GameDefinition) -> bool:
    """Whether a game is limit hold'em with its four rounds, whatever the number of raises."""
    return (
        game.betting == "limit"
        and (game.suits, game.ranks, game.hole_cards) == (4, 13, 2)
        and game.board_cards == (0, 3, 1, 1)
        and game.blinds[0] != game.blinds[1]
    )


def _money(amount: Fraction) -> str:
    return f"{float(amount):.4g}"
