"""A model from a network of buckets: which rounds, how many bets, what pot, and what is known of both players' hands.

    model = network_model(game, network, first=1, stake=10.0, bets=3)

PsOpti's models are such: a bet less a round, three of the four rounds, a pot from before the flop. Players remember
their buckets, so their histories are all sequences of them; how a pair of buckets goes on depends on that pair alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from errai.abstraction.joint import Network
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.template import fresh_round, round_template
from errai.models.model import Floats, Model, Round


def with_bets(game: GameDefinition, bets: int | None) -> GameDefinition:
    """The same rules with at most so many bets a round."""
    if bets is None:
        return game
    if bets < 1:
        raise ErraiError(f"a round has one bet or more, not {bets}", parameter="bets")
    return replace(game, max_raises=tuple(min(most, bets) for most in game.max_raises))


def network_model(
    game: GameDefinition,
    network: Network,
    first: int,
    stake: float = 0.0,
    bets: int | None = None,
    reach: tuple[Floats, Floats] | None = None,
) -> Model:
    """The rounds of a network, from the round `first` of the game, entered with a stake.

    `reach` [n] is how likely each seat is to have come here with a hand of each bucket, by what it did before.
    """
    rules = with_bets(game, bets)
    weight = network.first
    if reach is not None:
        weight = weight * reach[0][:, None] * reach[1][None]
        if weight.sum() <= 0:
            raise ErraiError("no pair of hands gets to this model")
    weight = weight / weight.sum()
    rounds = [Round(round_template(fresh_round(rules, first)), weight)]
    now = np.arange(len(weight))  # the last bucket of every history
    for number, step in enumerate(network.steps, first + 1):
        H, m = len(now), step.shape[2]
        joint = weight[:, :, None, None] * step[now[:, None], now[None]]
        weight = joint.transpose(0, 2, 1, 3).reshape(H * m, H * m)
        weight = weight / weight.sum()
        parent = np.repeat(np.arange(H), m)
        rounds.append(Round(round_template(fresh_round(rules, number)), weight, (parent, parent)))
        now = np.tile(np.arange(m), H)
    share = network.share[now[:, None], now[None]]
    return Model(rules, tuple(rounds), share, np.array([stake]))
