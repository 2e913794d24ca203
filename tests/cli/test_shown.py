"""What others wrote is shown in the terminal, and never obeyed by it."""

import io
import json

import pytest
from rich.text import Text

from errai.cli.shown import Guarded, console, shown
from tests.cli.command import errai

CODES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\r\x00\x7f\udcff"
GAME = """EFG 2 R "x{codes}" {{ "a{codes}" "b" }}
p "" 1 1 "s{codes}" {{ "l{codes}" "r" }} 0
t "" 1 "o" {{ 1 -1 }}
t "" 2 "o" {{ 0 0 }}
"""


def test_every_code_is_written_out_and_layout_stays():
    assert shown("a\tb\n") == "a\tb\n"
    assert shown("♠ Zürich") == "♠ Zürich"
    assert shown("\x1b[31m\r\x9b\u202e\udcff") == r"\x1b[31m\r\x9b\u202e\udcff"
    assert shown(CODES).isprintable()


def test_a_guarded_stream_is_a_stream():
    stream = io.StringIO()
    print("a\x1bb", file=Guarded(stream), flush=True)
    Guarded(stream).writelines(["c\x07", "\n"])
    assert stream.getvalue() == "a\\x1bb\nc\\x07\n"
    assert Guarded(stream).isatty() is False


@pytest.mark.parametrize("colour", [True, False])
def test_words_are_looked_at_before_they_are_coloured(colour, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR" if colour else "NO_COLOR", "1")
    stream = io.StringIO()
    console(Guarded(stream)).print(Text(f"me{CODES}", style="red"))
    assert ("\x1b[31m" in stream.getvalue()) == colour
    assert shown(CODES).removesuffix("\\udcff")[:12] in stream.getvalue()
    assert "\x1b]" not in stream.getvalue()


def test_a_game_of_codes_is_solved_and_shown(tmp_path, capsys):
    codes = CODES.replace("\udcff", "").replace("\x00", "")
    (tmp_path / "game.efg").write_text(GAME.format(codes=codes), encoding="utf-8")
    for words in (
        ("solve", tmp_path / "game.efg", "--method", "exact", "--out", tmp_path / "out"),
        ("strategy", "info", tmp_path / "out"),
        ("query", tmp_path / "out", "--information-set", f"s{codes}"),
        ("query", tmp_path / "out", "--information-set", codes),
        ("verify", tmp_path / "out"),
        ("solve", tmp_path / "game.efg", "--method", "cfr+", "--iterations", "3"),
    ):
        finished = errai(capsys, *words)
        assert all(line.isprintable() for line in (finished.out + finished.err).splitlines()), words
        assert "x1b" in finished.out + finished.err


@pytest.mark.parametrize(
    "words", [("solve",), ("query",), ("exploit",), ("strategy", "check"), ("verify",), ("x",)]
)
def test_an_argument_of_codes_is_shown(capsys, words):
    finished = errai(capsys, *words, CODES.replace("\x00", ""))
    assert finished.code == 2
    assert finished.err.count("\n") == 1
    assert finished.err.removesuffix("\n").isprintable()


def test_json_has_them_as_json_writes_them(tmp_path, capsys):
    codes = CODES.replace("\udcff", "").replace("\x00", "")
    (tmp_path / "game.efg").write_text(GAME.format(codes=codes), encoding="utf-8")
    finished = errai(capsys, "solve", tmp_path / "game.efg", "--method", "lp", "--json")
    assert finished.out.isascii()
    assert json.loads(finished.out)["game"] == f"x{codes}"
