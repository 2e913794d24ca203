"""Ctrl-C: a checkpoint, the command that goes on, and the same result as if nothing had happened."""

import json
import shlex
import signal

import pytest

from tests.cli.command import errai, process

GAME = ["solve", "rhode-island", "--iterations", "40", "--threads", "2"]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    out = tmp_path_factory.mktemp("whole")
    command = process(*GAME, "--out", out, "--json", "--quiet")
    written, _ = command.communicate()
    assert command.returncode == 0
    return json.loads(written), (out / "strategy.npy").read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_goes_on_to_the_same_result(number, uninterrupted, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = ["--out", "here"] if number == signal.SIGINT else []
    command = process(*GAME, *named, "--json")
    for line in command.stderr:
        if line.startswith("iteration 10 "):
            command.send_signal(number)
            break
    written, told = command.communicate()
    assert command.returncode == 130
    stopped = json.loads(written)
    assert stopped["finished"] is False
    assert 10 <= stopped["iterations"] < 40
    folder = "here" if named else "errai-rhode-island-checkpoint"
    resume = shlex.split(told.splitlines()[-1])
    assert resume == ["errai", "solve", "--resume", folder]

    finished = errai(capsys, *resume[1:], "--json", "--quiet")
    assert finished.code == 0
    content, (whole, strategy) = json.loads(finished.out), uninterrupted
    assert content["iterations"] == whole["iterations"] == 40
    assert content["best_response"] == whole["best_response"]
    assert (tmp_path / folder / "strategy.npy").read_bytes() == strategy


def test_an_interrupted_endgame_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("errai.cli.progress.Terminal.should_stop", lambda self: True)
    spot = ["endgame", "--board", "Ks7h2d5c9h", "--betting", "rc/rc/rc", "--oop", "QQ+", "--iterations", 30]
    stopped = errai(capsys, *spot)
    assert stopped.code == 130
    assert "errai endgame --resume errai-holdem-checkpoint" in stopped.err
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    resumed = json.loads(
        errai(capsys, "endgame", "--resume", "errai-holdem-checkpoint", "--json", "--quiet").out
    )
    whole = json.loads(errai(capsys, *spot, "--json", "--quiet").out)
    assert resumed["first_decision"] == whole["first_decision"]
    assert resumed["best_response"] == whole["best_response"]
