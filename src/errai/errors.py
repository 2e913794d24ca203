"""The exceptions that a user is meant to see."""

from __future__ import annotations

LONGEST = 900  # characters of a message


class ErraiError(Exception):
    """A problem the user can act on: one line that says what is wrong and what would be right.

    It speaks of parameters as Python has them: `seconds must be above 0`, `try method="lp"`. If it is about one of
    them, `parameter` is its name. The command line makes options of them, prints the line without a traceback and
    leaves with exit code 2.
    """

    def __init__(self, message: str = "", parameter: str | None = None) -> None:
        super().__init__(_one_line(message))
        self.parameter = parameter


def _one_line(message: str) -> str:
    """A message may quote what a user gave; it is one line all the same, and no longer than a screen.

    What would be right stands at its end.
    """
    line = " ".join(message.splitlines())
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} .. {line[-LONGEST // 3 :]}"


class StoppedError(ErraiError):
    """The monitor stopped the run before there was anything to return. The exit code is 130."""
