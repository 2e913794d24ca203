"""A bridge to OpenSpiel's Kuhn and Leduc poker, to compare strategies and their values.

Seat 0 is OpenSpiel's player 0 and cards have the same numbers: Leduc's card is `rank * 2 + suit`.
OpenSpiel lists legal actions in the order pass, bet or fold, call, raise, which is ours.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import pyspiel

from tests import naive

KUHN_BETTING = {"": "", "p": "c", "b": "r", "pb": "cr"}
LEDUC_STATE = re.compile(
    r"\[Observer: (?P<seat>\d)\]\[Private: (?P<hole>\d)\].*?"
    r"(\[Public: (?P<board>\d)\])?\[Round1: (?P<first>[\d ]*)\]\[Round2: (?P<second>[\d ]*)\]$"
)


def decisions(game_name: str) -> Iterator[pyspiel.State]:
    """Every history of an OpenSpiel game at which a player has to act."""

    def below(state: pyspiel.State) -> Iterator[pyspiel.State]:
        if not state.is_terminal():
            if not state.is_chance_node():
                yield state
            for action in state.legal_actions():
                yield from below(state.child(action))

    return below(pyspiel.load_game(game_name).new_initial_state())


def key_of(game_name: str, information_state: str) -> naive.Key:
    """The (seat, hole, board, betting) that OpenSpiel's information state string stands for."""
    if game_name == "kuhn_poker":
        betting = KUHN_BETTING[information_state[1:]]
        return len(betting) % 2, (int(information_state[0]),), ((),), betting
    if game_name == "leduc_poker":
        state = LEDUC_STATE.match(information_state)
        first, second = ("".join("fcr"[int(a)] for a in state[name].split()) for name in ("first", "second"))
        hole = (int(state["hole"]),)
        if state["board"] is None:
            return int(state["seat"]), hole, ((),), first
        return int(state["seat"]), hole, ((), (int(state["board"]),)), f"{first}/{second}"
    raise ValueError(f"no bridge to {game_name}")


def information_states(game_name: str) -> dict[str, tuple[naive.Key, list[int]]]:
    """Our key and OpenSpiel's legal actions for every information state string."""
    states: dict[str, tuple[naive.Key, list[int]]] = {}
    for state in decisions(game_name):
        text = state.information_state_string()
        if text not in states:
            states[text] = (key_of(game_name, text), state.legal_actions())
    return states


def tabular_policy(game_name: str, strategy: naive.Strategy) -> pyspiel.TabularPolicy:
    """OpenSpiel's table for a strategy of ours."""
    table = {}
    for text, (key, actions) in information_states(game_name).items():
        probabilities = [float(p) for p in strategy(*key)]
        table[text] = list(zip(actions, probabilities, strict=True))
    return pyspiel.TabularPolicy(table)


def table(game_name: str, policy) -> dict[naive.Key, Sequence[float]]:
    """Our table for a policy of OpenSpiel, written in Python or in C++."""
    rows: dict[naive.Key, Sequence[float]] = {}
    for state in decisions(game_name):
        key = key_of(game_name, state.information_state_string())
        if key not in rows:
            probabilities: Mapping[int, float] = dict(policy.action_probabilities(state))
            rows[key] = [probabilities.get(action, 0.0) for action in state.legal_actions()]
    return rows


def strategy(game_name: str, policy) -> naive.Strategy:
    """Our strategy for a policy of OpenSpiel."""
    return naive.from_table(table(game_name, policy))


def value(game_name: str, strategy: naive.Strategy) -> float:
    """Chips per hand that seat 0 wins when both seats follow the strategy."""
    root = pyspiel.load_game(game_name).new_initial_state()
    return pyspiel.expected_returns(root, tabular_policy(game_name, strategy), -1, True)[0]


def best_response_values(game_name: str, strategy: naive.Strategy) -> tuple[float, float]:
    """What the best response of each seat wins per hand against the other seat's strategy."""
    game = pyspiel.load_game(game_name)
    policy = tabular_policy(game_name, strategy)
    root = game.new_initial_state()
    first, second = (
        pyspiel.TabularBestResponse(game, seat, policy).value_from_state(root) for seat in (0, 1)
    )
    return first, second


def nash_conv(game_name: str, strategy: naive.Strategy) -> float:
    """The sum of what both best responses gain."""
    return pyspiel.nash_conv(pyspiel.load_game(game_name), tabular_policy(game_name, strategy))
