"""The order in which boards are walked is that of a plain recursion."""

import numpy as np
import pytest

from errai.engine.kernels.walk import ENTER, LEAVE, OVER, chunk_at, next_move, walk_tree
from errai.engine.layout import layout
from errai.games.spot import whole_game
from tests.blueprint.games import GAME


@pytest.fixture(scope="module")
def built():
    """Four rounds, of which the last has its contexts in chunks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("errai.engine.layout.CHUNK", 3 * 15)
        return layout(whole_game(GAME))


def recursion(built, board):
    """(board, first context, move), chunk by chunk."""
    boards, betting = built.boards, built.betting
    level = int(boards.level[board])
    for k in range(0, int(betting.contexts[level]), int(betting.chunk[level])):
        yield board, k, ENTER
        first = int(boards.first_child[board])
        for child in range(first, first + int(boards.children[board])):
            yield from recursion(built, child)
        yield board, k, LEAVE


def walked(built, top):
    tree = walk_tree(built.betting, built.boards)
    board, k, move = np.int64(top), np.int64(0), ENTER
    while move != OVER:
        yield int(board), int(k), move
        board, k, move = next_move(tree, np.int64(top), board, k, move)


@pytest.mark.parametrize("level", [0, 1, 3])
def test_every_chunk_is_entered_and_left_in_order(built, level):
    top = int(built.shape.tree.levels[level])
    found = list(walked(built, top))
    assert found == list(recursion(built, top))
    assert built.betting.contexts[-1] // built.betting.chunk[-1] > 1


def test_a_chunk_knows_its_board(built):
    tree = walk_tree(built.betting, built.boards)
    board = int(built.boards.first_last) + 2
    chunk = chunk_at(tree, board, 3)
    assert chunk == (board, 3, built.shape.classes[board], 3, built.betting.chunk[3])
