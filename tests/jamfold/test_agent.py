"""The agent's two improvements on jam or fold: free checks, and moving in when nothing can beat the price."""

import numpy as np
import pytest

from errai.cards.notation import FULL_DECK, hand_index
from errai.errors import ErraiError
from errai.jamfold.agent import CHECK, FOLD, JAM, equities_of, least_gain, postflop, preflop
from errai.jamfold.equities import HANDS


def cards(text: str) -> tuple[int, ...]:
    return FULL_DECK.parse(text)


def test_before_the_flop_it_plays_the_strategy_but_checks_what_is_free():
    jam = np.zeros(169)
    jam[HANDS.index("AKs")] = 0.25
    assert preflop(jam, cards("AhKh"), free=False, draw=0.2) == JAM
    assert preflop(jam, cards("AhKh"), free=False, draw=0.3) == FOLD
    assert preflop(jam, cards("AhKh"), free=True, draw=0.3) == CHECK
    assert preflop(jam, cards("7h2d"), free=True, draw=0.0) == CHECK


def test_the_nuts_move_in_and_air_does_not():
    assert postflop(cards("AsKs"), cards("QsJsTs"), 1200, 3400, free=True) == JAM
    assert postflop(cards("7d2c"), cards("AsKsQs"), 1200, 3400, free=True) == CHECK
    assert postflop(cards("7d2c"), cards("AsKsQs"), 1200, 3400, free=False) == FOLD


def test_a_small_price_is_paid_with_less_than_the_nuts():
    """A set of aces is never worse than about 82 per cent on this flop; kings may have two outs left."""
    assert least_gain(cards("AsAh"), cards("Ac7d2h"), 1200, 3400) > 0
    assert least_gain(cards("KsKh"), cards("Qc7d2h"), 1200, 3400) < 0
    assert least_gain(cards("KsKh"), cards("Qc7d2h"), 10**6, 1) > 0


def test_equities_on_the_river_and_by_hand_on_the_turn():
    river = equities_of(cards("KsKd"), cards("2c2d2h2s3c"))
    assert river[hand_index(cards("AcQc"))] == 0.0
    assert river[hand_index(cards("KcQh"))] == 0.5
    assert river[hand_index(cards("QcJc"))] == 1.0
    # Of 44 rivers two give the smaller pair its third card.
    turn = equities_of(cards("AsAh"), cards("Kd8c4h3s"))
    assert turn[hand_index(cards("QcQd"))] == pytest.approx(42 / 44)
    assert np.isfinite(turn).sum() == 46 * 45 // 2
    assert np.isnan(turn[hand_index(cards("As2c"))])


@pytest.mark.parametrize(("hand", "board"), [("As", "Kd8c4h"), ("AsAh", "AsKdQd"), ("AsAh", "Kd8c")])
def test_what_is_no_spot_is_refused(hand, board):
    with pytest.raises(ErraiError, match="is not a hand of two cards with a board of three to five others"):
        equities_of(cards(hand), cards(board))
