"""`errai abstract` as a user meets it."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from errai.abstraction.saved import load_abstraction
from errai.cli.abstract import abstract
from errai.errors import ErraiError
from tests.abstraction.games import little_holdem

app = typer.Typer()
app.command()(abstract)


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "little.game"
    path.write_text(little_holdem(ranks=4).text())
    return str(path)


def run(*words):
    result = CliRunner().invoke(app, list(words))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_buckets_are_made_and_reported(tmp_path, game):
    out = tmp_path / "out"
    result = run(
        "lossless/emd:6/ehs2:5/ochs:4", "--game", game, "--out", str(out), "--threads", "1", "--quiet"
    )
    assert result.exit_code == 0
    assert [
        line.split()[:2]
        for line in result.stdout.splitlines()
        if line.startswith(("flop ", "turn ", "river "))
    ] == [
        ["flop", "6"],
        ["turn", "5"],
        ["river", "4"],
    ]
    assert load_abstraction(out).counts[1:] == (6, 5, 4)


def test_json_is_one_object(tmp_path, game):
    out = tmp_path / "out"
    result = run("lossless/ehs:3/ehs:3/ehs:3", "--game", game, "--out", str(out), "--json", "--quiet")
    content = json.loads(result.stdout)
    assert content["preset"] == "lossless/ehs:3/ehs:3/ehs:3"
    assert [one["buckets"] for one in content["rounds"][1:]] == [3, 3, 3]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["mediun"], "did you mean medium"),
        (["tiny", "--threads", "0"], "threads must be 1 or more"),
        (["tiny", "--seed", "-1"], "seed must be 0 or more"),
    ],
)
def test_bad_words_are_explained(tmp_path, words, complaint):
    with pytest.raises(ErraiError, match=complaint):
        run(*words, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
