"""One board of a sample: reach comes down and is split, values are joined and given to the board above."""

from __future__ import annotations

from numba import njit

from errai.blueprint.kernels.choices import follow
from errai.blueprint.kernels.nodes import ascend, descend
from errai.blueprint.kernels.rows import rows_of
from errai.blueprint.kernels.runouts import add_control_variate
from errai.engine.kernels.arrays import Chunk
from errai.engine.kernels.between import collect, ends, pull, push
from errai.engine.kernels.matching import clear
from errai.kernels.options import INNER


@njit(**INNER)
def chunk_on(thread, board, k):
    """The contexts of a board from k on that are worked on at a time: all of them before the last round."""
    boards, level = thread.boards, thread.boards.level[board]
    H = boards.first_hand[board + 1] - boards.first_hand[board]
    return Chunk(board, level, H, k, thread.betting.chunk[level])


@njit(**INNER)
def _rows(thread, chunk, line):
    """The rows of the hands of a chunk. The first round comes before the lines."""
    first = thread.boards.first_hand[chunk.board]
    bucket = thread.sample.bucket[first : first + chunk.H]
    deal = thread.deal
    return rows_of(thread.betting, chunk, line if chunk.level else 0, deal.first, deal.counts, bucket)


@njit(**INNER)
def _pull(betting, boards, chunk, player, line, workspace):
    """The opponent's reach at the leaves above becomes its reach at the root of a chunk."""
    level = chunk.level
    if level == 0:
        workspace.reach[: chunk.H] = workspace.reach.dtype.type(1)
        return
    above = workspace.reach[workspace.first_reach[level - 1] :]
    reach = workspace.reach[workspace.first_reach[level] :]
    entered = line if level == 1 else chunk.k  # the contexts of the second round are the lines
    pull(betting, boards, Chunk(chunk.board, level, chunk.H, entered, chunk.K), player, above, reach)


@njit(**INNER)
def enter(thread, chunk, line, player, weights, average, averaging, workspace):
    """Reach from the board above, split at the opponent's nodes; values of the folds (and showdowns)."""
    level = chunk.level
    _pull(thread.betting, thread.boards, chunk, player, line, workspace)
    reach = workspace.reach[workspace.first_reach[level] :]
    value = workspace.value[workspace.first_value[level] :]
    rows = _rows(thread, chunk, line)
    descend(thread.betting, chunk, player, rows, weights, reach, average, averaging, thread.sample.nodes)
    ends(thread.betting, thread.boards, chunk, player, reach, value, workspace)
    clear(workspace.leaf[workspace.first_leaf[level] : workspace.first_leaf[level + 1]])


@njit(**INNER)
def enter_chosen(thread, chunk, line, player, choice, workspace):
    """The same against an opponent who has chosen."""
    level = chunk.level
    _pull(thread.betting, thread.boards, chunk, player, line, workspace)
    reach = workspace.reach[workspace.first_reach[level] :]
    value = workspace.value[workspace.first_value[level] :]
    follow(thread.betting, level, player, chunk.H * chunk.K, choice, reach)
    ends(thread.betting, thread.boards, chunk, player, reach, value, workspace)
    clear(workspace.leaf[workspace.first_leaf[level] : workspace.first_leaf[level + 1]])


@njit(**INNER)
def give(betting, boards, chunk, line, factor, workspace):
    """A chunk's root values, times a factor, go to the leaves of the board above."""
    level = chunk.level
    value = workspace.value[workspace.first_value[level] :]
    above = workspace.leaf[workspace.first_leaf[level - 1] :]
    if factor != 1.0:
        number = value.dtype.type(factor)
        for i in range(chunk.H * chunk.K):
            value[i] *= number
    if level == 1:
        _to_first_round(betting, boards, chunk, line, value, above)
    else:
        push(betting, boards, chunk, value, above)


@njit(**INNER)
def _to_first_round(betting, boards, chunk, line, value, leaf):
    """Values at the root of a line become values of a leaf of the first round."""
    lines = betting.leaves[0]
    first = boards.first_hand[chunk.board]
    chance = leaf.dtype.type(betting.chance[1])
    for i in range(chunk.H):
        leaf[boards.up[first + i] * lines + line] += chance * value[i]


@njit(**INNER)
def leave(thread, chunk, line, player, end, update, probability, workspace):
    """Join the values of a chunk, add its regrets, and give the values to the board above.

    What is walked with some `probability` is given weighted by its inverse. `end` is the number of the last board.
    """
    betting, boards, sample = thread.betting, thread.boards, thread.sample
    level, last = chunk.level, thread.deal.public.size - 1
    value = workspace.value[workspace.first_value[level] :]
    if level < last:
        leaf = workspace.leaf[workspace.first_leaf[level] :]
        if level > 0 and sample.runouts.first[last] > 0:
            reach = workspace.reach[workspace.first_reach[level] :]
            add_control_variate(
                betting,
                boards,
                level,
                player,
                sample.place[level],
                sample.runouts,
                end,
                reach,
                leaf,
                workspace,
            )
        collect(betting, chunk, player, leaf, value)
    rows = _rows(thread, chunk, line)
    ascend(betting, chunk, player, False, rows, update.played, value, update, sample.nodes)
    if level > 0:
        give(betting, boards, chunk, line, 1.0 / probability, workspace)
