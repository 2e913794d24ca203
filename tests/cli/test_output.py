"""What the commands print: JSON whose keys scripts rely on, and lines for people."""

import json
from importlib.metadata import version

import pytest

from errai.cards.notation import GRID
from errai.games.catalogue import builtin_names
from tests.cli.command import RIVER, errai

SOLUTION = {
    "game": str,
    "method": str,
    "iterations": int,
    "seconds": float,
    "information_sets": int,
    "value": list,
    "best_response": list,
    "exploitability": float,
    "exploitability_mbb": float,
}


def _is_solution(content: dict) -> None:
    for key, kind in SOLUTION.items():
        assert isinstance(content[key], kind), key
    for key in ("value", "best_response", "bounds"):
        assert [type(number) for number in content[key]] == [float, float]
    assert content["value"][0] == pytest.approx(-content["value"][1], abs=1e-12)
    assert content["exploitability"] == pytest.approx(sum(content["best_response"]) / 2)
    assert content["bounds"] == [-content["best_response"][1], content["best_response"][0]]


def test_solve_prints_one_object_that_proves_the_value_of_kuhn_poker(capsys):
    finished = errai(
        capsys, "solve", "kuhn", "--target", "0.1", "--precision", "float64", "--json", "--quiet"
    )
    assert finished.code == 0
    assert finished.err == ""
    content = json.loads(finished.out)
    _is_solution(content)
    assert (content["game"], content["method"], content["information_sets"]) == ("kuhn", "sdcfr", 12)
    assert content["bounds"][0] <= -1 / 18 <= content["bounds"][1]
    assert content["exploitability_mbb"] <= 0.1
    assert content["converged"] is True
    assert content["out"] is None


def test_solve_tells_people_the_same(tmp_path, capsys):
    out = tmp_path / "leduc"
    finished = errai(capsys, "solve", "leduc", "--iterations", 50, "--out", out)
    assert finished.code == 0
    saved = json.loads((out / "result.json").read_text())
    for text in (
        "value ",
        "proven between",
        "best responses",
        "exploitability",
        "288",
        "50 of sdcfr",
        str(out),
    ):
        assert text in finished.out
    assert f"{saved['exploitability_mbb']:.2f} mbb/g" in finished.out
    assert "no target was set" in finished.out
    assert finished.err.startswith("memory: ")
    assert "iteration 10 of 50" in finished.err
    assert "\x1b" not in finished.out + finished.err


@pytest.mark.parametrize(("target", "said"), [("1", "yes, the target was 1"), ("0.0001", "was not reached")])
def test_solve_says_whether_it_converged(target, said, capsys):
    finished = errai(capsys, "solve", "leduc", "--target", target, "--iterations", 400, "--quiet")
    assert finished.code == 0
    assert said in finished.out


def test_going_on_equals_never_having_stopped(tmp_path, capsys):
    errai(capsys, "solve", "leduc", "--iterations", 30, "--out", tmp_path, "--quiet")
    resumed = json.loads(
        errai(capsys, "solve", "leduc", "--resume", tmp_path, "--iterations", 30, "--json", "--quiet").out
    )
    whole = json.loads(errai(capsys, "solve", "leduc", "--iterations", 60, "--json", "--quiet").out)
    assert resumed["iterations"] == whole["iterations"] == 60
    assert resumed["best_response"] == whole["best_response"]


def test_games_lists_every_built_in_game(capsys):
    content = json.loads(errai(capsys, "games", "--json").out)
    rows = {row["name"]: row for row in content["games"]}
    assert list(rows) == builtin_names()
    assert (rows["leduc"]["information_sets"], rows["leduc"]["rounds"], rows["leduc"]["fits"]) == (
        288,
        2,
        True,
    )
    assert rows["holdem"]["information_sets"] == 13_803_249_787_132
    assert rows["holdem"]["fits"] is False
    shown = errai(capsys, "games").out
    assert "13,803,249,787,132" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_version(capsys):
    assert errai(capsys, "--version").out == f"errai {version('errai')}\n"


def test_without_a_command_the_help_is_shown(capsys):
    finished = errai(capsys)
    assert finished.code == 0
    assert "endgame" in finished.out


def test_bench_has_the_same_signature_every_time(capsys):
    first, second = (json.loads(errai(capsys, "bench", "--seconds", "0.001", "--json").out) for _ in range(2))
    assert first["signature"] == second["signature"]
    assert first["signatures"] == second["signatures"]
    assert set(first["signatures"]) == {"leduc", "rhode-island", "river"}
    assert set(first["river_updates_per_second"]) == {"1", "7", "9", "81", "567"}
    assert all(speed > 0 for speed in first["river_updates_per_second"].values())


def test_endgame_prints_one_object(capsys):
    ranges = ["--oop", "AhAd, 4h3h", "--ip", "QhQd"]
    finished = errai(
        capsys, *RIVER, *ranges, "--target", "0.5", "--precision", "float64", "--json", "--quiet"
    )
    assert (finished.code, finished.err) == (0, "")
    content = json.loads(finished.out)
    _is_solution(content)
    assert (content["board"], content["betting"], content["pot"]) == ("Ks 7h 2d 5c 9h", "rc/rc/rc", 100)
    # Aces always win, the four-high bluff never: one combination of each.
    assert content["equity"] == {"oop": pytest.approx(0.5), "ip": pytest.approx(0.5)}
    chips = content["ev"]["oop"]["chips"]
    assert chips == content["value"][0]
    assert content["ev"]["oop"]["pot_share"] == pytest.approx((chips + 50) / 100)
    assert content["ev"]["ip"]["pot_share"] == pytest.approx(1 - (chips + 50) / 100)
    assert content["exploitability_pot"] == pytest.approx(content["exploitability"] / 100)
    # A bet of 20 into 100: bluff once for every six value bets, and the pot is won 1/2 + 1/12 of the time.
    decision = content["first_decision"]
    assert (decision["player"], decision["actions"]) == ("oop", ["check", "bet"])
    assert decision["hands"]["AA"]["frequencies"]["bet"] == pytest.approx(1, abs=0.01)
    assert decision["hands"]["43s"]["frequencies"]["bet"] == pytest.approx(1 / 6, abs=0.01)
    assert decision["frequencies"]["bet"] == pytest.approx(7 / 12, abs=0.01)
    assert content["ev"]["oop"]["pot_share"] == pytest.approx(7 / 12, abs=0.001)
    assert decision["hands"]["AA"]["equity"] == 1
    assert decision["hands"]["43s"]["equity"] == 0
    assert decision["hands"]["43s"]["ev"] == pytest.approx(-50, abs=0.1)
    assert set(decision["hands"]) == {"AA", "43s"}


def test_endgame_shows_a_grid_that_fits_a_terminal(tmp_path, capsys):
    finished = errai(
        capsys, *RIVER, "--oop", "TT+, AK", "--iterations", 30, "--quiet", "--out", tmp_path / "spot"
    )
    assert finished.code == 0
    lines = finished.out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("files")) <= 80
    assert lines[:5] == [
        "holdem: button raises, big blind calls;",
        "flop Ks 7h 2d: big blind bets, button calls;",
        "turn 5c: big blind bets, button calls; river 9h",
        "big blind to act, betting rc/rc/rc, pot 100 chips = 10 bb",
        "bet / check in percent",
    ]
    assert lines[6].split() == GRID[0]
    for text in ("overall", "equity", "EV, chips", "EV, of the pot", "% of the pot", "10,810"):
        assert text in finished.out
    assert (tmp_path / "spot" / "strategy.json").exists()


def test_endgame_in_the_middle_of_a_round_asks_the_button(capsys):
    content = json.loads(
        errai(capsys, *RIVER[:-1], "rc/rc/rc/r", "--oop", "QQ+", "--iterations", 10, "--json", "--quiet").out
    )
    assert content["pot"] == 120
    assert content["first_decision"]["player"] == "ip"
    assert content["first_decision"]["actions"] == ["fold", "call", "raise"]
    assert sum(content["first_decision"]["frequencies"].values()) == pytest.approx(1)
