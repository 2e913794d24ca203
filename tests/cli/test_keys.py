"""Single keys of a terminal, and lines where there is none."""

import io
import os
import pty
import termios

import pytest

from errai.cli.keys import read_choice


@pytest.fixture
def terminal(monkeypatch):
    """The other end of a terminal that is this process's input."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r") as screen:
        monkeypatch.setattr("sys.stdin", screen)
        yield ours
    os.close(ours)


def test_a_key_needs_no_enter_and_is_shown(terminal, capsys):
    os.write(terminal, b"R")
    assert read_choice() == "r"
    assert capsys.readouterr().out == "r\n"


def test_the_terminal_is_left_as_it_was(terminal):
    before = termios.tcgetattr(terminal)
    os.write(terminal, b"c")
    read_choice()
    assert termios.tcgetattr(terminal) == before


@pytest.mark.parametrize("pressed", [b"\x1b[A", b" ", b"\n"])
def test_arrows_and_white_space_are_no_choice(terminal, pressed):
    os.write(terminal, pressed)
    assert read_choice() == ""


def test_keys_that_are_typed_ahead_wait(terminal):
    os.write(terminal, b"rc")
    assert [read_choice(), read_choice()] == ["r", "c"]


def test_control_d_is_the_end(terminal):
    os.write(terminal, b"\x04")
    with pytest.raises(EOFError):
        read_choice()


def test_amounts_are_lines_even_at_a_terminal(terminal):
    os.write(terminal, b"r300\n")
    assert read_choice(letters=False) == "r300"


def test_what_is_piped_in_is_read_line_by_line(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(" Raise \nc\n"))
    assert [read_choice(), read_choice()] == ["raise", "c"]
    with pytest.raises(EOFError):
        read_choice()
