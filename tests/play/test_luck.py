"""Luck told from skill."""

from itertools import permutations
from pathlib import Path

import pytest

import errai
from errai.games.state import start
from errai.play.luck import _deals, luck_of
from errai.play.reading import FoundHand, Place, read_logs
from errai.play.table import dealt

LEDUC = errai.load_game("leduc")


@pytest.mark.parametrize("raises", [False, True])
def test_over_all_deals_there_is_no_luck(raises):
    """Also where the betting depends on the cards: a player who bets with a king and folds a jack."""
    total = 0.0
    for first, second, board in permutations(range(6), 3):
        state = start(LEDUC, ([first], [second]))
        while not state.over:
            state = dealt(state, [board])
            own = (first, second)[state.player] // 2
            wanted = "r" if raises and own == 2 else "f" if raises and own == 0 else "c"
            state = state.act(wanted if wanted in state.legal() else "c")
        total += _deals(dealt(state, [board]) if state.folded is None else state, 0)
    assert total == pytest.approx(0, abs=1e-9)


def test_without_the_luck_of_the_cards_the_interval_is_narrower(tmp_path):
    errai.match("random", "always-call", hands=200, seed=2, log=tmp_path / "x.log", aivat=False)
    holdem = errai.load("always-call")
    hands = read_logs([tmp_path / "x.log"], holdem.game).hands
    found, other = (luck_of(hands, name, holdem) for name in ("random", "always-call"))
    assert found.how == "deals"
    assert found.adjusted.ci95_mbb < 0.6 * found.won.ci95_mbb
    assert abs(found.adjusted.mean_mbb - found.won.mean_mbb) < found.won.ci95_mbb
    # What one wins the other loses, and one's luck is the other's bad luck.
    assert other.won.mean_mbb == pytest.approx(-found.won.mean_mbb)
    assert other.adjusted.mean_mbb == pytest.approx(-found.adjusted.mean_mbb)


def test_an_opponent_who_plays_the_strategy_is_known(tmp_path):
    errai.solve("leduc", iterations=100, out=tmp_path / "leduc")
    played = errai.match(
        "random", tmp_path / "leduc", hands=2000, seed=3, log=tmp_path / "x.log", aivat=False
    )
    hands = read_logs([tmp_path / "x.log"], LEDUC).hands
    found = luck_of(hands, "random", errai.load(tmp_path / "leduc"))
    assert found.how == "aivat"
    assert found.won.mean_mbb == pytest.approx(played.mean_mbb)
    assert found.adjusted.ci95_mbb < 0.5 * found.won.ci95_mbb
    assert abs(found.adjusted.mean_mbb - found.won.mean_mbb) < found.won.ci95_mbb + found.adjusted.ci95_mbb
    # Somebody of another name may play anything.
    renamed = [
        hand._replace(players=tuple(name.replace("leduc", "Bob") for name in hand.players)) for hand in hands
    ]
    assert luck_of(renamed, "random", errai.load(tmp_path / "leduc")).how == "deals"


def test_where_cards_are_hidden_only_the_first_cards_are_luck():
    game = errai.load_game("holdem")
    strategy = errai.load("always-call")

    def hand(cards, won):
        state = start(game, (None, cards)).act("f")
        return FoundHand(state, ("a", "b"), 0, Place(Path("x"), 1), (-won, won))

    aces, trash = (luck_of([hand(cards, -5)] * 2, "b", strategy) for cards in ("AsAh", "7s2h"))
    assert aces.how == "first cards"
    assert aces.adjusted.mean_mbb < -500 < trash.adjusted.mean_mbb
    assert luck_of([hand("AsAh", -5)], "a", strategy).adjusted is None
