"""Games of OpenSpiel, by their game strings: `leduc_poker`, `liars_dice(numdice=1,dice_sides=4)`.

OpenSpiel's information state strings are the information sets. Simultaneous moves become moves one after the other,
of which the second player does not see the first. OpenSpiel is an optional package: it is imported when a game of
it is read.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from errai.errors import ErraiError
from errai.runs.monitor import SILENT, Monitor
from errai.sequence.builder import GameBuilder
from errai.sequence.tree import ExtensiveGame

MOST_NODES = 5_000_000
PROGRESS_EVERY = 5_000  # nodes

_MOST_MOVES = 2_000  # a game without end would fill the memory with one history
_LONGEST_COMPLAINT = 160  # letters
_TERMINAL, _CHANCE = -4, -1  # in the place of a player, in OpenSpiel

# Wrong parameters can crash OpenSpiel. So another process loads each game first, and plays it once.
_TRIAL = """
import random, sys
try:
    import pyspiel
    name = sys.stdin.read()
    if name.startswith("python_"):
        import open_spiel.python.games
    state = pyspiel.load_game_as_turn_based(name).new_initial_state()
    pick = random.Random(1).choice
    for _ in range(1000):
        actions = state.legal_actions()
        if not actions:
            break
        state.apply_action(pick(actions))
except Exception as error:
    print(error)
    sys.exit(1)
"""


def read_openspiel(name: str, most_nodes: int = MOST_NODES, monitor: Monitor = SILENT) -> ExtensiveGame:
    """The game of this string; the monitor is told the number of nodes so far."""
    if not name.strip():
        raise ErraiError("which game of OpenSpiel? Give its name: openspiel:leduc_poker")
    where = f"openspiel:{name if name.isprintable() else ascii(name)}"
    try:
        import pyspiel
    except ImportError:
        raise ErraiError(
            f"{where} needs the package open_spiel; install it with: pip install 'errai[openspiel]'"
        ) from None
    try:
        _try(where, name, pyspiel.registered_names())
        if name.startswith("python_"):
            import open_spiel.python.games  # noqa: F401
        game = pyspiel.load_game_as_turn_based(name)
        _check(where, game)
        return _Walk(where, most_nodes, monitor).read(game)
    except (pyspiel.SpielError, ValueError) as error:
        raise ErraiError(f"{where}: {_shortened(str(error))}") from None


def _try(where: str, name: str, known: Sequence[str]) -> None:
    """Refuse a game that OpenSpiel itself refuses, or crashes on."""
    trial = subprocess.run(
        [sys.executable, "-c", _TRIAL], input=name, capture_output=True, encoding="utf-8", check=False
    )
    if trial.returncode == 0:
        return
    if trial.returncode != 1:
        said = f" ({_shortened(trial.stderr)})" if trial.stderr.strip() else ""
        raise ErraiError(f"{where}: OpenSpiel crashes on this game{said}; check its parameters")
    if not trial.stdout.startswith("Unknown game"):
        raise ErraiError(f"{where}: {_shortened(trial.stdout)}")
    near = get_close_matches(name.partition("(")[0], known, n=1)
    hint = f"did you mean {near[0]}?" if near else "its documentation lists the games"
    raise ErraiError(f"{where}: OpenSpiel has no such game; {hint}")


def _check(where: str, game: Any) -> None:
    kind = game.get_type()
    if game.num_players() != 2:
        raise ErraiError(f"{where} is a game of {game.num_players()}; Errai solves games of two players")
    if kind.utility.name not in ("ZERO_SUM", "CONSTANT_SUM"):
        raise ErraiError(f"{where} is a general-sum game; Errai solves zero-sum and constant-sum games")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise ErraiError(
            f"{where} samples its chance moves, and a tree needs all of them with their probabilities"
        )
    if not kind.provides_information_state_string:
        raise ErraiError(f"{where} does not say what a player knows: it has no information state strings")


class _Known(NamedTuple):
    """An information set."""

    actions: list[int]
    called: list[str]
    name: str


class _Walk:
    """A walk over all histories of a game."""

    def __init__(self, where: str, most_nodes: int, monitor: Monitor) -> None:
        self.where, self.most_nodes, self.monitor = where, most_nodes, monitor
        self.builder = GameBuilder(where.removeprefix("openspiel:"), ("player 0", "player 1"))
        self.known: dict[tuple[int, str], _Known] = {}
        self.next_report = PROGRESS_EVERY

    def read(self, game: Any) -> ExtensiveGame:
        """Depth first. The last action of a state is taken in the state itself, the others in copies of it."""
        place, state, depth = self.builder.root, game.new_initial_state(), 0
        todo: list[
            tuple[int, Any, int, int, bool]
        ] = []  # place, state before, depth, action, last of the state
        while True:
            player = state.current_player()
            if player == _TERMINAL:
                self.builder.end(place, *state.returns())
            else:
                move = self._chance if player == _CHANCE else self._decision
                actions, places = move(place, state, player)
                self._refuse_if_too_large(depth)
                todo.append((places[-1], state, depth + 1, actions[-1], True))
                todo += [
                    (places[a], state, depth + 1, actions[a], False) for a in range(len(actions) - 2, -1, -1)
                ]
            if not todo:
                return self.builder.build()
            place, state, depth, action, last = todo.pop()
            if last:
                state.apply_action(action)
            else:
                state = state.child(action)

    def _chance(self, place: int, state: Any, player: int) -> tuple[list[int], range]:
        outcomes = [(action, chance) for action, chance in state.chance_outcomes() if chance > 0]
        actions = [action for action, _ in outcomes]
        chances = [chance for _, chance in outcomes]
        called = _names(state, player, actions)
        return actions, self.builder.chance(place, zip(called, chances, strict=True))

    def _decision(self, place: int, state: Any, player: int) -> tuple[list[int], range]:
        text = state.information_state_string(player)
        actions = state.legal_actions()
        known = self.known.get((player, text))
        if known is None or known.actions != actions:
            known = _Known(actions, _names(state, player, actions), _one_line(text))
            self.known[player, text] = known
        return actions, self.builder.decision(place, player, text, known.called, known.name)

    def _refuse_if_too_large(self, depth: int) -> None:
        nodes = self.builder.nodes
        if nodes > self.most_nodes:
            raise ErraiError(
                f"{self.where} has more than {self.most_nodes:,} nodes; choose a smaller game, "
                f"or raise the limit with most_nodes={2 * self.most_nodes}"
            )
        if depth > _MOST_MOVES:
            raise ErraiError(f"{self.where} can last more than {_MOST_MOVES:,} moves; choose a shorter game")
        if nodes >= self.next_report:
            self.monitor.step(f"reading the game: {nodes:,} nodes")
            self.next_report = nodes + PROGRESS_EVERY


def _names(state: Any, player: int, actions: Sequence[int]) -> list[str]:
    """What the actions are called, with their numbers where two are called the same."""
    names = [_one_line(state.action_to_string(player, action)) for action in actions]
    if len(set(names)) < len(names):
        return [f"{name} #{action}" for name, action in zip(names, actions, strict=True)]
    return names


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shortened(complaint: str) -> str:
    """What OpenSpiel says in one line, without the place in its source."""
    said = re.sub(r"^\S+\.(cc|h):\d+ ", "", _one_line(complaint))
    return said if len(said) <= _LONGEST_COMPLAINT else said[: _LONGEST_COMPLAINT - 3] + "..."
