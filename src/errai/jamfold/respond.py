"""The best answers to a fixed strategy of a tournament, hand by hand and over the whole of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from errai.errors import ErraiError
from errai.jamfold.matrix_game import Floats, shares
from errai.jamfold.recursive_game import (
    FOLDED,
    GIVEN,
    LOST,
    NOWHERE,
    STOLEN,
    TIED,
    WON,
    StationaryProfile,
    Tournament,
    chances,
    payoffs,
    values_of,
)

MOST_ROUNDS = 200
TOO_DEEP = (
    "the hands of this tournament do not settle: its stacks are too deep for jam or fold; raise the blinds"
)
CLOSE = 1e-11  # differences that are rounding


def option_worths(tournament: Tournament, jam: Floats, worth: Floats) -> tuple[Floats, Floats, Floats]:
    """[Z, C] what player 1 is left with when player 2 passes, calls or gives, by class of player 2.

    An option that a hand does not have is worth infinity: player 2 never takes it.
    """
    of = shares()
    rest, jammed = (1 - jam) @ of.pairs, jam @ of.pairs
    base = worth[:, [FOLDED]] * rest
    calls = (
        base
        + worth[:, [WON]] * (jam @ of.wins)
        + worth[:, [LOST]] * (jam @ of.losses)
        + worth[:, [TIED]] * (jam @ of.ties)
    )
    passes = base + worth[:, [STOLEN]] * jammed
    gives = worth[:, [GIVEN]] * of.pairs.sum(axis=0)
    exists = tournament.following != NOWHERE
    passes = np.where(exists[:, [STOLEN]], passes, np.inf)
    gives = np.where(exists[:, [GIVEN]], gives, np.inf)
    return passes, calls, gives


def answered(tournament: Tournament, jam: Floats, worth: Floats) -> StationaryProfile:
    """The answers of player 2 that leave player 1 the least of `worth` [Z, 6], hand by hand."""
    passes, calls, gives = option_worths(tournament, jam, worth)
    give = gives < np.minimum(passes, calls)
    call = ~give & (calls <= passes)
    return StationaryProfile(jam, *(choice.astype(np.float64) for choice in (~give & ~call, call, give)))


def jammed(tournament: Tournament, play: StationaryProfile, worth: Floats) -> StationaryProfile:
    """The jams and folds of player 1 that win the most of `worth` against the answers of a play."""
    of = shares()
    folds = worth[:, [FOLDED]] * ((1 - play.gives) @ of.pairs.T)
    jams = (
        worth[:, [WON]] * (play.calls @ of.wins.T)
        + worth[:, [LOST]] * (play.calls @ of.losses.T)
        + worth[:, [TIED]] * (play.calls @ of.ties.T)
        + worth[:, [STOLEN]] * (play.passes @ of.pairs.T)
    )
    forced = tournament.following[:, [FOLDED]] == NOWHERE
    return replace(play, jam=((jams > folds) | forced).astype(np.float64))


def worst_case(tournament: Tournament, jam: Floats) -> tuple[Floats, StationaryProfile]:
    """[Z] the probability of winning that a strategy guarantees against any opponent, and that opponent."""
    play = answered(tournament, jam, payoffs(tournament, tournament.ends))
    values = values_of(tournament, chances(play))
    for _ in range(MOST_ROUNDS):
        play = answered(tournament, jam, payoffs(tournament, values))
        new = values_of(tournament, chances(play))
        if (new >= values - CLOSE).all():
            return new, play
        values = new
    raise ErraiError(TOO_DEEP)


def longest(tournament: Tournament, play: StationaryProfile, stalling: int) -> Floats:
    """[Z] how many hands the tournament can last at most on average when one player (0 or 1) stalls."""
    step = np.zeros(tournament.states)
    step[tournament.live] = 1.0
    lengths = values_of(tournament, chances(play), step)
    for _ in range(MOST_ROUNDS):
        worth = payoffs(tournament, lengths)
        stalled = jammed(tournament, play, worth) if stalling == 0 else answered(tournament, play.jam, -worth)
        new = values_of(tournament, chances(stalled), step)
        if (new <= lengths * (1 + 1e-9)).all():
            return lengths
        lengths = np.maximum(new, lengths)
    raise ErraiError(TOO_DEEP)
