"""How results are written: JSON for programs, aligned lines for people."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from textwrap import wrap
from typing import Any

from errai.cli.shown import console
from errai.formatting import duration, figure

__all__ = ["console", "duration", "figure", "print_json", "print_rows"]


def print_json(content: dict[str, Any]) -> None:
    """One object on standard output. What is not a number is null, as JSON has no other word for it."""
    sys.stdout.write(json.dumps(plain(content), indent=2) + "\n")


def plain(content: Any) -> Any:
    """What JSON can hold: names as text, null for what is not a number."""
    if isinstance(content, dict):
        return {str(key): plain(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [plain(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content


LABEL = 17  # columns


def print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Labels in a column, what they mean beside them; in a terminal that is narrow, in several lines."""
    width = console().width if sys.stdout.isatty() else 0
    for label, text in rows:
        parts = wrap(text, max(width - LABEL, 20)) if LABEL + len(text) > width > 0 else [text]
        for number, part in enumerate(parts):
            print(f"{'' if number else label:<{LABEL - 1}} {part}".rstrip())
