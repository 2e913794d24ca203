"""Cards and random numbers of a match."""

from collections import Counter

import numpy as np
import pytest

from errai.cards.notation import Deck
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.play.dealing import Dealer
from errai.play.draws import draw, draws

# What the original dealer of the ACPC deals in hold'em with seed 0: seat 0, seat 1, board.
SEED_0 = [
    "5d5c 9hQd 8dAs8s 4h 6d",
    "6sKs 5dJd 2sTh2h Qh 8h",
    "Ah8s 2h4c Qd7h6c 4s Jc",
    "4s8s 6hJd QhJs9d Qc 9h",
    "5s4c Kc7d KsAsJd Th 7h",
    "KhTh 8s7d 9c8d5c Qd Td",
    "Kc8h 5cAs 9dAh4d 7h Qs",
]


def test_hands_are_those_of_the_original_dealer():
    game = load_game("holdem")
    dealer, deck = Dealer(game, 0), Deck(game.ranks, game.suits)
    for number, line in enumerate(SEED_0):
        deal = dealer.next()
        assert deal.number == number
        shown = [*deal.hole, deal.board[:3], deal.board[3:4], deal.board[4:]]
        assert " ".join(deck.format_cards(cards) for cards in shown) == line


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhode-island", "royal", "holdem"])
def test_hands_dealt_together_are_those_dealt_one_by_one(name):
    game = load_game(name)
    one, many = Dealer(game, 11), Dealer(game, 11)
    several = np.concatenate([many.deal(5), many.deal(7)])
    for cards in several:
        deal = one.next()
        assert [*deal.hole[0], *deal.hole[1], *deal.board] == cards.tolist()
        assert len(set(cards.tolist())) == len(cards)
        assert max(cards.tolist()) < game.deck_size


def test_every_card_is_dealt_as_often_as_any_other():
    cards = Dealer(load_game("leduc"), 1).deal(60_000)
    for column in cards.T:
        counts = np.bincount(column, minlength=6)
        assert abs(counts - 10_000).max() < 5 * 100


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_has_32_bits(seed):
    with pytest.raises(ErraiError, match="0 to 4294967295"):
        Dealer(load_game("kuhn"), seed)


def test_one_number_for_every_decision_of_every_deal():
    deals, decisions = np.repeat(np.arange(50), 8), np.tile(np.arange(8), 50)
    many = draws(5, deals, decisions)
    assert many.tolist() == [
        draw(5, deal, at) for deal, at in zip(deals.tolist(), decisions.tolist(), strict=True)
    ]
    assert len(set(many.tolist())) == len(many)
    assert many.min() >= 0
    assert many.max() < 1


def test_numbers_are_spread_evenly():
    numbers = draws(9, np.arange(100_000), np.zeros(100_000, np.int64))
    counts = Counter((numbers * 10).astype(int).tolist())
    assert max(abs(count - 10_000) for count in counts.values()) < 5 * 100
