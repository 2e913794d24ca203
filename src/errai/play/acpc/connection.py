"""Lines over a socket, as the ACPC sends them: ended by CR LF, of a limited length, within a limited time."""

from __future__ import annotations

import select
import socket
from time import monotonic

VERSION = "VERSION:2.0.0"
LONGEST = 4096  # bytes of a line, as in the original dealer
PIECE = 1 << 16


class LostError(Exception):
    """Why the other side cannot be heard any more."""


class Connection:
    """One end of a connection."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(True)
        self._socket, self._read = sock, bytearray()

    def send(self, line: str, seconds: float | None = None) -> None:
        """One line; it may wait so long for a reader that does not read."""
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(f"{line}\r\n".encode("ascii"))
        except OSError as error:
            raise LostError(_reason(error)) from None

    def receive(self, until: float | None = None) -> str | None:
        """The next line without its end; None when the other side has closed. `until` is on the monotonic clock."""
        while (end := self._read.find(b"\n")) < 0:
            if len(self._read) > LONGEST:
                raise LostError(f"sent a line of more than {LONGEST} bytes")
            try:
                self._wait(until)
                new = self._socket.recv(PIECE)
            except OSError as error:
                raise LostError(_reason(error)) from None
            if not new:
                return None
            self._read += new
        line = self._read[:end].rstrip(b"\r")
        del self._read[: end + 1]
        return line.decode("ascii", "replace")

    def close(self) -> None:
        self._socket.close()

    def _wait(self, until: float | None) -> None:
        if until is None:
            self._socket.settimeout(None)
            return
        left = until - monotonic()
        if left <= 0 or not select.select([self._socket], [], [], left)[0]:
            raise LostError("did not answer in time")


def is_comment(line: str) -> bool:
    return line[:1] in ("#", ";") or not line.strip()


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "did not read in time"
    return f"was lost: {(error.strerror or str(error)).lower()}"
