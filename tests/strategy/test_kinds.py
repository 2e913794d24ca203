"""Every command on every kind of strategy: it works, or one line says what this kind cannot do."""

import json
import shutil
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.cards.notation import hand_index
from errai.errors import ErraiError
from errai.files.manifest import sealed
from errai.games.catalogue import load_game
from errai.games.state import parse_state, start
from errai.jamfold import chart, single, tournament
from errai.jamfold.equities import HANDS
from errai.sequence import extensive_game, solve, write_efg
from errai.strategy.kinds import KINDS, kind_of
from errai.strategy.kinds.rule import RuleStrategy
from errai.strategy.strategy import Strategy
from tests import naive
from tests.cli.command import errai as command

GOLDEN = Path(__file__).parent.parent / "golden"
LEDUC = load_game("leduc")


@pytest.fixture(scope="module")
def played_tournament():
    return tournament.solve(600, 50, 100, step=50, threads=1)


@pytest.fixture(scope="module")
def folders(tmp_path_factory, played_tournament):
    """A saved strategy of every kind."""
    root = tmp_path_factory.mktemp("kinds")
    errai.solve("leduc", iterations=50, threads=1, out=root / "exact", checkpoint_every=None)
    errai.solve("leduc", iterations=30, threads=1, scratch=root.parent / "scratch", out=root / "subgames")
    solve("leduc", "exact", out=root / "certified")
    solve("leduc", "lp", out=root / "lp")
    solve("leduc", "cfr+", iterations=30, out=root / "plans", checkpoint_every=None)
    write_efg(extensive_game("kuhn"), root / "kuhn.efg")
    solve(root / "kuhn.efg", "exact", out=root / "efg")
    single.solve(10).save(root / "jam")
    single.solve(Fraction("8.5"), seat="big").save(root / "big-blind")
    played_tournament.save(root / "tournament", exact=True)
    chart.chart(2, "2.5", "0.1").save(root / "chart")
    RuleStrategy("always-call", LEDUC).save(root / "rule")
    return {path.name: path for path in root.iterdir() if path.is_dir()} | {"buckets": "holdem"}


KIND = {
    "exact": "exact",
    "subgames": "subgames",
    "certified": "sequence",
    "lp": "sequence",
    "plans": "sequence",
    "efg": "sequence",
    "jam": "jamfold",
    "big-blind": "jamfold",
    "tournament": "tournament",
    "chart": "chart",
    "rule": "rule",
    "buckets": "buckets",
}
NO_CARDS = "a solution of a game without cards cannot be queried by a state of a hand; give the name of an"
NOT_QUERIED = "a push/fold chart cannot be queried: read chart.csv"
WITHOUT_PROOF = "without a proof; errai exploit measures it, errai strategy check reads its files"
# Command -> what a kind that cannot do it says; all others can.
REFUSED = {
    "query": {"efg": NO_CARDS, "chart": NOT_QUERIED},
    "query --ev": {
        "chart": NOT_QUERIED,
        "efg": NO_CARDS,
        "buckets": "a strategy on buckets cannot be evaluated action by action before round 3 of the hand",
        "tournament": "a tournament strategy cannot be evaluated in chips",
    },
    "exploit": {
        "tournament": "a tournament strategy cannot be measured by a best response",
        "chart": "a push/fold chart cannot be measured by a best response",
    },
    "strategy info": {},
    "strategy check": {},
    "strategy export": {
        "buckets": "at most 200,000 are written",
        "chart": "a push/fold chart cannot be written as a table",
    },
    "verify": dict.fromkeys(
        ("exact", "subgames", "lp", "plans", "jam", "big-blind", "chart", "rule", "buckets"), WITHOUT_PROOF
    ),
}


def test_there_is_a_folder_of_every_kind():
    assert set(KIND.values()) == set(KINDS)


@pytest.mark.parametrize("name", KIND)
def test_whatever_is_saved_is_loaded_as_a_strategy_of_its_kind(folders, name):
    strategy = errai.load(folders[name])
    assert isinstance(strategy, Strategy)
    assert isinstance(strategy, kind_of(KIND[name])) or name == "efg"
    assert strategy.kind == KIND[name]
    assert strategy.saved.content["version"] == 3


# `errai exploit` of buckets for hold'em takes hours; tests/blueprint/test_commands.py has a smaller game.
@pytest.mark.parametrize(
    ("which", "name"),
    [(which, name) for which in REFUSED for name in KIND if (which, name) != ("exploit", "buckets")],
)
def test_every_command_on_every_kind(folders, capsys, tmp_path, which, name):
    words = [*which.split(), folders[name]]
    words += {"strategy export": [tmp_path / "table.csv"], "exploit": ["--quiet"]}.get(which, [])
    for form in ([], ["--json"]):
        finished = command(capsys, *words, *form)
        if name in REFUSED[which]:
            assert (finished.code, finished.out) == (2, "")
            assert REFUSED[which][name] in finished.err
            assert finished.err.count("\n") == 1
        else:
            assert (finished.code, finished.err) == (0, "")
            assert json.loads(finished.out) if form else finished.out


@pytest.mark.parametrize("name", ["exact", "certified", "lp", "plans"])
def test_solutions_of_a_poker_game_are_queried_by_a_state_whatever_solved_them(folders, name):
    strategy = errai.load(folders[name])
    state = start(LEDUC).act("c").act("r")
    found = strategy.decision(state)
    assert (found.player, found.actions) == (0, ("f", "c", "r"))
    np.testing.assert_array_equal(found.probabilities, strategy.decision("cr").probabilities)
    np.testing.assert_array_equal(found.probabilities, strategy.decision("Kb").probabilities)
    assert strategy.probabilities("4c", state) == strategy.probabilities("4c", "cr")
    later = parse_state(LEDUC, "crc/r", "3d")
    assert np.isnan(strategy.decision(later).probabilities[3]).all()


@pytest.mark.parametrize("name", ["certified", "lp", "plans"])
def test_a_solution_of_the_sequence_form_is_worth_what_the_reference_says(folders, name):
    strategy = errai.load(folders[name])

    @cache
    def decision(board, betting):
        return strategy.decision(parse_state(LEDUC, betting, board)).probabilities

    def played(seat, hole, board, betting):
        return decision(board, betting)[hole[0]].tolist()

    found = strategy.evaluate()
    assert found.exploitability == pytest.approx(naive.exploitability(LEDUC, played), abs=1e-9)
    known = naive.action_values(LEDUC, played)
    worth = strategy.decision("cr", values=True).values
    for hand in range(6):
        np.testing.assert_allclose(worth[hand], known[0, (hand,), ((),), "cr"], atol=1e-9)


def test_an_exact_solution_has_no_exploitability_at_all(folders):
    assert errai.load(folders["certified"]).evaluate().exploitability == 0
    assert errai.load(folders["efg"]).evaluate().exploitability == 0


def test_a_game_without_cards_is_queried_by_its_information_sets(folders, capsys):
    kuhn = errai.load(folders["efg"])
    player, row = kuhn.information_set("1:r:4c|")
    assert (player, row) == (1, {"f": 0.0, "c": 1.0})
    found = command(capsys, "query", folders["efg"], "--information-set", "1:r:4c|", "--json")
    assert json.loads(found.out)["probabilities"] == row
    assert (
        "there is no information set 'x'"
        in command(capsys, "query", folders["efg"], "--information-set", "x").err
    )


def test_a_jam_is_a_raise_of_the_whole_stack(folders):
    """Both have 10 big blinds: 20 chips with blinds of 1 and 2."""
    strategy, solution = errai.load(folders["jam"]), single.solve(10)
    found = strategy.decision(values=True)
    assert (found.player, found.actions) == (1, ("f", "r20"))
    assert strategy.probabilities("Th9h")["r20"] == solution.jam["T9s"]
    hand = hand_index(strategy.state().deck.parse("9hTh"))
    # Values are of the whole hand, in chips: twice those in big blinds.
    wanted = [2 * solution.ev["T9s"][action] for action in ("fold", "jam")]
    np.testing.assert_allclose(found.values[hand], wanted, atol=1e-9)
    facing = strategy.decision("r20", values=True)
    assert (facing.player, facing.actions) == (0, ("f", "c"))
    wanted = [2 * solution.answer_ev["T9s"][action] for action in ("fold", "call")]
    np.testing.assert_allclose(facing.values[hand], wanted, atol=1e-9)
    for betting in ("c", "r4"):
        with pytest.raises(ErraiError, match="is no decision by jam or fold here; those are '' and 'r20'"):
            strategy.decision(betting)


def test_the_values_of_jam_or_fold_add_up_to_the_value_of_the_hand(folders):
    for name, player in (("jam", 1), ("big-blind", 1)):
        strategy = errai.load(folders[name])
        found = strategy.decision(values=True)
        mean = (found.probabilities * found.values).sum(axis=1).mean()
        assert found.player == player
        assert mean == pytest.approx(strategy.evaluate().value[player], abs=1e-9)


def test_a_big_blind_by_jam_or_fold_answers_limps_and_jams(folders):
    strategy, solution = errai.load(folders["big-blind"]), single.solve(Fraction("8.5"), seat="big")
    limped, jammed = strategy.decision("c"), strategy.decision("r17")
    assert limped.actions == ("c", "r17")
    assert jammed.actions == ("f", "c")
    np.testing.assert_array_equal(limped.probabilities, jammed.probabilities)
    facing = strategy.probabilities("AhQd", "cr17")
    assert facing["c"] == pytest.approx(solution.call["AQo"] / solution.limp["AQo"])


def test_a_tournament_is_queried_at_any_of_its_stacks(folders, played_tournament, capsys):
    strategy, solution = errai.load(folders["tournament"]), played_tournament
    rules = solution.tournament
    short = strategy.with_stacks((150, 450))
    hand = hand_index(short.state().deck.parse("2c7d"))
    found = short.decision()
    assert found.actions == ("f", "r150")
    deuce_seven = HANDS.index("72o")
    assert found.probabilities[hand, 1] == solution.play.jam[rules.state(0, 3), deuce_seven]
    big = short.decision("r150")
    assert (big.player, big.actions) == (0, ("f", "c"))
    assert big.probabilities[hand, 1] == solution.play.jam[rules.state(1, 9), deuce_seven]
    refused = command(capsys, "query", folders["tournament"], "--stacks", 100, 450)
    assert refused.code == 2
    assert "they are multiples of 50 and 600 together" in refused.err
    refused = command(capsys, "query", folders["exact"], "--stacks", 100, 450)
    assert "an exact solution cannot be queried for other stacks" in refused.err


@pytest.mark.parametrize("name", [name for name in KIND if name not in ("buckets", "rule")])
def test_damage_is_found_in_every_file(folders, tmp_path, capsys, name):
    copy = tmp_path / "copy"
    shutil.copytree(folders[name], copy)
    content = json.loads((copy / "strategy.json").read_text())
    for file in content["files"]:
        sound = (copy / file).read_bytes()
        harmed = bytearray(sound)
        harmed[-20] ^= 1
        (copy / file).write_bytes(harmed)
        finished = command(capsys, "strategy", "check", copy)
        assert finished.code == 2, file
        assert file in finished.err
        (copy / file).write_bytes(sound)
    assert command(capsys, "strategy", "check", copy).code == 0
    (copy / "strategy.json").write_text(json.dumps({**content, "about": {"changed": 1}}))
    finished = command(capsys, "strategy", "info", copy)
    assert finished.code == 2
    assert "strategy.json is damaged: its checksum is" in finished.err


def test_damaged_weights_are_not_measured(folders, tmp_path, capsys):
    shutil.copytree(folders["exact"], tmp_path / "copy")
    path = tmp_path / "copy" / "strategy.npy"
    harmed = bytearray(path.read_bytes())
    harmed[-3] ^= 64
    path.write_bytes(harmed)
    finished = command(capsys, "exploit", tmp_path / "copy")
    assert finished.code == 2
    assert "strategy.npy is damaged: its checksum is" in finished.err


# Folders of earlier versions


def test_an_exact_solution_of_version_1_is_read(folders, tmp_path):
    shutil.copytree(folders["exact"], tmp_path / "old")
    path = tmp_path / "old" / "strategy.json"
    content = json.loads(path.read_text())
    files = content.pop("files")
    for key in ("kind", "crc32"):
        del content[key]
    content |= {"version": 1, "weights_crc32": files["strategy.npy"], "ranges_crc32": None}
    path.write_text(json.dumps(content))
    old, new = errai.load(tmp_path / "old"), errai.load(folders["exact"])
    assert old.evaluate() == new.evaluate()
    assert old.check() == "the manifest and 1 file are as they were saved"
    del content["weights_crc32"]
    path.write_text(json.dumps(content))
    assert errai.load(tmp_path / "old").check() == (
        "the weights have their size; no checksum was saved with them"
    )


def test_the_strategy_that_comes_with_errai_is_read_whatever_its_version():
    holdem = errai.load("holdem")
    assert holdem.saved.content["kind"] == "buckets"
    assert set(holdem.saved.content["files"]) == {
        *(f"{name}.blocks" for name in ("preflop", "flop", "turn", "river")),
        *(f"{name}.order.npy" for name in ("flop", "turn", "river")),
    }


def test_an_old_solution_with_a_certificate_is_read_and_one_without_is_refused(folders, tmp_path, capsys):
    old = tmp_path / "old"
    old.mkdir()
    table = json.loads((folders["certified"] / "table.json").read_text())
    del table["format"]
    (old / "strategy.json").write_text(json.dumps(table))
    refused = command(capsys, "query", old)
    assert refused.code == 2
    assert "was saved by an earlier Errai and without its game; solve the game again" in refused.err
    shutil.copy(folders["certified"] / "certificate.json", old / "certificate.json")
    read, new = errai.load(old), errai.load(folders["certified"])
    np.testing.assert_allclose(
        read.decision("cr").probabilities, new.decision("cr").probabilities, rtol=0, atol=1e-15
    )
    assert command(capsys, "verify", old).code == 0
    assert command(capsys, "exploit", old).code == 0


def test_a_folder_of_something_else_is_refused_in_one_line(tmp_path, capsys, folders):
    (tmp_path / "strategy.json").write_text(json.dumps(sealed({"format": "errai strategy", "version": 9})))
    for words in (["query"], ["exploit"], ["strategy", "info"], ["strategy", "check"], ["verify"]):
        finished = command(capsys, *words, tmp_path)
        assert finished.code == 2
        assert "format version 9 and this Errai reads version 1 and 2 and 3" in finished.err
    finished = command(capsys, "query", tmp_path / "nowhere")
    assert (
        "there is no such folder; the strategies with a name are holdem, always-fold, always-call"
        in finished.err
    )
    finished = command(capsys, "query", folders["exact"], "--game", "leduc")
    assert "knows its game" in finished.err


def test_a_state_of_another_game_is_refused(folders):
    with pytest.raises(ErraiError, match="the state is one of holdem, and the strategy plays leduc"):
        errai.load(folders["exact"]).decision(start(load_game("holdem")))


def test_a_spot_is_queried_from_its_root_or_from_the_start_of_the_hand(tmp_path):
    result = errai.endgame("Ks7h2d5c9h", "rc/rc/rc", "AA,KQs", "QQ,A5s", iterations=5, threads=1)
    strategy, game = result.strategy, load_game("holdem")
    whole = parse_state(game, "rc/rc/rc/r", "2dKs7h 5c 9h")
    np.testing.assert_array_equal(
        strategy.decision("r").probabilities, strategy.decision(whole).probabilities
    )
    with pytest.raises(ErraiError, match="begins after the betting 'rc/rc/rc' on the board 'Ks 7h 2d 5c 9h'"):
        strategy.decision(parse_state(game, "rc/rc/cc/r", "Ks7h2d5c9h"))


def test_the_json_of_a_query(capsys):
    """Whoever calls and then acts at random: every number can be worked out by hand."""
    found = command(capsys, "query", "uniform", "--game", "leduc", "--betting", "cr", "--ev", "--json")
    wanted = json.loads((GOLDEN / "query-uniform-leduc.json").read_text())
    content = json.loads(found.out)
    for key in ("values", "values_mbb"):
        for hand, row in wanted.pop(key).items():
            assert content[key][hand] == pytest.approx(row, abs=1e-9)
        del content[key]
    assert content == wanted
