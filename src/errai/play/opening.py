"""Who is meant by a name: a saved strategy, a bot, a program.

holdem, out/leduc           a strategy that comes with Errai, or the folder of one
always-call, always-raise, always-fold, random
win-rate, pot-odds          bots that know their cards (errai.play.bots)
jam-or-fold                 optimal jam or fold, in no-limit hold'em (errai.play.jam_or_fold)
cmd:./bot.sh                a program that speaks the ACPC protocol (errai.play.acpc.programs)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import GameDefinition
from errai.play.acpc.programs import PREFIX, ProgramAgent, program_name
from errai.play.acpc.remote import Times
from errai.play.agent import Agent, StrategyAgent
from errai.play.bots import RULES as CARD_RULES
from errai.play.bots import CardAgent
from errai.play.jam_or_fold import NAME as JAM_OR_FOLD
from errai.play.jam_or_fold import JamOrFoldAgent
from errai.play.sizes import SizedRule
from errai.strategy.files import RULE_GAME, open_strategy
from errai.strategy.kinds.rule import RULES, RuleStrategy
from errai.strategy.shipped import folder_of, shipped
from errai.strategy.strategy import Strategy

ALSO = {"random": "uniform"}  # other names of rules
ANY_GAME = (*RULES, *ALSO, *CARD_RULES, JAM_OR_FOLD)  # that play whatever is played
NO_LIMIT = "nolimit"  # what jam-or-fold plays if nothing is said


@dataclass(frozen=True)
class Table:
    """What programs need to know of the match that they sit down to."""

    hands: int = 1
    times: Times = field(default_factory=Times)
    tell: Callable[[str], None] = lambda line: None  # what they do wrong
    should_stop: Callable[[], bool] = lambda: False


def open_agents(
    names: Sequence[str | Path], game: str | Path | GameDefinition | None = None, table: Table | None = None
) -> list[Agent]:
    """Agents that all play one game: that of the strategies among them, or the one given."""
    written = [str(name) for name in names]
    strategies = {name: _open(name) for name in dict.fromkeys(written) if _is_saved(name)}
    rules = game if isinstance(game, GameDefinition) or game is None else load_game(game)
    for name, strategy in strategies.items():
        if rules is not None and strategy.game != rules:
            raise ErraiError(f"{name} plays {strategy.game.name}, not {rules.name}: all must play one game")
        rules = strategy.game
    played = rules or load_game(NO_LIMIT if JAM_OR_FOLD in written else RULE_GAME)
    opened: list[Agent] = []
    try:
        for name in written:
            found = strategies.get(name)
            opened.append(
                _bot(name, played, table or Table()) if found is None else StrategyAgent(_shown(name), found)
            )
    except BaseException:
        for agent in opened:
            agent.close()
        raise
    return opened


def _bot(name: str, game: GameDefinition, table: Table) -> Agent:
    """A bot or a program, at a game."""
    if name.startswith(PREFIX):
        command = name.removeprefix(PREFIX)
        return ProgramAgent(
            program_name(command), game, command, table.hands, table.times, table.tell, table.should_stop
        )
    if name in CARD_RULES:
        return CardAgent(name, game)
    if name == JAM_OR_FOLD:
        return JamOrFoldAgent(game)
    rule = ALSO.get(name, name)
    return (
        SizedRule(name, rule, game)
        if game.betting == "nolimit"
        else StrategyAgent(name, RuleStrategy(rule, game))
    )


def _open(name: str) -> Strategy:
    if not folder_of(name).exists():
        known = ", ".join((*shipped(), *ANY_GAME))
        raise ErraiError(
            f"{name} is neither a saved strategy nor a player with a name: {known}, {PREFIX}PROGRAM"
        )
    return open_strategy(name)


def _is_saved(name: str) -> bool:
    return not name.startswith(PREFIX) and (name not in ANY_GAME or Path(name).exists())


def _shown(name: str) -> str:
    """A short name without the marks of a log line."""
    short = Path(name).name or name
    return short.replace(":", "-").replace("|", "-")
