"""Lines over a socket, as the ACPC sends them: ended by CR LF, of a limited length, within a limited time."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from errai.errors import StoppedError

VERSION = "VERSION:2.0.0"
LONGEST = 4096  # bytes of a line, as in the original dealer
PIECE = 1 << 16
MOST_UNREAD = 16  # pieces that are still read from a connection that ends
STEP = 0.2  # seconds between two looks at whether to stop


class LostError(Exception):
    """Why the other side cannot be heard any more."""


class Connection:
    """One end of a connection. The socket never blocks: most lines are sent, and many are there, at once."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(False)
        self._socket, self._read = sock, b""
        self._there = select.poll()
        self._there.register(sock, select.POLLIN)

    def send(self, lines: Sequence[str], seconds: float | None = None) -> None:
        """Some lines together; they may wait so long for a reader that does not read."""
        left, until = "".join([f"{line}\r\n" for line in lines]).encode("ascii"), None
        while True:
            try:
                left = left[self._socket.send(left) :]
            except BlockingIOError:
                pass
            except OSError as error:
                raise _lost(error) from None
            if not left:
                return
            if seconds is not None and until is None:
                until = monotonic() + seconds
            wait = None if until is None else max(until - monotonic(), 0.0)
            if not select.select([], [self._socket], [], wait)[1]:
                raise LostError("did not read in time")

    def receive(
        self, until: float | None = None, should_stop: Callable[[], bool] = lambda: False
    ) -> str | None:
        """The next line without its end; None when the other side has closed. `until` is on the monotonic clock.

        A StoppedError if it should stop before the line is there.
        """
        while (end := self._read.find(b"\n")) < 0:
            if len(self._read) > LONGEST:
                raise LostError(f"sent a line of more than {LONGEST} bytes")
            try:
                new = self._socket.recv(PIECE)
            except BlockingIOError:
                left = STEP if until is None else until - monotonic()
                if left <= 0:
                    raise LostError("did not answer in time") from None
                if not self.wait(min(left, STEP)) and should_stop():
                    raise StoppedError("stopped while a player had not answered") from None
                continue
            except OSError as error:
                raise _lost(error) from None
            if not new:
                return None
            self._read += new
        line, self._read = self._read[:end], self._read[end + 1 :]
        return line.rstrip(b"\r").decode("ascii", "replace")

    def wait(self, seconds: float) -> bool:
        """Whether something is there to be read, or comes within this time."""
        return b"\n" in self._read or (seconds > 0 and bool(self._there.poll(1000 * seconds)))

    def close(self) -> None:
        """What was sent arrives: a socket that is closed with something unread would take it back."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            for _ in range(MOST_UNREAD):
                if not self._socket.recv(PIECE):
                    break
        self._socket.close()


def is_comment(line: str) -> bool:
    return line[:1] in ("#", ";") or not line.strip()


def _lost(error: OSError) -> LostError:
    return LostError(f"was lost: {(error.strerror or str(error)).lower()}")
