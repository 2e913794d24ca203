"""One key of a person at a terminal, or a line where there is no terminal.

A choice that is a letter needs no Enter. Where the terminal cannot be asked for single keys, and for whoever pipes
answers in, a line is read instead.
"""

from __future__ import annotations

import os
import select
import sys
from contextlib import suppress

ENDS = (b"", b"\x04", b"\0")  # Ctrl-D, as terminals give it: now, or typed ahead
ASCII = b"\x7f"
ESCAPE = b"\x1b"


def read_choice(letters: bool = True) -> str:
    """What was typed, without white space; EOFError at the end of the input.

    With `letters` a choice is one letter, and is taken as soon as its key is pressed.
    """
    if letters and sys.stdin.isatty():
        with suppress(ImportError, OSError):
            return _key()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip().lower()


def _key() -> str:
    """The next key, shown as it would be if it had been typed with Enter; what is typed ahead waits."""
    import termios
    import tty

    place = sys.stdin.fileno()
    before = termios.tcgetattr(place)
    try:
        tty.setcbreak(place, termios.TCSADRAIN)
        pressed = os.read(place, 1)
        several = pressed == ESCAPE or pressed > ASCII  # the rest of an arrow or of an umlaut
        while several and select.select([place], [], [], 0)[0]:
            pressed += os.read(place, 1)
    finally:
        termios.tcsetattr(place, termios.TCSADRAIN, before)
    if pressed in ENDS:
        raise EOFError
    key = "" if pressed[:1] == ESCAPE else pressed.decode(errors="replace").strip().lower()
    print(key)
    return key
