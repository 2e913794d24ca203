"""Errai solves two-player poker games and proves how good each solution is.

    solve, endgame      a game, or a hold'em spot, to a Result
    resume, load        a saved solution, to resume or to query
    abstract, train     buckets of hands, and a strategy on them for a game too large to solve
    resume_training     a training, to resume
    exploit             how exploitable a strategy is in the real game
    match, cross_table  hands between agents, and what they show
    plan                what a full solution would cost on a cluster
    tournament          a no-limit tournament by jam or fold, with proven bounds
    load_game, spot     the rules of a game, and a place in it to solve from
    HandState           one hand, action by action; parse_state reads it from written betting
    Result              what a solution gives: values, exploitability, an ExactStrategy
    Strategy            whatever plays, of any kind, queried by a state of a hand; it answers with a Decision
    Monitor             is told how a long run goes, and may stop it
    ErraiError          what goes wrong, in one line

Names are loaded when they are first used, so that `import errai` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errai.api.matches import MatchResult, cross_table, match
    from errai.api.measuring import exploit
    from errai.api.planning import Plan, plan
    from errai.api.result import Result
    from errai.api.solving import endgame, load, resume, solve
    from errai.api.tournaments import tournament
    from errai.api.training import TrainingResult, abstract, resume_training, train
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game
    from errai.games.spot import spot
    from errai.games.state import HandState, parse_state
    from errai.runs.monitor import Monitor
    from errai.strategy.kinds.buckets import BucketStrategy
    from errai.strategy.kinds.exact import ExactStrategy
    from errai.strategy.strategy import Decision, Strategy

    __version__: str

__all__ = [
    "BucketStrategy",
    "Decision",
    "ErraiError",
    "ExactStrategy",
    "HandState",
    "MatchResult",
    "Monitor",
    "Plan",
    "Result",
    "Strategy",
    "TrainingResult",
    "__version__",
    "abstract",
    "cross_table",
    "endgame",
    "exploit",
    "load",
    "load_game",
    "match",
    "parse_state",
    "plan",
    "resume",
    "resume_training",
    "solve",
    "spot",
    "tournament",
    "train",
]

_HOMES = {
    "BucketStrategy": "errai.strategy.kinds.buckets",
    "Decision": "errai.strategy.strategy",
    "ErraiError": "errai.errors",
    "HandState": "errai.games.state",
    "parse_state": "errai.games.state",
    "ExactStrategy": "errai.strategy.kinds.exact",
    "Monitor": "errai.runs.monitor",
    "Plan": "errai.api.planning",
    "Result": "errai.api.result",
    "Strategy": "errai.strategy.strategy",
    "TrainingResult": "errai.api.training",
    "MatchResult": "errai.api.matches",
    "abstract": "errai.api.training",
    "cross_table": "errai.api.matches",
    "match": "errai.api.matches",
    "endgame": "errai.api.solving",
    "exploit": "errai.api.measuring",
    "load": "errai.api.solving",
    "load_game": "errai.games.catalogue",
    "plan": "errai.api.planning",
    "resume": "errai.api.solving",
    "resume_training": "errai.api.training",
    "solve": "errai.api.solving",
    "spot": "errai.games.spot",
    "tournament": "errai.api.tournaments",
    "train": "errai.api.training",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("errai")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'errai' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
