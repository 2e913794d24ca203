"""One hand in which a player may only jam or fold: the game of the paper's figure 4, for any payoffs.

Player 1 jams each class a of hands with probability x[a] and folds it otherwise. For each class b,
player 2 has a few options, and the one that is worst for player 1 counts:

    V(x) = sum over b of the least, over the options o, of  alpha[o, b] + sum over a of x[a] beta[o, a, b]

- *pass*: player 2 folds to a jam. Worth `stolen` where player 1 jams, `folded` where player 1 folds.
- *call*: there is a showdown where player 1 jams.
- *give*: player 2 folds before player 1 acts, as a small blind may against a big blind. Worth `given`.

The small blind's hand has the first two. The big blind's has all three (the game G'' of section 2): the small
blind folds, or calls and then passes or calls the jam. V is concave and piecewise linear, so its maximum is a
linear program. The payoffs are chips, or in a tournament the probability of winning it from what follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from errai.jamfold.equities import BOARDS, PAIRS, equities
from errai.jamfold.hand import Chips, Hand

Floats = NDArray[np.float64]
Number = TypeVar("Number")
Other = TypeVar("Other")

PASS, CALL, GIVE = "pass", "call", "give"


class Shares(NamedTuple):
    """[169, 169] probabilities of pairs of classes, and of wins, losses and ties of player 1's class a against b."""

    pairs: Floats
    wins: Floats
    losses: Floats
    ties: Floats


@cache
def shares() -> Shares:
    """The exact counts as probabilities."""
    counts = equities()
    deals = PAIRS * BOARDS
    return Shares(counts.pairs / PAIRS, counts.wins / deals, counts.losses / deals, counts.ties / deals)


@dataclass(frozen=True)
class MatrixGame(Generic[Number]):
    """The payoffs of player 1, and who may decide what."""

    won: Number
    lost: Number
    tied: Number
    folded: Number | None  # None: player 1 cannot fold
    stolen: Number | None  # None: player 2 cannot fold to a jam
    given: Number | None  # None: player 2 does not act first

    def map(self, worth: Callable[[Number], Other]) -> MatrixGame[Other]:
        """The same hand with other payoffs."""

        def new(payoff: Number | None) -> Other | None:
            return None if payoff is None else worth(payoff)

        return MatrixGame(
            worth(self.won), worth(self.lost), worth(self.tied),
            new(self.folded), new(self.stolen), new(self.given),
        )  # fmt: skip

    @property
    def options(self) -> tuple[str, ...]:
        """What player 2 can do."""
        names = (PASS if self.stolen is not None else "", CALL, GIVE if self.given is not None else "")
        return tuple(name for name in names if name)


def small_blinds_hand(hand: Hand, worth: Callable[[Chips], Number]) -> MatrixGame[Number]:
    """Player 1 posts the small blind. `worth` says what winning (or, below 0, losing) chips is worth."""
    small, big = hand.posted
    folded = worth(-small) if hand.small_blind_decides else None
    return _matrix_game(hand, worth, folded, worth(big), None)


def big_blinds_hand(hand: Hand, worth: Callable[[Chips], Number]) -> MatrixGame[Number]:
    """Player 1 posts the big blind, and player 2, in the small blind, may fold, or call and then answer a jam."""
    small, big = hand.posted
    folded = worth(-big) if hand.big_blind_decides else None
    return _matrix_game(hand, worth, folded, worth(big), worth(small) if hand.small_blind_decides else None)


def _matrix_game(
    hand: Hand, worth: Callable[[Chips], Number], folded: Number | None, stolen: Number, given: Number | None
) -> MatrixGame[Number]:
    """A showdown is for the effective stack, and a jam steals only from a big blind who could still fold or jam."""
    won, lost = worth(hand.effective), worth(-hand.effective)
    return MatrixGame(won, lost, worth(Chips(0)), folded, stolen if hand.big_blind_decides else None, given)


class Terms(NamedTuple):
    """The numbers of V: beta is None where an option does not depend on player 1."""

    alpha: list[Floats]  # by option, [169]
    beta: list[Floats | None]  # by option, [169 a, 169 b]


def terms(game: MatrixGame[float]) -> Terms:
    """The options of an game in floating point."""
    of = shares()
    showdown = of.wins * game.won + of.losses * game.lost + of.ties * game.tied
    weight = of.pairs.sum(axis=0)
    folded = game.folded
    base = np.zeros_like(weight) if folded is None else weight * folded
    alpha: list[Floats] = []
    beta: list[Floats | None] = []
    for option in game.options:
        if option == GIVE:
            assert game.given is not None
            alpha.append(weight * game.given)
            beta.append(None)
        elif option == PASS:
            assert game.stolen is not None
            assert folded is not None
            alpha.append(base)
            beta.append(of.pairs * (game.stolen - folded))
        else:
            alpha.append(base if folded is not None else showdown.sum(axis=0))
            beta.append(showdown - of.pairs * folded if folded is not None else None)
    return Terms(alpha, beta)
