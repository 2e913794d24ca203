"""docs/commands.md knows every command and every option."""

import re
import shlex
from itertools import pairwise

import pytest

from errai.api.solving import endgame_spot
from errai.cli.options import METHODS
from errai.engine.rules import RULES
from tests.cli.manual import PATH, help_of, options

CASES = [(command, option) for command, names in options().items() for option in names]


def _section(command: str) -> str:
    text = PATH.read_text()
    found = re.search(rf"^## errai {command}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    assert found, f"{command} is not in {PATH.name}: python -m tests.cli.manual"
    return found[1]


@pytest.mark.parametrize("command", options())
def test_every_command_is_documented_with_its_words_and_examples(command):
    section = _section(command)
    written = re.split(r"\n(?:Arguments|Options):", help_of(*command.split()))[0]
    assert written.split() == section.split("Options:")[0].split("Arguments:")[0].split()[1:], (
        "the help text has changed: python -m tests.cli.manual"
    )
    assert f"errai {command}" in written.split("Examples:")[1]


@pytest.mark.parametrize(("command", "option"), CASES)
def test_every_option_is_documented(command, option):
    assert re.search(rf"^  {option}\b", _section(command), re.MULTILINE), "python -m tests.cli.manual"


def test_the_spots_of_the_examples_exist():
    lines = [line for line in help_of("endgame").splitlines() if "errai endgame --board" in line]
    assert len(lines) >= 3
    for line in lines:
        given = _options(line)
        where = endgame_spot(given["board"], given["betting"], given.get("oop"), given.get("ip"))
        assert where.cards


def _options(line: str) -> dict[str, str]:
    words = shlex.split(line)
    return {
        word[2:]: value
        for word, value in pairwise(words)
        if word in ("--board", "--betting", "--oop", "--ip")
    }


def test_the_help_knows_every_method():
    assert list(METHODS) == list(RULES)
