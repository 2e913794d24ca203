"""One pass over the nodes of a tree, parents before children."""

from __future__ import annotations

import numpy as np
from numba import njit

NONE = -1


@njit(cache=True, nogil=True)
def own_sequences(player, parent, first_child, information_set, first):
    """([N], [N]) the sequence of each player that leads to a node.

    A child of seat p's node continues p's sequence with its action; every other sequence is handed down.
    """
    N = len(player)
    zero, one = np.zeros(N, np.int32), np.zeros(N, np.int32)
    for node in range(1, N):
        above = parent[node]
        zero[node], one[node] = zero[above], one[above]
        if player[above] == 0:
            zero[node] = first[information_set[above]] + node - first_child[above]
        elif player[above] == 1:
            one[node] = first[information_set[above]] + node - first_child[above]
    return zero, one


@njit(cache=True, nogil=True)
def find_forgotten(player, information_set, at, parent):
    """Fill parent [I] with the sequence that leads to each set; the first node whose own is another, or NONE."""
    for node in range(len(player)):
        which = information_set[node]
        if which == NONE:
            continue
        own = at[0][node] if player[node] == 0 else at[1][node]
        if parent[which] == NONE:
            parent[which] = own
        elif parent[which] != own:
            return node
    return NONE


@njit(cache=True, nogil=True)
def chance_edges(player, parent):
    """([N], [N]) the latest node up to each node that a branch of chance led to, and how many there were."""
    N = len(player)
    edge, depth = np.zeros(N, np.int32), np.zeros(N, np.int32)
    for node in range(1, N):
        above = parent[node]
        if player[above] == 2:
            edge[node], depth[node] = node, depth[above] + 1
        else:
            edge[node], depth[node] = edge[above], depth[above]
    return edge, depth
