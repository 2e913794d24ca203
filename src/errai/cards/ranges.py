"""Ranges: which of the 1326 hold'em hands a player may hold, and with what weight, as text and as an array.

A range is a list of items parted by commas or spaces, in letters of either case:

    AA  AKs  AKo  AK  AsKh     one class of hands, or one hand
    TT+                        the pair and every higher pair
    ATs+                       every kicker from the named one up to just below the top card
    QQ-88                      the pairs from one to the other
    A9s-A6s                    the same top card, the kickers from one to the other
    98o-65o                    the same gap, both ranks move together
    all  any  random  100%  *  every hand

An item may end in a weight from 0 to 1 or in percent, as in `QQ-88:0.5` or `QQ-88:50%`; without one it weighs 1. A
hand may be named twice only with the same weight.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import FULL_DECK, RANKS, hand_count, hand_index, hands
from errai.errors import ErraiError

HANDS = hand_count(FULL_DECK.size, 2)

_EVERY_HAND = ("all", "any", "random", "100%", "*")
_ITEM = re.compile(r"[^\s,]+")
_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([SO]?)")
_FORMS = "write a hand as AA, AKs, AKo, AK or AsKh, several as TT+, ATs+, QQ-88, A9s-A6s or 98o-65o"


class _HandClass(NamedTuple):
    """Hands that differ only in their suits; `kind` is `s`, `o`, or empty for a pair or for both kinds."""

    top: int
    kicker: int
    kind: str

    @property
    def name(self) -> str:
        return RANKS[self.top] + RANKS[self.kicker] + self.kind

    def hand_indices(self) -> Iterator[int]:
        for top_suit in (3, 2, 1, 0):
            for kicker_suit in (3, 2, 1, 0):
                suited = top_suit == kicker_suit
                if self.top == self.kicker:
                    wanted = top_suit > kicker_suit
                else:
                    wanted = self.kind == "" or suited == (self.kind == "s")
                if wanted:
                    yield hand_index((self.top * 4 + top_suit, self.kicker * 4 + kicker_suit))


class _Item(NamedTuple):
    text: str
    position: int
    weight: float

    def __str__(self) -> str:
        return f"{self.text!r} at position {self.position}"


def parse_range(text: str, dead: Sequence[int] = ()) -> NDArray[np.float64]:
    """The weight of every hand index, float64 [1326]; a hand that holds a dead card weighs 0."""
    weights = np.zeros(HANDS)
    named_by: dict[int, _Item] = {}
    for match in _ITEM.finditer(text):
        item, indices = _parse_item(match.group(), match.start() + 1)
        for index in indices:
            earlier = named_by.setdefault(index, item)
            if earlier.weight != item.weight:
                raise ErraiError(
                    f"range item {item} is conflicting with {earlier}: both name {_hand_name(index)}, "
                    f"with weights {item.weight:g} and {earlier.weight:g}; give each hand one weight"
                )
            weights[index] = item.weight
    if not named_by:
        raise ErraiError("the range is empty: name at least one hand, such as AA, or write all")
    if not weights.any():
        raise ErraiError(f"range {text!r} gives every hand weight 0: give at least one hand more")
    weights[_holds_any(dead)] = 0.0
    if not weights.any():
        raise ErraiError(
            f"every hand of range {text!r} holds one of the dead cards "
            f"{FULL_DECK.format_cards(dead)}: name a hand that holds none of them"
        )
    return weights


def format_range(weights: NDArray[np.float64], dead: Sequence[int] = ()) -> str:
    """A compact text that `parse_range` reads back to the same weights.

    A class whose hands all weigh the same is written as a class, neighbours of one weight as `TT+` or
    `A9s-A6s`, and the hands of any other class one by one. Hands that hold a dead card do not count.
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (HANDS,):
        raise ErraiError(f"a range of shape {weights.shape}: it must have {HANDS} weights, one for each hand")
    if not ((weights >= 0) & (weights <= 1)).all():
        raise ErraiError("the range has a weight outside 0 to 1: every weight must be from 0 to 1")
    weights = np.where(_holds_any(dead), np.nan, weights)
    live = weights[~np.isnan(weights)]
    if not live.any():
        raise ErraiError("the range is empty: no hand has a weight above 0")
    if (live == live[0]).all():
        return _weighted("random", live[0])
    return ",".join(item for line in _class_lines() for item in _format_line(line, weights))


def _parse_item(text: str, position: int) -> tuple[_Item, list[int]]:
    hands_text, colon, weight_text = text.partition(":")
    weight = _parse_weight(weight_text, text, position) if colon else 1.0
    item = _Item(text, position, weight)
    if hands_text.lower() in _EVERY_HAND:
        return item, list(range(HANDS))
    first, dash, last = hands_text.partition("-")
    if dash:
        classes = _between(_parse_class(first, item), _parse_class(last, item), item)
    elif hands_text.endswith("+"):
        classes = _and_better(_parse_class(hands_text[:-1], item))
    elif _match_class(hands_text):
        classes = [_parse_class(hands_text, item)]
    else:
        return item, [_parse_hand(hands_text, item)]
    return item, [index for hand_class in classes for index in hand_class.hand_indices()]


def _parse_weight(text: str, item: str, position: int) -> float:
    number = text.removesuffix("%")
    try:
        weight = float(number) / (100 if text.endswith("%") else 1)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise ErraiError(
            f"weight {text!r} of range item {item!r} at position {position} is not a number from 0 to 1: "
            "write it as in AA:0.5 or AA:50%"
        )
    return weight


def _match_class(text: str) -> re.Match[str] | None:
    return _CLASS.fullmatch(text.upper().replace("10", "T"))


def _parse_class(text: str, item: _Item) -> _HandClass:
    match = _match_class(text)
    if match is None:
        raise ErraiError(f"range item {item}: {text!r} is not a class of hands; {_FORMS}")
    kicker, top = sorted((RANKS.index(match[1]), RANKS.index(match[2])))
    kind = match[3].lower()
    if top == kicker and kind:
        raise ErraiError(
            f"range item {item}: the pair {text!r} cannot be marked suited or offsuit; "
            f"write it as {RANKS[top] * 2}"
        )
    return _HandClass(top, kicker, kind)


def _parse_hand(text: str, item: _Item) -> int:
    try:
        cards = FULL_DECK.parse(text)
    except ErraiError as error:
        raise ErraiError(f"range item {item} names no hand; {_FORMS}") from error
    if len(cards) != 2:
        raise ErraiError(f"range item {item} does not have two cards; {_FORMS}")
    return hand_index(cards)


def _and_better(lowest: _HandClass) -> list[_HandClass]:
    if lowest.top == lowest.kicker:
        return [_HandClass(rank, rank, "") for rank in range(lowest.top, len(RANKS))]
    return [lowest._replace(kicker=kicker) for kicker in range(lowest.kicker, lowest.top)]


def _between(one: _HandClass, other: _HandClass, item: _Item) -> list[_HandClass]:
    low, high = sorted((one, other))
    if low.kind != high.kind:
        raise ErraiError(
            f"range item {item}: {one.name} and {other.name} are not of one kind; "
            "both ends must be pairs, suited, offsuit, or neither marked"
        )
    if (low.top == low.kicker) != (high.top == high.kicker):
        raise ErraiError(f"range item {item}: only one end is a pair; write pairs apart, as in QQ-88,A9-A6")
    if low.top == high.top:
        return [low._replace(kicker=kicker) for kicker in range(low.kicker, high.kicker + 1)]
    gap = low.top - low.kicker
    if gap != high.top - high.kicker:
        raise ErraiError(
            f"range item {item}: {one.name} and {other.name} share neither their top card nor their gap; "
            "write it as in A9s-A6s or 98o-65o"
        )
    return [low._replace(top=top, kicker=top - gap) for top in range(low.top, high.top + 1)]


def _holds_any(dead: Sequence[int]) -> NDArray[np.bool_]:
    FULL_DECK.format_cards(dead)  # refuses what is not a card
    is_dead = np.zeros(FULL_DECK.size, dtype=np.bool_)
    is_dead[list(dead)] = True
    cards = hands(FULL_DECK.size, 2)
    return is_dead[cards[:, 0]] | is_dead[cards[:, 1]]


def _hand_name(index: int) -> str:
    low, high = hands(FULL_DECK.size, 2)[index]
    return FULL_DECK.format_cards((int(high), int(low)))


def _class_lines() -> Iterator[list[_HandClass]]:
    """The classes in lines that `+` and `-` run along, best first: pairs, then the hands of each top card."""
    downward = range(len(RANKS) - 1, -1, -1)
    yield [_HandClass(rank, rank, "") for rank in downward]
    for kind in "so":
        for top in downward:
            yield [_HandClass(top, kicker, kind) for kicker in range(top - 1, -1, -1)]


def _format_line(line: list[_HandClass], weights: NDArray[np.float64]) -> Iterator[str]:
    start = 0
    while start < len(line):
        weight = _common_weight(line[start], weights)
        if weight is None:
            for index in line[start].hand_indices():
                if weights[index] > 0:
                    yield _weighted(_hand_name(index), weights[index])
            start += 1
            continue
        end = start + 1
        while end < len(line) and _common_weight(line[end], weights) == weight:
            end += 1
        if weight > 0:
            yield _weighted(_run_name(line, start, end), weight)
        start = end


def _common_weight(hand_class: _HandClass, weights: NDArray[np.float64]) -> float | None:
    """What all hands of a class weigh that hold no dead card; 0 for a class without such hands."""
    live = [weight for index in hand_class.hand_indices() if not math.isnan(weight := float(weights[index]))]
    return next(iter(live), 0.0) if len(set(live)) <= 1 else None


def _run_name(line: list[_HandClass], start: int, end: int) -> str:
    best, worst = line[start].name, line[end - 1].name
    if end - start == 1:
        return best
    return f"{worst}+" if start == 0 else f"{best}-{worst}"


def _weighted(name: str, weight: float) -> str:
    return name if weight == 1 else f"{name}:{float(weight)!r}"
