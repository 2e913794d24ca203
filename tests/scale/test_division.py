"""A game in two pieces: together they are the whole, hand for hand and number for number."""

from dataclasses import replace
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from errai.cards.suits import suit_permutations
from errai.engine.evaluation import Evaluator, evaluation_of
from errai.engine.kernels.arrays import Weights
from errai.engine.layout import layout, shape
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.sizes import information_sets
from errai.games.spot import pair_weight, spot, whole_game
from errai.scale.codes import grids_for
from errai.scale.crew import LocalCrew
from errai.scale.division import divide
from errai.scale.passes import TrunkWalker, evaluate
from errai.scale.stores import MemoryStore
from tests import naive
from tests.engine.weights import symmetric_strategy, weights_of
from tests.games_strategies import seeds, small_games
from tests.scale.games import COARSE, FINE, THREE_ROUNDS, TWO_CARDS, cut, spot_of

few = settings(max_examples=25, deadline=None, derandomize=True)
SMALL = ["leduc", "two rounds", "three rounds", "two cards", "four rounds"]


def divided(where, numbers, **options):
    with cut(numbers):
        return divide(where, **options)


# Boards and contexts


def assert_covers(division):
    """Every board of the border in every context is in one subgame."""
    last = int(division.trunk.shape.tree.levels[-1])
    seen = [
        (board, context)
        for subgame in division.subgames
        for board in range(subgame.first, subgame.last)
        for context in range(subgame.k, subgame.k + subgame.K)
    ]
    boards = range(division.first_border, last)
    assert sorted(seen) == sorted(product(boards, range(division.contexts[division.level])))
    assert len(seen) == len(set(seen))
    assert [subgame.number for subgame in division.subgames] == list(range(len(division.subgames)))


@pytest.mark.parametrize("numbers", [1, FINE, COARSE, None])
@pytest.mark.parametrize("name", [*SMALL, "turn endgame"])
def test_every_board_is_in_one_subgame_in_each_of_its_contexts(name, numbers):
    division = divided(spot_of(name), numbers)
    assert_covers(division)
    if numbers == 1:
        assert all(subgame.K == subgame.last - subgame.first == 1 for subgame in division.subgames)
    if numbers is None and name != "turn endgame":
        assert len(division.subgames) == 1


@pytest.mark.parametrize("name", ["rhode-island", "holdem-2-1"])
def test_large_games_are_cut_into_subgames_of_about_one_size(name):
    division = divide(spot_of(name))
    assert_covers(division)
    assert len(division.subgames) > 1


@few
@given(small_games(most_histories=2000), st.sampled_from([1, 30, 300, None]), st.booleans())
def test_random_games_are_covered(game, numbers, isomorphism):
    assume(len(shape(whole_game(game)).templates) > 1)
    division = divided(whole_game(game), numbers, isomorphism=isomorphism)
    assert_covers(division)
    assert_same_boards(division, layout(whole_game(game), isomorphism=isomorphism))


def test_a_game_of_one_round_has_nothing_to_divide():
    with pytest.raises(ErraiError, match="kuhn has one round from here on"):
        divide(spot_of("kuhn"))
    with pytest.raises(ErraiError, match="holdem has one round from here on"):
        divide(spot(load_game("holdem"), "Ks7h2d5c9h", "cc/cc/cc"))


# Sizes


@pytest.mark.parametrize("numbers", [FINE, COARSE, None])
@pytest.mark.parametrize("name", [*SMALL, "turn endgame", "rhode-island"])
def test_sizes_are_those_of_the_whole_game(name, numbers):
    where = spot_of(name)
    whole = shape(where)
    if name == "rhode-island" and numbers == FINE:
        numbers = 1 << 16
    division = divided(where, numbers)
    assert division.information_sets == whole.information_sets
    assert division.trunk_numbers + division.numbers == whole.numbers
    below = int(whole.tree.levels[division.level])
    assert division.hand_classes == int(whole.classes[below:].sum())
    assert division.contexts == whole.contexts


@pytest.mark.parametrize("name", ["rhode-island", "holdem-2-1"])
def test_what_is_counted_is_what_is_there(name):
    """Sizes of whole games come from counting, without a layout of every subgame."""
    division = divide(spot_of(name))
    assert division._is_counted
    shapes = [division.layout(subgame).shape for subgame in division.subgames]
    assert division.numbers == sum(shape.numbers for shape in shapes)
    assert division.information_sets == information_sets(division.spot.game)
    assert division.largest <= division.numbers


@pytest.mark.parametrize("name", SMALL)
def test_without_isomorphism_every_information_set_is_told_apart(name):
    where = spot_of(name)
    division = divided(where, FINE, isomorphism=False)
    assert division.information_sets == shape(where, isomorphism=False).information_sets


def test_how_a_game_is_divided_is_always_the_same():
    assert divide(spot_of("rhode-island")).fingerprint() == divide(spot_of("rhode-island")).fingerprint()
    known = {
        divided(spot_of("three rounds"), numbers, isomorphism=isomorphism).fingerprint()
        for numbers in (FINE, None)
        for isomorphism in (True, False)
    }
    assert len(known) == 4


# Layouts


def board_numbers(built):
    """Where each board is, by its level counted from the last one, and its cards."""
    tree = built.shape.tree
    return {
        (built.levels - int(level), *(int(card) for card in tree.cards[board, : tree.public[level]])): board
        for board, level in enumerate(built.boards.level)
    }


def hands_of(built, board):
    """All that is known of the hand classes of a board, but for its parent."""
    first, last = built.hand_classes.first[board : board + 2]
    names = ("hand", "size", "card", "share")
    return [getattr(built.hand_classes, name)[first:last].tolist() for name in names]


def ties_of(built, board):
    first = built.boards.first_tie[board - built.boards.first_last]
    last = built.boards.first_tie[board - built.boards.first_last + 1]
    return built.boards.ties[first:last].tolist()


def contexts_in_whole(division, subgame, whole):
    """For each level of a subgame, which context of the whole layout each of its contexts is."""
    now = list(range(subgame.k, subgame.k + subgame.K))
    found = [now]
    for level in range(division.level, whole.levels - 1):
        now = [
            leaf * whole.shape.contexts[level] + context
            for leaf in range(len(whole.shape.templates[level].leaves))
            for context in now
        ]
        found.append(now)
    return found


def assert_same_boards(division, whole):
    """Boards, hands and stakes of the subgames are those of the whole layout."""
    places = board_numbers(whole)
    for subgame in division.subgames:
        part = division.layout(subgame)
        assert part.roots == subgame.last - subgame.first
        assert part.root_numbers == subgame.K * int(part.boards.first_hand[part.roots])
        for place, board in board_numbers(part).items():
            there = places[place]
            assert hands_of(part, board) == hands_of(whole, there)
            assert int(part.shape.tree.children[board]) == int(whole.shape.tree.children[there])
            if board >= part.roots:
                a, b = part.hand_classes.first[board : board + 2]
                c, d = whole.hand_classes.first[there : there + 2]
                assert part.hand_classes.up[a:b].tolist() == whole.hand_classes.up[c:d].tolist()
                assert part.hand_classes.up_weight[a:b].tolist() == whole.hand_classes.up_weight[c:d].tolist()
            if part.boards.level[board] == part.boards.last_level:
                assert ties_of(part, board) == ties_of(whole, there)
        for level, contexts in enumerate(contexts_in_whole(division, subgame, whole)):
            mine = part.betting.stake[part.betting.first_context[level] :][: len(contexts)]
            theirs = whole.betting.stake[
                whole.betting.first_context[division.level + level] + np.array(contexts)
            ]
            assert mine.tolist() == theirs.tolist()
            assert part.betting.contexts[level] == len(contexts)
        assert part.betting.chance[1:].tolist() == whole.betting.chance[division.level + 1 :].tolist()


@pytest.mark.parametrize("numbers", [FINE, COARSE, None])
@pytest.mark.parametrize("name", [*SMALL, "turn endgame"])
def test_layouts_of_subgames_are_those_of_the_whole(name, numbers):
    where = spot_of(name)
    whole = layout(where)
    division = divided(where, numbers)
    assert_same_boards(division, whole)
    for board, there in [(board, board_numbers(whole)[place]) for place, board in border(division).items()]:
        first, last = division.trunk.hand_classes.first[board : board + 2]
        low, high = whole.hand_classes.first[there : there + 2]
        assert (
            division.trunk.hand_classes.hand[first:last].tolist()
            == whole.hand_classes.hand[low:high].tolist()
        )


def border(division):
    """The boards of the trunk's last level, as the whole layout calls them."""
    tree, below = division.trunk.shape.tree, len(division.templates) - division.level
    cards = int(tree.public[-1])
    return {
        (below, *(int(card) for card in tree.cards[board, :cards])): board
        for board in range(division.first_border, len(tree.cards))
    }


def test_a_layout_is_the_same_when_it_was_forgotten():
    keeping, forgetful = divided(spot_of("three rounds"), FINE), divided(spot_of("three rounds"), FINE)
    forgetful.keep_layouts(1)
    for _ in range(2):
        for subgame in keeping.subgames:
            known, again = keeping.layout(subgame), forgetful.layout(subgame)
            assert again.hand_classes.hand.tolist() == known.hand_classes.hand.tolist()
            assert again.boards.offset.tolist() == known.boards.offset.tolist()
            assert len(forgetful._boards) == 1
    assert len(keeping._boards) == len({(subgame.first, subgame.last) for subgame in keeping.subgames}) > 1


# Values


def of_board(built, board, weights):
    """[A, H, K] of a board, whatever its chunks."""
    level = int(built.boards.level[board])
    A, K = int(built.betting.rows[level]), int(built.betting.contexts[level])
    H, chunk = int(built.shape.classes[board]), int(built.betting.chunk[level])
    part = weights[built.boards.offset[board] : built.boards.offset[board + 1]]
    return part.reshape(K // chunk, A, H, chunk).transpose(1, 2, 0, 3).reshape(A, H, K)


def to_board(built, board, numbers, weights):
    """The way back."""
    level = int(built.boards.level[board])
    chunk = int(built.betting.chunk[level])
    A, H, K = numbers.shape
    part = numbers.reshape(A, H, K // chunk, chunk).transpose(2, 0, 1, 3).reshape(-1)
    weights[built.boards.offset[board] : built.boards.offset[board + 1]] = part


def in_subgame(division, subgame, whole, weights):
    """The weights of the whole layout in the order of a subgame's."""
    part, places = division.layout(subgame), board_numbers(whole)
    contexts = contexts_in_whole(division, subgame, whole)
    found = np.full(int(part.boards.offset[-1]), np.nan)
    for place, board in board_numbers(part).items():
        level = int(part.boards.level[board])
        to_board(part, board, of_board(whole, places[place], weights)[:, :, contexts[level]], found)
    assert np.isfinite(found).all()
    return found


class Given(MemoryStore):
    """A store of subgames whose weights are given."""

    def __init__(self, division, weights):
        super().__init__(grids_for(division.spot.game, 10**9, True), 0)
        self._given = weights

    def reading(self, subgame, layout, average):
        return self._given[subgame.number]


def evaluated(division, trunk_weights, weights, threads=1):
    """By a walk down the trunk, through every subgame, and up the trunk."""
    crew = LocalCrew(division, Given(division, weights), threads)
    done = []
    try:
        walker = TrunkWalker(division, np.float64)
        value, *best = evaluate(walker, crew, Weights(trunk_weights), True, done.append)
    finally:
        crew.close()
    assert sorted(subgame.number for subgame in done) == list(range(len(division.subgames)))
    return evaluation_of(division.trunk, value, best, pair_weight(division.spot))


def assert_same_values(where, numbers, isomorphism=True, seed=1, threads=1):
    whole = layout(where, isomorphism=isomorphism)
    division = divided(where, numbers, isomorphism=isomorphism)
    generator = np.random.default_rng(seed)
    weights = generator.exponential(size=int(whole.boards.offset[-1]))
    weights[generator.random(weights.size) < 0.2] = 0
    evaluator = Evaluator(whole)
    expected = evaluator.evaluate(weights)
    evaluator.close()
    parts = [in_subgame(division, subgame, whole, weights) for subgame in division.subgames]
    assert sum(map(len, parts)) == len(weights) - division.trunk_numbers
    found = evaluated(division, weights[: division.trunk_numbers].copy(), parts, threads)
    assert found.value == pytest.approx(expected.value, abs=1e-9)
    assert found.best_response == pytest.approx(expected.best_response, abs=1e-9)
    return found


@pytest.mark.parametrize("numbers", [FINE, COARSE, None])
@pytest.mark.parametrize("name", [*SMALL, "turn endgame"])
def test_a_best_response_through_subgames_is_that_of_the_whole_game(name, numbers):
    found = assert_same_values(spot_of(name), numbers)
    assert found.exploitability > 0


def test_a_best_response_to_rhode_island():
    assert_same_values(spot_of("rhode-island"), None, threads=2)


def test_threads_make_no_difference():
    one, two, three = (
        assert_same_values(spot_of("three rounds"), FINE, threads=threads) for threads in (1, 2, 3)
    )
    assert one == two == three


@few
@given(small_games(most_histories=2000), st.sampled_from([1, 30, 300, None]), st.booleans(), seeds())
def test_best_responses_of_random_games(game, numbers, isomorphism, seed):
    assume(len(shape(whole_game(game)).templates) > 1)
    assert_same_values(whole_game(game), numbers, isomorphism, seed)


# Some flops

SIX_CARDS = replace(THREE_ROUNDS, name="six cards", suits=2, ranks=3)
TWO_OF_SIX = replace(TWO_CARDS, name="two of six cards", ranks=3)


def images(game, cards, isomorphism):
    """A flop and those that differ from it by the names of the suits."""
    if not isomorphism:
        return {tuple(sorted(cards))}
    deck = whole_game(game).deck
    moves = suit_permutations(deck, game.hole_cards, game.suits_matter).cards.tolist()
    return {tuple(sorted(move[card] for card in cards)) for move in moves}


def with_flops(node, game, flops, deals=0):
    """The naive tree with these flops alone, each as much more likely as all of them are fewer.

    Hands are dealt first, then the empty board of the first round, then the flop. Where none is possible, the pot
    is split.
    """
    match node:
        case naive.Terminal():
            return node
        case naive.Decision():
            children = [with_flops(child, game, flops, deals) for child in node.children]
            return naive.Decision(node.information_set, children)
    children = node.children
    if deals == 2:
        likelier = comb(game.deck_size, game.board_cards[1]) / len(flops)
        children = [
            (chance * likelier, child)
            for chance, child in children
            if child.information_set.board[1] in flops
        ]
    return naive.Chance([(chance, with_flops(child, game, flops, deals + 1)) for chance, child in children])


@pytest.mark.parametrize("isomorphism", [True, False])
@pytest.mark.parametrize("game", [SIX_CARDS, TWO_OF_SIX], ids=lambda game: game.name)
@pytest.mark.parametrize("count", [1, 2])
def test_with_some_flops_the_game_is_as_if_there_were_no_others(game, isomorphism, count, monkeypatch):
    where = whole_game(game)
    whole = layout(where, isomorphism=isomorphism)
    first, last = whole.shape.tree.levels[1:3]
    flops = tuple((int(whole.shape.tree.cards[board, 0]),) for board in range(first + 1, first + 1 + count))
    assert first + 1 + count <= last
    division = divided(where, FINE, isomorphism=isomorphism, flops=flops)
    assert_covers(division)
    strategy = symmetric_strategy(game, 7)
    weights = weights_of(whole, strategy)
    parts = [in_subgame(division, subgame, whole, weights) for subgame in division.subgames]
    found = evaluated(division, weights[: division.trunk_numbers].copy(), parts)
    every = set().union(*(images(game, flop, isomorphism) for flop in flops))
    full = naive.tree(game)
    fewer = naive.Tree(with_flops(full.root, game, every), full.information_sets)
    monkeypatch.setattr(naive, "tree", lambda *given: fewer)
    assert found.value[0] == pytest.approx(naive.value(game, strategy), abs=1e-9)
    for seat in (0, 1):
        assert found.best_response[seat] == pytest.approx(naive.best_response(game, strategy, seat), abs=1e-9)


def test_with_all_flops_the_game_is_the_whole_one():
    where = whole_game(TWO_CARDS)
    whole = layout(where)
    flops = tuple(
        (int(whole.shape.tree.cards[board, 0]),) for board in range(*map(int, whole.shape.tree.levels[1:3]))
    )
    division, plain = divided(where, FINE, flops=flops), divided(where, FINE)
    assert division.subgames == plain.subgames
    assert division.information_sets == plain.information_sets
    np.testing.assert_allclose(division.trunk.betting.chance, plain.trunk.betting.chance, rtol=1e-15)


def test_a_flop_may_be_given_in_any_suits_and_more_than_once():
    where = whole_game(THREE_ROUNDS)
    one, other, twice = (divide(where, flops=flops) for flops in (((3,),), ((5,),), ((4,), (3,), (3,))))
    assert one.flops == other.flops == twice.flops == ((3,),)
    assert one.fingerprint() == other.fingerprint() == twice.fingerprint() != divide(where).fingerprint()
    told_apart = divide(where, isomorphism=False, flops=((4,), (3,)))
    assert told_apart.flops == ((3,), (4,))


@pytest.mark.parametrize("flops", [((0, 1),), ((99,),), ((-1,),), ((),), ()])
def test_flops_that_this_game_has_not_are_refused(flops):
    with pytest.raises(ErraiError, match="flop"):
        divide(whole_game(TWO_CARDS), flops=flops)


def test_flops_are_chosen_in_whole_games_alone():
    for where in (spot_of("leduc"), spot_of("turn endgame")):
        with pytest.raises(ErraiError, match="flops can be chosen in a whole game of three rounds or more"):
            divide(where, flops=((0,),))


def test_levels_of_the_trunk_and_of_the_subgames():
    """Subgames are turn and river, or the last round of a game of two."""
    levels = {name: (divide(spot_of(name)).level, len(divide(spot_of(name)).templates)) for name in SMALL}
    assert levels == {
        "leduc": (1, 2), "two rounds": (1, 2), "three rounds": (1, 3), "two cards": (1, 3), "four rounds": (2, 4)
    }  # fmt: skip
    assert divide(spot_of("turn endgame")).level == 1
    for low, high in pairwise(divide(spot_of("four rounds")).trunk.shape.tree.levels):
        assert low < high
