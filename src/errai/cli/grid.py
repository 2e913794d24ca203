"""The 13 x 13 grid of hands in the terminal.

Aces top left, pairs on the diagonal, suited hands above it, offsuit below. A cell is five characters wide and
two lines high: the hand, and how often it raises and calls in percent; what is left folds. Colours only repeat
the numbers: raise or bet red, call or check green, fold blue, a hand that is not in the range dark.

    AKs      AKo
    62/38    0/100
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from errai.cards.notation import GRID

if TYPE_CHECKING:
    from rich.text import Text

CELL, GAP = 5, 1
ORDER = "rcf"  # aggressive first, from the left
# All of the 256-colour palette, so that every terminal shows the same.
COLOURS = {"r": "white on #af0000", "c": "white on #008700", "f": "white on #005faf"}
OUT_OF_RANGE = "grey46 on grey11"


def percentages(shares: Sequence[float]) -> list[int]:
    """Whole percentages that add up to 100: rounded down, and the largest remainders get what is missing."""
    exact = [100 * share for share in shares]
    whole = [int(share) for share in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for i in by_remainder[: 100 - sum(whole)]:
        whole[i] += 1
    return whole


def figures(shares: Mapping[str, float]) -> str:
    """ "raise/call" in percent, or only the one action that there is; never more than five characters."""
    letters = [letter for letter in ORDER if letter in shares]
    shown = dict(zip(letters, percentages([shares[letter] for letter in letters]), strict=True))
    return "/".join(str(shown[letter]) for letter in letters if letter != "f" or len(letters) == 1)


def legend(names: Mapping[str, str]) -> str:
    """What the two numbers of a cell are, in the words of this decision."""
    shown = [names[letter] for letter in ORDER if letter in names and letter != "f"]
    rest = f"; the rest is {names['f']}" if "f" in names else ""
    return f"{' / '.join(shown)} in percent{rest}"


def grid(cells: Mapping[str, Mapping[str, float]]) -> Text:
    """The grid of hand class -> action letter -> share. Hands that are not there are not in the range."""
    from rich.text import Text

    text = Text()
    for names in GRID:
        for line in (0, 1):
            for column, name in enumerate(names):
                if column:
                    text.append(" " * GAP)
                _append_cell(text, name, cells.get(name), line)
            text.append("\n")
    return text


def _append_cell(text: Text, name: str, shares: Mapping[str, float] | None, line: int) -> None:
    if shares is None:
        text.append((name if line == 0 else "").ljust(CELL), style=OUT_OF_RANGE)
        return
    content = (name if line == 0 else figures(shares)).ljust(CELL)
    for character, letter in zip(content, _bar(shares), strict=True):
        text.append(character, style=COLOURS[letter] + (" bold" if line == 0 else ""))


def _bar(shares: Mapping[str, float]) -> str:
    """One action letter for each of the cell's characters, as near to the shares as five characters can be."""
    letters = [letter for letter in ORDER if letter in shares]
    bar, reached = "", 0.0
    for letter in letters:
        reached += shares[letter]
        bar += letter * (round(reached * CELL) - len(bar))
    return bar.ljust(CELL, letters[-1])
