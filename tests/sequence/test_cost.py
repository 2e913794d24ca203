"""Large trees and linear programs say first what they take."""

from errai.games.catalogue import load_game
from errai.sequence import methods, poker, solve
from errai.sequence.poker import poker_game
from tests.jamfold.test_cost import Heard


def test_a_large_tree_is_announced(monkeypatch):
    monkeypatch.setattr(poker, "MANY_NODES", 1000)
    heard = Heard()
    poker_game(load_game("leduc"), heard)
    assert heard.lines == ["estimate: 9,451 nodes, 1.0 MB of memory, about 0.00 s for the tree"]


def test_a_long_linear_program_is_announced(monkeypatch):
    monkeypatch.setattr(methods, "WORTH_SAYING", 0.0)
    heard = Heard()
    solve("leduc", "lp", monitor=heard)
    assert heard.lines == ["estimate: 4,920 payoff entries, 3.0 MB of memory, about 0.05 s by lp"]
