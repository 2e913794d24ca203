"""Equity: the chance to win when everything is checked down."""

from itertools import combinations

import numpy as np
import pytest

from errai.cards.notation import FULL_DECK, hands
from errai.engine.equity import equities, equity
from errai.games.catalogue import load_game
from errai.games.spot import spot, whole_game
from tests import naive

HOLDEM = load_game("holdem")


def _by_enumeration(board, ranges):
    """P(win) + P(tie) / 2 of seat 0 over all deals, one at a time."""
    known = FULL_DECK.parse(board)
    won = total = 0.0
    for mine in map(FULL_DECK.parse, ranges[0]):
        for theirs in map(FULL_DECK.parse, ranges[1]):
            dealt = {*known, *mine, *theirs}
            if len(dealt) < len(known) + 4:
                continue
            left = [card for card in range(52) if card not in dealt]
            for rest in combinations(left, 5 - len(known)):
                a, b = (naive.strength(HOLDEM, (*hand, *known, *rest)) for hand in (mine, theirs))
                won += 1 if a > b else 0.5 if a == b else 0
                total += 1
    return won / total


MINE, THEIRS = ("AhAd", "KhQh", "7s7c", "6h4h"), ("KdQd", "AsAc", "8h6h", "9d9c", "KhJh")


@pytest.mark.parametrize(
    ("board", "betting"), [("Ks7h2d 5c 9h", "rc/rc/rc"), ("Ks7h2d 5c", "rc/rc"), ("Ks7h5c 3h", "cc/crc")]
)
def test_equity_is_that_of_all_deals(board, betting):
    where = spot(HOLDEM, board, betting, (",".join(MINE), ",".join(THEIRS)))
    first, second = equities(where)
    assert first == pytest.approx(_by_enumeration(board, (MINE, THEIRS)), abs=1e-12)
    assert first + second == 1


def test_aces_against_a_pair_with_one_card_to_come():
    # Two queens of 44 unseen cards beat the aces.
    assert equities(spot(HOLDEM, "Js7h2d 5c", "rc/rc", ("AA", "QQ"))) == pytest.approx((42 / 44, 2 / 44))


def test_aces_against_queens_on_a_dry_flop():
    first, _ = equities(spot(HOLDEM, "Js7h2d", "rc", ("AhAd", "QhQc")))
    assert first == pytest.approx(_by_enumeration("Js7h2d", (("AhAd",), ("QhQc",))), abs=1e-12)


def test_equity_of_every_hand_on_a_river():
    board = "Ks7h2d 5c 9h"
    where = spot(HOLDEM, board, "rc/rc/rc", (None, ",".join(THEIRS)))
    found = equity(where)
    known = set(FULL_DECK.parse(board))
    for index in np.random.default_rng(7).choice(1326, 60, replace=False):
        hand = FULL_DECK.format_cards(hands(52, 2)[index])
        if known & set(FULL_DECK.parse(hand)):
            assert np.isnan(found.hands[0][index])
        else:
            assert found.hands[0][index] == pytest.approx(_by_enumeration(board, ((hand,), THEIRS)))


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rhode-island"])
def test_a_whole_game_is_fair_when_nobody_bets(game):
    assert equities(whole_game(load_game(game))) == pytest.approx((0.5, 0.5))
