"""Small models with random chance."""

import numpy as np

from errai.games.catalogue import load_game
from errai.games.template import fresh_round, round_template
from errai.models.model import Model, Round

LEDUC = load_game("leduc")


def random_model(buckets, seed, game=LEDUC, first=0, stakes=(0.0,), holes=0.0):
    """Rounds of a game on so many buckets a round, each history with all buckets that may follow.

    A part `holes` of all pairs never happens.
    """
    random = np.random.default_rng(seed)
    rounds, weight = [], np.ones((1, 1))
    for number, count in enumerate(buckets):
        H, G = weight.shape
        chance = random.random((H, G, count, count)) * (random.random((H, G, count, count)) >= holes)
        chance += 1e-3 * (chance.sum(axis=(2, 3), keepdims=True) == 0)
        chance /= chance.sum(axis=(2, 3), keepdims=True)
        weight = (weight[:, :, None, None] * chance).transpose(0, 2, 1, 3).reshape(H * count, G * count)
        parent = None if number == 0 else tuple(np.repeat(np.arange(n), count) for n in (H, G))
        rounds.append(Round(round_template(fresh_round(game, first + number)), weight, parent))
    share = random.uniform(-1, 1, weight.shape)
    return Model(game, tuple(rounds), share, np.array(stakes, np.float64))
