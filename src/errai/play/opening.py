"""Who is meant by a name: a saved strategy, a bot, a program.

holdem, out/leduc           a strategy that comes with Errai, or the folder of one
always-call, always-raise, always-fold, random
win-rate, pot-odds          bots that know their cards (errai.play.bots)
holdem+resolve              a strategy, or a rule, whose last rounds are solved again (errai.play.resolving)
local-best-response         knows its opponent's strategy, and looks one action ahead (errai.play.local)
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
from errai.play.local import LocalBestResponse
from errai.play.resolving import ResolvingAgent, ResolvingStrategy
from errai.play.sizes import SizedRule
from errai.play.subgame import Think
from errai.strategy.files import RULE_GAME, open_strategy
from errai.strategy.kinds.rule import RULES, RuleStrategy
from errai.strategy.shipped import folder_of, shipped
from errai.strategy.strategy import Strategy

ALSO = {"random": "uniform"}  # other names of rules
LOCAL = "local-best-response"
ANY_GAME = (*RULES, *ALSO, *CARD_RULES, JAM_OR_FOLD, LOCAL)  # that play whatever is played
RESOLVE = "+resolve"  # after the name of a strategy
NO_LIMIT = "nolimit"  # what jam-or-fold plays if nothing is said


@dataclass(frozen=True)
class Table:
    """What players need to know of the match that they sit down to."""

    hands: int = 1
    times: Times = field(default_factory=Times)
    tell: Callable[[str], None] = lambda line: None  # what they do wrong
    should_stop: Callable[[], bool] = lambda: False
    think: Think = field(default_factory=Think)  # how much a player that solves may work on a solution
    threads: int = 1  # and on how many threads


def open_agents(
    names: Sequence[str | Path], game: str | Path | GameDefinition | None = None, table: Table | None = None
) -> list[Agent]:
    """Agents that all play one game: that of the strategies among them, or the one given."""
    written = [str(name) for name in names]
    strategies = {name: _open(_base(name)) for name in dict.fromkeys(written) if _is_saved(_base(name))}
    rules = game if isinstance(game, GameDefinition) or game is None else load_game(game)
    for name, strategy in strategies.items():
        if rules is not None and strategy.game != rules:
            raise ErraiError(f"{name} plays {strategy.game.name}, not {rules.name}: all must play one game")
        rules = strategy.game
    played = rules or load_game(NO_LIMIT if JAM_OR_FOLD in written else RULE_GAME)
    opened: list[Agent] = []
    try:
        for name in written:
            if name != LOCAL:
                opened.append(_seated(name, strategies.get(name), played, table or Table()))
        for place, name in enumerate(written):
            if name == LOCAL:
                opened.insert(place, LocalBestResponse(LOCAL, played, _known(opened)))
    except BaseException:
        for agent in opened:
            agent.close()
        raise
    return opened


def _seated(name: str, saved: Strategy | None, game: GameDefinition, table: Table) -> Agent:
    """The player of a name, whose strategy has been read if it is a saved one."""
    if _base(name) == name:
        return _bot(name, game, table) if saved is None else StrategyAgent(_shown(name), saved)
    if saved is None:
        bot = _bot(_base(name), game, table)
        if not isinstance(bot, StrategyAgent):
            bot.close()
            raise ErraiError(f"{_base(name)} cannot be solved again: it is no strategy")
        saved = bot.strategy
    return ResolvingAgent(_shown(name), ResolvingStrategy(saved, table.think, threads=table.threads))


def _base(name: str) -> str:
    """The strategy that is to be solved again, or the name as it is."""
    return name if Path(name).exists() or name.startswith(PREFIX) else name.removesuffix(RESOLVE)


def _known(others: Sequence[Agent]) -> Strategy:
    """The strategy that a local best response plays against."""
    if len(others) != 1 or not isinstance(others[0], StrategyAgent):
        raise ErraiError(f"{LOCAL} must know its opponent: let it play a saved strategy or a rule in a match")
    return others[0].strategy


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
            f"{name} is neither a saved strategy nor a player with a name: {known}, {PREFIX}PROGRAM, "
            f"STRATEGY{RESOLVE}"
        )
    return open_strategy(name)


def _is_saved(name: str) -> bool:
    return not name.startswith(PREFIX) and (name not in ANY_GAME or Path(name).exists())


def _shown(name: str) -> str:
    """A short name without the marks of a log line."""
    short = Path(name).name or name
    return short.replace(":", "-").replace("|", "-")
