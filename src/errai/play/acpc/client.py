"""Our side at somebody else's dealer: an agent that answers every state in which it is to act."""

from __future__ import annotations

import socket
from dataclasses import dataclass

from errai.errors import ErraiError, StoppedError
from errai.games.state import from_match_state
from errai.play.acpc.connection import VERSION, Connection, LostError, is_comment
from errai.play.agent import Agent, chosen
from errai.play.draws import draw
from errai.runs.monitor import SILENT, Monitor, Progress


@dataclass
class Sitting:
    """What an agent has seen of a match."""

    hands: int = 0
    chips: int = 0  # won, where the end of the hand could be seen


def sit(agent: Agent, host: str, port: int, *, seed: int = 0, monitor: Monitor = SILENT) -> Sitting:
    """Play at a dealer until it closes the connection; an ErraiError if it cannot be reached or is lost."""
    try:
        sock = socket.create_connection((host, port), timeout=10)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ErraiError(f"no dealer at {host} port {port}: {reason}") from None
    connection = Connection(sock)
    sitting = Sitting()
    try:
        connection.send([VERSION])
        while (line := connection.receive(should_stop=monitor.should_stop)) is not None:
            if not is_comment(line):
                _answer(agent, connection, line, seed, sitting, monitor)
            if monitor.should_stop():
                break
    except StoppedError:
        pass
    except LostError as error:
        raise ErraiError(f"the dealer {error}") from None
    finally:
        connection.close()
    return sitting


def _answer(
    agent: Agent, connection: Connection, line: str, seed: int, sitting: Sitting, monitor: Monitor
) -> None:
    view = from_match_state(agent.game, line)
    state = view.state
    agent.watch(view)
    if state.over:
        sitting.hands += 1
        sitting.chips += state.payoff()[view.seat]
        monitor.report(Progress(f"hand {sitting.hands:,}   {sitting.chips:+,} chips"))
    elif state.player == view.seat:
        decision = len(state.actions)
        action = chosen(agent.probabilities(view), draw(seed, view.hand_number, decision))
        connection.send([f"{line}:{action}"])
