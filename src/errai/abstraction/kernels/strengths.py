"""How strong every hand is on a board, by one sort and one sweep, and how that spreads over the run-outs.

Legend: B boards, N hands.

The hands of one board are met in order of strength. With T the number of hands met so far and M[c] those of them that
hold card c, the hands met that share no card with the hand (x, y) are T - M[x] - M[y]. Before its tie they are the
hands that it beats; after it, with the hand itself added back, those it beats or ties. So

    strength = (before + after) / 2 / (opponents that share no card)

A hand of one card has a second card that nobody holds. OCHS is the same sweep with a lane for
each cluster of opponent hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from errai.cards.board_lookup import locate
from errai.cards.strength import NO_STRENGTH, end_of_ties, strengths_into

ONE = 65535  # a share of 1 in fixed point
_SLOT_BITS = 12
SLOTS = 1 << _SLOT_BITS  # more than there are hands
_SPREAD = np.uint64(2654435761)  # Knuth's multiplicative hashing


class RankedHands(NamedTuple):
    """The hands of a game, and what ranks them."""

    hands: NDArray[np.uint8]  # [N, hole cards]
    pairs: NDArray[np.uint8]  # [N, 2]; the second is the number of cards in the deck where there is none
    deck: int
    suits: int
    ranks: int
    ranking: int


class RunOuts(NamedTuple):
    """The ways in which a board may be completed."""

    sets: int  # sets of further cards
    live: int  # those of them that hold no card of a hand
    full: int  # cards of a complete board


class Spread(NamedTuple):
    """The last round's strength over all run-outs."""

    cdf: NDArray[np.float32]  # [B, N, bins]; the last is 1 where the hand lives, all are 0 where it does not
    mean: NDArray[np.float32]  # [B, N]
    square: NDArray[np.float32]  # [B, N]


class Sums(NamedTuple):
    """Of the strengths of one board's hands, or of hand classes, over run-outs."""

    histogram: NDArray[np.integer]  # [N, bins]
    first: NDArray[np.int64]  # [N] of the strengths
    second: NDArray[np.int64]  # [N] of their squares


class Sorting(NamedTuple):
    """Scratch of `sort_live`: a hash table of the strengths that occur."""

    strength: NDArray[np.int32]  # [SLOTS] NO_STRENGTH where a slot is free
    hands: NDArray[np.int32]  # [SLOTS] how many are of this strength, then where the next of them goes
    distinct: NDArray[np.int64]  # [N] strength * SLOTS + slot


@njit(cache=True, nogil=True)
def sorting(N):
    return Sorting(np.empty(SLOTS, np.int32), np.empty(SLOTS, np.int32), np.empty(N, np.int64))


@njit(cache=True, nogil=True, error_model="numpy")
def sort_live(strength, order, slot, sorting):
    """order[:live] = the hands that are possible, weakest first and equal ones by number; returns live.

    A board has a thousand hands but a hundred strengths: those are sorted, and the hands are counted into place.
    `slot` [N] is scratch.
    """
    table, hands, distinct = sorting
    table[:] = NO_STRENGTH
    found, live = 0, 0
    for hand in range(strength.size):
        value = strength[hand]
        if value == NO_STRENGTH:
            continue
        at = ((np.uint64(value) * _SPREAD) & np.uint64(0xFFFFFFFF)) >> np.uint64(32 - _SLOT_BITS)
        while table[at] != value:
            if table[at] == NO_STRENGTH:
                table[at] = value
                hands[at] = 0
                distinct[found] = np.int64(value) * SLOTS + np.int64(at)
                found += 1
                break
            at = (at + np.uint64(1)) & np.uint64(SLOTS - 1)
        hands[at] += 1
        slot[hand] = at
        live += 1
    distinct[:found].sort()
    start = 0
    for i in range(found):
        at = distinct[i] % SLOTS
        here = hands[at]
        hands[at] = start
        start += here
    for hand in range(strength.size):
        if strength[hand] != NO_STRENGTH:
            at = slot[hand]
            order[hands[at]] = hand
            hands[at] += 1
    return live


@njit(cache=True, nogil=True, error_model="numpy")
def shares(boards, of, out):
    """out[b, h] = win + half tie against a hand drawn from all that are possible, times ONE; 0 where blocked."""
    hands, pairs, deck, suits, ranks, ranking = of
    N = hands.shape[0]
    both = hands.shape[1] - 1  # a hand of two cards is taken away twice and must be added back
    strength = np.empty(N, np.int32)
    order = np.empty(N, np.int32)
    other = np.empty(N, np.int32)
    scratch = sorting(N)
    met = np.empty(deck + 1, np.int32)
    left = deck - boards.shape[1] - hands.shape[1]
    opponents = left * (left - 1) // 2 if both else left
    # share[twice what is won] = round(ONE * won / opponents) in whole numbers
    share = np.empty(2 * opponents + 1, np.uint16)
    for won in range(2 * opponents + 1):
        share[won] = (ONE * won + opponents) // (2 * opponents)
    for board in range(boards.shape[0]):
        row = out[board]
        row[:] = 0
        strengths_into(hands, boards[board], suits, ranks, ranking, strength)
        live = sort_live(strength, order, other, scratch)
        met[:] = 0
        start = 0
        while start < live:
            end = end_of_ties(strength, order, start, live)
            for i in range(start, end):
                hand = order[i]
                other[i] = start - met[pairs[hand, 0]] - met[pairs[hand, 1]]
            for i in range(start, end):
                hand = order[i]
                met[pairs[hand, 0]] += 1
                if both:
                    met[pairs[hand, 1]] += 1
            for i in range(start, end):
                hand = order[i]
                after = end - met[pairs[hand, 0]] - met[pairs[hand, 1]] + both
                row[hand] = share[other[i] + after]
            start = end


@njit(cache=True, nogil=True, error_model="numpy")
def cluster_shares(boards, of, cluster_of, out):
    """out[b, h, k] = win + half tie against a hand drawn from cluster k; 0 where blocked.

    Where no hand of the cluster is possible, it is the share against all hands. `cluster_of` [B, N] has the cluster
    of every hand on every board, or [1, N] if it is the same on all.
    """
    hands, pairs, deck, suits, ranks, ranking = of
    clusters = out.shape[2]
    N = hands.shape[0]
    both = hands.shape[1] - 1
    strength = np.empty(N, np.int32)
    order = np.empty(N, np.int32)
    other = np.empty(N, np.int32)
    scratch = sorting(N)
    met = np.empty((deck + 1, clusters), np.float32)
    whole = np.empty((deck + 1, clusters), np.float32)
    total = np.empty(clusters, np.float32)
    below = np.empty(clusters, np.float32)
    one = np.float32(1)
    half = np.float32(0.5)
    for board in range(boards.shape[0]):
        strengths_into(hands, boards[board], suits, ranks, ranking, strength)
        live = sort_live(strength, order, other, scratch)
        cluster = cluster_of[board if cluster_of.shape[0] > 1 else 0]
        out[board] = 0
        met[:] = 0
        whole[:] = 0
        total[:] = 0
        below[:] = 0
        for i in range(live):
            hand = order[i]
            k = cluster[hand]
            total[k] += one
            whole[pairs[hand, 0], k] += one
            if both:
                whole[pairs[hand, 1], k] += one
        start = 0
        while start < live:
            end = end_of_ties(strength, order, start, live)
            for i in range(start, end):
                hand = order[i]
                row, x, y = out[board, hand], met[pairs[hand, 0]], met[pairs[hand, 1]]
                for k in range(clusters):
                    row[k] = below[k] - x[k] - y[k]
            for i in range(start, end):
                hand = order[i]
                k = cluster[hand]
                below[k] += one
                met[pairs[hand, 0], k] += one
                if both:
                    met[pairs[hand, 1], k] += one
            for i in range(start, end):
                hand = order[i]
                row, x, y = out[board, hand], met[pairs[hand, 0]], met[pairs[hand, 1]]
                all_x, all_y = whole[pairs[hand, 0]], whole[pairs[hand, 1]]
                won, against, empty = np.float32(0), np.float32(0), 0
                own = cluster[hand]
                if both:
                    row[own] += one
                for k in range(clusters):
                    here = total[k] - all_x[k] - all_y[k]
                    if both and k == own:
                        here += one
                    gained = half * (row[k] + below[k] - x[k] - y[k])
                    won += gained
                    against += here
                    if here == 0:
                        empty += 1
                        row[k] = np.float32(-1)
                    else:
                        row[k] = gained / here
                if empty:
                    for k in range(clusters):
                        if row[k] < 0:
                            row[k] = won / against
            start = end


@njit(cache=True, nogil=True, error_model="numpy")
def run_outs(board, deck, drawn, out):
    """out[s] = the board with the s-th set of further cards; `drawn` is a scratch of the first free cards."""
    known, full = board.size, out.shape[1]
    more = full - known
    free = 0
    for card in range(deck):
        taken = False
        for i in range(known):
            taken = taken or board[i] == card
        if not taken:
            drawn[free] = card
            free += 1
    pick = np.arange(more)
    for s in range(out.shape[0]):
        for i in range(known):
            out[s, i] = board[i]
        for i in range(more):
            out[s, known + i] = drawn[pick[i]]
        i = more - 1
        while i >= 0 and pick[i] == free - more + i:
            i -= 1
        if i >= 0:
            pick[i] += 1
            for j in range(i + 1, more):
                pick[j] = pick[j - 1] + 1


@njit(cache=True, nogil=True, error_model="numpy")
def cluster_spread(boards, of, cluster_of, run_out, out):
    """out[b, h] = means, then deviations, over the run-outs, of the shares against each cluster; 0 where blocked.

    cluster_of  [B, N]
    out         [B, N, 2 * clusters]
    """
    N, clusters = len(of.hands), out.shape[2] // 2
    drawn = np.empty(of.deck, np.int64)
    ends = np.empty((run_out.sets, run_out.full), np.uint8)
    share = np.empty((1, N, clusters), np.float32)
    total = np.empty((2, N, clusters), np.int64)
    unit = np.float64(run_out.live) * ONE
    for b in range(boards.shape[0]):
        run_outs(boards[b], of.deck, drawn, ends)
        total[:] = 0
        own = cluster_of[b : b + 1]
        for s in range(run_out.sets):
            cluster_shares(ends[s : s + 1], of, own, share)
            # Whole numbers, so that their sum does not depend on the order of the run-outs.
            for h in range(N):
                for k in range(clusters):
                    value = np.int64(share[0, h, k] * np.float32(ONE) + np.float32(0.5))
                    total[0, h, k] += value
                    total[1, h, k] += value * value
        for h in range(N):
            for k in range(clusters):
                mean = total[0, h, k] / unit
                square = total[1, h, k] / (unit * ONE)
                out[b, h, k] = np.float32(mean)
                out[b, h, clusters + k] = np.float32(np.sqrt(max(square - mean * mean, 0.0)))


@njit(cache=True, nogil=True, error_model="numpy")
def count_run_outs(rows, moves, table, hand_moves, sums):
    """Adds the run-outs whose shares are table[rows[s], hand_moves[moves[s], h]]. One that holds a card of the hand
    counts as a share of 0."""
    histogram, first, second = sums
    N, bins = histogram.shape
    for s in range(rows.size):
        row, move = table[rows[s]], hand_moves[moves[s]]
        for h in range(N):
            value = np.int64(row[move[h]])
            histogram[h, (value * bins) >> 16] += 1
            first[h] += value
            second[h] += value * value


@njit(cache=True, nogil=True, error_model="numpy")
def finish(board, hands, run_out, sums, cdf, mean, square):
    """From sums to a cumulative distribution and two means; the run-outs that hold a card of the hand go."""
    histogram, first, second = sums
    unit = np.float64(run_out.live)
    for h in range(hands.shape[0]):
        lives = True
        for i in range(board.size):
            for j in range(hands.shape[1]):
                lives = lives and board[i] != hands[h, j]
        if not lives:
            cdf[h] = 0
            mean[h] = 0
            square[h] = 0
            continue
        histogram[h, 0] -= run_out.sets - run_out.live
        up_to = 0
        for b in range(histogram.shape[1]):
            up_to += histogram[h, b]
            cdf[h, b] = np.float32(up_to / unit)
        mean[h] = np.float32(first[h] / (unit * ONE))
        square[h] = np.float32(second[h] / (unit * ONE * ONE))


@njit(cache=True, nogil=True, error_model="numpy")
def spread(boards, of, run_out, lookup, hand_moves, table, out):
    """The distributions of the last round's shares over all run-outs, board by board, from the table of shares."""
    N, bins = len(of.hands), out.cdf.shape[2]
    drawn = np.empty(of.deck, np.int64)
    ends = np.empty((run_out.sets, run_out.full), np.int64)
    rows = np.empty(run_out.sets, np.int64)
    moves = np.empty(run_out.sets, np.int64)
    sums = Sums(np.empty((N, bins), np.int32), np.empty(N, np.int64), np.empty(N, np.int64))
    for b in range(boards.shape[0]):
        run_outs(boards[b], of.deck, drawn, ends)
        for s in range(run_out.sets):
            rows[s], moves[s] = locate(ends[s], 1, lookup)
        sums.histogram[:] = 0
        sums.first[:] = 0
        sums.second[:] = 0
        count_run_outs(rows, moves, table, hand_moves, sums)
        finish(boards[b], of.hands, run_out, sums, out.cdf[b], out.mean[b], out.square[b])


@njit(cache=True, nogil=True, error_model="numpy")
def spread_classes(boards, weight, hands, table, classes, sums):
    """Before any board: adds the shares of all boards to the class of each hand, as often as they are dealt."""
    histogram, first, second = sums
    N, bins = hands.shape[0], histogram.shape[1]
    for b in range(boards.shape[0]):
        for h in range(N):
            lives = True
            for i in range(boards.shape[1]):
                for j in range(hands.shape[1]):
                    lives = lives and boards[b, i] != hands[h, j]
            if lives:
                value = np.int64(table[b, h])
                c = classes[h]
                histogram[c, (value * bins) >> 16] += weight[b]
                first[c] += weight[b] * value
                second[c] += weight[b] * value * value


@njit(cache=True, nogil=True, error_model="numpy")
def representatives(board, group, hands, hand_moves, out):
    """out[h] = the first hand that the symmetries of the board take h to, or -1 where the board blocks it."""
    for h in range(hands.shape[0]):
        lives = True
        for i in range(board.size):
            for j in range(hands.shape[1]):
                lives = lives and board[i] != hands[h, j]
        out[h] = h if lives else -1
    for g in range(1, hand_moves.shape[0]):
        if (group >> g) & 1:
            for h in range(hands.shape[0]):
                if out[h] >= 0 and hand_moves[g, h] < out[h]:
                    out[h] = hand_moves[g, h]
