"""One hand at a table, played from the deal to the end: the loop of all matches.

    state = play_hand(game, agents, deal, take)

`take` says which action is taken among those that an agent gives, so that matches, dealers and people at a terminal
all play through here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from errai.games.definition import GameDefinition
from errai.games.state import HandState, start
from errai.play.agent import Agent, Shares, chosen, seen_by
from errai.play.dealing import Deal
from errai.play.draws import draw

Take = Callable[
    [HandState, Shares, int], str
]  # the state, what its player may do, the number of the decision


def play_hand(
    game: GameDefinition, agents: Sequence[Agent], deal: Deal, take: Take, number: int | None = None
) -> HandState:
    """The end of a hand between two agents, by seat. `number` is that of the hand, unless it is the deal's."""
    shown = deal.number if number is None else number
    state = dealt(start(game, deal.hole), deal.board)
    decision = 0
    while True:
        views = [seen_by(state, seat, shown) for seat in (0, 1)]
        for agent, view in zip(agents, views, strict=True):
            agent.watch(view)
        if state.over:
            return state
        shares = agents[state.player].probabilities(views[state.player])
        state = dealt(state.act(take(state, shares, decision)), deal.board)
        decision += 1


def at_random(seed: int, deal: int) -> Take:
    """Actions by the random numbers of a deal."""

    def take(state: HandState, shares: Shares, decision: int) -> str:
        if len(shares) == 1:
            return next(iter(shares))
        return chosen(shares, draw(seed, deal, decision))

    return take


def dealt(state: HandState, board: Sequence[int]) -> HandState:
    """The state with the public cards that are due."""
    due = state.awaits_cards
    return state.deal(board[len(state.cards) : len(state.cards) + due]) if due else state
