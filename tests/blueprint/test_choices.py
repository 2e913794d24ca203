"""Best responses on one board that are chosen, followed and picked, against plain Python."""

import numpy as np
import pytest
from numba import njit

from errai.blueprint.kernels.choices import choose, follow, pick
from tests.blueprint.games import few_layout

n = 5


@njit
def _choose(betting, level, player, n, value, mean, choice):
    choose(betting, level, player, n, value, mean, choice)


@njit
def _pick(betting, level, player, n, value, mean, choice):
    pick(betting, level, player, n, value, mean, choice)


@njit
def _follow(betting, level, player, n, choice, reach):
    follow(betting, level, player, n, choice, reach)


def naive(template, player, ends, choose_by):
    """(values [sequences, n], {node: actions [n]}): what sequences end with, plus what comes after them."""
    value, chosen = ends.copy(), {}
    for index, node in reversed(list(enumerate(template.nodes))):
        if node.player == player:
            after = value[node.sequence : node.sequence + len(node.actions)]
            chosen[index] = after.argmax(axis=0) if choose_by is None else choose_by[index]
            value[node.own] += np.take_along_axis(after, chosen[index][None], axis=0)[0]
    return value, chosen


@pytest.mark.parametrize(("level", "player"), [(0, 0), (0, 1), (3, 0), (3, 1)])
def test_chosen_followed_and_picked(level, player):
    layout = few_layout()
    template, betting = layout.templates[level], layout.betting
    generator = np.random.default_rng(level + 2 * player)
    nodes = range(int(betting.first_node[level]), int(betting.first_node[level + 1]))
    # Sequences to which only nodes add begin at nothing; the kernel assigns those that are marked.
    marked = {
        int(betting.own[node]) for node in nodes if betting.assign[node] and betting.player[node] == player
    }
    first, second = (generator.normal(size=(template.sequences[player], n)) for _ in range(2))
    for ends in (first, second):
        ends[sorted(marked)] = 0
    choice = np.zeros(len(nodes) * n, np.uint8)
    value, mean = first.astype(np.float32).reshape(-1), np.zeros(n, np.float32)
    _choose(betting, level, player, n, value, mean, choice)
    wanted, chosen = naive(template, player, first, None)
    np.testing.assert_allclose(value[:n], wanted[0], rtol=1e-5, atol=1e-6)
    for index, actions in chosen.items():
        np.testing.assert_array_equal(choice.reshape(-1, n)[index], actions)

    value = second.astype(np.float32).reshape(-1)
    _pick(betting, level, player, n, value, mean, choice)
    np.testing.assert_allclose(value[:n], naive(template, player, second, chosen)[0][0], rtol=1e-5, atol=1e-6)

    reach = np.zeros((template.sequences[player], n), np.float32)
    reach[0] = generator.random(n)
    flat = reach.reshape(-1).copy()
    _follow(betting, level, 1 - player, n, choice, flat)
    for index, node in enumerate(template.nodes):
        if node.player == player:
            for a in range(len(node.actions)):
                reach[node.sequence + a] = np.where(chosen[index] == a, reach[node.own], 0)
    np.testing.assert_array_equal(flat.reshape(reach.shape), reach)
