"""`errai endgame` from a strategy of the whole game: the ranges, the solution, and what the strategy does there."""

import json

import pytest

import errai
from tests.cli.command import errai as command

RIVER = ["--board", "Ks7h2d 5c 9h", "--betting", "raise call / check check / check bet call"]
LIMITS = ["--iterations", 30, "--quiet"]


def test_a_strategy_gives_both_ranges_as_it_prints_them(capsys, tmp_path):
    solved = json.loads(command(capsys, "endgame", *RIVER, "--from", "holdem", *LIMITS, "--json").out)
    ranges = {
        seat: command(capsys, "query", "holdem", *RIVER, "--range", seat).out
        for seat in ("big-blind", "button")
    }
    file = tmp_path / "button.txt"
    file.write_text(ranges["button"])
    given = ["--oop", ranges["big-blind"], "--ip", f"@{file}"]
    piped = json.loads(command(capsys, "endgame", *RIVER, *given, *LIMITS, "--json").out)
    assert piped["combos"]["oop"] == pytest.approx(solved["combos"]["oop"], rel=1e-3)
    assert piped["combos"]["ip"] == pytest.approx(solved["combos"]["ip"], rel=1e-3)
    assert piped["value"] == pytest.approx(solved["value"], abs=0.02)
    assert piped["equity"]["oop"] == pytest.approx(solved["equity"]["oop"], abs=1e-3)
    frequencies = piped["first_decision"]["frequencies"]
    assert frequencies == pytest.approx(solved["first_decision"]["frequencies"], abs=0.01)
    assert "from" not in piped
    assert solved["from"]["strategy"] == "holdem"
    there = json.loads(command(capsys, "query", "holdem", *RIVER, "--json").out)
    assert solved["from"]["frequencies"] == pytest.approx(there["overall"])


def test_people_see_both_ranges_and_both_ways_to_play(capsys):
    text = command(capsys, "endgame", *RIVER, "--from", "holdem", *LIMITS).out
    exact, blueprint = (
        next(line for line in text.splitlines() if line.startswith(label))
        for label in ("exact solution", "holdem  ")
    )
    for line in (exact, blueprint):
        assert "bet" in line
        assert "check" in line
    combos = next(line for line in text.splitlines() if line.startswith("combos")).split()[1:]
    strategy = errai.load("holdem")
    wanted = strategy.ranges(strategy.state("rc/cc/crc/", "Ks7h2d 5c 9h"))
    assert [float(number) for number in combos] == pytest.approx([r.sum() for r in wanted], abs=0.06)


def test_one_range_may_be_given_and_the_other_come_from_the_strategy(capsys):
    found = json.loads(
        command(capsys, "endgame", *RIVER, "--from", "holdem", "--oop", "AA:50%", *LIMITS, "--json").out
    )
    assert found["combos"]["oop"] == 3
    assert found["combos"]["ip"] > 10


def test_a_solved_endgame_gives_ranges_too(capsys, tmp_path):
    errai.endgame(
        "Ks7h2d5c", "rc/rc", "AA,KQs,76s", "QQ,A5s,JTs", iterations=5, threads=1, out=tmp_path / "turn"
    )
    river = ["--board", "Ks7h2d5c9h", "--betting", "rc/rc/cc"]
    found = json.loads(command(capsys, "endgame", *river, "--from", tmp_path / "turn", *LIMITS, "--json").out)
    assert 0 < found["combos"]["oop"] <= 6 + 3 + 4


@pytest.mark.parametrize("everything", ["all", "any", "100%", "random"])
def test_all_hands_are_the_default_and_can_be_said(capsys, everything):
    line = [
        "endgame",
        "--board",
        "Ks7h2d5c9h",
        "--betting",
        "rc/rc/rc",
        "--iterations",
        5,
        "--quiet",
        "--json",
    ]
    found = json.loads(command(capsys, *line, "--oop", everything, "--ip", everything).out)
    assert found["value"] == json.loads(command(capsys, *line).out)["value"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["--from", "always-fold"],
            "the big blind never gets here as the strategy of --from plays; give --oop RANGE",
        ),
        (["--from", "nowhere"], "nowhere is not a saved strategy"),
        (["--oop", "@nowhere.txt"], "--oop: nowhere.txt cannot be read: No such file or directory"),
        (["--ip", "AA:x%"], "--ip: weight 'x%' of range item 'AA:x%'"),
    ],
)
def test_what_cannot_be_solved_costs_one_line(capsys, arguments, complaint):
    found = command(capsys, "endgame", *RIVER, *arguments, *LIMITS)
    assert (found.code, found.out) == (2, "")
    assert complaint in found.err
    assert found.err.count("\n") == 1


def test_only_limit_holdem_has_endgames(capsys, tmp_path):
    errai.solve("leduc", iterations=1, threads=1, out=tmp_path, checkpoint_every=None)
    found = command(capsys, "endgame", *RIVER, "--from", tmp_path, *LIMITS)
    assert found.code == 2
    assert "--from needs a strategy of limit hold'em" in found.err
