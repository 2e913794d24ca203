"""Reach: how often a hand is played to a decision, and what all hands do together, as counting deal by deal says."""

from fractions import Fraction

import numpy as np
import pytest

import errai
from errai.cards.notation import hand_class_of, hand_index, hands
from errai.cards.ranges import parse_range
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import parse_state
from errai.jamfold import single, tournament
from errai.jamfold.equities import class_number
from errai.sequence import solve
from errai.strategy.choosing import seat_of
from errai.strategy.kinds.rule import RuleStrategy
from errai.strategy.query import query

LEDUC = load_game("leduc")
DECISIONS = [("", ""), ("c", ""), ("cr", ""), ("rr", ""), ("cc/", "3d"), ("crrc/cr", "2c"), ("rc/rr", "4d")]


@pytest.fixture(scope="module")
def strategies(tmp_path_factory):
    root = tmp_path_factory.mktemp("reach")
    errai.solve("leduc", iterations=40, threads=1, out=root / "exact", checkpoint_every=None)
    solve("leduc", "lp", out=root / "lp")
    return [errai.load(root / "exact"), errai.load(root / "lp"), RuleStrategy("uniform", LEDUC)]


@pytest.fixture(scope="module")
def holdem():
    return errai.load("holdem")


def naive_reach(strategy, betting, board, hand, player):
    """One hand: action by action, asking for each probability on its own."""
    state, product = parse_state(LEDUC), 1.0
    final = parse_state(LEDUC, betting, board)
    for action in final.actions:
        if state.player == player:
            cards = board if state.round else ""
            product *= strategy.probabilities(hand, parse_state(LEDUC, state.betting, cards))[action]
        state = state.act(action)
    return product


@pytest.mark.parametrize(("betting", "board"), DECISIONS)
def test_reach_is_the_product_of_the_probabilities_on_the_way(strategies, betting, board):
    for strategy in strategies:
        state = parse_state(LEDUC, betting, board)
        for player in (0, 1):
            reach = strategy.reach(state, player)
            for card in range(6):
                text = state.deck.format(card)
                wanted = 0.0 if text == board else naive_reach(strategy, betting, board, text, player)
                assert reach[card] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("betting", "board"), DECISIONS)
def test_all_hands_together_act_as_deal_by_deal(strategies, betting, board):
    for strategy in strategies:
        found = query(strategy, betting, board)
        own, other = (found.range_of(seat) for seat in (found.decision.player, 1 - found.decision.player))
        chances = np.nan_to_num(found.decision.probabilities)
        total, by_action = 0.0, np.zeros(chances.shape[1])
        for mine in range(6):
            for theirs in range(6):
                if mine != theirs:
                    weight = own[mine] * other[theirs]
                    total += weight
                    by_action += weight * chances[mine]
        assert list(found.overall().values()) == pytest.approx(list(by_action / total))


def test_a_range_of_an_endgame_counts_in_the_overall_line(tmp_path):
    errai.endgame(
        "Ks7h2d5c9h", "rc/rc/rc", "AA:0.25,KQs,87s", "QQ,A5s,AhKh", iterations=10, threads=1, out=tmp_path,
        checkpoint_every=None,
    )  # fmt: skip
    found = query(errai.load(tmp_path), "rc/rc/rc/r", "Ks7h2d5c9h")
    bigs = parse_range("AA:0.25,KQs,87s", found.state.cards) * found.strategy.reach(found.state, 0)
    cards, chances = hands(52, 2), np.nan_to_num(found.decision.probabilities)
    total, by_action = 0.0, np.zeros(3)
    for mine in np.flatnonzero(parse_range("QQ,A5s,AhKh", found.state.cards)):
        for theirs in np.flatnonzero(bigs):
            if not set(cards[mine]) & set(cards[theirs]):
                total += bigs[theirs]
                by_action += bigs[theirs] * chances[mine]
    assert list(found.overall().values()) == pytest.approx(list(by_action / total))


def test_ten_four_offsuit_never_sees_a_flop_after_a_raise(holdem):
    found = query(holdem, "rc/r", "Ks7h2d")
    assert set(found.reached("T4o").values()) == {0.0}
    assert min(found.reached("AKs, 99+").values()) > 0.99
    folds = holdem.decision("").probabilities[hand_index(found.state.deck.parse("Td4c"))]
    assert folds[0] == 1
    # What it would do there, if it ever were there, changes nothing of what the button does there.
    weights = found.weights[found.chosen("T4o")]
    assert not weights.any()
    assert found.overall("T4o") == {}


def test_the_flop_does_not_change_how_a_hand_got_there(holdem):
    flop, turn = query(holdem, "rc/", "Ks7h2d"), query(holdem, "rc/cc/", "Ks7h2d 5c")
    preflop = holdem.decision("r").probabilities[:, 1]
    live = flop.held > 0
    np.testing.assert_allclose(flop.reach[live], preflop[live])
    checked = np.nan_to_num(flop.decision.probabilities[:, 0])
    still = turn.held > 0
    np.testing.assert_allclose(turn.reach[still], (flop.reach * checked)[still])


def test_reach_of_jam_or_fold(tmp_path):
    single.solve(10).save(tmp_path / "small")
    single.solve(Fraction("8.5"), seat="big").save(tmp_path / "big")
    small, big = errai.load(tmp_path / "small"), errai.load(tmp_path / "big")
    jam = parse_state(small.game, "jam")
    assert (small.reach(jam, 0) == 1).all()  # the big blind has done nothing yet
    np.testing.assert_allclose(small.reach(jam, 1), small.jam[hand_class_of()])
    answer = parse_state(big.game, "limp jam")
    np.testing.assert_allclose(big.reach(answer, 1), big.limp[hand_class_of()])
    found = query(big, "limp jam")
    wanted = big.call[class_number("AA")] / big.limp[class_number("AA")]
    assert found.overall("AA")["call"] == pytest.approx(wanted)
    assert 0 < found.overall()["call"] < 1


def test_reach_of_a_tournament(tmp_path):
    tournament.solve(600, 50, 100, step=50, threads=1).save(tmp_path, exact=True)
    opened = errai.load(tmp_path)
    assert (opened.reach(parse_state(opened.game, "c"), 1) == 0).all()  # the strategy never limps
    assert set(query(opened, "c").overall()) == {"check", "jam"}


def test_seats_by_name_and_by_position(holdem, tmp_path):
    words = {
        "button": 1,
        "BTN": 1,
        "small-blind": 1,
        "ip": 1,
        "1": 1,
        "big-blind": 0,
        "big blind": 0,
        "bb": 0,
        "OOP": 0,
    }
    assert {word: seat_of(holdem, word) for word in words} == words
    single.solve(10).save(tmp_path)
    assert [seat_of(errai.load(tmp_path), word) for word in ("small-blind", "button", "big_blind")] == [
        1,
        1,
        0,
    ]
    with pytest.raises(ErraiError, match="unknown seat 'dealer': choose big-blind, button, oop or ip"):
        seat_of(holdem, "dealer")


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [
        ("AKs", 3, "AcKc"),  # the king of spades is on the board
        ("A5o", 12, "Ac5d"),
        ("77", 3, "7d7c"),
        ("AKs, 99+", 3 + 6 * 4 + 3 + 6, "9d9c"),
        ("AhQd", 1, "AhQd"),
        ("Ah Qd", 1, "AhQd"),
        ("AhQd,AsQs", 2, "AhQd"),
        ("aks", 3, "AcKc"),
    ],
)
def test_hands_are_named_as_players_do(holdem, text, count, first):
    found = query(holdem, "rc/r", "Ks7h2d").hands(text)
    assert len(found) == count
    assert first in found


def test_hands_of_one_card_are_cards_or_ranks(strategies):
    found = query(strategies[0], "cc/", "4d")
    assert list(found.hands("4")) == ["4c"]
    assert list(found.hands("2, 3d")) == ["2c", "2d", "3d"]
    with pytest.raises(ErraiError, match="4d is on the board"):
        found.hands("4d")
    with pytest.raises(ErraiError, match="rank 'A' at position 1 of 'A' is not in this deck"):
        found.hands("A")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("AKx", "range item 'AKx' at position 1 names no hand; write a hand as AA, AKs"),
        ("AKs:0.5", "hands to look at have no weights"),
        ("KsKh:0", "gives every hand weight 0"),
        ("", "the range is empty"),
        ("KsKh, 7h7s", "holds one of the dead cards"),
        ("Ks", "a hand of holdem has 2 cards, not 1"),
    ],
)
def test_what_names_no_hand_costs_one_line(holdem, text, complaint):
    with pytest.raises(ErraiError, match=r"^[^\n]*$") as error:
        query(holdem, "rc/r", "Ks7h2d").hands(text)
    assert complaint in str(error.value)
