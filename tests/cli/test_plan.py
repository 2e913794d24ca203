"""`errai plan` as a user runs it."""

import json

import pytest

from tests.cli.command import errai


def test_a_plan_for_leduc_in_a_terminal_of_eighty_columns(capsys):
    finished = errai(capsys, "plan", "leduc", "--seconds", "0.2", "--nodes", "2", "--quiet")
    assert finished.code == 0
    assert finished.err == ""
    lines = finished.out.splitlines()
    assert lines[0] == "game             leduc, 288 information sets"
    labels = {line[:17].strip() for line in lines}
    assert {
        "iterations",
        "core-years",
        "days",
        "money",
        "disk in all",
        "network",
        "measured",
        "extrapolated",
    } <= labels
    assert max(map(len, lines)) <= 80
    assert "Cepheus" not in finished.out


def test_json_has_what_scripts_rely_on(capsys):
    finished = errai(capsys, "plan", "leduc", "--seconds", "0.2", "--disk", "1B", "--json", "--quiet")
    assert finished.code == 0
    found = json.loads(finished.out)
    assert not found["fits"]
    assert "of disk per node" in found["problems"][0]
    assert found["cluster"]["nodes"] == 10
    assert found["measured"]["per_number"]["seconds"]["mean"] > 0
    assert found["extrapolated"]["low"]["iterations"] <= found["iterations"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ledduc"], "did you mean leduc?"),
        (["kuhn"], "kuhn has one round"),
        (["leduc", "--nodes", "0"], "--nodes must be 1 or more, not 0"),
        (["leduc", "--disk", "2 boxes"], "--disk: '2 boxes' is no size: give one such as 8GB"),
        (["leduc", "--disk-speed", "-1"], "--disk-speed must be above 0, not -1"),
        (["leduc", "--seconds", "nan"], "--seconds must be above 0"),
        (["leduc", "--price", "free"], "--price"),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_a_wrong_argument_costs_one_line(arguments, message, capsys):
    finished = errai(capsys, "plan", *arguments)
    assert finished.code == 2
    assert finished.out == ""
    line = finished.err.removesuffix("\n")
    assert line.startswith("errai: ")
    assert "\n" not in line
    assert message in line
