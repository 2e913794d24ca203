"""A poker game as an extensive game is the tree that the slow reference grows, history by history."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from errai.cards.notation import Deck
from errai.engine.layout import layout
from errai.errors import ErraiError
from errai.games.catalogue import builtin_names, load_game
from errai.games.definition import GameDefinition
from errai.games.spot import whole_game
from errai.sequence import poker
from errai.sequence.poker import poker_game, poker_nodes
from errai.sequence.tree import CHANCE, END, NONE, ExtensiveGame
from errai.strategy.export import rows
from errai.strategy.kinds.exact import ExactStrategy
from tests import naive
from tests.games_strategies import random_strategy, seeds, small_games

KUHN = load_game("kuhn")
LEDUC = load_game("leduc")
SMALL_RHODE_ISLAND = GameDefinition(
    name="small rhode island",
    betting="limit",
    blinds=(1, 1),
    raise_sizes=(2, 4, 4),
    first_player=(0, 0, 0),
    max_raises=(0, 0, 1),
    suits=3,
    ranks=3,
    hole_cards=1,
    board_cards=(0, 1, 1),
    ranking="three-card",
)
# Two public cards before the first action, none in the second round, and a small blind that acts first.
BOARD_FIRST = GameDefinition(
    name="board first",
    betting="limit",
    blinds=(1, 2),
    raise_sizes=(2, 3, 5),
    first_player=(0, 1, 1),
    max_raises=(1, 1, 0),
    suits=2,
    ranks=3,
    hole_cards=1,
    board_cards=(2, 0, 1),
)
TWO_HOLE_CARDS = replace(
    LEDUC, name="two hole cards", hole_cards=2, ranks=4, max_raises=(1, 0), blinds=(1, 2)
)
GAMES = (KUHN, LEDUC, SMALL_RHODE_ISLAND, BOARD_FIRST, TWO_HOLE_CARDS)

few_games = settings(max_examples=25, deadline=None, derandomize=True)
each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)


def expected(game: ExtensiveGame, policy: Callable[[int], Sequence[float]]) -> float:
    """What seat 0 wins when `policy` gives the probabilities of the actions of each information set."""
    worth = np.zeros(game.nodes)
    for node in range(game.nodes - 1, -1, -1):
        if game.player[node] == END:
            worth[node] = game.payoffs[game.payoff[node]]
        above = int(game.parent[node])
        if above == NONE:
            continue
        if game.player[above] == CHANCE:
            chance = float(game.probabilities[game.chance[node]])
        else:
            chance = policy(int(game.information_set[above]))[node - int(game.first_child[above])]
        worth[above] += chance * worth[node]
    return float(worth[0])


def named(rules: GameDefinition, key: naive.Key) -> str:
    """The name of an information set of the reference."""
    seat, hole, board, betting = key
    deck = Deck(rules.ranks, rules.suits)
    public = [card for cards in board for card in cards]
    return f"{seat}:{betting}:{deck.format_cards(hole)}|{deck.format_cards(public)}"


def kinds(root: naive.Node) -> Counter[str]:
    """How many nodes of each kind the reference has, without its deals of no cards."""
    counts: Counter[str] = Counter()
    nodes = [root]
    while nodes:
        match nodes.pop():
            case naive.Terminal():
                counts["end"] += 1
            case naive.Decision() as decision:
                counts["decision"] += 1
                nodes += decision.children
            case naive.Chance() as chance:
                following = [child for _, child in chance.children]
                match following[0]:
                    case naive.Decision(information_set=known) if not known.board[-1]:
                        pass
                    case _:
                        counts["chance"] += 1
                nodes += following
    return counts


def kinds_of(game: ExtensiveGame) -> dict[str, int]:
    return {
        "chance": int((game.player == CHANCE).sum()),
        "decision": int((game.player < CHANCE).sum()),
        "end": int((game.player == END).sum()),
    }


def assert_same_game(rules: GameDefinition, seed: int) -> None:
    """Nodes, information sets, and the value of a strategy that plays every hand differently."""
    game = poker_game(rules)
    root, sets = naive.tree(rules)
    assert kinds_of(game) == dict(kinds(root))
    keys = {named(rules, key): key for key in sets}
    assert len(game.set_names) == len(sets)
    assert set(game.set_names) == set(keys)
    for which, name in enumerate(game.set_names):
        assert game.set_player[which] == sets[keys[name]].seat
        assert "".join(game.actions(which)) == sets[keys[name]].actions
    strategy = random_strategy(rules, seed)
    value = expected(game, lambda which: strategy(*keys[game.set_names[which]]))
    assert value == pytest.approx(naive.value(rules, strategy), abs=1e-9)


@each_game
def test_the_game_is_that_of_the_reference(rules):
    assert_same_game(rules, seed=1)


@few_games
@given(small_games(most_histories=3_000), seeds())
def test_random_games_are_those_of_the_reference(rules, seed):
    assert_same_game(rules, seed)


@few_games
@given(small_games(most_histories=30_000))
def test_nodes_are_counted_without_building_them(rules):
    assert poker_nodes(rules) == poker_game(rules).nodes


@pytest.mark.parametrize(
    ("rules", "chance", "decisions", "ends", "sets"), [(KUHN, 1, 24, 30, 12), (LEDUC, 151, 3780, 5520, 936)]
)
def test_known_sizes(rules, chance, decisions, ends, sets):
    game = poker_game(rules)
    assert kinds_of(game) == {"chance": chance, "decision": decisions, "end": ends}
    assert game.information_sets == sets


def test_kuhn_is_worth_a_loss_of_an_eighteenth_to_seat_0():
    """Kuhn's equilibrium in which seat 0 never bets, and calls with the king and one queen in three."""
    play = {
        "0::2c|": (1, 0),
        "0::3c|": (1, 0),
        "0::4c|": (1, 0),
        "0:cr:2c|": (1, 0),
        "0:cr:3c|": (2 / 3, 1 / 3),
        "0:cr:4c|": (0, 1),
        "1:c:2c|": (2 / 3, 1 / 3),
        "1:c:3c|": (1, 0),
        "1:c:4c|": (0, 1),
        "1:r:2c|": (1, 0),
        "1:r:3c|": (2 / 3, 1 / 3),
        "1:r:4c|": (0, 1),
    }
    game = poker_game(KUHN)
    assert expected(game, lambda which: play[game.set_names[which]]) == pytest.approx(-1 / 18)


@each_game
def test_the_arrays_agree_with_one_another(rules):
    game = poker_game(rules)
    nodes = np.arange(game.nodes)
    above = game.parent[1:]
    assert game.parent[0] == NONE
    assert (above < nodes[1:]).all()
    assert (game.first_child[above] <= nodes[1:]).all()
    assert (nodes[1:] < game.first_child[above] + game.children[above]).all()
    assert game.children.sum() == game.nodes - 1
    assert ((game.children == 0) == (game.player == END)).all()
    assert ((game.information_set == NONE) == (game.player >= CHANCE)).all()
    assert (game.chance[1:][game.player[above] != CHANCE] == 0).all()
    assert (game.payoff[game.player != END] == 0).all()

    found, first = np.unique(game.information_set[game.player < CHANCE], return_index=True)
    assert (found == np.arange(game.information_sets)).all()
    assert (game.set_node == nodes[game.player < CHANCE][first]).all()
    assert (np.diff(game.set_node) > 0).all()
    assert (game.set_player == game.player[game.set_node]).all()
    acting = game.player < CHANCE
    assert (game.set_actions[game.information_set[acting]] == game.children[acting]).all()
    assert game.sequences.count[0] > 1

    for array in (game.parent, game.first_child, game.children, game.information_set, game.label):
        assert array.dtype == np.int32
    for array in (game.chance, game.payoff, game.set_actions, game.set_node):
        assert array.dtype == np.int32
    assert game.player.dtype == game.set_player.dtype == np.int8


@each_game
def test_chances_add_up_to_one_and_numbers_are_fractions(rules):
    game = poker_game(rules)
    assert game.exact
    assert game.probabilities[0] == 1
    for node in np.flatnonzero(game.player == CHANCE):
        children = range(game.first_child[node], game.first_child[node] + game.children[node])
        assert sum(game.probabilities[game.chance[child]] for child in children) == 1
    assert all(isinstance(number, Fraction) for number in (*game.probabilities, *game.payoffs))


def test_what_the_game_and_its_branches_are_called():
    game = poker_game(LEDUC)
    assert (game.title, game.players, game.unit) == ("leduc", ("seat 0", "seat 1"), 2)
    assert len(set(game.branches(0))) == 30
    assert game.branches(0)[0] == "2c|2d"
    at = dict(zip(game.set_names, game.set_node, strict=True))
    assert game.actions(game.set_names.index("1:crc/crr:2d|4c")) == ("f", "c")
    assert game.path(int(at["1:crc/crr:2d|4c"])) == ("2c|2d", "c", "r", "c", "4c", "c", "r", "r")


@each_game
def test_information_sets_have_the_keys_of_exported_tables(rules):
    places = layout(whole_game(rules), isomorphism=False)
    strategy = ExactStrategy(places, np.zeros(places.shape.numbers, np.float32))
    table = {row.key: "".join(row.probabilities) for row in rows(strategy)}
    game = poker_game(rules)
    assert {name: "".join(game.actions(which)) for which, name in enumerate(game.set_names)} == table


def test_the_better_hand_wins_the_chips_of_the_other():
    game = poker_game(TWO_HOLE_CARDS)
    deck = Deck(4, 2)
    ends = np.flatnonzero(game.player == END)
    seen = set()
    for end in ends[:: len(ends) // 500]:
        hole, *rest = game.path(int(end))
        betting = "".join(step for step in rest if step in "fcr")
        public = tuple(card for step in rest if step not in "fcr" for card in deck.parse(step))
        mine, other = (tuple(deck.parse(cards)) for cards in hole.split("|"))
        state = naive.begin(TWO_HOLE_CARDS)
        for action in betting:
            state = naive.act(TWO_HOLE_CARDS, state, action)
        payoff = naive.payoff(TWO_HOLE_CARDS, (mine, other), ((), public), state)
        assert game.payoffs[game.payoff[end]] == payoff
        seen.add((state.folded, np.sign(payoff)))
    assert seen >= {(None, -1), (None, 0), (None, 1), (0, -1), (1, 1)}


@pytest.mark.parametrize("name", [name for name in builtin_names() if load_game(name).hole_cards == 2])
def test_large_games_are_refused_before_anything_is_built(name):
    with pytest.raises(
        ErraiError,
        match=rf"^{name} has .* nodes as an extensive game, .*; .* solves limit games without it$",
    ) as error:
        poker_game(load_game(name))
    assert "\n" not in str(error.value)


def test_a_game_that_does_not_fit_into_memory_is_refused(monkeypatch):
    monkeypatch.setattr(poker, "available_memory", lambda: 300_000)
    with pytest.raises(
        ErraiError, match=r"leduc has 9.5e.03 nodes .* need 1.0 MB of memory, and 279 kB can be had"
    ):
        poker_game(LEDUC)
    assert poker_game(KUHN).nodes == 55


def test_no_limit_games_are_refused():
    rules = replace(LEDUC, betting="nolimit", raise_sizes=(), stacks=(20, 20))
    with pytest.raises(ErraiError, match="no-limit"):
        poker_game(rules)
