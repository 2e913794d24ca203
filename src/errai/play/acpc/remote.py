"""A player behind a connection: what the dealer sends to it, what it answers, and what happens if it does not.

By the rules of the original dealer: a comment is skipped, a line that is no state or not the state that was sent is
ignored, an action that is not allowed is a call. The times it may use are those of the original, too. A player that
runs out of time, closes its connection or sends what is no line is lost: from then on it folds, or checks where
nothing is to be paid, and the match goes on without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState, MatchState
from errai.play.acpc.connection import Connection, LostError, is_comment
from errai.play.agent import Agent, Shares

PATIENCE = 0.002  # seconds that a player who looks on is left without the last states


@dataclass(frozen=True)
class Times:
    """What a player may use, in seconds."""

    response: float = 600.0
    hand: float = 600.0
    per_hand: float = 7.0  # on average over the match


class RemoteAgent(Agent):
    """Sends states to a connection and takes the actions that come back.

    Where both players are behind connections (`together`), a state in which a player only looks on is not sent by
    itself: it goes out with the next one in which that player is to act, or as soon as the other player takes longer
    than `PATIENCE` to answer. Each is sent the same lines in the same order, in half as many pieces.
    """

    def __init__(
        self,
        name: str,
        game: GameDefinition,
        connection: Connection,
        times: Times,
        hands: int,
        tell: Callable[[str], None] = lambda line: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """`hands` is how many the match has; `tell` hears of what the player does wrong.

        While an answer is waited for, `should_stop` may end the match, by a StoppedError.
        """
        super().__init__(name, game)
        self._connection, self._times, self._tell = connection, times, tell
        self._should_stop = should_stop
        self._left = times.per_hand * hands
        self._hand, self._hand_left = -1, times.hand
        self._sent, self._line = 0.0, ""
        self._unsent: list[str] = []  # that the player has only to look at
        self._opponent: RemoteAgent | None = None
        self.lost: str | None = None  # why, since it is
        self.invalid = 0  # actions that were not allowed
        self.ignored = 0  # lines that were not understood or not asked for

    def watch(self, view: MatchState) -> None:
        if view.hand_number != self._hand:
            self._hand, self._hand_left = view.hand_number, self._times.hand
        if self.lost is not None:
            return
        state = view.state
        self._line = state.match_state(view.seat, view.hand_number)
        self._unsent.append(self._line)
        if self._opponent is None or (state.player == view.seat and not state.over):
            self._send()
            self._sent = monotonic()

    def probabilities(self, view: MatchState) -> Shares:
        if self.lost is None:
            try:
                return {self._answer(view.state): 1.0}
            except LostError as error:
                self._lose(str(error))
        return {view.state.legal()[0]: 1.0}

    def _send(self) -> None:
        lines, self._unsent = self._unsent, []
        if self.lost is None and lines:
            try:
                self._connection.send(lines, self._times.response)
            except LostError as error:
                self._lose(str(error))

    def _answer(self, state: HandState) -> str:
        allowed = min(self._times.response, self._hand_left, self._left)
        if self._opponent is not None and not self._connection.wait(min(PATIENCE, allowed)):
            self._opponent._send()
        while True:
            line = self._connection.receive(self._sent + allowed, self._should_stop)
            if line is None:
                raise LostError("closed its connection")
            used = monotonic() - self._sent
            if used > allowed:
                raise LostError(f"used {used:.1f} s, and had {allowed:.1f} s")
            if is_comment(line):
                continue
            echoed, _, action = line.rpartition(":")
            if echoed != self._line:
                self.ignored += 1
                continue
            self._hand_left -= used
            self._left -= used
            return self._allowed(state, action.strip())

    def _allowed(self, state: HandState, action: str) -> str:
        """The action, or the call that the dealer makes of what is not allowed."""
        if action in ("f", "c") and action in state.legal():
            return action
        try:
            if action[:1] not in ("f", "c", "r"):
                raise ErraiError("no action")
            following = state.act(action)
        except ErraiError:
            self.invalid += 1
            if self.invalid == 1:
                self._tell(
                    f"hand {self._hand}: {self.name} sent the action {action[:20]!a}, which is taken as a call"
                )
            return "c"
        return following.actions[-1]

    def _lose(self, why: str) -> None:
        self.lost = why
        self._tell(f"hand {self._hand}: {self.name} {why}; it folds from now on")

    def close(self) -> None:
        self._send()
        self._connection.close()


def together(first: RemoteAgent, second: RemoteAgent) -> None:
    """Have two players of a match wait for each other."""
    first._opponent, second._opponent = second, first
