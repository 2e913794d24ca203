"""Preflop hold'em (Selby 1999): the first round of limit hold'em, and a roll-out of all five board cards.

Hands are the 169 classes, dealt as cards are; the pot goes to the better hand over all boards. It is small
enough to be solved exactly, and says how one would bet before the flop if there were no bets after it.
"""

from __future__ import annotations

import numpy as np

from errai.games.definition import GameDefinition
from errai.jamfold.equities import BOARDS, equities
from errai.models.model import Model, one_round


def preflop_model(game: GameDefinition) -> Model:
    """The first round of limit hold'em with a roll-out; seat 0 is the big blind."""
    counts = equities()
    weight = counts.pairs / counts.pairs.sum()
    ahead = (counts.wins - counts.losses).astype(np.float64)
    share = np.divide(ahead, counts.pairs * float(BOARDS), out=np.zeros_like(ahead), where=counts.pairs > 0)
    return one_round(game, 0, weight, share)
