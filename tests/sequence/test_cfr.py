"""CFR on the sequence form against the textbook's, OpenSpiel's and the printed figures; saving and going on."""

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.engine.rules import RULES
from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.sequence import extensive_game, resume, sequence_form, solve
from errai.sequence.cfr import PlanSolver
from errai.sequence.checkpoint import is_extensive_checkpoint, load_checkpoint, save_checkpoint
from tests.monitors import StopAfter
from tests.sequence import trees

some = settings(max_examples=40, deadline=None, derandomize=True)


def run(game, rule: str, iterations: int, **others) -> PlanSolver:
    solver = PlanSolver(
        Settings(method=rule, iterations=iterations, precision="float64", **others), sequence_form(game)
    )
    assert solver.run()
    return solver


@some
@given(trees.random_games(40, generic=True), st.sampled_from(sorted(RULES)), st.integers(1, 12))
def test_the_average_is_that_of_textbook_cfr(game, rule, iterations):
    profile = run(game, rule, iterations).profile()
    expected = trees.named(game, trees.cfr(game, rule, iterations))
    for player, name, row in profile.rows():
        assert list(row.values()) == pytest.approx(list(expected[player][name].values()), abs=1e-9)


@pytest.mark.parametrize(
    ("rule", "printed", "last_digit"),
    [("cfr+", 1.34e-2, 1e-4), ("dcfr", 7.8e-3, 1e-4), ("linear", 3.4e-2, 1e-3), ("pcfr+", 2.0e-2, 1e-3)],
)
def test_printed_figures_of_leduc_after_100_iterations(rule, printed, last_digit):
    found = run(extensive_game("leduc"), rule, 100).evaluation.exploitability
    assert found == pytest.approx(printed, abs=0.51 * last_digit)


def test_ten_iterations_of_cfr_plus_on_openspiels_own_leduc():
    theirs = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
    for _ in range(10):
        theirs.evaluate_and_update_policy()
    expected = pyspiel.nash_conv(pyspiel.load_game("leduc_poker"), theirs.average_policy())
    ours = run(extensive_game("openspiel:leduc_poker"), "cfr+", 10).evaluation
    assert ours.nash_conv == pytest.approx(expected, abs=1e-9)


def test_openspiels_best_response_to_our_strategy_wins_what_ours_wins():
    game = pyspiel.load_game("leduc_poker")
    profile = run(extensive_game("openspiel:leduc_poker"), "dcfr", 50).profile()
    tables = [{name: row for player, name, row in profile.rows() if player == seat} for seat in (0, 1)]
    policy = {}
    for state in _decisions(game.new_initial_state()):
        player, text = state.current_player(), state.information_state_string()
        row = tables[player][" ".join(text.split())]
        policy[text] = [(action, row[state.action_to_string(action)]) for action in state.legal_actions()]
    expected = pyspiel.nash_conv(game, pyspiel.TabularPolicy(policy))
    assert profile.evaluate().nash_conv == pytest.approx(expected, abs=1e-9)


def _decisions(state):
    if state.is_terminal():
        return
    if not state.is_chance_node():
        yield state
    for action in state.legal_actions():
        yield from _decisions(state.child(action))


def test_liars_dice_converges_to_its_value():
    solution = solve("openspiel:liars_dice(numdice=1,dice_sides=3)", "dcfr", iterations=2_000)
    exact = solve("openspiel:liars_dice(numdice=1,dice_sides=3)", "exact")
    low, high = solution.bounds
    assert low <= exact.value[0] <= high
    assert high - low < 1e-3


def test_the_current_strategy_is_measured_when_asked_for():
    current = run(extensive_game("kuhn"), "cfr+", 1_000, strategy="current")
    assert current.profile().behaviour is current.behaviour
    assert current.evaluation == current.profile().evaluate()


@pytest.mark.parametrize("rule", ["dcfr", "pdcfr+"])
def test_resuming_a_checkpoint_is_as_if_it_had_never_stopped(tmp_path, rule):
    whole = solve("leduc", rule, iterations=60, out=tmp_path / "whole")
    solve("leduc", rule, iterations=30, out=tmp_path / "half")
    rest = resume(tmp_path / "half", iterations=30)
    assert rest.iterations == 60
    for one, other in zip(whole.profile.behaviour, rest.profile.behaviour, strict=True):
        assert (one == other).all()
    assert (tmp_path / "half" / "strategy.csv").read_bytes() == (
        tmp_path / "whole" / "strategy.csv"
    ).read_bytes()


def test_a_checkpoint_holds_the_whole_game(tmp_path):
    game = trees.random_game(5)
    solver = run(game, "cfr+", 3)
    save_checkpoint(tmp_path, solver)
    assert is_extensive_checkpoint(tmp_path)
    again = load_checkpoint(tmp_path).form.game
    assert again.set_names == game.set_names
    assert (again.payoffs, again.probabilities, again.shift) == (game.payoffs, game.probabilities, game.shift)
    assert list(again.preorder()) == list(game.preorder())
    assert [again.path(node) for node in range(again.nodes)] == [
        game.path(node) for node in range(game.nodes)
    ]


def test_a_stopped_run_leaves_a_checkpoint_where_it_was_told_to(tmp_path):
    solution = solve("leduc", "cfr+", monitor=StopAfter(3), stopped_to=tmp_path / "stopped")
    assert not solution.finished
    assert solution.folder == tmp_path / "stopped"
    assert resume(tmp_path / "stopped", iterations=10).finished


def test_a_damaged_checkpoint_is_named(tmp_path):
    solve("kuhn", "cfr+", iterations=5, out=tmp_path)
    array = tmp_path / "checkpoint" / "regret-0.npy"
    content = bytearray(array.read_bytes())
    content[-1] ^= 1
    array.write_bytes(content)
    with pytest.raises(ErraiError, match=r"regret-0.npy is damaged: its checksum"):
        resume(tmp_path, iterations=10)


def test_files_of_a_solution(tmp_path):
    solve("kuhn", "cfr+", iterations=50, out=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "checkpoint", "convergence.png", "result.json", "strategy.csv", "strategy.json", "table.json",
    }  # fmt: skip
