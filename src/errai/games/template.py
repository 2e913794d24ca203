"""The betting tree of one round, seen as sequences.

In limit poker every round repeats one small tree. Each node belongs to a player, who got there by a
*sequence*: the player's own actions in this round, the opponent's left out. Sequence 0 is the empty one. Every
ending of the round is a pair of sequences, one of each player, and this is all that CFR and a best response need:

    down   reach[sequence of the opponent]   is split at each node of the opponent
    across an ending turns the opponent's reach into a value of the player's sequence
    up     value[sequence of the player]     is joined at each node of the player

A template is built by walking the rules from any state, so the blinds of the first round and a spot in the
middle of a round are ordinary templates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from errai.games.definition import GameDefinition, require_limit
from errai.games.state import HandState, start


@dataclass(frozen=True)
class Node:
    """A decision of the template."""

    betting: str  # actions of this round that lead here
    player: int
    actions: str  # of "fcr", in this order
    row: int  # first of its rows in the arrays [A, H, K]
    sequence: int  # the player's sequence after the first action; the others follow
    own: int  # the player's sequence that leads here
    other: int  # the opponent's sequence that leads here


@dataclass(frozen=True)
class Ending:
    """A fold, or a leaf: the round is over and the next board or the showdown follows."""

    betting: str
    sequences: tuple[int, int]  # of seat 0 and seat 1
    loser: int | None  # who folded
    amount: (
        int  # chips that the loser put in (fold) or each player put in (leaf), counted from the root state
    )


@dataclass(frozen=True)
class Template:
    """The betting tree of one round: nodes in the order in which they are met, folds and leaves."""

    round: int
    nodes: tuple[Node, ...]
    folds: tuple[Ending, ...]
    leaves: tuple[Ending, ...]
    rows: int  # A: actions of all nodes
    sequences: tuple[int, int]  # of each player, the empty one included


def fresh_round(game: GameDefinition, round_: int) -> HandState:
    """The start of a round; in later rounds than the first with chips counted from there."""
    state = start(game)
    if round_ == 0:
        return state
    return replace(state, round=round_, player=game.first_player[round_], spent=(0, 0))


def round_template(state: HandState) -> Template:
    """The betting tree of the round of `state`, from there on."""
    require_limit(state.game)
    nodes: list[Node] = []
    folds: list[Ending] = []
    leaves: list[Ending] = []
    rows = 0
    sequences = [1, 1]

    def visit(state: HandState, betting: str, reached: tuple[int, int]) -> None:
        nonlocal rows
        player = state.player
        actions = state.legal()
        first = sequences[player]
        nodes.append(
            Node(betting, player, actions, rows, first, own=reached[player], other=reached[1 - player])
        )
        rows += len(actions)
        sequences[player] += len(actions)
        for offset, action in enumerate(actions):
            after = state.act(action)
            mine = first + offset
            pair = (mine, reached[1]) if player == 0 else (reached[0], mine)
            text = betting + action
            if after.folded is not None:
                folds.append(Ending(text, pair, after.folded, after.spent[after.folded]))
            elif after.over or after.round != state.round:
                leaves.append(Ending(text, pair, None, after.spent[0]))
            else:
                visit(after, text, pair)

    visit(state, "", (0, 0))
    return Template(
        state.round, tuple(nodes), tuple(folds), tuple(leaves), rows, (sequences[0], sequences[1])
    )


def deal_only() -> Template:
    """A round without decisions, for games that deal public cards before the first one."""
    return Template(-1, (), (), (Ending("", (0, 0), None, 0),), 0, (1, 1))
