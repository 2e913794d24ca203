"""How results are written: JSON for programs, aligned lines for people."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def console() -> Console:
    """Standard output, in colour only on a terminal whose user wants it."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


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


def print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Labels in a column, what they mean beside them."""
    for label, text in rows:
        print(f"{label:<17}{text}".rstrip())


def duration(seconds: float) -> str:
    """0.42 s, 12.3 s, 3:05, 1:02:03."""
    if seconds < 60:
        return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def figure(number: float) -> str:
    """Four digits that matter, more before the point when there are more."""
    if number == 0 or not math.isfinite(number):
        return f"{number:g}"
    digits = 4
    places = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    return f"{number:,.{places}f}" if places <= 12 else f"{number:.1e}"
