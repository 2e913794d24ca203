"""Own reach: how often a player gets to each of its decisions by its own choices.

What an opponent does, and what cards come, does not count: a best response will go wherever it pays. What counts is
that the player hardly ever plays so. Hands are taken as equally likely in every bucket and round after round,
which is enough to tell the rare from the usual.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errai.blueprint.layout import BucketLayout

Weights = NDArray[np.float32] | NDArray[np.uint8]


def first_round_shares(layout: BucketLayout, weights: Weights) -> NDArray[np.float64]:
    """[N, A] probabilities of the actions of the first round, hand by hand."""
    bucket = layout.abstraction.buckets(((),))[0]
    rows = np.maximum(layout.view(weights, 0)[0, 0, :, :, 0].astype(np.float64)[bucket], 0.0)
    for node in layout.templates[0].nodes:
        own = rows[:, node.row : node.row + len(node.actions)]
        total = own.sum(axis=1, keepdims=True)
        own[:] = np.divide(own, total, out=np.full_like(own, 1 / own.shape[1]), where=total > 0)
    return rows


def first_round_reach(
    layout: BucketLayout, weights: Weights
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each seat [its sequences of the first round, N]: how likely a hand plays that sequence."""
    template, shares = layout.templates[0], first_round_shares(layout, weights)
    reach = [np.zeros((count, len(shares))) for count in template.sequences]
    for seat in (0, 1):
        reach[seat][0] = 1.0
    for node in template.nodes:
        for a in range(len(node.actions)):
            own = reach[node.player]
            own[node.sequence + a] = own[node.own] * shares[:, node.row + a]
    return reach[0], reach[1]


def own_reach(layout: BucketLayout, probabilities: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """For each round [lines, contexts, nodes]: how likely the player to act plays so, as a mean over its buckets."""
    found = []
    before = np.ones((2, 1, 1))  # [seat, lines, contexts] on the way to this round
    for round_, template in enumerate(layout.templates):
        view = layout.view(probabilities, round_)
        lines, K = view.shape[0], layout.contexts[round_]
        reached = np.empty((lines, K, len(template.nodes)))
        after = np.empty((2, lines, len(template.leaves) * K))
        for line in range(lines):
            # [A, contexts, buckets]
            rows = view[line].transpose(2, 0, 3, 1).reshape(template.rows, K, -1).astype(np.float32) / 255
            own = [np.ones((count, *rows.shape[1:]), np.float32) for count in template.sequences]
            for number, node in enumerate(template.nodes):
                here = own[node.player][node.own]
                reached[line, :, number] = before[node.player, line] * here.mean(axis=1)
                for a in range(len(node.actions)):
                    own[node.player][node.sequence + a] = here * rows[node.row + a]
            for seat in (0, 1):
                for number, leaf in enumerate(template.leaves):
                    mean = own[seat][leaf.sequences[seat]].mean(axis=1)
                    after[seat, line, number * K : (number + 1) * K] = before[seat, line] * mean
        found.append(reached)
        # After the first round its leaves are the lines.
        before = after.transpose(0, 2, 1) if round_ == 0 else after
    return found
