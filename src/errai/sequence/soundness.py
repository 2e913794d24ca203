"""Whether the arrays of a saved game are a tree: kernels walk them without looking.

A node comes before its children, these lie side by side, every node but the root is the child of one other, and
whatever a node refers to (a set, a label, a probability, a payoff) is there.
"""

from __future__ import annotations

import numpy as np

from errai.sequence.tree import CHANCE, END, NONE, ExtensiveGame


def require_tree(game: ExtensiveGame) -> None:
    """Refuse, by a ValueError, arrays that are no game."""
    N, sets = game.nodes, game.information_sets
    nodes = (
        game.parent, game.first_child, game.children, game.information_set, game.label, game.chance, game.payoff,
    )  # fmt: skip
    sound = N > 0 and all(array.shape == (N,) for array in nodes)
    sound = sound and game.player.ndim == 1 and int(game.player.min()) >= 0 and int(game.player.max()) <= END
    sound = sound and game.set_actions.shape == game.set_node.shape == game.set_player.shape == (sets,)
    _require(sound and len(game.set_names) == sets, "its arrays are not those of a game")
    _require_children(game)
    moves = game.player < CHANCE
    which = game.information_set
    _require(bool((which[~moves] == NONE).all()), "somebody else moves in an information set")
    _require(bool(((which[moves] >= 0) & (which[moves] < sets)).all()), "an information set is missing")
    own = which[moves]
    _require(bool((game.set_player[own] == game.player[moves]).all()), "an information set has two owners")
    _require(
        bool((game.set_actions[own] == game.children[moves]).all()), "an information set has other actions"
    )
    found, first = np.unique(which, return_index=True)
    known = found != NONE
    _require(
        np.array_equal(found[known], np.arange(sets)) and np.array_equal(first[known], game.set_node),
        "its information sets are not in order",
    )
    for codes, table in (
        (game.label, game.labels),
        (game.chance, game.probabilities),
        (game.payoff, game.payoffs),
    ):
        _require(
            int(codes.min()) >= 0 and int(codes.max()) < max(len(table), 1), "a name or a number is missing"
        )


def _require_children(game: ExtensiveGame) -> None:
    N, children, first = game.nodes, game.children.astype(np.int64), game.first_child.astype(np.int64)
    inner = np.flatnonzero(game.player != END)
    sound = bool((children[inner] > 0).all()) and bool((children[game.player == END] == 0).all())
    sound = sound and int(children.sum()) == N - 1
    sound = (
        sound and bool((first[inner] > inner).all()) and bool((first + children)[inner].max(initial=0) <= N)
    )
    _require(sound, "its nodes are not a tree")
    owner = np.repeat(inner, children[inner])
    offset = np.arange(N - 1) - np.repeat(np.cumsum(children[inner]) - children[inner], children[inner])
    parent = np.full(N, NONE, np.int64)
    parent[np.repeat(first[inner], children[inner]) + offset] = owner
    _require(
        np.array_equal(parent, game.parent) and bool((parent[1:] >= 0).all()),
        "its nodes are not a tree",
    )


def _require(sound: bool, complaint: str) -> None:
    if not sound:
        raise ValueError(complaint)
