"""Both sides of the ACPC protocol over TCP, and players who misbehave."""

import socket
import sys
import textwrap
import threading

import pytest

import errai
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.state import from_log_line
from errai.play.acpc.client import sit
from errai.play.acpc.connection import Connection, LostError
from errai.play.acpc.dealer import deal_match, open_ports
from errai.play.acpc.remote import Times
from errai.play.log import MatchLog
from errai.play.opening import open_agents
from tests.games.nolimit import DEEP

LOCAL = "127.0.0.1"


class Warned(errai.Monitor):
    def __init__(self):
        self.lines = []

    def warn(self, line):
        self.lines.append(line)


def dealt(tmp_path, game, players, hands, **options):
    """A match between two functions that get a port, each on a thread of its own."""
    sockets = open_ports((0, 0), LOCAL)
    threads = [
        threading.Thread(target=player, args=(sock.getsockname()[1],))
        for player, sock in zip(players, sockets, strict=True)
    ]
    for thread in threads:
        thread.start()
    path, monitor = tmp_path / "match.log", Warned()
    try:
        with MatchLog(path, overwrite=True) as log:
            score, sat = deal_match(
                game,
                sockets,
                ("Alice", "Bob"),
                hands,
                seed=0,
                log=log,
                monitor=monitor,
                to_connect=20,
                **options,
            )
    finally:
        for thread in threads:
            thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
    return score, sat, path.read_text().splitlines(), monitor.lines


def bot(name, game):
    return lambda port: sit(open_agents([name], game)[0], LOCAL, port, seed=port)


def speaker(answer):
    """A player that sends what `answer` makes of each line, or closes when that is None."""

    def play(port):
        with socket.create_connection((LOCAL, port)) as sock:
            sock.sendall(b"VERSION:2.0.0\r\n")
            for line in sock.makefile("r", newline="\n"):
                reply = answer(line.rstrip("\r\n"))
                if reply is None:
                    return
                try:
                    sock.sendall(reply.encode())
                except OSError:
                    return

    return play


def test_our_agents_play_at_our_dealer(tmp_path):
    game = load_game("leduc")
    score, sat, lines, warned = dealt(
        tmp_path, game, (bot("random", "leduc"), bot("always-call", "leduc")), 40
    )
    assert lines[0] == "# name/game/hands/seed match leduc 40 0"
    assert lines[1:4] == ["#--t_response 600000", "#--t_hand 600000", "#--t_per_hand 7000"]
    states = lines[4:-1]
    assert len(states) == 40
    chips = [from_log_line(game, line) for line in states]
    assert [hand.players for hand in chips[:2]] == [("Alice", "Bob"), ("Bob", "Alice")]
    assert sum(hand.state.payoff()[n % 2] for n, hand in enumerate(chips)) == score.hands.total
    assert lines[-1] == f"SCORE:{score.hands.total}|{-score.hands.total}:Alice|Bob"
    assert warned == []
    assert [player.lost for player in sat] == [None, None]


def test_states_are_sent_as_the_original_dealer_sends_them(tmp_path):
    """A hand of the original dealer's own log: seed 0, everything checked and called."""
    heard = []

    def listens(line):
        heard.append(line)
        seat, betting = line.split(":")[1], line.split(":")[3]
        first = {"": "1", "c": "0"}.get(betting, "01"[betting.split("/")[-1] != ""])
        return f"{line}:c\r\n" if seat == first and not betting.endswith("cc/cc") else ""

    score, _, lines, _ = dealt(
        tmp_path, load_game("holdem"), (speaker(listens), bot("always-call", "holdem")), 1
    )
    assert heard[:4] == [
        "MATCHSTATE:0:0::5d5c|",
        "MATCHSTATE:0:0:c:5d5c|",
        "MATCHSTATE:0:0:cc/:5d5c|/8dAs8s",
        "MATCHSTATE:0:0:cc/c:5d5c|/8dAs8s",
    ]
    assert heard[-1] == "MATCHSTATE:0:0:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d"
    assert lines[-2] == "STATE:0:cc/cc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:10|-10:Alice|Bob"
    assert score.hands.total == 10


def calls_with(game, garbage):
    """Always calls, and sends garbage around it."""
    agent = open_agents(["always-call"], game)[0]

    def answer(line):
        view = errai.games.state.from_match_state(agent.game, line)
        if view.state.over or view.state.player != view.seat:
            return ""
        return garbage(line)

    return answer


@pytest.mark.parametrize(
    ("garbage", "invalid", "ignored"),
    [
        (lambda line: f"# thinking\r\n; still\r\n\r\n{line}:c\r\n", False, False),
        (lambda line: f"{line}:c\n", False, False),
        (lambda line: f"hello\r\nMATCHSTATE:9:9:\r\n{line}x:c\r\n{line}:c\r\n", False, True),
        (lambda line: f"{line}:r999999\r\n", True, False),
        (lambda line: f"{line}:\r\n", True, False),
        (lambda line: f"{line}:k\r\n", True, False),
        (lambda line: f"{line}:f\x00\r\n", True, False),
    ],
)
def test_what_is_not_understood_is_ignored_and_what_is_not_allowed_is_a_call(
    tmp_path, garbage, invalid, ignored
):
    game = load_game("leduc")
    odd = speaker(calls_with("leduc", garbage))
    _, sat, lines, warned = dealt(tmp_path, game, (odd, bot("always-call", "leduc")), 4)
    bettings = [line.split(":")[2] for line in lines if line.startswith("STATE")]
    assert bettings == ["cc/cc"] * 4
    assert (sat[0].invalid > 0, sat[0].ignored > 0) == (invalid, ignored)
    assert sat[0].lost is None
    assert len(warned) == int(invalid)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (lambda line: None, "closed its connection"),
        (lambda line: "x" * 10_000, "more than 4096 bytes"),
        (lambda line: "", "did not answer in time"),
        (lambda line: "MATCHSTATE:0:7::Ks|:c\r\n", "did not answer in time"),
    ],
)
def test_a_player_that_is_lost_folds_and_the_match_goes_on(tmp_path, answer, why):
    game, times = load_game("leduc"), Times(0.3, 0.3, 0.3)
    score, sat, lines, warned = dealt(
        tmp_path, game, (speaker(answer), bot("always-raise", "leduc")), 20, times=times
    )
    assert score.hands.samples == 20
    assert why in sat[0].lost
    assert sat[1].lost is None
    assert len(warned) == 1
    assert warned[0].startswith("hand 0: Alice ")
    assert f"# {warned[0]}" in lines
    assert score.hands.total == -20  # an ante in every hand


def test_a_player_without_the_protocol_is_named(tmp_path):
    def rude(port):
        with socket.create_connection((LOCAL, port)) as sock:
            sock.sendall(b"GET / HTTP/1.1\r\n")

    with pytest.raises(ErraiError, match=r"Alice connected and said 'GET / HTTP/1.1'; .* VERSION:2.0.0"):
        dealt(tmp_path, load_game("leduc"), (rude, lambda port: None), 4)


def test_a_player_that_never_comes_is_named():
    sockets = open_ports((0, 0), LOCAL)
    with pytest.raises(ErraiError, match=r"Alice has not connected to port [0-9]+ within 0.2 s"):
        deal_match(load_game("leduc"), sockets, ("Alice", "Bob"), 4, to_connect=0.2)


def test_a_reader_that_does_not_read_is_not_waited_for_longer_than_it_may_take():
    with open_ports((0,), LOCAL)[0] as sock, socket.create_connection(sock.getsockname()):
        connection = Connection(sock.accept()[0])
        with pytest.raises(LostError, match="did not read in time"):
            connection.send(["x" * 30_000_000], 0.1)
        connection.close()


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind((LOCAL, 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        with pytest.raises(ErraiError, match=f"port {port} cannot be used: address already in use"):
            open_ports((0, port), LOCAL)


def test_an_agent_says_when_there_is_no_dealer():
    with socket.socket() as sock:
        sock.bind((LOCAL, 0))
        port = sock.getsockname()[1]
    with pytest.raises(ErraiError, match=f"no dealer at {LOCAL} port {port}"):
        sit(open_agents(["random"], "leduc")[0], LOCAL, port)


PROGRAM = """
import socket, sys
sock = socket.create_connection((sys.argv[-2], int(sys.argv[-1])))
sock.sendall(b"VERSION:2.0.0\\r\\n")
for count, line in enumerate(sock.makefile("r", newline="\\n")):
    {body}
"""


def program(tmp_path, name, body):
    path = tmp_path / f"{name}.py"
    path.write_text(PROGRAM.format(body=textwrap.dedent(body)))
    return f"cmd:{sys.executable} {path}"


def test_a_program_plays_a_match(tmp_path):
    """A program that answers every line calls; what it says out of turn is ignored."""
    calls = program(tmp_path, "caller", "sock.sendall((line.rstrip() + ':c\\r\\n').encode())")
    played = errai.match(calls, "always-call", hands=6, game="leduc", log=tmp_path / "p.log")
    assert played.hands == 6
    states = [line for line in (tmp_path / "p.log").read_text().splitlines() if line.startswith("STATE")]
    assert [line.split(":")[2] for line in states] == ["cc/cc"] * 6


def test_a_no_limit_match_between_programs(tmp_path):
    """One jams whenever it may, the other calls."""
    (tmp_path / "deep.game").write_text(DEEP.text())
    most = DEEP.stacks[0]
    jams = program(tmp_path, "jammer", f"sock.sendall((line.rstrip() + ':r{most}\\r\\n').encode())")
    calls = program(tmp_path, "caller", "sock.sendall((line.rstrip() + ':c\\r\\n').encode())")
    played = errai.match(jams, calls, hands=4, game=tmp_path / "deep.game", log=tmp_path / "n.log")
    assert played.players == ("jammer", "caller")
    states = [line for line in (tmp_path / "n.log").read_text().splitlines() if line.startswith("STATE")]
    assert all(f"r{most}c///" in line for line in states)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("cmd:/nowhere/bot.sh", "/nowhere/bot.sh cannot be started: no such file"),
        ("cmd:", "needs the program to start"),
        (f"cmd:{sys.executable} -c 'raise SystemExit(3)'", "ended with exit code 3"),
    ],
)
def test_a_program_that_cannot_play_is_named(command, why):
    with pytest.raises(ErraiError, match=why):
        errai.match(command, "random", hands=2, game="leduc")
