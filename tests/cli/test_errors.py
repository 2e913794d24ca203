"""A wrong argument costs one line that names it, exit code 2, and no traceback."""

import subprocess
import sys

import pytest

from errai.games.catalogue import load_game
from tests.cli.command import RIVER, errai, process

CARDS, BETTING = "Ks7h2d 5c 9h", "rc/rc/rc"

WRONG = [
    (["solve", "ledduc"], "unknown game 'ledduc': did you mean leduc?"),
    (["solve", "nowhere.game"], "'nowhere.game' does not exist"),
    (["solve", "holdem"], "holdem needs 287 TB of memory"),
    (["solve"], "give a game or --resume DIR"),
    (["solve", "leduc", "kuhn"], "unexpected extra argument"),
    (["solve", "leduc", "--iteration", "5"], "--iterations"),
    (["solve", "leduc", "--iterations", "many"], "--iterations"),
    (["solve", "leduc", "--iterations", "0"], "iterations must be"),
    (["solve", "leduc", "--target", "nan"], "target must be"),
    (["solve", "leduc", "--seconds", "-1"], "seconds must be"),
    (["solve", "leduc", "--threads", "-2"], "threads must be"),
    (["solve", "leduc", "--method", "magic"], "unknown method 'magic': choose one of cfr, cfr+, linear"),
    (["solve", "leduc", "--method", "hs-dcfr"], "hs-dcfr plans its schedule for a number of iterations"),
    (["solve", "leduc", "--precision", "int8"], "unknown precision 'int8'"),
    (["solve", "leduc", "--strategy", "best"], "unknown strategy 'best'"),
    (["solve", "--resume", "no-such-folder"], "no-such-folder: there is no such folder"),
    (["solve", "--resume", "x", "--method", "cfr"], "--method comes from the checkpoint"),
    (["sovle", "leduc"], "solve"),
    (["solve", "holdem", "--method", "lp"], "holdem has 8.5e+17 nodes as an extensive game"),
    (
        ["solve", "leduc", "--method", "normal-form"],
        "normal-form is for up to 4,000,000 pairs, --method lp would do",
    ),
    (["solve", "leduc", "--method", "lp", "--iterations", "5"], "lp ends by itself"),
    (
        ["solve", "leduc", "--method", "lp", "--threads", "2"],
        "--threads is for CFR on Errai's own poker games",
    ),
    (["solve", "leduc", "--most-nodes", "5"], "--most-nodes is for games of OpenSpiel"),
    (["solve", "leduc", "--method", "lp", "--most-nodes", "5"], "--most-nodes is for games of OpenSpiel"),
    (["solve", "openspiel:"], "which game of OpenSpiel?"),
    (["solve", "nowhere.efg"], "nowhere.efg does not exist"),
    (["solve", "openspiel:kuhn_pokr"], "did you mean kuhn_poker?"),
    (["solve", "openspiel:kuhn_poker(players=3)"], "is a game of 3; Errai solves games of two players"),
    (["solve", "openspiel:bargaining"], "is a general-sum game"),
    (["solve", "openspiel:leduc_poker", "--most-nodes", "100"], "has more than 100 nodes"),
    (["verify", "nowhere.json"], "cannot read nowhere.json: no such file"),
    (["export", "kuhn", "kuhn.txt"], "kuhn.txt must end in .efg"),
    (["export", "holdem", "holdem.efg"], "holdem has 8.5e+17 nodes"),
    (["games", "--colour"], "no such option: --colour"),
    (["bench", "--seconds", "0"], "--seconds must be more than 0"),
    (["endgame"], "--board is missing"),
    (["endgame", "--board", CARDS], "--betting is missing"),
    (
        ["endgame", "--board", "KsKs2d", "--betting", "rc"],
        "card 'Ks' at position 3 of 'KsKs2d' is there twice",
    ),
    (["endgame", "--board", "Ks7h", "--betting", "rc"], "has 2 cards; holdem has 0, 3, 4, 5"),
    (["endgame", "--board", "Ks7x2d", "--betting", "rc"], "suit 'x'"),
    (["endgame", "--board", "Ks7h2d", "--betting", "rc/rc"], "round 3, which has 4 board cards"),
    (
        ["endgame", "--board", CARDS, "--betting", "rc/f"],
        "'f' (fold) is not allowed; allowed: c (check), r (bet)",
    ),
    (["endgame", "--board", CARDS, "--betting", "rc/rc/rc/rf"], "ends the hand"),
    ([*RIVER, "--oop", ""], "--oop: the range is empty"),
    ([*RIVER, "--ip", "AKx"], "--ip: "),
    ([*RIVER, "--oop", "AhAd", "--ip", "AhAd"], "the two ranges conflict"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG, ids=lambda case: " ".join(case) if isinstance(case, list) else ""
)
@pytest.mark.parametrize("json", [False, True], ids=["text", "json"])
def test_a_wrong_argument_costs_one_line(arguments, message, json, capsys):
    finished = errai(capsys, *arguments, *(["--json"] if json else []))
    assert finished.code == 2
    assert finished.out == ""
    assert finished.err.startswith("errai: ")
    assert finished.err.count("\n") == 1
    assert message in finished.err


def test_a_malformed_game_file_is_named_with_its_line(tmp_path, capsys):
    path = tmp_path / "odd.game"
    path.write_text(load_game("kuhn").text().replace("numPlayers = 2", "numPlayers = two"))
    finished = errai(capsys, "solve", path)
    assert finished.code == 2
    assert f"{path}, line 3" in finished.err
    assert finished.err.count("\n") == 1


def test_a_range_of_blocked_hands_is_refused(capsys):
    finished = errai(capsys, *RIVER, "--oop", "Ks7h")
    assert finished.code == 2
    assert finished.err.startswith("errai: --oop: ")


@pytest.mark.parametrize("inside", [(), ("deeper",)])
def test_a_file_in_place_of_the_out_folder_is_refused_before_solving(inside, tmp_path, capsys):
    (tmp_path / "taken").write_text("mine")
    finished = errai(capsys, "solve", "leduc", "--out", tmp_path.joinpath("taken", *inside), "--quiet")
    assert finished.code == 2
    assert "cannot write" in finished.err
    assert finished.err.count("\n") == 1
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize("damage", ["cut", "not JSON", "flipped", "missing"])
def test_a_damaged_checkpoint_is_refused(damage, tmp_path, capsys):
    assert errai(capsys, "solve", "leduc", "--iterations", 20, "--out", tmp_path, "--quiet").code == 0
    folder = tmp_path / "checkpoint"
    regrets = folder / "regret.npy"
    content = bytearray(regrets.read_bytes())
    if damage == "cut":
        regrets.write_bytes(content[:-8])
    elif damage == "flipped":
        content[-1] ^= 1
        regrets.write_bytes(content)
    elif damage == "missing":
        regrets.unlink()
    else:
        (folder / "checkpoint.json").write_text("{")
    finished = errai(capsys, "solve", "--resume", tmp_path, "--iterations", 30, "--quiet")
    assert finished.code == 2
    assert str(folder) in finished.err
    assert finished.err.count("\n") == 1


def test_a_checkpoint_of_another_game_is_refused(tmp_path, capsys):
    assert errai(capsys, "solve", "kuhn", "--iterations", 20, "--out", tmp_path, "--quiet").code == 0
    finished = errai(capsys, "solve", "leduc", "--resume", tmp_path)
    assert finished.code == 2
    assert "is of kuhn and not of leduc" in finished.err
    finished = errai(capsys, "endgame", "--resume", tmp_path, "--quiet")
    assert finished.code == 2
    assert "kuhn from its first card" in finished.err


def test_exhausted_memory_is_one_line(monkeypatch, capsys):
    def exhausted(name):
        raise MemoryError

    monkeypatch.setattr("errai.games.catalogue.load_game", exhausted)
    finished = errai(capsys, "solve", "leduc")
    assert finished.code == 2
    assert finished.err.startswith("errai: out of memory")


def test_a_closed_pipe_is_silent():
    command = process("games")
    command.stdout.close()
    assert command.stderr.read() == ""
    assert command.wait() != 0


def test_help_loads_nothing_heavy():
    heavy = ["numpy", "numba", "rich", "matplotlib"]
    script = f"""
import sys
from errai.cli.main import run
code = run(["--help"])
print(code, [name for name in {heavy} if name in sys.modules])
"""
    written = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert written.endswith("0 []\n")
    for command in ("games", "solve", "endgame", "bench"):
        assert command in written
