"""docs/commands.md from the help texts: `python -m tests.cli.manual` writes it anew."""

from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from errai.cli.main import app

PATH = Path(__file__).parents[2] / "docs" / "commands.md"

HEAD = """\
# Commands

`errai COMMAND --help` prints what is below. Results go to standard output, progress and errors to standard
error. A wrong argument costs one line and exit code 2; an interrupted run has exit code 130.
"""


def options() -> dict[str, list[str]]:
    """Command -> its options, as a user types them; "strategy info" is a command of its own."""
    return {
        name: [option for param in command.params for option in param.opts if option.startswith("--")]
        for name, command in _commands("", get_command(app))
    }


def _commands(before, group):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(f"{before}{name} ", command)
        else:
            yield f"{before}{name}", command


def help_of(*command: str) -> str:
    """What `errai COMMAND --help` prints."""
    shown = CliRunner().invoke(app, [*command, "--help"], prog_name="errai", env={"COLUMNS": "80"})
    assert shown.exit_code == 0, shown.output
    return "\n".join(line.rstrip() for line in shown.output.strip().splitlines())


def manual() -> str:
    """The whole page."""
    parts = [HEAD, f"```text\n{help_of()}\n```\n"]
    for name in options():
        parts.append(f"## errai {name}\n\n```text\n{help_of(*name.split())}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PATH.write_text(manual())
