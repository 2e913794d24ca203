"""Which subgames are looked at, where not all can be.

A flop is drawn with the number of flops that it stands for, and a board of the border likewise; contexts are taken at
equal distances. Each subgame is then as likely to be drawn as it is large, so that the mean of something that is
measured per number is that of the whole game.
"""

from __future__ import annotations

import numpy as np

from errai.cards.canonical import canonical_boards
from errai.engine.layout import rounds_of
from errai.games.spot import Spot
from errai.scale.division import Division, Subgame


def drawn_flop(spot: Spot, generator: np.random.Generator) -> tuple[tuple[int, ...], ...] | None:
    """A board of the first level that is dealt, drawn with the number of boards that it stands for."""
    _, _, dealt = rounds_of(spot)
    if not dealt[0]:
        return None
    boards = canonical_boards(spot.deck, spot.game.hole_cards, dealt[:1])
    share = boards.weight / boards.weight.sum()
    drawn = int(generator.choice(len(share), p=share))
    return (tuple(int(card) for card in boards.cards[drawn, : dealt[0]]),)


def drawn_subgame(division: Division, generator: np.random.Generator, at: float) -> Subgame:
    """A board of the border, drawn likewise, and the subgame with the context that is at this share of all."""
    tree, level = division.trunk.shape.tree, division.level
    weight = tree.orbit.astype(np.float64)
    for board in range(int(tree.levels[1]), len(weight)):
        weight[board] *= weight[tree.parent[board]]
    first = division.first_border
    share = weight[first:] / weight[first:].sum()
    board = first + int(generator.choice(len(share), p=share))
    context = int(at * division.contexts[level])
    return next(
        subgame
        for subgame in division.subgames
        if subgame.first <= board < subgame.last and subgame.k <= context < subgame.k + subgame.K
    )


def place_of(division: Division, subgame: Subgame) -> str:
    """A subgame in words, by its first board and its contexts."""
    tree = division.trunk.shape.tree
    cards = tree.cards[subgame.first, : int(tree.public[division.level])]
    board = division.spot.deck.format_cards([int(card) for card in cards])
    return f"{board} contexts {subgame.k} to {subgame.k + subgame.K - 1}"
