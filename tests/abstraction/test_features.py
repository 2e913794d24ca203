"""Every feature against its definition, on small decks and on some boards of the full one."""

from __future__ import annotations

import numpy as np
import pytest

from errai.abstraction.features import (
    LastStrengths,
    fixed_point,
    hands_of,
    last_boards,
    opponent_spreads,
    opponent_strengths,
    potential_on,
    range_parts,
    spread_on,
    strengths_on,
    unordered,
)
from errai.abstraction.grouping import opponent_clusters
from errai.abstraction.kernels.strengths import ONE, sort_live, sorting
from errai.cards.strength import NO_STRENGTH
from errai.games.catalogue import load_game
from tests.abstraction import naive_features as naive
from tests.abstraction.games import little_holdem

HOLDEM = hands_of(load_game("holdem"))
LITTLE = hands_of(little_holdem(ranks=5))
TINY = hands_of(little_holdem(ranks=4))
LEDUC = hands_of(load_game("leduc"))


def cards_of(of, text):
    return of.deck.parse(text)


def sampled_hands(of, board, count, seed=3):
    live = np.flatnonzero(of.live(np.array([board], np.uint8))[0])
    picked = np.random.default_rng(seed).choice(live, min(count, len(live)), replace=False)
    return [(int(n), tuple(map(int, of.cards[n]))) for n in picked]


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (HOLDEM, "AsKsQsJsTs"),
        (HOLDEM, "2c7d9hJsQc"),
        (HOLDEM, "8h8d8c3s3h"),
        (LITTLE, "2c3d4h5s6c"),
        (TINY, "2c2d3h4s5c"),
        (LEDUC, "3c"),
    ],
)
def test_strength_is_the_share_won_against_every_other_hand(of, text):
    board = cards_of(of, text)
    found = strengths_on(np.array([board], np.uint8), of)[0]
    for number, hand in sampled_hands(of, board, 25):
        assert found[number] == round(naive.share(of, board, hand) * ONE)
    blocked = ~of.live(np.array([board], np.uint8))[0]
    assert not found[blocked].any()


def test_the_nuts_win_always_and_a_royal_board_is_a_tie():
    board = cards_of(HOLDEM, "2c7d9hJsQc")
    found = strengths_on(np.array([board], np.uint8), HOLDEM)[0]
    assert found.max() < ONE  # a straight may be shared
    royal = cards_of(HOLDEM, "AsKsQsJsTs")
    shares = strengths_on(np.array([royal], np.uint8), HOLDEM)[0]
    assert set(shares[HOLDEM.live(np.array([royal], np.uint8))[0]]) == {round(ONE / 2)}


@pytest.mark.parametrize(
    ("of", "text"), [(HOLDEM, "2c7d9hJsQc"), (HOLDEM, "AsAhAd4c4d"), (LITTLE, "2c3d4h5s6c"), (LEDUC, "3c")]
)
def test_ochs_is_the_share_won_against_each_cluster(of, text):
    board = cards_of(of, text)
    # The highest card decides, so that a cluster can be empty: on aces full nobody holds a pair of aces.
    cluster = (of.cards.max(axis=1) // of.deck.suits * 7 // (of.deck.ranks - 1)).astype(np.uint8)
    cluster = np.unique(cluster, return_inverse=True)[1].astype(np.uint8)
    K = int(cluster.max()) + 1
    found = opponent_strengths(np.array([board], np.uint8), of, cluster[None], K)[0]
    for number, hand in sampled_hands(of, board, 5):
        for k in range(K):
            members = set(map(int, np.flatnonzero(cluster == k)))
            assert found[number, k] == pytest.approx(naive.share(of, board, hand, members), abs=1e-6)


def test_boards_may_have_clusters_of_their_own():
    boards = np.array([cards_of(HOLDEM, "2c7d9hJsQc"), cards_of(HOLDEM, "AsAhAd4c4d")], np.uint8)
    clusters = np.random.default_rng(1).integers(0, 3, (2, len(HOLDEM.cards))).astype(np.uint8)
    found = opponent_strengths(boards, HOLDEM, clusters, 3)
    for b in range(2):
        alone = opponent_strengths(boards[b : b + 1], HOLDEM, clusters[b : b + 1], 3)
        assert np.array_equal(found[b], alone[0])
    assert not np.array_equal(found[1], opponent_strengths(boards[1:], HOLDEM, clusters[:1], 3)[0])


@pytest.mark.parametrize("text", ["2c3d5h", "2c3d5h4c"])
def test_spreads_against_clusters_are_those_of_all_run_outs(text):
    board = cards_of(TINY, text)
    cluster = (np.arange(len(TINY.cards)) * 7 % 3).astype(np.uint8)
    members = [set(map(int, np.flatnonzero(cluster == k))) for k in range(3)]
    found = opponent_spreads(np.array([board], np.uint8), TINY, cluster[None], 3)[0]
    for number, hand in sampled_hands(TINY, board, 2):
        for k in range(3):
            all_shares = [
                naive.share(TINY, end, hand, members[k]) for end in naive.run_outs(TINY, board, hand)
            ]
            assert found[number, k] == pytest.approx(np.mean(all_shares), abs=2e-5)
            assert found[number, 3 + k] == pytest.approx(np.std(all_shares), abs=2e-5)


def test_parts_of_a_range_are_equal_and_never_part_hands_of_the_same_worth():
    random = np.random.default_rng(2)
    worth, live = random.random(1326).astype(np.float32), random.random(1326) < 0.9
    part = range_parts(worth, live, 8)
    sizes = np.bincount(part[live], minlength=8)
    assert sizes.max() - sizes.min() <= 1
    order = np.argsort(worth[live])
    assert (np.diff(part[live][order].astype(int)) >= 0).all()
    few = np.round(worth * 5).astype(np.float32)
    part = range_parts(few, live, 8)
    assert all(len(set(part[live & (few == value)].tolist())) == 1 for value in set(few.tolist()))


@pytest.fixture(scope="module", params=["TINY", "LEDUC"])
def last(request):
    of = globals()[request.param]
    boards = last_boards(of)
    return LastStrengths(of, boards, strengths_on(boards.cards, of))


def naive_spread(shares, bins):
    fixed = np.rint(shares * ONE).astype(np.int64)
    cdf = np.cumsum(np.bincount(fixed * bins >> 16, minlength=bins)) / len(fixed)
    return cdf, (fixed / ONE).mean(), ((fixed / ONE) ** 2).mean()


@pytest.mark.parametrize("public", [3, 4])
def test_the_spread_over_run_outs_is_that_of_all_boards_that_follow(public):
    of = TINY
    boards = last_boards(of)
    last = LastStrengths(of, boards, strengths_on(boards.cards, of))
    some = unordered(of, public).cards[::40]
    spread = last.spread(some, bins=8)
    board = tuple(map(int, some[1]))
    for number, hand in sampled_hands(of, board, 2):
        cdf, mean, square = naive_spread(naive.last_shares(of, board, hand), 8)
        assert spread.cdf[1, number] == pytest.approx(cdf, abs=1e-6)
        assert spread.mean[1, number] == pytest.approx(mean, abs=1e-6)
        assert spread.square[1, number] == pytest.approx(square, abs=1e-6)


@pytest.mark.parametrize(("of", "text"), [(TINY, "2c3d5h"), (TINY, "2c3d5h4c"), (HOLDEM, "2c3d5hJs")])
def test_the_spread_without_a_table_is_the_same(of, text):
    board = np.array(cards_of(of, text), np.uint8)
    direct = spread_on(board, of)
    if of is HOLDEM:  # no table of the full deck in a test: one hand by the definition
        for number, hand in sampled_hands(of, tuple(map(int, board)), 1):
            cdf, mean, square = naive_spread(naive.last_shares(of, tuple(map(int, board)), hand), 32)
            assert direct.cdf[0, number] == pytest.approx(cdf, abs=1e-6)
            assert direct.mean[0, number] == pytest.approx(mean, abs=1e-6)
            assert direct.square[0, number] == pytest.approx(square, abs=1e-6)
        return
    boards = last_boards(of)
    spread = LastStrengths(of, boards, strengths_on(boards.cards, of)).spread(board[None])
    assert np.array_equal(direct.cdf, spread.cdf)
    assert np.array_equal(direct.mean, spread.mean)
    assert np.array_equal(direct.square, spread.square)


def test_before_the_first_card_all_boards_count(last):
    of = last.of
    spread = last.spread(np.empty((1, 0), np.uint8), bins=8)
    boards = unordered(of, of.last)
    # Any hand: the mean over all boards, each found through its canonical board.
    from itertools import combinations

    hand = len(of.cards) // 2
    held = set(map(int, of.cards[hand]))
    found = []
    for cards in combinations([card for card in range(of.deck.size) if card not in held], of.last):
        board, move = boards.find(cards)
        found.append(last.table[board, boards.hand_moves[move, hand]] / ONE)
    assert spread.mean[0, hand] == pytest.approx(np.mean(found), abs=1e-6)
    assert spread.square[0, hand] == pytest.approx(np.mean(np.square(found)), abs=1e-6)
    assert spread.cdf[0, :, -1] == pytest.approx(1)


@pytest.mark.parametrize(("of", "text"), [(TINY, "2c3d5h"), (TINY, "2c3d4h4c"), (LITTLE, "2c3c5h6h")])
def test_potential_counts_opponents_that_fall_behind(of, text):
    board = cards_of(of, text)
    found = potential_on(np.array([board], np.uint8), of)[0]
    for number, hand in sampled_hands(of, board, 4):
        assert found[number] == round(naive.potential(of, board, hand) * ONE)


def test_potential_before_the_first_card_and_at_the_end():
    found = potential_on(np.empty((1, 0), np.uint8), LEDUC)[0]
    for number, hand in enumerate(LEDUC.cards):
        assert found[number] == round(naive.potential(LEDUC, (), tuple(map(int, hand))) * ONE)
    assert not potential_on(np.array([[0]], np.uint8), LEDUC).any()


def test_a_flush_draw_has_more_potential_than_a_blank():
    board = np.array([cards_of(HOLDEM, "2s7sKdQc")], np.uint8)
    found = potential_on(board, HOLDEM)[0]
    from errai.cards.notation import hand_index

    draw = found[hand_index(cards_of(HOLDEM, "5s4s"))]
    blank = found[hand_index(cards_of(HOLDEM, "5h4d"))]
    assert draw > 2 * blank


def test_opponent_clusters_have_the_strongest_hands_last():
    boards = last_boards(TINY)
    last = LastStrengths(TINY, boards, strengths_on(boards.cards, TINY))
    spread = last.spread(np.empty((1, 0), np.uint8))
    cluster = opponent_clusters(spread, 4, seed=1, threads=1)
    means = [spread.mean[0][cluster == k].mean() for k in range(int(cluster.max()) + 1)]
    assert means == sorted(means)
    assert len(means) > 1
    moves = boards.hand_moves
    assert (cluster[moves] == cluster).all()  # hands that differ by suits only are of one cluster


def test_fixed_point_rounds_to_the_nearest():
    assert fixed_point(np.array([0, 0.5, 1], np.float32)).tolist() == [0, 32768, 65535]


@pytest.mark.parametrize("ranks", [2, 7, 100, 1 << 30])
def test_possible_hands_are_sorted_by_strength_and_then_by_number(ranks):
    random = np.random.default_rng(ranks)
    for live_share in (0.0, 0.5, 1.0):
        strength = random.integers(0, ranks, 1326).astype(np.int32)
        strength[random.random(1326) >= live_share] = NO_STRENGTH
        order, slot = np.empty(1326, np.int32), np.empty(1326, np.int32)
        live = sort_live(strength, order, slot, sorting(1326))
        possible = np.flatnonzero(strength != NO_STRENGTH)
        wanted = possible[np.argsort(strength[possible], kind="stable")]
        assert order[:live].tolist() == wanted.tolist()
