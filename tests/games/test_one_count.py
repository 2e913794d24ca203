"""`information sets` is one number, whoever says it: hands that differ only by a renaming of suits count once."""

import json

import pytest

import errai
from errai.engine.memory import available_memory
from errai.errors import ErraiError
from errai.games.catalogue import builtin_names, load_game
from errai.games.sizes import information_sets
from errai.strategy.kinds.rule import RuleStrategy
from errai.views.games import game_list
from tests.cli.command import errai as command

CEPHEUS = 13_803_249_787_132  # Bowling et al., Science 2015: 1.38e13


def test_the_catalogue_counts_canonical_information_sets():
    listed = {row["name"]: row["information_sets"] for row in game_list(available_memory())}
    assert listed == {name: information_sets(load_game(name)) for name in builtin_names()}
    assert listed["holdem"] == CEPHEUS


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_every_way_to_solve_and_to_export_says_the_same(name, tmp_path, capsys):
    counted = information_sets(load_game(name))
    assert errai.solve(name, iterations=2, threads=1).information_sets == counted
    saved, written = tmp_path / "exact", tmp_path / "game.efg"
    for arguments in (
        ("solve", name, "--method", "exact", "--out", str(saved)),
        ("verify", str(saved)),
        ("export", name, str(written)),
    ):
        content = json.loads(command(capsys, *arguments, "--json").out)
        assert content["information_sets"] == counted
        assert content["tree_information_sets"] >= counted
    assert json.loads((saved / "result.json").read_text())["information_sets"] == counted


@pytest.mark.parametrize("name", ["rhode-island", "holdem"])
def test_a_table_has_rows(name, tmp_path):
    with pytest.raises(ErraiError, match=r"a table of [0-9,]+ rows") as error:
        RuleStrategy("always-call", load_game(name)).export(tmp_path / "table.csv")
    assert "information" not in str(error.value)
