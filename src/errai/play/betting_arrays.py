"""The betting of a limit game as kernels of whole hands take it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import hands
from errai.cards.strength import RANKINGS
from errai.games.definition import GameDefinition
from errai.games.lookup import betting_tree, stakes_of
from errai.games.template import Template
from errai.play.kernels.public_state import FOLD, LEAF, NODE, Betting, Deck


@lru_cache(8)
def betting_of(game: GameDefinition) -> Betting:
    """The arrays of all rounds."""
    tree = betting_tree(game)
    templates, L = tree.templates, len(tree.templates)
    stakes = stakes_of(tree)
    nodes = [template.nodes for template in templates]
    ways = [_ways(template) for template in templates]
    endings = max(len(way) for of in ways for way in of)
    most = max(len(steps) for of in ways for way in of for steps in way)
    length = np.zeros((L, 2, endings), np.int64)
    at = np.zeros((2, L, 2, endings, most), np.int64)
    for r, of in enumerate(ways):
        for kind, way in enumerate(of):
            for ending, steps in enumerate(way):
                length[r, kind, ending] = len(steps)
                at[:, r, kind, ending, : len(steps)] = np.array(steps).T
    follows = np.zeros((2, L, max(map(len, nodes)), 3), np.int64)
    for r, template in enumerate(templates):
        for n, node in enumerate(template.nodes):
            for a, action in enumerate(node.actions):
                follows[:, r, n, a] = _following(template, node.betting + action)
    return Betting(
        contexts=np.array(tree.contexts, np.int64),
        public=np.array(game.board_sizes, np.int64),
        nodes=np.array([len(of) for of in nodes], np.int64),
        player=_table([[node.player for node in of] for of in nodes]),
        row=_table([[node.row for node in of] for of in nodes]),
        actions=_table([[len(node.actions) for node in of] for of in nodes]),
        kind=follows[0],
        child=follows[1],
        loser=_table([[fold.loser or 0 for fold in template.folds] for template in templates]),
        fold=_table([[fold.amount for fold in template.folds] for template in templates]),
        leaf=_table([[leaf.amount for leaf in template.leaves] for template in templates]),
        stake=np.array([stake for level in stakes for stake in level], np.int64),
        first_stake=np.cumsum([0, *map(len, stakes[:-1])]).astype(np.int64),
        length=length,
        node_at=at[0],
        action_at=at[1],
    )


@lru_cache(8)
def deck_of(game: GameDefinition) -> Deck:
    """The hands of a game."""
    hole = hands(game.deck_size, game.hole_cards)
    N = len(hole)
    pairs = hole if game.hole_cards == 2 else np.column_stack([hole, np.full(N, game.deck_size, np.uint8)])
    return Deck(
        hole=hole,
        pairs=np.ascontiguousarray(pairs),
        size=game.deck_size,
        suits=game.suits,
        ranks=game.ranks,
        ranking=RANKINGS[game.ranking],
        two_cards=float(game.hole_cards == 2),
    )


def _ways(template: Template) -> tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]:
    """The (node, action) on the way to every leaf, and to every fold."""
    number = {node.betting: n for n, node in enumerate(template.nodes)}

    def steps(betting: str) -> list[tuple[int, int]]:
        found = []
        for end, action in enumerate(betting):
            node = number[betting[:end]]
            found.append((node, template.nodes[node].actions.index(action)))
        return found

    return [steps(leaf.betting) for leaf in template.leaves], [steps(fold.betting) for fold in template.folds]


def _following(template: Template, betting: str) -> tuple[int, int]:
    """(kind, number) of what a betting of the round leads to."""
    kinds = ((NODE, template.nodes), (FOLD, template.folds), (LEAF, template.leaves))
    bettings = [(kind, [one.betting for one in among]) for kind, among in kinds]
    return next((kind, among.index(betting)) for kind, among in bettings if betting in among)


def _table(rows: Sequence[Sequence[int]]) -> NDArray[Any]:
    """[rows, longest] filled up with zeros."""
    out = np.zeros((len(rows), max(1, *map(len, rows))), np.int64)
    for to, row in zip(out, rows, strict=True):
        to[: len(row)] = row
    return out
