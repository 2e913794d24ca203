"""Bots: their chances to win by the definition, jam or fold by position, raises of no-limit games."""

import numpy as np
import pytest

import errai
from errai.abstraction.features import hands_of
from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK, hand_class_name, hand_index
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import parse_state
from errai.jamfold.single import solve
from errai.play.agent import seen_by
from errai.play.chances import WinChances
from errai.play.every_board import EveryBoard
from errai.play.match import Deals, in_batches, one_by_one, play_match
from errai.play.opening import open_agents
from errai.runs.monitor import SILENT
from tests.abstraction import naive_features as naive
from tests.abstraction.games import little_holdem
from tests.games.nolimit import SHORT, with_stacks

TEN, DEEP = load_game("nolimit-10"), load_game("nolimit")


def shares(name, game, betting, hole, board=""):
    """What a bot does at a decision; the hands of both seats are given, and it sees its own."""
    state = parse_state(game, betting, board, hole)
    agent = open_agents([name], game)[0]
    return agent.probabilities(seen_by(state, state.player))


# Chances to win


@pytest.mark.parametrize("every", [False, True], ids=["one board", "every board"])
@pytest.mark.parametrize("board", ["2c3d4h", "2c3d4h5s", "2c2d4h5s5c"])
def test_chances_are_those_of_all_opponents_and_run_outs(board, every):
    game = little_holdem(ranks=4)
    of, cards = hands_of(game), FULL_DECK.parse(board)
    chances = EveryBoard(of).chances if every else WinChances(game).of
    live = np.flatnonzero(of.live(np.array([cards], np.uint8))[0])
    held = np.random.default_rng(2).choice(live, (1, 3), replace=False)
    found = chances(np.array([cards], np.uint8), held)[0]
    for hand, (win, promise) in zip(held[0], found, strict=True):
        shares = naive.last_shares(of, cards, tuple(map(int, of.cards[hand])))
        assert win == pytest.approx(shares.mean(), abs=2e-5)
        assert promise == pytest.approx(np.sqrt((shares**2).mean()), abs=2e-5)


def test_chances_from_the_table_of_all_boards_are_those_of_single_boards(monkeypatch):
    """Many boards are completed from a table, and each for itself where that has no room."""
    game = little_holdem(ranks=5)
    rng = np.random.default_rng(3)
    dealt = np.array([rng.permutation(game.deck_size)[:9] for _ in range(150)])
    hands = np.array([[hand_index(row[:2]), hand_index(row[2:4])] for row in dealt])

    def found(chances):
        return [chances.of(dealt[:, 4 : 4 + public].astype(np.uint8), hands) for public in (3, 4, 5)]

    from_table = found(tabled := WinChances(game))
    monkeypatch.setattr("errai.play.chances.available_memory", lambda: 0)
    each = found(single := WinChances(game))
    assert tabled._every is not None
    assert single._every is None
    for one, other in zip(from_table, each, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("dealt", [(), (3,), (5,)])
def test_many_boards_are_found_as_one_is(dealt):
    deck = little_holdem(ranks=5)
    boards = canonical_boards(hands_of(deck).deck, 2, dealt)
    rng = np.random.default_rng(4)
    cards = np.array([rng.permutation(20)[: sum(dealt)] for _ in range(50)], np.uint8).reshape(50, -1)
    numbers, moves = boards.find_many(cards)
    for row, number, move in zip(cards, numbers, moves, strict=True):
        assert boards.find(tuple(map(int, row)))[0] == number
        assert sorted(boards._moves.cards[move][row]) == boards.cards[number].tolist()
    with pytest.raises(ErraiError, match="not sets of 3 cards"):
        canonical_boards(hands_of(deck).deck, 2, (3,)).find_many(np.array([[1, 1, 2]], np.uint8))


@pytest.mark.parametrize("names", [("win-rate", "pot-odds"), ("pot-odds", "random")])
def test_bots_that_know_their_cards_play_in_batches_as_hand_by_hand(names):
    game = load_game("royal")
    batches, agents = ([*open_agents(names, game)] for _ in range(2))
    together = in_batches(Deals(game, 5, True), [agent.batch() for agent in batches], 60, 5)
    apart = one_by_one(Deals(game, 5, True), agents, 60, 5, SILENT)
    assert [line for block in together for line in block.lines] == [
        line for block in apart for line in block.lines
    ]


# Matches of bots


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *(("leduc", name) for name in ("always-call", "always-raise", "always-fold", "random")),
        *(("leduc", name) for name in ("win-rate", "pot-odds")),
        *(("nolimit-10", name) for name in ("always-raise", "random", "jam-or-fold")),
    ],
)
def test_a_duplicate_match_of_a_bot_against_itself_is_exactly_zero(game, name, tmp_path):
    played = errai.match(name, name, hands=40, duplicate=True, game=game, log=tmp_path / "m.log", aivat=False)
    assert played.estimators["duplicate"].mean_mbb == 0
    assert played.estimators["duplicate"].ci95_mbb == 0
    *states, score = (tmp_path / "m.log").read_text().splitlines()[1:]
    assert len(states) == 40
    for line in states:
        first, second = map(int, line.split(":")[4].split("|"))
        assert first + second == 0
    assert score.startswith("SCORE:0|0:")


def test_what_one_wins_the_other_loses():
    names = ("pot-odds", "random")
    there, back = (
        play_match(load_game("leduc"), open_agents(pair, "leduc"), 400, seed=6, duplicate=True)
        for pair in (names, names[::-1])
    )
    assert there.pairs.total == -back.pairs.total != 0


# No-limit games


@pytest.mark.parametrize(
    ("name", "betting", "wanted"),
    [
        ("always-call", "", {"c": 1}),
        ("always-fold", "r300", {"f": 1}),
        ("always-fold", "c", {"c": 1}),
        ("always-raise", "", {"r200": 1}),
        ("always-raise", "r300", {"r500": 1}),
        ("always-raise", "r1000", {"c": 1}),
        ("random", "", {"f": 1 / 3, "c": 1 / 3, "r200": 1 / 9, "r300": 1 / 9, "r1000": 1 / 9}),
        ("random", "r600", {"f": 1 / 3, "c": 1 / 3, "r1000": 1 / 3}),
        ("random", "r1000", {"f": 1 / 2, "c": 1 / 2}),
        ("pot-odds", "", {"r300": 1}),
        ("win-rate", "r1000", {"c": 1}),
    ],
)
def test_rules_have_sizes_in_no_limit_games(name, betting, wanted):
    assert shares(name, TEN, betting, ("AsAh", "KsKh")) == pytest.approx(wanted)


def jam(game, button, hand):
    """How often a hand jams or calls, from the solution of the stacks."""
    stack = game.stacks[0] / max(game.blinds)
    solution = solve(stack, seat="small" if button in ("jams", "faces a jam") else "big")
    chosen = solution.call if button == "faces a jam" else solution.jam
    return chosen[hand_class_name(*FULL_DECK.parse(hand))]


@pytest.mark.parametrize("game", [TEN, DEEP], ids=lambda game: game.name)
@pytest.mark.parametrize("hand", ["AsAh", "Kc9c", "Jd6h", "7s2d"])
def test_jam_or_fold_plays_the_solution_of_its_stack_and_position(game, hand):
    most = game.stacks[0]
    first = shares("jam-or-fold", game, "", (None, hand))
    assert first == pytest.approx({"f": 1 - (often := jam(game, "jams", hand)), f"r{most}": often})
    facing = shares("jam-or-fold", game, f"r{most}", (hand, None))
    assert facing == pytest.approx({"f": 1 - (often := jam(game, "faces a jam", hand)), "c": often})
    limped = shares("jam-or-fold", game, "c", (hand, None))
    assert limped == pytest.approx({"c": 1 - (often := jam(game, "limps", hand)), f"r{most}": often})
    raised = shares("jam-or-fold", game, "r300", (hand, None))
    assert raised == pytest.approx({"f": 1 - often, f"r{most}": often})


def test_jam_or_fold_counts_the_shorter_stack():
    """Either stack may be the short one; the other cannot lose more."""
    for stacks in ((1000, 20000), (20000, 1000)):
        game = with_stacks(DEEP, *stacks)
        often = jam(TEN, "jams", "Jd6h")
        found = shares("jam-or-fold", game, "", (None, "Jd6h"))
        assert found == pytest.approx({"f": 1 - often, f"r{stacks[1]}": often})
        facing = shares("jam-or-fold", game, "r1000", ("Kc9c", None))
        assert facing["c"] == pytest.approx(jam(TEN, "faces a jam", "Kc9c"))


@pytest.mark.parametrize(
    ("betting", "hand", "wanted"),
    [
        ("cc/", "AsKs", {"c": 0.0, "r1000": 1.0}),
        ("cc/", "7d2c", {"c": 1.0, "r1000": 0.0}),
        ("cc/cr1000", "AsKs", {"f": 0.0, "c": 1.0}),
        ("cc/cr1000", "7d2c", {"f": 1.0, "c": 0.0}),
    ],
)
def test_jam_or_fold_moves_in_with_the_nuts_after_the_flop(betting, hand, wanted):
    hole = (hand, None) if betting != "cc/c" else (None, hand)
    assert shares("jam-or-fold", TEN, betting, hole, "QsJsTs") == wanted


def test_a_hand_that_the_blinds_have_all_in_is_checked_down():
    game = with_stacks(DEEP, 100, 20000)
    assert set(shares("jam-or-fold", game, "", (None, "AsAh"))) <= {"f", "c"}
    assert shares("jam-or-fold", with_stacks(DEEP, 20000, 100), "c", ("7d2c", None)) == {"c": 1.0}


def test_jam_or_fold_plays_no_limit_holdem_with_nothing_said_and_nothing_else():
    assert open_agents(["jam-or-fold", "random"])[1].game == DEEP
    for game in ("holdem", "leduc", SHORT):
        with pytest.raises(ErraiError, match="jam-or-fold plays no-limit hold'em with stacks"):
            open_agents(["jam-or-fold"], game)
    with pytest.raises(ErraiError, match="10,000 big blinds at most"):
        open_agents(["jam-or-fold"], with_stacks(DEEP, 2_000_000, 2_000_000))
