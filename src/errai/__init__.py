"""Errai solves two-player poker games and proves how good each solution is.

    solve, endgame      a game, or a hold'em spot, to a Result
    resume, load        a saved solution, to go on with or to ask
    load_game, spot     the rules of a game, and a place in it to solve from
    Result, Strategy    what comes out
    ErraiError          what goes wrong, in one line

Names are loaded when they are first used, so that `import errai` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errai.api import endgame, load, resume, solve
    from errai.errors import ErraiError
    from errai.games.catalogue import load_game
    from errai.games.spot import spot
    from errai.result import Result
    from errai.strategy.strategy import Strategy

    __version__: str

__all__ = [
    "ErraiError",
    "Result",
    "Strategy",
    "__version__",
    "endgame",
    "load",
    "load_game",
    "resume",
    "solve",
    "spot",
]

_HOMES = {
    "ErraiError": "errai.errors",
    "Result": "errai.result",
    "Strategy": "errai.strategy.strategy",
    "endgame": "errai.api",
    "load": "errai.api",
    "load_game": "errai.games.catalogue",
    "resume": "errai.api",
    "solve": "errai.api",
    "spot": "errai.games.spot",
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
