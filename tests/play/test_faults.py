"""Kills, interruptions and damage: the log is whole, the score is printed, the match goes on without who is gone."""

import json
import re
import signal
import socket
import sys
import textwrap
import threading
import time
from contextlib import suppress

import pytest

import errai
from errai.errors import ErraiError, StoppedError
from errai.games.catalogue import load_game
from errai.play.acpc.client import sit
from errai.play.acpc.dealer import deal_match, open_ports
from errai.play.acpc.programs import ProgramAgent
from errai.play.acpc.remote import Times
from errai.play.log import MatchLog
from errai.play.match import play_match
from errai.play.opening import Table, open_agents
from errai.play.reading import read_logs
from errai.runs.monitor import Monitor
from tests.cli.command import errai as command
from tests.cli.command import process

LOCAL = "127.0.0.1"
LEDUC = load_game("leduc")

BOT = """
import os, signal, socket, sys, time
sock = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
sock.sendall(b"VERSION:2.0.0\\r\\n")
for count, line in enumerate(sock.makefile("r", newline="\\n")):
    {body}
"""
GONE = "closed its connection|was lost: (broken pipe|connection reset)"
CALLS = "sock.sendall((line.rstrip() + ':c\\r\\n').encode())"


def bot(tmp_path, name, body):
    path = tmp_path / f"{name}.py"
    path.write_text(BOT.format(body=textwrap.indent(textwrap.dedent(body), "    ").strip()))
    return f"cmd:{sys.executable} {path}"


def wait_for(done, seconds=60):
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


def states(path):
    return [line for line in path.read_text().splitlines() if line.startswith("STATE")]


def has_hands(path, count):
    return lambda: path.exists() and len(states(path)) >= count


def test_a_match_that_is_killed_leaves_a_log_that_can_be_read(tmp_path, capsys):
    log = tmp_path / "killed.log"
    calls = bot(tmp_path, "caller", CALLS)
    match = process("match", "random", calls, "--game", "leduc", "--hands", 10**6, "--log", log, "--quiet")
    try:
        wait_for(has_hands(log, 20))
    finally:
        match.kill()
        match.communicate()
    found = read_logs([log], LEDUC)
    assert len(found.hands) >= 20
    assert len(found.faults) <= 1
    assert [hand.number for hand in found.hands] == list(range(len(found.hands)))
    errai.solve("leduc", iterations=5, out=tmp_path / "leduc")
    reviewed = command(
        capsys, "review", log, "--strategy", tmp_path / "leduc", "--player", "random", "--json"
    )
    assert reviewed.code == 0, reviewed.err
    assert json.loads(reviewed.out)["hands"] == len(found.hands)


def test_a_log_that_is_cut_anywhere_loses_one_line_at_most(tmp_path):
    whole, cut = tmp_path / "whole.log", tmp_path / "cut.log"
    errai.match("random", "always-call", hands=6, game="leduc", log=whole)
    content = whole.read_bytes()
    for end in range(len(content)):
        cut.write_bytes(content[:end])
        found = read_logs([cut], LEDUC)
        lines = content[:end].count(b"STATE")
        assert lines - 1 <= len(found.hands) <= lines
        assert len(found.faults) <= 1


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", GONE),
        ("sock.close(); sys.exit(1)", GONE),
        ("time.sleep(600)", "did not answer in time"),
    ],
)
def test_a_bot_that_is_killed_or_hangs_is_named_and_the_match_goes_on(tmp_path, monkeypatch, end, why):
    monkeypatch.setattr("errai.play.acpc.programs.TO_END", 0.1)
    dies = bot(tmp_path, "dies", f"{CALLS}\nif count == 60:\n    {end}")
    path, told = tmp_path / "m.log", []
    with MatchLog(path) as log:

        def tell(line):
            told.append(line)
            log.comment(line)

        agents = open_agents([dies, "always-raise"], "leduc", Table(40, Times(0.5, 0.5, 0.5), tell))
        try:
            score = play_match(LEDUC, agents, 40, log=log)
        finally:
            agents[0].close()
    assert score.hands.samples == len(states(path)) == 40
    assert len(told) == 1
    assert "dies" in told[0]
    assert re.search(why, told[0])
    assert f"# {told[0]}" in path.read_text()
    bettings = [line.split(":")[2] for line in states(path)]
    assert "f" not in "".join(bettings[:4])
    assert all(betting.endswith("f") for betting in bettings[-10:])
    assert path.read_text().splitlines()[-1].startswith("SCORE:")


def test_ctrl_c_ends_a_match_with_a_whole_log_and_a_score(tmp_path):
    log = tmp_path / "stopped.log"
    match = process(
        "match", "random", "always-call", "--game", "leduc", "--hands", 10**8, "--log", log, "--plain"
    )
    try:
        wait_for(has_hands(log, 1))
        match.send_signal(signal.SIGINT)
        written, told = match.communicate(timeout=60)
    finally:
        match.kill()
    assert match.returncode == 130, told
    assert "random wins" in written
    assert "stopped after" in told
    *lines, score = log.read_text().splitlines()
    assert score.startswith("SCORE:")
    won = sum(
        int(line.split(":")[4].split("|")[line.split(":")[5].split("|").index("random")])
        for line in lines[1:]
    )
    assert score == f"SCORE:{won}|{-won}:random|always-call"
    assert read_logs([log], LEDUC).faults == []


def test_ctrl_c_does_not_wait_for_a_player_that_thinks(tmp_path):
    """The dealer deals until one of the players sleeps; the hand that is not over is not in the log."""
    log = tmp_path / "slow.log"
    dealer = process(
        "dealer", "leduc", "--hands", 1000, "--players", "Alice", "--players", "Bob", "--log", log, "--quiet"
    )
    agent, over = open_agents(["always-call"], "leduc")[0], threading.Event()

    def sleeps(port):
        with socket.create_connection((LOCAL, port)) as sock:
            sock.sendall(b"VERSION:2.0.0\r\n")
            for line in sock.makefile("r", newline="\n"):
                number = int(line.split(":")[2])
                if number == 5:
                    over.wait(60)
                    return
                sock.sendall(f"{line.rstrip()}:c\r\n".encode())

    ports = [int(port) for port in dealer.stdout.readline().split()]
    players = [
        threading.Thread(target=sit, args=(agent, LOCAL, ports[0])),
        threading.Thread(target=sleeps, args=(ports[1],)),
    ]
    try:
        for player in players:
            player.start()
        wait_for(lambda: log.exists() and len(states(log)) >= 2)
        time.sleep(0.5)
        dealer.send_signal(signal.SIGINT)
        written, told = dealer.communicate(timeout=30)
    finally:
        dealer.kill()
        over.set()
        for player in players:
            player.join(20)
    assert dealer.returncode == 130, told
    assert "SCORE:" in written
    assert [line.split(":")[1] for line in states(log)] == ["0", "1", "2", "3", "4"]
    assert log.read_text().splitlines()[-1].startswith("SCORE:")


def test_a_player_that_looks_on_is_shown_what_happens_before_the_other_has_answered():
    """The first to act answers only when the other has seen the state."""
    seen = threading.Event()

    def player(answer):
        def play(port):
            with suppress(OSError), socket.create_connection((LOCAL, port)) as sock:
                sock.sendall(b"VERSION:2.0.0\r\n")
                for line in sock.makefile("r", newline="\n"):
                    answer()
                    sock.sendall(f"{line.rstrip()}:c\r\n".encode())

        return play

    first, looks_on = player(lambda: seen.wait(20)), player(seen.set)
    sockets = open_ports((0, 0), LOCAL)
    threads = [
        threading.Thread(target=play, args=(sock.getsockname()[1],))
        for play, sock in zip((first, looks_on), sockets, strict=True)
    ]
    for thread in threads:
        thread.start()
    score, _ = deal_match(LEDUC, sockets, ("Alice", "Bob"), 1, to_connect=20)
    for thread in threads:
        thread.join(20)
    assert score.hands.samples == 1
    assert seen.is_set()


def test_the_dealer_names_a_port_that_is_taken_and_players_that_do_not_come(tmp_path, capsys):
    log = tmp_path / "none.log"
    names = ("--players", "Alice", "--players", "Bob", "--log", log, "--quiet")
    with socket.socket() as taken:
        taken.bind((LOCAL, 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        refused = command(capsys, "dealer", "leduc", *names, "--ports", f"0,{port}")
    assert refused.code == 2
    assert f"port {port} cannot be used: address already in use" in refused.err
    alone = command(capsys, "dealer", "leduc", *names, "--start-timeout", 0.2)
    assert alone.code == 2
    assert "Alice has not connected to port" in alone.err
    assert not log.exists()


def test_a_program_that_never_connects_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("errai.play.acpc.programs.TO_END", 0.1)
    (tmp_path / "sleeper.py").write_text("import time; time.sleep(600)")
    program = f"{sys.executable} {tmp_path / 'sleeper.py'}"
    with pytest.raises(ErraiError, match=r"sleeper has not connected to port [0-9]+ within 0.3 s"):
        ProgramAgent("sleeper", LEDUC, program, 4, to_connect=0.3)

    class Stops(Monitor):
        def should_stop(self):
            return True

    log = tmp_path / "m.log"
    with pytest.raises(StoppedError, match="stopped while sleeper had not connected"):
        errai.match(f"cmd:{program}", "random", hands=4, game="leduc", log=log, monitor=Stops())
    assert not log.exists()
