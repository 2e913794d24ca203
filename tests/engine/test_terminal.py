"""Folds and showdowns by hand classes are the sums over all pairs of real hands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from errai.cards.boards import board_tree
from errai.cards.hand_classes import hand_classes
from errai.cards.notation import FULL_DECK, Deck, hands
from errai.cards.suits import TRIVIAL_GROUP, suit_permutations, symmetries
from errai.engine.kernels import terminal
from errai.games.definition import GameDefinition
from errai.kernels.lanes import W
from tests import naive
from tests.engine import kernel_twins as twins

few = settings(max_examples=25, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)
DTYPES = ["float32", "float64"]
TOLERANCE = {"float32": 2e-5, "float64": 1e-12}  # of the whole reach


class River:
    """A last board with its hand classes, and the real hands behind them."""

    def __init__(self, deck, hole_cards, board, ranking="acpc", isomorphism=True):
        moves = suit_permutations(deck, hole_cards)
        group = symmetries(moves, (board,)) if isomorphism else TRIVIAL_GROUP
        self.deck = deck
        self.classes = hand_classes(
            board_tree(deck, moves, board, (), group), deck, moves, hole_cards, ranking
        )
        self.H = len(self.classes.hand)
        holes = [tuple(map(int, hand)) for hand in hands(deck.size, hole_cards)]
        live = [number for number, hole in enumerate(holes) if not set(hole) & set(board)]
        self.hands = [holes[number] for number in live]
        place = {int(hand): i for i, hand in enumerate(self.classes.hand)}
        members = [g for g in range(len(moves.hands)) if group >> g & 1]
        self.class_of = np.array([place[int(moves.hands[members, number].min())] for number in live])
        self.own = [
            live.index(int(hand)) for hand in self.classes.hand
        ]  # the class's hand among the real ones
        if deck == FULL_DECK and len(board) == 5:
            self.strengths = [-evaluate_cards(*hand, *board) for hand in self.hands]
        else:
            game = GameDefinition(
                "test", "limit", (1, 1), (1,), (0,), (1,), deck.suits, deck.ranks, hole_cards,
                (len(board),), ranking=ranking,
            )  # fmt: skip
            self.strengths = [naive.strength(game, tuple(sorted((*hand, *board)))) for hand in self.hands]

    def both(self, tile):
        """(folds, showdowns) [H, W] as the kernels give them."""
        classes, H = self.classes, self.H
        flat = np.concatenate([tile.ravel(), np.full(W, np.nan, tile.dtype)])
        sums = np.full((self.deck.size + 2) * W, np.nan, tile.dtype)
        fold, showdown = np.full((2, (H + 1) * W), np.nan, tile.dtype)
        if len(self.hands[0]) == 2:
            terminal.card_sums(flat, H, classes.card, classes.share, classes.size, sums)
            terminal.fold(flat, H, classes.card, sums, fold)
            terminal.showdown(
                flat, H, classes.card, classes.share, classes.size, classes.ties, sums, showdown
            )
        else:
            terminal.total_reach(flat, H, classes.size, sums)
            terminal.fold_one(flat, H, sums, fold)
            terminal.showdown_one(flat, H, classes.size, classes.ties, sums, showdown)
        return fold[: H * W].reshape(H, W), showdown[: H * W].reshape(H, W)

    def check(self, seed, dtype, lanes=(0, W - 1)):
        generator = np.random.default_rng(seed)
        tile = generator.random((self.H, W)) * (generator.random((self.H, W)) < 0.7)
        fold, showdown = self.both(tile.astype(dtype))
        for lane in lanes:
            reach = tile[self.class_of, lane]
            close = TOLERANCE[dtype] * (1 + reach.sum())
            expected = twins.folds(self.hands, reach)[self.own]
            np.testing.assert_allclose(fold[:, lane], expected, rtol=0, atol=close)
            expected = twins.showdowns(self.hands, self.strengths, reach)[self.own]
            np.testing.assert_allclose(showdown[:, lane], expected, rtol=0, atol=close)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("board", "classes"),
    [
        ("Ks7h2d5c9c", 1081),  # no symmetry but that of nothing
        ("Ks7s2s5s9s", 301),  # clubs, diamonds and hearts are alike
        ("KsKhKd7s2s", 673),  # hearts and diamonds
        ("AsKsQsJsTs", 301),  # every hand ties
        ("7s7h7d7cAc", 331),  # all but clubs
    ],
)
def test_symmetric_rivers_equal_the_sum_over_all_pairs_of_hands(board, classes, dtype):
    river = River(FULL_DECK, 2, FULL_DECK.parse(board))
    assert classes == river.H
    assert river.classes.size.sum() == 1081
    river.check(seed=1, dtype=dtype, lanes=(3,))


@settings(max_examples=4, deadline=None, derandomize=True)
@given(cards=st.permutations(range(52)), seed=seeds)
def test_random_rivers_equal_the_sum_over_all_pairs_of_hands(cards, seed):
    River(FULL_DECK, 2, tuple(sorted(cards[:5]))).check(seed, "float64", lanes=(seed % W,))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("isomorphism", [True, False])
@few
@given(data=st.data(), seed=seeds)
def test_small_decks_with_two_hole_cards(dtype, isomorphism, data, seed):
    deck = Deck(data.draw(st.integers(2, 4)), data.draw(st.integers(2, 4)))
    cards = data.draw(st.permutations(range(deck.size)))
    board = tuple(sorted(cards[: data.draw(st.integers(0, min(5, deck.size - 4)))]))
    River(deck, 2, board, isomorphism=isomorphism).check(seed, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@few
@given(data=st.data(), seed=seeds)
def test_hands_of_one_card(dtype, data, seed):
    deck = Deck(data.draw(st.integers(2, 6)), data.draw(st.integers(1, 4)))
    cards = data.draw(st.permutations(range(deck.size)))
    board = tuple(sorted(cards[: data.draw(st.integers(0, min(2, deck.size - 2)))]))
    ranking = "three-card" if len(board) == 2 else "acpc"
    River(deck, 1, board, ranking).check(seed, dtype, lanes=range(W))


def test_against_every_hand_the_nuts_beat_all_but_nine_of_990():
    river = River(FULL_DECK, 2, FULL_DECK.parse("Ks7h2d5c9c"))
    fold, showdown = river.both(np.ones((river.H, W)))
    assert (fold == 990).all()  # C(45, 2)
    best = {river.hands[river.own[i]] for i in np.flatnonzero(showdown[:, 0] == 990 - 9)}
    eights, sixes = range(24, 28), range(16, 20)  # a straight to the nine; three eights and three sixes tie
    assert best == {(six, eight) for six in sixes for eight in eights}
    assert showdown.max() == 990 - 9
    assert abs(showdown.sum()) < 1e-6  # what one hand wins another loses


def test_lanes_do_not_disturb_each_other():
    river = River(Deck(4, 3), 2, (0, 5, 10))
    tile = np.random.default_rng(2).random((river.H, W))
    fold, showdown = river.both(tile)
    alone = np.zeros_like(tile)
    alone[:, 5] = tile[:, 5]
    fold_alone, showdown_alone = river.both(alone)
    assert (fold_alone[:, 5] == fold[:, 5]).all()
    assert (showdown_alone[:, 5] == showdown[:, 5]).all()
    assert not np.delete(fold_alone, 5, axis=1).any()
    assert not np.delete(showdown_alone, 5, axis=1).any()


# Contexts and lanes


@st.composite
def stretches(draw):
    """H hands, K contexts at a sequence, how many stretches share a tile, and their width."""
    H, K = draw(st.integers(1, 12)), draw(st.integers(1, 40))
    count = draw(st.integers(1, max(W // K, 1)))
    return H, K, count, min(K, W)


@pytest.mark.parametrize("dtype", DTYPES)
@settings(max_examples=80, deadline=None, derandomize=True)
@given(stretches(), st.integers(0, 5), seeds)
def test_stretches_of_contexts_become_lanes(dtype, sizes, skip, seed):
    H, K, count, _ = sizes
    generator = np.random.default_rng(seed)
    first = generator.integers(0, K - W + 1) if K > W else 0
    sequences = generator.permutation(count + skip)[:count]
    reach = generator.random((count + skip) * H * K + W).astype(dtype)
    bases = np.zeros(W, np.int64)
    bases[:count] = sequences * H * K + first
    tile = np.full((H + 1) * W, np.nan, dtype)
    terminal.gather(reach, bases, count, H, K, tile)
    expected = twins.gather(reach, bases, count, H, K, W)
    wanted = ~np.isnan(expected)
    assert (tile[: H * W].reshape(H, W)[wanted] == expected[wanted]).all()


@pytest.mark.parametrize("dtype", DTYPES)
@settings(max_examples=80, deadline=None, derandomize=True)
@given(stretches(), seeds)
def test_lanes_become_values_and_nothing_else_is_touched(dtype, sizes, seed):
    H, K, count, width = sizes
    generator = np.random.default_rng(seed)
    out = generator.random((H + 1) * W).astype(dtype)
    amount = generator.integers(-20, 20, 2 * W).astype(dtype)
    stretch = int(generator.integers(0, count))
    context = int(generator.integers(0, K - W + 1)) if K > W else 0
    base = int(generator.integers(0, 3)) * H * K + context
    value = generator.random(4 * H * K + W).astype(dtype)
    expected = twins.scatter(out[: H * W].reshape(H, W), amount, stretch * K, width, H, K, base, value)
    terminal.scatter(out, amount, stretch * K, width, H, K, base, value)
    assert (value == expected).all()
