"""Whom the strategy meets in a sample: itself, or the CFR-BR opponent.

The CFR-BR opponent learns with regrets of its own before the end and plays a best response there, knowing its very
cards (CFR-BR with a trunk). The end is the last round, or the last two. On the last board its best response is exact.
In the round before, it does not know what card comes: so several last boards are drawn, and on each it follows the
choices that were best on all the others.

`mine` is the workspace of the player whose strategy is trained, `theirs` that of the opponent.
"""

from __future__ import annotations

from numba import njit

from errai.blueprint.kernels.choices import choose, pick
from errai.blueprint.kernels.nodes import Update
from errai.blueprint.kernels.random import random_number
from errai.blueprint.kernels.runouts import add_control_variate
from errai.blueprint.kernels.steps import chunk_on, enter, enter_chosen, give, leave
from errai.engine.kernels.between import collect, ends
from errai.engine.kernels.matching import add, clear, copy
from errai.kernels.options import INLINED, INNER


@njit(**INLINED)
def both_enter(thread, level, player, line, stores, weights, mine, theirs):
    """Down a board before the end: the player meets the strategy itself, or the opponent, which in turn meets it."""
    chunk = chunk_on(thread, level, 0)
    if stores.opponent_regret.size == 0:
        enter(thread, chunk, line, player, stores.regret, stores.average, weights.average, mine)
    else:
        enter(thread, chunk, line, player, stores.opponent_regret, None, weights.average, mine)
        enter(thread, chunk, line, 1 - player, stores.regret, stores.average, weights.average, theirs)


@njit(**INLINED)
def both_leave(thread, level, player, line, probability, stores, played, weights, mine, theirs):
    """Up a board before the end: the regrets of the player and, if there is one, of the opponent.

    The opponent's have a floor of zero: it is quick to go where the player has become weak. Both have `played` by
    those stores, which in the first round are not the ones that learn.
    """
    chunk = chunk_on(thread, level, 0)
    update = Update(stores.regret, played.regret, weights.regret, weights.floor)
    leave(thread, chunk, line, player, 0, update, probability, mine)
    if stores.opponent_regret.size > 0:
        update = Update(stores.opponent_regret, played.opponent_regret, weights.regret, 0.0)
        leave(thread, chunk, line, 1 - player, 0, update, probability, theirs)


@njit(**INLINED)
def _respond(thread, chunk, line, player, stores, averaging, choice, theirs):
    """The opponent's best response on a last board to the player's strategy: its choices, and its root values."""
    opponent = 1 - player
    enter(thread, chunk, line, opponent, stores.regret, stores.average, averaging, theirs)
    value = theirs.value[theirs.first_value[chunk.level] :]
    choose(thread.betting, chunk.level, opponent, chunk.H * chunk.K, value, thread.sample.nodes.mean, choice)


@njit(**INNER)
def _is_walked(sample, chunk, probability):
    """Whether a chunk is walked this time; the control variate takes the importance weights from here."""
    walked = random_number(sample.random) < probability
    sample.runouts.importance[1, chunk.k : chunk.k + chunk.K] = 1.0 / probability if walked else 0.0
    return walked


@njit(**INLINED)
def last_round(thread, player, line, visits, stores, weights, mine, theirs):
    """The last board, chunk by chunk, some of them only in some samples."""
    board, betting = thread.boards.first_last, thread.betting
    level = thread.boards.level[board]
    for k in range(0, betting.contexts[level], betting.chunk[level]):
        chunk = chunk_on(thread, board, k)
        probability = visits.chunk[k // chunk.K]
        if not _is_walked(thread.sample, chunk, probability):
            continue
        if level == 1:
            probability *= visits.line[line]
        if stores.opponent_regret.size == 0:
            enter(thread, chunk, line, player, stores.regret, stores.average, weights.average, mine)
        else:
            choice = thread.sample.choice[0, 0]
            _respond(thread, chunk, line, player, stores, weights.average, choice, theirs)
            give(betting, thread.boards, chunk, line, 1.0 / probability, theirs)
            enter_chosen(thread, chunk, line, player, choice, mine)
        update = Update(stores.regret, stores.regret, weights.regret, weights.floor)
        leave(thread, chunk, line, player, 0, update, probability, mine)


@njit(**INLINED)
def last_two_rounds(thread, player, line, visits, stores, weights, mine, theirs):
    """The board before the last and all last boards, against an opponent who responds best on both."""
    betting, boards, sample = thread.betting, thread.boards, thread.sample
    last = thread.deal.public.size - 1
    turn, opponent, count = last - 1, 1 - player, boards.level.size - last
    before = chunk_on(thread, turn, 0)
    n, size = before.H * before.K, before.H * before.K * betting.leaves[turn]
    reach, value = theirs.reach[theirs.first_reach[turn] :], theirs.value[theirs.first_value[turn] :]
    leaf = theirs.leaf[theirs.first_leaf[turn] : theirs.first_leaf[turn] + size]
    total, choice, mean = sample.leaf[count, :size], sample.choice_before, sample.nodes.mean

    # What the opponent wins on each last board, where it responds best.
    enter(thread, before, line, opponent, stores.regret, stores.average, weights.average, theirs)
    clear(total)
    sample.runouts.importance[1, :] = 1.0
    for end in range(count):
        clear(leaf)
        for k in range(0, betting.contexts[last], betting.chunk[last]):
            chunk = chunk_on(thread, last + end, k)
            chosen = sample.choice[end, k // chunk.K]
            _respond(thread, chunk, line, player, stores, weights.average, chosen, theirs)
            give(betting, boards, chunk, line, 1.0, theirs)
        if sample.runouts.first[last] > 0:
            add_control_variate(
                betting, boards, turn, opponent, sample.place[turn], sample.runouts, end, reach, leaf, theirs
            )
        copy(sample.leaf[end, :size], leaf)
        add(total, leaf)

    factor = 1.0 / (count * (visits.line[line] if turn == 1 else 1.0))
    update = Update(stores.regret, stores.regret, weights.regret, weights.floor)
    for end in range(count):
        # On this one it follows what is best on the others,
        known = sample.leaf[end, :size]
        share = leaf.dtype.type(1.0 / (count - 1))
        for i in range(size):
            leaf[i] = (total[i] - known[i]) * share
        ends(betting, boards, before, opponent, reach, value, theirs)
        collect(betting, before, opponent, leaf, value)
        choose(betting, turn, opponent, n, value, mean, choice)
        ends(betting, boards, before, opponent, reach, value, theirs)
        collect(betting, before, opponent, known, value)
        pick(betting, turn, opponent, n, value, mean, choice)
        give(betting, boards, before, line, factor, theirs)
        # and the player meets it there.
        enter_chosen(thread, before, line, player, choice, mine)
        for k in range(0, betting.contexts[last], betting.chunk[last]):
            chunk = chunk_on(thread, last + end, k)
            probability = visits.chunk[k // chunk.K]
            if _is_walked(sample, chunk, probability):
                enter_chosen(thread, chunk, line, player, sample.choice[end, k // chunk.K], mine)
                leave(thread, chunk, line, player, end, update, probability, mine)
        leave(thread, before, line, player, end, update, 1.0 / factor, mine)
