"""The exceptions that a user is meant to see."""


class ErraiError(Exception):
    """A problem the user can act on: one line that says what is wrong and what would be right.

    The command line prints it without a traceback and leaves with exit code 2.
    """


class StoppedError(ErraiError):
    """Somebody wished to stop before there was anything to save. The exit code is 130."""
