"""A dealer for players who connect: the hands of a match, sent state by state, and its log.

    ports = open_ports(2)
    dealt = deal_match(game, ports, names, hands, seed=1, log=log)

The same loop as every match (errai.play.match); the players are connections.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path

from errai.games.definition import GameDefinition
from errai.play.acpc.listening import accept, listen
from errai.play.acpc.remote import RemoteAgent, Times, together
from errai.play.log import MatchLog
from errai.play.match import play_match
from errai.play.score import Score
from errai.runs.monitor import SILENT, Monitor

DASHES = "--"  # of the original dealer's options, as its logs show them


def open_ports(ports: Sequence[int], host: str) -> list[socket.socket]:
    """A socket for each player."""
    opened: list[socket.socket] = []
    try:
        for port in ports:
            opened.append(listen(port, host))
    except Exception:
        for sock in opened:
            sock.close()
        raise
    return opened


def deal_match(
    game: GameDefinition,
    sockets: Sequence[socket.socket],
    names: Sequence[str],
    hands: int,
    *,
    seed: int = 0,
    times: Times | None = None,
    to_connect: float | None = None,
    log: MatchLog | None = None,
    title: str = "match",
    monitor: Monitor = SILENT,
) -> tuple[Score, list[RemoteAgent]]:
    """Wait for the players, deal the hands; the score of the first, and how the players behaved."""
    times, log = times or Times(), log or MatchLog(None)

    def tell(line: str) -> None:
        log.comment(line)
        monitor.warn(line)

    players: list[RemoteAgent] = []
    try:
        for sock, name in zip(sockets, names, strict=True):
            monitor.step(f"waiting for {name} on port {sock.getsockname()[1]}")
            connection = accept(sock, name, to_connect, monitor.should_stop)
            players.append(RemoteAgent(name, game, connection, times, hands, tell, monitor.should_stop))
        together(*players)
        log.comment(*header(title, game.name, hands, seed, times))
        score = play_match(game, players, hands, seed=seed, log=log, monitor=monitor)
    finally:
        for sock in sockets:
            sock.close()
        for player in players:
            player.close()
    return score, players


def header(title: str, game: str, hands: int, seed: int, times: Times) -> list[str]:
    """The first lines of a log."""
    limits = (("response", times.response), ("hand", times.hand), ("per_hand", times.per_hand))
    return [
        f"name/game/hands/seed {title} {Path(game).name} {hands} {seed}",
        *(f"{DASHES}t_{name} {round(1000 * seconds)}" for name, seconds in limits),
    ]
