"""The optimal jam/fold strategy at a table of no-limit hold'em (errai.jamfold).

Its strategies are those of the stacks and blinds of the game, by position:

    button                          jams or folds
    big blind, facing an all-in     calls or folds: the answer to a button who jams or folds
    big blind, facing less          jams, or else checks a limp and folds to a raise: what is proven to be best for a
                                    player who jams or folds whatever the button does (section 2 of the paper)

After the flop, which it sees when it has checked a limp, it moves in with what gains by it against every hand,
otherwise checks or folds (errai.jamfold.agent). So a raise that is not all-in is answered all-in or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from errai.cards.notation import FULL_DECK, hand_class_name
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState, MatchState
from errai.jamfold.agent import JAM, postflop
from errai.jamfold.hand import Hand
from errai.jamfold.single import DEEPEST, HandSolution, solve_hand
from errai.play.agent import Agent, Shares

NAME = "jam-or-fold"


class JamOrFoldAgent(Agent):
    """Jams or folds in either seat."""

    def __init__(self, game: GameDefinition) -> None:
        super().__init__(NAME, game)
        self._button, self._hand = _hand_of(game)

    @cached_property
    def _first_in(self) -> HandSolution:
        """The button jams, the big blind calls."""
        return solve_hand(self._hand, "small")

    @cached_property
    def _facing_less(self) -> HandSolution:
        """The big blind jams, whatever the button has done."""
        return solve_hand(self._hand, "big")

    def probabilities(self, view: MatchState) -> Shares:
        state, cards = view.state, view.state.hole[view.seat]
        if cards is None:
            raise ErraiError(f"{self.name} does not know its own cards in seat {view.seat}")
        share = self._preflop(state, cards) if state.round == 0 else self._postflop(state, cards)
        legal = state.legal()
        sizes = state.raise_range()
        jam = "c" if sizes is None else f"r{sizes[1]}"
        shares = {legal[0]: 1 - share}  # a fold, or a check that is free
        shares[jam] = shares.get(jam, 0.0) + share
        return shares

    def _preflop(self, state: HandState, cards: Sequence[int]) -> float:
        """How often it puts its stack in."""
        name = hand_class_name(*cards)
        if state.player == self._button:
            return self._first_in.jam[name]
        all_in = max(state.spent) >= min(state.stacks)
        return self._first_in.call[name] if all_in else self._facing_less.jam[name]

    def _postflop(self, state: HandState, cards: Sequence[int]) -> float:
        own = state.spent[state.player]
        behind = min(state.stacks) - own
        action = postflop(cards, state.cards, 2 * own, behind, not state.facing_bet)
        return float(action == JAM)


def _hand_of(game: GameDefinition) -> tuple[int, Hand]:
    """The seat of the button, and what jams are played for."""
    holdem = (game.ranks, game.suits, game.hole_cards, game.board_cards) == (
        FULL_DECK.ranks,
        FULL_DECK.suits,
        2,
        (0, 3, 1, 1),
    )
    button = game.first_player[0]
    small, big = game.blinds[button], game.blinds[1 - button]
    if game.betting != "nolimit" or not holdem or game.stacks is None or not 0 < small <= big:
        raise ErraiError(
            f"{NAME} plays no-limit hold'em with stacks, where the small blind acts first; {game.name} is another "
            "game: nolimit, nolimit-10 or a .game file of yours may be given"
        )
    stacks = Fraction(game.stacks[button]), Fraction(game.stacks[1 - button])
    if min(stacks) > DEEPEST * big:
        raise ErraiError(f"{NAME} plays stacks of {DEEPEST:,} big blinds at most; {game.name} has more")
    return button, Hand(stacks, Fraction(small), Fraction(big))
