"""Ports that players connect to."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from time import monotonic

from errai.errors import ErraiError, StoppedError
from errai.play.acpc.connection import STEP, VERSION, Connection, LostError

LOCAL = "127.0.0.1"


def listen(port: int = 0, host: str = LOCAL) -> socket.socket:
    """A socket for one player; port 0 is any that is free."""
    if not 0 <= port <= 65535:
        raise ErraiError(f"a port is a number from 1 to 65535, not {port}", parameter="ports")
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(1)
    except OSError as error:
        sock.close()
        reason = (error.strerror or str(error)).lower()
        raise ErraiError(
            f"port {port} cannot be used: {reason}; choose another, or 0 for any", parameter="ports"
        ) from None
    return sock


def accept(
    sock: socket.socket,
    name: str,
    seconds: float | None,
    should_stop: Callable[[], bool] = lambda: False,
    has_ended: Callable[[], bool] = lambda: False,
) -> Connection:
    """The player who connects and says the version of the protocol; an ErraiError if nobody does in time.

    `has_ended` says whether the player is a program that has gone and will not come.
    """
    port = sock.getsockname()[1]
    until = None if seconds is None else monotonic() + seconds
    while not select.select([sock], [], [], STEP)[0]:
        if should_stop():
            raise StoppedError(f"stopped while {name} had not connected to port {port}")
        if has_ended():
            raise ErraiError(f"{name} ended and had not connected to port {port}")
        if until is not None and monotonic() > until:
            raise ErraiError(f"{name} has not connected to port {port} within {seconds:g} s")
    connection = Connection(sock.accept()[0])
    sock.close()
    try:
        line = connection.receive(until, should_stop)
    except LostError as error:
        raise ErraiError(f"{name} connected and {error}") from None
    wanted = VERSION.rsplit(".", 1)[0]
    if line is None or not line.startswith(wanted.split(".")[0]):
        said = "nothing" if line is None else f"{line[:40]!a}"
        raise ErraiError(f"{name} connected and said {said}; a player of this protocol begins with {VERSION}")
    return connection
