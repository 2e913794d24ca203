"""Where a solution starts, and spots that no hand of poker can reach."""

from dataclasses import replace

import numpy as np
import pytest

from errai.cards.notation import hands
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.spot import pair_weight, spot, whole_game

HOLDEM, LEDUC, KUHN = load_game("holdem"), load_game("leduc"), load_game("kuhn")


def test_a_whole_game_begins_with_the_blinds_and_every_hand():
    found = whole_game(HOLDEM)
    assert found.whole_game
    assert (found.betting, found.board, found.cards, found.pot) == ("", ((),), (), 15)
    assert all((weights == 1).all() and weights.shape == (1326,) for weights in found.ranges)
    assert pair_weight(found) == 1_624_350


@pytest.mark.parametrize(
    ("board", "betting", "player", "pot"),
    [
        ("Ks7h2d 5c", "rc/rc/", 0, 60),
        ("Ks7h2d5c", "rc/rc", 0, 60),  # the slash may be left out
        ("Ks 7h 2d 5c 9c", "cc/cc/cc", 0, 20),
        ("Ks7h2d5c9c", "cc/cc/cc/r", 1, 40),
        ("Ks7h2d", "rrc/cr", 0, 70),
        ("", "r", 0, 30),
        ("Ks7h2d", "RC/xb", 0, 50),
    ],
)
def test_spots_in_the_middle_of_a_hand(board, betting, player, pot):
    found = spot(HOLDEM, board, betting)
    assert found.state.player == player
    assert found.pot == pot
    assert not found.whole_game
    assert found.cards == tuple(card for dealt in found.board for card in dealt)
    assert found.betting == betting.lower().replace("x", "c").replace("b", "r").rstrip("/")


def test_public_cards_belong_to_their_rounds():
    found = spot(HOLDEM, "Ks7h2d 5c 9c", "cc/cc/cc")
    assert [HOLDEM.board_cards[i] for i in range(4)] == [len(dealt) for dealt in found.board]
    assert found.board[1] == tuple(sorted(found.deck.parse("Ks7h2d")))
    assert found.board[2:] == (found.deck.parse("5c"), found.deck.parse("9c"))


def test_the_order_of_the_flop_does_not_matter():
    assert spot(HOLDEM, "2dKs7h", "cc").board == spot(HOLDEM, "Ks7h2d", "cc").board


def test_no_range_holds_a_card_of_the_board():
    found = spot(HOLDEM, "Ks7h2d", "cc", ("KK,77", None))
    holes = hands(52, 2)
    blocked = np.isin(holes, found.cards).any(axis=1)
    assert found.ranges[0].sum() == 3 + 3
    assert found.ranges[1].sum() == 49 * 48 / 2
    for weights in found.ranges:
        assert (weights[blocked] == 0).all()


def test_ranges_may_be_arrays():
    weights = np.zeros(6)
    weights[[0, 5]] = 0.25, 1
    found = spot(LEDUC, "3c", "cc", (weights, None))
    assert list(found.ranges[0]) == [0.25, 0, 0, 0, 0, 1]
    assert list(found.ranges[1]) == [1, 1, 0, 1, 1, 1]
    assert pair_weight(found) == 0.25 * 4 + 4


def test_the_weight_of_all_deals_leaves_out_shared_cards():
    found = spot(HOLDEM, "Ks7h2d", "cc", ("AA", "AA,AsKh"))
    # 6 pairs of aces against the one that is left, and 3 of them against the ace of spades.
    assert pair_weight(found) == 6 + 3


@pytest.mark.parametrize(
    ("board", "betting", "complaint"),
    [
        ("Ks7hKs", "cc", "'Ks' at position 5 .* is there twice"),
        ("Ks7h", "cc", "has 2 cards; holdem has 0, 3, 4, 5 on the board"),
        ("Ks7h2d5c9c3c", "cc/cc/cc", "has 6 cards"),
        ("Ks7h2d", "cc/cc", "leads to round 3, which has 4 board cards"),
        ("Ks7h2d", "", "leads to round 1, which has 0 board cards"),
        ("", "rc", "leads to round 2, which has 3 board cards"),
        ("", "f", "ends the hand; leave out the last action"),
        ("Ks7h2d5c9c", "cc/cc/cc/cc", "ends the hand"),
        ("Ks7h2d", "cc/rf", "ends the hand"),
        ("", "rrrr", "is not allowed"),
        ("Xs7h2d", "cc", "rank 'X'"),
    ],
)
def test_boards_and_betting_that_do_not_fit(board, betting, complaint):
    with pytest.raises(ErraiError, match=complaint):
        spot(HOLDEM, board, betting)


@pytest.mark.parametrize(
    ("ranges", "complaint"),
    [
        (("AsAh", "AsAh"), "the two ranges conflict"),
        (("AsKh", "AsQd,KhQd"), "the two ranges conflict"),
        ((np.zeros(1326), None), "the range of seat 0 has no hand that the board allows"),
        ((None, np.ones(1325)), "the range of seat 1 must be 1326 weights"),
        ((None, -np.ones(1326)), "weights of 0 or more"),
        ((np.full(1326, np.nan), None), "weights of 0 or more"),
        ((np.full(1326, np.inf), None), "weights of 0 or more"),
    ],
)
def test_ranges_that_cannot_be_dealt(ranges, complaint):
    with pytest.raises(ErraiError, match=complaint):
        spot(HOLDEM, "Ks7h2d", "cc", ranges)


def test_a_range_of_dealt_cards_only_is_refused():
    with pytest.raises(ErraiError, match="every hand of range 'KsKh' holds one of the dead cards"):
        spot(HOLDEM, "Ks7h2d", "cc", ("KsKh", None))


def test_written_ranges_are_for_two_cards_of_a_full_deck():
    with pytest.raises(ErraiError, match="ranges are written for two cards of a full deck; leduc has others"):
        spot(LEDUC, "", "", ("AA", None))


def test_one_card_games_compare_single_cards():
    one_hand = np.array([0, 1, 0])
    with pytest.raises(ErraiError, match="the two ranges conflict"):
        spot(KUHN, "", "", (one_hand, one_hand))
    assert pair_weight(spot(KUHN, "", "", (one_hand, None))) == 2


def test_no_limit_games_are_refused():
    game = replace(HOLDEM, name="nolimit", betting="nolimit", raise_sizes=(), stacks=(2000, 2000))
    with pytest.raises(ErraiError, match="no-limit"):
        spot(game, "", "")
