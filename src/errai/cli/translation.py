"""Errors of the library speak of parameters; here they become the options of a command.

    seconds must be above 0, not -1         -->     --time must be above 0, not -1
    the range is empty (about `oop`)        -->     --oop: the range is empty
    method="lp" would do                    -->     --method lp would do
    replace it with overwrite=True          -->     replace it with --overwrite

The parameters of a command's function have the names that the library's have, so the command knows its options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from errai.errors import ErraiError

_ASSIGNED = re.compile(r"""\b([a-z][a-z_]*)=("[^"]*"|True|[0-9][0-9.]*[0-9]|[0-9])""")


def options_of(command: Any, arguments: Sequence[str]) -> dict[str, str]:
    """Parameter -> option, of the command that these arguments call; nothing where they call none."""
    for word in arguments:
        if not hasattr(command, "commands") or word not in command.commands:
            break
        command = command.commands[word]
    return {
        parameter.name: next((option for option in parameter.opts if option.startswith("--")), "")
        for parameter in command.params
        if any(option.startswith("--") for option in parameter.opts)
    }


def translated(error: ErraiError, options: Mapping[str, str]) -> str:
    """What the error says, with options for parameters."""
    text, name = str(error), error.parameter
    if name is not None and name in options:
        if re.match(rf"{name}\b", text):
            text = options[name] + text[len(name) :]
        elif not re.search(rf"\b{name}\b", text):
            text = f"{options[name]}: {text}"
    return _ASSIGNED.sub(lambda found: _option(found[1], found[2], options), text)


def _option(name: str, value: str, options: Mapping[str, str]) -> str:
    """An option of this command; what it does not have is named in words."""
    option = options.get(name, name.replace("_", " "))
    return option if value == "True" else f"{option} {value.strip(chr(34))}"
