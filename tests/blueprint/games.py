"""Hold'em with ten cards, which the engine solves, and strategies on buckets as the engine takes them."""

from functools import cache

import numpy as np

from errai.abstraction.abstraction import Abstraction, RoundBuckets, lossless
from errai.blueprint.layout import BucketLayout, bucket_layout
from errai.blueprint.packing import context_rows
from errai.blueprint.training import Plan, Training, new_training
from errai.engine.layout import Layout, layout
from errai.games.definition import parse_game
from errai.games.spot import whole_game
from errai.kernels.lanes import W

TEXT = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 2 1 1 1
numSuits = 2
numRanks = 5
numHoleCards = 2
numBoardCards = 0 2 1 1
END GAMEDEF
"""
GAME = parse_game(TEXT, name="ten cards")
VALUE = -0.6298  # chips of seat 0, by the engine


@cache
def exact_layout() -> BucketLayout:
    """Every hand is a bucket of its own."""
    return bucket_layout(GAME, lossless(GAME))


@cache
def few_layout(buckets: int = 7) -> BucketLayout:
    """Hands that have little in common share a bucket."""
    rounds = [RoundBuckets(buckets, of.boards, of.cells % np.uint32(buckets)) for of in lossless(GAME).rounds]
    return bucket_layout(GAME, Abstraction(GAME, "few", tuple(rounds)))


@cache
def engine_layout() -> Layout:
    return layout(whole_game(GAME))


def random_weights(made: BucketLayout, seed: int = 1) -> np.ndarray:
    """Weights of which many are nothing."""
    weights = np.random.default_rng(seed).random(made.numbers + 2 * W).astype(np.float32)
    return np.maximum(weights - np.float32(0.3), 0)


def engine_weights(made: BucketLayout, weights: np.ndarray) -> np.ndarray:
    """The weights of every bucket, hand by hand, in the order of the engine."""
    whole = engine_layout()
    tree, boards = whole.shape.tree, whole.boards
    out = np.full(int(boards.offset[-1]), np.nan)
    tables = [
        np.stack([context_rows(made, weights, level, context) for context in range(K)])
        for level, K in enumerate(whole.shape.contexts)
    ]
    for board, level in enumerate(boards.level):
        cards = [int(card) for card in tree.cards[board, : tree.public[level]]]
        ends = np.cumsum(GAME.board_cards[: level + 1])
        dealt = tuple(tuple(cards[end - new : end]) for new, end in zip(GAME.board_cards, ends, strict=False))
        hand = whole.hand_classes.hand[whole.hand_classes.first[board] : whole.hand_classes.first[board + 1]]
        rows = tables[level][:, :, made.abstraction.buckets(dealt)[-1][hand]]
        # The engine has [chunks, A, H, contexts of a chunk].
        K, A, H = rows.shape
        chunk = int(whole.betting.chunk[level])
        block = rows.reshape(K // chunk, chunk, A, H).transpose(0, 2, 3, 1)
        out[boards.offset[board] : boards.offset[board + 1]] = block.reshape(-1)
    assert not np.isnan(out).any()
    return out


def trained(made: BucketLayout, method: str, samples: int, seed: int = 1, threads: int = 1) -> Training:
    """A finished training."""
    plan = Plan(method, samples=samples, seed=seed, threads=threads)
    training = new_training(GAME, made.abstraction, plan)
    assert training.run()
    return training
