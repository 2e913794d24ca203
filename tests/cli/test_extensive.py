"""`solve` on extensive games, `verify` and `export`, as a user meets them."""

import json

import pytest

from errai.files.seal import sealed
from tests.cli.command import errai
from tests.sequence.textbook import FOLDER

EFG = 'EFG 2 R "pennies" { "Ann" "Bob" }\n'
PENNIES = (
    EFG
    + 'p "" 1 1 "a" { "h" "t" } 0\np "" 2 1 "b" { "h" "t" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { -1, 1 }\n'
    + 'p "" 2 1 "b" { "h" "t" } 0\nt "" 2\nt "" 1\n'
)


@pytest.mark.parametrize("method", ["lp", "exact", "normal-form", "cfr+", "dcfr"])
def test_an_efg_file_by_every_kind_of_method(method, capsys):
    limits = [] if method in ("lp", "exact", "normal-form") else ["--target", "0.1"]
    finished = errai(capsys, "solve", FOLDER / "kuhn.efg", "--method", method, *limits, "--json", "--quiet")
    assert finished.code == 0
    content = json.loads(finished.out)
    assert content["method"] == method
    assert content["value"][0] == pytest.approx(-1 / 18, abs=1e-3)
    assert content["exploitability_mbb"] <= 0.1
    assert content["exact_value"] == ("-1/18" if method == "exact" else None)
    assert len(content["strategies"][0]) == len(content["strategies"][1]) == 6
    for key in ("game", "iterations", "seconds", "information_sets", "best_response", "exploitability"):
        assert key in content


def test_the_exact_value_is_printed_and_verified(tmp_path, capsys):
    solved = errai(capsys, "solve", "leduc", "--method", "exact", "--out", tmp_path, "--quiet")
    assert solved.code == 0
    fraction = "-1454920850547486749701863871533/16995463438839962469905132501930"
    assert f"{fraction} for seat 0, exactly" in solved.out
    verified = errai(capsys, "verify", tmp_path)
    assert verified.code == 0
    assert fraction in verified.out
    assert "holds" in verified.out
    content = json.loads(
        errai(capsys, "verify", tmp_path / "certificate.json", "--game", "leduc", "--json").out
    )
    assert content["holds"] is True
    assert content["exact_value"] == fraction


def test_a_false_certificate_costs_one_line(tmp_path, capsys):
    errai(capsys, "solve", "kuhn", "--method", "exact", "--out", tmp_path, "--quiet")
    path = tmp_path / "certificate.json"
    forged = {**json.loads(path.read_text()), "value": "0"}
    path.write_text(json.dumps(sealed(forged)))  # with a checksum that is right
    finished = errai(capsys, "verify", path)
    assert finished.code == 2
    assert finished.out == ""
    assert finished.err.count("\n") == 1
    assert "the certificate does not hold" in finished.err


def test_a_small_strategy_is_printed(tmp_path, capsys):
    (tmp_path / "pennies.efg").write_text(PENNIES)
    finished = errai(capsys, "solve", tmp_path / "pennies.efg", "--quiet")
    assert finished.code == 0
    assert "strategy of Ann\n  a  h 0.5000  t 0.5000\n" in finished.out


def test_own_games_to_efg_and_back(tmp_path, capsys):
    assert errai(capsys, "export", "leduc", tmp_path / "leduc.efg").code == 0
    finished = errai(capsys, "solve", tmp_path / "leduc.efg", "--method", "lp", "--json", "--quiet")
    assert json.loads(finished.out)["value"][0] == pytest.approx(-0.085606424078, abs=1e-11)


def test_a_game_of_openspiel(capsys):
    finished = errai(capsys, "solve", "openspiel:kuhn_poker", "--json")
    assert json.loads(finished.out)["value"][0] == pytest.approx(-1 / 18, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PENNIES[:120], ":5:11: found { without its closing }"),
        (PENNIES.replace("{ 1, -1 }", "{ 1, -1"), ":4:"),
        (PENNIES.replace("t \"\" 1\n", "q"), ":8:1: found 'q'"),
        (PENNIES.replace('"Bob"', '"Bob" "Cid"'), ":1:19: 3 players; Errai solves games of two"),
        (PENNIES.replace("{ -1, 1 }", "{ 1, 1 }"), ":5:1: this is a general-sum game"),
        (
            EFG + 'p "" 1 1 "a" { "l" "r" } 0\n' + 'p "" 1 2 "b" { "x" } 0\nt "" 1 "" { 1 -1 }\n' * 2,
            "information set 'b' of Ann lacks perfect recall",
        ),
    ],
    ids=["truncated", "ungrammatical", "no node", "three players", "general-sum", "imperfect recall"],
)  # fmt: skip
def test_a_wrong_efg_file_costs_one_line_with_its_place(text, words, tmp_path, capsys):
    path = tmp_path / "odd.efg"
    path.write_text(text)
    finished = errai(capsys, "solve", path, "--out", tmp_path / "out", "--quiet")
    assert finished.code == 2
    assert finished.out == ""
    assert finished.err.count("\n") == 1
    assert f"{path}" in finished.err
    assert words in finished.err
    assert not list((tmp_path / "out").glob("*"))


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("errai.cli.progress.Terminal.should_stop", lambda self: True)
    stopped = errai(capsys, "solve", FOLDER / "kuhn.efg", "--iterations", 500)
    assert stopped.code == 130
    assert "errai solve --resume errai-kuhn-checkpoint" in stopped.err
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    resumed = errai(capsys, "solve", "--resume", "errai-kuhn-checkpoint", "--json", "--quiet")
    assert resumed.code == 0
    assert json.loads(resumed.out)["iterations"] == 500
    refused = errai(capsys, "solve", "--resume", "errai-kuhn-checkpoint", "--method", "cfr+")
    assert refused.code == 2
    assert "--method comes from the checkpoint" in refused.err


def test_an_older_certificate_does_not_survive_a_new_solution(tmp_path, capsys):
    errai(capsys, "solve", "kuhn", "--method", "exact", "--out", tmp_path, "--quiet")
    errai(capsys, "solve", "kuhn", "--method", "lp", "--out", tmp_path, "--overwrite", "--quiet")
    assert errai(capsys, "verify", tmp_path).code == 2


def test_a_small_exact_strategy_is_printed_in_fractions(capsys):
    printed = errai(capsys, "solve", "kuhn", "--method", "exact", "--quiet").out
    assert "  0:cr:3c|  f 2/3  c 1/3\n" in printed


def test_an_interrupted_linear_program_says_so(monkeypatch, capsys):
    monkeypatch.setattr("errai.cli.progress.Terminal.should_stop", lambda self: True)
    stopped = errai(capsys, "solve", "leduc", "--method", "lp", "--quiet")
    assert stopped.code == 130
    assert stopped.err == "errai: stopped before the linear program was solved; nothing was saved\n"
