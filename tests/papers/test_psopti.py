"""PsOpti: its models, what they hand on, and its programs as strategies, on a deck of sixteen cards."""

from itertools import combinations

import numpy as np
import pytest

import errai
from errai.abstraction.abstraction import Abstraction, buckets_on, lossless_round
from errai.abstraction.build import build
from errai.abstraction.joint import joint_buckets
from errai.cards.notation import Deck, hands
from errai.games.catalogue import load_game
from errai.games.lookup import betting_tree
from errai.jamfold.equities import HANDS
from errai.models.network import network_model
from errai.models.solver import solve_model
from errai.papers.psopti import (
    SEVEN,
    SIX,
    after_preflop,
    conditional_models,
    endings,
    histories,
    nodes,
    of_classes,
    psopti0,
    psopti1,
    psopti2,
    reach_of,
    uniform_models,
)
from errai.papers.psopti_page import PAPER, PLAYERS, _table_1
from errai.strategy.files import open_strategy
from tests.abstraction.games import little_holdem
from tests.models.test_network import random_network

HOLDEM = load_game("holdem")
LITTLE = little_holdem(ranks=4)  # two bets a round; its models have one


@pytest.fixture(scope="module")
def uniform(tmp_path_factory):
    """Buckets, their folder, and models for every pot, solved."""
    folder = tmp_path_factory.mktemp("three")
    made = build(LITTLE, "lossless/potential:2,1/potential:2,1:perfect/potential:3,2,1:perfect", folder)
    network = joint_buckets(made, first=1, runouts=2)
    models = uniform_models(LITTLE, network, bets=1)
    return made, folder, {stake: solve_model(model, target=1.0) for stake, model in models.items()}


@pytest.fixture(scope="module")
def handed_on(tmp_path_factory):
    """Buckets, their folder, a preflop model that is solved, what follows from it, and models after it, solved."""
    folder = tmp_path_factory.mktemp("two")
    made = build(LITTLE, "potential:2,1/potential:2,1/potential:2,1:perfect/potential:2,1:perfect", folder)
    before, after = joint_buckets(made, 0, 2, runouts=300), joint_buckets(made, 1, runouts=2)
    preflop = solve_model(network_model(LITTLE, before, 0, bets=1), target=1.0)
    known = after_preflop(before, preflop)
    models = conditional_models(LITTLE, after, known, bets=1)
    return made, folder, (before, preflop, known), [solve_model(model, target=1.0) for model in models]


def about():
    return {"algorithm": "sdcfr", "iterations": 1, "seconds": 0.0, "command": "test", "strategy": "average"}


def saved(program, made, folder, tmp_path):
    program.save(tmp_path / program.name, made, folder, about())
    return open_strategy(tmp_path / program.name)


def test_buckets_have_smaller_classes_of_stronger_hands():
    assert SEVEN.split("/")[1] == "potential:6,5,4,3,2,1"
    assert SIX.split("/") == [
        "potential:5,4,3,2,1",
        "potential:5,4,3,2,1",
        "potential:5,4,3,2,1:perfect",
        "potential:6,5,4,3,2,1:perfect",
    ]


def test_hold_em_has_pots_of_two_to_eight_bets_and_seven_ways_to_the_flop():
    models = uniform_models(HOLDEM, random_network((2, 2, 2)))
    assert list(models) == [10, 20, 30, 40]
    assert [leaf.betting for leaf in endings(HOLDEM)] == ["cc", "crc", "crrc", "crrrc", "rc", "rrc", "rrrc"]
    assert {model.contexts for model in models.values()} == {(1, 7, 49)}


def test_models_of_six_and_seven_buckets_have_the_papers_size():
    """Eight decisions a round, seven ways to go on: 10^5 information sets, and 10^7 nodes below pairs of buckets."""
    six, seven = (uniform_models(HOLDEM, random_network((n, n, n)))[10] for n in (6, 7))
    assert six.information_sets == 8 * (6 + 7 * 6**2 + 49 * 6**3) == 86_736
    assert seven.information_sets == 8 * (7 + 7 * 7**2 + 49 * 7**3) == 137_256
    assert nodes(six) == 21 * (36 + 7 * 36**2 + 49 * 36**3)


def test_every_bucket_stands_for_the_history_of_its_cells(uniform):
    made = uniform[0]
    found = histories(made)
    cards = ((), tuple(made.deck.parse("3s4c5d")), tuple(made.deck.parse("2c")), tuple(made.deck.parse("5s")))
    cells = [round_.on(sum(cards[: n + 1], ())) for n, round_ in enumerate(made.rounds)]
    bucket = buckets_on(made.rounds, cards, made.deck)
    live = bucket[3] >= 0
    turn, river = (round_.cell_count for round_ in made.rounds[2:])
    flop_turn = cells[1] * turn + cells[2]
    np.testing.assert_array_equal(found[2][bucket[2][live]], flop_turn[live])
    np.testing.assert_array_equal(found[3][bucket[3][live]], (flop_turn * river + cells[3])[live])


def test_all_that_may_happen_before_the_flop_adds_up_to_one(handed_on):
    before, preflop, known = handed_on[2]
    template, played = preflop.model.rounds[0].template, preflop.strategy(0)[:, :, 0]
    folds = 0.0
    for fold in template.folds:
        reach = reach_of(template, played, fold.betting)
        folds += float((before.first * reach[0][:, None] * reach[1][None]).sum())
    assert folds + sum(given.probability for given in known) == pytest.approx(1)
    for given in known:
        assert given.pairs.sum() == pytest.approx(1)


def test_where_nobody_tells_anything_the_hands_are_those_that_are_dealt(handed_on):
    """With one strategy for all buckets every ending has the pairs of the network."""
    before, preflop, _ = handed_on[2]
    told = np.einsum("ab,abcd->cd", before.first, before.steps[0])
    untrained = solve_model(preflop.model, iterations=1, method="cfr")
    untrained.average[:] = 1.0
    for given in after_preflop(before, untrained):
        np.testing.assert_allclose(given.pairs, told, atol=1e-12)


def test_who_raises_before_the_flop_has_the_better_hand(handed_on):
    _, preflop, known = handed_on[2]
    ends = [leaf.betting for leaf in preflop.model.rounds[0].template.leaves]
    called, raised = (known[ends.index(betting)].pairs.sum(axis=0) for betting in ("cc", "rc"))
    assert raised[1] > called[1]  # seat 1 opens; class 1 is the strong one, 2 are the draws


def test_psopti0_always_calls_before_the_flop(uniform, tmp_path):
    made, folder, solved = uniform
    agent = saved(psopti0(made, solved), made, folder, tmp_path)
    for betting in ("", "r", "cr"):
        assert agent.probabilities("2c3d", betting)["c"] == 1.0


def test_psopti0_forgets_the_pot(uniform, tmp_path):
    made, folder, solved = uniform
    agent = saved(psopti0(made, solved), made, folder, tmp_path)
    small, large = (agent.probabilities("3c5s", f"{before}/r", "3s4c5d") for before in ("cc", "rrc"))
    assert small == large


def test_psopti1_has_the_preflop_solution_and_a_model_for_each_pot(uniform, tmp_path):
    made, folder, solved = uniform
    template = betting_tree(LITTLE).templates[0]
    random = np.random.default_rng(0).random((template.rows, made.counts[0]))
    program = psopti1(made, solved, random)
    agent = saved(program, made, folder, tmp_path)
    bucket = made.buckets(((),))[0]
    hand = hands(made.deck.size, 2).tolist().index(sorted(made.deck.parse("5c5d")))
    wanted = random[:3, bucket[hand]]
    assert list(agent.probabilities("5c5d", "").values()) == pytest.approx(wanted / wanted.sum(), abs=1 / 255)
    assert [solver.model.stakes[0] for solver in program.postflop] == [
        leaf.amount for leaf in endings(LITTLE)
    ]
    stakes = {betting: made_of(agent, betting) for betting in ("cc/", "crc/", "rc/", "rrc/")}
    assert stakes["crc/"] == stakes["rc/"] != stakes["cc/"]


def made_of(agent, before):
    return tuple(
        tuple(agent.probabilities(hand, f"{before}{betting}", "3s4c5d").values())
        for hand in ("2c2d", "3c5s", "5c5s", "2s3d")
        for betting in ("", "r", "c")
    )


def test_probabilities_on_the_river_are_those_of_the_model(uniform, tmp_path):
    made, folder, solved = uniform
    agent = saved(psopti0(made, solved), made, folder, tmp_path)
    betting, board, hand = "cc/crc/rrc/c", "3s4c5d2c5s", "3c4s"
    bucket = agent.buckets(((), *(tuple(made.deck.parse(text)) for text in ("3s4c5d", "2c", "5s"))))
    number = hands(made.deck.size, 2).tolist().index(sorted(made.deck.parse(hand)))
    history = histories(made)[3][bucket[number]]
    model = solved[min(solved)].model
    ends = [leaf.betting for leaf in model.rounds[0].template.leaves]
    context = ends.index("crc") + 3 * ends.index("rc")  # the second raise of the turn is left out
    node = next(node for node in model.rounds[2].template.nodes if node.betting == "c")
    played = solved[min(solved)].strategy(2)[node.row : node.row + 2, history, context]
    assert list(agent.probabilities(hand, betting, board).values()) == pytest.approx(
        played.tolist(), abs=1 / 255
    )


def test_psopti2_plays_its_models_and_can_be_matched_and_measured(handed_on, tmp_path):
    made, folder, (_, preflop, _), solved = handed_on
    program = psopti2(made, preflop, solved)
    agent = saved(program, made, folder, tmp_path)
    assert [solver.model.stakes[0] for solver in program.postflop] == [2, 4, 4, 4, 4]
    assert agent.probabilities("2c3d", "r")["r"] == 0.0  # never the second raise
    assert agent.probabilities("2c3d", "rr")["c"] == 1.0
    won = errai.match(tmp_path / "psopti2", "always-call", hands=400, duplicate=True, aivat=False)
    assert won.finished
    assert 0 < errai.exploit(tmp_path / "psopti2").evaluation.exploitability_mbb < 10_000


def test_classes_of_hands_are_played_by_their_buckets(tmp_path):
    made = Abstraction(HOLDEM, "preflop", (lossless_round(Deck(13, 4), 2, ()),))
    numbers = np.arange(169.0)[None]
    found = of_classes(made, numbers)
    for text, name in (("AsAh", "AA"), ("Ks2s", "K2s"), ("7d2c", "72o")):
        hand = hands(52, 2).tolist().index(sorted(made.deck.parse(text)))
        assert HANDS[int(found[0, made.buckets(((),))[0][hand]])] == name


def test_table_1_has_what_the_row_wins_beside_the_papers_figure():
    players = {name: name for name in PLAYERS}
    won = dict.fromkeys(combinations(players, 2), (0.25, 0.03))
    table = _table_1(players, won, 100)
    assert table.rows[0][1:5] == (
        "",
        "+0.250 ± 0.030 (+0.090)",
        "+0.250 ± 0.030 (+0.091)",
        "+0.250 ± 0.030 (+0.047)",
    )
    assert table.rows[5][4] == "-0.250 ± 0.030 (-2.285)"  # always-raise against the rule-based player
    assert table.rows[7][1] == "-0.250 ± 0.030"
    assert set(PAPER) <= set(won)
