"""Strategies that come with the package, in errai/strategies, each known by the name of its folder."""

from __future__ import annotations

from pathlib import Path

_HOME = Path(__file__).parent.parent / "strategies"


def shipped() -> tuple[str, ...]:
    """The names of the strategies that come with the package."""
    return tuple(sorted(folder.name for folder in _HOME.glob("*") if (folder / "strategy.json").is_file()))


def is_shipped(folder: Path) -> bool:
    """Whether a folder belongs to the package, where nothing is to be written."""
    return folder.is_relative_to(_HOME)


def folder_of(strategy: str | Path) -> Path:
    """The folder of a strategy that is given as a folder or, where there is no such folder, by name."""
    path = Path(strategy)
    if not path.exists() and str(strategy) in shipped():
        return _HOME / str(strategy)
    return path
