"""Errors of the library name parameters, and those of the command line options."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

import errai as package
from errai.cli.main import app
from errai.cli.translation import options_of, translated
from errai.errors import ErraiError

NAMES = ("method", "overwrite", "oop", "precision", "strategy")
OPTIONS = {"seconds": "--time", "most_nodes": "--most-nodes", **{name: f"--{name}" for name in NAMES}}


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ErraiError("seconds must be above 0, not -1", "seconds"), "--time must be above 0, not -1"),
        (ErraiError("the range is empty", "oop"), "--oop: the range is empty"),
        (ErraiError("unknown method 'magic'", "method"), "unknown method 'magic'"),
        (ErraiError('method="lp" would do'), "--method lp would do"),
        (
            ErraiError('with precision="int16" strategy="current" it'),
            "with --precision int16 --strategy current it",
        ),
        (ErraiError("replace it with overwrite=True"), "replace it with --overwrite"),
        (ErraiError("raise the limit with most_nodes=200; or"), "raise the limit with --most-nodes 200; or"),
        (ErraiError("step=50 would fit"), "step 50 would fit"),  # of a command that has no such option
        (ErraiError("board 'Ks' has 1 card"), "board 'Ks' has 1 card"),
        (ErraiError("flops must be even", "flops"), "flops must be even"),
    ],
)
def test_parameters_become_options(error, words):
    assert translated(error, OPTIONS) == words


def test_a_command_knows_its_options():
    command = get_command(app)
    assert options_of(command, ["train", "holdem", "--time", "5s"])["seconds"] == "--time"
    assert options_of(command, ["tournament"])["small_blind"] == "--sb"
    assert options_of(command, ["strategy", "pack", "x"])["levels"] == "--levels"
    assert "game" not in options_of(command, ["solve", "leduc"])
    assert options_of(command, ["sovle"]).keys() == {"version"}


def test_the_library_names_no_options():
    """But for the commands that a training notes down; in style sheets two dashes are a variable's."""
    home = Path(package.__file__).parent
    found = [
        f"{path.relative_to(home)}: {line.strip()}"
        for path in sorted(home.rglob("*.py"))
        if path.parent.name != "cli" and path.name not in ("training_run.py", "review_style.py")
        for line in path.read_text().splitlines()
        if re.search(r"""["' ]--[a-z]""", line)
    ]
    assert found == []
