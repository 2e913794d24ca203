"""The games that come with Errai by their names, and any other by the path of its `.game` file.

The built-in games are the files in `definitions/`; the comment on the first line of each says what it is.
"""

from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path

from errai.errors import ErraiError
from errai.games.definition import GameDefinition, parse_game

_DEFINITIONS = files("errai.games") / "definitions"
_MOST_BYTES = 65536


def builtin_names() -> list[str]:
    """The built-in games that are solved, smallest first."""
    return ["kuhn", "leduc", "rhode-island", "holdem-2-1", "holdem-2-4", "royal", "holdem"]


def no_limit_names() -> list[str]:
    """The built-in games that are played at a table but not solved."""
    return ["nolimit-10", "nolimit"]


def load_game(name_or_path: str | Path) -> GameDefinition:
    """A built-in game by its name in any case, or the game of a `.game` file."""
    given = str(name_or_path)
    builtin = given.strip().lower()
    if builtin in _all_names():
        return parse_game(_builtin_text(builtin), source=f"{builtin}.game", name=builtin)
    path = Path(given)
    if isinstance(name_or_path, str) and not _names_a_file(given):
        raise _unknown(given)
    return parse_game(_read(path), source=str(path), name=path.stem)


def describe(name: str) -> str:
    """What a built-in game is, in one line."""
    builtin = name.strip().lower()
    if builtin not in _all_names():
        raise _unknown(name)
    return _builtin_text(builtin).splitlines()[0].removeprefix("#").strip()


def _all_names() -> list[str]:
    return [*builtin_names(), *no_limit_names()]


def _builtin_text(name: str) -> str:
    return (_DEFINITIONS / f"{name}.game").read_text(encoding="utf-8")


def _unknown(name: str) -> ErraiError:
    names = _all_names()
    near = get_close_matches(name.strip().lower(), names, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return ErraiError(
        f"unknown game {name!a}: {hint}the built-in games are {', '.join(names)}; "
        "for any other give the path of a .game file, or to solve of an .efg file"
    )


def _names_a_file(given: str) -> bool:
    if given.lower().endswith(".game") or "/" in given or "\\" in given:
        return True
    try:
        return bool(given.strip()) and Path(given).exists()
    except (OSError, ValueError):
        return False


def _read(path: Path) -> str:
    shown = ascii(str(path))
    try:
        # Read a bounded part, so that a wrong path (a disk image, a device) costs nothing.
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        names = ", ".join(_all_names())
        raise ErraiError(f"game file {shown} does not exist; the built-in games are {names}") from None
    except IsADirectoryError:
        raise ErraiError(f"game file {shown} is a directory; give the path of a .game file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ErraiError(f"game file {shown} cannot be read: {reason}") from None
    if b"\0" in content:
        raise ErraiError(
            f"game file {shown} is not text; a .game file is plain text that begins with GAMEDEF"
        )
    if len(content) > _MOST_BYTES:
        raise ErraiError(f"game file {shown} is larger than {_MOST_BYTES} bytes; a .game file is a few lines")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ErraiError(
            f"game file {shown} is not text; a .game file is plain text that begins with GAMEDEF"
        ) from None
