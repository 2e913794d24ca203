"""Betting as people write it: letters, words, or both.

    rc/b      r c / b      raise call / bet      raise, call; bet      limps, raises, calls; checks, bets, raises

Actions touch or are parted by spaces and commas; `/`, `;` or `|` ends a round. Letters are those of the ACPC, with k
and x for a check and b for a bet. A word says what players call the action where it stands, so a word that does not
fit (a call where nobody has bet) is a mistake and is refused, where the letter c would stand for both.

In no-limit games a size may follow: r300, raise 300, raises to 300; `jam` and `all-in` put in the whole stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

ROUND_ENDS = "/;|"
LETTERS = {"f": "fold", "c": "check or call", "r": "raise", "k": "check", "x": "check", "b": "bet"}
WORDS = {
    "fold": "fold",
    "check": "check",
    "call": "call",
    "limp": "limp",
    "complete": "limp",
    "bet": "bet",
    "raise": "raise",
    "reraise": "raise",
    "cap": "cap",
    "jam": "jam",
    "shove": "jam",
    "allin": "jam",
}
_SIZED = ("r", "b", "raise", "bet")
_PART = re.compile(r"[/;|]|[^\s,/;|]+")
_SIZE = re.compile(r"[\s,]+(?:to\s+)?([0-9]+)(?![^\s,/;|])", re.IGNORECASE)
_LETTER = re.compile(r"[^0-9][0-9]*|[0-9]+")
_NTH_BET = re.compile(r"([0-9])bet")


class Written(NamedTuple):
    """One action or the end of a round, as it was written."""

    text: str
    position: int  # of its first character, from 1
    action: str  # a letter, a word of WORDS, "3-bet", "/", or the text itself where it is no action
    size: str = ""  # of a no-limit raise

    @property
    def described(self) -> str:
        """'k' (check), 'raise' or '?', in quotes."""
        name = LETTERS.get(self.action)
        return f"{self.text!a} ({name})" if name else ascii(self.text)


def written_actions(text: str) -> Iterator[Written]:
    """The actions of a text and the ends of its rounds, in order."""
    at = 0
    while part := _PART.search(text, at):
        found, start, at = part.group(), part.start(), part.end()
        if found in ROUND_ENDS:
            yield Written(found, start + 1, "/")
            continue
        parts = list(_split(found, start + 1))
        last = parts[-1]
        if last.action in _SIZED and not last.size and (size := _SIZE.match(text, at)):
            at = size.end()
            parts[-1] = last._replace(text=text[last.position - 1 : at], size=size[1])
        yield from parts


def _split(part: str, position: int) -> Iterator[Written]:
    """A word, or the letters that touch each other."""
    lower = part.lower()
    if (word := _word(lower)) is not None:
        yield Written(part, position, word)
    elif any(character.isalpha() and character not in LETTERS for character in lower):
        yield Written(part, position, lower)
    else:
        for found in _LETTER.finditer(part):
            letter = found.group()
            yield Written(letter, position + found.start(), letter[0].lower(), letter[1:])


def _word(lower: str) -> str | None:
    """One of WORDS in any of its forms (raise, raises, raised), or 3-bet."""
    plain = lower.replace("-", "").replace("'", "")
    for ending in ("", "s", "es", "d", "ed", "ped", "med"):
        stem = plain.removesuffix(ending)
        if plain.endswith(ending) and stem in WORDS:
            return WORDS[stem]
        if plain.endswith(ending) and (nth := _NTH_BET.fullmatch(stem)):
            return f"{nth[1]}-bet"
    return None
