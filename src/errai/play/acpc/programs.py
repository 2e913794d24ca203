"""Programs as players: started with the address of the dealer, as the ACPC does.

    ./bot.sh 127.0.0.1 40123

A program and all that it starts end with the match.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from errai.errors import ErraiError, StoppedError
from errai.games.definition import GameDefinition
from errai.games.state import MatchState
from errai.play.acpc.listening import LOCAL, accept, listen
from errai.play.acpc.remote import RemoteAgent, Times
from errai.play.agent import Agent, Shares

PREFIX = "cmd:"
INTERPRETERS = ("python", "bash", "sh", "perl", "ruby", "node", "java")
TO_CONNECT = 60.0  # seconds
TO_END = 2.0


class ProgramAgent(Agent):
    """A program that is started for a match and speaks the protocol."""

    def __init__(
        self,
        name: str,
        game: GameDefinition,
        command: str,
        hands: int,
        times: Times | None = None,
        tell: Callable[[str], None] = lambda line: None,
        should_stop: Callable[[], bool] = lambda: False,
        to_connect: float = TO_CONNECT,
    ) -> None:
        super().__init__(name, game)
        words = shlex.split(command)
        if not words:
            raise ErraiError(f"{PREFIX} needs the program to start, such as {PREFIX}./bot.sh")
        sock = listen()
        port = sock.getsockname()[1]
        try:
            self._process = subprocess.Popen(
                [*words, LOCAL, str(port)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            sock.close()
            raise ErraiError(
                f"{words[0]} cannot be started: {(error.strerror or str(error)).lower()}"
            ) from None
        try:
            connection = accept(sock, name, to_connect, should_stop, self._has_ended)
        except StoppedError:
            self._end()
            raise
        except ErraiError as error:
            self._end()
            code = self._process.returncode
            ended = f": it ended with exit code {code}" if code and code > 0 else ""
            raise ErraiError(f"{error}{ended}") from None
        self.player = RemoteAgent(name, game, connection, times or Times(), hands, tell, should_stop)

    def watch(self, view: MatchState) -> None:
        self.player.watch(view)

    def probabilities(self, view: MatchState) -> Shares:
        return self.player.probabilities(view)

    def close(self) -> None:
        self.player.close()
        self._end()

    def _has_ended(self) -> bool:
        return self._process.poll() is not None

    def _end(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(TO_END if self._process.poll() is None else 0)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def program_name(command: str) -> str:
    """What a program is called in a log."""
    words = [word for word in shlex.split(command) if not word.startswith("-")] or [command]
    first = 1 if len(words) > 1 and Path(words[0]).name.rstrip("0123456789.") in INTERPRETERS else 0
    return Path(words[first]).stem.replace(":", "-").replace("|", "-") or "program"
