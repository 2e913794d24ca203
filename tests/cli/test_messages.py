"""What a message advises exists: every option that is named, in the command that is named, and every command."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

import errai as package
from errai.cli.main import app
from errai.cli.translation import options_of

SOURCE = Path(package.__file__).parent
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMAND = re.compile(r"\berrai ([a-z]+)(?: ([a-z]+))?")
ASSIGNED = re.compile(r'\b([a-z][a-z_]*)=(?:"[a-z0-9+-]+"|True|[0-9{])')
ROOT = get_command(app)
# A module of the command line that belongs to several commands, or helps one.
SHARED = {
    "options": None, "main": None, "translation": None, "progress": None, "ending": None, "output": None,
    "decision": ["query", "endgame"], "grid": ["query", "endgame", "jamfold"], "extensive": ["solve"],
    "solving": ["solve", "endgame"], "jamfold_output": ["jamfold", "verify"],
    "verify_tournament": ["verify", "tournament"],
}  # fmt: skip


def options(*words: str) -> set[str]:
    """The options of a command, or of a command and its parts."""
    command = ROOT
    for word in words:
        command = command.commands[word]
    found = {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    for name in getattr(command, "commands", {}):
        found |= options(*words, name)
    return found | {"--help"}


def texts(path: Path) -> Iterator[str]:
    """All strings of a file, f-strings with {} for what they fill in, but for docstrings of modules and classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (SOURCE / folder).rglob("*.py"))


def named_commands(text: str) -> Iterator[tuple[str, ...]]:
    """The commands that a text names."""
    for first, second in COMMAND.findall(text):
        if first in ROOT.commands:
            more = getattr(ROOT.commands[first], "commands", {})
            yield (first, second) if second in more else (first,)


@pytest.mark.parametrize("path", files("cli"), ids=lambda path: path.stem)
def test_a_command_names_only_options_that_are_there(path):
    every = options()
    own = SHARED.get(path.stem, [path.stem])
    here = (
        every
        if own is None
        else set().union(*(options(name) for name in own if name in ROOT.commands)) or every
    )
    for text in texts(path):
        for line in text.splitlines():
            named = set().union(*(options(*command) for command in named_commands(line)))
            # An example is one command; a sentence may also speak of the command that prints it.
            allowed = named if line.strip().startswith("errai ") and named else named | here
            assert set(FLAG.findall(line)) <= allowed, line


def errors() -> Iterator[tuple[Path, str]]:
    """The texts of all errors that the library raises."""
    for path in files(""):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error") and node.args:
                yield path, _text(node.args[0])


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    return "{}"


def test_commands_that_errors_advise_exist():
    advised = [(path, name) for path, text in errors() for name in re.findall(r"\berrai ([a-z]+)", text)]
    assert len(advised) > 5
    assert [(path.name, name) for path, name in advised if name not in ROOT.commands] == []


def test_parameters_that_errors_advise_are_options_of_some_command():
    names = {name for words in _commands(ROOT) for name in options_of(ROOT, words)}
    advised = [(path, name) for path, text in errors() for name in ASSIGNED.findall(text)]
    assert len(advised) > 5
    assert [(path.name, name) for path, name in advised if name not in names] == []


def _commands(command, words=()):
    yield list(words)
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, (*words, name))
