"""What buckets are asked for, round by round, as a name or as text.

    lossless/emd:20000/emd:30000/ranges:40000
    ehs:8:perfect/ehs:8:perfect/ehs:8:perfect/ehs:8:perfect

A round is a method, a number of buckets and, where they are not the usual ones, the grouping (percentile, kmeans) and
the recall (perfect, imperfect). With perfect recall and percentiles the number is that within each bucket of the
round before.

    ehs:0.2,0.4,0.5,0.6,0.7,0.8

puts each hand into the group whose strength is nearest to its own, and

    potential:5,4,3,2,1

makes strength classes of five parts to one of all hands, weakest first, and besides them the bucket of draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from errai.errors import ErraiError

METHODS = {
    "lossless": "no two hands that differ are put together",
    "ehs": "expected strength on the last round",
    "ehs2": "expected square of the strength on the last round",
    "potential": "expected strength, and one bucket for weak hands that may gain much",
    "emd": "distribution of the strength on the last round, by earth mover's distance",
    "ochs": "strength against each of eight clusters of opponent hands; last round only",
    "ranges": "strength against each eighth of the hands by their worth one round before",
}
GROUPINGS = ("percentile", "kmeans")
RECALLS = ("imperfect", "perfect")
USUAL_GROUPING = {
    "lossless": "",
    "ehs": "percentile",
    "ehs2": "percentile",
    "potential": "percentile",
    "emd": "kmeans",
    "ochs": "kmeans",
    "ranges": "kmeans",
}
MOST_BUCKETS = 10_000_000


@dataclass(frozen=True)
class RoundPlan:
    """The buckets of one round; a lossless round has as many as it needs."""

    method: str
    buckets: int = 0
    grouping: str = ""
    recall: str = "imperfect"
    centres: tuple[float, ...] = ()  # of its groups, where they are given and not found
    parts: tuple[int, ...] = ()  # sizes of its strength classes, weakest first, where they are not alike

    @property
    def text(self) -> str:
        words = [self.method]
        if self.centres:
            words.append(",".join(f"{centre:g}" for centre in self.centres))
        elif self.parts:
            words.append(",".join(map(str, self.parts)))
        elif self.method != "lossless":
            words.append(str(self.buckets))
            words += [self.grouping] if self.grouping != USUAL_GROUPING[self.method] else []
        words += [self.recall] if self.recall == "perfect" else []
        return ":".join(words)

    def dealt(self, sizes: Sequence[int], round_: int) -> tuple[int, ...]:
        """How the boards of a round are told apart, public cards being `sizes`: as one set of cards, whatever their
        order, or as two, those of the round before and the new ones, where it matters which came last."""
        known, all_cards = known_before(sizes, round_), sizes[round_]
        both = (known, all_cards - known) if self.method == "ranges" else (all_cards,)
        return tuple(cards for cards in both if cards)


def known_before(sizes: Sequence[int], round_: int) -> int:
    """Public cards of the round before."""
    return sizes[round_ - 1] if round_ else 0


@dataclass(frozen=True)
class Preset:
    """A plan for every round of a game."""

    name: str
    rounds: tuple[RoundPlan, ...]

    @property
    def text(self) -> str:
        return "/".join(plan.text for plan in self.rounds)


NAMED = {
    "tiny": "lossless/ehs2:100/ehs2:100/ehs2:100",
    "small": "lossless/emd:1000/emd:1000/ranges:1000",
    "medium": "lossless/emd:5000/emd:5000/ranges:5000",
    "large": "lossless/emd:20000/emd:20000/ranges:20000",
    "huge": "lossless/lossless/emd:50000/ranges:50000",
    "psopti": "potential:7:perfect/potential:7:perfect/potential:7:perfect/potential:7:perfect",
    "bildman": "/".join(["ehs:0.2,0.4,0.5,0.6,0.7,0.8"] * 4),
    "percentile-8": "ehs:8:perfect/ehs:8:perfect/ehs:8:perfect/ehs:8:perfect",
}


def parse_preset(text: str) -> Preset:
    """The preset of this name, or the one that the text spells out."""
    name = text.strip().lower()
    if name in NAMED:
        return Preset(name, tuple(_parse_round(part, NAMED[name]) for part in NAMED[name].split("/")))
    if "/" not in name and ":" not in name and name not in METHODS:
        near = get_close_matches(name, NAMED, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the names are {', '.join(NAMED)}"
        raise ErraiError(f"unknown preset {text!r}; {hint} Or spell it out, as in {NAMED['small']}")
    rounds = tuple(_parse_round(part, text) for part in name.split("/"))
    return Preset("/".join(plan.text for plan in rounds), rounds)


def _parse_round(part: str, text: str) -> RoundPlan:
    method, *words = (word.strip() for word in part.split(":"))
    where = f"round {part!r} of {text!r}"
    if method not in METHODS:
        raise ErraiError(f"{where}: unknown method {method!r}; the methods are {', '.join(METHODS)}")
    buckets, grouping, recall = 0, USUAL_GROUPING[method], "imperfect"
    centres: tuple[float, ...] = ()
    parts: tuple[int, ...] = ()
    for word in words:
        if method in ("ehs", "ehs2") and ("." in word or "," in word) and not buckets:
            centres = _parse_centres(word, where)
            buckets, grouping = len(centres), "kmeans"
        elif method == "potential" and "," in word and not buckets:
            parts = _parse_parts(word, where)
            buckets = len(parts) + 1
        elif word.isascii() and word.isdigit() and not buckets and method != "lossless":
            buckets = int(
                word.lstrip("0")[: len(str(MOST_BUCKETS)) + 1] or 0
            )  # more digits are too many anyway
            if not 1 <= buckets <= MOST_BUCKETS:
                raise ErraiError(f"{where}: {word} buckets; there may be 1 to {MOST_BUCKETS:,}")
        elif word in GROUPINGS and method != "lossless":
            grouping = word
        elif word in RECALLS:
            recall = word
        else:
            raise ErraiError(
                f"{where}: {word!r} is not understood; write method:buckets, then percentile or kmeans, then perfect"
            )
    if method != "lossless" and not buckets:
        raise ErraiError(f"{where}: say how many buckets, as in {method}:1000")
    if method in ("emd", "ochs", "ranges") and grouping == "percentile":
        raise ErraiError(f"{where}: {method} hands have no order to cut by percentiles; use kmeans")
    if method == "ranges" and recall == "perfect":
        raise ErraiError(f"{where}: ranges forgets what was known; its recall is imperfect")
    if method == "potential" and grouping == "kmeans":
        raise ErraiError(f"{where}: potential is grouped by percentile")
    if method == "potential" and buckets < 2:
        raise ErraiError(f"{where}: potential needs 2 buckets or more, one of them for the draws")
    if centres and grouping == "percentile":
        raise ErraiError(f"{where}: groups with given strengths are not cut by percentiles")
    return RoundPlan(method, buckets, grouping, recall, centres, parts)


def _parse_parts(word: str, where: str) -> tuple[int, ...]:
    """3,2,1: sizes of classes, weakest hands first."""
    numbers = word.split(",")
    if not all(number.isascii() and number.isdigit() and 1 <= int(number[:9]) < 10**8 for number in numbers):
        raise ErraiError(
            f"{where}: {word!r} is no list of sizes; write them as 3,2,1, the weakest hands first"
        )
    return tuple(map(int, numbers))


def _parse_centres(word: str, where: str) -> tuple[float, ...]:
    """0.2,0.5,0.8: strengths of groups, ascending."""
    try:
        centres = tuple(float(part) for part in word.split(","))
    except ValueError:
        raise ErraiError(f"{where}: {word!r} is no list of strengths; write them as 0.2,0.5,0.8") from None
    if not all(0 <= centre <= 1 for centre in centres) or list(centres) != sorted(set(centres)):
        raise ErraiError(f"{where}: strengths of groups are from 0 to 1, the smallest first: {word!r}")
    return centres
