"""How much is raised in no-limit games by players whose rules know only fold, call and raise.

    always-raise    the least that is allowed
    random          the least, as much as the pot, or all that it has, each alike
    pot-odds        as much as the pot

A raise of the pot calls first and then adds all that is in the middle: of 3 times what the opponent has put in.
"""

from __future__ import annotations

from errai.games.definition import GameDefinition
from errai.games.state import HandState, MatchState
from errai.play.agent import Agent, Shares
from errai.strategy.kinds.rule import RULES, chosen


def pot_raise(state: HandState) -> str:
    """A raise as large as the pot, or as near to it as is allowed; in limit games there is only one."""
    return _raise_to(state, 3 * max(state.spent))


class SizedRule(Agent):
    """A rule that looks at no cards, in a no-limit game."""

    def __init__(self, name: str, rule: str, game: GameDefinition) -> None:
        super().__init__(name, game)
        self.rule = rule

    def probabilities(self, view: MatchState) -> Shares:
        state = view.state
        taken = chosen(self.rule, state.legal())
        shares: dict[str, float] = {}
        for action in taken:
            sizes = self._raises(state) if action == "r" else [action]
            for written in sizes:
                shares[written] = shares.get(written, 0.0) + 1 / len(taken) / len(sizes)
        return shares

    def _raises(self, state: HandState) -> list[str]:
        least, most = state.raise_range() or (0, 0)
        if len(RULES[self.rule]):  # always-raise
            return [f"r{least}"]
        return [f"r{least}", pot_raise(state), f"r{most}"]


def _raise_to(state: HandState, total: int) -> str:
    sizes = state.raise_range()
    if state.game.betting == "limit" or sizes is None:
        return "r"
    least, most = sizes
    return f"r{min(max(total, least), most)}"
